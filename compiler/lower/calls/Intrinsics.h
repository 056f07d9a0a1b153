// Intrinsics: dispatch by name, arguments, and those on raw views, errors and floats.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value lowerIntrinsic(Body&, Name, FunctionTemplate*, const ast::Call&, TypeId target, bool& handled);

/// The tag's name, from the table that ir::finish fills.
Value errorNameOf(Body&, ir::ValueId tag);

} // namespace sx::lower
