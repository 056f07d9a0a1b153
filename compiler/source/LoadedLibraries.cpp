#include "source/LoadedLibraries.h"

#include "source/SystemLibraries.h"
#include "source/Wording.h"

#include <dlfcn.h>

namespace sx {

bool LoadedLibraries::open(const std::string& file) {
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL); // as a linker sees them: each knows the others
    if (handle) handles_.push_back(handle);
    return handle != nullptr;
}

Result<void> LoadedLibraries::load(const std::string& name, llvm::ArrayRef<std::string> paths) {
    if (isPartOfLibc(name)) return {};
    std::string file = "lib" + name + ".so";
    for (const std::string& path : paths)
        if (open(path + "/" + file)) return {};
    if (open(file)) return {};
    for (const std::string& version : versionsOf(file))
        if (open(version)) return {};
    return Failure{"cannot load the library " + code(name)};
}

void* LoadedLibraries::find(const std::string& symbol) const {
    for (void* handle : handles_)
        if (void* found = dlsym(handle, symbol.c_str())) return found;
    return dlsym(RTLD_DEFAULT, symbol.c_str());
}

} // namespace sx
