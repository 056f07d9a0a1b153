// Adapters between functions, function pointers and closures.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// Code with the slot signature for an impl method: the method itself, or a thunk that reads `self` by value.
ir::FuncId slotCode(Sema&, FunctionInstance&, TypeId concrete);
/// Adapter with the closure signature that calls a plain function / a function pointer kept in env.
/// A function that cannot fail in a closure type that can (same success type): the error slot is 0.
ir::FuncId closureAdapter(Sema&, ir::FuncId target, TypeId functionType, TypeId closureType);
ir::FuncId pointerAdapter(Sema&, TypeId functionType, TypeId closureType);

/// Code with the signature of `to` around `target`, which has that of `from`; `hasEnv`: both take an environment.
ir::FuncId wideningAdapter(Sema&, ir::FuncId target, TypeId from, TypeId to, bool hasEnv);

/// `from` cannot fail and `to` can, and their success types agree (errors.md 10.1).
bool canWiden(const TypeTable&, TypeId from, TypeId to);

/// Returns the result of a call that cannot fail as that of one that can: the value, and no error.
void returnWithoutError(ir::Builder&, TypeId success, TypeId failable,
                        llvm::function_ref<ir::ValueId(ir::ValueId)> call);

/// A function without a body that has the signature of the function or closure type `to`.
ir::Function& newAdapter(Sema&, TypeId to, bool hasEnv, ir::FuncId& id);

} // namespace sx::sema
