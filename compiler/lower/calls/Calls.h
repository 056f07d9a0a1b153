// Calls: what is called, and the call itself (language 3.10 to 3.15).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

Value lowerCall(Body&, const ast::Call&, TypeId target, ValueId dest);
/// Finds what is called. Of a dot-call it is a method bound to its receiver.
Value lowerCallee(Body&, const ast::Expr*, TypeId target);
Value callInstance(Body&, FunctionInstance&, const ast::Call&, const Value* receiver, TypeId target, ValueId dest);
Value callTemplate(Body&, FunctionTemplate&, const ast::Call&, const Value* receiver, TypeId target, ValueId dest);
/// Calls a closure or a function pointer.
Value callValue(Body&, const Value& callee, const ast::Call&, TypeId target, ValueId dest);
Value emitIndirect(Body&, ValueId callee, TypeId functionType, ValueId env, bool hasEnv, llvm::ArrayRef<Value> args,
                   ValueId dest);

} // namespace sx::lower
