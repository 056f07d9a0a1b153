// Queries of types as a whole (generics.md 9.1).
#include "ir/BuildConstants.h"
#include "ir/BuildValues.h"
#include "ir/TypeDescriptor.h"
#include "lower/body/Body.h"
#include "lower/body/Storage.h"
#include "lower/calls/IntrinsicCall.h"
#include "sema/Impls.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Layout.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

namespace sx::lower {

using namespace ast;
using ir::TypeCategory;

Value IntrinsicCall::flag(ValueId handle, uint64_t bit) {
    ValueId flags = load(handle, ir::desc::Flags, TypeId::I64).id;
    ValueId set = emitBinary(b_, ir::Op::And, flags, constInt(b_, TypeId::I64, bit));
    return Value::scalar(TypeId::Bool, emitICmp(b_, ir::ICmpPred::Ne, set, i64(f_, 0)));
}

ValueId IntrinsicCall::categoryIs(ValueId handle, std::initializer_list<TypeCategory> categories) {
    ValueId actual = load(handle, ir::desc::Category, TypeId::I64).id, any = ValueId::None;
    for (TypeCategory c : categories) {
        ValueId one = emitICmp(b_, ir::ICmpPred::Eq, actual, i64(f_, static_cast<int64_t>(c)));
        any = any == ValueId::None ? one : emitBinary(b_, ir::Op::Or, any, one);
    }
    return any;
}

Value IntrinsicCall::sizeOf() {
    TypeArg t = typeArg(0, Accept::Runtime);
    if (!t.ok) return Value::error();
    if (!t.isStatic()) return load(t.handle, ir::desc::Size, TypeId::I64);
    return completeDeep(sema_, t.type, arg(0)->span) ? constInt(sx::sizeOf(types_, t.type)) : Value::error();
}

Value IntrinsicCall::alignOf() {
    TypeArg t = typeArg(0, Accept::Runtime);
    if (!t.ok) return Value::error();
    if (!t.isStatic()) return load(t.handle, ir::desc::Align, TypeId::I64);
    return completeDeep(sema_, t.type, arg(0)->span) ? constInt(sx::alignOf(types_, t.type)) : Value::error();
}

/// The type of an expression; of an `any` or protocol value that of what it holds.
/// The type of a variable of another function, whose value is not known while compiling; None for anything else.
TypeId IntrinsicCall::typeOfDistant(const Expr* e) {
    const auto* ref = llvm::dyn_cast<NameRef>(withoutParens(e));
    if (!ref || !f_.isComptimeScratch) return TypeId::None;
    Symbol* s = lookup(sema_, ref->id.name, f_.scope, f_.scopeLimit, &f_.currentFile()).symbol;
    bool isDistant = s && s->kind == SymbolKind::Local && s->owner && s->owner != &f_ && s->type != TypeId::None;
    return isDistant && s->type != TypeId::Any && types_.kind(s->type) != TypeKind::Protocol ? s->type : TypeId::None;
}

Value IntrinsicCall::typeOf() {
    if (TypeId distant = typeOfDistant(arg(0)); distant != TypeId::None) return Value::ofType(distant);
    Value v = value(0);
    if (v.isError()) return v;
    if (v.isTypeName()) return Value::ofType(TypeId::Type);
    if (v.type == TypeId::Null) return reject(arg(0)->span, "`null` has no type of its own");
    if (v.type == TypeId::Any || types_.kind(v.type) == TypeKind::Protocol)
        return load(addressOf(f_, v), 8, TypeId::Type);
    return Value::ofType(v.type);
}

Value IntrinsicCall::typeName() {
    TypeArg t = typeArg(0, Accept::RuntimeOrAny);
    if (!t.ok) return Value::error();
    return t.isStatic() ? stringValue(f_, runtimeName(types_, t.type)) : text(t.handle, ir::desc::NamePtr);
}

Value IntrinsicCall::typeEq() {
    TypeArg a = typeArg(0, Accept::Runtime), c = typeArg(1, Accept::Runtime);
    if (!a.ok || !c.ok) return Value::error();
    if (a.isStatic() && c.isStatic()) return constBool(a.type == c.type);
    return Value::scalar(TypeId::Bool, emitICmp(b_, ir::ICmpPred::Eq, handleOf(a), handleOf(c)));
}

Value IntrinsicCall::isUnsigned() {
    TypeArg t = typeArg(0, Accept::RuntimeOrAny);
    if (!t.ok) return Value::error();
    if (t.isStatic()) return constBool(isInteger(types_, t.type) && !types_.isSigned(t.type));
    ValueId isInt = categoryIs(t.handle, {TypeCategory::Int});
    return Value::scalar(TypeId::Bool, emitBinary(b_, ir::Op::And, isInt, flag(t.handle, ir::desc::FlagUnsigned).id));
}

Value IntrinsicCall::isFlags() {
    TypeArg t = typeArg(0, Accept::Runtime);
    if (!t.ok) return Value::error();
    if (!t.isStatic()) return flag(t.handle, ir::desc::FlagFlagsEnum);
    return constBool(types_.kind(t.type) == TypeKind::Enum && types_.enumInfo(t.type).isFlags);
}

Value IntrinsicCall::isStruct() {
    TypeArg t = typeArg(0, Accept::Static);
    if (!t.ok) return Value::error();
    return constBool(types_.kind(t.type) == TypeKind::Struct && !types_.structInfo(t.type).name.empty());
}

Value IntrinsicCall::isIdentity() {
    TypeArg t = typeArg(0, Accept::Static);
    if (!t.ok) return Value::error();
    return constBool(types_.kind(t.type) == TypeKind::Protocol && types_.protocolInfo(t.type).isIdentity);
}

/// Of a plain protocol: whether the pair has been erased so far; of a parameterised one: whether an impl exists.
Value IntrinsicCall::hasImpl() {
    TypeArg protocol = typeArg(0, Accept::Static);
    if (!protocol.ok) return Value::error();
    if (types_.kind(protocol.type) != TypeKind::Protocol)
        return reject(arg(0)->span, code(types_, protocol.type) + " is no protocol");
    TypeArg concrete = typeArg(1, Accept::Static);
    if (!concrete.ok) return Value::error();
    NominalInfo* info = nominal(sema_, protocol.type);
    const auto* decl = info ? llvm::dyn_cast_or_null<ProtocolDecl>(info->decl) : nullptr;
    if (decl && !decl->typeParams.empty()) return constBool(findImpl(sema_, protocol.type, concrete.type) != nullptr);
    TypeId canonical = sema::canonical(sema_, concrete.type);
    return constBool(sema_.impls.vtables.count({protocol.type, concrete.type}) ||
                     sema_.impls.vtables.count({protocol.type, canonical}));
}

Value IntrinsicCall::isComptime() { return Value::scalar(TypeId::Bool, b_.emit(ir::Op::IsComptime, TypeId::Bool, {})); }

Value IntrinsicCall::pointeeType() {
    TypeArg t = typeArg(0, Accept::Static);
    if (!t.ok) return Value::error();
    TypeKind kind = types_.kind(t.type);
    if (kind != TypeKind::Pointer && kind != TypeKind::ManyPointer)
        return reject(nameSpan(), code(types_, t.type) + " is no pointer type");
    return Value::ofType(types_.elem(t.type));
}

Value IntrinsicCall::vectorLanes() {
    TypeArg t = typeArg(0, Accept::Runtime);
    if (!t.ok) return Value::error();
    if (t.isStatic()) return constInt(types_.kind(t.type) == TypeKind::Vector ? types_.count(t.type) : 0);
    ValueId count = load(t.handle, ir::desc::MemberCount, TypeId::I64).id;
    return Value::scalar(TypeId::I64, emitSelect(b_, categoryIs(t.handle, {TypeCategory::Vector, TypeCategory::Array}),
                                                 count, i64(f_, 0)));
}

} // namespace sx::lower
