// Calls of fiber.h in a program that can be gone back in (RecordedFibers.h).
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sx::vm {

class Thread;

/// Functions of fiber.h and debug_fiber.h. Notes are of a fiber, or of whoever calls.
enum class FiberCall : uint8_t { None, Create, Resume, Pause, Release, Next, Number, Note, NoteOwn };

FiberCall fiberCallOf(const std::string& symbol);

/// Makes such a call. `name` is that of the function, for messages; `hasResult`: the program takes what it gives;
/// `make` calls the C function itself. False: the thread has stopped, or another one goes on. Nothing: it is to be
/// called like any other function.
std::optional<bool> callOfFibers(Thread&, FiberCall, const std::string& name, bool hasResult, const uint64_t* args,
                                 uint64_t& result, llvm::function_ref<bool()> make);

} // namespace sx::vm
