// A line on a terminal that says what takes so long.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace sx::driver {

/// Shows on standard error which step has been running for how long, once the whole has taken two seconds. Nothing
/// where that is no terminal, or a dumb one.
class Progress {
public:
    Progress() = default;
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress() { stop(); }

    /// A step begins. `step`: its name, which lives as long as the program.
    void begin(const char* step);
    /// Erases the line, and shows none until the next step: before anything else is printed.
    void stop();

private:
    void run();

    std::thread thread_;
    std::mutex mutex_; ///< of what follows
    std::condition_variable changed_;
    const char* step_ = nullptr;
    bool isOver_ = false, isShown_ = false;
};

} // namespace sx::driver
