#include "debugger/foreign/Expressions.h"

#include "debugger/foreign/Number.h"
#include "source/Diagnostics.h"
#include "source/StackDepth.h"
#include "syntax/Parser.h"

#include <cstring>

namespace sx::debugger {

using namespace ast;
using Kind = ForeignType::Kind;

namespace {

/// A text and its tree.
struct Parsed {
    SourceManager sources;
    AstContext context;
    Diagnostics diags;
    const Expr* tree = nullptr;

    explicit Parsed(const std::string& text) {
        FileId file = sources.addFile("(expression)", "(expression)", text);
        tree = parseExpression(sources, file, context, diags);
    }
    std::string nameOf(const Ident& id) const { return std::string(context.names.text(id.name)); }
    std::string problem() const {
        return diags.hasErrors() ? diags.all().front().message : tree ? "" : "this is no expression";
    }
};

class Walk {
public:
    Walk(const Parsed& parsed, ForeignTypes& types, const ForeignValues& values, const ForeignScope& scope)
        : parsed_(parsed), types_(types), values_(values), scope_(scope) {}

    Result<Datum> evaluate(const Expr* e) {
        if (stackIsLow()) return Failure{"the expression is nested too deeply"};
        switch (e->kind) {
        case ExprKind::Paren: return evaluate(llvm::cast<Paren>(e)->inner);
        case ExprKind::Int: return number(static_cast<__int128>(llvm::cast<IntLit>(e)->value));
        case ExprKind::Float: return real(llvm::cast<FloatLit>(e)->value);
        case ExprKind::Bool: return truth(llvm::cast<BoolLit>(e)->value);
        case ExprKind::Null: return address(0, types_.pointerTo(types_.voidType));
        case ExprKind::NameRef: return name(parsed_.nameOf(llvm::cast<NameRef>(e)->id));
        case ExprKind::Member: return member(*llvm::cast<Member>(e));
        case ExprKind::Index: return index(*llvm::cast<Index>(e));
        case ExprKind::Deref: return deref(llvm::cast<Deref>(e)->base);
        case ExprKind::Unary: return unary(*llvm::cast<Unary>(e));
        case ExprKind::Binary: return binary(*llvm::cast<Binary>(e));
        case ExprKind::CompareChain: return chain(*llvm::cast<CompareChain>(e));
        case ExprKind::String:
            return Failure{"a text is no value here: characters are set one by one, by their numbers"};
        default:
            return Failure{"without its sources the program is asked for paths (`a.b[1]`), comparisons and arithmetic "
                           "of numbers"};
        }
    }

    /// The first name that stands for nothing; empty: there is none.
    std::string unknownName(const Expr* e) {
        if (!e || stackIsLow()) return "";
        auto first = [&](std::initializer_list<const Expr*> all) {
            for (const Expr* part : all)
                if (std::string found = unknownName(part); !found.empty()) return found;
            return std::string();
        };
        switch (e->kind) {
        case ExprKind::Paren: return unknownName(llvm::cast<Paren>(e)->inner);
        case ExprKind::NameRef: {
            std::string called = parsed_.nameOf(llvm::cast<NameRef>(e)->id);
            return scope_(called) || types_.enumerator(called) ? "" : called;
        }
        case ExprKind::Member: return unknownName(llvm::cast<Member>(e)->base);
        case ExprKind::Index: return first({llvm::cast<Index>(e)->base, llvm::cast<Index>(e)->index});
        case ExprKind::Deref: return unknownName(llvm::cast<Deref>(e)->base);
        case ExprKind::Unary: return unknownName(llvm::cast<Unary>(e)->operand);
        case ExprKind::Binary: return first({llvm::cast<Binary>(e)->lhs, llvm::cast<Binary>(e)->rhs});
        default: return "";
        }
    }

private:
    Datum number(__int128 value) { return valueOf(types_, {ForeignNumber::Kind::Integer, value, 0}); }
    Datum real(double value) { return valueOf(types_, {ForeignNumber::Kind::Float, 0, value}); }
    Datum truth(bool value) { return valueOf(types_, {ForeignNumber::Kind::Bool, value, 0}); }
    Datum address(uint64_t value, TypeId type) {
        uint8_t bytes[8];
        std::memcpy(bytes, &value, sizeof bytes);
        return Datum::held(type, bytes);
    }

    Result<Datum> name(const std::string& called) {
        if (std::optional<Datum> found = scope_(called)) return *found;
        if (auto known = types_.enumerator(called)) {
            uint8_t bytes[8];
            std::memcpy(bytes, &known->second, sizeof bytes);
            return Datum::held(known->first, {bytes, std::min<size_t>(types_.sizeOf(known->first), sizeof bytes)});
        }
        return Failure{"nothing is called " + code(called) + " here"};
    }

    /// What a pointer points at.
    Result<Datum> pointee(const Datum& pointer) {
        Result<ForeignNumber> at = numberOf(types_, values_, pointer);
        if (!at) return at.failure();
        TypeId target = types_.plain(pointer.type).target;
        if (types_.sizeOf(target) == 0) return Failure{code(types_.nameOf(target)) + " has no value"};
        if (at->integer == 0) return Failure{"null pointer"};
        return Datum::at(target, static_cast<uint64_t>(at->integer));
    }

    Result<Datum> deref(const Expr* base) {
        Result<Datum> pointer = evaluate(base);
        if (!pointer) return pointer;
        if (types_.plain(pointer->type).kind != Kind::Pointer)
            return Failure{code(types_.nameOf(pointer->type)) + " is no pointer"};
        return pointee(*pointer);
    }

    Result<Datum> member(const Member& e) {
        Result<Datum> base = evaluate(e.base);
        if (base && types_.plain(base->type).kind == Kind::Pointer) base = pointee(*base);
        if (!base) return base;
        std::string wanted = parsed_.nameOf(e.name);
        for (const ForeignMember& m : types_.plain(base->type).members)
            if (m.name == wanted) return values_.member(*base, m);
        return Failure{code(types_.nameOf(base->type)) + " has no member " + code(wanted)};
    }

    Result<Datum> index(const Index& e) {
        Result<Datum> base = evaluate(e.base), at = evaluate(e.index);
        if (!base || !at) return base ? at : base;
        Result<ForeignNumber> i = numberOf(types_, values_, *at);
        if (!i) return i.failure();
        if (i->kind != ForeignNumber::Kind::Integer) return Failure{"an index is an integer"};
        const ForeignType& type = types_.plain(base->type);
        if (type.kind == Kind::Array) {
            if (i->integer < 0 || i->integer >= static_cast<__int128>(type.count))
                return Failure{"index " + std::to_string(static_cast<int64_t>(i->integer)) +
                               " out of range for length " + std::to_string(type.count)};
            uint64_t size = types_.sizeOf(type.target);
            return base->part(static_cast<uint64_t>(i->integer) * size, type.target, size);
        }
        if (type.kind != Kind::Pointer) return Failure{code(types_.nameOf(base->type)) + " has no elements"};
        Result<Datum> first = pointee(*base);
        if (!first) return first;
        uint64_t offset = static_cast<uint64_t>(i->integer) * types_.sizeOf(first->type);
        return Datum::at(first->type, first->address + offset);
    }

    Result<Datum> unary(const Unary& e) {
        Result<Datum> of = evaluate(e.operand);
        if (!of) return of;
        if (e.op == UnaryOp::AddrOf) {
            if (of->place != Datum::Place::Memory) return Failure{"this value has no address"};
            return address(of->address, types_.pointerTo(of->type));
        }
        Result<ForeignNumber> n = numberOf(types_, values_, *of);
        if (!n) return n.failure();
        switch (e.op) {
        case UnaryOp::Not: return truth(!isTrue(*n));
        case UnaryOp::Neg:
            if (n->kind == ForeignNumber::Kind::Float) return real(-n->real);
            return valueOrFailure(compute(BinaryOp::Sub, {}, *n));
        case UnaryOp::BitNot:
            if (n->kind != ForeignNumber::Kind::Integer) return Failure{"this is no integer"};
            return number(~n->integer);
        default: return Failure{"this operator is not known here"};
        }
    }

    Result<Datum> valueOrFailure(Result<ForeignNumber> n) {
        if (!n) return n.failure();
        return valueOf(types_, *n);
    }

    Result<bool> truthOf(const Expr* e) {
        Result<Datum> value = evaluate(e);
        if (!value) return value.failure();
        Result<ForeignNumber> n = numberOf(types_, values_, *value);
        if (!n) return n.failure();
        return isTrue(*n);
    }

    Result<Datum> binary(const Binary& e) {
        if (e.op == BinaryOp::And || e.op == BinaryOp::Or) {
            Result<bool> left = truthOf(e.lhs);
            if (!left) return left.failure();
            if (*left == (e.op == BinaryOp::Or)) return truth(*left);
            Result<bool> right = truthOf(e.rhs);
            if (!right) return right.failure();
            return truth(*right);
        }
        Result<Datum> a = evaluate(e.lhs), b = evaluate(e.rhs);
        if (!a || !b) return a ? b : a;
        return valueOrFailure(apply(e.op, *a, *b));
    }

    Result<ForeignNumber> apply(BinaryOp op, const Datum& a, const Datum& b) {
        Result<ForeignNumber> x = numberOf(types_, values_, a), y = numberOf(types_, values_, b);
        if (!x || !y) return x ? y : x;
        return compute(op, *x, *y);
    }

    Result<Datum> chain(const CompareChain& e) {
        Result<Datum> left = evaluate(e.operands[0]);
        for (size_t i = 0; left && i < e.ops.size(); ++i) {
            Result<Datum> right = evaluate(e.operands[i + 1]);
            if (!right) return right;
            Result<ForeignNumber> holds = apply(e.ops[i], *left, *right);
            if (!holds) return holds.failure();
            if (holds->integer == 0) return truth(false);
            left = right;
        }
        if (!left) return left;
        return truth(true);
    }

    const Parsed& parsed_;
    ForeignTypes& types_;
    const ForeignValues& values_;
    const ForeignScope& scope_;
};

} // namespace

Result<Datum> ForeignExpressions::evaluate(const std::string& text) const {
    if (std::optional<Datum> variable = scope_(text)) return *variable;
    Result<Datum> value = Failure{""};
    withLargeStack([&] {
        Parsed parsed(text);
        if (std::string problem = parsed.problem(); !problem.empty()) value = Failure{problem};
        else value = Walk(parsed, types_, values_, scope_).evaluate(parsed.tree);
    });
    return value;
}

std::string ForeignExpressions::problem(const std::string& text) const {
    std::string found;
    withLargeStack([&] {
        Parsed parsed(text);
        found = parsed.problem();
        if (!found.empty()) return;
        std::string unknown = Walk(parsed, types_, values_, scope_).unknownName(parsed.tree);
        if (!unknown.empty()) found = "nothing is called " + code(unknown) + " here";
    });
    return found;
}

Result<bool> ForeignExpressions::isTrue(const Datum& value) const {
    Result<ForeignNumber> n = numberOf(types_, values_, value);
    if (!n) return n.failure();
    return debugger::isTrue(*n);
}

Result<std::vector<uint8_t>> ForeignExpressions::converted(const Datum& value, TypeId type) const {
    const ForeignType& to = types_.plain(type);
    auto refused = [&] {
        return Failure{"this is " + code(types_.nameOf(value.type)) + ", not " + code(types_.nameOf(type))};
    };
    if (types_.withoutAliases(value.type) == types_.withoutAliases(type)) {
        std::optional<std::vector<uint8_t>> bytes = values_.bytes(value);
        if (!bytes) return Failure{"the value cannot be read"};
        return *bytes;
    }
    Result<ForeignNumber> n = numberOf(types_, values_, value);
    if (!n) return refused();
    using NumberKind = ForeignNumber::Kind;
    std::vector<uint8_t> out(to.size);
    if (to.kind == Kind::Float) {
        if (n->kind == NumberKind::Bool || n->kind == NumberKind::Address) return refused();
        double wide = n->kind == NumberKind::Float ? n->real : static_cast<double>(n->integer);
        auto narrow = static_cast<float>(wide);
        long double wider = wide;
        const void* from = to.size == sizeof narrow ? static_cast<const void*>(&narrow)
                           : to.size == sizeof wide ? static_cast<const void*>(&wide)
                                                    : static_cast<const void*>(&wider);
        std::memcpy(out.data(), from, std::min(out.size(), sizeof wider));
        return out;
    }
    bool isInteger =
        to.kind == Kind::Signed || to.kind == Kind::Unsigned || to.kind == Kind::Character || to.kind == Kind::Enum;
    bool isSame =
        (isInteger && n->kind == NumberKind::Integer) || (to.kind == Kind::Bool && n->kind == NumberKind::Bool);
    // A null pointer is one of every type.
    bool isNull =
        to.kind == Kind::Pointer && n->kind == NumberKind::Address &&
        (n->integer == 0 || types_.withoutAliases(types_.plain(value.type).target) == types_.withoutAliases(to.target));
    if ((!isSame && !isNull) || to.size == 0 || to.size > 8) return refused();
    unsigned bits = static_cast<unsigned>(8 * to.size);
    __int128 least = to.isUnsigned() ? 0 : -(static_cast<__int128>(1) << (bits - 1));
    __int128 most = (static_cast<__int128>(1) << (to.isUnsigned() ? bits : bits - 1)) - 1;
    if (n->integer < least || n->integer > most) return Failure{"the number does not fit " + code(types_.nameOf(type))};
    auto word = static_cast<uint64_t>(n->integer);
    std::memcpy(out.data(), &word, out.size());
    return out;
}

} // namespace sx::debugger
