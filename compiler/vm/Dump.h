// The bytecode of a module as text, for `--dump=bytecode`.
#pragma once

#include "ir/Ir.h"

namespace sx::vm {

/// Of every function that the program needs at run time.
std::string dumpBytecode(ir::Module&);

} // namespace sx::vm
