// The compiler's tables as compile-time code sees them (generics.md 9.8 and 10).
#pragma once

#include "ir/Comptime.h"

#include <memory>

namespace sx::sema {

struct Sema;

std::unique_ptr<ir::CompilerServices> makeServices(Sema&);

} // namespace sx::sema
