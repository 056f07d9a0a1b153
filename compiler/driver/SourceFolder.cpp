#include "driver/SourceFolder.h"

#include "source/Wording.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace sx::driver {

Result<std::vector<std::string>> sourcesBelow(const std::string& folder) {
    std::vector<std::string> found;
    std::error_code problem;
    using Iterator = llvm::sys::fs::recursive_directory_iterator;
    for (Iterator at(folder, problem, false), end; at != end && !problem; at.increment(problem)) {
        const llvm::StringRef path = at->path(), name = llvm::sys::path::filename(path);
        const bool isFolder = at->type() == llvm::sys::fs::file_type::directory_file;
        if (isFolder && (name.starts_with(".") || name == "node_modules")) at.no_push();
        if (!isFolder && name.ends_with(".sx") && llvm::sys::fs::is_regular_file(path))
            found.push_back((path.starts_with("./") ? path.substr(2) : path).str());
    }
    if (problem) return Failure{"cannot read the folder " + code(folder) + ": " + problem.message()};
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace sx::driver
