// All places of the workspace that name the same.
#pragma once

#include "server/program/Workspace.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <string_view>
#include <vector>

namespace sx::server {

struct Reference {
    std::string path;
    Range range;
    uint32_t begin = 0, end = 0; ///< the same in bytes
    bool isDeclaration = false;
    Named::Short isShort = Named::Short::No;
    friend auto operator<=>(const Reference& a, const Reference& b) {
        return std::tie(a.path, a.range.start) <=> std::tie(b.path, b.range.start);
    }
    friend bool operator==(const Reference& a, const Reference& b) {
        return a.path == b.path && a.range.start == b.range.start;
    }
};

/// In the program of `view`, and in the programs of all files of the workspace whose texts have the name. In order,
/// without doubles.
std::vector<Reference> referencesTo(Workspace&, View& view, const Named&);

/// The declarations that a name stands for, as places of files: what one program says of another. Empty for a tag.
std::vector<std::pair<std::string, uint32_t>> targetsOf(View&, const Named&);

/// Whether a text may name what is declared with a word: of a parameter or result, by `word =` or `.word`.
bool mayName(std::string_view text, std::string_view word, const Declaration* declared);

/// Visits the offsets at which a text has a word, and not as a part of a longer one, until one is wanted. False: none
/// is.
bool anyWord(std::string_view text, std::string_view word, llvm::function_ref<bool(size_t at)> isWanted);

/// Whether a text has such a word.
bool hasWord(std::string_view text, std::string_view word);

} // namespace sx::server
