// Where the C is that `#import c` reads: the program has only declarations that were made from it.
#pragma once

#include "server/program/Workspace.h"

#include <optional>
#include <string>

namespace sx::server {

struct HeaderPlace {
    std::string path; ///< of the header
    Range range;      ///< of the name in it
    std::string comment;
};

/// Of a declaration that was made from a header of the program, or one that it includes by a relative path. Nothing: it
/// is none, or no header shows its name, as where a macro makes it.
std::optional<HeaderPlace> headerPlace(Workspace&, View&, const Declaration&);

/// The file that an `#include` or `#source` at a place names. Nothing: none is named there, or it is of the system.
std::optional<std::string> cFileAt(Workspace&, View&, SourcePos);

} // namespace sx::server
