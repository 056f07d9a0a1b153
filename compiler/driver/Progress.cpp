#include "driver/Progress.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace sx::driver {

static bool isWanted() {
    const char* term = std::getenv("TERM");
    return isatty(STDERR_FILENO) && term && *term && std::strcmp(term, "dumb") != 0;
}

static void show(const std::string& text) {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

void Progress::begin(const char* step) {
    {
        const std::lock_guard lock(mutex_);
        step_ = step;
    }
    if (!thread_.joinable() && isWanted()) thread_ = std::thread(&Progress::run, this);
}

void Progress::stop() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        isOver_ = true;
    }
    changed_.notify_one();
    thread_.join();
    isOver_ = false;
    if (isShown_) show("\r\x1b[K");
    isShown_ = false;
}

void Progress::run() {
    using namespace std::chrono;
    constexpr milliseconds Patience(2000), Pause(500);
    const auto start = steady_clock::now();
    auto next = start + Patience;
    std::unique_lock lock(mutex_);
    while (!changed_.wait_until(lock, next, [this] { return isOver_; })) {
        const auto passed = duration_cast<seconds>(steady_clock::now() - start).count();
        show("\r\x1b[Ksx: " + std::string(step_) + ", " + std::to_string(passed) + " s");
        isShown_ = true;
        next += Pause;
    }
}

} // namespace sx::driver
