// The walk over a body is recursive: what a part may ask of parts that stand in later rooms.
//
// Each block names the source that holds the functions.
#pragma once

#include "lower/body/Body.h"
#include "lower/body/CallTarget.h"

namespace sx::lower {

// ---- values/Aggregates.cpp

void storeFieldDefault(Body&, TypeId structType, unsigned index, ValueId fieldAddress);

// ---- values/Conversions.cpp

/// Converts a value implicitly (types.md 16.1). `at`: where an error points.
Value convert(Body&, const Value&, TypeId to, Span at, ValueId dest = ValueId::None);

// ---- values/Optionals.cpp

/// The payload if the name is narrowed, else the value itself.
Value narrowedValue(Body&, const Value&);

// ---- calls/Arguments.cpp

/// Lowers an expression that stands in another declaration (parameter and field defaults, constants that are
/// evaluated at every use) into this function: names resolve in that file and scope, the context is this
/// function's. Converts to `type` unless it is None; errors point into the expression.
Value lowerInScope(Body&, const ast::Expr*, TypeId type, SourceFile&, Scope*, uint32_t limit,
                   ValueId dest = ValueId::None);
Value convertElement(Body&, const Value&, TypeId to, Span element, Span literal, ValueId dest = ValueId::None);
/// Whether lowering an expression has no effect and reads no variable that a later argument could change in between.
bool isTriviallyPure(const ast::Expr*);
/// Checks names and counts, lowers the arguments in written order, then the defaults; appends one value per
/// parameter. False after a report.
bool bindArguments(Body&, const ast::Call&, const CallTarget&, llvm::SmallVectorImpl<Value>& out);
/// Parameters of those types, without names.
llvm::SmallVector<ParamInfo, 4> unnamedParams(llvm::ArrayRef<TypeId>);

// ---- calls/Calls.cpp

/// Emits a call with arguments that have the types of the parameters.
Value emitCall(Body&, FunctionInstance&, llvm::ArrayRef<Value> args, Span at, ValueId dest);
/// The function as declared whose body the code belongs to, also inside its lambdas; null if there is none.
const FunctionTemplate* enclosingTemplate(const Body&);
/// The left part of a `.` or a callee: a value, or a type, namespace or pack that a member is asked of.
Value lowerBase(Body&, const ast::Expr*);

// ---- calls/FunctionValues.cpp

/// A pointer to a named function, or a closure of it if the target is one.
Value functionValue(Body&, FunctionTemplate&, Span at, TypeId target);
Value toClosure(Body&, const Value& function, TypeId closureType, Span at, ValueId dest = ValueId::None);

// ---- calls/Inference.cpp

/// Type of an argument that can be told without lowering it: literals, names, typed literals, casts. None: unknown.
TypeId peekType(Body&, const ast::Expr*);

// ---- calls/Methods.cpp

/// Calls a method by name, for code that the compiler makes.
Value callMethodOf(Body&, const Value& receiver, Name method, llvm::ArrayRef<Value> args, Span at);
/// Takes the address of the receiver, or dereferences it, as the first parameter needs. `dot`: where a pointer is
/// followed, if that is not `at`.
Value adjustReceiver(Body&, const Value& receiver, TypeId paramType, Span at, Span dot = {});

// ---- calls/Packs.cpp

/// The values that `..operand` stands for where a fixed number is needed: elements of a pack, tuple, anonymous
/// struct or fixed array, or `xs.m` of a pack. False after a report (`at`: from the dots).
bool expandSpread(Body&, const ast::Expr* operand, Span at, llvm::SmallVectorImpl<Value>& out);
/// An element of a pack `..xs: P`: of its members only P's methods may be used.
bool hidesMembers(const Value&);
/// The pack that an expression names, or null.
PackInfo* packNamed(Body&, const ast::Expr*);
Value packElement(Body&, PackInfo&, uint64_t index, Span at);
/// `xx xs` at []any, []P.
Value packSlice(Body&, PackInfo&, TypeId sliceType, Span at);

// ---- flow/ControlFlow.cpp

/// The value of a block is that of its last expression without `;`. `valueNeeded`: the caller uses it.
Value lowerBlock(Body&, const ast::BlockExpr&, TypeId target, ValueId dest, bool valueNeeded);

// ---- flow/Errors.cpp

Value lowerTry(Body&, const ast::Unary&, TypeId target, ValueId dest);

// ---- flow/OrChain.cpp

/// The fallback operator, whose last failure the function passes on.
Value lowerOr(Body&, const ast::Binary&, TypeId target, ValueId dest);
/// Whether an operand of `or` makes it the fallback operator.
bool isFailableExpr(Body&, const ast::Expr*);

// ---- flow/Return.cpp

/// Runs cleanups and leaves handlers on a way out without an error, down to those depths.
void leaveTo(Body&, size_t cleanupDepth, size_t handlerDepth);

// ---- flow/Statements.cpp

/// Lowers a statement, or the body of a cleanup, whose value is not used.
Value lowerDropped(Body&, const ast::Expr*);

// ---- Expressions.cpp

/// Lowers an expression where a value is needed: an unmarked value-carrying failable is rejected
/// (errors.md 8.1), a pure one becomes its error value (and its chain is dropped on the failing path).
Value lower(Body&, const ast::Expr*, TypeId target = TypeId::None, ValueId dest = ValueId::None);
/// Lowers an expression of any kind. A failable call comes back with `unmarkedFailable` set: only for
/// try, catch, or, return, destructuring and statements, which give the mark.
Value lowerUnmarked(Body&, const ast::Expr*, TypeId target = TypeId::None, ValueId dest = ValueId::None);
/// Lowers and converts to `type`. Errors point at the expression; then the value is an error.
Value lowerTo(Body&, const ast::Expr*, TypeId type, ValueId dest = ValueId::None);
/// Lowers, converts and stores at `dest`. False on failure.
bool lowerInto(Body&, const ast::Expr*, TypeId type, ValueId dest);
/// Like `lower`, except that a compile-time float stays one at an integer target (operands of arithmetic).
Value lowerOperand(Body&, const ast::Expr*, TypeId target);

// ---- FunctionBodies.cpp

/// Lowers the body of a function, by the rules for its value in language 3.8 and errors.md 1.
void lowerBody(Body&, const ast::FunctionDecl&);
void declareResultSlots(Body&, const ast::FunctionDecl&);

// ---- calls/Formats.cpp

/// What is wrong where inserted text asks for an element that the pack of values does not have; "" if the code comes
/// from no format.
std::string missingValue(Body&, uint64_t index, uint64_t count);

} // namespace sx::lower
