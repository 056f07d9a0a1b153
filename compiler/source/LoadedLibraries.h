// The shared libraries of one program, in a process that runs it.
#pragma once

#include "source/Result.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace sx {

/// They and what the process has loaded anyway.
class LoadedLibraries {
public:
    /// Loads `lib<name>.so` from one of `paths`, else from the system, where a file with a version will do. Parts of
    /// libc are there already.
    Result<void> load(const std::string& name, llvm::ArrayRef<std::string> paths);
    /// Null if no library has the symbol.
    void* find(const std::string& symbol) const;

private:
    bool open(const std::string& file);

    std::vector<void*> handles_; // never closed: the program may have left threads or exit handlers in them
};

} // namespace sx
