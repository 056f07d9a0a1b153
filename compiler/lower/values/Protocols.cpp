#include "lower/values/Protocols.h"

#include "ir/BuildCalls.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "lower/body/Body.h"
#include "lower/body/NullChecks.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/values/Any.h"
#include "lower/values/Conversions.h"
#include "lower/values/Erasure.h"
#include "sema/ErrorSets.h"
#include "sema/Functions.h"
#include "sema/Impls.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

namespace {

TypeId voidPointer(Body& f) { return pointerTo(f.types, TypeId::Void); }

ValueId loadWord(Body& f, ValueId address, uint64_t offset, TypeId type) {
    return emitLoad(f.b, type, emitOffset(f.b, address, offset, pointerTo(f.types, type)));
}

/// The declared impls; those of instances of generic types are noted where such a type is erased. A function with
/// a named set is checked against all of them.
ErrorNode* errorsOf(Body& f, TypeId protocol, uint32_t method) {
    bool isChecked = f.result.errorSet != TypeId::None && f.result.errorSet != TypeId::InferredErrors;
    noteImpls(f.sema, protocol, method, isChecked);
    return &protocolErrors(f.sema, protocol, method);
}

} // namespace

TypeId protocolWithin(const TypeTable& types, TypeId t) {
    if (types.kind(t) == TypeKind::Optional) t = types.elem(t);
    if (types.kind(t) == TypeKind::Pointer) t = types.elem(t);
    return types.kind(t) == TypeKind::Protocol ? t : TypeId::None;
}

ValueId protocolWords(Body& f, const Value& v, TypeId& protocol) {
    protocol = protocolWithin(f.types, v.type);
    if (protocol == TypeId::None || v.isError()) return ValueId::None;
    return isScalar(f.types, v.type) ? scalar(f, v) : addressOf(f, v);
}

ProtocolSlot loadSlot(Body& f, TypeId protocol, uint32_t method, ValueId words, Span at) {
    const ProtocolInfo& info = f.types.protocolInfo(protocol);
    uint64_t slot = uint64_t{info.methods[method].slot} * 8;
    TypeId pointer = voidPointer(f);
    ProtocolSlot result;
    result.ctx = loadWord(f, words, 0, pointer);
    checkPointer(f, result.ctx, at); // null: an absent value
    if (info.isInline) {
        result.code = loadWord(f, words, FirstSlot + slot, pointer);
    } else {
        ValueId table = loadWord(f, words, FirstSlot, pointer);
        result.code = loadWord(f, table, slot, pointer);
    }
    return result;
}

Value callSlot(Body& f, const ProtocolSlot& slot, TypeId protocol, uint32_t method, llvm::ArrayRef<Value> args,
               ValueId dest) {
    TypeId machine = slotType(f.sema, protocol, method);
    TypeId result = f.types.protocolInfo(protocol).methods[method].result;
    llvm::SmallVector<ValueId, 8> operands;
    if (f.types.functionInfo(machine).params.size() > args.size() + 1) operands.push_back(f.context);
    operands.push_back(slot.ctx);
    for (const Value& v : args) operands.push_back(isScalar(f.types, v.type) ? scalar(f, v) : addressOf(f, v));
    if (result == TypeId::Void || result == TypeId::NoReturn) {
        emitCallIndirect(f.b, slot.code, machine, operands);
        if (result == TypeId::Void) return Value::none();
        emitUnreachable(f.b);
        return Value::diverged();
    }
    Value v;
    if (isScalar(f.types, result)) {
        v = Value::scalar(result, emitCallIndirect(f.b, slot.code, machine, operands));
    } else {
        v = temp(f, result, dest);
        emitCallIndirect(f.b, slot.code, machine, operands, v.id);
    }
    v.unmarkedFailable = isFailable(f.types, result);
    if (v.unmarkedFailable && errorSetOf(f.types, result) == TypeId::InferredErrors)
        v.errors = errorsOf(f, protocol, method);
    return v;
}

Value dispatch(Body& f, const BoundMethod& method, const Call& call, TypeId target, ValueId dest) {
    const ProtocolMethodInfo& info = f.types.protocolInfo(method.protocol).methods[method.protocolMethod];
    if (!info.dispatchable) {
        f.diags
            .error(method.span, code(f.sema, info.name) +
                                    " mentions `Self` beyond its receiver, so it cannot be called on a value of " +
                                    code(f.types, method.protocol))
            .help("call it on the concrete value, or in a function generic over its type");
        return Value::error();
    }
    TypeId protocol = TypeId::None;
    ValueId words = protocolWords(f, method.receiver, protocol);
    if (words == ValueId::None) return Value::error();
    if (isScalar(f.types, method.receiver.type)) checkPointer(f, words, method.dot);
    ProtocolSlot slot = loadSlot(f, protocol, method.protocolMethod, words, method.dot);
    llvm::SmallVector<ParamInfo, 4> params = unnamedParams(info.params);
    CallTarget what;
    what.name = code(f.sema, info.name) + " of " + code(f.types, protocol);
    what.params = params;
    llvm::SmallVector<Value, 8> args;
    if (!bindArguments(f, call, what, args)) return Value::error();
    f.b.setSpan(call.span);
    return callSlot(f, slot, protocol, method.protocolMethod, args, info.result == target ? dest : ValueId::None);
}

// ------------------------------------------------------------------------------------ recovery

namespace {

bool isRawView(const TypeTable& types, TypeId t, std::string_view name) {
    return types.kind(t) == TypeKind::Struct && types.structInfo(t).name == name &&
           types.structInfo(t).fields.size() == 2;
}

/// The first two words, which are those of an `any`, as a value of a type with that layout.
Value firstWords(Body& f, ValueId words, TypeId type) {
    Value result = temp(f, type);
    emitCopy(f.b, result.id, words, uint64_t{16});
    return result;
}

Value dataPointer(Body& f, ValueId words, TypeId to, Span at) {
    if (f.types.kind(f.types.elem(to)) == TypeKind::Protocol) {
        f.diags.error(at, "what a protocol value holds is recovered as a concrete type, not as " + code(f.types, to));
        return Value::error();
    }
    return Value::scalar(to, loadWord(f, words, 0, to));
}

} // namespace

Value castProtocol(Body& f, const Value& given, TypeId to, Span at, bool isAutoCast, bool consumed) {
    Value v = elementOf(f, given);
    if (v.type == to) return v;
    TypeId protocol = TypeId::None;
    ValueId words = protocolWords(f, v, protocol);
    if (words == ValueId::None) return Value::error();
    if (f.types.kind(to) == TypeKind::Pointer) return dataPointer(f, words, to, at);
    if (to == TypeId::Any || isRawView(f.types, to, "ProtocolRaw")) return firstWords(f, words, to);
    TypeId target = f.types.kind(to) == TypeKind::Optional ? f.types.elem(to) : to;
    if (f.types.kind(target) == TypeKind::Protocol) {
        Value erased = erase(f, v, target, at, !isAutoCast);
        return erased.isError() || target == to ? erased : wrapOptional(f, erased, to);
    }
    Value any = Value::temporary(TypeId::Any, words);
    if (isAutoCast) return unboxAny(f, any, to);
    return assertAny(f, any, target, at, consumed, target != to);
}

} // namespace sx::lower
