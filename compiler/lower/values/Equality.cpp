#include "lower/values/Equality.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/values/Optionals.h"
#include "sema/Constants.h"
#include "sema/Nominal.h"
#include "sema/Wording.h"
#include "sema/model/Numbers.h"
#include "types/Derived.h"
#include "types/Parts.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

namespace {

/// Why values of a type cannot be compared: the type that has no equality, and the field that holds it.
struct Obstacle {
    TypeId type{};
    std::string path; ///< `a.b` inside the compared type; "": the type itself
    Span declared;    ///< the field, if its declaration is known
};

Span fieldSpan(Sema& sema, TypeId structType, unsigned index) {
    NominalInfo* info = nominal(sema, structType);
    const auto* decl = info ? llvm::dyn_cast_or_null<StructDecl>(info->decl) : nullptr;
    if (!decl) return {};
    Name wanted = sema.types.structInfo(structType).fields[index].name;
    for (const MemberDecl& m : decl->members)
        if (m.kind == MemberKind::Field && m.field.name.name == wanted) return m.field.name.span;
    return decl->name.span;
}

class EqualityCheck {
public:
    explicit EqualityCheck(Sema& sema) : sema_(sema), types_(sema.types) {}

    std::optional<Obstacle> find(TypeId t) {
        switch (types_.kind(t)) {
        case TypeKind::Void:
        case TypeKind::NoReturn:
        case TypeKind::Bool:
        case TypeKind::Int:
        case TypeKind::Float:
        case TypeKind::String:
        case TypeKind::CString:
        case TypeKind::Type:
        case TypeKind::Null:
        case TypeKind::Pointer:
        case TypeKind::ManyPointer:
        case TypeKind::Slice:
        case TypeKind::Enum:
        case TypeKind::ErrorSet:
        case TypeKind::Protocol:
        case TypeKind::None: return std::nullopt;
        case TypeKind::Any:
        case TypeKind::Array:
        case TypeKind::Vector:
        case TypeKind::Function:
        case TypeKind::Closure:
        case TypeKind::Union: return Obstacle{t, {}, {}};
        case TypeKind::Optional: return find(types_.elem(t));
        case TypeKind::Tuple: return inTuple(t);
        case TypeKind::Struct: return inStruct(t);
        }
        return std::nullopt;
    }

private:
    std::optional<Obstacle> inTuple(TypeId t) {
        std::vector<TupleField> fields(types_.tupleFields(t).begin(), types_.tupleFields(t).end());
        for (size_t i = 0; i < fields.size(); ++i)
            if (std::optional<Obstacle> o = find(fields[i].type))
                return within(*o, fields[i].name == Name::None ? std::to_string(i) : sema_.text(fields[i].name));
        return std::nullopt;
    }

    std::optional<Obstacle> inStruct(TypeId t) {
        complete(sema_, t);
        std::vector<StructField> fields = types_.structInfo(t).fields;
        for (unsigned i = 0; i < fields.size(); ++i)
            if (std::optional<Obstacle> o = find(fields[i].type)) {
                if (!o->declared.isValid()) o->declared = fieldSpan(sema_, t, i);
                return within(*o, sema_.text(fields[i].name));
            }
        return std::nullopt;
    }

    static Obstacle within(Obstacle o, const std::string& field) {
        o.path = o.path.empty() ? field : field + "." + o.path;
        return o;
    }

    Sema& sema_;
    TypeTable& types_;
};

const char* wayOut(const TypeTable& types, TypeId t) {
    if (types.kind(t) == TypeKind::Union) return "compare one of its members";
    if (types.kind(t) == TypeKind::Any)
        return "compare types with `type_of(…)`, or take the value out with `.(T)` first";
    if (isOneOf(types, t, TypeKind::Array, TypeKind::Vector)) return "compare the elements";
    if (isOneOf(types, t, TypeKind::Function, TypeKind::Closure)) return "functions and closures have no equality";
    return "compare the parts";
}

/// Emits the comparison of two values of one type that has equality.
class EqualityEmitter {
public:
    explicit EqualityEmitter(Body& f) : f_(f), types_(f.types), b_(f.b) {}

    ValueId emit(const Value& l, const Value& r) {
        TypeId t = l.type;
        switch (types_.kind(t)) {
        case TypeKind::Float: return emitFCmp(b_, ir::FCmpPred::Eq, scalar(f_, l), scalar(f_, r));
        case TypeKind::Bool:
        case TypeKind::Int:
        case TypeKind::ErrorSet:
        case TypeKind::CString:
        case TypeKind::Type:
        case TypeKind::Null:
        case TypeKind::Pointer:
        case TypeKind::ManyPointer:
        case TypeKind::Function: return emitICmp(b_, ir::ICmpPred::Eq, scalar(f_, l), scalar(f_, r));
        case TypeKind::String: return strings(textOf(l), textOf(r));
        case TypeKind::Slice: return words(l, r, {{0, pointerTo(types_, TypeId::Void)}, {8, TypeId::I64}});
        case TypeKind::Protocol: return words(l, r, {{0, pointerTo(types_, TypeId::Void)}}); // identity of the object
        case TypeKind::Enum: {
            if (isPlainEnum(types_, t)) return emitICmp(b_, ir::ICmpPred::Eq, scalar(f_, l), scalar(f_, r));
            return words(l, r, {{0, types_.enumInfo(t).backing}}); // the tags; payloads do not count
        }
        case TypeKind::Optional: return optionals(l, r);
        case TypeKind::Struct:
        case TypeKind::Tuple: return parts(l, r);
        case TypeKind::None:
        case TypeKind::Void:
        case TypeKind::NoReturn:
        case TypeKind::Any:
        case TypeKind::Array:
        case TypeKind::Vector:
        case TypeKind::Closure:
        case TypeKind::Union: break;
        }
        return constBool(b_, true);
    }

private:
    ValueId loadAt(ValueId base, uint64_t offset, TypeId type) {
        return emitLoad(b_, type, emitOffset(b_, base, offset, pointerTo(types_, type)));
    }

    ValueId words(const Value& l, const Value& r, llvm::ArrayRef<std::pair<uint64_t, TypeId>> which) {
        ValueId x = addressOf(f_, l), y = addressOf(f_, r), all = ValueId::None;
        for (auto [offset, type] : which) {
            ValueId same = emitICmp(b_, ir::ICmpPred::Eq, loadAt(x, offset, type), loadAt(y, offset, type));
            all = all == ValueId::None ? same : emitBinary(b_, ir::Op::And, all, same);
        }
        return all;
    }

    struct Text {
        ValueId bytes, length;
    };

    Text textOf(const Value& v) {
        TypeId bytes = manyPointerTo(types_, TypeId::U8);
        if (v.isConst() && v.constant.kind == ConstValue::Kind::String)
            return {globalAddr(b_, stringGlobal(f_.sema, v.constant.s), bytes),
                    i64(f_, static_cast<int64_t>(v.constant.s.size()))};
        ValueId address = addressOf(f_, v);
        return {loadAt(address, 0, bytes), loadAt(address, 8, TypeId::I64)};
    }

    /// Same length, then same bytes: none are looked at where the lengths differ.
    ValueId strings(Text x, Text y) {
        ValueId sameLength = emitICmp(b_, ir::ICmpPred::Eq, x.length, y.length);
        ValueId count = emitSelect(b_, sameLength, x.length, i64(f_, 0));
        return emitBinary(b_, ir::Op::And, sameLength, emitMemEq(b_, x.bytes, y.bytes, count));
    }

    /// Both null, or both present with equal payloads.
    ValueId optionals(const Value& l, const Value& r) {
        if (isScalar(types_, l.type)) return emitICmp(b_, ir::ICmpPred::Eq, scalar(f_, l), scalar(f_, r));
        Value left = Value::temporary(l.type, addressOf(f_, l)), right = Value::temporary(r.type, addressOf(f_, r));
        ValueId x = isPresent(f_, left), y = isPresent(f_, right);
        ValueId both = emitBinary(b_, ir::Op::And, x, y), neither = emitNot(b_, emitBinary(b_, ir::Op::Or, x, y));
        BlockId payloads = b_.newBlock(), join = b_.newBlock();
        ValueId equal = b_.blockParam(join, TypeId::Bool);
        emitCondBr(b_, both, payloads, {}, join, {neither});
        b_.setBlock(payloads);
        ValueId same = emit(payloadOf(f_, left), payloadOf(f_, right));
        emitBr(b_, join, {same});
        b_.setBlock(join);
        return equal;
    }

    ValueId parts(const Value& l, const Value& r) {
        Value left = Value::temporary(l.type, addressOf(f_, l)), right = Value::temporary(r.type, addressOf(f_, r));
        ValueId all = ValueId::None;
        for (const Part& part : partsOf(types_, l.type)) {
            if (part.type == TypeId::Void) continue;
            ValueId same = emit(fieldOf(f_, left, part.offset, part.type), fieldOf(f_, right, part.offset, part.type));
            all = all == ValueId::None ? same : emitBinary(b_, ir::Op::And, all, same);
        }
        return all == ValueId::None ? constBool(b_, true) : all;
    }

    Body& f_;
    TypeTable& types_;
    ir::Builder& b_;
};

} // namespace

ValueId equalValues(Body& f, const Value& l, const Value& r, Span lhsAt, Span) {
    if (std::optional<Obstacle> o = EqualityCheck(f.sema).find(l.type)) {
        bool isPart = !o->path.empty() || o->type != l.type;
        std::string text = isPart && !o->path.empty() ? code(f.types, l.type) + " has no equality, because its field " +
                                                            code(o->path) + " is " + withArticle(f.types, o->type)
                                                      : withArticle(f.types, o->type) + " has no equality";
        Diagnostic& d = f.diags.error(lhsAt, text);
        d.note(o->declared.isValid() ? o->declared : lhsAt, std::string(wayOut(f.types, o->type)));
        return ValueId::None;
    }
    return EqualityEmitter(f).emit(l, r);
}

} // namespace sx::lower
