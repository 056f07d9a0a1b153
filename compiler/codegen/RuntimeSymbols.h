// Where code that runs in this process finds what it calls.
#pragma once

#include "source/Result.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace sx::codegen {

/// The runtime's function of this name, which the compiler itself contains; null if there is none.
void* runtimeSymbol(llvm::StringRef name);

/// The shared libraries of one program, and what the process has loaded anyway.
class LoadedLibraries {
public:
    /// Loads `lib<name>.so` from one of `paths`, else from the system.
    Result<void> load(const std::string& name, llvm::ArrayRef<std::string> paths);
    /// Null if no library has the symbol.
    void* find(const std::string& symbol) const;

private:
    bool open(const std::string& file);

    std::vector<void*> handles_; // never closed: the program may have left threads or exit handlers in them
};

} // namespace sx::codegen
