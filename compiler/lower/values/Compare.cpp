#include "lower/values/Compare.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Explain.h"
#include "lower/body/NullChecks.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/values/Conversions.h"
#include "lower/values/Elementwise.h"
#include "lower/values/Equality.h"
#include "lower/values/Optionals.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "sema/model/Numbers.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Parts.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

namespace {

bool isEquality(BinaryOp op) { return op == BinaryOp::Eq || op == BinaryOp::Ne; }
bool isNullConst(const Value& v) { return v.isConst() && v.constant.kind == ConstValue::Kind::Null; }
Value boolean(ValueId id) { return Value::scalar(TypeId::Bool, id); }
Value boolean(bool b) { return Value::ofConst(TypeId::Bool, ConstValue::ofBool(b)); }

// clang-format off
#define COMPARE_OP(name, token, level, symbol, signedPred, unsignedPred, floatPred) \
    case BinaryOp::name: return isSigned ? ir::ICmpPred::signedPred : ir::ICmpPred::unsignedPred;
// clang-format on
ir::ICmpPred intPredicate(BinaryOp op, bool isSigned) {
    switch (op) {
#include "syntax/Operators.def"
    default: llvm_unreachable("not a comparison");
    }
}

// clang-format off
#define COMPARE_OP(name, token, level, symbol, signedPred, unsignedPred, floatPred) \
    case BinaryOp::name: return ir::FCmpPred::floatPred;
// clang-format on
ir::FCmpPred floatPredicate(BinaryOp op) {
    switch (op) {
#include "syntax/Operators.def"
    default: llvm_unreachable("not a comparison");
    }
}

/// Compares two operands. Each case returns a value, an error after a report, or nullopt: not its business.
class Comparison {
public:
    Comparison(Body& f, BinaryOp op, Span lhsAt, Span rhsAt, Span whole)
        : f_(f), types_(f.types), b_(f.b), op_(op), lhsAt_(lhsAt), rhsAt_(rhsAt), whole_(whole) {}

    Value run(Value l, Value r) {
        if (l.type == TypeId::NoReturn || r.type == TypeId::NoReturn) return Value::diverged();
        if (l.type == TypeId::Any || r.type == TypeId::Any) return anyOperand();
        if (isNullConst(l) || isNullConst(r)) return withNull(l, r);
        TypeKind lk = types_.kind(l.type), rk = types_.kind(r.type);
        if (lk == TypeKind::Optional || rk == TypeKind::Optional) return optionals(l, r);
        if (l.type == TypeId::Type || r.type == TypeId::Type) return typeValues(l, r);
        if (isNumberLike(l.type) && isNumberLike(r.type)) return numbers(l, r);
        if (lk == TypeKind::Vector || rk == TypeKind::Vector)
            return isPart_ ? vectorPart(lk == TypeKind::Vector ? l : r) : vectors(l, r);
        if (isAddress(l.type) && isAddress(r.type)) return addresses(l, r);
        if (lk == TypeKind::ErrorSet || rk == TypeKind::ErrorSet) return errorValues(l, r);
        if (lk == TypeKind::Enum || rk == TypeKind::Enum) return enums(l, r);
        if (isTupleLike(types_, l.type) || isTupleLike(types_, r.type)) return tuples(l, r);
        if (!isEquality(op_)) return unsuitable(l, r);
        if (!areSame(l.type, r.type)) return distinct(l, r);
        if (l.type == TypeId::String && l.isConst() && r.isConst())
            return boolean(foldComparison(op_, l.constant, r.constant));
        return equality(l, r);
    }

private:
    bool isNumberLike(TypeId t) const { return isNumeric(types_, t) || t == TypeId::Bool; }
    bool isAddress(TypeId t) const {
        TypeKind k = types_.kind(t);
        return k == TypeKind::Pointer || k == TypeKind::ManyPointer || k == TypeKind::CString;
    }
    /// An alias counts as what it names.
    bool areSame(TypeId a, TypeId b) const { return a == b || canonical(f_.sema, a) == canonical(f_.sema, b); }
    std::string operatorText() const { return code(spelling(op_)); }

    Value unsuitable(const Value& l, const Value& r) {
        std::string text = l.type == r.type ? withArticle(types_, l.type) + " cannot be compared with " + operatorText()
                                            : withArticle(types_, l.type) + " and " + withArticle(types_, r.type) +
                                                  " cannot be compared with " + operatorText();
        size_t before = f_.diags.all().size();
        Diagnostic& d = f_.diags.error(lhsAt_, text);
        if (l.type == TypeId::String && r.type == TypeId::String) d.help("strings have no order, only `==` and `!=`");
        else if (isInteger(types_, l.type) && r.isConst() && r.constant.kind == ConstValue::Kind::String &&
                 r.constant.s.size() == 1)
            d.help("a character stands in single quotes: " + code("'" + r.constant.s.str() + "'"));
        explainResults(f_, before, l);
        explainResults(f_, before, r);
        return Value::error();
    }

    Value distinct(const Value& l, const Value& r) {
        bool structs = types_.kind(l.type) == TypeKind::Struct && types_.kind(r.type) == TypeKind::Struct;
        if (!structs) return unsuitable(l, r);
        f_.diags.error(rhsAt_, "this is " + withArticle(types_, r.type) + ", and it is compared with " +
                                   withArticle(types_, l.type) + ": structs of different types are never equal");
        return Value::error();
    }

    Value anyOperand() {
        f_.diags.error(whole_, "an `any` has no equality: what it holds may be of any type")
            .help("compare types with `type_of(…)`, or take the value out with `.(T)` first");
        return Value::error();
    }

    Value negatedIfNe(ValueId equal) { return boolean(op_ == BinaryOp::Ne ? emitNot(b_, equal) : equal); }

    Value equality(const Value& l, const Value& r) {
        ValueId equal = equalValues(f_, l, r, lhsAt_, rhsAt_);
        return equal == ValueId::None ? Value::error() : negatedIfNe(equal);
    }

    // ---- null and optionals

    Value withNull(const Value& l, const Value& r) {
        const Value& other = isNullConst(l) ? r : l;
        if (!isEquality(op_)) return unsuitable(l, r);
        if (isNullConst(other)) return boolean(op_ == BinaryOp::Eq);
        if (!isPointerLike(types_, other.type) && types_.kind(other.type) != TypeKind::Optional) {
            f_.diags.error(lhsAt_, withArticle(types_, other.type) + " is never `null`")
                .help(isErrorSet(types_, other.type) ? "an error value is tested by itself: `if err { … }`"
                                                     : "only pointers and optionals can be");
            return Value::error();
        }
        if (types_.kind(other.type) == TypeKind::Optional) {
            ValueId present = isPresent(f_, other);
            return boolean(op_ == BinaryOp::Ne ? present : emitNot(b_, present));
        }
        return boolean(emitICmp(b_, op_ == BinaryOp::Eq ? ir::ICmpPred::Eq : ir::ICmpPred::Ne, scalar(f_, other),
                                nullOf(b_, other.type)));
    }

    Value optionals(const Value& l, const Value& r) {
        bool left = types_.kind(l.type) == TypeKind::Optional, right = types_.kind(r.type) == TypeKind::Optional;
        if (!isEquality(op_)) {
            const Value& v = left ? l : r;
            f_.diags
                .error(left ? lhsAt_ : rhsAt_,
                       operatorText() + " needs the payload of this " + code(types_, v.type) + ", which may be null")
                .help("unwrap it with `!`, or give a default with `??`");
            return Value::error();
        }
        if (left && right && !areSame(types_.elem(l.type), types_.elem(r.type))) {
            f_.diags.error(rhsAt_, withArticle(types_, r.type) + " is not compared with " +
                                       withArticle(types_, l.type) + ": optionals of different types are never equal");
            return Value::error();
        }
        if (left && right) return equality(l, r);
        // One side is a plain value: false where the other is null, else payload against value.
        const Value& optional = left ? l : r;
        ValueId present = isPresent(f_, optional);
        Value payload = payloadOf(f_, optional);
        BlockId some = b_.newBlock(), join = b_.newBlock();
        ValueId equal = b_.blockParam(join, TypeId::Bool);
        emitCondBr(b_, present, some, {}, join, {constBool(b_, false)});
        b_.setBlock(some);
        Comparison inner = ofPart(BinaryOp::Eq);
        Value same = left ? inner.run(payload, r) : inner.run(l, payload);
        if (same.isError()) emitUnreachable(b_);
        else emitBr(b_, join, {scalar(f_, same)});
        b_.setBlock(join);
        return same.isError() ? same : negatedIfNe(equal);
    }

    // ---- scalars

    Value numbers(const Value& l, const Value& r) {
        TypeId type = commonType(l.type, r.type);
        if (l.isConst() && r.isConst()) {
            std::optional<ConstValue> a = foldCast(types_, l.constant, l.type, type),
                                      c = foldCast(types_, r.constant, r.type, type);
            if (a && c) return boolean(foldComparison(op_, *a, *c));
        }
        ValueId x = castScalar(f_, scalar(f_, l), l.type, type), y = castScalar(f_, scalar(f_, r), r.type, type);
        return compareScalars(type, x, y);
    }

    Value compareScalars(TypeId type, ValueId x, ValueId y) {
        if (isFloat(types_, type)) return boolean(emitFCmp(b_, floatPredicate(op_), x, y));
        return boolean(emitICmp(b_, intPredicate(op_, intShape(types_, type).isSigned), x, y));
    }

    /// Where two numbers meet: a float wins over an integer, the left of two floats; integers by width.
    TypeId commonType(TypeId l, TypeId r) const {
        if (isFloat(types_, l)) return l;
        if (isFloat(types_, r)) return r;
        if (l == TypeId::Bool && r == TypeId::Bool) return l;
        if (l == TypeId::Bool || r == TypeId::Bool) return l == TypeId::Bool ? r : l;
        return comparisonType(types_, l, r);
    }

    Value addresses(const Value& l, const Value& r) {
        TypeId pointer = pointerTo(types_, TypeId::Void);
        ValueId x = castScalar(f_, scalar(f_, l), l.type, pointer), y = castScalar(f_, scalar(f_, r), r.type, pointer);
        return boolean(emitICmp(b_, intPredicate(op_, false), x, y));
    }

    Value typeValues(const Value& l, const Value& r) {
        if (l.type != r.type || !isEquality(op_)) return unsuitable(l, r);
        if (l.isTypeName() && r.isTypeName()) return boolean((l.namedType == r.namedType) == (op_ == BinaryOp::Eq));
        return boolean(
            emitICmp(b_, op_ == BinaryOp::Eq ? ir::ICmpPred::Eq : ir::ICmpPred::Ne, scalar(f_, l), scalar(f_, r)));
    }

    Value errorValues(const Value& l, const Value& r) {
        if (l.type == r.type || (isErrorSet(types_, l.type) && isErrorSet(types_, r.type))) {
            if (!isEquality(op_)) return unsuitable(l, r);
            if (l.isConst() && r.isConst()) return boolean(foldComparison(op_, l.constant, r.constant));
            return boolean(emitICmp(b_, intPredicate(op_, false), castScalar(f_, scalar(f_, l), l.type, TypeId::U32),
                                    castScalar(f_, scalar(f_, r), r.type, TypeId::U32)));
        }
        f_.diags
            .error(lhsAt_, withArticle(types_, l.type) + " and " + withArticle(types_, r.type) +
                               " cannot be compared: an error value is compared with another one or with `error.Name`")
            .help("its number is `xx e` or `e.(i64)`");
        return Value::error();
    }

    // ---- enums

    Value enums(const Value& l, const Value& r) {
        if (!areSame(l.type, r.type)) return unsuitable(l, r);
        if (isTaggedEnum(types_, l.type)) {
            if (!isEquality(op_)) return unsuitable(l, r);
            return equality(l, r); // tags only
        }
        if (l.isConst() && r.isConst()) {
            auto value = [&](const Value& v) {
                return ConstValue::ofInt(wrapTo(intShape(types_, v.type), v.constant.i));
            };
            return boolean(foldComparison(op_, value(l), value(r)));
        }
        return compareScalars(l.type, scalar(f_, l), scalar(f_, r));
    }

    // ---- element by element

    /// A comparison of parts, whose outcome is one `bool`.
    Comparison ofPart(BinaryOp op) const {
        Comparison part(f_, op, lhsAt_, rhsAt_, whole_);
        part.isPart_ = true;
        return part;
    }

    Value vectorPart(const Value& v) {
        f_.diags
            .error(lhsAt_, "what holds " + withArticle(types_, v.type) +
                               " cannot be compared: a comparison of vectors yields a vector")
            .help("compare the elements");
        return Value::error();
    }

    Value vectors(const Value& l, const Value& r) {
        if (!isEquality(op_)) return unsuitable(l, r);
        bool left = types_.kind(l.type) == TypeKind::Vector, right = types_.kind(r.type) == TypeKind::Vector;
        TypeId le = left ? types_.elem(l.type) : l.type, re = right ? types_.elem(r.type) : r.type;
        bool sameLanes = !(left && right) || types_.count(l.type) == types_.count(r.type);
        if (!sameLanes || !isNumberLike(le) || !isNumberLike(re)) return unsuitable(l, r);
        uint64_t lanes = types_.count(left ? l.type : r.type);
        TypeId type = commonType(le, re), bools = vectorOf(types_, lanes, TypeId::Bool);
        ValueId x = left ? addressOf(f_, l) : scalar(f_, l), y = right ? addressOf(f_, r) : scalar(f_, r);
        Value result = temp(f_, bools);
        forEachLane(f_, lanes, [&](ValueId index) {
            auto lane = [&](ValueId v, bool isVector, TypeId elem) {
                if (isVector)
                    v = emitLoad(b_, elem, emitIndex(b_, v, index, sizeOf(types_, elem), pointerTo(types_, elem)));
                return castScalar(f_, v, elem, type);
            };
            ValueId a = lane(x, left, le), c = lane(y, right, re);
            emitStore(b_, emitIndex(b_, result.id, index, 1, pointerTo(types_, TypeId::Bool)),
                      scalar(f_, compareScalars(type, a, c)));
        });
        return result;
    }

    Value tuples(Value l, Value r) {
        auto onlyPart = [&](const Value& v) { return partsOf(types_, v.type).size() == 1; };
        // A 1-tuple stands for its element against a scalar.
        if (!isTupleLike(types_, r.type) && types_.kind(l.type) == TypeKind::Tuple && onlyPart(l))
            return run(partOf(l, 0), r);
        if (!isTupleLike(types_, l.type) && types_.kind(r.type) == TypeKind::Tuple && onlyPart(r))
            return run(l, partOf(r, 0));
        if (!isTupleLike(types_, l.type) || !isTupleLike(types_, r.type)) return unsuitable(l, r);
        size_t count = partsOf(types_, l.type).size();
        if (count != partsOf(types_, r.type).size()) {
            f_.diags.error(rhsAt_, withArticle(types_, r.type) + " is compared with " + withArticle(types_, l.type) +
                                       ", which has a different number of elements");
            return Value::error();
        }
        l.id = addressOf(f_, l);
        r.id = addressOf(f_, r);
        l.kind = r.kind = Value::Kind::Memory;
        l.constant = r.constant = {};
        return isEquality(op_) ? tupleEquality(l, r, count) : tupleOrder(l, r, count);
    }

    Value partOf(const Value& v, size_t index) {
        Part part = partsOf(types_, v.type)[index];
        Value element = fieldOf(f_, v, part.offset, part.type);
        element.symbol = nullptr;
        return element;
    }

    Value tupleEquality(const Value& l, const Value& r, size_t count) {
        ValueId all = constBool(b_, true);
        for (size_t i = 0; i < count; ++i) {
            Value a = partOf(l, i), c = partOf(r, i);
            if (a.isVoid() && c.isVoid()) continue;
            Value same = ofPart(BinaryOp::Eq).run(a, c);
            if (same.isError()) return same;
            all = emitBinary(b_, ir::Op::And, all, scalar(f_, same));
        }
        return negatedIfNe(all);
    }

    /// Lexicographic: the first elements that differ decide.
    Value tupleOrder(const Value& l, const Value& r, size_t count) {
        bool less = op_ == BinaryOp::Lt || op_ == BinaryOp::Le, orEqual = op_ == BinaryOp::Le || op_ == BinaryOp::Ge;
        BlockId join = b_.newBlock();
        ValueId result = b_.blockParam(join, TypeId::Bool);
        bool failed = false;
        for (size_t i = 0; i < count && !failed; ++i) {
            Value a = partOf(l, i), c = partOf(r, i);
            if (a.isVoid() && c.isVoid()) continue;
            Value decided = ofPart(less ? BinaryOp::Lt : BinaryOp::Gt).run(a, c);
            Value same = decided.isError() ? decided : ofPart(BinaryOp::Eq).run(a, c);
            failed = same.isError();
            if (failed) break;
            ValueId answer = scalar(f_, decided);
            BlockId next = b_.newBlock();
            emitCondBr(b_, scalar(f_, same), next, {}, join, {answer});
            b_.setBlock(next);
        }
        if (f_.reachable()) emitBr(b_, join, {constBool(b_, orEqual)});
        b_.setBlock(join);
        return failed ? Value::error() : boolean(result);
    }

    bool isPart_ = false; ///< of a tuple, an optional, or a membership
    Body& f_;
    TypeTable& types_;
    ir::Builder& b_;
    BinaryOp op_;
    Span lhsAt_, rhsAt_, whole_;
};

/// What the left operand of a comparison asks of the right one (language 4.2). Integers ask nothing: a literal on
/// the right keeps its own type, and the wider one decides.
TypeId comparisonTarget(const TypeTable& types, TypeId left, const Expr* rhs) {
    const auto* unary = llvm::dyn_cast<Unary>(withoutParens(rhs));
    if (unary && unary->op == UnaryOp::Xx)
        return left == TypeId::Null ? TypeId::None : left; // converts to the other operand
    while (types.kind(left) == TypeKind::Optional) left = types.elem(left);
    bool asks = isOneOf(types, left, TypeKind::Float, TypeKind::Enum, TypeKind::Union, TypeKind::Struct,
                        TypeKind::Tuple, TypeKind::ErrorSet, TypeKind::Vector, TypeKind::Slice);
    return asks ? left : TypeId::None;
}

/// An optional's payload type is that of a literal next to it, integers included.
TypeId payloadTarget(const TypeTable& types, TypeId left, const Expr* rhs) {
    if (types.kind(left) == TypeKind::Optional && isNumberLiteral(rhs)) return types.elem(left);
    return isWideLiteralFor(types, left, rhs) ? left : comparisonTarget(types, left, rhs);
}

/// An operand as comparisons see it: an optional stays one for `==` and `!=`, even where it is known to be present.
Value comparand(Body& f, const Value& value, Span at, bool equality) {
    Value v = elementOf(f, value);
    if (!equality) v = narrowedValue(f, v);
    return requireValue(f, v, at) ? v : Value::error();
}

/// Lowers an operand of a comparison, where a variant may stand without its payload.
Value lowerComparand(Body& f, const Expr* e, TypeId target = TypeId::None) {
    const Expr* outer = std::exchange(f.modes.tagOperand, withoutParens(e));
    Value v = lower(f, e, target);
    f.modes.tagOperand = outer;
    return v;
}

} // namespace

Value compare(Body& f, BinaryOp op, Value lhs, Value rhs, Span lhsAt, Span rhsAt, Span whole) {
    Value l = comparand(f, lhs, lhsAt, isEquality(op));
    if (l.isError()) return l;
    Value r = comparand(f, rhs, rhsAt, isEquality(op));
    if (r.isError()) return r;
    return Comparison(f, op, lhsAt, rhsAt, whole).run(l, r);
}

Value lowerComparison(Body& f, const Binary& e) {
    // `error.X` and `null` on the left take their type from the right; they have no effect, so the order is free.
    ExprKind left = withoutParens(e.lhs)->kind, right = withoutParens(e.rhs)->kind;
    bool leftFollows = left == ExprKind::ErrorTag && right != ExprKind::ErrorTag;
    if (leftFollows) {
        Value r = lowerComparand(f, e.rhs);
        if (r.isError()) return r;
        r = comparand(f, r, e.rhs->span, isEquality(e.op));
        if (r.isError()) return r;
        Value l = lowerComparand(f, e.lhs, comparisonTarget(f.types, r.type, e.lhs));
        return l.isError() ? l : compare(f, e.op, l, r, e.lhs->span, e.rhs->span, e.span);
    }
    Value l = lowerComparand(f, e.lhs);
    if (l.isError()) {
        checkDiscarded(f, e.rhs);
        return l;
    }
    l = comparand(f, l, e.lhs->span, isEquality(e.op));
    if (l.isError() || l.type == TypeId::NoReturn) return l;
    Symbol* name = l.symbol;
    l = snapshot(f, l, !isTriviallyPure(e.rhs));
    l.symbol = name;
    Value r = lowerComparand(f, e.rhs, payloadTarget(f.types, l.type, e.rhs));
    if (r.kind == Value::Kind::Function && l.type == TypeId::Type) r = convert(f, r, l.type, e.rhs->span); // its type
    return r.isError() ? r : compare(f, e.op, l, r, e.lhs->span, e.rhs->span, e.span);
}

Value lowerCompareChain(Body& f, const CompareChain& e) {
    llvm::SmallVector<Value, 4> operands;
    TypeId target = TypeId::None;
    bool failed = false;
    for (size_t i = 0; i < e.operands.size(); ++i) {
        const Expr* operand = e.operands[i];
        if (i != 0 && operands.back().isError()) {
            checkDiscarded(f, operand);
            operands.push_back(Value::error());
            continue;
        }
        Value v = lowerComparand(f, operand, i == 0 ? TypeId::None : payloadTarget(f.types, target, operand));
        if (!v.isError()) v = elementOf(f, v);
        if (v.isError() || !requireValue(f, v, operand->span)) {
            failed = true;
            operands.push_back(Value::error());
            target = TypeId::None;
            continue;
        }
        target = v.type;
        // Every operand keeps the value it has now, whatever the later ones do.
        bool laterPure = true;
        for (size_t k = i + 1; k < e.operands.size(); ++k) laterPure &= isTriviallyPure(e.operands[k]);
        if (v.isMemory()) v = isScalar(f.types, v.type) || !v.lvalue || laterPure ? load(f, v) : copyToTemp(f, v);
        operands.push_back(v);
    }
    if (failed) return Value::error();
    Value all = boolean(true);
    for (size_t i = 0; i < e.ops.size(); ++i) {
        Span lhs = e.operands[i]->span, rhs = e.operands[i + 1]->span;
        Value link = compare(f, e.ops[i], operands[i], operands[i + 1], lhs, rhs, cover(lhs, rhs));
        if (link.isError() || link.type == TypeId::NoReturn) return link;
        if (link.type != TypeId::Bool) {
            f.diags.error(lhs, "a comparison of vectors yields a vector, so it cannot be part of a chain");
            return Value::error();
        }
        if (all.isConst() && link.isConst()) all = boolean(all.constant.i != 0 && link.constant.i != 0);
        else all = boolean(emitBinary(f.b, ir::Op::And, scalar(f, all), scalar(f, link)));
    }
    return all;
}

Value lowerMembership(Body& f, const Binary& e) {
    Value l = lowerComparand(f, e.lhs);
    if (l.isError()) return l;
    l = operandOf(f, l, e.lhs->span);
    if (l.isError()) return l;
    l = snapshot(f, l, !isTriviallyPure(e.rhs));
    Value r = lowerComparand(f, e.rhs);
    if (r.isError()) return r;
    r = operandOf(f, r, e.rhs->span);
    if (r.isError()) return r;
    if (l.type == TypeId::NoReturn || r.type == TypeId::NoReturn) return Value::diverged();
    if (f.types.kind(r.type) == TypeKind::Pointer && isTupleLike(f.types, f.types.elem(r.type)))
        r = dereferenceChecked(f, r, e.rhs->span);
    if (!isTupleLike(f.types, r.type)) {
        f.diags.error(e.lhs->span,
                      "`in` looks for a value in a tuple, and the right side is " + withArticle(f.types, r.type));
        return Value::error();
    }
    r.id = addressOf(f, r);
    r.kind = Value::Kind::Memory;
    r.constant = {};
    ValueId any = constBool(f.b, false);
    for (const Part& part : partsOf(f.types, r.type)) {
        Value element = fieldOf(f, r, part.offset, part.type);
        element.symbol = nullptr;
        Value same = compare(f, BinaryOp::Eq, l, element, e.lhs->span, e.rhs->span, e.span);
        if (same.isError()) return same;
        if (same.type != TypeId::Bool) {
            TypeId vector = f.types.kind(l.type) == TypeKind::Vector ? l.type : element.type;
            f.diags.error(e.lhs->span, "`in` cannot look for " + withArticle(f.types, vector) +
                                           ": a comparison of vectors yields a vector");
            return Value::error();
        }
        any = emitBinary(f.b, ir::Op::Or, any, scalar(f, same));
    }
    return boolean(any);
}

} // namespace sx::lower
