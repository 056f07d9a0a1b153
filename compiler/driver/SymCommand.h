// `sx sym`.
#pragma once

#include "codegen/Codegen.h"
#include "driver/Compilation.h"

namespace sx::driver {

/// Writes the symbol file of an executable, checks a file, or prints code with the names of one, as the options say.
/// Returns the exit status; nothing where FILE is a program that has to be compiled first.
std::optional<int> describeFile(const Invocation&);

/// The same for a program that was compiled: of its bytecode.
int describeProgram(Compilation&);

/// `sx build --emit-dbg`: writes NAME.dbg, what the code of an executable was made of, which will have that name.
/// `options`: it was built with them.
Result<void> describeOrigins(const Compilation&, const codegen::Options& options, const std::string& executable,
                             const std::string& name);

} // namespace sx::driver
