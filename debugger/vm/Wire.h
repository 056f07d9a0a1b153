// The messages between the session and the agent in the program's process: a number of bytes, and fields in a fixed
// order. Both ends are the same executable, so there are no versions.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sx::debugger {

/// What the session asks of the agent. Each is answered by one message, but for the one that says otherwise.
enum class Command : uint8_t {
    Run,
    Resume,
    IgnoreStop,
    Step,
    Pause,
    SetBreakpoint,
    RemoveBreakpoint,
    SetErrorFilters,
    SetWatch,
    SetWatchSlot,
    RemoveWatch,
    GoTo,
    RestartFrame,
    Threads,
    Frames,
    Slot,
    WriteSlot,
    Registers,
    Trace,
    Returned,
    ReadMemory,
    WriteMemory,
    Allocate,
    CodeAt,
    TypeAt,
    DescriptorOf,
    GlobalAddress,
    FunctionAddress,
    Disassemble,
    RunExpression,
    CancelExpression, ///< while the other is carried out: it is to end; has no answer
    LearnType,
    Detach,
    Terminate,
    Kill,
    HeapTables,
    FiberRecords,
    ThreadOfFiber,
    LogFibers,
    Record,
    Recorded,
    TracePlaces,
    MachineStack,
    Symbols,
    HeapBytes,
};

class WireWriter {
public:
    template <typename T> WireWriter& put(T value) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    WireWriter& put(std::string_view text) {
        put(static_cast<uint64_t>(text.size()));
        bytes_.append(text);
        return *this;
    }
    WireWriter& put(const std::string& text) { return put(std::string_view(text)); }
    WireWriter& put(const char* text) { return put(std::string_view(text)); }
    WireWriter& put(llvm::ArrayRef<uint8_t> bytes) {
        return put(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
    const std::string& bytes() const { return bytes_; }

private:
    std::string bytes_;
};

/// Reads fields. After the end of a message, or one that is cut, everything reads as zero and empty.
class WireReader {
public:
    explicit WireReader(std::string_view bytes) : rest_(bytes) {}

    template <typename T> T get() {
        static_assert(std::is_trivially_copyable_v<T>);
        T value{};
        if (rest_.size() < sizeof value) rest_ = {};
        else std::memcpy(&value, rest_.data(), sizeof value), rest_.remove_prefix(sizeof value);
        return value;
    }
    std::string text() {
        auto size = get<uint64_t>();
        if (size > rest_.size()) size = rest_.size();
        std::string text(rest_.substr(0, size));
        rest_.remove_prefix(size);
        return text;
    }
    std::vector<uint8_t> data() {
        std::string t = text();
        return {t.begin(), t.end()};
    }
    /// What has not been read.
    std::string_view rest() const { return rest_; }

private:
    std::string_view rest_;
};

/// Writes a message to a socket. False: the other end is gone.
bool sendMessage(int socket, std::string_view bytes);
/// Waits for a message. nullopt: the other end is gone.
std::optional<std::string> receiveMessage(int socket);

} // namespace sx::debugger
