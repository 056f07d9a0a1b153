// An executable in memory, as the readers of its debug information take it. Private to debugger/native/image.
#pragma once

#include "debugger/native/image/ProgramImage.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

namespace sx::debugger::native {

/// A file, with the marks of statements where LLVM sees them.
struct Executable {
    std::unique_ptr<llvm::WritableMemoryBuffer> bytes;
    std::unique_ptr<llvm::object::ObjectFile> object;
};
Result<Executable> openExecutable(const std::string& path);
Result<Executable> openObject(const std::vector<uint8_t>& bytes);

std::vector<AddressRange> rangesOf(const llvm::DWARFDie&);
/// What the locations of a variable leave out, whose addresses lie `offset` after those of the file.
void addGaps(const llvm::DWARFDie& variable, uint64_t offset, std::vector<ImageGap>&);
/// A function takes or returns something in a way of its own, as the optimizer or the compiler has it.
bool changesCalls(const llvm::DWARFDie& function);
inline std::string text(const char* chars) { return chars ? chars : ""; }
/// The same file has the same name here, whichever way it was written.
std::string normalized(const std::string& path);

/// The MD5 of files by their absolute paths, of those that have one: DWARF 5.
std::map<std::string, std::string> hashesOf(const llvm::DWARFDebugLine::LineTable&);

} // namespace sx::debugger::native
