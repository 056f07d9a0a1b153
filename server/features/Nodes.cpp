#include "server/features/Nodes.h"

#include "syntax/Walk.h"

namespace sx::server {

using namespace ast;

namespace {

class Visitor {
public:
    using OnValue = llvm::function_ref<void(Span whole, const Expr* value)>;
    explicit Visitor(llvm::function_ref<void(Span)> visit, OnValue onValue) : visit_(visit), onValue_(onValue) {}

    void decl(const Decl* d) {
        if (!d) return;
        span(d->span);
        value(d);
        if (const auto* c = llvm::dyn_cast<ConstDecl>(d)) typed(c->type, c->value);
        else if (const auto* v = llvm::dyn_cast<VarDecl>(d)) typed(v->type, v->init);
        else if (const auto* r = llvm::dyn_cast<RunDecl>(d)) expr(r->value);
        else if (const auto* x = llvm::dyn_cast<ContextExtendDecl>(d)) typed(x->type, x->defaultValue);
        else if (const auto* f = llvm::dyn_cast<FunctionDecl>(d)) function(*f);
        else if (const auto* i = llvm::dyn_cast<InlineIfDecl>(d)) choice(*i);
        else members(d);
    }

private:
    void span(Span s) {
        if (s.isValid() && s.begin < s.end) visit_(s);
    }

    void value(const Decl* d) {
        if (const auto* c = llvm::dyn_cast<ConstDecl>(d)) onValue_(d->span, c->value);
        else if (const auto* v = llvm::dyn_cast<VarDecl>(d)) onValue_(d->span, v->init);
    }
    void value(const Stmt* s) {
        if (const auto* v = llvm::dyn_cast<VarStmt>(s)) onValue_(s->span, v->init);
        else if (const auto* a = llvm::dyn_cast<Assign>(s)) onValue_(s->span, a->value);
        else if (const auto* r = llvm::dyn_cast<ReturnStmt>(s); r && r->elems.size() == 1)
            onValue_(s->span, r->elems.front().value);
    }
    void value(const Expr* e) {
        const auto* r = llvm::dyn_cast<ReturnExpr>(e);
        if (!r) onValue_(e->span, e);
        else if (r->elems.size() == 1) onValue_(e->span, r->elems.front().value);
    }

    void typed(const Expr* type, const Expr* value) {
        expr(type);
        expr(value);
    }

    void expr(const Expr* e) {
        auto onExpr = [this](const Expr* inner) {
            span(inner->span);
            value(inner);
            if (const auto* lambda = llvm::dyn_cast<Lambda>(inner)) {
                function(*lambda->fn);
                return false;
            }
            return true;
        };
        auto onStmt = [this](const Stmt* s) {
            span(s->span);
            value(s);
            if (const auto* v = llvm::dyn_cast<VarStmt>(s); v && v->type) span(v->type->span);
            const auto* local = llvm::dyn_cast<LocalDecl>(s);
            if (local) decl(local->decl);
            return !local;
        };
        Walker{onExpr, onStmt, true}.walk(e);
    }

    void function(const FunctionDecl& f) {
        span(f.paramList);
        for (const Param& p : f.params) {
            span(p.span);
            typed(p.type, p.defaultValue);
        }
        typed(f.result, f.body());
    }

    void choice(const InlineIfDecl& i) {
        for (const Decl* d : i.then) decl(d);
        for (const Decl* d : i.otherwise) decl(d);
        for (const InlineIfDecl::Arm& arm : i.arms)
            for (const Decl* d : arm.items) decl(d);
    }

    void members(const Decl* d) {
        if (const auto* s = llvm::dyn_cast<StructDecl>(d)) {
            for (const MemberDecl& m : s->members) {
                if (m.kind == MemberKind::Field) {
                    span(m.field.span);
                    typed(m.field.type, m.field.defaultValue);
                } else if (m.kind == MemberKind::Decl) decl(m.decl);
            }
        } else if (const auto* e = llvm::dyn_cast<EnumDecl>(d)) {
            for (const VariantDecl& v : e->variants) {
                span(v.span);
                typed(v.payload, v.value);
            }
        } else if (const auto* u = llvm::dyn_cast<UnionDecl>(d)) {
            for (const UnionMemberDecl& m : u->members) {
                span(m.span);
                expr(m.type);
                decl(m.anonymous);
            }
        } else if (const auto* p = llvm::dyn_cast<ProtocolDecl>(d)) {
            for (const ProtocolMethod& m : p->methods) decl(m.fn);
        } else if (const auto* i = llvm::dyn_cast<ImplDecl>(d)) {
            for (const FunctionDecl* f : i->methods) decl(f);
        }
    }

    llvm::function_ref<void(Span)> visit_;
    OnValue onValue_;
};

} // namespace

void forEachNode(const File& file, llvm::function_ref<void(Span)> visit) {
    auto ignore = [](Span, const Expr*) {};
    Visitor visitor(visit, ignore);
    for (const Decl* d : file.items) visitor.decl(d);
}

Span valueAt(const File& file, Span whole) {
    Span found;
    auto ignore = [](Span) {};
    auto take = [&](Span span, const Expr* value) {
        bool isIt = span.begin == whole.begin && span.end == whole.end && value;
        if (isIt && !found.isValid()) found = value->span; // outer ones come first
    };
    Visitor visitor(ignore, take);
    for (const Decl* d : file.items) visitor.decl(d);
    return found;
}

} // namespace sx::server
