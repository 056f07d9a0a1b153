// An impl for one type is known from the start. An impl for a generic head (`impl P for Stack($T)`) or for the
// closure pattern is a recipe: each type it fits gets an impl of its own when that type is first asked about.
#include "sema/Impls.h"

#include "sema/Context.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/TypeExprs.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/TypeNames.h"

namespace sx::sema {

using namespace ast;

namespace {

TypeContext quietIn(SourceFile* file, Scope* scope = nullptr) {
    TypeContext c;
    c.file = file;
    c.scope = scope;
    c.quiet = true;
    return c;
}

class ImplDeclarer {
public:
    ImplDeclarer(Sema& sema, SourceFile& file, const ImplDecl& decl)
        : sema_(sema), file_(file), decl_(decl), names_(quietIn(&file)) {}

    void run() {
        impl_ = sema_.make<ImplInfo>();
        impl_->decl = &decl_;
        impl_->file = &file_;
        if (!readProtocolHead()) return;
        const Expr* target = withoutParens(decl_.target);
        if (!decl_.targetParams.empty()) return genericTarget(*static_cast<const Call*>(target));
        bool isPattern = anyInType(target, [](const Expr* e) { return llvm::isa<TypeParam>(e); });
        if (isPattern) return patternTarget(target);
        concreteTarget(target);
    }

private:
    std::string spelled(const Expr* e) { return std::string(sema_.sources.textOf(e->span)); }
    void reject(std::string message) { sema_.diags.error(decl_.span, std::move(message)); }

    bool countFits(const Expr* written, size_t given, ArrayRef<TypeParamDecl> params) {
        if (given == params.size() || (!params.empty() && params.back().variadic && given + 1 >= params.size()))
            return true;
        reject(code(spelled(written)) + " gives " + std::to_string(given) + (given == 1 ? " argument" : " arguments") +
               ", and there are " + std::to_string(params.size()) + " parameters");
        return false;
    }

    /// What is implemented: a protocol, or the template of a parameterised one. False after a report.
    bool readProtocolHead() {
        const auto* call = llvm::dyn_cast<Call>(decl_.protocolRef);
        const Expr* head = call ? call->callee : decl_.protocolRef;
        Symbol* s = typeHead(sema_, head, names_);
        if (s && s->kind == SymbolKind::Error) return false;
        if (s && s->kind == SymbolKind::GenericProtocol) {
            impl_->protocolTemplate = s->protocolTemplate;
            if (!call)
                reject(code(spelled(head)) + " is a parameterised protocol: an impl says for which arguments, " +
                       code("impl " + spelled(head) + "(…) for …"));
            return call;
        }
        if (!s || s->kind != SymbolKind::Type || sema_.types.kind(s->type) != TypeKind::Protocol || call) {
            reject(!s ? "this impl is for an unknown protocol " + code(spelled(head))
                      : code(spelled(decl_.protocolRef)) + " is not a protocol, so it cannot be implemented");
            return false;
        }
        impl_->protocol = s->type;
        return true;
    }

    void genericTarget(const Call& target) {
        Symbol* s = typeHead(sema_, target.callee, names_);
        if (s && s->kind == SymbolKind::Error) return;
        if (!s || s->kind != SymbolKind::GenericStruct)
            return reject("the target " + code(spelled(&target)) + " of this impl is not a generic struct");
        if (!countFits(&target, target.args.size(), s->structTemplate->decl->typeParams)) return;
        s->structTemplate->impls.push_back(impl_);
    }

    void patternTarget(const Expr* target) {
        if (!impl_->protocolTemplate || !llvm::isa<ClosureType>(target))
            return reject(code(spelled(target)) + " cannot be the target of an impl: a pattern is `Closure(..$args) -> "
                                                  "$R`, for a parameterised protocol");
        ProtocolTemplate& protocol = *impl_->protocolTemplate;
        if (protocol.patternImpls.empty()) sema_.impls.patternProtocols.push_back(&protocol);
        protocol.patternImpls.push_back(impl_);
    }

    void concreteTarget(const Expr* target) {
        TypeId t = resolveType(sema_, target, names_);
        if (t == TypeId::None)
            return reject("the target " + code(spelled(target)) + " of this impl is not a type that is known here");
        impl_->target = canonical(sema_, t);
        if (impl_->protocolTemplate) {
            const auto& given = static_cast<const Call*>(decl_.protocolRef)->args;
            if (!countFits(decl_.protocolRef, given.size(), impl_->protocolTemplate->decl->typeParams)) return;
            impl_->protocol = resolveType(sema_, decl_.protocolRef, names_);
            if (impl_->protocol == TypeId::None)
                return reject("the arguments of " + code(spelled(decl_.protocolRef)) +
                              " are not types that are known here");
        }
        for (ImplInfo* other : sema_.impls.byTarget[impl_->target])
            if (other->protocol == impl_->protocol && other->file == &file_) {
                sema_.diags
                    .error(decl_.span, code(sema_.types, impl_->target) + " has an impl of " +
                                           code(sema_.types, impl_->protocol) + " in this file already")
                    .note(other->decl->span, "the first impl is here");
                return;
            }
        impl_->env = bindingScope(sema_, nullptr, UINT32_MAX, &file_, impl_->target, {});
        sema_.impls.all.push_back(impl_);
        sema_.impls.byTarget[impl_->target].push_back(impl_);
    }

    Sema& sema_;
    SourceFile& file_;
    const ImplDecl& decl_;
    TypeContext names_;
    ImplInfo* impl_ = nullptr;
};

/// The impl that a recipe means for one target, with `$` of the target bound. None if it does not apply.
void makeImpl(Sema& sema, const ImplInfo& recipe, TypeId target, llvm::ArrayRef<Binding> bindings) {
    auto* impl = sema.make<ImplInfo>();
    *impl = recipe;
    impl->target = target;
    impl->env = bindingScope(sema, nullptr, UINT32_MAX, recipe.file, target, bindings);
    if (recipe.protocolTemplate) {
        TypeContext in = quietIn(recipe.file, impl->env);
        in.quiet = false;
        impl->protocol = resolveType(sema, recipe.decl->protocolRef, in);
        if (impl->protocol == TypeId::None) return;
    }
    sema.impls.all.push_back(impl);
    sema.impls.byTarget[target].push_back(impl);
}

Binding renamed(const Binding& from, Name name) {
    Binding b = from;
    b.name = name;
    return b;
}

/// `Closure(A, ..$args) -> $R` against a closure type: the prefix must be equal.
bool matchClosure(Sema& sema, const ImplInfo& recipe, TypeId closure, Bindings& out) {
    const auto& pattern = *static_cast<const ClosureType*>(withoutParens(recipe.decl->target));
    const FunctionInfo& info = sema.types.functionInfo(closure);
    TypeContext in = quietIn(recipe.file);
    size_t next = 0;
    auto bind = [&](const Expr* written, TypeId actual) {
        const auto* p = llvm::dyn_cast<TypeParam>(withoutParens(written));
        if (!p) return resolveResultType(sema, written, in) == actual;
        Binding b;
        b.name = p->id.name;
        b.kind = Binding::Kind::Type;
        b.type = actual;
        out.push_back(std::move(b));
        return true;
    };
    for (const TypeElem& e : pattern.params) {
        if (e.spread) {
            const auto* p = llvm::dyn_cast<TypeParam>(e.type);
            Binding rest;
            rest.name = p ? p->id.name : Name::None;
            rest.kind = Binding::Kind::Pack;
            rest.packTypes.assign(info.params.begin() + static_cast<ptrdiff_t>(next), info.params.end());
            next = info.params.size();
            out.push_back(std::move(rest));
        } else if (next >= info.params.size() || !bind(e.type, info.params[next++])) {
            return false;
        }
    }
    if (next != info.params.size()) return false;
    return pattern.result ? bind(pattern.result, info.result) : info.result == TypeId::Void;
}

void instantiatePatterns(Sema& sema, ProtocolTemplate& protocol, TypeId concrete) {
    if (sema.types.kind(concrete) != TypeKind::Closure) return;
    for (ImplInfo* recipe : protocol.patternImpls) {
        bool made = false;
        for (ImplInfo* impl : sema.impls.byTarget[concrete]) made |= impl->decl == recipe->decl;
        Bindings bindings;
        if (!made && matchClosure(sema, *recipe, concrete, bindings)) makeImpl(sema, *recipe, concrete, bindings);
    }
}

/// The name of a constant that a call or `#run` gives its value, perhaps over aliases: the type is built by code that
/// runs.
bool isBuilt(Sema& sema, const Expr* target, SourceFile& file, unsigned aliases = 0) {
    constexpr unsigned MostAliases = 64; // a cycle is reported where it is resolved
    const auto* n = aliases < MostAliases ? llvm::dyn_cast<NameRef>(target) : nullptr;
    LookupResult found = n ? lookupModule(sema, n->id.name, file) : LookupResult{};
    const auto* constant =
        found.symbol && !found.ambiguous ? llvm::dyn_cast_or_null<ConstDecl>(found.symbol->decl) : nullptr;
    if (!constant) return false;
    const Expr* value = withoutParens(constant->value);
    if (const auto* alias = llvm::dyn_cast<NameRef>(value))
        return isBuilt(sema, alias, *found.symbol->file, aliases + 1);
    return llvm::isa<Run>(value) || (llvm::isa<Call>(value) && !namesType(sema, value, quietIn(found.symbol->file)));
}

} // namespace

void declareImpls(Sema& sema) {
    if (sema.impls.declared) return;
    sema.impls.declared = true;
    // Code that builds a type may use the default context, and that needs the impls of its fields' types.
    for (bool built : {false, true}) {
        for (const auto& file : sema.program.files)
            for (const Decl* d : file->items) {
                const auto* impl = llvm::dyn_cast<ImplDecl>(d);
                if (impl && isBuilt(sema, withoutParens(impl->target), *file) == built)
                    ImplDeclarer(sema, *file, *impl).run();
            }
        if (!built) writeContextDefaults(sema);
    }
    checkGenericResults(sema);
}

void declareImplsOf(Sema& sema, SourceFile& file) {
    if (!sema.impls.declared) return;
    for (const Decl* d : file.items)
        if (const auto* impl = llvm::dyn_cast<ImplDecl>(d)) ImplDeclarer(sema, file, *impl).run();
}

void declareImplMethods(Sema& sema, ImplInfo& impl) {
    if (impl.methodsDeclared) return;
    impl.methodsDeclared = true;
    std::string prefix = writtenName(sema.types, impl.target) + ".";
    for (const FunctionDecl* fn : impl.decl->methods) {
        FunctionTemplate* method =
            newTemplate(sema, *fn, *impl.file, impl.env, prefix + sema.text(fn->name.name), impl.target);
        method->isImplMethod = true;
        method->protocol = impl.protocol;
        if (!impl.methods.try_emplace(fn->name.name, method).second)
            sema.diags.error(fn->name.span, "this impl defines " + code(sema, fn->name.name) + " twice");
    }
}

void instantiatePatterns(Sema& sema, TypeId concrete) {
    for (ProtocolTemplate* protocol : sema.impls.patternProtocols) {
        bool isTaken = false; // a pattern matches what no impl of its own covers
        for (ImplInfo* impl : sema.impls.byTarget[concrete])
            isTaken |= impl->decl->targetParams.empty() && impl->protocolTemplate == protocol &&
                       !anyInType(impl->decl->target, [](const Expr* e) { return llvm::isa<TypeParam>(e); });
        if (!isTaken) instantiatePatterns(sema, *protocol, concrete);
    }
}

void instantiateImpls(Sema& sema, NominalInfo& instance) {
    if (!instance.structTemplate || instance.aliasInstanceOf != TypeId::None) return;
    std::vector<ImplInfo*>& recipes = instance.structTemplate->impls;
    while (instance.implsMade < recipes.size()) {
        ImplInfo& recipe = *recipes[instance.implsMade++];
        const auto& target = *static_cast<const Call*>(withoutParens(recipe.decl->target));
        Bindings bindings;
        bool fits = target.args.size() == instance.bindings.size();
        for (size_t i = 0; fits && i < target.args.size(); ++i) {
            const Expr* written = target.args[i].value;
            if (const auto* p = llvm::dyn_cast<TypeParam>(written))
                bindings.push_back(renamed(instance.bindings[i], p->id.name));
            else
                fits = instance.bindings[i].kind == Binding::Kind::Type &&
                       resolveType(sema, written, quietIn(recipe.file)) == instance.bindings[i].type;
        }
        if (fits) makeImpl(sema, recipe, instance.type, bindings);
    }
}

// ------------------------------------------------------------------------------------ finding

std::vector<ImplInfo*> findImpls(Sema& sema, TypeId protocol, TypeId given) {
    TypeId concrete = canonical(sema, given);
    if (NominalInfo* info = nominal(sema, concrete)) instantiateImpls(sema, *info);
    auto known = [&] {
        std::vector<ImplInfo*> found;
        for (ImplInfo* impl : sema.impls.byTarget[concrete])
            if (impl->protocol == protocol) found.push_back(impl);
        return found;
    };
    std::vector<ImplInfo*> found = known();
    NominalInfo* info = nominal(sema, protocol);
    if (!found.empty() || !info || !info->protocolTemplate) return found;
    instantiatePatterns(sema, *info->protocolTemplate, concrete);
    return known();
}

ImplInfo* findImpl(Sema& sema, TypeId protocol, TypeId concrete) {
    std::vector<ImplInfo*> found = findImpls(sema, protocol, concrete);
    return found.empty() ? nullptr : found.front();
}

std::vector<ImplInfo*> implsOf(Sema& sema, ProtocolTemplate& protocol, TypeId given) {
    TypeId concrete = canonical(sema, given);
    if (NominalInfo* info = nominal(sema, concrete)) instantiateImpls(sema, *info);
    std::vector<ImplInfo*> found;
    for (bool patterns : {false, true}) {
        if (patterns) instantiatePatterns(sema, protocol, concrete);
        for (ImplInfo* impl : sema.impls.byTarget[concrete]) {
            NominalInfo* info = nominal(sema, impl->protocol);
            if (info && info->protocolTemplate == &protocol) found.push_back(impl);
        }
        if (!found.empty()) break;
    }
    return found;
}

} // namespace sx::sema
