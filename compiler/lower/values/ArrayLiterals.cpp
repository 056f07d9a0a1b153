#include "lower/values/ArrayLiterals.h"

#include "ir/BuildConstants.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Explain.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/values/Conversions.h"
#include "lower/values/Literals.h"
#include "sema/Nominal.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/TypeNames.h"

namespace sx::lower {

using namespace ast;

namespace {

ValueId elementAddress(Body& f, ValueId base, TypeId elem, uint64_t index) {
    return emitOffset(f.b, base, index * sizeOf(f.types, elem), pointerTo(f.types, elem));
}

Purpose elementPurpose(size_t index) {
    Purpose why;
    why.subject = "element " + std::to_string(index);
    return why;
}

/// Elements of a known type, in place. False after a report.
bool storeElements(Body& f, llvm::ArrayRef<Expr*> elems, TypeId elem, ValueId base) {
    bool ok = true;
    for (size_t i = 0; i < elems.size(); ++i)
        ok &= storeElement(f, elems[i], elem, elementAddress(f, base, elem, i), elems[i]->span,
                           [&] { return elementPurpose(i); });
    return ok;
}

Value wrongLength(Body& f, TypeId type, size_t given, Span at) {
    f.diags.error(at, code(f.types, type) + " takes " + countOf(f.types.count(type), "element") +
                          ", this literal gives " + std::to_string(given));
    return Value::error();
}

/// The storage of an array or vector literal. A vector may be larger than its lanes: the rest is zero.
Value elementStorage(Body& f, TypeId type, ValueId dest) {
    Value result = temp(f, type, dest);
    if (f.types.kind(type) == TypeKind::Vector &&
        sizeOf(f.types, type) != f.types.count(type) * sizeOf(f.types, f.types.elem(type)))
        emitZero(f.b, result.id, type);
    return result;
}

Value fixedFromElements(Body& f, TypeId type, const ArrayLit& lit, ValueId dest) {
    if (!completeDeep(f.sema, type, lit.span)) return Value::error();
    if (lit.elems.size() != f.types.count(type)) return wrongLength(f, type, lit.elems.size(), lit.span);
    Value result = elementStorage(f, type, dest);
    if (!storeElements(f, lit.elems, f.types.elem(type), result.id)) return Value::error();
    return Value::temporary(type, result.id);
}

/// A slice literal has its elements in this frame, for as long as the call lasts.
Value sliceFromElements(Body& f, TypeId type, const ArrayLit& lit, ValueId dest) {
    TypeId elem = f.types.elem(type);
    if (!completeDeep(f.sema, elem, lit.span)) return Value::error();
    Value backing;
    if (!lit.elems.empty()) {
        backing = temp(f, arrayOf(f.types, lit.elems.size(), elem));
        if (!storeElements(f, lit.elems, elem, backing.id)) return Value::error();
    }
    Value result = temp(f, type, dest);
    TypeId pointer = manyPointerTo(f.types, elem);
    ValueId start = lit.elems.empty() ? nullOf(f.b, pointer) : emitCast(f.b, ir::Op::Reinterpret, backing.id, pointer);
    emitStore(f.b, emitOffset(f.b, result.id, 0, pointerTo(f.types, pointer)), start);
    emitStore(f.b, emitOffset(f.b, result.id, 8, pointerTo(f.types, TypeId::I64)),
              i64(f, static_cast<int64_t>(lit.elems.size())));
    return Value::temporary(type, result.id);
}

/// Without a target the first element decides, and the others convert to its type.
Value arrayFromFirst(Body& f, const ArrayLit& lit, TypeId hint) {
    if (lit.elems.empty()) {
        f.diags.error(lit.span, "an empty `.[]` has no element type of its own here")
            .help("write the type in front of it, as in `([0]i64).[]`");
        return Value::error();
    }
    Value first = storable(f, lower(f, lit.elems.front(), hint), lit.elems.front()->span);
    if (first.isError()) return first;
    if (hint != TypeId::None && convertible(f, first, hint))
        first = convertElement(f, first, hint, lit.elems.front()->span, lit.elems.front()->span);
    if (first.isError()) return first;
    TypeId elem = first.type;
    TypeId type = arrayOf(f.types, lit.elems.size(), elem);
    Value result = temp(f, type);
    store(f, emitOffset(f.b, result.id, 0, pointerTo(f.types, elem)), first);
    bool ok = true;
    for (size_t i = 1; i < lit.elems.size(); ++i) {
        auto why = [&] {
            Purpose purpose = elementPurpose(i);
            purpose.declaration = lit.elems.front()->span;
            purpose.declared = "the first element makes this a literal of " + code(f.types, elem);
            return purpose;
        };
        ok &= storeElement(f, lit.elems[i], elem, elementAddress(f, result.id, elem, i), lit.elems[i]->span, why);
    }
    return ok ? Value::temporary(type, result.id) : Value::error();
}

} // namespace

Value lowerArrayLit(Body& f, const ArrayLit& lit, TypeId target, ValueId dest) {
    f.b.setSpan(lit.span);
    TypeId type = target;
    if (lit.type) {
        type = resolveType(f.sema, lit.type, typeContext(f));
        if (type == TypeId::None) return Value::error();
        TypeKind kind = f.types.kind(type);
        if (kind != TypeKind::Array && kind != TypeKind::Slice && kind != TypeKind::Vector) {
            f.diags
                .error(lit.type->span,
                       "`.[ … ]` needs an array, slice or vector type in front of it, not " + code(f.types, type))
                .help("write " +
                      code("([" + std::to_string(lit.elems.size()) + "]" + writtenName(f.types, type) + ").[ … ]"));
            return Value::error();
        }
    }
    while (f.types.kind(type) == TypeKind::Optional) type = f.types.elem(type);
    if (type != target) dest = ValueId::None;
    switch (f.types.kind(type)) {
    case TypeKind::Array:
    case TypeKind::Vector: return fixedFromElements(f, type, lit, dest);
    case TypeKind::Slice: return sliceFromElements(f, type, lit, dest);
    case TypeKind::ManyPointer: return arrayFromFirst(f, lit, f.types.elem(type));
    default: return arrayFromFirst(f, lit, TypeId::None);
    }
}

Value elementsFromInits(Body& f, TypeId type, const StructLit& lit, ValueId dest) {
    if (!completeDeep(f.sema, type, lit.span)) return Value::error();
    Value result = elementStorage(f, type, dest);
    if (lit.inits.empty()) { // `.{}` is all zero
        emitZero(f.b, result.id, type);
        return Value::temporary(type, result.id);
    }
    TypeId elem = f.types.elem(type);
    uint64_t next = 0, count = f.types.count(type);
    bool ok = true;
    auto place = [&] { return elementAddress(f, result.id, elem, next++); };
    for (const Init& init : lit.inits) {
        if (init.name && !init.shorthand) {
            f.diags.error(lit.span, "the elements of " + code(f.types, type) + " have no names");
            return Value::error();
        }
        if (!init.spread) {
            if (next >= count) return wrongLength(f, type, lit.inits.size(), lit.span);
            ok &= storeElement(f, init.value, elem, place(), lit.span);
            continue;
        }
        llvm::SmallVector<Value, 8> values;
        if (!expandSpread(f, init.value, init.span, values)) return Value::error();
        if (next + values.size() > count) return wrongLength(f, type, next + values.size(), lit.span);
        for (const Value& v : values) ok &= storeValue(f, v, elem, place(), init.span, lit.span);
    }
    if (next != count) return wrongLength(f, type, next, lit.span);
    return ok ? Value::temporary(type, result.id) : Value::error();
}

} // namespace sx::lower
