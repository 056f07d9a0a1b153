#include "lower/calls/Inference.h"

#include "lower/body/Body.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "sema/Declare.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/NumberLimits.h"
#include "sema/TypeExprs.h"
#include "sema/TypeResolver.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

namespace {

class PatternMatcher {
public:
    PatternMatcher(Sema& sema, Bindings& bindings, const TypeContext& context)
        : sema_(sema), types_(sema.types), bindings_(bindings), context_(context) {
        context_.quiet = true;
        context_.lowering = nullptr;
    }

    bool match(const Expr* pattern, TypeId actual) {
        pattern = withoutParens(pattern);
        if (!mentionsGeneric(pattern)) return true;
        if (actual == TypeId::None || actual == TypeId::Null) return false;
        switch (pattern->kind) {
        case ExprKind::TypeParam: return bind(static_cast<const TypeParam*>(pattern)->id.name, actual);
        case ExprKind::NameRef: return bind(static_cast<const NameRef*>(pattern)->id.name, actual);
        case ExprKind::Unary: return pointer(static_cast<const Unary*>(pattern)->operand, actual);
        case ExprKind::SliceType: {
            bool fits = types_.kind(actual) == TypeKind::Slice || types_.kind(actual) == TypeKind::Array;
            return fits && match(static_cast<const SliceType*>(pattern)->elem, types_.elem(actual));
        }
        case ExprKind::ManyPointerType:
            return types_.kind(actual) == TypeKind::ManyPointer &&
                   match(static_cast<const ManyPointerType*>(pattern)->elem, types_.elem(actual));
        case ExprKind::OptionalType:
            return types_.kind(actual) == TypeKind::Optional &&
                   match(static_cast<const OptionalType*>(pattern)->inner, types_.elem(actual));
        case ExprKind::ArrayType: {
            const auto* a = static_cast<const ArrayType*>(pattern);
            return types_.kind(actual) == TypeKind::Array && countMatches(a->count, types_.count(actual)) &&
                   match(a->elem, types_.elem(actual));
        }
        case ExprKind::ClosureType:
            return callable(static_cast<const ClosureType*>(pattern)->params,
                            static_cast<const ClosureType*>(pattern)->result, actual);
        case ExprKind::FunctionType:
            return callable(static_cast<const FunctionType*>(pattern)->params,
                            static_cast<const FunctionType*>(pattern)->result, actual);
        case ExprKind::TupleType: return tuple(static_cast<const TupleType*>(pattern)->elems, actual);
        case ExprKind::ResultList: return tuple(static_cast<const ResultList*>(pattern)->elems, actual);
        case ExprKind::Call: return head(*static_cast<const Call*>(pattern), actual);
        default: return false; // no other written type can introduce a parameter
        }
    }

private:
    Binding* find(Name name) {
        for (Binding& b : bindings_)
            if (b.name == name) return &b;
        return nullptr;
    }

    bool isGenericName(const Expr* e) {
        if (const auto* n = llvm::dyn_cast<NameRef>(e)) return !n->id.raw && find(n->id.name);
        const auto* p = llvm::dyn_cast<TypeParam>(e);
        if (!p || p->index >= 0) return false;
        if (find(p->id.name)) return true;
        for (const Scope* s = context_.scope; s; s = s->parent) // a parameter of the type around it, repeated
            for (const Scope::Entry& entry : s->entries)
                if (entry.name == p->id.name) return false;
        return true;
    }

    bool mentionsGeneric(const Expr* pattern) {
        return anyInType(pattern, [&](const Expr* e) { return isGenericName(e); });
    }

    /// The first match decides; a later float replaces what is no float of at least its width.
    bool bind(Name name, TypeId actual) {
        Binding* b = find(name);
        if (!b) {
            Binding fresh;
            fresh.name = name;
            fresh.kind = Binding::Kind::Type;
            fresh.type = actual;
            bindings_.push_back(std::move(fresh));
            return true;
        }
        if (b->kind != Binding::Kind::Type) return false;
        bool promotes = actual == TypeId::F64 || (actual == TypeId::F32 && b->type != TypeId::F64);
        if (b->type == TypeId::None || promotes) b->type = actual;
        return true;
    }

    bool bindValue(Name name, TypeId type, const ConstValue& value) {
        Binding* b = find(name);
        if (!b) {
            bindings_.push_back({});
            b = &bindings_.back();
            b->name = name;
        }
        if (b->kind == Binding::Kind::Value && !b->value.isNone()) return true;
        b->kind = Binding::Kind::Value;
        b->type = type;
        b->value = value;
        return true;
    }

    bool bindPack(Name name, llvm::ArrayRef<TypeId> actual) {
        Binding* b = find(name);
        if (!b) {
            bindings_.push_back({});
            b = &bindings_.back();
            b->name = name;
        }
        b->kind = Binding::Kind::Pack;
        if (b->packTypes.empty()) b->packTypes.assign(actual.begin(), actual.end());
        return true;
    }

    /// `*X`: a pointer, or a value whose address is taken implicitly.
    bool pointer(const Expr* pointee, TypeId actual) {
        if (types_.kind(actual) == TypeKind::Pointer) return match(pointee, types_.elem(actual));
        bool isAddressed = isOneOf(types_, actual, TypeKind::Struct, TypeKind::Enum, TypeKind::Union,
                                   TypeKind::Protocol, TypeKind::Tuple, TypeKind::Array, TypeKind::Vector);
        return isAddressed && match(pointee, actual);
    }

    bool countMatches(const Expr* count, uint64_t n) {
        if (!isGenericName(count)) return true;
        Name name = llvm::isa<NameRef>(count) ? static_cast<const NameRef*>(count)->id.name
                                              : static_cast<const TypeParam*>(count)->id.name;
        return bindValue(name, TypeId::I64, ConstValue::ofInt(static_cast<__int128>(n)));
    }

    /// The result first, then the parameters.
    bool callable(ArrayRef<TypeElem> params, const Expr* result, TypeId actual) {
        if (types_.kind(actual) != TypeKind::Closure && types_.kind(actual) != TypeKind::Function) return false;
        const FunctionInfo& f = types_.functionInfo(actual);
        bool ok = !result || match(result, f.result);
        size_t next = 0;
        for (const TypeElem& e : params) {
            if (e.spread) {
                if (const auto* p = llvm::dyn_cast<TypeParam>(e.type))
                    ok &= bindPack(p->id.name, llvm::ArrayRef<TypeId>(f.params).drop_front(next));
                next = f.params.size();
            } else if (next < f.params.size()) {
                ok &= match(e.type, f.params[next++]);
            } else {
                ok &= !mentionsGeneric(e.type);
            }
        }
        return ok;
    }

    /// Field by field; what is no tuple binds the first field. The error channel of a failable result is skipped.
    bool tuple(ArrayRef<TypeElem> elems, TypeId actual) {
        llvm::SmallVector<TypeId, 8> fields;
        if (types_.kind(actual) == TypeKind::Tuple)
            for (const TupleField& f : types_.tupleFields(actual)) fields.push_back(f.type);
        else if (types_.kind(actual) == TypeKind::Struct && types_.structInfo(actual).name.empty())
            for (const StructField& f : types_.structInfo(actual).fields) fields.push_back(f.type);
        else if (isErrorSet(types_, actual) &&
                 llvm::any_of(elems, [](const TypeElem& e) { return llvm::isa<ErrorChannel>(e.type); }))
            fields.push_back(TypeId::Void); // a pure failable is `(void, !E)`
        else fields.push_back(actual);
        bool ok = true;
        size_t next = 0;
        for (const TypeElem& e : elems) {
            if (llvm::isa<ErrorChannel>(e.type)) continue;
            if (e.spread) {
                if (const auto* p = llvm::dyn_cast<TypeParam>(e.type))
                    ok &=
                        bindPack(p->id.name, llvm::ArrayRef<TypeId>(fields).drop_front(std::min(next, fields.size())));
                break;
            }
            if (next < fields.size()) ok &= match(e.type, fields[next++]);
            else ok &= !mentionsGeneric(e.type);
        }
        return ok;
    }

    /// `Head(X, …)`: an instance of the same template.
    bool head(const Call& pattern, TypeId actual) {
        const auto* name = llvm::dyn_cast<NameRef>(pattern.callee);
        std::string_view spelled = name && !name->id.raw ? sema_.names.text(name->id.name) : std::string_view();
        bool declared =
            name && lookup(sema_, name->id.name, context_.scope, context_.limit, context_.file, true).symbol;
        if (!declared && (spelled == "Vector" || spelled == "Array") && pattern.args.size() == 2) {
            if (types_.kind(actual) != (spelled == "Vector" ? TypeKind::Vector : TypeKind::Array)) return false;
            return countMatches(pattern.args[0].value, types_.count(actual)) &&
                   match(pattern.args[1].value, types_.elem(actual));
        }
        Symbol* s = typeHead(sema_, pattern.callee, context_);
        NominalInfo* info = nominal(sema_, canonical(sema_, actual));
        if (!s || !info) return false;
        bool sameStruct = s->kind == SymbolKind::GenericStruct && info->structTemplate == s->structTemplate;
        bool sameProtocol = s->kind == SymbolKind::GenericProtocol && info->protocolTemplate == s->protocolTemplate;
        if (!sameStruct && !sameProtocol) return false;
        bool ok = true;
        for (size_t i = 0; i < pattern.args.size() && i < info->bindings.size(); ++i)
            ok &= argument(pattern.args[i], info->bindings[i]);
        return ok;
    }

    bool argument(const Arg& pattern, const Binding& actual) {
        switch (actual.kind) {
        case Binding::Kind::Type: return match(pattern.value, actual.type);
        case Binding::Kind::Value: {
            const Expr* e = withoutParens(pattern.value);
            if (!isGenericName(e)) return true;
            Name name = llvm::isa<NameRef>(e) ? static_cast<const NameRef*>(e)->id.name
                                              : static_cast<const TypeParam*>(e)->id.name;
            return bindValue(name, actual.type, actual.value);
        }
        case Binding::Kind::Pack: {
            const auto* p = llvm::dyn_cast<TypeParam>(withoutParens(pattern.value));
            return !p || bindPack(p->id.name, actual.packTypes);
        }
        }
        return false;
    }

    Sema& sema_;
    TypeTable& types_;
    Bindings& bindings_;
    TypeContext context_;
};

} // namespace

bool inferFromType(Body& f, const Expr* pattern, TypeId actual, Bindings& bindings, const TypeContext& where) {
    return PatternMatcher(f.sema, bindings, where).match(pattern, actual);
}

// ------------------------------------------------------------------------------------ types at a glance

namespace {

/// The type of an expression as far as it shows without lowering it.
class TypePeek {
public:
    explicit TypePeek(Body& f) : f_(f), sema_(f.sema), types_(f.types) {}

    TypeId of(const Expr* e) {
        e = withoutParens(e);
        switch (e->kind) {
        case ExprKind::Int: return TypeId::I64;
        case ExprKind::Float: return TypeId::F64;
        case ExprKind::Bool:
        case ExprKind::CompareChain: return TypeId::Bool;
        case ExprKind::String: return TypeId::String;
        case ExprKind::NameRef: return name(*static_cast<const NameRef*>(e));
        case ExprKind::Unary: return unary(*static_cast<const Unary*>(e));
        case ExprKind::Binary: return binary(*static_cast<const Binary*>(e));
        case ExprKind::Member: return member(*static_cast<const Member*>(e));
        case ExprKind::Deref: return part(of(static_cast<const Deref*>(e)->base), TypeKind::Pointer);
        case ExprKind::Unwrap: return part(of(static_cast<const Unwrap*>(e)->base), TypeKind::Optional);
        case ExprKind::Index: return element(of(static_cast<const Index*>(e)->base));
        case ExprKind::Slice: return slice(of(static_cast<const SliceExpr*>(e)->base));
        case ExprKind::Cast: return written(static_cast<const Cast*>(e)->type);
        case ExprKind::StructLit: return written(static_cast<const StructLit*>(e)->type);
        case ExprKind::ArrayLit: return arrayLiteral(*static_cast<const ArrayLit*>(e));
        case ExprKind::Call: return call(*static_cast<const Call*>(e));
        default: return TypeId::None;
        }
    }

private:
    TypeId written(const Expr* type) {
        TypeContext quiet = typeContext(f_, true);
        return type && namesType(sema_, type, quiet) ? resolveType(sema_, type, quiet) : TypeId::None;
    }
    Symbol* symbol(const Expr* e) {
        const auto* n = llvm::dyn_cast<NameRef>(e);
        if (!n) return nullptr;
        LookupResult found = lookup(sema_, n->id.name, f_.scope, f_.scopeLimit, &f_.currentFile());
        return found.symbol && !found.ambiguous ? resolve(sema_, found.symbol) : nullptr;
    }
    TypeId name(const NameRef& n) {
        Symbol* s = symbol(&n);
        if (!s) return TypeId::None;
        switch (s->kind) {
        case SymbolKind::Local:
        case SymbolKind::Constant:
        case SymbolKind::RuntimeConst:
        case SymbolKind::Global: return s->type;
        case SymbolKind::Function: return functionType(*s->function);
        case SymbolKind::Unresolved:
        case SymbolKind::Error:
        case SymbolKind::Type:
        case SymbolKind::GenericStruct:
        case SymbolKind::GenericProtocol:
        case SymbolKind::Namespace:
        case SymbolKind::Pack:
        case SymbolKind::Library:
        case SymbolKind::Intrinsic: return TypeId::None;
        }
        return TypeId::None;
    }
    TypeId functionType(FunctionTemplate& f) {
        if (f.isGeneric || f.isIntrinsic) return TypeId::None;
        FunctionInstance* inst = instance(sema_, f);
        return inst && !inst->signatureFailed && inst->result != TypeId::None ? inst->type : TypeId::None;
    }
    TypeId unary(const Unary& u) {
        TypeId operand = of(u.operand);
        switch (u.op) {
        case UnaryOp::Neg:
        case UnaryOp::BitNot: return operand;
        case UnaryOp::Not: return TypeId::Bool;
        case UnaryOp::AddrOf: return operand == TypeId::None ? operand : pointerTo(types_, operand);
        case UnaryOp::Try:
            return operand != TypeId::None && isFailable(types_, operand) ? successType(types_, operand) : TypeId::None;
        case UnaryOp::Xx: return TypeId::None;
        }
        return TypeId::None;
    }
    TypeId binary(const Binary& b) {
        switch (b.op) {
        case BinaryOp::In:
        case BinaryOp::And: return TypeId::Bool;
        case BinaryOp::Or: return TypeId::None;
        case BinaryOp::Coalesce: return part(of(b.lhs), TypeKind::Optional);
        default: break;
        }
        if (classOf(b.op) == OpClass::Comparison) return TypeId::Bool;
        TypeId left = of(b.lhs), right = of(b.rhs);
        return isInteger(types_, left) && isFloat(types_, right) ? right : left;
    }
    TypeId part(TypeId t, TypeKind kind) { return types_.kind(t) == kind ? types_.elem(t) : TypeId::None; }
    TypeId element(TypeId t) {
        if (types_.kind(t) == TypeKind::Pointer) t = types_.elem(t);
        switch (types_.kind(t)) {
        case TypeKind::Array:
        case TypeKind::Slice:
        case TypeKind::ManyPointer:
        case TypeKind::Vector: return types_.elem(t);
        case TypeKind::String: return TypeId::U8;
        default: return TypeId::None;
        }
    }
    TypeId slice(TypeId t) {
        if (t == TypeId::String) return t;
        TypeId e = element(t);
        return e == TypeId::None ? e : sliceOf(types_, e);
    }
    TypeId member(const Member& m) {
        if (TypeId limited = limitOwner(sema_, m); limited != TypeId::None)
            return isNumeric(types_, limited) ? limited : TypeId::None;
        TypeId base = m.optional ? TypeId::None : of(m.base);
        if (types_.kind(base) == TypeKind::Pointer) base = types_.elem(base);
        if (types_.kind(base) == TypeKind::Struct && complete(sema_, base)) {
            const StructInfo& info = types_.structInfo(base);
            auto it = info.index.find(m.name.name);
            return it == info.index.end() ? TypeId::None : info.fields[it->second].type;
        }
        bool hasLength = element(base) != TypeId::None && types_.kind(base) != TypeKind::ManyPointer;
        return hasLength && sema_.names.text(m.name.name) == "len" ? TypeId::I64 : TypeId::None;
    }
    TypeId arrayLiteral(const ArrayLit& a) {
        if (a.type) return written(a.type);
        TypeId first = a.elems.empty() ? TypeId::None : of(a.elems.front());
        return first == TypeId::None ? first : arrayOf(types_, a.elems.size(), first);
    }
    /// The result of a plain function, static function or method whose result type is written.
    TypeId call(const Call& c) {
        Symbol* s = symbol(withoutParens(c.callee));
        TypeId type = s && s->kind == SymbolKind::Function ? functionType(*s->function) : TypeId::None;
        if (s && s->kind != SymbolKind::Function) type = name(*static_cast<const NameRef*>(withoutParens(c.callee)));
        if (const auto* m = llvm::dyn_cast<Member>(withoutParens(c.callee)); m && !m->optional && !m->isIndex) {
            TypeId owner = written(m->base);
            if (owner == TypeId::None) owner = of(m->base);
            if (types_.kind(owner) == TypeKind::Pointer) owner = types_.elem(owner);
            FunctionTemplate* method =
                owner == TypeId::None ? nullptr : findMethod(sema_, owner, m->name.name, nullptr);
            type = method ? functionType(*method) : member(*m);
        }
        bool callable = types_.kind(type) == TypeKind::Function || types_.kind(type) == TypeKind::Closure;
        return callable ? types_.functionInfo(type).result : TypeId::None;
    }

    Body& f_;
    Sema& sema_;
    TypeTable& types_;
};

} // namespace

TypeId peekType(Body& f, const Expr* e) { return TypePeek(f).of(e); }

} // namespace sx::lower
