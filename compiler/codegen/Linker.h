// Makes an executable of one object. By default lld does it, in this process; `--linker` names a compiler driver
// (`cc`) to be run instead.
#pragma once

#include "codegen/Codegen.h"

#include "llvm/ADT/StringRef.h"

namespace sx::codegen {

class Linker {
public:
    explicit Linker(const LinkOptions& options) : options_(options) {}

    /// Writes `options.output`, or nothing. On failure `error` says why; its first line stands for itself.
    bool link(llvm::StringRef object, std::string& error);

private:
    bool linkInProcess(llvm::StringRef object, const std::string& output, std::string& error);
    bool linkWithCommand(llvm::StringRef object, const std::string& output, std::string& error);
    bool findStartFiles(std::string& error);
    std::vector<std::string> lldArguments(llvm::ArrayRef<std::string> inputs, const std::string& output) const;
    std::vector<std::string> commandArguments(llvm::ArrayRef<std::string> inputs, const std::string& output) const;

    const LinkOptions& options_;
    std::vector<std::string> systemFolders_;
    std::string crt1_, crti_, crtn_;
};

} // namespace sx::codegen
