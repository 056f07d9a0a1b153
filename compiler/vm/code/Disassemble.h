// The text form of single instructions.
#pragma once

#include "vm/code/Bytecode.h"

namespace sx::vm {

struct InstructionText {
    std::string name, operands;
    uint32_t words = 1; ///< 2 with an `Extra` word
};

/// The instruction at an index of a function's code; also where a breakpoint stands in its place.
InstructionText instructionText(const FunctionCode&, uint32_t index);

} // namespace sx::vm
