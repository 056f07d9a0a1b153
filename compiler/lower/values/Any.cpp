#include "lower/values/Any.h"

#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "ir/Ops.h"
#include "ir/TypeDescriptor.h"
#include "lower/body/Allocation.h"
#include "lower/body/Body.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/values/Conversions.h"
#include "lower/values/Optionals.h"
#include "sema/Constants.h"
#include "sema/ErrorSets.h"
#include "sema/Functions.h"
#include "sema/Nominal.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/Layout.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

namespace sx::lower {

using namespace ast;
using ir::Op;

namespace {

constexpr uint64_t TypeWord = 8; ///< after the pointer to the data

/// What a value is tagged with: integers of odd widths take the next width of 32 or 64 bits.
TypeId boxedType(const TypeTable& types, TypeId t) {
    if (!isInteger(types, t)) return t;
    unsigned bits = bitsOf(types, t);
    if (bits == 8 || bits == 16 || bits == 32 || bits == 64) return t;
    return integerType(bits <= 32 ? 32 : 64, types.isSigned(t));
}

ValueId loadAt(ir::Builder& b, ValueId address, uint64_t offset, TypeId type) {
    return emitLoad(b, type, emitOffset(b, address, offset, pointerTo(b.module().types, type)));
}

Value anyOf(Body& f, ValueId data, TypeId tag, ValueId dest) {
    TypeId pointer = pointerTo(f.types, TypeId::Void);
    Value any = temp(f, TypeId::Any, dest);
    emitStore(f.b, emitOffset(f.b, any.id, 0, pointerTo(f.types, pointer)),
              data == ValueId::None ? nullOf(f.b, pointer) : emitCast(f.b, Op::Reinterpret, data, pointer));
    emitStore(f.b, emitOffset(f.b, any.id, TypeWord, pointerTo(f.types, TypeId::Type)), typeHandle(f.b, tag));
    return any;
}

} // namespace

Value boxAny(Body& f, const Value& given, ValueId dest) {
    Value v = elementOf(f, given);
    if (v.kind == Value::Kind::Function && !requireValue(f, v, f.b.span())) return Value::error();
    if (v.isError() || v.type == TypeId::NoReturn || v.type == TypeId::Any) return v;
    if (v.isVoid()) return anyOf(f, ValueId::None, TypeId::Void, dest);
    if (v.type == TypeId::Null) v = Value::ofConst(pointerTo(f.types, TypeId::Void), ConstValue::null());
    if (f.types.kind(v.type) == TypeKind::Protocol) { // shown as the concrete value: its first two words
        Value any = temp(f, TypeId::Any, dest);
        emitCopy(f.b, any.id, addressOf(f, v), uint64_t{16});
        return any;
    }
    TypeId tag = boxedType(f.types, v.type);
    if (tag != v.type) v = Value::scalar(tag, castScalar(f, scalar(f, v), v.type, tag));
    return anyOf(f, addressOf(f, v), tag, dest); // an lvalue is borrowed, anything else spilled
}

Value unboxAny(Body& f, const Value& any, TypeId type) {
    if (any.isError()) return any;
    if (type == TypeId::Void) return Value::none();
    ValueId data = loadAt(f.b, addressOf(f, any), 0, pointerTo(f.types, type));
    Value v = Value::temporary(type, data);
    return isScalar(f.types, type) ? load(f, v) : copyToTemp(f, v);
}

// ------------------------------------------------------------------------------------ assertions

namespace {

/// Prints `type assertion failed at FILE:LINE: expected T, got U` to stdout and ends the program with status 1. While
/// compiling, and of a debugger's expression, it is the failure of what is evaluated.
void failAssertion(Body& f, ValueId actual, TypeId expected, Span at) {
    auto panic = [&] {
        auto address = [&](ValueId handle) { return emitCast(f.b, ir::Op::PtrToInt, handle, TypeId::I64); };
        emitPanic(f.b, ir::PanicKind::TypeAssertion, at, {address(typeHandle(f.b, expected)), address(actual)});
    };
    if (f.asks) return panic(); // the program goes on
    ir::BlockId compiling = f.b.newBlock(true), running = f.b.newBlock(true);
    emitCondBr(f.b, f.b.emit(ir::Op::IsComptime, TypeId::Bool, {}), compiling, running);
    f.b.setBlock(compiling);
    panic();
    f.b.setBlock(running);
    Location where = f.sema.sources.resolve(at.begin);
    std::string head = "type assertion failed at " + std::string(f.sema.sources.path(where.file)) + ":" +
                       std::to_string(where.line) + ": expected " + runtimeName(f.types, expected) + ", got ";
    TypeId bytes = manyPointerTo(f.types, TypeId::U8);
    auto write = [&](ValueId text, ValueId length) {
        Value descriptor = Value::ofConst(TypeId::I32, ConstValue::ofInt(1));
        callC(f, "write", TypeId::I64, {descriptor, Value::scalar(bytes, text), Value::scalar(TypeId::I64, length)},
              at);
    };
    auto writeText = [&](llvm::StringRef text) {
        write(globalAddr(f.b, stringGlobal(f.sema, text), bytes), i64(f, static_cast<int64_t>(text.size())));
    };
    writeText(head);
    write(loadAt(f.b, actual, ir::desc::NamePtr, bytes), loadAt(f.b, actual, ir::desc::NameLen, TypeId::I64));
    writeText("\n");
    callC(f, "_exit", TypeId::NoReturn, Value::ofConst(TypeId::I32, ConstValue::ofInt(1)), at);
}

/// The three outcomes of a checked assertion: a value or the end of the program, a failable, an optional.
class Assertion {
public:
    Assertion(Body& f, const Value& any, TypeId type, Span at) : f_(f), b_(f.b), any_(any), type_(type), at_(at) {
        ValueId words = addressOf(f, any);
        any_ = Value::temporary(TypeId::Any, words);
        actual_ = loadAt(b_, words, TypeWord, TypeId::Type);
        matches_ = emitICmp(b_, ir::ICmpPred::Eq, actual_, typeHandle(b_, type));
    }

    Value orStop() {
        BlockId good = b_.newBlock(), bad = b_.newBlock(true);
        emitCondBr(b_, emitNot(b_, matches_), bad, good, true);
        b_.setBlock(bad);
        failAssertion(f_, actual_, type_, at_);
        b_.setBlock(good);
        return unboxAny(f_, any_, type_);
    }

    Value orNull() {
        TypeId optional = optionalOf(f_.types, type_);
        ir::SlotId slot = b_.newSlot(optional);
        branches(
            false, [&] { store(f_, slotAddr(b_, slot), wrapOptional(f_, unboxAny(f_, any_, type_), optional)); },
            [&] { emitZero(b_, slotAddr(b_, slot), optional); });
        Value v = Value::temporary(optional, slotAddr(b_, slot));
        return isScalar(f_.types, optional) ? load(f_, v) : v;
    }

    Value orError() {
        FailableSlot result(f_, type_);
        orErrorInto(result);
        return result.value();
    }

    /// The result of an assertion that can fail, under construction.
    struct FailableSlot {
        FailableSlot(Body& f, TypeId success)
            : f(f), success(success), type(typeOf(f.types, success)), slot(f.b.newSlot(type)) {}
        static TypeId typeOf(TypeTable& types, TypeId success) {
            llvm::SmallVector<TupleField, 1> values;
            if (success != TypeId::Void) values.push_back({Name::None, success});
            return failableType(types, values, TypeId::InferredErrors);
        }
        uint32_t mismatch() { return f.types.tagId(f.sema.name("mismatch")); }
        void storeTag(uint32_t tag) {
            uint64_t offset = isErrorSet(f.types, type) ? 0 : fieldOffset(f.types, type, 1);
            emitStore(f.b, emitOffset(f.b, slotAddr(f.b, slot), offset, pointerTo(f.types, TypeId::InferredErrors)),
                      constInt(f.b, TypeId::InferredErrors, tag));
        }
        void storeValue(const Value& v) {
            store(f, emitOffset(f.b, slotAddr(f.b, slot), 0, pointerTo(f.types, success)), v);
        }
        Value value() {
            Value v = Value::temporary(type, slotAddr(f.b, slot));
            if (isScalar(f.types, type)) v = load(f, v);
            v.errors = newErrorNode(f.sema);
            v.errors->tags.push_back(mismatch());
            v.unmarkedFailable = true;
            return v;
        }
        Body& f;
        TypeId success, type;
        ir::SlotId slot;
    };

    /// `result` takes the type that is asserted, or an optional of it.
    void orErrorInto(FailableSlot& result) {
        branches(
            true,
            [&] {
                if (result.success != TypeId::Void) {
                    Value held = unboxAny(f_, any_, type_);
                    result.storeValue(result.success == type_ ? held : wrapOptional(f_, held, result.success));
                }
                result.storeTag(0);
            },
            [&] {
                result.storeTag(result.mismatch());
                traceRaise(f_, at_,
                           constInt(b_, TypeId::U32, result.mismatch())); // the assertion is where this error begins
            });
    }

private:
    template <typename Match, typename Mismatch> void branches(bool cold, Match match, Mismatch mismatch) {
        BlockId good = b_.newBlock(), bad = b_.newBlock(cold), join = b_.newBlock();
        emitCondBr(b_, emitNot(b_, matches_), bad, good, cold);
        b_.setBlock(good);
        match();
        emitBr(b_, join);
        b_.setBlock(bad);
        mismatch();
        emitBr(b_, join);
        b_.setBlock(join);
    }

    Body& f_;
    ir::Builder& b_;
    Value any_;
    TypeId type_;
    Span at_;
    ValueId actual_ = ValueId::None, matches_ = ValueId::None;
};

} // namespace

Value assertAny(Body& f, const Value& any, TypeId type, Span at, bool consumed, bool optionalResult) {
    if (any.isError()) return any;
    if (consumed && optionalResult && f.types.kind(type) == TypeKind::Optional)
        type = f.types.elem(type); // as written: `av.(?T)`
    bool isRaw = f.types.kind(type) == TypeKind::Struct && f.types.structInfo(type).name == "AnyRaw";
    if (isRaw && !optionalResult) { // the view itself
        Value raw = temp(f, type);
        emitCopy(f.b, raw.id, addressOf(f, any), uint64_t{16});
        return raw;
    }
    if (f.types.kind(type) == TypeKind::Protocol) {
        f.diags
            .error(at, "an `any` never holds a protocol value, so it cannot be asserted to be " +
                           withArticle(f.types, type))
            .help("assert the concrete type");
        return Value::error();
    }
    if (!f.types.isComplete(type) && !completeDeep(f.sema, type, at)) return Value::error();
    f.b.setSpan(at);
    Assertion assertion(f, any, type, at);
    if (optionalResult) return assertion.orNull();
    return consumed ? assertion.orError() : assertion.orStop();
}

Value assertPresentAny(Body& f, const Value& optional, TypeId type, Span at) {
    if (!f.types.isComplete(type) && !completeDeep(f.sema, type, at)) return Value::error();
    f.b.setSpan(at);
    Assertion::FailableSlot result(f, optionalOf(f.types, type));
    BlockId some = f.b.newBlock(), none = f.b.newBlock(), join = f.b.newBlock();
    emitCondBr(f.b, isPresent(f, optional), some, none);
    f.b.setBlock(some);
    Assertion(f, payloadOf(f, optional), type, at).orErrorInto(result);
    emitBr(f.b, join);
    f.b.setBlock(none);
    emitZero(f.b, slotAddr(f.b, result.slot), result.type);
    emitBr(f.b, join);
    f.b.setBlock(join);
    return result.value();
}

// ------------------------------------------------------------------------------------ numbers by their tag

namespace {

/// Builds `(data, type) -> number` for one kind of result: a switch over the category and the width in the tag.
class NumberReader {
public:
    NumberReader(ir::Builder& b, TypeId result)
        : b_(b), types_(b.module().types), result_(result), data_(b.param(0)), type_(b.param(1)) {}

    void build() {
        ValueId category = loadAt(b_, type_, ir::desc::Category, TypeId::I64);
        BlockId integers = b_.newBlock(), floats = b_.newBlock(), other = b_.newBlock();
        auto number = [](ir::TypeCategory c) { return static_cast<uint64_t>(c); };
        emitSwitch(b_, category, other,
                   {{number(ir::TypeCategory::Int), integers},
                    {number(ir::TypeCategory::Bool), integers},
                    {number(ir::TypeCategory::Enum), integers},
                    {number(ir::TypeCategory::TaggedEnum), integers},
                    {number(ir::TypeCategory::ErrorSet), integers},
                    {number(ir::TypeCategory::Float), floats}});
        b_.setBlock(integers);
        readInteger();
        b_.setBlock(floats);
        readFloat();
        b_.setBlock(other); // no number: the bits there
        emitRet(b_, loadAt(b_, data_, 0, result_));
    }

private:
    bool wantsFloat() const { return isFloat(types_, result_); }

    void retInteger(ValueId bits, ValueId isUnsigned) {
        if (!wantsFloat()) return emitRet(b_, emitCast(b_, Op::Reinterpret, bits, result_));
        ValueId fromUnsigned = emitCast(b_, Op::UIntToFloat, bits, result_),
                fromSigned = emitCast(b_, Op::SIntToFloat, bits, result_);
        emitRet(b_, emitSelect(b_, isUnsigned, fromUnsigned, fromSigned));
    }

    /// The bits as stored, extended from their width in the tag.
    void readInteger() {
        ValueId size = loadAt(b_, type_, ir::desc::Size, TypeId::I64);
        ValueId flags = loadAt(b_, type_, ir::desc::Flags, TypeId::I64);
        ValueId isUnsigned = emitICmp(b_, ir::ICmpPred::Ne,
                                      emitBinary(b_, Op::And, flags, constInt(b_, TypeId::I64, ir::desc::FlagUnsigned)),
                                      constInt(b_, TypeId::I64, 0));
        BlockId join = b_.newBlock(), wide = b_.newBlock();
        ValueId loaded = b_.blockParam(join, TypeId::I64);
        std::vector<std::pair<uint64_t, BlockId>> cases;
        for (unsigned bytes : {1u, 2u, 4u}) cases.push_back({bytes, b_.newBlock()});
        emitSwitch(b_, size, wide, cases);
        for (auto [bytes, block] : cases) {
            b_.setBlock(block);
            TypeId narrow = integerType(static_cast<unsigned>(bytes * 8), false);
            emitBr(b_, join, {emitCast(b_, Op::ZExt, loadAt(b_, data_, 0, narrow), TypeId::I64)});
        }
        b_.setBlock(wide);
        emitBr(b_, join, {loadAt(b_, data_, 0, TypeId::I64)});
        b_.setBlock(join);
        // `Bits` is 0 for a bool, which is stored as 0 or 1.
        ValueId bits = loadAt(b_, type_, ir::desc::Bits, TypeId::I64);
        ValueId known = emitBinary(b_, Op::And, emitICmp(b_, ir::ICmpPred::SGt, bits, constInt(b_, TypeId::I64, 0)),
                                   emitICmp(b_, ir::ICmpPred::SLt, bits, constInt(b_, TypeId::I64, 64)));
        ValueId unused = emitSelect(b_, known, emitBinary(b_, Op::Sub, constInt(b_, TypeId::I64, 64), bits),
                                    constInt(b_, TypeId::I64, 0));
        ValueId high = emitBinary(b_, Op::Shl, loaded, unused);
        ValueId extended =
            emitSelect(b_, isUnsigned, emitBinary(b_, Op::LShr, high, unused), emitBinary(b_, Op::AShr, high, unused));
        retInteger(extended, isUnsigned);
    }

    void retFloat(ValueId v) {
        if (wantsFloat()) return emitRet(b_, emitCast(b_, Op::FloatResize, v, result_));
        emitRet(b_, emitCast(b_, Op::Reinterpret, emitCast(b_, Op::FloatToSInt, v, TypeId::I64), result_));
    }

    void readFloat() {
        BlockId single = b_.newBlock(), full = b_.newBlock();
        emitCondBr(b_,
                   emitICmp(b_, ir::ICmpPred::Eq, loadAt(b_, type_, ir::desc::Size, TypeId::I64),
                            constInt(b_, TypeId::I64, 4)),
                   single, full);
        b_.setBlock(single);
        retFloat(loadAt(b_, data_, 0, TypeId::F32));
        b_.setBlock(full);
        retFloat(loadAt(b_, data_, 0, TypeId::F64));
    }

    ir::Builder& b_;
    TypeTable& types_;
    TypeId result_;
    ValueId data_, type_;
};

} // namespace

Value anyToNumber(Body& f, const Value& any, TypeId to) {
    if (any.isError()) return any;
    bool isFloat = sx::isFloat(f.types, to);
    TypeId pointer = pointerTo(f.types, TypeId::Void), read = isFloat ? TypeId::F64 : TypeId::I64;
    ir::FuncId reader = isFloat ? helperFunction(f.sema, "sx.any_to_float", {pointer, TypeId::Type}, read,
                                                 [](ir::Builder& at) { NumberReader(at, TypeId::F64).build(); })
                                : helperFunction(f.sema, "sx.any_to_int", {pointer, TypeId::Type}, read,
                                                 [](ir::Builder& at) { NumberReader(at, TypeId::I64).build(); });
    ValueId words = addressOf(f, any);
    ValueId number =
        emitCall(f.b, reader, {loadAt(f.b, words, 0, pointer), loadAt(f.b, words, TypeWord, TypeId::Type)});
    return Value::scalar(to, castScalar(f, number, read, to));
}

} // namespace sx::lower
