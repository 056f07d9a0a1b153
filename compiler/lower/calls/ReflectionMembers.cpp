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

namespace sx::lower::intrinsics {

using namespace ast;
using ir::TypeCategory;

namespace {

bool isFieldHolder(TypeKind k) { return k == TypeKind::Struct || k == TypeKind::Tuple || k == TypeKind::Union; }

enum class Family : uint8_t { Fields, Variants };

/// Sends a type of the wrong kind to the query that fits it. Scalars pass: they have no members.
bool checkFamily(IntrinsicCall& c, TypeId type, Family family) {
    TypeKind kind = c.types.kind(type);
    std::string what = code(c.name) + " does not work on " + code(c.types, type);
    if (kind == TypeKind::Array || kind == TypeKind::Vector) {
        c.reject(c.nameSpan(), what, "an array or vector has `.len` and is indexed");
        return false;
    }
    if (family == Family::Fields && kind == TypeKind::Enum) {
        c.reject(c.nameSpan(), what + ": it is an enum", "use the `variant_…` query");
        return false;
    }
    if (family == Family::Variants && kind != TypeKind::Enum) {
        c.reject(c.nameSpan(), what + ": it is no enum", isFieldHolder(kind) ? "use the `struct_field_…` query" : "");
        return false;
    }
    return true;
}

/// Fields, elements, arms or variants.
std::vector<Part> parts(IntrinsicCall& c, TypeId type) {
    std::vector<Part> result;
    switch (c.types.kind(type)) {
    case TypeKind::Struct:
    case TypeKind::Tuple: return partsOf(c.types, type);
    case TypeKind::Union:
        for (const UnionMember& m : c.types.unionInfo(type).members) result.push_back({m.name, m.type, m.offset});
        return result;
    case TypeKind::Enum: {
        const EnumInfo& info = c.types.enumInfo(type);
        for (const Variant& v : info.variants)
            result.push_back(
                {v.name, v.payload == TypeId::None ? TypeId::Void : v.payload, info.isTagged ? info.payloadOffset : 0});
        return result;
    }
    default: return result;
    }
}

bool inRange(IntrinsicCall& c, const Index& i, size_t count) {
    if (!i.known || *i.known < count) return true;
    c.reject(c.arg(1)->span,
             "the index " + std::to_string(*i.known) + " is out of range: there are " + std::to_string(count));
    return false;
}

ValueId memberRecord(IntrinsicCall& c, ValueId handle, ValueId index) {
    TypeId pointer = pointerTo(c.types, TypeId::Void);
    ValueId members = c.load(handle, ir::desc::Members, pointer).id;
    return emitIndex(c.b, members, index, ir::member::Total, pointer);
}

} // namespace

// ------------------------------------------------------------------------------------ counts

Value fieldCount(IntrinsicCall& c) {
    TypeArg t = c.typeArg(0, Accept::Runtime);
    if (!t.ok) return Value::error();
    bool countsVariants = t.isStatic() && c.f.modes.counting && c.types.kind(t.type) == TypeKind::Enum;
    if (t.isStatic())
        return countsVariants || checkFamily(c, t.type, Family::Fields) ? intResult(parts(c, t.type).size())
                                                                        : Value::error();
    ValueId count = c.load(t.handle, ir::desc::MemberCount, TypeId::I64).id;
    ValueId counts = categoryIs(c, t.handle, {TypeCategory::Struct, TypeCategory::Tuple, TypeCategory::Union});
    return Value::scalar(TypeId::I64, emitSelect(c.b, counts, count, i64(c.f, 0)));
}

Value variantCount(IntrinsicCall& c) {
    TypeArg t = c.typeArg(0, Accept::Runtime);
    if (!t.ok) return Value::error();
    if (t.isStatic())
        return checkFamily(c, t.type, Family::Variants) ? intResult(parts(c, t.type).size()) : Value::error();
    ValueId count = c.load(t.handle, ir::desc::MemberCount, TypeId::I64).id;
    ValueId counts = categoryIs(c, t.handle, {TypeCategory::Enum, TypeCategory::TaggedEnum});
    return Value::scalar(TypeId::I64, emitSelect(c.b, counts, count, i64(c.f, 0)));
}

// ------------------------------------------------------------------------------------ names

namespace {

Value memberName(IntrinsicCall& c, Family family) {
    TypeArg t = c.typeArg(0, Accept::Runtime);
    if (!t.ok || (t.isStatic() && !checkFamily(c, t.type, family))) return Value::error();
    Index i = c.index(1);
    if (!i.ok) return Value::error();
    if (t.isStatic()) {
        std::vector<Part> all = parts(c, t.type);
        if (!inRange(c, i, all.size())) return Value::error();
        if (i.known) return stringValue(c.f, c.sema.names.text(all[*i.known].name));
    }
    return c.text(memberRecord(c, c.handleOf(t), i.value), ir::member::NamePtr);
}

} // namespace

Value fieldName(IntrinsicCall& c) { return memberName(c, Family::Fields); }
Value variantName(IntrinsicCall& c) { return memberName(c, Family::Variants); }

// ------------------------------------------------------------------------------------ types

namespace {

/// `struct_field_type` also takes the element of an array, slice, vector or optional (index 0) and the payload of
/// a variant.
Value memberType(IntrinsicCall& c, Family family) {
    TypeArg t = c.typeArg(0, Accept::Runtime);
    if (!t.ok) return Value::error();
    TypeKind kind = t.isStatic() ? c.types.kind(t.type) : TypeKind::None;
    bool isContainer =
        kind == TypeKind::Array || kind == TypeKind::Vector || kind == TypeKind::Slice || kind == TypeKind::Optional;
    bool lenient = family == Family::Fields && (isContainer || kind == TypeKind::Enum);
    if (t.isStatic() && !lenient && !checkFamily(c, t.type, family)) return Value::error();
    Index i = c.index(1);
    if (!i.ok) return Value::error();
    if (t.isStatic()) {
        if (isContainer) return inRange(c, i, 1) ? Value::ofType(c.types.elem(t.type)) : Value::error();
        std::vector<Part> all = parts(c, t.type);
        if (!inRange(c, i, all.size())) return Value::error();
        if (i.known) return Value::ofType(all[*i.known].type);
    }
    // At run time a type with member records has its parts there, any other its element.
    ValueId handle = c.handleOf(t);
    TypeId pointer = pointerTo(c.types, TypeId::Void);
    ValueId members = c.load(handle, ir::desc::Members, pointer).id;
    BlockId record = c.b.newBlock(), elem = c.b.newBlock(), join = c.b.newBlock();
    ValueId result = c.b.blockParam(join, TypeId::Type);
    emitCondBr(c.b, emitICmp(c.b, ir::ICmpPred::Eq, members, nullOf(c.b, pointer)), elem, record);
    c.b.setBlock(record);
    emitBr(c.b, join,
           {c.load(emitIndex(c.b, members, i.value, ir::member::Total, pointer), ir::member::Type, TypeId::Type).id});
    c.b.setBlock(elem);
    emitBr(c.b, join, {c.load(handle, ir::desc::Elem, TypeId::Type).id});
    c.b.setBlock(join);
    return Value::scalar(TypeId::Type, result);
}

} // namespace

Value fieldType(IntrinsicCall& c) { return memberType(c, Family::Fields); }
Value variantType(IntrinsicCall& c) { return memberType(c, Family::Variants); }

// ------------------------------------------------------------------------------------ numbers

Value fieldOffset(IntrinsicCall& c) {
    TypeArg t = c.typeArg(0, Accept::Runtime);
    if (!t.ok) return Value::error();
    bool isEnum = t.isStatic() && c.types.kind(t.type) == TypeKind::Enum; // its payload offset, whatever the index
    if (t.isStatic() && !isEnum && !checkFamily(c, t.type, Family::Fields)) return Value::error();
    if (t.isStatic() && !completeDeep(c.sema, t.type, c.arg(0)->span)) return Value::error();
    Index i = c.index(1);
    if (!i.ok) return Value::error();
    if (isEnum) return intResult(c.types.enumInfo(t.type).isTagged ? c.types.enumInfo(t.type).payloadOffset : 0);
    if (t.isStatic()) {
        std::vector<Part> all = parts(c, t.type);
        if (!inRange(c, i, all.size())) return Value::error();
        if (i.known) return intResult(all[*i.known].offset);
    }
    return c.load(memberRecord(c, c.handleOf(t), i.value), ir::member::Offset, TypeId::I64);
}

Value variantValue(IntrinsicCall& c) {
    TypeArg t = c.typeArg(0, Accept::Runtime);
    if (!t.ok || (t.isStatic() && !checkFamily(c, t.type, Family::Variants))) return Value::error();
    Index i = c.index(1);
    if (!i.ok) return Value::error();
    if (t.isStatic()) {
        const auto& variants = c.types.enumInfo(t.type).variants;
        if (!inRange(c, i, variants.size())) return Value::error();
        if (i.known) return intResult(variants[*i.known].value);
    }
    return c.load(memberRecord(c, c.handleOf(t), i.value), ir::member::Value, TypeId::I64);
}

Value variantTagWidth(IntrinsicCall& c) {
    TypeArg t = c.typeArg(0, Accept::Runtime);
    if (!t.ok || (t.isStatic() && !checkFamily(c, t.type, Family::Variants))) return Value::error();
    if (!t.isStatic()) return c.load(t.handle, ir::desc::Bits, TypeId::I64);
    return intResult(bitsOf(c.types, c.types.enumInfo(t.type).backing));
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

Value variantIndex(IntrinsicCall& c) {
    TypeArg t = c.typeArg(0, Accept::Runtime);
    if (!t.ok || (t.isStatic() && !checkFamily(c, t.type, Family::Variants))) return Value::error();
    TypeId wanted = t.isStatic() ? t.type : TypeId::Any;
    Value v = c.value(1, wanted);
    if (v.isError()) return v;
    if (v.type != TypeId::Any) v = convertArgument(c.f, v, wanted, c.arg(1)->span);
    if (v.isError()) return v;
    ValueId tag = ValueId::None;
    if (v.type == TypeId::Any) {
        tag = scalar(c.f, anyToNumber(c.f, v, TypeId::I64));
    } else {
        TypeId backing = c.types.enumInfo(t.type).backing;
        if (v.isConst() && v.constant.isInt()) {
            const auto& variants = c.types.enumInfo(t.type).variants;
            for (size_t i = 0; i < variants.size(); ++i)
                if (variants[i].value == v.constant.i) return intResult(i);
            return intResult(v.constant.i);
        }
        tag = isTaggedEnum(c.types, t.type)
                  ? emitLoad(c.b, backing, emitOffset(c.b, addressOf(c.f, v), 0, pointerTo(c.types, backing)))
                  : emitCast(c.b, ir::Op::Reinterpret, scalar(c.f, v), backing);
        tag = castScalar(c.f, tag, backing, TypeId::I64);
    }
    ir::FuncId helper =
        helperFunction(c.sema, "sx.variant_index", {TypeId::Type, TypeId::I64}, TypeId::I64, buildVariantIndex);
    return Value::scalar(TypeId::I64, emitCall(c.b, helper, {c.handleOf(t), tag}));
}

// ------------------------------------------------------------------------------------ views of parts

namespace {

/// The data and type of a value whose parts are viewed; not ok after a report.
struct Viewed {
    bool ok = false;
    TypeId type{};
    ValueId data = ValueId::None, handle = ValueId::None;
};

Viewed viewed(IntrinsicCall& c, Family family) {
    Viewed result;
    Value v = c.value(0);
    if (v.isError()) return result;
    TypeId pointee = c.types.kind(v.type) == TypeKind::Pointer ? c.types.elem(v.type) : TypeId::None;
    if (isFieldHolder(c.types.kind(pointee)) || c.types.kind(pointee) == TypeKind::Enum)
        v = dereferenceChecked(c.f, v, c.arg(0)->span);
    if (v.type == TypeId::Any || c.types.kind(v.type) == TypeKind::Protocol) {
        ValueId words = addressOf(c.f, v);
        result.data = c.load(words, 0, pointerTo(c.types, TypeId::Void)).id;
        result.handle = c.load(words, 8, TypeId::Type).id;
        result.ok = true;
        return result;
    }
    if (v.isTypeName() || !checkFamily(c, v.type, family) || !completeDeep(c.sema, v.type, c.arg(0)->span))
        return result;
    if (family == Family::Fields && !isFieldHolder(c.types.kind(v.type))) {
        c.reject(c.nameSpan(), code(c.types, v.type) + " has no fields");
        return result;
    }
    result.type = v.type;
    result.data = addressOf(c.f, v);
    result.handle = ValueId::None;
    result.ok = true;
    return result;
}

Value partView(IntrinsicCall& c, const Viewed& whole, const Index& i, llvm::ArrayRef<Part> all) {
    TypeId pointer = pointerTo(c.types, TypeId::Void);
    if (whole.type != TypeId::None && i.known)
        return view(c, emitOffset(c.b, whole.data, all[*i.known].offset, pointer), all[*i.known].type);
    ValueId handle = whole.type != TypeId::None ? typeHandle(c.b, whole.type) : whole.handle;
    ValueId record = memberRecord(c, handle, i.value);
    ValueId data = emitIndex(c.b, whole.data, c.load(record, ir::member::Offset, TypeId::I64).id, 1, pointer);
    return view(c, data, c.load(record, ir::member::Type, TypeId::Type).id);
}

} // namespace

Value fieldValue(IntrinsicCall& c) {
    Viewed whole = viewed(c, Family::Fields);
    if (!whole.ok) return Value::error();
    Index i = c.index(1);
    if (!i.ok) return Value::error();
    std::vector<Part> all = parts(c, whole.type);
    if (whole.type != TypeId::None && !inRange(c, i, all.size())) return Value::error();
    return partView(c, whole, i, all);
}

Value variantPayload(IntrinsicCall& c) {
    Viewed whole = viewed(c, Family::Variants);
    if (!whole.ok) return Value::error();
    Index i = c.index(1);
    if (!i.ok) return Value::error();
    std::vector<Part> all = parts(c, whole.type);
    if (whole.type != TypeId::None && !inRange(c, i, all.size())) return Value::error();
    return partView(c, whole, i, all);
}

} // namespace sx::lower::intrinsics
