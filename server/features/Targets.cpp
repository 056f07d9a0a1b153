#include "server/features/Targets.h"

#include "server/features/Describe.h"

namespace sx::server {

SourcePos throughAliases(View& view, SourcePos target) {
    constexpr int MostAliases = 20;
    for (int i = 0; i < MostAliases; ++i) {
        const Declaration* d = view.declarationAt(target);
        const ast::Expr* value = d && d->kind == DeclaredKind::Constant ? ast::withoutParens(d->value) : nullptr;
        Span name;
        if (const auto* n = llvm::dyn_cast_or_null<ast::NameRef>(value)) name = n->id.span;
        else if (const auto* m = llvm::dyn_cast_or_null<ast::Member>(value)) name = m->name.span;
        const Named* next = name.isValid() ? view.nameAt(name.begin) : nullptr;
        const Declaration* aliased = next && next->target.isValid() ? view.declarationAt(next->target) : nullptr;
        bool isAlias = aliased && aliased->kind != DeclaredKind::Local && aliased->kind != DeclaredKind::Global &&
                       aliased->kind != DeclaredKind::Field && aliased->kind != DeclaredKind::Parameter;
        if (!isAlias || (aliased->kind == DeclaredKind::Constant && !valueOf(view, *aliased).empty())) return target;
        target = next->target;
    }
    return target;
}

const Declaration* protocolOf(View& view, const sema::ImplInfo& impl) {
    const ast::Expr* ref = impl.decl->protocolRef;
    if (const auto* call = llvm::dyn_cast_or_null<ast::Call>(ref)) ref = call->callee;
    const auto* member = llvm::dyn_cast_or_null<ast::Member>(ref);
    const Named* of = ref ? view.nameAt(member ? member->name.span.begin : ref->span.begin) : nullptr;
    const Declaration* d = of && of->target.isValid() ? view.declarationAt(throughAliases(view, of->target)) : nullptr;
    return d && d->kind == DeclaredKind::Protocol ? d : nullptr;
}

/// The method of an implementation that is declared at a place, if it is one that the protocol asks for.
static const Declaration* protocolOfMethod(View& view, SourcePos target) {
    const Declaration* own = view.declarationAt(target);
    if (!own || !own->function) return nullptr;
    const Declaration* parent = view.parentOf(*own);
    if (parent && parent->kind == DeclaredKind::Protocol) return parent;
    for (const sema::ImplInfo* impl : view.program().sema->impls.all)
        for (const ast::FunctionDecl* f : impl->decl->methods)
            if (f == own->function) return protocolOf(view, *impl);
    return nullptr;
}

std::vector<SourcePos> familyOf(View& view, SourcePos target) {
    const Declaration* protocol = target.isValid() ? protocolOfMethod(view, target) : nullptr;
    const auto* tree = protocol ? llvm::dyn_cast_or_null<ast::ProtocolDecl>(protocol->decl) : nullptr;
    if (!tree) return {target};
    Name name = view.declarationAt(target)->name;
    std::vector<SourcePos> family;
    for (const ast::ProtocolMethod& m : tree->methods)
        if (m.fn->name.name == name) family.push_back(m.fn->name.span.begin);
    if (family.empty()) return {target}; // a method that the protocol does not ask for
    for (const sema::ImplInfo* impl : view.program().sema->impls.all)
        for (const ast::FunctionDecl* f : impl->decl->methods)
            if (f->name.name == name && protocolOf(view, *impl) == protocol) family.push_back(f->name.span.begin);
    return family;
}

} // namespace sx::server
