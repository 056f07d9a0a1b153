#include "codegen/LinkerInputs.h"

#include "source/TemporaryFiles.h"
#include "source/Wording.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/wait.h>
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

// ---- commands

Result<void> runCommand(llvm::ArrayRef<std::string> arguments, const std::string& messages) {
    auto program = llvm::sys::findProgramByName(arguments.front());
    if (!program) return Failure{"cannot find the program " + code(arguments.front())};
    std::vector<std::string> words(arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    int status = runProgram(*program, argv.data(), messages);
    if (status == 0) return {};
    if (status < 0) return Failure{"cannot run the program " + code(*program) + ": " + strerror(errno)};
    if (auto written = llvm::MemoryBuffer::getFile(messages); written && !(*written)->getBuffer().trim().empty())
        return Failure{(*written)->getBuffer().rtrim().str()};
    std::string how = WIFSIGNALED(status) ? std::string("died: ") + strsignal(WTERMSIG(status))
                                          : "failed with status " + std::to_string(WEXITSTATUS(status));
    return Failure{"the program " + code(arguments.front()) + " " + how};
}

} // namespace sx::codegen
