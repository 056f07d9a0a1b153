// Optionals: presence, payloads, `!`, `??`, `?.` and flow narrowing (types.md 11).
#include "sema/Operands.h"

namespace sx::sema {

using namespace ast;

namespace {

bool isWordOptional(const TypeTable& types, TypeId optional) {
    return types.absence(optional) == TypeTable::Absence::NullWord;
}

bool isNull(const Value& v) { return v.isConst() && v.constant.kind == ConstValue::Kind::Null; }

/// Merges the two outcomes of a test on presence: scalars in a block parameter, aggregates in one slot.
class TwoWay {
public:
    TwoWay(FunctionLowering& f, TypeId type, ValueId dest = ValueId::None) : f_(f), type_(type), join_(f.b.newBlock()) {
        isVoid_ = type == TypeId::Void || type == TypeId::NoReturn;
        isScalar_ = !isVoid_ && f.types.isScalar(type);
        if (!isVoid_) result_ = isScalar_ ? Value::scalar(type, f.b.blockParam(join_, type)) : f.temp(type, dest);
    }
    ValueId slot() const { return isScalar_ || isVoid_ ? ValueId::None : result_.id; }
    /// Ends one branch with its value, which has the type (or control does not get here).
    void arrive(const Value& v) {
        if (!f_.reachable()) return;
        if (v.isError()) {
            f_.b.unreachable();
        } else if (isScalar_) {
            f_.b.br(join_, {f_.scalar(v)});
        } else {
            f_.store(result_.id, v);
            f_.b.br(join_);
        }
    }
    Value finish() {
        f_.b.setBlock(join_);
        return isVoid_ ? Value::none() : result_;
    }

private:
    FunctionLowering& f_;
    TypeId type_;
    BlockId join_;
    bool isScalar_ = false, isVoid_ = false;
    Value result_;
};

} // namespace

ValueId FunctionLowering::isPresent(const Value& v) {
    if (isNull(v)) return b.constBool(false);
    if (types.isScalar(v.type)) {
        ValueId word = scalar(v);
        return b.icmp(ir::ICmpPred::Ne, word, b.null(v.type));
    }
    ValueId address = addressOf(v);
    if (isWordOptional(types, v.type)) {
        TypeId word = types.pointerTo(TypeId::Void);
        return b.icmp(ir::ICmpPred::Ne, b.load(word, b.offset(address, 0, types.pointerTo(word))), b.null(word));
    }
    ValueId flag = b.load(TypeId::U8, b.offset(address, types.optionalFlagOffset(v.type), types.pointerTo(TypeId::U8)));
    return b.icmp(ir::ICmpPred::Ne, flag, b.constInt(TypeId::U8, 0));
}

Value FunctionLowering::payloadOf(const Value& v) {
    TypeId payload = types.elem(v.type);
    if (v.isMemory()) {
        Value inner = fieldOf(v, 0, payload);
        if (inner.isVoid()) return inner;
        inner.symbol = nullptr;
        inner.errorSource = v.errorOrigin();
        return inner;
    }
    if (types.isScalar(v.type)) return Value::scalar(payload, b.cast(ir::Op::Reinterpret, scalar(v), payload));
    return fieldOf(Value::temporary(v.type, addressOf(v)), 0, payload);
}

Value FunctionLowering::nullOptional(TypeId optional, ValueId dest) {
    Value none = Value::ofConst(optional, ConstValue::null());
    if (dest == ValueId::None) return none;
    store(dest, none);
    return Value::temporary(optional, dest);
}

Value FunctionLowering::narrowedValue(const Value& v) {
    if (!v.symbol || narrowed.empty() || !narrowed.count(v.symbol) || types.kind(v.type) != TypeKind::Optional)
        return v;
    return payloadOf(v);
}

Value FunctionLowering::unwrapFor(const Value& v, TypeId target) {
    if (v.isError() || target == TypeId::None || target == TypeId::Any || types.kind(target) == TypeKind::Optional)
        return v;
    return narrowedValue(v);
}

void FunctionLowering::narrow(const Facts& facts, bool ifTrue) {
    const auto& proven = ifTrue ? facts.presentIfTrue : facts.presentIfFalse;
    narrowed.insert(proven.begin(), proven.end());
}

Value FunctionLowering::lowerUnwrap(const Unwrap& e) {
    Value v = elementOf(lower(e.base));
    if (v.isError() || !requireValue(v, e.base->span)) return Value::error();
    if (v.type == TypeId::NoReturn) return v;
    if (types.kind(v.type) != TypeKind::Optional) {
        diags.error(e.span, "`!` unwraps an optional, and this is " + withArticle(types, v.type)).help("drop the `!`");
        return Value::error();
    }
    // Held while it is tested, so that the payload is the one that was tested.
    if (types.isScalar(v.type) && !v.lvalue) v = load(v);
    panicIf(*this, b.notBool(isPresent(v)), ir::PanicKind::NullUnwrap, e.bang);
    return payloadOf(v);
}

Value FunctionLowering::lowerCoalesce(const Binary& e, TypeId target, ValueId dest) {
    Value v = elementOf(lower(e.lhs));
    if (v.isError() || !requireValue(v, e.lhs->span)) return Value::error();
    if (v.type == TypeId::NoReturn) return v;
    if (types.kind(v.type) != TypeKind::Optional) {
        diags
            .error(e.lhs->span, v.type == TypeId::Null
                                    ? "`null` has no payload type, so `??` has nothing to choose from"
                                    : "`??` needs an optional on its left, and this is " + withArticle(types, v.type))
            .help("drop the `??` and the default");
        return Value::error();
    }
    TypeId payload = types.elem(v.type);
    if (!types.isComplete(payload) && !sema.completeDeep(payload, e.lhs->span)) return Value::error();
    if (types.isScalar(v.type)) v = load(v);
    ValueId present = isPresent(v);
    BlockId some = b.newBlock(), none = b.newBlock();
    TwoWay result(*this, payload, target == payload ? dest : ValueId::None);
    // A chosen error has the trace of the one that it is.
    Symbol* carrier = types.isErrorSet(payload) && mayCarryTrace(*this, e) ? newErrorCarrier(*this) : nullptr;
    b.condBr(present, some, none);
    b.setBlock(some);
    Value given = payloadOf(v);
    keepTrace(*this, carrier, given);
    result.arrive(given);
    b.setBlock(none);
    Span operation = currentOperation;
    currentOperation = e.rhs->span; // every mismatch of the default points at it
    Value fallback = lowerTo(e.rhs, payload, result.slot());
    currentOperation = operation;
    keepTrace(*this, carrier, fallback);
    result.arrive(fallback);
    Value chosen = result.finish();
    chosen.errorSource = carrier;
    return fallback.isError() ? fallback : chosen;
}

Value FunctionLowering::mapPresent(const Value& optional, llvm::function_ref<Value(const Value&)> onPayload) {
    Value v = types.isScalar(optional.type) ? load(optional) : optional;
    if (isNull(v) && v.type == TypeId::Null) return v;
    ValueId present = isPresent(v);
    BlockId some = b.newBlock(), none = b.newBlock();
    b.condBr(present, some, none);
    b.setBlock(some);
    Value payload = payloadOf(v);
    Value inner = onPayload(payload);
    if (!inner.isError() && !inner.isVoid() && !requireValue(inner, b.span())) inner = Value::error();
    if (inner.isError() || inner.isVoid()) {
        BlockId after = b.newBlock();
        if (reachable()) b.br(after);
        b.setBlock(none);
        b.br(after);
        b.setBlock(after);
        return inner;
    }
    inner = load(inner);
    if (inner.lvalue) inner = copyToTemp(inner); // the result is a value of its own
    bool isOptional = types.kind(inner.type) == TypeKind::Optional;
    TypeId type = isOptional ? inner.type : types.optionalOf(inner.type);
    if (types.isScalar(type)) {
        BlockId join = b.newBlock();
        ValueId result = b.blockParam(join, type);
        Value wrapped = isOptional ? inner : wrapOptional(inner, type);
        b.br(join, {scalar(wrapped)});
        b.setBlock(none);
        b.br(join, {b.null(type)});
        b.setBlock(join);
        return Value::scalar(type, result);
    }
    ir::SlotId slot = b.newSlot(type); // neither branch dominates the other: each takes its address anew
    BlockId join = b.newBlock();
    ValueId place = b.slotAddr(slot);
    Value wrapped = isOptional ? inner : wrapOptional(inner, type, place);
    store(place, wrapped);
    b.br(join);
    b.setBlock(none);
    b.zero(b.slotAddr(slot), type);
    b.br(join);
    b.setBlock(join);
    return Value::temporary(type, b.slotAddr(slot));
}

Value FunctionLowering::lowerOptionalChain(const Member& e) {
    Value v = elementOf(lower(e.base));
    if (v.isError() || !requireValue(v, e.base->span)) return Value::error();
    if (types.kind(v.type) != TypeKind::Optional) {
        diags.error(e.span, "`?.` looks into an optional, and this is " + withArticle(types, v.type)).help("write `.`");
        return Value::error();
    }
    return mapPresent(v, [&](const Value& payload) { return memberOf(payload, e.name.name, e.name.span, e.span); });
}

} // namespace sx::sema
