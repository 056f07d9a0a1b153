// Checks for null that cannot fail, since another one came before.
#pragma once

#include "ir/Ir.h"

namespace sx::ir {

/// By ValueId: whether an instruction is a NullCheck of what a variable holds, and every way to it has checked that
/// already. Known are variables that are written in one place and only ever read and written as a whole; each read of
/// one gives the pointer that was checked. Linear in the size of the function and the number of variables checked.
std::vector<bool> repeatedNullChecks(const Function&);

} // namespace sx::ir
