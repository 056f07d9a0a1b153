// A worker process as its caller sees it.
#pragma once

#include "../runner/Process.h"

#include <sys/types.h>

namespace corpus {

/// Runs commands of the compiler in a process that stays for many of them; a new one is started after each that died.
/// One thread's. Only for commands that run no program: what one leaves behind the next would see.
class Worker {
public:
    /// `program`: the path of `sx-worker`.
    explicit Worker(std::string program) : program_(std::move(program)) {}
    ~Worker() { stop(); }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    /// As `runProcess` of `sx ARGS…` in `folder`. What takes more than `processorSeconds` (0: no limit) dies of
    /// SIGPROF.
    Result run(const std::vector<std::string>& args, const std::string& folder, int timeoutSeconds = 60,
               unsigned processorSeconds = 0);

private:
    bool start();
    /// Returns the process's status as waitpid() gives it.
    int stop();
    static std::string textOf(int file);

    std::string program_;
    pid_t process_ = -1;
    int socket_ = -1;
    int files_[2] = {-1, -1}; ///< standard output and error of the process
    unsigned commands_ = 0;   ///< of this process
};

} // namespace corpus
