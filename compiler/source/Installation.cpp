#include "source/Installation.h"

#include "source/Paths.h"

#include <climits>
#include <cstdlib>
#include <unistd.h>

namespace sx {

std::string workingDirectory() {
    char buffer[PATH_MAX];
    return getcwd(buffer, sizeof buffer) ? buffer : "/";
}

std::string ownFolder() {
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    return n > 0 ? directoryOf(std::string_view(self, static_cast<size_t>(n))) : "";
}

namespace {

/// The folders of a name that stand where a build tree or an installation has them, seen from the executable.
std::vector<std::string> beside(const std::string& name, const char* content) {
    std::string folder = ownFolder();
    if (folder.empty()) return {};
    std::vector<std::string> found;
    for (const char* relative : {"../../", "../", "", "../share/sx/"}) {
        std::string path = joinPath(folder, relative + name);
        if (access((path + content).c_str(), F_OK) == 0) found.push_back(path);
    }
    return found;
}

} // namespace

std::vector<std::string> libraryRoots() {
    if (const char* path = std::getenv("SX_STDLIB_PATH"); path && *path) return {joinPath(workingDirectory(), path)};
    return beside("library", "/modules");
}

std::string editorsFolder() {
    std::vector<std::string> found = beside("editors", "/lldb/sx.py");
    return found.empty() ? "" : found.front();
}

} // namespace sx
