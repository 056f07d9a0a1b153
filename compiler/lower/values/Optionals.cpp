#include "lower/values/Optionals.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/ErrorVariables.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Values.h"
#include "lower/values/Access.h"
#include "lower/values/Conversions.h"
#include "sema/Nominal.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

namespace {

bool isWordOptional(const TypeTable& types, TypeId optional) { return absence(types, optional) == Absence::NullWord; }

bool isNull(const Value& v) { return v.isConst() && v.constant.kind == ConstValue::Kind::Null; }

/// Merges the two outcomes of a test on presence: scalars in a block parameter, aggregates in one slot.
class TwoWay {
public:
    TwoWay(Body& f, TypeId type, ValueId dest = ValueId::None) : f_(f), join_(f.b.newBlock()) {
        isVoid_ = type == TypeId::Void || type == TypeId::NoReturn;
        isScalar_ = !isVoid_ && isScalar(f.types, type);
        if (!isVoid_) result_ = isScalar_ ? Value::scalar(type, f.b.blockParam(join_, type)) : temp(f, type, dest);
    }
    ValueId slot() const { return isScalar_ || isVoid_ ? ValueId::None : result_.id; }
    /// Ends one branch with its value, which has the type (or control does not get here).
    void arrive(const Value& v) {
        if (!f_.reachable()) return;
        if (v.isError()) {
            emitUnreachable(f_.b);
        } else if (isScalar_) {
            emitBr(f_.b, join_, {scalar(f_, v)});
        } else {
            store(f_, result_.id, v);
            emitBr(f_.b, join_);
        }
    }
    Value finish() {
        f_.b.setBlock(join_);
        return isVoid_ ? Value::none() : result_;
    }

private:
    Body& f_;
    BlockId join_;
    bool isScalar_ = false, isVoid_ = false;
    Value result_;
};

} // namespace

ValueId isPresent(Body& f, const Value& v) {
    if (isNull(v)) return constBool(f.b, false);
    if (isScalar(f.types, v.type)) {
        ValueId word = scalar(f, v);
        return emitICmp(f.b, ir::ICmpPred::Ne, word, nullOf(f.b, v.type));
    }
    ValueId address = addressOf(f, v);
    if (isWordOptional(f.types, v.type)) {
        TypeId word = pointerTo(f.types, TypeId::Void);
        return emitICmp(f.b, ir::ICmpPred::Ne,
                        emitLoad(f.b, word, emitOffset(f.b, address, 0, pointerTo(f.types, word))), nullOf(f.b, word));
    }
    ValueId flag = emitLoad(
        f.b, TypeId::U8, emitOffset(f.b, address, optionalFlagOffset(f.types, v.type), pointerTo(f.types, TypeId::U8)));
    return emitICmp(f.b, ir::ICmpPred::Ne, flag, constInt(f.b, TypeId::U8, 0));
}

Value payloadOf(Body& f, const Value& v) {
    TypeId payload = f.types.elem(v.type);
    if (v.isMemory()) {
        Value inner = fieldOf(f, v, 0, payload);
        if (inner.isVoid()) return inner;
        inner.symbol = nullptr;
        inner.errorSource = v.errorOrigin();
        return inner;
    }
    if (isScalar(f.types, v.type))
        return Value::scalar(payload, emitCast(f.b, ir::Op::Reinterpret, scalar(f, v), payload));
    return fieldOf(f, Value::temporary(v.type, addressOf(f, v)), 0, payload);
}

Value nullOptional(Body& f, TypeId optional, ValueId dest) {
    Value none = Value::ofConst(optional, ConstValue::null());
    if (dest == ValueId::None) return none;
    store(f, dest, none);
    return Value::temporary(optional, dest);
}

Value narrowedValue(Body& f, const Value& v) {
    if (!v.symbol || f.narrowing.present.empty() || !f.narrowing.present.count(v.symbol) ||
        f.types.kind(v.type) != TypeKind::Optional)
        return v;
    return payloadOf(f, v);
}

Value unwrapFor(Body& f, const Value& v, TypeId target) {
    if (v.isError() || target == TypeId::None || target == TypeId::Any || f.types.kind(target) == TypeKind::Optional)
        return v;
    return narrowedValue(f, v);
}

Value lowerUnwrap(Body& f, const Unwrap& e) {
    Value v = elementOf(f, lower(f, e.base));
    if (v.isError() || !requireValue(f, v, e.base->span)) return Value::error();
    if (v.type == TypeId::NoReturn) return v;
    if (f.types.kind(v.type) != TypeKind::Optional) {
        f.diags.error(e.span, "`!` unwraps an optional, and this is " + withArticle(f.types, v.type))
            .help("drop the `!`");
        return Value::error();
    }
    // Held while it is tested, so that the payload is the one that was tested.
    if (isScalar(f.types, v.type) && !v.lvalue) v = load(f, v);
    panicIf(f, emitNot(f.b, isPresent(f, v)), ir::PanicKind::NullUnwrap, e.bang);
    return payloadOf(f, v);
}

Value lowerCoalesce(Body& f, const Binary& e, TypeId target, ValueId dest) {
    Value v = elementOf(f, lower(f, e.lhs));
    if (v.isError() || !requireValue(f, v, e.lhs->span)) return Value::error();
    if (v.type == TypeId::NoReturn) return v;
    if (f.types.kind(v.type) != TypeKind::Optional) {
        f.diags
            .error(e.lhs->span, v.type == TypeId::Null
                                    ? "`null` has no payload type, so `??` has nothing to choose from"
                                    : "`??` needs an optional on its left, and this is " + withArticle(f.types, v.type))
            .help("drop the `??` and the default");
        return Value::error();
    }
    TypeId payload = f.types.elem(v.type);
    if (!f.types.isComplete(payload) && !completeDeep(f.sema, payload, e.lhs->span)) return Value::error();
    if (isScalar(f.types, v.type)) v = load(f, v);
    ValueId present = isPresent(f, v);
    BlockId some = f.b.newBlock(), none = f.b.newBlock();
    TwoWay result(f, payload, target == payload ? dest : ValueId::None);
    // A chosen error has the trace of the one that it is.
    Symbol* carrier = isErrorSet(f.types, payload) && mayCarryTrace(f, e) ? newErrorCarrier(f, Name::None) : nullptr;
    emitCondBr(f.b, present, some, none);
    f.b.setBlock(some);
    Value given = payloadOf(f, v);
    keepTrace(f, carrier, given);
    result.arrive(given);
    f.b.setBlock(none);
    Span operation = f.modes.operation;
    f.modes.operation = e.rhs->span; // every mismatch of the default points at it
    Value fallback = lowerTo(f, e.rhs, payload, result.slot());
    f.modes.operation = operation;
    keepTrace(f, carrier, fallback);
    result.arrive(fallback);
    Value chosen = result.finish();
    chosen.errorSource = carrier;
    return fallback.isError() ? fallback : chosen;
}

Value mapPresent(Body& f, const Value& optional, llvm::function_ref<Value(const Value&)> onPayload) {
    Value v = isScalar(f.types, optional.type) ? load(f, optional) : optional;
    if (isNull(v) && v.type == TypeId::Null) return v;
    ValueId present = isPresent(f, v);
    BlockId some = f.b.newBlock(), none = f.b.newBlock();
    emitCondBr(f.b, present, some, none);
    f.b.setBlock(some);
    Value payload = payloadOf(f, v);
    Value inner = onPayload(payload);
    if (!inner.isError() && !inner.isVoid() && !requireValue(f, inner, f.b.span())) inner = Value::error();
    if (inner.isError() || inner.isVoid()) {
        BlockId after = f.b.newBlock();
        if (f.reachable()) emitBr(f.b, after);
        f.b.setBlock(none);
        emitBr(f.b, after);
        f.b.setBlock(after);
        return inner;
    }
    inner = load(f, inner);
    if (inner.lvalue) inner = copyToTemp(f, inner); // the result is a value of its own
    bool isOptional = f.types.kind(inner.type) == TypeKind::Optional;
    TypeId type = isOptional ? inner.type : optionalOf(f.types, inner.type);
    if (isScalar(f.types, type)) {
        BlockId join = f.b.newBlock();
        ValueId result = f.b.blockParam(join, type);
        Value wrapped = isOptional ? inner : wrapOptional(f, inner, type);
        emitBr(f.b, join, {scalar(f, wrapped)});
        f.b.setBlock(none);
        emitBr(f.b, join, {nullOf(f.b, type)});
        f.b.setBlock(join);
        return Value::scalar(type, result);
    }
    ir::SlotId slot = f.b.newSlot(type); // neither branch dominates the other: each takes its address anew
    BlockId join = f.b.newBlock();
    ValueId place = slotAddr(f.b, slot);
    Value wrapped = isOptional ? inner : wrapOptional(f, inner, type, place);
    store(f, place, wrapped);
    emitBr(f.b, join);
    f.b.setBlock(none);
    emitZero(f.b, slotAddr(f.b, slot), type);
    emitBr(f.b, join);
    f.b.setBlock(join);
    return Value::temporary(type, slotAddr(f.b, slot));
}

Value lowerOptionalChain(Body& f, const Member& e) {
    Value v = elementOf(f, lower(f, e.base));
    if (v.isError() || !requireValue(f, v, e.base->span)) return Value::error();
    if (f.types.kind(v.type) != TypeKind::Optional) {
        f.diags.error(e.span, "`?.` looks into an optional, and this is " + withArticle(f.types, v.type))
            .help("write `.`");
        return Value::error();
    }
    return mapPresent(f, v, [&](const Value& payload) { return memberOf(f, payload, e); });
}

} // namespace sx::lower
