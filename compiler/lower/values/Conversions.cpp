#include "lower/values/Conversions.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "ir/Ops.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/values/Any.h"
#include "lower/values/BitConversions.h"
#include "lower/values/ConversionErrors.h"
#include "lower/values/Erasure.h"
#include "lower/values/Optionals.h"
#include "sema/Functions.h"
#include "sema/Impls.h"
#include "sema/Nominal.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "sema/model/Numbers.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/Layout.h"
#include "types/Parts.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

#include <cmath>

namespace sx::lower {

using namespace ast;

namespace {

enum class Step : uint8_t {
    Impossible,
    Same,
    Diverged, ///< control never gets here: any type will do
    Undef,    ///< `---`
    Null,
    Number,          ///< between integers, floats and (from) bools
    Wrap,            ///< T to ?T
    WrapConverted,   ///< X to ?T, where X converts to T
    MapOptional,     ///< ?A to ?B
    ViewArray,       ///< [N]T to []T
    ArrayPointer,    ///< [N]T to [*]T
    SlicePointer,    ///< []T to [*]T
    Text,            ///< a string literal to cstring or [*]u8
    Box,             ///< to any
    FunctionPointer, ///< a named function to a function pointer
    FunctionType,    ///< a function's name to its type
    Closure,         ///< a function to a closure, or between closures that fail differently
    Erase,           ///< a concrete value to a protocol value
    View,            ///< a concrete value or pointer to a *P
    Elements,        ///< between tuples, element by element
    Bits,            ///< the same bits: see passesBits
};

class StepFinder {
public:
    explicit StepFinder(Body& f) : f_(f), types_(f.types) {}

    Step find(const Value& v, TypeId to) {
        if (v.isError() || to == TypeId::None) return Step::Impossible;
        if (v.type == TypeId::NoReturn) return Step::Diverged;
        switch (v.kind) {
        case Value::Kind::Function: return function(v, to);
        case Value::Kind::Void: return to == TypeId::Void ? Step::Same : Step::Impossible;
        case Value::Kind::Scalar:
        case Value::Kind::Memory:
        case Value::Kind::Const:
        case Value::Kind::TypeName: break;
        case Value::Kind::Error:
        case Value::Kind::Method:
        case Value::Kind::Namespace:
        case Value::Kind::GenericStruct:
        case Value::Kind::Protocol:
        case Value::Kind::Pack: return Step::Impossible;
        }
        if (v.isConst() && v.constant.kind == ConstValue::Kind::Undef) return Step::Undef;
        if (v.type == to) return Step::Same;
        if (v.type == TypeId::Null) return nullable(to) ? Step::Null : Step::Impossible;
        if (to == TypeId::Any) return Step::Box;
        if (types_.kind(to) == TypeKind::Optional) return optional(v, to);
        return value(v, to);
    }

private:
    bool nullable(TypeId to) const { return isPointerLike(types_, to) || types_.kind(to) == TypeKind::Optional; }

    Step function(const Value& v, TypeId to) {
        switch (types_.kind(to)) {
        case TypeKind::Function: return Step::FunctionPointer;
        case TypeKind::Closure: return Step::Closure;
        case TypeKind::Any: return Step::Box;
        case TypeKind::Type:
            return v.function && !v.function->isGeneric && !v.function->isIntrinsic ? Step::FunctionType
                                                                                    : Step::Impossible;
        case TypeKind::Optional: {
            bool isOptional = types_.kind(types_.elem(to)) == TypeKind::Optional;
            return !isOptional && function(v, types_.elem(to)) != Step::Impossible ? Step::WrapConverted
                                                                                   : Step::Impossible;
        }
        case TypeKind::None:
        case TypeKind::Void:
        case TypeKind::NoReturn:
        case TypeKind::Bool:
        case TypeKind::Int:
        case TypeKind::Float:
        case TypeKind::String:
        case TypeKind::CString:
        case TypeKind::Null:
        case TypeKind::Pointer:
        case TypeKind::ManyPointer:
        case TypeKind::Slice:
        case TypeKind::Array:
        case TypeKind::Vector:
        case TypeKind::Tuple:
        case TypeKind::Struct:
        case TypeKind::Enum:
        case TypeKind::Union:
        case TypeKind::ErrorSet:
        case TypeKind::Protocol: break;
        }
        return Step::Impossible;
    }

    Step optional(const Value& v, TypeId to) {
        TypeId payload = types_.elem(to);
        if (v.type == payload) return Step::Wrap;
        if (types_.kind(v.type) == TypeKind::Optional) {
            Value inner = Value::temporary(types_.elem(v.type), ValueId::None); // a payload counts as an rvalue
            return find(inner, payload) != Step::Impossible ? Step::MapOptional : Step::Impossible;
        }
        return find(v, payload) != Step::Impossible ? Step::WrapConverted : Step::Impossible;
    }

    /// Neither side is null, undefined or any; the target is no optional.
    Step value(const Value& v, TypeId to) {
        TypeId from = v.type;
        TypeKind fk = types_.kind(from), tk = types_.kind(to);
        if (fk == TypeKind::Optional || fk == TypeKind::Any) return Step::Impossible; // never implicit
        if (tk == TypeKind::Protocol)
            return fk != TypeKind::Protocol && conforms(to, fk == TypeKind::Pointer ? types_.elem(from) : from)
                       ? Step::Erase
                       : Step::Impossible;
        if (fk == TypeKind::Protocol && !isViewOf(to, from)) return Step::Impossible;
        if (tk == TypeKind::Pointer && types_.kind(types_.elem(to)) == TypeKind::Protocol) return view(v, to);
        bool isNumber = fk == TypeKind::Int || fk == TypeKind::Float || fk == TypeKind::Bool;
        if (isNumber && isNumeric(types_, to)) return Step::Number;
        if (fk == TypeKind::Array && tk == TypeKind::Slice)
            return alike(f_.sema, types_.elem(from), types_.elem(to)) ? Step::ViewArray : Step::Impossible;
        if (tk == TypeKind::ManyPointer) {
            if (fk == TypeKind::Array && alike(f_.sema, types_.elem(from), types_.elem(to))) return Step::ArrayPointer;
            if (fk == TypeKind::Slice && alike(f_.sema, types_.elem(from), types_.elem(to))) return Step::SlicePointer;
            if (isText(v) && (types_.elem(to) == TypeId::U8 || types_.elem(to) == TypeId::I8)) return Step::Text;
        }
        if (tk == TypeKind::CString && isText(v)) return Step::Text;
        if (tk == TypeKind::Closure && fk == TypeKind::Function) return Step::Closure;
        if (tk == TypeKind::Closure && fk == TypeKind::Closure && closureNeedsAdapter(from, to)) return Step::Closure;
        if (tk == TypeKind::Tuple && hasElements(from)) return elements(from, to);
        return passesBits(f_, from, to) ? Step::Bits : Step::Impossible;
    }

    bool isText(const Value& v) const {
        return v.isConst() && v.type == TypeId::String && v.constant.kind == ConstValue::Kind::String && !v.symbol;
    }

    bool conforms(TypeId protocol, TypeId concrete) {
        std::string why;
        return sema::conforms(f_.sema, protocol, concrete, why);
    }

    bool isViewOf(TypeId to, TypeId protocol) const {
        return types_.kind(to) == TypeKind::Pointer && types_.elem(to) == protocol;
    }

    Step view(const Value& v, TypeId to) {
        TypeId protocol = types_.elem(to);
        if (types_.kind(v.type) == TypeKind::Pointer) {
            TypeId pointee = types_.elem(v.type);
            if (pointee == TypeId::Void) return Step::Bits;
            return conforms(protocol, pointee) ? Step::View : Step::Impossible;
        }
        return v.type != protocol && conforms(protocol, v.type) ? Step::View : Step::Impossible;
    }

    bool closureNeedsAdapter(TypeId from, TypeId to) const {
        TypeId a = types_.functionInfo(from).result, b = types_.functionInfo(to).result;
        return a != b && (isFailable(types_, a) || isFailable(types_, b));
    }

    bool hasElements(TypeId t) const {
        return types_.kind(t) == TypeKind::Tuple ||
               (types_.kind(t) == TypeKind::Struct && types_.structInfo(t).name.empty());
    }

    Step elements(TypeId from, TypeId to) {
        std::vector<Part> source = partsOf(types_, from), target = partsOf(types_, to);
        if (source.size() != target.size()) return Step::Impossible;
        for (size_t i = 0; i < source.size(); ++i)
            if (find(Value::temporary(source[i].type, ValueId::None), target[i].type) == Step::Impossible)
                return Step::Impossible;
        return Step::Elements;
    }

    Body& f_;
    TypeTable& types_;
};

Step stepFor(Body& f, const Value& v, TypeId to) { return StepFinder(f).find(v, to); }

/// A reference capture stays a pointer only where a pointer is wanted and its element is not.
bool readsAsElement(const Body& f, const Value& v, TypeId to) {
    if (!v.refCapture || to == v.type) return false;
    if (to == f.types.elem(v.type)) return true;
    TypeId wanted = f.types.kind(to) == TypeKind::Optional ? f.types.elem(to) : to;
    return !isPointerLike(f.types, wanted);
}

} // namespace

bool convertible(Body& f, const Value& value, TypeId to) {
    Value v = value;
    if (readsAsElement(f, v, to)) v = Value::place(f.types.elem(v.type), ValueId::None);
    if (v.symbol && f.narrowing.present.count(v.symbol) && f.types.kind(v.type) == TypeKind::Optional &&
        f.types.kind(to) != TypeKind::Optional && to != TypeId::Any)
        v = Value::place(f.types.elem(v.type), ValueId::None);
    return stepFor(f, v, to) != Step::Impossible;
}

Value foldFloatForTarget(Body& f, const Value& v, TypeId target, Span at) {
    if (!v.isConst() || !v.constant.isFloat() || f.modes.castOperand) return v;
    while (f.types.kind(target) == TypeKind::Optional) target = f.types.elem(target);
    if (!isInteger(f.types, target)) return v;
    if (std::trunc(v.constant.f) != v.constant.f) {
        f.diags
            .error(at, "the compile-time float " + std::to_string(v.constant.f) +
                           " is not a whole number, so it cannot become " + withArticle(f.types, target))
            .help("drop the fraction with `xx` or " + code(".(" + writtenName(f.types, target) + ")"));
        return Value::error();
    }
    __int128 whole = isWhole(v.constant.f) ? static_cast<__int128>(v.constant.f) : 0;
    if (!isWhole(v.constant.f) || !fits(intShape(f.types, target), whole)) {
        f.diags.error(at, "the compile-time float " + std::to_string(v.constant.f) + " is out of the range of " +
                              code(f.types, target));
        return Value::error();
    }
    return Value::ofConst(target, ConstValue::ofInt(whole));
}

// ------------------------------------------------------------------------------------ doing it

namespace {

/// Carries out one step; `v` needs no look-through any more.
class Converter {
public:
    Converter(Body& f, const Value& v, TypeId to, Span at, ValueId dest)
        : f_(f), types_(f.types), b_(f.b), v_(v), to_(to), at_(at), dest_(dest) {}

    Value run(Step step) {
        switch (step) {
        case Step::Impossible: conversionError(f_, v_, to_, at_); return Value::error();
        case Step::Same: return v_;
        case Step::Diverged:
        case Step::Undef: return to_ == TypeId::Void ? Value::none() : Value::ofConst(to_, ConstValue::undef());
        case Step::Null: return Value::ofConst(to_, ConstValue::null());
        case Step::Number: return number();
        case Step::Wrap: return wrapOptional(f_, v_, to_, dest_);
        case Step::WrapConverted: return wrapConverted();
        case Step::MapOptional: return mapOptional();
        case Step::ViewArray: return viewArray();
        case Step::ArrayPointer:
            return Value::scalar(to_, emitCast(b_, ir::Op::Reinterpret, addressOf(f_, ownStorage()), to_));
        case Step::SlicePointer: return Value::scalar(to_, emitLoad(b_, to_, addressOf(f_, v_)));
        case Step::Text: return Value::ofConst(to_, v_.constant);
        case Step::Box: return box();
        case Step::FunctionPointer: return v_.function ? functionValue(f_, *v_.function, at_, to_) : requireFunction();
        case Step::FunctionType: return functionType();
        case Step::Closure:
            return v_.kind == Value::Kind::Function && !v_.function ? requireFunction()
                                                                    : toClosure(f_, v_, to_, at_, dest_);
        case Step::Erase: return erase(f_, v_, to_, at_, false, nullptr, dest_);
        case Step::View: return eraseView(f_, v_, to_, at_);
        case Step::Elements: return elements();
        case Step::Bits: return bits();
        }
        return Value::error();
    }

    Value bits() {
        if (v_.isConst()) {
            if (std::optional<ConstValue> c = foldCast(types_, v_.constant, v_.type, to_))
                return Value::ofConst(to_, *c);
            bool carriesOver = v_.constant.kind == ConstValue::Kind::Null ||
                               v_.constant.kind == ConstValue::Kind::Data ||
                               (v_.constant.kind == ConstValue::Kind::String && !isScalar(types_, to_));
            if (carriesOver && (!isScalar(types_, to_) || isPointerLike(types_, to_))) return retyped(v_);
        }
        if (isScalar(types_, to_)) return Value::scalar(to_, castScalar(f_, scalar(f_, v_), v_.type, to_));
        Value source = v_;
        if (alignOf(types_, to_) > alignOf(types_, v_.type)) { // its storage may be less aligned than the type asks for
            source = temp(f_, to_, dest_);
            store(f_, source.id, v_);
        } else if (!source.isMemory()) {
            source = copyToTemp(f_, source);
        }
        return retyped(source);
    }

private:
    Value retyped(Value v) {
        v.type = to_;
        v.symbol = nullptr;
        v.untypedLiteral = false;
        if (v.isMemory()) v.id = emitCast(b_, ir::Op::Reinterpret, v.id, pointerTo(types_, to_));
        return v;
    }

    Value requireFunction() {
        Value v = v_;
        requireValue(f_, v, at_); // reports: an intrinsic has no address
        return Value::error();
    }

    Value functionType() {
        FunctionInstance* f = instance(f_.sema, *v_.function, {}, at_);
        if (!f || f->signatureFailed || resultOf(f_.sema, *f, at_) == TypeId::None) return Value::error();
        return Value::ofType(f->type);
    }

    Value number() {
        if (v_.isConst()) {
            bool mayMiss = v_.untypedLiteral && v_.constant.isInt() && isInteger(types_, to_) && !f_.modes.castOperand;
            if (mayMiss && !fits(intShape(types_, to_), v_.constant.i)) {
                f_.diags.error(at_, "the literal is out of the range of " + code(types_, to_))
                    .help("`xx` or " + code(".(" + writtenName(types_, to_) + ")") + " keeps its low bits");
                return Value::error();
            }
            if (v_.constant.isFloat() && isInteger(types_, to_) && !f_.modes.castOperand)
                return foldFloatForTarget(f_, v_, to_, at_);
            if (std::optional<ConstValue> c = foldCast(types_, v_.constant, v_.type, to_))
                return Value::ofConst(to_, *c);
        }
        return Value::scalar(to_, castScalar(f_, scalar(f_, v_), v_.type, to_));
    }

    Value wrapConverted() {
        Value payload = convert(f_, v_, types_.elem(to_), at_, isScalar(types_, to_) ? ValueId::None : dest_);
        return payload.isError() ? payload : wrapOptional(f_, payload, to_, dest_);
    }

    Value mapOptional() {
        ValueId present = isPresent(f_, v_);
        Value payload = payloadOf(f_, v_);
        payload.lvalue = false;
        BlockId some = b_.newBlock(), none = b_.newBlock(), join = b_.newBlock();
        bool isScalar = sx::isScalar(types_, to_);
        Value result = isScalar ? Value::scalar(to_, b_.blockParam(join, to_)) : temp(f_, to_, dest_);
        emitCondBr(b_, present, some, none);
        b_.setBlock(some);
        Value converted = convert(f_, payload, types_.elem(to_), at_);
        if (!converted.isError()) {
            Value wrapped = wrapOptional(f_, converted, to_, isScalar ? ValueId::None : result.id);
            if (isScalar) {
                emitBr(b_, join, {scalar(f_, wrapped)});
            } else {
                store(f_, result.id, wrapped);
                emitBr(b_, join);
            }
        } else if (f_.reachable()) {
            emitUnreachable(b_);
        }
        b_.setBlock(none);
        if (isScalar) {
            emitBr(b_, join, {nullOf(b_, to_)});
        } else {
            emitZero(b_, result.id, to_);
            emitBr(b_, join);
        }
        b_.setBlock(join);
        return converted.isError() ? converted : result;
    }

    /// The array itself if it is storage of its own; constants are copied, for a slice of them may be written.
    Value ownStorage() { return v_.isMemory() ? v_ : copyToTemp(f_, v_); }

    Value viewArray() {
        ValueId data = addressOf(f_, ownStorage());
        TypeId pointer = manyPointerTo(types_, types_.elem(to_));
        Value slice = temp(f_, to_, dest_);
        emitStore(b_, emitOffset(b_, slice.id, 0, pointerTo(types_, pointer)),
                  emitCast(b_, ir::Op::Reinterpret, data, pointer));
        emitStore(b_, emitOffset(b_, slice.id, 8, pointerTo(types_, TypeId::I64)),
                  i64(f_, static_cast<int64_t>(types_.count(v_.type))));
        return slice;
    }

    Value box() {
        Value v = v_;
        if (!requireValue(f_, v, at_)) return Value::error();
        return boxAny(f_, v, dest_);
    }

    Value elements() {
        std::vector<Part> source = partsOf(types_, v_.type), target = partsOf(types_, to_);
        Value from = v_;
        from.id = addressOf(f_, v_);
        from.kind = Value::Kind::Memory;
        from.constant = {};
        // Never built at `dest`: the source may be there.
        Value result = temp(f_, to_);
        for (size_t i = 0; i < source.size(); ++i) {
            Value part = fieldOf(f_, from, source[i].offset, source[i].type);
            part.lvalue = false;
            Value converted = convert(f_, part, target[i].type, at_);
            if (converted.isError()) return converted;
            store(f_, emitOffset(b_, result.id, target[i].offset, pointerTo(types_, target[i].type)), converted);
        }
        return result;
    }

    Body& f_;
    TypeTable& types_;
    ir::Builder& b_;
    const Value& v_;
    TypeId to_;
    Span at_;
    ValueId dest_;
};

} // namespace

Value convert(Body& f, const Value& value, TypeId to, Span at, ValueId dest) {
    if (value.isError() || to == TypeId::None) return value;
    Value v = value;
    if (readsAsElement(f, v, to)) v = elementOf(f, v);
    if (f.types.kind(to) != TypeKind::Optional && to != TypeId::Any) v = narrowedValue(f, v);
    if (!f.types.isComplete(to) && !completeDeep(f.sema, to, at)) return Value::error();
    Value result = Converter(f, v, to, at, dest).run(stepFor(f, v, to));
    if (isErrorSet(f.types, to) && !result.errors) result.errors = v.errors;
    return result;
}

Value wrapOptional(Body& f, const Value& v, TypeId optional, ValueId dest) {
    if (v.isError()) return v;
    if (v.isConst() && v.constant.kind == ConstValue::Kind::Undef) return Value::ofConst(optional, v.constant);
    if (isScalar(f.types, optional))
        return Value::scalar(optional, emitCast(f.b, ir::Op::Reinterpret, scalar(f, v), optional));
    if (absence(f.types, optional) == Absence::NullWord) { // closures and protocol values: the same words
        Value same = v;
        same.id = addressOf(f, v);
        if (dest != ValueId::None) {
            store(f, dest, v);
            return Value::temporary(optional, dest);
        }
        same.kind = Value::Kind::Memory;
        same.type = optional;
        same.symbol = nullptr;
        same.id = emitCast(f.b, ir::Op::Reinterpret, same.id, pointerTo(f.types, optional));
        return same;
    }
    Value result = temp(f, optional, dest);
    if (!(v.isMemory() && v.id == result.id)) store(f, result.id, v);
    emitStore(f.b, emitOffset(f.b, result.id, optionalFlagOffset(f.types, optional), pointerTo(f.types, TypeId::U8)),
              constInt(f.b, TypeId::U8, 1));
    return result;
}

ValueId castScalar(Body& f, ValueId v, TypeId from, TypeId to) {
    using ir::Op;
    using ir::ValueClass;
    if (from == to) return v;
    ValueClass fc = ir::classOf(f.types, from), tc = ir::classOf(f.types, to);
    auto resized = [&](ValueId value, TypeId source, TypeId target) {
        unsigned have = ir::valueBits(f.types, source), want = ir::valueBits(f.types, target);
        if (want < have) return emitCast(f.b, Op::Trunc, value, target);
        if (want == have) return emitCast(f.b, Op::Reinterpret, value, target);
        return emitCast(f.b, intShape(f.types, source).isSigned ? Op::SExt : Op::ZExt, value, target);
    };
    if (fc == ValueClass::Bool && tc != ValueClass::Bool) { // 0 or 1
        TypeId word = TypeId::U64;
        v = emitCast(f.b, Op::ZExt, v, word);
        from = word;
        fc = ValueClass::Int;
    }
    switch (tc) {
    case ValueClass::Bool:
        if (fc == ValueClass::Int) return emitCast(f.b, Op::IntToBool, v, to);
        if (fc == ValueClass::Float) return emitFCmp(f.b, ir::FCmpPred::Ne, v, constFloat(f.b, from, 0));
        if (fc == ValueClass::Pointer) return emitICmp(f.b, ir::ICmpPred::Ne, v, nullOf(f.b, from));
        return v;
    case ValueClass::Int:
        if (fc == ValueClass::Int) return resized(v, from, to);
        if (fc == ValueClass::Float)
            return emitCast(f.b, intShape(f.types, to).isSigned ? Op::FloatToSInt : Op::FloatToUInt, v, to);
        return resized(emitCast(f.b, Op::PtrToInt, v, TypeId::U64), TypeId::U64, to);
    case ValueClass::Float:
        if (fc == ValueClass::Int)
            return emitCast(f.b, intShape(f.types, from).isSigned ? Op::SIntToFloat : Op::UIntToFloat, v, to);
        if (fc == ValueClass::Float) return emitCast(f.b, Op::FloatResize, v, to);
        v = emitCast(f.b, Op::PtrToInt, v, TypeId::U64);
        return emitCast(f.b, Op::Reinterpret, resized(v, TypeId::U64, integerType(bitsOf(f.types, to), false)), to);
    case ValueClass::Pointer:
        if (fc == ValueClass::Pointer) return emitCast(f.b, Op::Reinterpret, v, to);
        if (fc == ValueClass::Float) {
            from = integerType(bitsOf(f.types, from), false);
            v = emitCast(f.b, Op::Reinterpret, v, from);
        }
        return emitCast(f.b, Op::IntToPtr,
                        resized(v, from, intShape(f.types, from).isSigned ? TypeId::I64 : TypeId::U64), to);
    case ValueClass::None: break;
    }
    return v;
}

// ------------------------------------------------------------------------------------ unification

TypeId unify(Body& f, const Value& a, TypeId other) {
    TypeId t = a.type;
    if (a.kind == Value::Kind::Function && a.function && !a.function->isGeneric)
        if (FunctionInstance* function = instance(f.sema, *a.function)) t = function->type;
    if (t == other || other == TypeId::None || other == TypeId::NoReturn) return t;
    if (t == TypeId::NoReturn || t == TypeId::None) return other;
    if (t == TypeId::Null || other == TypeId::Null) { // one null branch makes the whole optional
        TypeId present = t == TypeId::Null ? other : t;
        if (present == TypeId::Void) return TypeId::None;
        return f.types.kind(present) == TypeKind::Optional ? present : optionalOf(f.types, present);
    }
    if (f.types.kind(t) == TypeKind::Optional && f.types.elem(t) == other) return t;
    if (f.types.kind(other) == TypeKind::Optional && f.types.elem(other) == t) return other;
    if (isNumeric(f.types, t) && isNumeric(f.types, other)) {
        if (isFloat(f.types, t) != isFloat(f.types, other)) return isFloat(f.types, t) ? t : other;
        return bitsOf(f.types, t) > bitsOf(f.types, other) ? t : other;
    }
    if (isErrorSet(f.types, t) && isErrorSet(f.types, other)) return TypeId::InferredErrors;
    if (canonical(f.sema, t) == canonical(f.sema, other)) return other;
    return TypeId::None;
}

} // namespace sx::lower
