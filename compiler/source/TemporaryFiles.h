// What is there only while this process works on something: files, folders, and programs that it waits for.
#pragma once

#include "source/Result.h"

#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>

namespace sx {

/// Takes something away when the process is ended by SIGHUP, SIGINT or SIGTERM, unless they have an action of the
/// program's already. More than there is room for are left.
class EndedWithProcess {
public:
    enum class Kind : int { None, File, Folder, Program };

    EndedWithProcess(Kind kind, const std::string& path, pid_t program = 0);
    ~EndedWithProcess();
    EndedWithProcess(const EndedWithProcess&) = delete;

    bool isOfThisProcess() const;

private:
    int entry_ = -1;
    pid_t maker_; ///< what is forked off has a copy that means nothing
};

/// A path of a file that is not there afterwards: under this name.
class TemporaryFile {
public:
    explicit TemporaryFile(std::string path) : path_(std::move(path)), end_(EndedWithProcess::Kind::File, path_) {}
    ~TemporaryFile();
    const std::string& path() const { return path_; }

private:
    std::string path_;
    EndedWithProcess end_;
};

/// A folder for files, among those that are meant to be temporary; deleted with what is in it at the end.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    const std::string& path() const { return path_; } ///< "": it cannot be made
    /// Fails with a message for the user.
    Result<void> write(const std::string& path, std::string_view content) const;

private:
    std::string path_;
    std::optional<EndedWithProcess> end_; ///< if there is a folder
};

/// Runs a program with nothing to read, and waits for it. It has a process group of its own, to be ended as a whole.
/// What it writes goes to the file `output`. Gives its exit status as waitpid does; -1: it cannot be started (errno).
int runProgram(const std::string& path, char* const argv[], const std::string& output);

} // namespace sx
