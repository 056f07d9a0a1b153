// The two names of a type: the one that a running program sees, and the one that its text has.
#pragma once

#include "types/TypeTable.h"

namespace sx {

/// What `type_name` and `{}` say while the program runs: `List__i64`.
std::string runtimeName(const TypeTable&, TypeId);
/// As a program writes it: `List(i64)`, `Tuple(i64, bool)`, of a result `(i64, !Fault)`. For diagnostics, traces and
/// debuggers; labels of tuples and shapes of anonymous structs are shown.
std::string writtenName(const TypeTable&, TypeId);

} // namespace sx
