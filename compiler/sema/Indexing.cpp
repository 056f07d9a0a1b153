// `a[i]`, `a[i..j]`, `p.*` (types.md 9, 10).
#include "sema/CallSupport.h"
#include "sema/Explain.h"
#include "sema/Formats.h"

namespace sx::sema {

using namespace ast;

namespace {

/// A tuple or an anonymous struct: its parts are found by constant positions too (types.md 7.4, 8.1).
bool hasPositions(const TypeTable& types, TypeId t) {
    return types.kind(t) == TypeKind::Tuple || (types.kind(t) == TypeKind::Struct && types.structInfo(t).name.empty());
}

/// `*[N]T`, `*[]T`, … stand for what they point at.
Value behindPointer(FunctionLowering& f, const Value& v, Span bracket) {
    if (f.types.kind(v.type) != TypeKind::Pointer) return v;
    TypeId inner = f.types.elem(v.type);
    bool looksThrough = (elementType(f.types, inner) != TypeId::None && f.types.kind(inner) != TypeKind::ManyPointer) ||
                        hasPositions(f.types, inner);
    return looksThrough ? behindChecked(f, v, bracket) : v;
}

/// What holds elements: where they start and how many there are.
struct Row {
    TypeId elem{};
    ValueId start = ValueId::None;  ///< address of the first element
    ValueId length = ValueId::None; ///< None: unknown (many-pointers)
    std::optional<uint64_t> count;  ///< the length, if it is part of the type
};

Row rowOf(FunctionLowering& f, const Value& v) {
    TypeTable& types = f.types;
    Row row;
    row.elem = elementType(types, v.type);
    if (!types.isComplete(row.elem)) f.sema.completeDeep(row.elem, f.b.span());
    TypeKind kind = types.kind(v.type);
    if (kind == TypeKind::Array || kind == TypeKind::Vector) {
        row.start = f.addressOf(v);
        row.count = types.count(v.type);
        row.length = f.i64(static_cast<int64_t>(*row.count));
    } else if (kind == TypeKind::ManyPointer) {
        row.start = f.scalar(v);
    } else if (v.isConst() && v.constant.kind == ConstValue::Kind::String) {
        row.start = f.b.globalAddr(f.sema.stringGlobal(v.constant.s), types.manyPointerTo(TypeId::U8));
        row.length = f.i64(static_cast<int64_t>(v.constant.s.size()));
    } else {
        ValueId address = f.addressOf(v);
        TypeId pointer = types.manyPointerTo(row.elem);
        row.start = f.b.load(pointer, f.b.offset(address, 0, types.pointerTo(pointer)));
        row.length = f.b.load(TypeId::I64, f.b.offset(address, 8, types.pointerTo(TypeId::I64)));
    }
    return row;
}

/// An index or a slice bound, as an i64.
Value lowerPosition(FunctionLowering& f, const Expr* e) {
    Value given = f.lower(e, TypeId::I64);
    if (given.isError()) return given;
    Value v = f.operandOf(given, e->span);
    if (v.isError()) return v;
    if (!f.types.isInteger(v.type) && v.type != TypeId::NoReturn) {
        size_t before = f.diags.all().size();
        Diagnostic& d = f.diags.error(e->span, "an index is an integer, and this is " + withArticle(f.types, v.type));
        if (f.types.kind(v.type) == TypeKind::Optional)
            d.help("it may be null: unwrap it with `!`, or give a default with `??`");
        if (f.types.isFloat(v.type)) d.help("convert it with `.(i64)`");
        explainResults(f, before, given);
        return Value::error();
    }
    return f.convert(v, TypeId::I64, e->span);
}

/// Inserted text that a call gave rise to, as `print` does for its placeholders: the mistake is that call's.
/// Its callee, or null.
const Expr* callBehindInserted(FunctionLowering& f, Span at) {
    if (!llvm::StringRef(f.sema.sources.path(f.sema.sources.resolve(at.begin).file)).ends_with(" (inserted)"))
        return nullptr;
    const Expr* call = f.instance && f.instance->instantiatedAt ? f.instance->instantiatedAt : f.outermostCall;
    const auto* c = llvm::dyn_cast_or_null<Call>(call);
    return c ? c->callee : call;
}

/// The constant position of an element of a pack or a tuple; nullopt after a report.
std::optional<uint64_t> constantPosition(FunctionLowering& f, const Expr* e, uint64_t count, const std::string& what) {
    Value v = f.lower(e, TypeId::I64);
    if (v.isError()) return std::nullopt;
    v = f.elementOf(v);
    if (!v.isConst() || !v.constant.isInt()) {
        f.diags.error(e->span, what + " is indexed by constants only: its elements have different types");
        return std::nullopt;
    }
    if (v.constant.i < 0 || v.constant.i >= static_cast<__int128>(count)) {
        std::string message = what + " has " + countOf(count, "element") + ", so there is no element " +
                              std::to_string(static_cast<int64_t>(v.constant.i));
        const Expr* call = callBehindInserted(f, e->span);
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

Value notIndexable(FunctionLowering& f, const Value& v, Span at) {
    if (rejectTypeVariable(f, v)) return Value::error();
    Diagnostic& d = f.diags.error(at, withArticle(f.types, v.type) + " cannot be indexed");
    switch (f.types.kind(v.type)) {
    case TypeKind::Pointer: d.help("it points at one value: read it with `.*`, or use a many-pointer `[*]T`"); break;
    case TypeKind::Optional: d.help("unwrap it first: `x![…]`"); break;
    case TypeKind::Struct:
        if (f.types.structInfo(v.type).index.count(f.sema.name("items"))) d.help("index its elements: `.items[…]`");
        break;
    default: break;
    }
    return Value::error();
}

/// An element of a constant, or a report that there is none; nullopt: decided at run time.
std::optional<Value> constantElement(FunctionLowering& f, const Value& v, const Value& index, Span whole) {
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
    return f.fieldOf(v, static_cast<uint64_t>(i) * f.types.sizeOf(elem), elem);
}

Value elementAt(FunctionLowering& f, const Value& v, const Index& e) {
    TypeTable& types = f.types;
    if (hasPositions(types, v.type)) {
        std::vector<Part> parts = partsOf(types, v.type);
        std::optional<uint64_t> i = constantPosition(
            f, e.index, parts.size(), types.kind(v.type) == TypeKind::Tuple ? "a tuple" : "an anonymous struct");
        return i ? f.fieldOf(v, parts[*i].offset, parts[*i].type) : Value::error();
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
    ValueId position = f.scalar(index);
    bool isKnown =
        row.count && index.isConst() && index.constant.i >= 0 && index.constant.i < static_cast<__int128>(*row.count);
    if (row.length != ValueId::None && !isKnown) f.checkIndex(position, row.length, e.bracket);
    if (types.kind(v.type) == TypeKind::ManyPointer) checkPointer(f, row.start, e.bracket);
    Value element =
        Value::place(row.elem, f.b.index(row.start, position, types.sizeOf(row.elem), types.pointerTo(row.elem)));
    if (inPlace) { // part of the row itself; what a slice or pointer leads to is storage of its own
        element.lvalue = v.lvalue;
        element.constRooted = v.constRooted;
        element.contextRooted = v.contextRooted;
        element.captureRoot = v.captureRoot;
    }
    return row.elem == TypeId::Void ? Value::none() : element;
}

Value indexInto(FunctionLowering& f, const Value& base, const Index& e) {
    if (base.kind == Value::Kind::Pack) {
        std::optional<uint64_t> i =
            constantPosition(f, e.index, base.pack->types.size(), "the pack `" + f.sema.text(base.pack->name) + "`");
        return i ? f.packElement(*base.pack, *i, e.span) : Value::error();
    }
    Value v = f.operandOf(base, e.base->span);
    if (v.isError() || v.type == TypeId::NoReturn) return v;
    if (v.isTypeName()) {
        f.diags.error(e.base->span, "the type " + quoted(f.types, v.namedType) + " cannot be indexed");
        return Value::error();
    }
    return elementAt(f, behindPointer(f, v, e.bracket), e);
}

} // namespace

Value FunctionLowering::lowerIndex(const Index& e) {
    // `x?.xs[0]`: an index directly after `?.f` stays in the chain.
    const auto* chain = llvm::dyn_cast<Member>(e.base);
    if (chain && chain->optional) {
        Value optional = elementOf(lower(chain->base));
        if (optional.isError() || types.kind(optional.type) != TypeKind::Optional)
            return optional.isError() ? optional : lowerOptionalChain(*chain);
        return mapPresent(optional, [&](const Value& payload) {
            Value member = memberOf(payload, chain->name.name, chain->name.span, chain->span);
            return member.isError() ? member : indexInto(*this, member, e);
        });
    }
    Value base = lowerBase(*this, e.base);
    return base.isError() ? base : indexInto(*this, base, e);
}

Value FunctionLowering::lowerSlice(const SliceExpr& e) {
    Value base = lowerBase(*this, e.base);
    if (base.isError()) return base;
    Value v = operandOf(base, e.base->span);
    if (v.isError() || v.type == TypeId::NoReturn) return v;
    v = v.isTypeName() ? v : behindPointer(*this, v, e.bracket);
    TypeKind kind = types.kind(v.type);
    bool sliceable =
        kind == TypeKind::Array || kind == TypeKind::Slice || kind == TypeKind::String || kind == TypeKind::ManyPointer;
    if (!sliceable) {
        diags.error(e.base->span, withArticle(types, v.type) + " cannot be sliced")
            .help("arrays, slices, strings and, with an end, many-pointers can");
        return Value::error();
    }
    if (kind == TypeKind::Array && !(v.isMemory() && v.lvalue)) {
        diags.error(e.base->span, "this array is a temporary: a slice of it would outlive it")
            .help("bind it to a name first");
        return Value::error();
    }
    if (kind == TypeKind::ManyPointer && !e.hi) {
        diags.error(e.base->span, "a many-pointer has no length, so a slice of it needs an end")
            .help("write `p[0..n]`");
        return Value::error();
    }
    Row row = rowOf(*this, v);
    auto bound = [&](const Expr* at, bool plusOne, ValueId otherwise) {
        Value position = at ? lowerPosition(*this, at) : Value::scalar(TypeId::I64, otherwise);
        if (position.isError()) return ValueId::None;
        ValueId id = scalar(position);
        return plusOne ? b.binary(ir::Op::Add, id, i64(1)) : id;
    };
    ValueId from = bound(e.lo, e.loExclusive, i64(0));
    if (from == ValueId::None) return Value::error();
    ValueId to = bound(e.hi, e.hi && e.hiInclusive, row.length);
    if (to == ValueId::None) return Value::error();
    if (row.length != ValueId::None) {
        // As unsigned numbers: to <= length and from <= to leave no negative bound either.
        ValueId beyond = b.icmp(ir::ICmpPred::UGt, to, row.length), reversed = b.icmp(ir::ICmpPred::UGt, from, to);
        panicIf(*this, b.binary(ir::Op::Or, beyond, reversed), ir::PanicKind::SliceBounds, e.bracket,
                {from, to, row.length});
    }
    TypeId pointer = types.manyPointerTo(row.elem);
    Value result = temp(kind == TypeKind::String ? TypeId::String : types.sliceOf(row.elem));
    b.store(b.offset(result.id, 0, types.pointerTo(pointer)),
            b.index(row.start, from, types.sizeOf(row.elem), pointer));
    b.store(b.offset(result.id, 8, types.pointerTo(TypeId::I64)), b.binary(ir::Op::Sub, to, from));
    return result;
}

Value FunctionLowering::lowerDeref(const Deref& e) {
    Value v = lower(e.base);
    if (v.isError()) return v;
    if (!v.refCapture) v = operandOf(v, e.base->span);
    if (v.isError() || v.type == TypeId::NoReturn) return v;
    TypeKind kind = types.kind(v.type);
    TypeId pointee = kind == TypeKind::Pointer || kind == TypeKind::ManyPointer ? types.elem(v.type) : TypeId::None;
    if (pointee == TypeId::None || pointee == TypeId::Void) {
        Diagnostic& d = diags.error(e.base->span, "`.*` follows a pointer, and this is " + withArticle(types, v.type));
        if (pointee == TypeId::Void) d.help("give it a type first: `.(*T).*`");
        else if (kind == TypeKind::Optional) d.help("unwrap it first: `x!.*`");
        return Value::error();
    }
    if (!types.isComplete(pointee) && !sema.completeDeep(pointee, e.span)) return Value::error();
    ValueId address = scalar(v);
    if (!v.refCapture) checkMemberPointer(*this, address, e.span);
    return Value::place(pointee, address);
}

} // namespace sx::sema
