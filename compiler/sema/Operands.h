// Small helpers that the expression parts of FunctionLowering share.
#pragma once

#include "sema/Lowering.h"

namespace sx::sema {

/// The literal in `5`, `-5`, `(5)`: whose range is checked as one value, or not at all under a cast.
inline bool isNumberLiteral(const ast::Expr* e) {
    e = withoutParens(e);
    if (const auto* u = llvm::dyn_cast<ast::Unary>(e); u && u->op == ast::UnaryOp::Neg) e = u->operand;
    return llvm::isa<ast::IntLit>(e) || llvm::isa<ast::FloatLit>(e);
}

/// A type's name as messages show it.
inline std::string quoted(const TypeTable& types, TypeId t) { return "`" + types.writtenName(t) + "`"; }
/// The same with "a" or "an" in front of it: an `i64`, a `u8`, a `?i64`.
std::string withArticle(const TypeTable& types, TypeId t);

/// Stops the program where `failed` holds, at `at`; code goes on for the other case.
void panicIf(FunctionLowering&, ValueId failed, ir::PanicKind, Span at, llvm::ArrayRef<ValueId> operands = {});

/// Stops the program at `at` if a pointer that is about to be followed is null.
void checkPointer(FunctionLowering&, ValueId pointer, Span at);
/// The same at the `.` of an access `p.f` or `p.*`.
void checkMemberPointer(FunctionLowering&, ValueId pointer, Span access);
/// What a pointer value points at, checked.
Value behindChecked(FunctionLowering&, const Value& pointer, Span at);

/// The parts of a tuple or struct, with their offsets.
struct Part {
    Name name = Name::None;
    TypeId type{};
    uint64_t offset = 0;
};
std::vector<Part> partsOf(const TypeTable&, TypeId tupleOrStruct);

/// An element of a pack, which counts as an rvalue where ownership is asked for (generics.md 4.8).
inline bool isPackElement(const Value& v) {
    return v.symbol && v.symbol->kind == SymbolKind::Local && v.symbol->localKind == LocalKind::PackElement;
}

/// A tuple, or an anonymous struct whose fields have no names: `.{1, 2}`.
bool isTupleLike(const TypeTable&, TypeId);

/// Reads a property of a value through its `#get` function.
Value callGetter(FunctionLowering&, FunctionTemplate& getter, const Value& receiver, Span at);

/// Arithmetic on vectors, lane by lane; a scalar operand counts for every lane.
Value vectorArithmetic(FunctionLowering&, ast::BinaryOp, const Value& lhs, const Value& rhs, Span op);
/// Calls `body` with the index of every lane.
void forEachLane(FunctionLowering&, uint64_t lanes, llvm::function_ref<void(ValueId index)> body);
/// `t + u` and `t * 3` of tuples. False: not these operands; nothing was reported.
bool tupleArithmetic(FunctionLowering&, ast::BinaryOp, const Value& lhs, const Value& rhs, Value& out);

/// Equal after resolving aliases of instances, at any depth: `[]IB` is `[]Box(i64)`.
bool alike(Sema&, TypeId, TypeId);
/// An implicit conversion that changes nothing but the type: a text and its bytes, pointers that may stand for each
/// other, types that are alike.
bool passesBits(FunctionLowering&, TypeId from, TypeId to);

/// A function where a function pointer of the other calling convention is wanted.
bool conventionDiffers(FunctionLowering&, const Value&, TypeId to);

/// The builtin type of `f64.max`: a bare name of one is that type for its limits, also where a value `` `f64 `` is in
/// scope. None: the member is none of these.
TypeId limitOwner(const Sema&, const ast::Member&);
/// The tag of the variant of `type` that an expression builds, names or is known to be; none: that is known at run time
/// only.
std::optional<int64_t> knownVariant(FunctionLowering&, const ast::Expr*, TypeId type);
/// A `$` parameter of a payload enum of which an instance knows the variant only: its value is an ordinary argument.
bool passesPayload(const TypeTable&, const Binding&);

/// The types that hold their elements in a row: arrays, vectors, slices, strings, many-pointers.
TypeId elementType(const TypeTable&, TypeId);

} // namespace sx::sema
