// What the headers and notes of an ELF core file say of the program.
#pragma once

#include "debugger/native/target/Target.h"

#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sx::debugger::native {

/// lldb can be given the file: all its program headers are there, with segments as large as they can be, and its notes.
/// What it has of the memory may be cut.
bool isSoundCore(const std::string& core);

/// Where a core file has the program headers of the program; nothing where it does not say.
std::optional<uint64_t> headersInCore(const std::string& core);
/// The bytes of the program headers of an executable; "" where it has none.
std::string headersOf(const std::string& program);

/// What the system said of the signal that ended the program; nothing where the file does not say.
std::optional<siginfo_t> signalInCore(const std::string& core);

/// Gives regions of the program, as lldb lists them, their names: of files, `[stack]` of the main thread, `[vdso]`.
/// Where the file cannot be read or says nothing of them, they stay as they are.
void nameRegions(const std::string& core, std::vector<MemoryRegion>&);

} // namespace sx::debugger::native
