// Which programs of the open folders have a file: told from the texts alone, before anything is checked.
#pragma once

#include "server/program/Workspace.h"

#include <set>
#include <string>
#include <vector>

namespace sx::server {

/// The files of the workspace that no other one imports, and that import one of `files`, directly or through others. An
/// import is any `#import "path"` in a text, also in comments: there may be too many, never too few.
std::vector<std::string> programsWith(Workspace&, const std::set<std::string>& files);

} // namespace sx::server
