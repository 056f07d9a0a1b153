#include "source/SystemLibraries.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>

namespace sx {

std::vector<std::string> systemLibraryFolders(const std::string& sysroot) {
    std::vector<std::string> folders;
    for (const char* folder :
         {"/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu", "/usr/lib64", "/lib64", "/usr/lib", "/lib"})
        if (llvm::sys::fs::is_directory(sysroot + folder)) folders.push_back(sysroot + folder);
    return folders;
}

std::string findInFolders(const std::string& file, llvm::ArrayRef<std::string> folders) {
    for (const std::string& folder : folders)
        if (llvm::sys::fs::exists(folder + "/" + file)) return folder + "/" + file;
    return "";
}

bool isPartOfLibc(llvm::StringRef name) {
    return name == "c" || name == "m" || name == "pthread" || name == "dl" || name == "rt";
}

std::vector<std::string> versionsOf(const std::string& file) {
    std::vector<std::string> found;
    for (const std::string& folder : systemLibraryFolders("")) {
        std::error_code error;
        for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error; it.increment(error)) {
            llvm::StringRef path = it->path();
            if (path.substr(path.rfind('/') + 1).starts_with(file + ".")) found.push_back(path.str());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace sx
