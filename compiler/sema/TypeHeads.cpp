// What a name means in type position, and whether an expression names a type at all.
#include "sema/Declare.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/Sema.h"
#include "sema/TypeExprs.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "syntax/BuiltinTypes.h"
#include "types/Derived.h"

namespace sx::sema {

using namespace ast;

TypeId builtinType(const Sema& sema, Name n) {
    std::string_view s = sema.names.text(n);
#define BUILTIN_TYPE(spelling, name, isReserved) \
    if (s == spelling) return TypeId::name;
#include "syntax/BuiltinTypes.def"
    std::optional<IntegerName> integer = integerName(s);
    return integer ? integerType(integer->width, integer->isSigned) : TypeId::None;
}

TypeId selfScopeType(Sema& sema, const Scope* scope) {
    Name self = sema.name("Self");
    for (const Scope* s = scope; s; s = s->parent)
        for (const Scope::Entry& e : s->entries)
            if (e.name == self) return e.symbol->type;
    return TypeId::None;
}

namespace {

/// Reads heads: names and chains of names.
class HeadReader {
public:
    HeadReader(Sema& sema, const TypeContext& context) : sema_(sema), context_(context) {}

    Symbol* read(const Expr* e) {
        if (const auto* n = llvm::dyn_cast<NameRef>(e)) return name(*n);
        if (const auto* m = llvm::dyn_cast<Member>(e); m && !m->isIndex && !m->optional) return member(*m);
        fail(e->span, "a type is needed here, and this is a value");
        return nullptr;
    }

private:
    void fail(Span at, std::string message) {
        if (!context_.quiet) sema_.diags.error(at, std::move(message));
    }
    LookupResult find(Name n, bool typePosition) {
        return lookup(sema_, n, context_.scope, context_.limit, context_.file, typePosition);
    }

    Symbol* name(const NameRef& n) {
        LookupResult found = find(n.id.name, true);
        if (found.symbol && !found.ambiguous) return resolve(sema_, found.symbol);
        if (!found.symbol && !found.hiddenPrivate) { // a value of that name: better named than called unknown
            LookupResult value = find(n.id.name, false);
            if (value.symbol && !value.ambiguous) return resolve(sema_, value.symbol);
        }
        if (!context_.quiet) reportUnresolved(sema_, n.id.name, n.span, found, context_.scope, context_.file, "type");
        return nullptr;
    }

    /// `ns.name`, or a type declared inside a type.
    Symbol* member(const Member& m) {
        const auto* nested = llvm::dyn_cast<Member>(m.base);
        if (!nested && !llvm::isa<NameRef>(m.base)) {
            fail(m.span, "a type is needed here, and this is a value");
            return nullptr;
        }
        Symbol* base = read(m.base);
        if (const auto* n = llvm::dyn_cast<NameRef>(m.base); n && base && base->kind == SymbolKind::Local) {
            // In a type a namespace wins over a variable of its name.
            LookupResult outer = lookupModule(sema_, n->id.name, *context_.file, true);
            if (outer.symbol && !outer.ambiguous && resolve(sema_, outer.symbol)->kind == SymbolKind::Namespace)
                base = resolve(sema_, outer.symbol);
        }
        if (!base || base->kind == SymbolKind::Error) return nullptr;
        std::string wanted = sema_.text(m.name.name);
        if (base->kind == SymbolKind::Namespace) {
            if (Symbol* found = lookupMember(*base->module, m.name.name, *context_.file)) {
                if (sema_.uses) sema_.uses->all.push_back({m.name.span, found, nullptr, {}, TypeId::None});
                return resolve(sema_, found);
            }
            fail(nested ? firstName(m.base)->span : m.span,
                 "the module " + code(sema_.sources.textOf(m.base->span)) + " has no member " + code(wanted));
            return nullptr;
        }
        if (base->kind == SymbolKind::Type && base->type != TypeId::None) {
            auto& statics = members(sema_, base->type).statics;
            if (auto it = statics.find(m.name.name); it != statics.end()) {
                if (sema_.uses) sema_.uses->all.push_back({m.name.span, it->second, nullptr, {}, TypeId::None});
                return resolve(sema_, it->second);
            }
            fail(m.span, code(sema_.types, base->type) + " declares no type " + code(wanted));
            return nullptr;
        }
        fail(m.span, "a type is needed here, and this is a value");
        return nullptr;
    }

    static const Expr* firstName(const Expr* e) {
        while (const auto* m = llvm::dyn_cast<Member>(e)) e = m->base;
        return e;
    }

    Sema& sema_;
    const TypeContext& context_;
};

/// Answers whether an expression is to be read as a type. Values win over types of the same name.
class TypeNameTest {
public:
    TypeNameTest(Sema& sema, const TypeContext& context) : sema_(sema), context_(context) {}

    bool test(const Expr* e) {
        switch (e->kind) {
        case ExprKind::Paren: return test(static_cast<const Paren*>(e)->inner);
        case ExprKind::Unary:
            return static_cast<const Unary*>(e)->op == UnaryOp::AddrOf && test(static_cast<const Unary*>(e)->operand);
        case ExprKind::NameRef: return name(*static_cast<const NameRef*>(e));
        case ExprKind::Member: return member(*static_cast<const Member*>(e));
        case ExprKind::Call: return call(*static_cast<const Call*>(e));
        case ExprKind::TypeParam: return static_cast<const TypeParam*>(e)->index >= 0;
        case ExprKind::Index: return llvm::isa<TypeParam>(static_cast<const Index*>(e)->base);
        case ExprKind::ResultList: return static_cast<const ResultList*>(e)->elems.empty();
        case ExprKind::OptionalType:
        case ExprKind::SliceType:
        case ExprKind::ManyPointerType:
        case ExprKind::SentinelType:
        case ExprKind::ArrayType:
        case ExprKind::FunctionType:
        case ExprKind::ClosureType:
        case ExprKind::TupleType:
        case ExprKind::InlineType: return true;
        case ExprKind::Int:
        case ExprKind::Float:
        case ExprKind::Bool:
        case ExprKind::String:
        case ExprKind::Null:
        case ExprKind::Undef:
        case ExprKind::EnumLit:
        case ExprKind::ErrorTag:
        case ExprKind::CallerLocation:
        case ExprKind::Binary:
        case ExprKind::CompareChain:
        case ExprKind::Slice:
        case ExprKind::Deref:
        case ExprKind::Cast:
        case ExprKind::Unwrap:
        case ExprKind::Catch:
        case ExprKind::StructLit:
        case ExprKind::ArrayLit:
        case ExprKind::Lambda:
        case ExprKind::Block:
        case ExprKind::If:
        case ExprKind::Match:
        case ExprKind::While:
        case ExprKind::For:
        case ExprKind::Push:
        case ExprKind::Break:
        case ExprKind::Continue:
        case ExprKind::Return:
        case ExprKind::Run:
        case ExprKind::ErrorChannel:
        case ExprKind::Asm: return false;
        }
        return false;
    }

private:
    bool isType(Symbol* s) {
        switch (s->kind) {
        case SymbolKind::Type: return true;
        case SymbolKind::GenericStruct: {
            TypeId self = selfScopeType(sema_, context_.scope);
            NominalInfo* info = self == TypeId::None ? nullptr : nominal(sema_, self);
            return info && info->structTemplate == s->structTemplate;
        }
        case SymbolKind::Constant:
        case SymbolKind::Local: return s->constant().kind == ConstValue::Kind::Type;
        case SymbolKind::Unresolved:
        case SymbolKind::Error:
        case SymbolKind::RuntimeConst:
        case SymbolKind::Global:
        case SymbolKind::Function:
        case SymbolKind::GenericProtocol:
        case SymbolKind::Namespace:
        case SymbolKind::Pack:
        case SymbolKind::Library:
        case SymbolKind::Intrinsic: return false;
        }
        return false;
    }

    /// The declaration that a name or chain names; null where there is none, or a value comes first.
    Symbol* head(const Expr* e) {
        if (const auto* n = llvm::dyn_cast<NameRef>(e)) {
            LookupResult found = lookup(sema_, n->id.name, context_.scope, context_.limit, context_.file);
            if (!found.symbol || found.ambiguous)
                found = lookup(sema_, n->id.name, context_.scope, context_.limit, context_.file, true);
            return found.symbol && !found.ambiguous ? resolve(sema_, found.symbol) : nullptr;
        }
        const auto* m = llvm::dyn_cast<Member>(e);
        if (!m || m->isIndex || m->optional) return nullptr;
        Symbol* base = head(m->base);
        if (!base) return nullptr;
        if (base->kind == SymbolKind::Namespace) {
            Symbol* found = lookupMember(*base->module, m->name.name, *context_.file);
            return found ? resolve(sema_, found) : nullptr;
        }
        if (base->kind != SymbolKind::Type || base->type == TypeId::None) return nullptr;
        auto& statics = members(sema_, base->type).statics;
        auto it = statics.find(m->name.name);
        return it == statics.end() ? nullptr : resolve(sema_, it->second);
    }

    bool name(const NameRef& n) {
        if (Symbol* s = head(&n)) return isType(s);
        if (n.id.raw) return false;
        if (sema_.names.text(n.id.name) == "Self") return selfScopeType(sema_, context_.scope) != TypeId::None;
        return builtinType(sema_, n.id.name) != TypeId::None;
    }

    bool member(const Member& m) {
        Symbol* s = head(&m);
        return s && isType(s);
    }

    bool call(const Call& c) {
        Symbol* s = head(c.callee);
        if (!s) {
            const auto* n = llvm::dyn_cast<NameRef>(c.callee);
            const auto* m = llvm::dyn_cast<Member>(c.callee);
            if (n)
                return !n->id.raw &&
                       (sema_.names.text(n->id.name) == "Vector" || sema_.names.text(n->id.name) == "Array");
            Symbol* base = m ? head(m->base) : nullptr;
            return base && base->kind == SymbolKind::Namespace && sema_.names.text(m->name.name) == "Vector";
        }
        if (s->kind == SymbolKind::GenericStruct || s->kind == SymbolKind::GenericProtocol) return true;
        return s->kind == SymbolKind::Function && isTypeFunction(sema_, *s->function);
    }

    Sema& sema_;
    const TypeContext& context_;
};

} // namespace

Symbol* typeHead(Sema& sema, const Expr* e, const TypeContext& context) { return HeadReader(sema, context).read(e); }

bool namesType(Sema& sema, const Expr* e, const TypeContext& context) { return TypeNameTest(sema, context).test(e); }

} // namespace sx::sema
