// Whether a rename keeps what a program means: the edited texts are checked, in memory, and compared with what was.
#pragma once

#include "server/features/References.h"

#include <map>
#include <string>
#include <vector>

namespace sx::server {

/// A name, and what takes its place.
struct NameEdit {
    uint32_t begin = 0, end = 0; ///< bytes of the text as it is
    std::string text;
    Named::Short isShort = Named::Short::No;
};

struct Renaming {
    Named named;                                        ///< what gets another name
    std::string old, name;                              ///< without backticks
    std::map<std::string, std::vector<NameEdit>> edits; ///< by path, in order, without doubles
    bool isLocal = false;                               ///< no other file sees it
};

/// Where the old name stands in code that cannot be checked, so that nobody knows whether it is meant: as a reason not
/// to rename. "": nowhere.
std::string whyUnknown(Workspace&, View&, const Renaming&);

/// What would be an error, or would mean something else, in the programs that have the edited texts. "": nothing.
std::string whyChanged(Workspace&, View&, const Renaming&);

} // namespace sx::server
