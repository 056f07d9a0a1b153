// Calls of generic functions: binding the `$` parameters (generics.md 1.2, 1.3, 1.6).
//
// Arguments are lowered one after the other as they are written; each binds what its parameter's type leaves open.
// One that needs to be told its type (`.red`, `.{…}`, `(n) => …`) gets it from what is bound by then, or from later
// arguments as far as their types show without being lowered.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// A generic call whose parameters are known.
struct Inferred {
    FunctionInstance* instance = nullptr; ///< null after a report
    /// The arguments, lowered, in the order of the instance's run-time parameters (ParamInfo without isComptime):
    ///  * the receiver first, if there is one, as given (not adjusted to `*T` or `T`),
    ///  * per fixed parameter one value, not converted to its type yet; Value::none() where the argument was
    ///    omitted and the parameter's default applies (trailing omitted ones included),
    ///  * per pack one value an element (`instance->params[i].isPack`: as many as its binding has types),
    ///  * for a slice-variadic tail the elements, not converted; if the last argument is a spread of a run-time
    ///    slice or array, the one value `..xs` stands for, marked by `tailSpread`.
    /// A trailing block is the value of the last parameter.
    llvm::SmallVector<Value, 8> args;
    /// Parallel to `args`: where each came from (null for the receiver, omitted ones and the trailing block).
    llvm::SmallVector<const ast::Arg*, 8> written;
    bool tailSpread = false;
};

/// Infers and binds all `$` parameters of a call, and checks its argument count and names on the way. Arguments are
/// lowered here, each once, in written order.
Inferred inferInstance(Body&, FunctionTemplate&, const ast::Call&, const Value* receiver);

/// The outermost call that leads to what this one asks for, through generic functions and methods of generic structs.
const ast::Expr* outermostCall(const Body&, const ast::Call&);

} // namespace sx::lower
