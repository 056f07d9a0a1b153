#include "server/features/ErrorSites.h"

#include "server/features/Describe.h"
#include "syntax/Walk.h"

#include <algorithm>
#include <set>

namespace sx::server {

using namespace ast;

namespace {

/// Finds the sites in a body. Remembers what stands around a call before the walk reaches it.
class SiteWalk {
public:
    SiteWalk(View& view, ErrorSites& out) : view_(view), out_(out) {}

    void run(const FunctionDecl& f) {
        auto onExpr = [this](const Expr* e) { return expression(e); };
        auto onStmt = [this](const Stmt* s) { return statement(s); };
        Walker{onExpr, onStmt, true}.walk(f.body);
    }

private:
    struct Around {
        CallHandling handling{};
        Span keyword;
    };

    void handle(const Expr* operand, CallHandling handling, Span keyword) {
        around_[withoutParens(operand)] = {handling, keyword};
    }

    bool expression(const Expr* e) {
        if (const auto* u = llvm::dyn_cast<Unary>(e); u && u->op == UnaryOp::Try) {
            handle(u->operand, CallHandling::Try, {u->span.begin, u->span.begin + 3});
            // `try a or b`: what is passed on is the error of the last operand.
            if (const auto* b = llvm::dyn_cast<Binary>(withoutParens(u->operand)); b && b->op == BinaryOp::Or)
                handle(b->rhs, CallHandling::Try, {u->span.begin, u->span.begin + 3});
        } else if (const auto* c = llvm::dyn_cast<Catch>(e)) {
            handle(c->operand, CallHandling::Catch, c->keyword);
        } else if (const auto* b = llvm::dyn_cast<Binary>(e); b && b->op == BinaryOp::Or) {
            handle(b->lhs, CallHandling::Or, b->opSpan);
        } else if (const auto* call = llvm::dyn_cast<Call>(e)) {
            site(*call);
        }
        return true;
    }

    bool statement(const Stmt* s) {
        if (const auto* r = llvm::dyn_cast<RaiseStmt>(s)) {
            const auto* tag = llvm::dyn_cast_or_null<ErrorTag>(withoutParens(r->value));
            out_.raises.push_back({tag ? tag->name.name : Name::None, r->keyword, r->span});
        } else if (const auto* d = llvm::dyn_cast<Destructure>(s)) {
            if (d->init) handle(d->init, CallHandling::Destructure, d->init->span);
        } else if (const auto* v = llvm::dyn_cast<VarStmt>(s)) {
            if (v->init) handle(v->init, CallHandling::Destructure, v->init->span);
        } else if (const auto* a = llvm::dyn_cast<Assign>(s)) {
            if (a->value) handle(a->value, CallHandling::Destructure, a->value->span);
        }
        return true;
    }

    void site(const Call& call) {
        const Expr* callee = withoutParens(call.callee);
        if (const auto* inner = llvm::dyn_cast_or_null<Call>(callee)) callee = withoutParens(inner->callee);
        Span name;
        if (const auto* n = llvm::dyn_cast_or_null<NameRef>(callee)) name = n->id.span;
        else if (const auto* m = llvm::dyn_cast_or_null<Member>(callee)) name = m->name.span;
        const Named* named = name.isValid() ? view_.nameAt(name.begin) : nullptr;
        if (!named || !named->target.isValid()) return;
        auto found = around_.find(&call);
        Around around = found == around_.end() ? Around{CallHandling::None, call.span} : found->second;
        out_.calls.push_back({named->target, around.handling, around.keyword, call.span});
    }

    View& view_;
    ErrorSites& out_;
    std::map<const Expr*, Around> around_;
};

} // namespace

const ErrorSites& ErrorMap::of(const Declaration& function) {
    auto [known, isNew] = sites_.try_emplace(function.nameSpan.begin);
    if (isNew) {
        known->second.function = &function;
        if (function.function && function.function->body) SiteWalk(view_, known->second).run(*function.function);
    }
    return known->second;
}

std::vector<const Declaration*> ErrorMap::functions() {
    std::vector<const Declaration*> all;
    for (const auto& file : view_.program().sema->program.files)
        for (const Declaration& d : view_.names(file->id).declarations)
            if (d.function && d.function->body && d.nameSpan.isValid() &&
                (d.kind == DeclaredKind::Function || d.kind == DeclaredKind::Method))
                all.push_back(&d);
    return all;
}

bool ErrorMap::mayRaise(const Declaration& function, Name tag) { return !raisesOf(function, tag).empty(); }

std::vector<RaiseSite> ErrorMap::raisesOf(const Declaration& function, Name tag) {
    std::vector<RaiseSite> found;
    std::set<SourcePos> seen{function.nameSpan.begin};
    std::vector<const Declaration*> work{&function};
    while (!work.empty()) {
        const Declaration* f = work.back();
        work.pop_back();
        const ErrorSites sites = of(*f);
        for (const RaiseSite& r : sites.raises)
            if (r.tag == tag) found.push_back(r);
        for (const CallSite& c : sites.calls) {
            bool passes = c.handling == CallHandling::Try || c.handling == CallHandling::None;
            const Declaration* callee = passes ? view_.declarationAt(c.callee) : nullptr;
            if (callee && callee->function && seen.insert(c.callee).second) work.push_back(callee);
        }
    }
    std::sort(found.begin(), found.end(), [](auto& a, auto& b) { return a.keyword.begin < b.keyword.begin; });
    return found;
}

} // namespace sx::server
