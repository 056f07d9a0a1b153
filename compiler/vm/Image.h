// A program's bytecode as an image: functions and globals at addresses of their own, the same in every process. It is
// for those who look at code and does not run.
#pragma once

#include "ir/Ir.h"
#include "source/Result.h"
#include "vm/code/Bytecode.h"

#include <memory>

namespace sx::vm {

constexpr uint64_t ImageStart = 0x1000; ///< the address of the first function

struct ImageFunction {
    std::unique_ptr<FunctionCode> code;
    uint64_t address = 0;
    uint64_t size() const { return code->words.size() * sizeof(Insn); }
    uint64_t addressOf(uint32_t index) const { return address + index * sizeof(Insn); }
};

struct ImageGlobal {
    ir::GlobalId global{};
    uint64_t address = 0;
};

struct CodeImage {
    std::vector<ImageFunction> functions; ///< in order of reachability, one behind the other
    std::vector<ImageGlobal> globals;     ///< in order of their ids, behind the functions
    uint64_t codeEnd = ImageStart, dataStart = ImageStart, dataEnd = ImageStart;

    /// CRC-32 (IEEE 802.3) of the words of all functions.
    uint32_t crc() const;
};

/// Translates everything that the program needs at run time, as `sx run --vm` does. Addresses in the code are those of
/// the image. Fails where a function exceeds a limit of the encoding.
Result<CodeImage> makeImage(ir::Module&);

} // namespace sx::vm
