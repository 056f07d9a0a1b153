#include "codegen/LinkerInputs.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace sx::codegen {

// ---- in memory

MemoryFile::MemoryFile(std::string name) : name_(std::move(name)), fd_(memfd_create(name_.c_str(), MFD_CLOEXEC)) {
    path_ = "/proc/self/fd/" + std::to_string(fd_);
}

MemoryFile::MemoryFile(MemoryFile&& other) noexcept
    : name_(std::move(other.name_)), path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}

MemoryFile::~MemoryFile() {
    if (fd_ >= 0) close(fd_);
}

Result<void> MemoryFile::write(llvm::StringRef content) {
    while (fd_ >= 0 && !content.empty()) {
        ssize_t written = ::write(fd_, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) break;
        content = content.drop_front(static_cast<size_t>(written));
    }
    if (fd_ >= 0 && content.empty()) return {};
    return Failure{std::string("cannot keep the linker's input: ") + strerror(errno)};
}

// ---- on disk

TemporaryFolder::TemporaryFolder() {
    llvm::SmallString<128> path;
    if (!llvm::sys::fs::createUniqueDirectory("sx-link", path)) path_ = path.str();
}

TemporaryFolder::~TemporaryFolder() {
    if (!path_.empty()) llvm::sys::fs::remove_directories(path_);
}

Result<void> TemporaryFolder::write(const std::string& path, llvm::StringRef content) const {
    std::error_code failure;
    if (path_.empty()) failure = std::make_error_code(std::errc::no_such_file_or_directory);
    else {
        llvm::raw_fd_ostream out(path, failure);
        if (!failure) out << content;
        out.close();
        if (!failure) failure = out.error();
        out.clear_error();
    }
    if (!failure) return {};
    return Failure{"cannot write the linker's input '" + path + "': " + failure.message()};
}

Result<void> runCommand(llvm::ArrayRef<std::string> arguments, const std::string& messages) {
    auto program = llvm::sys::findProgramByName(arguments.front());
    if (!program) return Failure{"cannot find the program '" + arguments.front() + "'"};
    std::string error;
    std::vector<llvm::StringRef> args(arguments.begin(), arguments.end());
    std::optional<llvm::StringRef> nowhere("");
    int status = llvm::sys::ExecuteAndWait(
        *program, args, std::nullopt, {nowhere, llvm::StringRef(messages), llvm::StringRef(messages)}, 0, 0, &error);
    if (status == 0) return {};
    if (auto written = llvm::MemoryBuffer::getFile(messages); written && !(*written)->getBuffer().trim().empty())
        error = (*written)->getBuffer().rtrim().str();
    if (error.empty()) error = "the program '" + arguments.front() + "' failed with status " + std::to_string(status);
    return Failure{error};
}

} // namespace sx::codegen
