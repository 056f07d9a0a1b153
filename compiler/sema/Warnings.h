// What is collected about the program while it is checked and said at the end, as warnings (docs/warnings.md).
#pragma once

#include "source/Source.h"

#include "llvm/ADT/ArrayRef.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sx::sema {

class Sema;
struct ErrorNode;

enum class WarningKind : uint8_t {
    MissingArm,
    NoEffect,
    UnreadError,
    FrameArray,
    LostWrite,
    FormatText,
    UnreachableCatch,
    NeverFails,
    UnusedImport,
    SharedName,
};

/// The warnings of one program.
struct Warnings {
    struct Found {
        WarningKind kind{};
        Span at;
        std::string message, help;
    };
    std::vector<Found> found;
    std::set<std::pair<WarningKind, SourcePos>> known, refuted;

    /// A `catch` that nothing reaches if the errors of its operand turn out to be none.
    struct Catch {
        const ErrorNode* errors = nullptr;
        Span at;
    };
    std::vector<Catch> catches;
    /// A match that yields a value, over errors that are inferred: which have no arm?
    struct ErrorMatch {
        const ErrorNode* errors = nullptr;
        std::vector<uint64_t> arms;
        Span at;
    };
    std::vector<ErrorMatch> errorMatches;
};

/// A match without `else` yields a value, and what `missing` names has no arm.
void warnOfMissingArms(Sema&, Span subject, llvm::ArrayRef<std::string> missing);

} // namespace sx::sema
