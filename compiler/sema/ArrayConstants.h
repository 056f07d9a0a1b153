// Rules of `::` constants that are array literals, and of the storage that constant data refers to.
#pragma once

#include "sema/TypeResolver.h"

namespace sx::sema {

/// Whether an array literal may be a constant: its elements are known while compiling and, without an annotation, of
/// one kind. One float among integers sets `type` to an array of floats. False after a report (language 3.2).
bool isConstantArray(Sema&, const ast::ArrayLit&, const TypeContext&, TypeId& type);

/// What a global shows through slices and pointers of its own initializer is as writable as the global itself.
void makeBackingWritable(ir::Module&, const ir::ConstData& init);

} // namespace sx::sema
