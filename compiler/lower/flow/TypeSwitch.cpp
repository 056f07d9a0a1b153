#include "lower/flow/TypeSwitch.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "ir/TypeDescriptor.h"
#include "lower/body/Body.h"
#include "lower/body/Probe.h"
#include "lower/body/Recursion.h"
#include "lower/body/Scopes.h"
#include "lower/body/Storage.h"
#include "lower/body/Values.h"
#include "lower/flow/ControlFlow.h"
#include "lower/flow/MatchArms.h"
#include "lower/values/Any.h"
#include "lower/values/Conversions.h"
#include "lower/values/Protocols.h"
#include "lower/values/Variants.h"
#include "sema/Nominal.h"
#include "sema/TypeResolver.h"
#include "types/Derived.h"

#include "llvm/ADT/StringSwitch.h"

namespace sx::lower {

using namespace ast;

namespace {

/// A set of descriptor categories, one bit each.
using CategorySet = uint32_t;
constexpr CategorySet bit(ir::TypeCategory c) { return CategorySet{1} << static_cast<unsigned>(c); }

/// The category that a word names as a pattern; 0: it is no category. `bool`, `string` and `void` are exact types.
CategorySet categoryNamed(std::string_view word) {
    using C = ir::TypeCategory;
    return llvm::StringSwitch<CategorySet>(llvm::StringRef(word))
        .Case("int", bit(C::Int))
        .Case("float", bit(C::Float))
        .Case("struct", bit(C::Struct))
        .Case("enum", bit(C::Enum) | bit(C::TaggedEnum))
        .Case("union", bit(C::Union) | bit(C::TaggedEnum))
        .Case("vector", bit(C::Vector))
        .Case("array", bit(C::Array))
        .Case("slice", bit(C::Slice))
        .Case("pointer", bit(C::Pointer) | bit(C::ManyPointer))
        .Case("optional", bit(C::Optional))
        .Case("error_set", bit(C::ErrorSet))
        .Case("closure", bit(C::Closure))
        .Cases("type", "Type", bit(C::Type))
        .Case("protocol", bit(C::Protocol))
        .Default(0);
}

/// What one pattern stands for: a category, or a single type.
struct TypePattern {
    bool ok = false;
    CategorySet categories = 0; ///< 0: `exact`
    TypeId exact{};
};

std::string_view wordOf(const Sema& sema, const Expr* pattern) {
    const auto* ref = llvm::dyn_cast<NameRef>(withoutParens(pattern));
    return ref && !ref->id.raw ? sema.names.text(ref->id.name) : std::string_view();
}

bool isValuePattern(const Expr* pattern) {
    switch (withoutParens(pattern)->kind) {
    case ExprKind::Int:
    case ExprKind::Float:
    case ExprKind::Bool:
    case ExprKind::String:
    case ExprKind::Null:
    case ExprKind::Undef:
    case ExprKind::EnumLit:
    case ExprKind::ErrorTag: return true;
    default: return false;
    }
}

TypePattern readPattern(Body& f, const Expr* pattern, bool isInline) {
    TypePattern result;
    std::string_view word = wordOf(f.sema, pattern);
    if (CategorySet set = categoryNamed(word)) {
        if (word == "protocol" && !isInline) {
            f.diags.error(pattern->span,
                          "`case protocol:` exists only in an `inline if`: a value never holds a protocol value");
            return result;
        }
        result.ok = true;
        result.categories = set;
        return result;
    }
    if (isValuePattern(pattern)) {
        f.diags
            .error(pattern->span, "this is a match over types, and its patterns are types and categories, not values")
            .help("compare the value in the arm of its type");
        return result;
    }
    result.exact = resolveType(f.sema, withoutParens(pattern), typeContext(f));
    if (result.exact == TypeId::None) return result;
    result.ok = complete(f.sema, result.exact, pattern->span);
    return result;
}

/// What the arms so far have taken.
class Claims {
public:
    explicit Claims(Sema& sema) : sema_(sema) {}

    /// False if nothing is left for the pattern.
    bool claim(const TypePattern& p) {
        if (p.categories) {
            if ((p.categories & ~taken_) == 0) return false;
            taken_ |= p.categories;
            return true;
        }
        CategorySet own = bit(ir::categoryOf(sema_.types, p.exact));
        if ((own & taken_) || std::find(exact_.begin(), exact_.end(), p.exact) != exact_.end()) return false;
        exact_.push_back(p.exact);
        auto named = [&](TypeId t) { return std::find(exact_.begin(), exact_.end(), t) != exact_.end(); };
        bool isOnlyOne =
            p.exact == TypeId::Bool || p.exact == TypeId::String || p.exact == TypeId::Void || p.exact == TypeId::Type;
        if (isOnlyOne || (named(TypeId::F32) && named(TypeId::F64))) taken_ |= own; // nothing of its kind is left
        return true;
    }

private:
    Sema& sema_;
    CategorySet taken_ = 0;
    std::vector<TypeId> exact_;
};

/// One match over the type of a subject at run time.
class TypeMatch {
public:
    TypeMatch(Body& f, const Match& m, const Value& subject) : f_(f), b_(f.b), m_(m) {
        TypeId protocol = TypeId::None;
        if (subject.type == TypeId::Type) {
            type_ = scalar(f, subject);
            return;
        }
        bool isAny = subject.type == TypeId::Any;
        ValueId words = isAny ? addressOf(f, subject) : protocolWords(f, subject, protocol);
        held_ = Value::temporary(TypeId::Any, words); // a protocol value begins with the words of an `any`
        type_ = emitLoad(b_, TypeId::Type, emitOffset(b_, words, 8, pointerTo(f.types, TypeId::Type)));
    }

    Value run(TypeId target, ValueId dest, bool valueNeeded) {
        MatchArms arms(f_, m_, target, dest, valueNeeded);
        Claims claims(f_.sema);
        const MatchArm* otherwise = nullptr;
        for (const MatchArm& arm : m_.arms) {
            if (!arm.pattern) {
                otherwise = &arm;
                continue;
            }
            TypePattern pattern = readPattern(f_, arm.pattern, m_.isInline);
            if (!pattern.ok || !checkArm(arm, pattern, claims)) {
                arms.fail();
                continue;
            }
            BlockId body = b_.newBlock(), next = b_.newBlock();
            emitCondBr(b_, matches(pattern), body, next);
            b_.setBlock(body);
            arms.add(arm, [&] {
                if (arm.capture) bindPayload(f_, arm.capture, unboxAny(f_, held_, pattern.exact), LocalKind::Payload);
            });
            b_.setBlock(next);
        }
        if (otherwise) {
            arms.add(*otherwise);
        } else if (valueNeeded && !arms.yieldNothing()) {
            if (f_.warns && !arms.failed()) warnOfMissingArms(f_.sema, m_.subject->span, std::string("any other type"));
            emitPanic(b_, ir::PanicKind::Unreachable, m_.span);
        } else {
            arms.addNothing();
        }
        return arms.finish();
    }

private:
    bool checkArm(const MatchArm& arm, const TypePattern& pattern, Claims& claims) {
        if (arm.capture && pattern.categories) {
            f_.diags
                .error(cover(arm.caseKeyword, arm.pattern->span),
                       "a category arm cannot bind the value: it has no single type")
                .help("name the type, or use `xx` on the subject in an `int` or `float` arm");
            return false;
        }
        if (arm.capture && held_.isError()) {
            f_.diags.error(arm.pattern->span, "a `Type` carries no value that could be bound here")
                .help("match the value itself, an `any` or a protocol value");
            return false;
        }
        if (!claims.claim(pattern)) {
            f_.diags
                .error(arm.pattern->span, "this arm is never reached: the arms before it take every type that it names")
                .help("put an arm for one type before the category that contains it");
            return false;
        }
        return true;
    }

    ValueId matches(const TypePattern& pattern) {
        b_.setSpan(m_.subject->span);
        if (!pattern.categories) return emitICmp(b_, ir::ICmpPred::Eq, type_, typeHandle(b_, pattern.exact));
        ValueId category =
            emitLoad(b_, TypeId::I64, emitOffset(b_, type_, ir::desc::Category, pointerTo(f_.types, TypeId::I64)));
        ValueId any = ValueId::None;
        for (unsigned i = 0; i < 32; ++i) {
            if (!(pattern.categories >> i & 1)) continue;
            ValueId one = emitICmp(b_, ir::ICmpPred::Eq, category, i64(f_, i));
            any = any == ValueId::None ? one : emitBinary(b_, ir::Op::Or, any, one);
        }
        return any;
    }

    Body& f_;
    ir::Builder& b_;
    const Match& m_;
    Value held_; ///< the subject's value, as an `any`; Error: the subject is a `Type`
    ValueId type_ = ValueId::None;
};

// ------------------------------------------------------------------------------------ at compile time

bool takes(const Sema& sema, const TypePattern& pattern, TypeId type) {
    return pattern.categories ? (pattern.categories & bit(ir::categoryOf(sema.types, type))) != 0
                              : pattern.exact == type;
}

/// Selects by the value of a constant: `inline if OS == { case .linux: … }`.
bool takesValue(Body& f, const Value& subject, const Expr* pattern) {
    if (subject.symbol && subject.symbol->variant)
        if (std::optional<int64_t> named = knownVariant(f, pattern, subject.type))
            return *named == *subject.symbol->variant;
    Value v = lower(f, pattern, subject.type);
    return v.isConst() && v.type == subject.type && v.constant.kind == subject.constant.kind &&
           v.constant.i == subject.constant.i;
}

TypeId typeNamedBy(Body& f, const Expr* subject, Value& constant) {
    if (namesType(f.sema, subject, typeContext(f, true))) return resolveType(f.sema, subject, typeContext(f));
    Value v = probeExpr(f, subject);
    if (v.isTypeName()) return v.namedType;
    if (v.isConst() && v.constant.kind == ConstValue::Kind::Type) return v.constant.t;
    if (v.isConst() && (v.constant.isInt() || v.constant.kind == ConstValue::Kind::Bool)) constant = v;
    if (v.symbol && v.symbol->variant) constant = v;
    return TypeId::None;
}

} // namespace

bool isTypeMatch(Body& f, const Value& subject, const Match&) {
    if (subject.type == TypeId::Type || subject.type == TypeId::Any) return true;
    return f.types.kind(subject.type) != TypeKind::Optional && protocolWithin(f.types, subject.type) != TypeId::None;
}

Value lowerTypeMatch(Body& f, const Match& m, const Value& subject, TypeId target, ValueId dest, bool valueNeeded) {
    return TypeMatch(f, m, subject).run(target, dest, valueNeeded);
}

const Match* inlineTypeMatchArm(Body& f, const Match& m, const MatchArm*& selected) {
    selected = nullptr;
    Value constant;
    TypeId type = typeNamedBy(f, m.subject, constant);
    if (type == TypeId::None && constant.isError()) return nullptr;
    if (type != TypeId::None) complete(f.sema, type, m.subject->span);
    for (const MatchArm& arm : m.arms) {
        if (arm.pattern && type != TypeId::None) {
            TypePattern pattern = readPattern(f, arm.pattern, true);
            if (!pattern.ok || !takes(f.sema, pattern, type)) continue;
        } else if (arm.pattern && !takesValue(f, constant, arm.pattern)) {
            continue;
        }
        selected = &arm;
        break;
    }
    return &m;
}

} // namespace sx::lower
