// What the code of an executable was made of: each instruction of the machine with that of LLVM and that of the IR.
//
// The module is compiled a second time with debug information in which lines are numbers of instructions: of the IR
// while LLVM optimises, then of LLVM while it writes code. Debug information changes nothing of the code, so what the
// second object says of a function holds for the first; where a function's size is another all the same, its rows say
// nothing.
#pragma once

#include "codegen/Codegen.h"
#include "symbols/OriginFile.h"

namespace sx::codegen {

/// A row for each instruction of the functions with lines in `executable`, which was linked of the module's object made
/// with the same options and with debug information.
Result<std::vector<symbols::OriginRow>> codeOrigins(const ir::Module&, const Options&, const std::string& executable);

} // namespace sx::codegen
