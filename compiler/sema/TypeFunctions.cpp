// Type functions: functions that return a `Type`, called where a type is expected (generics.md 3).
#include "sema/Declare.h"
#include "sema/Evaluate.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/TypeExprs.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"

namespace sx::sema {

using namespace ast;

namespace {

/// The one expression that the body returns; null if there is more to the body than that.
const Expr* soleReturn(const FunctionDecl& f) {
    if (f.bodyKind == BodyKind::Arrow) return withoutParens(f.body());
    const auto* block = llvm::dyn_cast_or_null<BlockExpr>(f.body());
    if (!block || block->stmts.size() != 1) return nullptr;
    if (const auto* r = llvm::dyn_cast<ReturnStmt>(block->stmts.front()))
        return r->elems.size() == 1 ? withoutParens(r->elems.front().value) : nullptr;
    const auto* e = llvm::dyn_cast<ExprStmt>(block->stmts.front());
    return e && !e->semicolon ? withoutParens(e->expr) : nullptr;
}

/// What the body ends in: the expression that yields the type.
const Expr* lastReturned(const FunctionDecl& f) {
    if (const Expr* sole = soleReturn(f)) return sole;
    const auto* block = llvm::dyn_cast_or_null<BlockExpr>(f.body());
    if (!block || block->stmts.empty()) return nullptr;
    if (const auto* r = llvm::dyn_cast<ReturnStmt>(block->stmts.back()))
        return r->elems.size() == 1 ? withoutParens(r->elems.front().value) : nullptr;
    const auto* e = llvm::dyn_cast<ExprStmt>(block->stmts.back());
    return e && !e->semicolon ? withoutParens(e->expr) : nullptr;
}

/// A type function may call itself with another argument. None does so this deep, unless it never ends.
constexpr size_t MaxTypeCalls = 128;

class TypeFunctionCall {
public:
    TypeFunctionCall(Sema& sema, FunctionTemplate& f, const Call& call, const TypeContext& context)
        : sema_(sema), f_(f), call_(call), context_(context) {}

    TypeId run() {
        if (sema_.comptime.typeCalls.size() >= MaxTypeCalls) {
            sema_.diags.error(sema_.comptime.typeCalls.front(),
                              "building " + code(sema_.sources.textOf(sema_.comptime.typeCalls.front())) +
                                  " calls type functions more than " + std::to_string(MaxTypeCalls) + " levels deep");
            return TypeId::None;
        }
        Bindings bindings;
        if (!bind(bindings)) return TypeId::None;
        FunctionInstance* inst = instance(sema_, f_, std::move(bindings), call_.span);
        if (!inst || inst->signatureFailed) return TypeId::None;
        if (inst->builtType == TypeId::None && !inst->bodyFailed) {
            sema_.comptime.typeCalls.push_back(call_.span);
            build(*inst);
            sema_.comptime.typeCalls.pop_back();
        }
        return inst->builtType;
    }

private:
    void fail(Span at, std::string message) {
        if (!context_.quiet) sema_.diags.error(at, std::move(message));
    }

    bool bind(Bindings& out) {
        ArrayRef<Param> params = f_.decl->params;
        bool open = !params.empty() && params.back().variadic;
        size_t fixed = params.size() - (open ? 1 : 0);
        size_t given = call_.args.size();
        size_t needed = fixed;
        while (needed > 0 && params[needed - 1].defaultValue) --needed;
        if (given < needed || (!open && given > fixed)) {
            fail(call_.callee->span,
                 code(f_.qualifiedName) + " takes " + countOf(fixed, "argument") + ", and " + givenCount(given));
            return false;
        }
        bool ok = true;
        for (size_t i = 0; i < fixed; ++i) {
            bool isGiven = i < given;
            TypeContext in = isGiven ? context_ : declared(out);
            Binding b;
            ok &= bindOne(params[i], isGiven ? call_.args[i].value : params[i].defaultValue, in, out, b);
            out.push_back(std::move(b));
        }
        if (open) {
            Binding rest;
            rest.name = params.back().name.name;
            rest.kind = Binding::Kind::Pack;
            for (size_t i = fixed; i < given; ++i) {
                TypeId t = resolveType(sema_, call_.args[i].value, context_);
                ok &= t != TypeId::None;
                rest.packTypes.push_back(t);
            }
            out.push_back(std::move(rest));
        }
        return ok;
    }

    /// Where the function is declared, with what is bound so far.
    TypeContext declared(llvm::ArrayRef<Binding> bindings) {
        TypeContext c;
        c.scope = bindingScope(sema_, f_.env, f_.envLimit, f_.file, TypeId::None, bindings);
        c.file = f_.file;
        return c;
    }

    bool bindOne(const Param& p, const Expr* arg, const TypeContext& in, const Bindings& before, Binding& b) {
        b.name = p.name.name;
        // `(x: $T)`: the type is passed directly.
        if (const auto* t = llvm::dyn_cast_or_null<TypeParam>(withoutParens(p.type)); t && !p.comptime)
            b.name = t->id.name;
        const GenericParam* generic = nullptr;
        for (const GenericParam& g : f_.generics)
            if (g.name == b.name) generic = &g;
        if (!generic || generic->kind != Binding::Kind::Value) {
            b.kind = Binding::Kind::Type;
            b.type = resolveType(sema_, arg, in);
            return b.type != TypeId::None;
        }
        b.type = resolveType(sema_, p.type, declared(before));
        return b.type != TypeId::None && bindValueArgument(sema_, arg, in, b.name, b);
    }

    void build(FunctionInstance& inst) {
        std::string head = sema_.text(f_.decl->name.name);
        std::string name = instanceName(sema_, head, inst.bindings),
                    written = writtenInstance(sema_, head, inst.bindings);
        TypeContext body;
        body.scope = inst.paramScope;
        body.file = f_.file;
        const Expr* returned = soleReturn(*f_.decl);
        if (const auto* inlineType = llvm::dyn_cast_or_null<InlineType>(returned)) {
            inst.builtType = declareNominal(sema_, *inlineType->decl, *f_.file, inst.paramScope, UINT32_MAX, name);
            if (NominalInfo* info = nominal(sema_, inst.builtType)) {
                info->built = true;
                sema_.types.setWrittenName(inst.builtType, written);
            }
        } else if (returned && readsAsType(returned, body)) {
            inst.builtType = resolveType(sema_, returned, body);
        } else {
            const Expr* last = lastReturned(*f_.decl);
            inst.builtType = evaluated(inst, last ? last->span : call_.span, name, written);
        }
        if (inst.builtType == TypeId::None) inst.bodyFailed = true;
    }

    /// A type expression, or a query that yields a type; a call that builds one runs while compiling instead.
    bool readsAsType(const Expr* e, const TypeContext& body) {
        if (namesType(sema_, e, body)) return true;
        const auto* c = llvm::dyn_cast<Call>(e);
        const auto* n = c ? llvm::dyn_cast<NameRef>(c->callee) : nullptr;
        if (!n) return false;
        LookupResult found = lookup(sema_, n->id.name, body.scope, body.limit, body.file);
        if (!found.symbol) return true; // a type query, or unknown: reported there
        Symbol* s = resolve(sema_, found.symbol);
        return s->kind == SymbolKind::Intrinsic || (s->kind == SymbolKind::Function && s->function->isIntrinsic);
    }

    TypeId evaluated(FunctionInstance& inst, Span at, const std::string& name, const std::string& written) {
        if (!ensureLowered(sema_, inst)) return TypeId::None;
        std::string what = "building the type " + code(written);
        EvaluationFailure failure;
        std::optional<ConstValue> c =
            evaluate(sema_, funcFor(sema_, inst), TypeId::Type, what, Output::AtOnce, &failure);
        if (!failure.reason.empty() && !context_.quiet) reportFailure(sema_, at, what, failure);
        if (!c || c->kind != ConstValue::Kind::Type) return TypeId::None;
        return renamed(c->t, name, written);
    }

    /// A built struct or enum is named after the instance of the function.
    TypeId renamed(TypeId t, const std::string& name, const std::string& written) {
        NominalInfo* info = nominal(sema_, t);
        TypeKind kind = sema_.types.kind(t);
        if (!info || info->decl || (kind != TypeKind::Struct && kind != TypeKind::Enum)) return t;
        info->built = true;
        TypeId copy = namedAlias(sema_, t, &call_, name);
        if (NominalInfo* alias = nominal(sema_, copy); alias && copy != t) {
            alias->built = true;
            sema_.types.setWrittenName(copy, written);
        }
        return copy;
    }

    Sema& sema_;
    FunctionTemplate& f_;
    const Call& call_;
    const TypeContext& context_;
};

} // namespace

TypeId callTypeFunction(Sema& sema, FunctionTemplate& f, const Call& call, const TypeContext& context) {
    return TypeFunctionCall(sema, f, call, context).run();
}

} // namespace sx::sema
