// Intrinsics: dispatch by name, arguments, and those on raw views, errors and floats.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value lowerIntrinsic(Body&, Name, FunctionTemplate*, const ast::Call&, TypeId target, bool& handled);

} // namespace sx::lower
