// Handing files that exist only in memory to a linker.
#pragma once

#include "source/Result.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace sx::codegen {

/// An unnamed file in memory, for readers in this process.
class MemoryFile {
public:
    explicit MemoryFile(std::string name);
    ~MemoryFile();
    MemoryFile(MemoryFile&&) noexcept;
    MemoryFile(const MemoryFile&) = delete;

    Result<void> write(llvm::StringRef content);
    const std::string& name() const { return name_; } ///< for messages
    const std::string& path() const { return path_; } ///< to open it by

private:
    std::string name_, path_;
    int fd_;
};

/// Runs a program found by PATH and waits for it. Fails with what it wrote, which goes to the file `messages`
/// meanwhile.
Result<void> runCommand(llvm::ArrayRef<std::string> arguments, const std::string& messages);

} // namespace sx::codegen
