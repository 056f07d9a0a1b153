#include "server/features/Targets.h"

#include "server/features/Describe.h"
#include "server/features/References.h"

#include <algorithm>
#include <set>

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
    const std::vector<std::string>& files = workspace.files();
    bool isOwn = std::binary_search(files.begin(), files.end(), path); // else of the library: anybody may have it
    std::set<std::string> importers = isOwn ? workspace.importersOf(path) : std::set<std::string>();
    for (const std::string& other : files) {
        if (isOwn && !importers.count(other)) continue;
        const std::string* text = other == view.path() ? nullptr : workspace.text(other);
        if (!text || !hasWord(*text, word)) continue;
        if (View* v = workspace.view(other)) collect(*v);
    }
}

namespace {

/// Finds the declarations that have to have one name: each may ask for others.
class Family {
public:
    Family(View& view, SourcePos first) : view_(view), all_{first} {}

    std::vector<SourcePos> run() {
        for (size_t i = 0; i < all_.size(); ++i) {
            SourcePos at = all_[i]; // grows
            slots(at);
            const Declaration* d = view_.declarationAt(at);
            if (!d || !d->function || d->function->name.span.begin != at) continue;
            accessors(*d);
            for (const sema::ImplInfo* impl : view_.program().sema->impls.all) implementing(*d, *impl);
        }
        return std::move(all_);
    }

private:
    void add(SourcePos at) {
        if (at.isValid() && std::find(all_.begin(), all_.end(), at) == all_.end()) all_.push_back(at);
    }

    /// Elements of tuples of one shape: it is one type, wherever it is written.
    void slots(SourcePos at) {
        const auto& uses = view_.program().sema->uses;
        if (!uses) return;
        for (const sema::SlotName& own : uses->slots) {
            if (own.declared.begin != at) continue;
            for (const sema::SlotName& other : uses->slots)
                if (other.tuple == own.tuple && other.name == own.name) add(other.declared.begin);
        }
    }

    /// `#get` and `#set` of one property.
    void accessors(const Declaration& d) {
        if (!d.function->isGet && !d.function->isSet) return;
        for (const Declaration& other : view_.names(view_.program().sources.fileOf(d.nameSpan.begin)).declarations)
            if (other.kind == d.kind && other.name == d.name && other.parent == d.parent && other.function &&
                (other.function->isGet || other.function->isSet))
                add(other.nameSpan.begin);
    }

    static const ast::FunctionDecl* methodNamed(llvm::ArrayRef<ast::FunctionDecl*> methods, Name name) {
        for (const ast::FunctionDecl* f : methods)
            if (f->name.name == name) return f;
        return nullptr;
    }
    static void forEachMethod(const ast::StructDecl& type, Name name,
                              llvm::function_ref<void(const ast::FunctionDecl&)> visit) {
        for (const ast::MemberDecl& m : type.members)
            if (const auto* f = llvm::dyn_cast_or_null<ast::FunctionDecl>(m.decl); f && f->name.name == name) visit(*f);
    }

    /// A method of a protocol, and what an impl has for it: a method of its own, or one that the type has already.
    void implementing(const Declaration& d, const sema::ImplInfo& impl) {
        const Declaration* protocol = protocolOf(view_, impl);
        const auto* tree = protocol ? llvm::dyn_cast_or_null<ast::ProtocolDecl>(protocol->decl) : nullptr;
        const ast::FunctionDecl* wanted = nullptr;
        for (const ast::ProtocolMethod& m : tree ? tree->methods : llvm::ArrayRef<ast::ProtocolMethod>())
            if (m.fn->name.name == d.name) wanted = m.fn;
        if (!wanted) return; // a method that the protocol does not ask for
        std::vector<SourcePos> together{wanted->name.span.begin};
        if (const ast::FunctionDecl* own = methodNamed(impl.decl->methods, d.name)) {
            together.push_back(own->name.span.begin);
        } else if (const Declaration* target = targetOf(view_, impl)) {
            if (const auto* type = llvm::dyn_cast_or_null<ast::StructDecl>(target->decl))
                forEachMethod(*type, d.name,
                              [&](const ast::FunctionDecl& f) { together.push_back(f.name.span.begin); });
            if (together.size() == 1) // of another impl
                for (const sema::ImplInfo* other : view_.program().sema->impls.all)
                    if (const ast::FunctionDecl* f = methodNamed(other->decl->methods, d.name);
                        f && targetOf(view_, *other) == target)
                        together.push_back(f->name.span.begin);
        }
        if (std::find(together.begin(), together.end(), d.nameSpan.begin) == together.end()) return;
        for (SourcePos at : together) add(at);
    }

    View& view_;
    std::vector<SourcePos> all_;
};

} // namespace

std::vector<SourcePos> familyOf(View& view, SourcePos target) {
    return target.isValid() ? Family(view, target).run() : std::vector<SourcePos>{target};
}

} // namespace sx::server
