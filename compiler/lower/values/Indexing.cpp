#include "lower/values/Indexing.h"

#include "ir/BuildConstants.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Explain.h"
#include "lower/body/NullChecks.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/body/VoidValues.h"
#include "lower/values/Access.h"
#include "lower/values/Optionals.h"
#include "sema/Constants.h"
#include "sema/Nominal.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Parts.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

namespace {

/// A tuple or an anonymous struct: its parts are found by constant positions too (types.md 7.4, 8.1).
bool hasPositions(const TypeTable& types, TypeId t) {
    return types.kind(t) == TypeKind::Tuple || (types.kind(t) == TypeKind::Struct && types.structInfo(t).name.empty());
}

/// A pointer to something with elements (`*[N]T`, `*[]T`, …) is dereferenced; any other value stays as it is.
Value throughPointer(Body& f, const Value& v, Span bracket) {
    if (f.types.kind(v.type) != TypeKind::Pointer) return v;
    TypeId inner = f.types.elem(v.type);
    bool looksThrough = (elementType(f.types, inner) != TypeId::None && f.types.kind(inner) != TypeKind::ManyPointer) ||
                        hasPositions(f.types, inner);
    return looksThrough ? dereferenceChecked(f, v, bracket) : v;
}

/// What holds elements: where they start and how many there are.
struct Row {
    TypeId elem{};
    ValueId start = ValueId::None;  ///< address of the first element
    ValueId length = ValueId::None; ///< None: unknown (many-pointers)
    std::optional<uint64_t> count;  ///< the length, if it is part of the type
};

Row rowOf(Body& f, const Value& v) {
    TypeTable& types = f.types;
    Row row;
    row.elem = elementType(types, v.type);
    if (!types.isComplete(row.elem)) completeDeep(f.sema, row.elem, f.b.span());
    TypeKind kind = types.kind(v.type);
    if (kind == TypeKind::Array || kind == TypeKind::Vector) {
        row.start = addressOf(f, v);
        row.count = types.count(v.type);
        row.length = i64(f, static_cast<int64_t>(*row.count));
    } else if (kind == TypeKind::ManyPointer) {
        row.start = scalar(f, v);
    } else if (v.isConst() && v.constant.kind == ConstValue::Kind::String) {
        row.start = globalAddr(f.b, stringGlobal(f.sema, v.constant.s), manyPointerTo(types, TypeId::U8));
        row.length = i64(f, static_cast<int64_t>(v.constant.s.size()));
    } else {
        ValueId address = addressOf(f, v);
        TypeId pointer = manyPointerTo(types, row.elem);
        row.start = emitLoad(f.b, pointer, emitOffset(f.b, address, 0, pointerTo(types, pointer)));
        row.length = emitLoad(f.b, TypeId::I64, emitOffset(f.b, address, 8, pointerTo(types, TypeId::I64)));
    }
    return row;
}

/// An index or a slice bound, as an i64.
Value lowerPosition(Body& f, const Expr* e) {
    Value given = lower(f, e, TypeId::I64);
    if (given.isError()) return given;
    Value v = operandOf(f, given, e->span);
    if (v.isError()) return v;
    if (!isInteger(f.types, v.type) && v.type != TypeId::NoReturn) {
        size_t before = f.diags.all().size();
        Diagnostic& d = f.diags.error(e->span, "an index is an integer, and this is " + withArticle(f.types, v.type));
        if (f.types.kind(v.type) == TypeKind::Optional)
            d.help("it may be null: unwrap it with `!`, or give a default with `??`");
        if (isFloat(f.types, v.type)) d.help("convert it with `.(i64)`");
        explainResults(f, before, given);
        return Value::error();
    }
    return convert(f, v, TypeId::I64, e->span);
}

/// Inserted text that a call gave rise to, as `print` does for its placeholders: the mistake is that call's.
/// Its callee, or null.
const Expr* callThatInserted(Body& f, Span at) {
    if (!llvm::StringRef(f.sema.sources.path(f.sema.sources.resolve(at.begin).file)).ends_with(" (inserted)"))
        return nullptr;
    const Expr* call = f.instance && f.instance->instantiatedAt ? f.instance->instantiatedAt : f.modes.outermostCall;
    const auto* c = llvm::dyn_cast_or_null<Call>(call);
    return c ? c->callee : call;
}

/// The constant position of an element of a pack or a tuple; nullopt after a report.
std::optional<uint64_t> constantPosition(Body& f, const Expr* e, uint64_t count, const std::string& what) {
    Value v = lower(f, e, TypeId::I64);
    if (v.isError()) return std::nullopt;
    v = elementOf(f, v);
    if (!v.isConst() || !v.constant.isInt()) {
        f.diags.error(e->span, what + " is indexed by constants only: its elements have different types");
        return std::nullopt;
    }
    if (v.constant.i < 0 || v.constant.i >= static_cast<__int128>(count)) {
        std::string message = what + " has " + countOf(count, "element") + ", so there is no element " +
                              std::to_string(static_cast<int64_t>(v.constant.i));
        const Expr* call = callThatInserted(f, e->span);
        std::string ofFormat =
            call && v.constant.i >= 0 ? missingValue(f, static_cast<uint64_t>(v.constant.i), count) : std::string();
        if (!ofFormat.empty())
            f.diags.error(call->span, ofFormat)
                .help("give as many arguments as placeholders; a literal `{}` is written `{{}}`");
        else if (call) f.diags.error(call->span, message).note(e->span, "asked for here");
        else f.diags.error(e->span, message);
        return std::nullopt;
    }
    return static_cast<uint64_t>(v.constant.i);
}

Value notIndexable(Body& f, const Value& v, Span at) {
    if (rejectTypeVariable(f, v)) return Value::error();
    Diagnostic& d = f.diags.error(at, withArticle(f.types, v.type) + " cannot be indexed");
    switch (f.types.kind(v.type)) {
    case TypeKind::Pointer: d.help("it points at one value: read it with `.*`, or use a many-pointer `[*]T`"); break;
    case TypeKind::Optional: d.help("unwrap it first: `x![…]`"); break;
    case TypeKind::Struct:
        if (f.types.structInfo(v.type).index.count(f.sema.name("items"))) d.help("index its elements: `.items[…]`");
        else if (const auto& methods = members(f.sema, v.type).methods;
                 methods.count(f.sema.name("get")) && methods.count(f.sema.name("put")))
            d.help("an entry is read with `.get(key)` and written with `.put(key, value)`");
        break;
    default: break;
    }
    return Value::error();
}

/// An element of a constant, or a report that there is none; nullopt: decided at run time.
std::optional<Value> constantElement(Body& f, const Value& v, const Value& index, Span whole) {
    if (!index.isConst() || !index.constant.isInt()) return std::nullopt;
    __int128 i = index.constant.i;
    if (v.isConst() && v.constant.kind == ConstValue::Kind::String) {
        if (i < 0 || i >= static_cast<__int128>(v.constant.s.size())) return std::nullopt;
        Value byte =
            Value::ofConst(TypeId::U8, ConstValue::ofInt(static_cast<uint8_t>(v.constant.s[static_cast<size_t>(i)])));
        byte.constRooted = v.constRooted;
        return byte;
    }
    if (f.types.kind(v.type) != TypeKind::Array || !(v.isConst() || v.constRooted)) return std::nullopt;
    uint64_t count = f.types.count(v.type);
    if (i < 0 || i >= static_cast<__int128>(count)) {
        f.diags.error(whole, "index " + std::to_string(static_cast<int64_t>(i)) +
                                 " is out of range: the constant array has " + countOf(count, "element"));
        return Value::error();
    }
    TypeId elem = f.types.elem(v.type);
    return fieldOf(f, v, static_cast<uint64_t>(i) * sizeOf(f.types, elem), elem);
}

Value elementAt(Body& f, const Value& v, const Index& e) {
    TypeTable& types = f.types;
    if (hasPositions(types, v.type)) {
        std::vector<Part> parts = partsOf(types, v.type);
        std::optional<uint64_t> i = constantPosition(
            f, e.index, parts.size(), types.kind(v.type) == TypeKind::Tuple ? "a tuple" : "an anonymous struct");
        return i ? fieldOf(f, v, parts[*i].offset, parts[*i].type) : Value::error();
    }
    if (elementType(types, v.type) == TypeId::None) return notIndexable(f, v, e.base->span);
    bool inPlace = types.kind(v.type) == TypeKind::Array || types.kind(v.type) == TypeKind::Vector;
    bool folds = v.isConst() || (v.constRooted && inPlace);
    Row row;
    if (!folds) row = rowOf(f, v); // the base is evaluated before the index
    Value index = lowerPosition(f, e.index);
    if (index.isError()) return index;
    if (index.type == TypeId::NoReturn) return Value::diverged();
    if (folds) {
        if (std::optional<Value> element = constantElement(f, v, index, e.span)) return *element;
        row = rowOf(f, v);
    }
    ValueId position = scalar(f, index);
    bool isKnown =
        row.count && index.isConst() && index.constant.i >= 0 && index.constant.i < static_cast<__int128>(*row.count);
    if (row.length != ValueId::None && !isKnown) checkIndex(f, position, row.length, e.bracket);
    if (types.kind(v.type) == TypeKind::ManyPointer) checkPointer(f, row.start, e.bracket);
    Value element = Value::place(
        row.elem, emitIndex(f.b, row.start, position, sizeOf(types, row.elem), pointerTo(types, row.elem)));
    if (inPlace) { // part of the row itself; what a slice or pointer leads to is storage of its own
        element.lvalue = v.lvalue;
        element.constRooted = v.constRooted;
        element.contextRooted = v.contextRooted;
        element.captureRoot = v.captureRoot;
        element.behindConstant = v.behindConstant;
    } else if (types.kind(v.type) == TypeKind::Slice) {
        element.behindConstant = v.constRooted || v.behindConstant;
    }
    return row.elem == TypeId::Void ? Value::none() : element;
}

Value indexInto(Body& f, const Value& base, const Index& e) {
    if (base.kind == Value::Kind::Pack) {
        std::optional<uint64_t> i =
            constantPosition(f, e.index, base.pack->types.size(), "the pack " + code(f.sema, base.pack->name));
        return i ? packElement(f, *base.pack, *i, e.span) : Value::error();
    }
    Value v = operandOf(f, base, e.base->span);
    if (v.isError() || v.type == TypeId::NoReturn) return v;
    if (v.isTypeName()) {
        f.diags.error(e.base->span, "the type " + code(f.types, v.namedType) + " cannot be indexed");
        return Value::error();
    }
    return elementAt(f, throughPointer(f, v, e.bracket), e);
}

} // namespace

Value lowerIndex(Body& f, const Index& e) {
    // `x?.xs[0]`: an index directly after `?.f` stays in the chain.
    const auto* chain = llvm::dyn_cast<Member>(e.base);
    if (chain && chain->optional) {
        Value optional = elementOf(f, lower(f, chain->base));
        if (optional.isError() || f.types.kind(optional.type) != TypeKind::Optional)
            return optional.isError() ? optional : lowerOptionalChain(f, *chain);
        return mapPresent(f, optional, [&](const Value& payload) {
            Value member = memberOf(f, payload, *chain);
            return member.isError() ? member : indexInto(f, member, e);
        });
    }
    Value base = lowerBase(f, e.base);
    return base.isError() ? base : indexInto(f, base, e);
}

Value lowerSlice(Body& f, const SliceExpr& e) {
    Value base = lowerBase(f, e.base);
    if (base.isError()) return base;
    Value v = operandOf(f, base, e.base->span);
    if (v.isError() || v.type == TypeId::NoReturn) return v;
    v = v.isTypeName() ? v : throughPointer(f, v, e.bracket);
    TypeKind kind = f.types.kind(v.type);
    bool sliceable =
        kind == TypeKind::Array || kind == TypeKind::Slice || kind == TypeKind::String || kind == TypeKind::ManyPointer;
    if (!sliceable) {
        f.diags.error(e.base->span, withArticle(f.types, v.type) + " cannot be sliced")
            .help("arrays, slices, strings and, with an end, many-pointers can");
        return Value::error();
    }
    if (kind == TypeKind::Array && !(v.isMemory() && v.lvalue)) {
        f.diags.error(e.base->span, "this array is a temporary: a slice of it would outlive it")
            .help("bind it to a name first");
        return Value::error();
    }
    if (kind == TypeKind::ManyPointer && !e.hi) {
        f.diags.error(e.base->span, "a many-pointer has no length, so a slice of it needs an end")
            .help("write `p[0..n]`");
        return Value::error();
    }
    Row row = rowOf(f, v);
    auto bound = [&](const Expr* at, bool plusOne, ValueId otherwise) {
        Value position = at ? lowerPosition(f, at) : Value::scalar(TypeId::I64, otherwise);
        if (position.isError()) return ValueId::None;
        ValueId id = scalar(f, position);
        return plusOne ? emitBinary(f.b, ir::Op::Add, id, i64(f, 1)) : id;
    };
    ValueId from = bound(e.lo, e.loExclusive, i64(f, 0));
    if (from == ValueId::None) return Value::error();
    ValueId to = bound(e.hi, e.hi && e.hiInclusive, row.length);
    if (to == ValueId::None) return Value::error();
    if (row.length != ValueId::None) {
        // As unsigned numbers: to <= length and from <= to leave no negative bound either.
        ValueId beyond = emitICmp(f.b, ir::ICmpPred::UGt, to, row.length),
                reversed = emitICmp(f.b, ir::ICmpPred::UGt, from, to);
        panicIf(f, emitBinary(f.b, ir::Op::Or, beyond, reversed), ir::PanicKind::SliceBounds, e.bracket,
                {from, to, row.length});
    }
    TypeId pointer = manyPointerTo(f.types, row.elem);
    Value result = temp(f, kind == TypeKind::String ? TypeId::String : sliceOf(f.types, row.elem));
    emitStore(f.b, emitOffset(f.b, result.id, 0, pointerTo(f.types, pointer)),
              emitIndex(f.b, row.start, from, sizeOf(f.types, row.elem), pointer));
    emitStore(f.b, emitOffset(f.b, result.id, 8, pointerTo(f.types, TypeId::I64)),
              emitBinary(f.b, ir::Op::Sub, to, from));
    return result;
}

Value lowerDeref(Body& f, const Deref& e) {
    Value v = lower(f, e.base);
    if (v.isError()) return v;
    if (!v.refCapture) v = operandOf(f, v, e.base->span);
    if (v.isError() || v.type == TypeId::NoReturn) return v;
    TypeKind kind = f.types.kind(v.type);
    TypeId pointee = kind == TypeKind::Pointer || kind == TypeKind::ManyPointer ? f.types.elem(v.type) : TypeId::None;
    if (pointee == TypeId::Void && takesVoid(f)) return Value::none();
    if (pointee == TypeId::None || pointee == TypeId::Void) {
        Diagnostic& d =
            f.diags.error(e.base->span, "`.*` follows a pointer, and this is " + withArticle(f.types, v.type));
        if (pointee == TypeId::Void) d.help("give it a type first: `.(*T).*`");
        else if (kind == TypeKind::Optional) d.help("unwrap it first: `x!.*`");
        return Value::error();
    }
    if (!f.types.isComplete(pointee) && !completeDeep(f.sema, pointee, e.span)) return Value::error();
    ValueId address = scalar(f, v);
    if (!v.refCapture) checkPointer(f, address, e.dot);
    return Value::place(pointee, address);
}

} // namespace sx::lower
