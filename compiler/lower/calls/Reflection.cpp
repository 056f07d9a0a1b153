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

namespace sx::lower::intrinsics {

using namespace ast;
using ir::TypeCategory;

Value flag(IntrinsicCall& c, ValueId handle, uint64_t bit) {
    ValueId flags = c.load(handle, ir::desc::Flags, TypeId::I64).id;
    ValueId set = emitBinary(c.b, ir::Op::And, flags, constInt(c.b, TypeId::I64, bit));
    return Value::scalar(TypeId::Bool, emitICmp(c.b, ir::ICmpPred::Ne, set, i64(c.f, 0)));
}

ValueId categoryIs(IntrinsicCall& c, ValueId handle, std::initializer_list<TypeCategory> categories) {
    ValueId actual = c.load(handle, ir::desc::Category, TypeId::I64).id, any = ValueId::None;
    for (TypeCategory one : categories) {
        ValueId is = emitICmp(c.b, ir::ICmpPred::Eq, actual, i64(c.f, static_cast<int64_t>(one)));
        any = any == ValueId::None ? is : emitBinary(c.b, ir::Op::Or, any, is);
    }
    return any;
}

Value sizeOf(IntrinsicCall& c) {
    TypeArg t = c.typeArg(0, Accept::Runtime);
    if (!t.ok) return Value::error();
    if (!t.isStatic()) return c.load(t.handle, ir::desc::Size, TypeId::I64);
    return completeDeep(c.sema, t.type, c.arg(0)->span) ? intResult(sizeOf(c.types, t.type)) : Value::error();
}

Value alignOf(IntrinsicCall& c) {
    TypeArg t = c.typeArg(0, Accept::Runtime);
    if (!t.ok) return Value::error();
    if (!t.isStatic()) return c.load(t.handle, ir::desc::Align, TypeId::I64);
    return completeDeep(c.sema, t.type, c.arg(0)->span) ? intResult(alignOf(c.types, t.type)) : Value::error();
}

namespace {

/// The type of a variable of another function, whose value is not known while compiling; None for anything else.
TypeId typeOfDistant(IntrinsicCall& c, const Expr* e) {
    const auto* ref = llvm::dyn_cast<NameRef>(withoutParens(e));
    if (!ref || !c.f.isComptimeScratch) return TypeId::None;
    Symbol* s = lookup(c.sema, ref->id.name, c.f.scope, c.f.scopeLimit, &c.f.currentFile()).symbol;
    bool isDistant = s && s->kind == SymbolKind::Local && s->owner && s->owner != &c.f && s->type != TypeId::None;
    return isDistant && s->type != TypeId::Any && c.types.kind(s->type) != TypeKind::Protocol ? s->type : TypeId::None;
}

} // namespace

/// The type of an expression; of an `any` or protocol value that of what it holds.
Value typeOf(IntrinsicCall& c) {
    if (TypeId distant = typeOfDistant(c, c.arg(0)); distant != TypeId::None) return Value::ofType(distant);
    Value v = c.value(0);
    if (v.isError()) return v;
    if (v.isTypeName()) return Value::ofType(TypeId::Type);
    if (v.type == TypeId::Null) return c.reject(c.arg(0)->span, "`null` has no type of its own");
    if (v.type == TypeId::Any || c.types.kind(v.type) == TypeKind::Protocol)
        return c.load(addressOf(c.f, v), 8, TypeId::Type);
    return Value::ofType(v.type);
}

Value typeName(IntrinsicCall& c) {
    TypeArg t = c.typeArg(0, Accept::RuntimeOrAny);
    if (!t.ok) return Value::error();
    return t.isStatic() ? stringValue(c.f, runtimeName(c.types, t.type)) : c.text(t.handle, ir::desc::NamePtr);
}

Value typeEq(IntrinsicCall& c) {
    TypeArg a = c.typeArg(0, Accept::Runtime), other = c.typeArg(1, Accept::Runtime);
    if (!a.ok || !other.ok) return Value::error();
    if (a.isStatic() && other.isStatic()) return boolResult(a.type == other.type);
    return Value::scalar(TypeId::Bool, emitICmp(c.b, ir::ICmpPred::Eq, c.handleOf(a), c.handleOf(other)));
}

Value isUnsigned(IntrinsicCall& c) {
    TypeArg t = c.typeArg(0, Accept::RuntimeOrAny);
    if (!t.ok) return Value::error();
    if (t.isStatic()) return boolResult(isInteger(c.types, t.type) && !c.types.isSigned(t.type));
    ValueId isInt = categoryIs(c, t.handle, {TypeCategory::Int});
    return Value::scalar(TypeId::Bool,
                         emitBinary(c.b, ir::Op::And, isInt, flag(c, t.handle, ir::desc::FlagUnsigned).id));
}

Value isFlags(IntrinsicCall& c) {
    TypeArg t = c.typeArg(0, Accept::Runtime);
    if (!t.ok) return Value::error();
    if (!t.isStatic()) return flag(c, t.handle, ir::desc::FlagFlagsEnum);
    return boolResult(c.types.kind(t.type) == TypeKind::Enum && c.types.enumInfo(t.type).isFlags);
}

Value isStruct(IntrinsicCall& c) {
    TypeArg t = c.typeArg(0, Accept::Static);
    if (!t.ok) return Value::error();
    return boolResult(c.types.kind(t.type) == TypeKind::Struct && !c.types.structInfo(t.type).name.empty());
}

Value isIdentity(IntrinsicCall& c) {
    TypeArg t = c.typeArg(0, Accept::Static);
    if (!t.ok) return Value::error();
    return boolResult(c.types.kind(t.type) == TypeKind::Protocol && c.types.protocolInfo(t.type).isIdentity);
}

/// Of a plain protocol: whether the pair has been erased so far; of a parameterised one: whether an impl exists.
Value hasImpl(IntrinsicCall& c) {
    TypeArg protocol = c.typeArg(0, Accept::Static);
    if (!protocol.ok) return Value::error();
    if (c.types.kind(protocol.type) != TypeKind::Protocol)
        return c.reject(c.arg(0)->span, code(c.types, protocol.type) + " is no protocol");
    TypeArg concrete = c.typeArg(1, Accept::Static);
    if (!concrete.ok) return Value::error();
    NominalInfo* info = nominal(c.sema, protocol.type);
    const auto* decl = info ? llvm::dyn_cast_or_null<ProtocolDecl>(info->decl) : nullptr;
    if (decl && !decl->typeParams.empty()) return boolResult(findImpl(c.sema, protocol.type, concrete.type) != nullptr);
    TypeId canonical = sema::canonical(c.sema, concrete.type);
    return boolResult(c.sema.impls.vtables.count({protocol.type, concrete.type}) ||
                      c.sema.impls.vtables.count({protocol.type, canonical}));
}

Value isComptime(IntrinsicCall& c) {
    return Value::scalar(TypeId::Bool, c.b.emit(ir::Op::IsComptime, TypeId::Bool, {}));
}

Value pointeeType(IntrinsicCall& c) {
    TypeArg t = c.typeArg(0, Accept::Static);
    if (!t.ok) return Value::error();
    TypeKind kind = c.types.kind(t.type);
    if (kind != TypeKind::Pointer && kind != TypeKind::ManyPointer)
        return c.reject(c.nameSpan(), code(c.types, t.type) + " is no pointer type");
    return Value::ofType(c.types.elem(t.type));
}

Value vectorLanes(IntrinsicCall& c) {
    TypeArg t = c.typeArg(0, Accept::Runtime);
    if (!t.ok) return Value::error();
    if (t.isStatic()) return intResult(c.types.kind(t.type) == TypeKind::Vector ? c.types.count(t.type) : 0);
    ValueId count = c.load(t.handle, ir::desc::MemberCount, TypeId::I64).id;
    return Value::scalar(
        TypeId::I64,
        emitSelect(c.b, categoryIs(c, t.handle, {TypeCategory::Vector, TypeCategory::Array}), count, i64(c.f, 0)));
}

} // namespace sx::lower::intrinsics
