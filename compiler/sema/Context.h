// The context: one struct of all fields that the program extends it with.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// Builds contextType and defaultContext from all #context_extend.
void declareContext(Sema&);
/// The contents of defaultContext: protocol-typed ones need the impls.
void writeContextDefaults(Sema&);
/// Where a constant of a protocol type stands: borrows the global that `e` names (generics.md 4.8). nullopt: it
/// names none; false after a report.
std::optional<bool> writeBorrowedGlobal(Sema&, const ast::Expr* e, TypeId protocol, Scope*, uint32_t limit, SourceFile*,
                                        ir::ConstData& out, uint64_t offset);
/// Writes the default value of a type (zero, or the declared defaults of a struct's own fields) as constant
/// data; nullopt if a default does not fold.
std::optional<ir::ConstData> defaultConstant(Sema&, TypeId);

} // namespace sx::sema
