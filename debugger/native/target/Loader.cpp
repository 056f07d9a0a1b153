#include "debugger/native/target/Loader.h"

#include <array>
#include <climits>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <map>
#include <unistd.h>

namespace sx::debugger::native {

namespace {

constexpr const char* FileName = "libsx-native.so";

std::filesystem::path folderOfExecutable() {
    std::array<char, PATH_MAX> path{};
    ssize_t length = readlink("/proc/self/exe", path.data(), path.size() - 1);
    return length <= 0 ? "" : std::filesystem::path(path.data()).parent_path();
}

/// Empty if there is none.
std::string pathOfPlugin(const std::string& given) {
    std::filesystem::path folder = given.empty() ? folderOfExecutable() : std::filesystem::path(given);
    for (const std::filesystem::path& place : {folder / FileName, folder / "../lib/sx" / FileName})
        if (std::error_code failed; std::filesystem::exists(place, failed)) return place.string();
    return "";
}

Result<MakeTargetFunction> load(const std::string& folder) {
    std::string path = pathOfPlugin(folder);
    if (path.empty())
        return Failure{"the native engine needs liblldb, with which this compiler was not built; use the engine `vm`"};
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* reason = dlerror();
        return Failure{"the native engine needs liblldb: install the package liblldb-19, or use the engine `vm` (" +
                       std::string(reason ? reason : "") + ")"};
    }
    auto version = reinterpret_cast<TargetVersionFunction>(dlsym(library, TargetVersionSymbol));
    auto make = reinterpret_cast<MakeTargetFunction>(dlsym(library, MakeTargetSymbol));
    if (!version || !make || version() != TargetVersion) return Failure{code(path) + " is of another version of sx"};
    return make;
}

/// Loaded once.
const Result<MakeTargetFunction>& loaded(const std::string& folder) {
    static std::map<std::string, Result<MakeTargetFunction>> known;
    auto found = known.find(folder);
    if (found == known.end()) found = known.emplace(folder, load(folder)).first;
    return found->second;
}

} // namespace

std::string pluginProblem(const std::string& folder) {
    const Result<MakeTargetFunction>& make = loaded(folder);
    return make ? "" : make.error();
}

Result<std::unique_ptr<Target>> makeTarget(const std::string& folder) {
    Result<MakeTargetFunction> make = loaded(folder);
    if (!make) return make.failure();
    return std::unique_ptr<Target>((*make)());
}

} // namespace sx::debugger::native
