// Queries of the fields of structs and the variants of enums (generics.md 9.2).
#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "ir/TypeDescriptor.h"
#include "lower/body/Allocation.h"
#include "lower/body/Body.h"
#include "lower/body/NullChecks.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/calls/Arguments.h"
#include "lower/calls/IntrinsicCall.h"
#include "lower/values/Any.h"
#include "lower/values/Conversions.h"
#include "sema/Functions.h"
#include "sema/Nominal.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Parts.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;
using ir::TypeCategory;

namespace {

bool isFieldHolder(TypeKind k) { return k == TypeKind::Struct || k == TypeKind::Tuple || k == TypeKind::Union; }

} // namespace

/// Sends a type of the wrong kind to the query that fits it. Scalars pass: they have no members.
bool IntrinsicCall::checkFamily(TypeId type, Family family) {
    TypeKind kind = types_.kind(type);
    std::string what = code(name_) + " does not work on " + code(types_, type);
    if (kind == TypeKind::Array || kind == TypeKind::Vector) {
        reject(nameSpan(), what, "an array or vector has `.len` and is indexed");
        return false;
    }
    if (family == Family::Fields && kind == TypeKind::Enum) {
        reject(nameSpan(), what + ": it is an enum", "use the `variant_…` query");
        return false;
    }
    if (family == Family::Variants && kind != TypeKind::Enum) {
        reject(nameSpan(), what + ": it is no enum", isFieldHolder(kind) ? "use the `struct_field_…` query" : "");
        return false;
    }
    return true;
}

std::vector<Part> IntrinsicCall::parts(TypeId type) {
    std::vector<Part> result;
    switch (types_.kind(type)) {
    case TypeKind::Struct:
    case TypeKind::Tuple: return partsOf(types_, type);
    case TypeKind::Union:
        for (const UnionMember& m : types_.unionInfo(type).members) result.push_back({m.name, m.type, m.offset});
        return result;
    case TypeKind::Enum: {
        const EnumInfo& info = types_.enumInfo(type);
        for (const Variant& v : info.variants)
            result.push_back(
                {v.name, v.payload == TypeId::None ? TypeId::Void : v.payload, info.isTagged ? info.payloadOffset : 0});
        return result;
    }
    default: return result;
    }
}

bool IntrinsicCall::inRange(const Index& i, size_t count) {
    if (!i.known || *i.known < count) return true;
    reject(arg(1)->span,
           "the index " + std::to_string(*i.known) + " is out of range: there are " + std::to_string(count));
    return false;
}

ValueId IntrinsicCall::memberRecord(ValueId handle, ValueId index) {
    TypeId pointer = pointerTo(types_, TypeId::Void);
    ValueId members = load(handle, ir::desc::Members, pointer).id;
    return emitIndex(b_, members, index, ir::member::Total, pointer);
}

// ------------------------------------------------------------------------------------ counts

Value IntrinsicCall::fieldCount() {
    TypeArg t = typeArg(0, Accept::Runtime);
    if (!t.ok) return Value::error();
    bool countsVariants = t.isStatic() && f_.modes.counting && types_.kind(t.type) == TypeKind::Enum;
    if (t.isStatic())
        return countsVariants || checkFamily(t.type, Family::Fields) ? constInt(parts(t.type).size()) : Value::error();
    ValueId count = load(t.handle, ir::desc::MemberCount, TypeId::I64).id;
    ValueId counts = categoryIs(t.handle, {TypeCategory::Struct, TypeCategory::Tuple, TypeCategory::Union});
    return Value::scalar(TypeId::I64, emitSelect(b_, counts, count, i64(f_, 0)));
}

Value IntrinsicCall::variantCount() {
    TypeArg t = typeArg(0, Accept::Runtime);
    if (!t.ok) return Value::error();
    if (t.isStatic()) return checkFamily(t.type, Family::Variants) ? constInt(parts(t.type).size()) : Value::error();
    ValueId count = load(t.handle, ir::desc::MemberCount, TypeId::I64).id;
    ValueId counts = categoryIs(t.handle, {TypeCategory::Enum, TypeCategory::TaggedEnum});
    return Value::scalar(TypeId::I64, emitSelect(b_, counts, count, i64(f_, 0)));
}

// ------------------------------------------------------------------------------------ names

Value IntrinsicCall::memberName(Family family) {
    TypeArg t = typeArg(0, Accept::Runtime);
    if (!t.ok || (t.isStatic() && !checkFamily(t.type, family))) return Value::error();
    Index i = index(1);
    if (!i.ok) return Value::error();
    if (t.isStatic()) {
        std::vector<Part> all = parts(t.type);
        if (!inRange(i, all.size())) return Value::error();
        if (i.known) return stringValue(f_, sema_.names.text(all[*i.known].name));
    }
    return text(memberRecord(handleOf(t), i.value), ir::member::NamePtr);
}

Value IntrinsicCall::fieldName() { return memberName(Family::Fields); }
Value IntrinsicCall::variantName() { return memberName(Family::Variants); }

// ------------------------------------------------------------------------------------ types

/// `struct_field_type` also takes the element of an array, slice, vector or optional (index 0) and the payload of
/// a variant.
Value IntrinsicCall::memberType(Family family) {
    TypeArg t = typeArg(0, Accept::Runtime);
    if (!t.ok) return Value::error();
    TypeKind kind = t.isStatic() ? types_.kind(t.type) : TypeKind::None;
    bool isContainer =
        kind == TypeKind::Array || kind == TypeKind::Vector || kind == TypeKind::Slice || kind == TypeKind::Optional;
    bool lenient = family == Family::Fields && (isContainer || kind == TypeKind::Enum);
    if (t.isStatic() && !lenient && !checkFamily(t.type, family)) return Value::error();
    Index i = index(1);
    if (!i.ok) return Value::error();
    if (t.isStatic()) {
        if (isContainer) return inRange(i, 1) ? Value::ofType(types_.elem(t.type)) : Value::error();
        std::vector<Part> all = parts(t.type);
        if (!inRange(i, all.size())) return Value::error();
        if (i.known) return Value::ofType(all[*i.known].type);
    }
    // At run time a type with member records has its parts there, any other its element.
    ValueId handle = handleOf(t);
    TypeId pointer = pointerTo(types_, TypeId::Void);
    ValueId members = load(handle, ir::desc::Members, pointer).id;
    BlockId record = b_.newBlock(), elem = b_.newBlock(), join = b_.newBlock();
    ValueId result = b_.blockParam(join, TypeId::Type);
    emitCondBr(b_, emitICmp(b_, ir::ICmpPred::Eq, members, nullOf(b_, pointer)), elem, record);
    b_.setBlock(record);
    emitBr(b_, join,
           {load(emitIndex(b_, members, i.value, ir::member::Total, pointer), ir::member::Type, TypeId::Type).id});
    b_.setBlock(elem);
    emitBr(b_, join, {load(handle, ir::desc::Elem, TypeId::Type).id});
    b_.setBlock(join);
    return Value::scalar(TypeId::Type, result);
}

Value IntrinsicCall::fieldType() { return memberType(Family::Fields); }
Value IntrinsicCall::variantType() { return memberType(Family::Variants); }

// ------------------------------------------------------------------------------------ numbers

Value IntrinsicCall::fieldOffset() {
    TypeArg t = typeArg(0, Accept::Runtime);
    if (!t.ok) return Value::error();
    bool isEnum = t.isStatic() && types_.kind(t.type) == TypeKind::Enum; // its payload offset, whatever the index
    if (t.isStatic() && !isEnum && !checkFamily(t.type, Family::Fields)) return Value::error();
    if (t.isStatic() && !completeDeep(sema_, t.type, arg(0)->span)) return Value::error();
    Index i = index(1);
    if (!i.ok) return Value::error();
    if (isEnum) return constInt(types_.enumInfo(t.type).isTagged ? types_.enumInfo(t.type).payloadOffset : 0);
    if (t.isStatic()) {
        std::vector<Part> all = parts(t.type);
        if (!inRange(i, all.size())) return Value::error();
        if (i.known) return constInt(all[*i.known].offset);
    }
    return load(memberRecord(handleOf(t), i.value), ir::member::Offset, TypeId::I64);
}

Value IntrinsicCall::variantValue() {
    TypeArg t = typeArg(0, Accept::Runtime);
    if (!t.ok || (t.isStatic() && !checkFamily(t.type, Family::Variants))) return Value::error();
    Index i = index(1);
    if (!i.ok) return Value::error();
    if (t.isStatic()) {
        const auto& variants = types_.enumInfo(t.type).variants;
        if (!inRange(i, variants.size())) return Value::error();
        if (i.known) return constInt(variants[*i.known].value);
    }
    return load(memberRecord(handleOf(t), i.value), ir::member::Value, TypeId::I64);
}

Value IntrinsicCall::variantTagWidth() {
    TypeArg t = typeArg(0, Accept::Runtime);
    if (!t.ok || (t.isStatic() && !checkFamily(t.type, Family::Variants))) return Value::error();
    if (!t.isStatic()) return load(t.handle, ir::desc::Bits, TypeId::I64);
    return constInt(bitsOf(types_, types_.enumInfo(t.type).backing));
}

namespace {

/// `(type, value) -> index`: the first variant with that value; the value itself if there is none.
void buildVariantIndex(ir::Builder& b) {
    TypeTable& types = b.module().types;
    TypeId pointer = pointerTo(types, TypeId::Void), word = pointerTo(types, TypeId::I64);
    ValueId type = b.param(0), value = b.param(1);
    ValueId count = emitLoad(b, TypeId::I64, emitOffset(b, type, ir::desc::MemberCount, word));
    ValueId members = emitLoad(b, pointer, emitOffset(b, type, ir::desc::Members, pointerTo(types, pointer)));
    BlockId head = b.newBlock(), body = b.newBlock(), next = b.newBlock(), found = b.newBlock(), missing = b.newBlock();
    ValueId i = b.blockParam(head, TypeId::I64);
    emitBr(b, head, {constInt(b, TypeId::I64, 0)});
    b.setBlock(head);
    emitCondBr(b, emitICmp(b, ir::ICmpPred::SLt, i, count), body, missing);
    b.setBlock(body);
    ValueId record = emitIndex(b, members, i, ir::member::Total, pointer);
    ValueId candidate = emitLoad(b, TypeId::I64, emitOffset(b, record, ir::member::Value, word));
    emitCondBr(b, emitICmp(b, ir::ICmpPred::Eq, candidate, value), found, next);
    b.setBlock(next);
    emitBr(b, head, {emitBinary(b, ir::Op::Add, i, constInt(b, TypeId::I64, 1))});
    b.setBlock(found);
    emitRet(b, i);
    b.setBlock(missing);
    emitRet(b, value);
}

} // namespace

Value IntrinsicCall::variantIndex() {
    TypeArg t = typeArg(0, Accept::Runtime);
    if (!t.ok || (t.isStatic() && !checkFamily(t.type, Family::Variants))) return Value::error();
    TypeId wanted = t.isStatic() ? t.type : TypeId::Any;
    Value v = value(1, wanted);
    if (v.isError()) return v;
    if (v.type != TypeId::Any) v = convertArgument(f_, v, wanted, arg(1)->span);
    if (v.isError()) return v;
    ValueId tag = ValueId::None;
    if (v.type == TypeId::Any) {
        tag = scalar(f_, anyToNumber(f_, v, TypeId::I64));
    } else {
        TypeId backing = types_.enumInfo(t.type).backing;
        if (v.isConst() && v.constant.isInt()) {
            const auto& variants = types_.enumInfo(t.type).variants;
            for (size_t i = 0; i < variants.size(); ++i)
                if (variants[i].value == v.constant.i) return constInt(i);
            return constInt(v.constant.i);
        }
        tag = isTaggedEnum(types_, t.type)
                  ? emitLoad(b_, backing, emitOffset(b_, addressOf(f_, v), 0, pointerTo(types_, backing)))
                  : emitCast(b_, ir::Op::Reinterpret, scalar(f_, v), backing);
        tag = castScalar(f_, tag, backing, TypeId::I64);
    }
    ir::FuncId helper =
        helperFunction(sema_, "sx.variant_index", {TypeId::Type, TypeId::I64}, TypeId::I64, buildVariantIndex);
    return Value::scalar(TypeId::I64, emitCall(b_, helper, {handleOf(t), tag}));
}

// ------------------------------------------------------------------------------------ views of parts

IntrinsicCall::Viewed IntrinsicCall::viewed(Family family) {
    Viewed result;
    Value v = value(0);
    if (v.isError()) return result;
    TypeId pointee = types_.kind(v.type) == TypeKind::Pointer ? types_.elem(v.type) : TypeId::None;
    if (isFieldHolder(types_.kind(pointee)) || types_.kind(pointee) == TypeKind::Enum)
        v = dereferenceChecked(f_, v, arg(0)->span);
    if (v.type == TypeId::Any || types_.kind(v.type) == TypeKind::Protocol) {
        ValueId words = addressOf(f_, v);
        result.data = load(words, 0, pointerTo(types_, TypeId::Void)).id;
        result.handle = load(words, 8, TypeId::Type).id;
        result.ok = true;
        return result;
    }
    if (v.isTypeName() || !checkFamily(v.type, family) || !completeDeep(sema_, v.type, arg(0)->span)) return result;
    if (family == Family::Fields && !isFieldHolder(types_.kind(v.type))) {
        reject(nameSpan(), code(types_, v.type) + " has no fields");
        return result;
    }
    result.type = v.type;
    result.data = addressOf(f_, v);
    result.handle = ValueId::None;
    result.ok = true;
    return result;
}

Value IntrinsicCall::partView(const Viewed& whole, const Index& i, llvm::ArrayRef<Part> all) {
    TypeId pointer = pointerTo(types_, TypeId::Void);
    if (whole.type != TypeId::None && i.known)
        return view(emitOffset(b_, whole.data, all[*i.known].offset, pointer), all[*i.known].type);
    ValueId handle = whole.type != TypeId::None ? typeHandle(b_, whole.type) : whole.handle;
    ValueId record = memberRecord(handle, i.value);
    ValueId data = emitIndex(b_, whole.data, load(record, ir::member::Offset, TypeId::I64).id, 1, pointer);
    return view(data, load(record, ir::member::Type, TypeId::Type).id);
}

Value IntrinsicCall::fieldValue() {
    Viewed whole = viewed(Family::Fields);
    if (!whole.ok) return Value::error();
    Index i = index(1);
    if (!i.ok) return Value::error();
    std::vector<Part> all = parts(whole.type);
    if (whole.type != TypeId::None && !inRange(i, all.size())) return Value::error();
    return partView(whole, i, all);
}

Value IntrinsicCall::variantPayload() {
    Viewed whole = viewed(Family::Variants);
    if (!whole.ok) return Value::error();
    Index i = index(1);
    if (!i.ok) return Value::error();
    std::vector<Part> all = parts(whole.type);
    if (whole.type != TypeId::None && !inRange(i, all.size())) return Value::error();
    return partView(whole, i, all);
}

} // namespace sx::lower
