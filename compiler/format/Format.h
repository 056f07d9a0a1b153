// The one style of sx texts (docs/formatting.md). For the command line and for editors.
//
// Only white space changes: the tokens and comments of a text are the same before and after, which every function here
// checks itself. What the writer broke into lines stays broken; only lines that are too long are broken further.
#pragma once

#include "source/Diagnostics.h"
#include "source/Result.h"

#include <string>
#include <vector>

namespace sx::format {

/// Replaces the bytes `begin` to `end` (exclusive) of a text.
struct TextEdit {
    uint32_t begin = 0;
    uint32_t end = 0;
    std::string text;
};

/// Why there are no edits.
enum class Refusal {
    SyntaxErrors, ///< the text does not parse: `diags` says where
    WouldChange,  ///< a defect of the formatter: the tokens would not be the same. Nothing must be written
};

/// What formatting does to a text, or why nothing.
struct Outcome {
    std::vector<TextEdit> edits; ///< in order, disjoint, each of them white space
    bool refused = false;
    Refusal refusal{}; ///< if `refused`
};

/// Formats the text of a file. Linear in its length.
Outcome formatFile(const SourceManager&, FileId, Diagnostics&);

/// Formats the lines that hold the bytes `begin` to `end` (exclusive) of a file, as they would be in the whole.
Outcome formatRange(const SourceManager&, FileId, uint32_t begin, uint32_t end, Diagnostics&);

/// What follows from a character that was just typed before byte `offset`: after `}` its block is formatted, after `;`
/// the line that it ends, and after a line end (`'\n'`) the line that it began is indented, also an empty one. Of a
/// text that does not parse only the line of `offset` is indented. Of other characters nothing follows. Never refused
/// for syntax errors.
Outcome formatOnType(const SourceManager&, FileId, uint32_t offset, char typed);

/// The text after the edits.
std::string applyEdits(std::string_view text, const std::vector<TextEdit>&);

} // namespace sx::format
