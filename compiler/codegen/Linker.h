// Makes an executable of objects. By default lld does it, in this process; `--linker` names a compiler driver
// (`cc`) to be run instead.
#pragma once

#include "codegen/Codegen.h"

#include "llvm/ADT/ArrayRef.h"

namespace sx::codegen {

class Linker {
public:
    explicit Linker(const LinkOptions& options) : options_(options) {}

    /// Writes `options.output`, or nothing. The first line of the reason stands for itself.
    Result<void> link(llvm::ArrayRef<ObjectFile> objects);

private:
    Result<void> linkInProcess(llvm::ArrayRef<ObjectFile> objects, const std::string& output);
    Result<void> linkWithCommand(llvm::ArrayRef<ObjectFile> objects, const std::string& output);
    Result<void> findStartFiles();
    std::vector<std::string> lldArguments(llvm::ArrayRef<std::string> inputs, const std::string& output) const;
    std::vector<std::string> commandArguments(llvm::ArrayRef<std::string> inputs, const std::string& output) const;

    const LinkOptions& options_;
    std::vector<std::string> systemFolders_;
    std::string crt1_, crti_, crtn_;
};

/// Makes a shared object of files that this process can read. Symbols that it defines are its own, whatever else is
/// loaded; those that it lacks are looked for when it is loaded, also in those of `libraries` that are installed.
Result<void> linkSharedObject(llvm::ArrayRef<std::string> inputs, llvm::ArrayRef<std::string> libraries,
                              llvm::ArrayRef<std::string> libraryPaths, const std::string& output);

} // namespace sx::codegen
