#include "sema/Lookup.h"
#include "sema/NumberLimits.h"
#include "server/program/NameWalk.h"

namespace sx::server {

using namespace ast;

int NameWalk::findLocal(Name wanted) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
        if (auto found = scope->find(wanted); found != scope->end()) return found->second;
    return -1;
}

void NameWalk::name(const Ident& id) {
    if (!id) return;
    if (int local = findLocal(id.name); local >= 0)
        return use(id.span, out_.declarations[static_cast<size_t>(local)].nameSpan.begin);
    if (self_ && self_->name && sema_.names.text(id.name) == "Self") return use(id.span, self_->name.span.begin);
    sema::LookupResult found = sema::lookupModule(sema_, id.name, file_);
    if (found.symbol && found.symbol->nameSpan.isValid()) use(id.span, found.symbol->nameSpan.begin);
}

bool NameWalk::isCaught(const Expr* subject) const {
    const auto* n = llvm::dyn_cast_or_null<NameRef>(withoutParens(subject));
    int local = n ? findLocal(n->id.name) : -1;
    return local >= 0 && caught_.count(out_.declarations[static_cast<size_t>(local)].nameSpan.begin);
}

/// The declaration at module level that a name or a chain of names is; null: it is none.
sema::Symbol* NameWalk::symbolOf(const Expr* e) {
    if (const auto* n = llvm::dyn_cast_or_null<NameRef>(e))
        return findLocal(n->id.name) >= 0 ? nullptr : sema::lookupModule(sema_, n->id.name, file_).symbol;
    const auto* m = llvm::dyn_cast_or_null<Member>(e);
    sema::Symbol* base = m ? symbolOf(m->base) : nullptr;
    return base && base->module ? sema::lookupMember(*base->module, m->name.name, file_) : nullptr;
}

/// The struct, enum, union or protocol that a written type is, or points at.
const Decl* NameWalk::declOf(const Expr* type) {
    while (type) {
        if (const auto* p = llvm::dyn_cast<Paren>(type)) type = p->inner;
        else if (const auto* u = llvm::dyn_cast<Unary>(type); u && u->op == UnaryOp::AddrOf) type = u->operand;
        else if (const auto* c = llvm::dyn_cast<Call>(type)) type = c->callee;
        else break;
    }
    const auto* n = llvm::dyn_cast_or_null<NameRef>(type);
    if (n && sema_.names.text(n->id.name) == "Self") return self_;
    if (int local = n ? findLocal(n->id.name) : -1; local >= 0)
        return out_.declarations[static_cast<size_t>(local)].decl;
    sema::Symbol* s = symbolOf(type);
    return s ? s->decl : nullptr;
}

/// The type of a variable whose type is written, or is that of a literal.
const Decl* NameWalk::typeOfValue(const Expr* e) {
    const auto* n = llvm::dyn_cast_or_null<NameRef>(withoutParens(e));
    int local = n ? findLocal(n->id.name) : -1;
    if (local < 0) return nullptr;
    const Declaration& d = out_.declarations[static_cast<size_t>(local)];
    if (d.kind != DeclaredKind::Local && d.kind != DeclaredKind::Parameter) return nullptr;
    if (d.type) return declOf(d.type);
    const auto* literal = llvm::dyn_cast_or_null<StructLit>(d.value);
    return literal && literal->type ? declOf(literal->type) : nullptr;
}

Ident memberNamed(const Decl& d, Name name) {
    if (const auto* s = llvm::dyn_cast<StructDecl>(&d)) {
        for (const MemberDecl& m : s->members) {
            if (m.kind == MemberKind::Field && m.field.name.name == name) return m.field.name;
            if (m.kind == MemberKind::Decl && m.decl && m.decl->name.name == name) return m.decl->name;
        }
    } else if (const auto* e = llvm::dyn_cast<EnumDecl>(&d)) {
        for (const VariantDecl& v : e->variants)
            if (v.name.name == name) return v.name;
    } else if (const auto* u = llvm::dyn_cast<UnionDecl>(&d)) {
        for (const UnionMemberDecl& m : u->members)
            if (m.name.name == name) return m.name;
    } else if (const auto* p = llvm::dyn_cast<ProtocolDecl>(&d)) {
        for (const TypeParamDecl& t : p->typeParams) // `..xs.T`
            if (t.name.name == name) return t.name;
        for (const ProtocolMethod& m : p->methods)
            if (m.fn->name.name == name) return m.fn->name;
    }
    return {};
}

void NameWalk::memberOf(const Decl& type, const Ident& id) {
    if (Ident found = memberNamed(type, id.name)) use(id.span, found.span.begin);
}

void NameWalk::member(const Member& m) {
    if (sema::limitOwner(sema_, m) != TypeId::None) return; // `i8.max`, also beside a variable of that name
    expr(m.base);
    if (m.isIndex || !m.name) return;
    out_.expressions.push_back({m.name.span.begin, &m});
    if (sema::Symbol* s = symbolOf(&m)) return use(m.name.span, s->nameSpan.begin);
    if (const Decl* type = typeOfValue(m.base)) return memberOf(*type, m.name);
    if (llvm::isa_and_nonnull<NameRef>(m.base) || llvm::isa_and_nonnull<Member>(m.base))
        if (const Decl* type = declOf(m.base)) memberOf(*type, m.name);
}

} // namespace sx::server
