#include "codegen/SystemLibraries.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>

namespace sx::codegen {

std::vector<std::string> systemLibraryFolders(const std::string& sysroot) {
    std::vector<std::string> folders;
    for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu", "/usr/lib64", "/lib64", "/usr/lib", "/lib"})
        if (llvm::sys::fs::is_directory(sysroot + folder)) folders.push_back(sysroot + folder);
    return folders;
}

std::string findInFolders(const std::string& file, llvm::ArrayRef<std::string> folders) {
    for (const std::string& folder : folders)
        if (llvm::sys::fs::exists(folder + "/" + file)) return folder + "/" + file;
    return "";
}

namespace {

/// Versioned names (`libm.so.6`) in a folder: all that is installed of a library without its development files.
void appendVersions(const std::string& folder, const std::string& file, std::vector<std::string>& candidates) {
    std::vector<std::string> found;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error; it.increment(error)) {
        llvm::StringRef path = it->path();
        if (path.substr(path.rfind('/') + 1).starts_with(file + ".")) found.push_back(path.str());
    }
    std::sort(found.begin(), found.end());
    candidates.insert(candidates.end(), found.begin(), found.end());
}

} // namespace

std::vector<std::string> sharedLibraryCandidates(const std::string& name, llvm::ArrayRef<std::string> folders) {
    std::string file = "lib" + name + ".so";
    std::vector<std::string> candidates;
    for (const std::string& folder : folders) candidates.push_back(folder + "/" + file);
    candidates.push_back(file);
    for (const std::string& folder : systemLibraryFolders("")) appendVersions(folder, file, candidates);
    return candidates;
}

} // namespace sx::codegen
