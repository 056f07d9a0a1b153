// Code that the program makes in memory and announces by the interface that GDB has for this, as compilers do that run
// what they compile: a list of object files whose sections have the addresses of the code, and a function that does
// nothing and is called when the list has changed.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

constexpr const char* Announcement = "__jit_debug_register_code";

/// The object that was announced last; empty: it cannot be read.
std::vector<uint8_t> announcedObject(Native&);
/// Reads what was announced before, and has the program stop from now on where it announces more, if it may. To be
/// called again when it has loaded files. Returns whether code was read that has places of statements.
bool watchAnnouncements(Native&);
/// Whether a thread has stopped because code was announced that has places of statements, or such code is gone. It is
/// read, or forgotten.
bool hasAnnounced(Native&, const std::vector<ThreadStop>&);

} // namespace sx::debugger::native
