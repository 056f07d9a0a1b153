// The address space of the two stacks of a Thread. What begins a thread of the program asks for that of the new one
// before, so that it can be told that there is none.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <memory>

namespace sx::vm {

/// Of each stack, for calls of a debugger where the program has used up its own.
constexpr uint64_t SpareBytes = uint64_t{256} << 10;

class Stacks {
public:
    /// Where so many bytes are to lie; 0: anywhere.
    using PlaceFor = llvm::function_ref<uint64_t(uint64_t bytes)>;

    /// Each with room for `stackBytes`, or for less where the process may not have as much. Null: the system refuses
    /// even a small part. `hasSpare`: with SpareBytes more.
    static std::unique_ptr<Stacks> make(uint64_t stackBytes, bool hasSpare, PlaceFor);
    ~Stacks();
    Stacks(const Stacks&) = delete;

    /// Those that were made for what this OS thread interprets first; null: none, or they are in use.
    static std::unique_ptr<Stacks>& ofNewThread();

    /// Whoever takes them over sets them to null.
    void *frames = nullptr, *far = nullptr; ///< of frames, and of large slots
    uint64_t frameBytes = 0, farBytes = 0;
    uint64_t frameLimit = 0, farLimit = 0; ///< how many bytes the program may use

private:
    Stacks() = default;
};

} // namespace sx::vm
