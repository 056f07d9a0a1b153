#include "server/features/Targets.h"

#include "server/features/Describe.h"
#include "server/features/References.h"

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

/// What a type or a protocol is declared by, as an implementation names it.
static const Declaration* declaredAs(View& view, const ast::Expr* ref) {
    if (const auto* call = llvm::dyn_cast_or_null<ast::Call>(ref)) ref = call->callee;
    const auto* member = llvm::dyn_cast_or_null<ast::Member>(ref);
    const Named* of = ref ? view.nameAt(member ? member->name.span.begin : ref->span.begin) : nullptr;
    return of && of->target.isValid() ? view.declarationAt(throughAliases(view, of->target)) : nullptr;
}

const Declaration* protocolOf(View& view, const sema::ImplInfo& impl) {
    const Declaration* d = declaredAs(view, impl.decl->protocolRef);
    return d && d->kind == DeclaredKind::Protocol ? d : nullptr;
}

const Declaration* targetOf(View& view, const sema::ImplInfo& impl) { return declaredAs(view, impl.decl->target); }

void forEachImpl(Workspace& workspace, View& view, const Declaration& wanted,
                 llvm::function_ref<void(View&, const sema::ImplInfo&)> visit) {
    // A declaration is the same in two programs if it stands at the same place of the same file.
    const std::string path = view.pathOf(wanted.nameSpan.begin);
    const uint32_t offset = view.offsetOf(wanted.nameSpan.begin);
    auto collect = [&](View& v) {
        std::optional<FileId> file = v.program().fileOf(path);
        const Declaration* d = file ? v.declarationAt(v.program().sources.start(*file) + offset) : nullptr;
        if (!d) return;
        for (const sema::ImplInfo* impl : v.program().sema->impls.all)
            if (protocolOf(v, *impl) == d || targetOf(v, *impl) == d) visit(v, *impl);
    };
    collect(view);
    const std::string word(view.textOf(wanted.nameSpan));
    for (const std::string& other : workspace.files()) {
        const std::string* text = other == view.path() ? nullptr : workspace.text(other);
        if (!text || !hasWord(*text, word)) continue;
        if (View* v = workspace.view(other)) collect(*v);
    }
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
