// Fibers of a stopped program, by the records that its runtime keeps of them (runtime/program/debug_fiber.h).
#pragma once

#include "debugger/inspect/Memory.h"

#include <unordered_map>
#include <vector>

namespace sx::debugger {

enum class FiberState : uint8_t { Ready, Running, Waiting, Done };
enum class FiberReason : uint8_t { None, Wake, Sleep, Channel, Await, Any, Io, Mutex };

struct FiberRecord {
    uint64_t address = 0; ///< of the record
    uint32_t number = 0;  ///< in the order of their creation; 0: a thread that waits outside of fibers
    uint32_t thread = 0;  ///< the system's number of the thread that it ran on last; 0: it has not begun
    FiberState state{};
    FiberReason reason{};
    uint64_t object = 0;         ///< what it waits for, as the reason says
    std::vector<uint64_t> tasks; ///< for the first of which it waits
    std::string name;            ///< that the program has given it
    uint64_t code = 0;           ///< the function that it runs
    uint64_t task = 0;           ///< what it works for, which others may wait for
    uint64_t low = 0, high = 0;
    uint64_t saved = 0;                 ///< the address of its stack pointer while it does not run; 0: there is none
    uint64_t frame = 0;                 ///< or else the frame address of the function that has left its stack
    uint64_t outer = 0;                 ///< while it runs: the same of who resumed it
    uint64_t resumer = 0;               ///< the record of that; 0: the thread
    uint64_t trace = 0, outerTrace = 0; ///< sx_trace_state of it and of who resumed it, while they stand still; 0: none

    bool holds(uint64_t stackAddress) const { return low <= stackAddress && stackAddress < high; }
};

struct FiberList {
    uint32_t created = 0;                           ///< so many have ever been
    std::vector<FiberRecord> records;               ///< by number
    std::unordered_map<uint64_t, uint32_t> workers; ///< by what they work for, where they are in `records`

    const FiberRecord* byNumber(uint32_t number) const;
    /// Who works for a task; null: nobody does.
    const FiberRecord* byTask(uint64_t task) const;
    /// Who waits for a fiber's task; null: nobody does.
    const FiberRecord* awaiting(const FiberRecord& fiber) const;
};

/// A fiber has gone from one state to another.
struct FiberChange {
    uint32_t number = 0;
    FiberState from{}, to{};
    FiberReason reason{}; ///< for which it waits now
};
struct FiberChanges {
    uint64_t total = 0; ///< so many there were
    std::vector<FiberChange> last;
};
/// Changes after the first `seen`, as far as they are remembered, from what Addresses::fiberRecords gives.
FiberChanges readFiberChanges(Memory& memory, uint64_t records, uint64_t seen);

/// All fibers, from what Addresses::fiberRecords gives. Whatever stands there, it ends.
FiberList readFibers(Memory& memory, uint64_t records);
/// The record at an address; nothing where there is none.
std::optional<FiberRecord> readFiber(Memory& memory, uint64_t address);

/// What the record's fiber waits for: `channel 2`; "" where it waits for nothing.
std::string awaitedText(const FiberRecord& fiber, const FiberList& all, Addresses& addresses);
/// `fiber 3: fetch`. The number is that of its thread.
std::string fiberName(const FiberRecord& fiber, Addresses& addresses);
/// `fiber 3: fetch (waiting for channel 2)`.
std::string fiberTitle(const FiberRecord& fiber, const FiberList& all, Addresses& addresses);

/// As the event `task_state` spells it: `waiting`, `channel_wait`; a reason may be "".
const char* stateWord(FiberState state);
const char* reasonWord(FiberReason reason);

} // namespace sx::debugger
