#include "lower/body/Storage.h"

#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "sema/Constants.h"
#include "sema/Functions.h"
#include "sema/Nominal.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

namespace {

bool isAllZero(const ir::ConstData& data) {
    if (!data.relocs.empty()) return false;
    for (uint8_t byte : data.bytes)
        if (byte != 0) return false;
    return true;
}

/// A constant of scalar type as an SSA value.
ValueId constantScalar(Body& f, TypeId type, const ConstValue& c) {
    ir::Builder& b = f.b;
    if (!isScalar(f.types, type)) return undefOf(b, TypeId::I64);
    switch (c.kind) {
    case ConstValue::Kind::Int:
        if (type == TypeId::Bool) return constBool(b, c.i != 0);
        if (isInteger(f.types, type) || isErrorSet(f.types, type) || f.types.kind(type) == TypeKind::Enum)
            return constInt(b, type, static_cast<uint64_t>(c.i));
        if (c.i == 0) return nullOf(b, type);
        return emitCast(b, ir::Op::IntToPtr, constInt(b, TypeId::I64, static_cast<uint64_t>(c.i)), type);
    case ConstValue::Kind::Bool: return constBool(b, c.i != 0);
    case ConstValue::Kind::Float: return constFloat(b, type, c.f);
    case ConstValue::Kind::Null: return nullOf(b, type == TypeId::Null ? pointerTo(f.types, TypeId::Void) : type);
    case ConstValue::Kind::Type: return typeHandle(b, c.t);
    case ConstValue::Kind::String: return globalAddr(b, stringGlobal(f.sema, c.s), type);
    case ConstValue::Kind::Data:
        if (isAllZero(*c.data) && !isFloat(f.types, type))
            return isPointerLike(f.types, type) ? nullOf(b, type) : constInt(b, type, 0);
        return emitLoad(b, type,
                        globalAddr(b, constGlobal(f.sema, type, *c.data, "constant"), pointerTo(f.types, type)));
    case ConstValue::Kind::None:
    case ConstValue::Kind::Undef: break;
    }
    return undefOf(b, type);
}

void storeText(Body& f, ValueId dest, llvm::StringRef text) {
    TypeId bytes = manyPointerTo(f.types, TypeId::U8);
    emitStore(f.b, emitOffset(f.b, dest, 0, pointerTo(f.types, bytes)),
              globalAddr(f.b, stringGlobal(f.sema, text), bytes));
    emitStore(f.b, emitOffset(f.b, dest, 8, pointerTo(f.types, TypeId::I64)),
              i64(f, static_cast<int64_t>(text.size())));
}

/// A constant of aggregate type. `---` leaves the storage as it is, except that tuples are zeroed (types.md 17.3).
void storeConstant(Body& f, ValueId dest, TypeId type, const ConstValue& c) {
    switch (c.kind) {
    case ConstValue::Kind::String: storeText(f, dest, c.s); return;
    case ConstValue::Kind::Data:
        if (isAllZero(*c.data)) emitZero(f.b, dest, type);
        else
            emitCopy(f.b, dest,
                     globalAddr(f.b, constGlobal(f.sema, type, *c.data, "constant"), pointerTo(f.types, type)), type);
        return;
    case ConstValue::Kind::Undef:
        if (f.types.kind(type) == TypeKind::Tuple) emitZero(f.b, dest, type);
        return;
    case ConstValue::Kind::Int:
    case ConstValue::Kind::Null: emitZero(f.b, dest, type); return; // an absent optional
    case ConstValue::Kind::None:
    case ConstValue::Kind::Float:
    case ConstValue::Kind::Bool:
    case ConstValue::Kind::Type: return;
    }
}

} // namespace

void panicIf(Body& f, ValueId failed, ir::PanicKind kind, Span at, llvm::ArrayRef<ValueId> operands) {
    uint64_t bits = 0;
    if (f.b.isConst(failed, bits) && bits == 0) return;
    BlockId bad = f.b.newBlock(true), good = f.b.newBlock();
    emitCondBr(f.b, failed, bad, good, true);
    f.b.setBlock(bad);
    emitPanic(f.b, kind, at, operands);
    f.b.setBlock(good);
}

// ------------------------------------------------------------------------------------ reading and writing

ValueId scalar(Body& f, const Value& v) {
    switch (v.kind) {
    case Value::Kind::Scalar: return v.id;
    case Value::Kind::Memory: return isScalar(f.types, v.type) ? emitLoad(f.b, v.type, v.id) : v.id;
    case Value::Kind::Const: return constantScalar(f, v.type, v.constant);
    case Value::Kind::TypeName: return typeHandle(f.b, v.namedType);
    case Value::Kind::Function: {
        Value pointer = v.function ? functionValue(f, *v.function, f.b.span(), TypeId::None) : Value::error();
        return pointer.isError() ? nullOf(f.b, pointerTo(f.types, TypeId::Void)) : scalar(f, pointer);
    }
    case Value::Kind::Error:
    case Value::Kind::Void:
    case Value::Kind::Method:
    case Value::Kind::Namespace:
    case Value::Kind::GenericStruct:
    case Value::Kind::Protocol:
    case Value::Kind::Pack: break;
    }
    return undefOf(f.b, isScalar(f.types, v.type) ? v.type : TypeId::I64);
}

ValueId addressOf(Body& f, const Value& v) {
    if (v.isMemory()) return v.id;
    if (v.kind == Value::Kind::Function && v.function) {
        Value pointer = functionValue(f, *v.function, f.b.span(), TypeId::None);
        return addressOf(f, pointer);
    }
    if (v.isError() || v.isVoid() || v.type == TypeId::None) return nullOf(f.b, pointerTo(f.types, TypeId::Void));
    Value spilled = temp(f, v.type);
    store(f, spilled.id, v);
    return spilled.id;
}

void store(Body& f, ValueId dest, const Value& v) {
    if (v.isError() || v.isVoid()) return;
    if (v.kind == Value::Kind::Function) {
        emitStore(f.b, dest, scalar(f, v));
        return;
    }
    if (v.isConst() && v.constant.kind == ConstValue::Kind::Undef && isScalar(f.types, v.type)) return;
    if (isScalar(f.types, v.type)) emitStore(f.b, dest, scalar(f, v));
    else if (v.isMemory()) emitCopy(f.b, dest, v.id, v.type);
    else if (v.isConst()) storeConstant(f, dest, v.type, v.constant);
}

Value load(Body& f, const Value& v) {
    if (!v.isMemory() || !isScalar(f.types, v.type)) return v;
    Value loaded = v;
    loaded.kind = Value::Kind::Scalar;
    loaded.id = emitLoad(f.b, v.type, v.id);
    loaded.lvalue = loaded.constRooted = loaded.contextRooted = loaded.behindConstant = false;
    loaded.captureRoot = nullptr;
    return loaded;
}

Value copyToTemp(Body& f, const Value& v) {
    if (v.isVoid() || v.isError() || isScalar(f.types, v.type)) return load(f, v);
    Value copy = temp(f, v.type);
    store(f, copy.id, v);
    copy.errors = v.errors;
    copy.unmarkedFailable = v.unmarkedFailable;
    return copy;
}

Value snapshot(Body& f, const Value& v, bool mayChange) {
    if (!v.isMemory()) return v;
    if (isScalar(f.types, v.type)) return load(f, v);
    return v.lvalue && mayChange ? copyToTemp(f, v) : v;
}

Value temp(Body& f, TypeId type, ValueId dest, std::string_view name) {
    if (dest != ValueId::None) return Value::temporary(type, dest);
    if (!f.types.isComplete(type) && !completeDeep(f.sema, type, f.b.span()))
        return Value::temporary(type, slotAddr(f.b, f.b.newRawSlot(8, 8))); // reported
    return Value::temporary(
        type, slotAddr(f.b, f.b.newSlot(type, name.empty() ? Name::None : f.sema.name(name), f.b.span())));
}

Value fieldOf(Body& f, const Value& aggregate, uint64_t offset, TypeId type) {
    if (type == TypeId::Void) return Value::none();
    if (type == TypeId::None) return Value::error(); // its declaration was rejected
    bool isData = aggregate.constant.kind == ConstValue::Kind::Data && (aggregate.isConst() || aggregate.isMemory());
    ConstValue part;
    if (isData) {
        part = readConstant(f.sema, *aggregate.constant.data, offset, type);
        bool folds = aggregate.isConst() || (!f.modes.addressWanted && part.kind != ConstValue::Kind::Data);
        if (folds) {
            Value v = valueOfConstant(type, part);
            v.constRooted = aggregate.constRooted;
            return v;
        }
    }
    Value field = Value::temporary(type, emitOffset(f.b, addressOf(f, aggregate), offset, pointerTo(f.types, type)));
    field.lvalue = aggregate.lvalue;
    field.constRooted = aggregate.constRooted;
    field.contextRooted = aggregate.contextRooted;
    field.captureRoot = aggregate.captureRoot;
    field.behindConstant = aggregate.behindConstant;
    if (isData && !isScalar(f.types, type)) field.constant = part;
    return field;
}

Value zeroValue(Body& f, TypeId type) {
    if (type == TypeId::Void) return Value::none();
    if (type == TypeId::Bool) return Value::ofConst(type, ConstValue::ofBool(false));
    if (isFloat(f.types, type)) return Value::ofConst(type, ConstValue::ofFloat(0));
    if (isPointerLike(f.types, type) || type == TypeId::Type || type == TypeId::Null)
        return Value::ofConst(type, ConstValue::null());
    if (isScalar(f.types, type))
        return Value::ofConst(type,
                              f.types.kind(type) == TypeKind::Optional ? ConstValue::null() : ConstValue::ofInt(0));
    Value zero = temp(f, type);
    emitZero(f.b, zero.id, type);
    return zero;
}

void storeDefault(Body& f, TypeId type, ValueId dest) {
    if (type == TypeId::Void) return;
    if (!f.types.isComplete(type) && !completeDeep(f.sema, type, f.b.span())) return;
    if (isScalar(f.types, type)) {
        store(f, dest, zeroValue(f, type));
        return;
    }
    if (f.types.kind(type) != TypeKind::Struct) {
        emitZero(f.b, dest, type);
        return;
    }
    // Declared defaults of its own fields; what lies between them is zeroed in one go each.
    std::vector<StructField> fields = f.types.structInfo(type).fields; // a default may make new types
    uint64_t zeroFrom = 0;
    auto zeroUpTo = [&](uint64_t end) {
        if (end > zeroFrom)
            emitZeroBytes(f.b, emitOffset(f.b, dest, zeroFrom, pointerTo(f.types, TypeId::U8)), end - zeroFrom);
    };
    for (unsigned i = 0; i < fields.size(); ++i) {
        const StructField& field = fields[i];
        if (!field.hasDefault || field.type == TypeId::Void) continue;
        zeroUpTo(field.offset);
        storeFieldDefault(f, type, i, emitOffset(f.b, dest, field.offset, pointerTo(f.types, field.type)));
        zeroFrom = field.offset + sizeOf(f.types, field.type);
    }
    zeroUpTo(sizeOf(f.types, type));
}

ValueId i64(Body& f, int64_t v) { return constInt(f.b, TypeId::I64, static_cast<uint64_t>(v)); }

Value stringValue(Body& f, llvm::StringRef text) {
    return Value::ofConst(TypeId::String, ConstValue::ofString(f.sema.internString(text)));
}

// ------------------------------------------------------------------------------------ run-time support

ValueId callRuntime(Body& f, const char* symbol, TypeId result, llvm::ArrayRef<TypeId> params,
                    llvm::ArrayRef<ValueId> args, bool noReturn) {
    ValueId value = emitCall(f.b, runtimeFunction(f.sema, symbol, result, params, noReturn), args);
    if (noReturn) emitUnreachable(f.b);
    return value;
}

void checkIndex(Body& f, ValueId index, ValueId length, Span at) {
    // As unsigned numbers, a negative index is beyond every length.
    ValueId bad = emitICmp(f.b, ir::ICmpPred::UGe, index, length);
    panicIf(f, bad, ir::PanicKind::Index, at, {index, length});
}

// ------------------------------------------------------------------------------------ locals and scopes

} // namespace sx::lower
