// Types that compile-time code builds (generics.md 10).
//
// `declare` makes a struct without parts, `define` says what it is (CompilerServices.cpp). A construction may mention
// the type that it builds, as `*Name`, although the name is not bound before the construction has ended: so a name in a
// literal `declare("Name")` stands for the type within the code around it. That type is made when the code is first
// looked at, and the first `declare` that runs there hands it out.
#include "sema/BuiltTypes.h"

#include "sema/Sema.h"
#include "sema/TypeResolver.h"
#include "syntax/Walk.h"

namespace sx::sema {

using namespace ast;

bool loadsMeta(const Sema& sema) {
    for (const auto& file : sema.program.files)
        if (file->isLibrary && sema.sources.tracePath(file->id) == "modules/std/meta.sx") return true;
    return false;
}

TypeId newBuiltType(Sema& sema, std::string name) {
    TypeId t = sema.types.newStruct(std::move(name));
    auto* info = sema.make<NominalInfo>();
    info->type = t;
    info->file = sema.program.entry;
    info->envLimit = UINT32_MAX;
    info->membersDeclared = true;
    sema.nominals.infos[t] = info;
    return t;
}

bool declaresType(const Sema& sema, const Expr* e) {
    const auto* call = llvm::dyn_cast<Call>(e);
    if (!call || call->args.size() != 1) return false;
    const auto* plain = llvm::dyn_cast<NameRef>(call->callee);
    const auto* member = llvm::dyn_cast<Member>(call->callee);
    Name callee = plain ? plain->id.name : member && !member->isIndex ? member->name.name : Name::None;
    return sema.names.text(callee) == "declare" || sema.names.text(callee) == "raw_declare_type";
}

namespace {

/// The literal of `declare("Name")`.
const StringLit* declaredName(const Sema& sema, const Expr* e) {
    return declaresType(sema, e) ? llvm::dyn_cast<StringLit>(static_cast<const Call*>(e)->args[0].value) : nullptr;
}

} // namespace

Scope* announceTypes(Sema& sema, const Expr* code, Scope* scope, uint32_t& limit, SourceFile* file) {
    if (!code || !loadsMeta(sema)) return scope;
    Bindings bindings;
    auto onExpr = [&](const Expr* e) {
        const StringLit* literal = declaredName(sema, e);
        if (!literal || literal->value.empty()) return true;
        Name declared = sema.names.intern(literal->value);
        if (llvm::any_of(bindings, [&](const Binding& b) { return b.name == declared; })) return true;
        Binding b;
        b.name = declared;
        b.kind = Binding::Kind::Type;
        b.type = newBuiltType(sema, literal->value.str());
        sema.comptime.builtTypes[b.type] = Comptime::BuiltState::Announced;
        sema.comptime.announced.insert(b.type);
        // `Node :: define(declare("Node"), …);`: others may mention the constant before it is done.
        if (Symbol* s = sema.resolving.empty() ? nullptr : sema.resolving.back();
            s && s->name == declared && s->kind == SymbolKind::Unresolved) {
            s->kind = SymbolKind::Type;
            s->type = b.type;
        }
        bindings.push_back(std::move(b));
        return true;
    };
    auto onStmt = [](const Stmt*) { return true; };
    Walker{onExpr, onStmt, true}.walk(code);
    if (bindings.empty()) return scope;
    Scope* inner = bindingScope(sema, scope, limit, file, TypeId::None, bindings);
    limit = UINT32_MAX;
    return inner;
}

} // namespace sx::sema
