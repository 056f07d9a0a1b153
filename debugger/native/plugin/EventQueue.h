// What is heard of a program, from the thread that lldb tells it to those who ask.
#pragma once

#include "debugger/native/target/Target.h"

#include "lldb/API/LLDB.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <queue>
#include <thread>

namespace sx::debugger::native {

class EventQueue {
public:
    EventQueue();
    ~EventQueue();
    EventQueue(const EventQueue&) = delete;

    /// For the launch or the attaching of the program.
    lldb::SBListener& listener() { return listener_; }
    /// Hears of the end of a program that ends by itself. To be asked for before it runs.
    void watchExit(lldb::SBTarget&);
    /// Listens from now on, in a thread of its own.
    void begin(lldb::SBDebugger&, lldb::SBProcess&);
    /// Listens no more.
    void end();

    /// The thread in which the program has begun to exit; 0: it has not.
    SystemThread exiting() const { return exiting_; }

    /// Readable while there are events.
    int descriptor() const { return descriptor_; }
    std::optional<TargetEvent> next();
    /// Nothing: there was none for so long.
    std::optional<TargetEvent> next(std::chrono::milliseconds patience);
    /// As an event that has just happened.
    void post(TargetEvent);

private:
    static bool atExit(void* queue, lldb::SBProcess&, lldb::SBThread&, lldb::SBBreakpointLocation&);
    /// The thread has come to the end of the program.
    void noteExit(lldb::SBProcess&, lldb::SBThread&);
    void findExit();
    void listen();
    void handle(const lldb::SBEvent&);

    lldb::SBListener listener_{"sx.native"};
    lldb::SBBroadcaster waker_{"sx.native.waker"}; ///< ends the listening
    lldb::SBProcess process_;
    lldb::SBBreakpoint exit_;
    std::atomic<int> exitStatus_{-1}; ///< with which the program has begun to exit; -1: it has not
    std::atomic<SystemThread> exiting_{0};

    int descriptor_ = -1;
    std::thread thread_;
    std::atomic<bool> ends_{false};
    std::mutex mutex_; ///< of the queue
    std::queue<TargetEvent> events_;
};

/// The address of an access, which lldb tells in its text only.
std::optional<uint64_t> faultAddressIn(const std::string& text);

/// Why the threads of a program stand still, without what the system says of signals.
std::vector<ThreadStop> stopsOf(lldb::SBProcess&);

} // namespace sx::debugger::native
