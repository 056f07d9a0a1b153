// The sources in a folder, for commands that are given one.
#pragma once

#include "source/Result.h"

#include <string>
#include <vector>

namespace sx::driver {

/// All regular files `*.sx` below `folder`, sorted by path; those below `.` without `./`. Hidden folders, links to
/// folders and `node_modules` are left out. Fails where a folder cannot be read.
Result<std::vector<std::string>> sourcesBelow(const std::string& folder);

} // namespace sx::driver
