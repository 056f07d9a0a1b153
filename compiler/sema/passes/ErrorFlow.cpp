// Value-slot liveness (errors.md 8.2): after `v, err := f();` the value `v` is usable only where `err` is proven
// absent; and bare calls in cleanup bodies (9.1). A pass over the trees of the entry file's top-level functions,
// reached or not.
//
// Facts are sets of error variables known to be absent. They are small, so they are plain sorted vectors that are
// copied at branches. Declarations are tracked by scope, so that shadowing restores the outer record.
#include "sema/passes/Passes.h"

#include "sema/Declare.h"
#include "sema/ErrorSets.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/Sema.h"
#include "sema/Wording.h"
#include "syntax/Walk.h"
#include "types/Failable.h"
#include "types/Predicates.h"

#include "llvm/ADT/DenseMap.h"

#include <algorithm>

namespace sx::sema {

using namespace ast;

namespace {

/// One destructured value or error variable.
struct Record {
    Name name{};
    int error = -1;    ///< of a value: index of its error's record; -1: not tracked (an ordinary variable)
    int value = -1;    ///< of an error: index of the first value that it speaks about
    int shadowed = -1; ///< the record that its name had before
};

using Facts = std::vector<int>; ///< sorted indices of error records known absent

bool has(const Facts& f, int i) { return std::binary_search(f.begin(), f.end(), i); }
void add(Facts& f, int i) {
    auto at = std::lower_bound(f.begin(), f.end(), i);
    if (at == f.end() || *at != i) f.insert(at, i);
}
Facts both(const Facts& a, const Facts& b) {
    Facts out;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
    return out;
}

class Checker {
public:
    Checker(Sema& sema, SourceFile& file) : sema_(sema), file_(file) {}

    void function(const FunctionDecl& fn) {
        if (!fn.hasBody()) return;
        size_t scope = names_.size();
        for (const Param& p : fn.params) declare(p.name.name);
        Facts facts;
        expr(fn.body(), facts);
        leave(scope);
    }

private:
    // ---- names in scope: the innermost record of a name wins
    int declare(Name n, int error = -1) {
        int r = static_cast<int>(records_.size());
        int& innermost = innermost_.try_emplace(n, -1).first->second;
        records_.push_back({n, error, -1, innermost});
        names_.push_back(innermost = r);
        if (error >= 0 && record(error).value < 0) record(error).value = r;
        return r;
    }
    int find(Name n) const {
        auto known = innermost_.find(n);
        return known == innermost_.end() ? -1 : known->second;
    }
    Record& record(int r) { return records_[static_cast<size_t>(r)]; }
    /// Leaves a scope that began when there were so many names.
    void leave(size_t scope) {
        for (; names_.size() > scope; names_.pop_back()) {
            const Record& r = record(names_.back());
            innermost_[r.name] = r.shadowed;
        }
    }

    /// The predeclared name, unless a declaration shadows it.
    bool isUnreachable(const NameRef& n) {
        return !n.id.raw && sema_.names.text(n.id.name) == "unreachable" && find(n.id.name) < 0 &&
               !lookupModule(sema_, n.id.name, file_).symbol;
    }

    void use(const NameRef& n, const Facts& facts) {
        int r = find(n.id.name);
        if (r < 0) return;
        int error = record(r).error;
        if (error < 0 || has(facts, error)) return;
        std::string e = sema_.text(record(error).name), v = sema_.text(n.id.name);
        sema_.diags.error(n.span, code(v) + " may have no value here: " + code(e) + " has not been tested")
            .help("guard the use with " + code("if !" + e + " { … }") + ", or leave first with " +
                  code("if " + e + " { return; }"));
    }

    /// Giving the error variable another value counts as a use of the value that it speaks about.
    void assignsError(const Expr* target, const Facts& facts) {
        const auto* n = llvm::dyn_cast<NameRef>(target);
        int error = n ? find(n->id.name) : -1;
        if (error < 0 || has(facts, error) || record(error).value < 0) return;
        sema_.diags
            .error(n->span, code(sema_, n->id.name) + " is assigned while it still has to tell whether " +
                                code(sema_, record(record(error).value).name) + " has a value")
            .help("test it first, or use another variable");
    }

    // ---- conditions: facts for both outcomes
    struct Outcome {
        Facts ifTrue, ifFalse;
    };
    Outcome condition(const Expr* e, const Facts& facts) {
        e = withoutParens(e);
        Outcome out{facts, facts};
        if (const auto* n = llvm::dyn_cast<NameRef>(e)) {
            if (int r = find(n->id.name); r >= 0 && isError(r)) add(out.ifFalse, r);
            else use(*n, facts);
            return out;
        }
        if (const auto* u = llvm::dyn_cast<Unary>(e); u && u->op == UnaryOp::Not) {
            Outcome inner = condition(u->operand, facts);
            return {inner.ifFalse, inner.ifTrue};
        }
        if (const auto* b = llvm::dyn_cast<Binary>(e);
            b && llvm::isa<NullLit>(b->rhs) && (b->op == BinaryOp::Ne || b->op == BinaryOp::Eq)) {
            const auto* n = llvm::dyn_cast<NameRef>(b->lhs); // where it is lowered, it is rejected
            if (int r = n ? find(n->id.name) : -1; r >= 0 && isError(r)) {
                add(b->op == BinaryOp::Ne ? out.ifFalse : out.ifTrue, r);
                return out;
            }
        }
        if (const auto* b = llvm::dyn_cast<Binary>(e); b && (b->op == BinaryOp::And || b->op == BinaryOp::Or)) {
            Outcome l = condition(b->lhs, facts);
            if (b->op == BinaryOp::And) {
                Outcome r = condition(b->rhs, l.ifTrue);
                return {r.ifTrue, both(l.ifFalse, r.ifFalse)};
            }
            Outcome r = condition(b->rhs, l.ifFalse);
            return {both(l.ifTrue, r.ifTrue), r.ifFalse};
        }
        Facts copy = facts;
        expr(e, copy);
        return out;
    }
    bool isError(int r) { return record(r).value >= 0; }

    /// Returns false if the path ends in the statements.
    bool statements(llvm::ArrayRef<Stmt*> list, Facts& facts) {
        size_t scope = names_.size();
        bool alive = true;
        for (const Stmt* s : list)
            if (!statement(s, facts)) {
                alive = false;
                break;
            }
        leave(scope);
        return alive;
    }

    bool statement(const Stmt* s, Facts& facts) {
        switch (s->kind) {
        case StmtKind::Expr:
            absorbed(static_cast<const ExprStmt*>(s)->expr);
            return expr(static_cast<const ExprStmt*>(s)->expr, facts);
        case StmtKind::Var: {
            const auto* v = static_cast<const VarStmt*>(s);
            absorbed(v->init);
            bool discard = sema_.names.text(v->name.name) == "_";
            if (v->init && !(discard && llvm::isa<NameRef>(v->init)) && !expr(v->init, facts)) return false;
            if (!discard) declare(v->name.name);
            return true;
        }
        case StmtKind::LocalDecl: {
            const Decl* d = static_cast<const LocalDecl*>(s)->decl;
            if (const auto* c = llvm::dyn_cast<ConstDecl>(d)) expr(c->value, facts);
            if (d->name) declare(d->name.name);
            return true;
        }
        case StmtKind::Destructure: return destructure(*static_cast<const Destructure*>(s), facts);
        case StmtKind::Assign: {
            const auto* a = static_cast<const Assign*>(s);
            absorbed(a->value);
            if (!expr(a->value, facts)) return false;
            assignsError(a->target, facts);
            return expr(a->target, facts);
        }
        case StmtKind::MultiAssign: {
            const auto* m = static_cast<const MultiAssign*>(s);
            for (const Expr* v : m->values) {
                absorbed(v);
                if (!expr(v, facts)) return false;
            }
            for (const Expr* t : m->targets) {
                assignsError(t, facts);
                if (!expr(t, facts)) return false;
            }
            return true;
        }
        case StmtKind::Return:
            for (const ReturnElem& e : static_cast<const ReturnStmt*>(s)->elems) expr(e.value, facts);
            return false;
        case StmtKind::Raise: expr(static_cast<const RaiseStmt*>(s)->value, facts); return false;
        case StmtKind::Break:
        case StmtKind::Continue: return false;
        case StmtKind::Defer: cleanup(static_cast<const DeferStmt*>(s)->body, facts); return true;
        case StmtKind::OnFail: {
            const auto* o = static_cast<const OnFailStmt*>(s);
            size_t scope = names_.size();
            if (o->binding) declare(o->binding.name);
            cleanup(o->body, facts);
            leave(scope);
            return true;
        }
        case StmtKind::Insert:
        case StmtKind::ErrorDirective:
        case StmtKind::Import: return true;
        }
        return true;
    }

    bool destructure(const Destructure& d, Facts& facts) {
        if (!expr(d.init, facts)) return false;
        bool tracked =
            resultOf(d.init).hasValues && d.names.size() >= 2 && sema_.names.text(d.names.back().name) != "_";
        if (!tracked) {
            for (const Ident& id : d.names)
                if (sema_.names.text(id.name) != "_") declare(id.name);
            return true;
        }
        int error = declare(d.names.back().name);
        for (const Ident& id : d.names.drop_back())
            if (sema_.names.text(id.name) != "_") declare(id.name, error);
        return true;
    }

    // ---- cleanup bodies (errors.md 9.1)
    void cleanup(const Expr* body, const Facts& facts) {
        bool saved = inCleanup_;
        inCleanup_ = true;
        absorbed(body);
        Facts copy = facts;
        expr(body, copy);
        inCleanup_ = saved;
    }

    /// In a cleanup body a failable call must be absorbed on the spot. The same error as where the body is lowered.
    void absorbed(const Expr* e) {
        if (!inCleanup_ || !e) return;
        e = withoutParens(e);
        if (Result result = resultOf(e); result.canFail)
            sema_.diags.error(e->span, "this call can fail, and nothing handles its error")
                .help(handledHere(!result.hasValues));
    }

    struct Result {
        bool canFail = false, hasValues = false, noReturn = false;
    };

    /// What a call of a function that is named directly (`f(…)`, `ns.f(…)`, `T.f(…)`) ends with; nothing is known of
    /// others.
    Result resultOf(const Expr* e) {
        const auto* call = llvm::dyn_cast_or_null<Call>(e);
        FunctionTemplate* fn = call ? namedCallee(*call) : nullptr;
        if (!fn || fn->isIntrinsic || !fn->decl->result) return {};
        if (!fn->isGeneric) {
            FunctionInstance* instance = sema::instance(sema_, *fn);
            if (!instance || instance->signatureFailed) return {};
            TypeId type = instance->result;
            bool canFail = isFailable(sema_.types, type);
            return {canFail, canFail && !isErrorSet(sema_.types, type), type == TypeId::NoReturn};
        }
        const Expr* written = fn->decl->result;
        const auto* list = llvm::dyn_cast<ResultList>(written);
        bool hasValues = list && list->elems.size() >= 2 && llvm::isa<ErrorChannel>(list->elems.back().type);
        const auto* name = llvm::dyn_cast<NameRef>(written);
        return {hasValues || llvm::isa<ErrorChannel>(written), hasValues,
                name && sema_.names.text(name->id.name) == "noreturn"};
    }

    /// The function that a call names directly; null: it goes through a value.
    FunctionTemplate* namedCallee(const Call& call) {
        FunctionTemplate* fn = nullptr;
        if (const auto* n = llvm::dyn_cast<NameRef>(call.callee)) {
            if (find(n->id.name) >= 0) return nullptr;
            LookupResult found = lookupModule(sema_, n->id.name, file_);
            if (!found.symbol || found.ambiguous) return nullptr;
            Symbol* s = resolve(sema_, found.symbol);
            if (s->kind == SymbolKind::Function) fn = s->function;
        } else if (const auto* m = llvm::dyn_cast<Member>(call.callee)) {
            const auto* base = llvm::dyn_cast<NameRef>(m->base);
            if (!base || find(base->id.name) >= 0) return nullptr;
            LookupResult found = lookupModule(sema_, base->id.name, file_);
            if (!found.symbol || found.ambiguous) return nullptr;
            Symbol* s = resolve(sema_, found.symbol);
            if (s->kind == SymbolKind::Namespace && s->module) {
                Symbol* member = lookupMember(*s->module, m->name.name, file_);
                member = member ? resolve(sema_, member) : nullptr;
                if (member && member->kind == SymbolKind::Function) fn = member->function;
            } else if (s->kind == SymbolKind::Type) {
                MemberTable& table = members(sema_, s->type);
                if (auto it = table.methods.find(m->name.name); it != table.methods.end()) fn = it->second;
            }
        }
        return fn;
    }

    /// Returns false if evaluating the expression never completes.
    bool expr(const Expr* e, Facts& facts) {
        if (!e) return true;
        switch (e->kind) {
        case ExprKind::NameRef: {
            const auto& n = *static_cast<const NameRef*>(e);
            use(n, facts);
            return !isUnreachable(n);
        }
        case ExprKind::Call: return children(e, facts) && !resultOf(e).noReturn;
        case ExprKind::Block: return statements(static_cast<const BlockExpr*>(e)->stmts, facts);
        case ExprKind::If: return ifExpr(*static_cast<const If*>(e), facts);
        case ExprKind::Binary: {
            const auto* b = static_cast<const Binary*>(e);
            if (b->op == BinaryOp::And || b->op == BinaryOp::Or) {
                condition(e, facts);
                return true;
            }
            return expr(b->lhs, facts) && expr(b->rhs, facts);
        }
        case ExprKind::Match: return match(*static_cast<const Match*>(e), facts);
        case ExprKind::While: whileLoop(*static_cast<const While*>(e), facts); return true;
        case ExprKind::For: forLoop(*static_cast<const For*>(e), facts); return true;
        case ExprKind::Push: {
            const auto* p = static_cast<const Push*>(e);
            expr(p->context, facts);
            Facts copy = facts;
            return expr(p->body, copy);
        }
        case ExprKind::Catch: return catchExpr(*static_cast<const Catch*>(e), facts);
        case ExprKind::Lambda: lambda(*static_cast<const Lambda*>(e)->fn); return true;
        case ExprKind::Return:
            for (const ReturnElem& r : static_cast<const ReturnExpr*>(e)->elems) expr(r.value, facts);
            return false;
        case ExprKind::Break:
        case ExprKind::Continue: return false;
        default: return children(e, facts);
        }
    }

    bool match(const Match& m, Facts& facts) {
        if (!expr(m.subject, facts)) return false;
        bool allLeave = !m.arms.empty();
        bool hasElse = false;
        for (const MatchArm& arm : m.arms) {
            size_t scope = names_.size();
            if (arm.capture) declare(arm.capture.name);
            hasElse |= !arm.pattern;
            Facts copy = facts;
            if (statements(arm.body, copy)) allLeave = false;
            leave(scope);
        }
        return !(allLeave && hasElse);
    }

    void whileLoop(const While& w, const Facts& facts) {
        size_t scope = names_.size();
        absorbed(w.cond);
        Outcome out = condition(w.cond, facts);
        if (w.binding) declare(w.binding.name);
        Facts copy = out.ifTrue;
        expr(w.body, copy);
        leave(scope);
    }

    void forLoop(const For& f, Facts& facts) {
        for (const ForIter& i : f.iters) {
            expr(i.value, facts);
            expr(i.end, facts);
        }
        size_t scope = names_.size();
        for (const ForCapture& c : f.captures) declare(c.name.name);
        Facts copy = facts;
        expr(f.body, copy);
        leave(scope);
    }

    bool catchExpr(const Catch& c, Facts& facts) {
        if (!expr(c.operand, facts)) return false;
        size_t scope = names_.size();
        if (c.binding) declare(c.binding.name);
        Facts copy = facts;
        expr(c.body, copy);
        leave(scope);
        return true;
    }

    /// A function of its own, with no knowledge.
    void lambda(const FunctionDecl& fn) {
        size_t scope = names_.size();
        for (const Param& p : fn.params) declare(p.name.name);
        Facts none;
        bool saved = inCleanup_;
        inCleanup_ = false;
        expr(fn.body(), none);
        inCleanup_ = saved;
        leave(scope);
    }

    /// Operands of an expression without rules of its own.
    bool children(const Expr* e, Facts& facts) {
        bool alive = true;
        auto onExpr = [&](const Expr* x) {
            if (x == e) return true;
            if (alive && !expr(x, facts)) alive = false;
            return false;
        };
        auto onStmt = [](const Stmt*) { return false; };
        Walker walker{onExpr, onStmt};
        walker.walk(e);
        return alive;
    }

    bool ifExpr(const If& i, Facts& facts) {
        size_t scope = names_.size();
        absorbed(i.cond);
        Outcome out = i.binding ? Outcome{facts, facts} : condition(i.cond, facts);
        if (i.binding) {
            expr(i.cond, facts);
            declare(i.binding.name);
        }
        bool thenAlive = expr(i.then, out.ifTrue);
        leave(scope);
        bool elseAlive = i.otherwise ? expr(i.otherwise, out.ifFalse) : true;
        if (thenAlive && elseAlive) facts = both(out.ifTrue, out.ifFalse);
        else if (thenAlive) facts = out.ifTrue;
        else if (elseAlive) facts = out.ifFalse;
        return thenAlive || elseAlive;
    }

    Sema& sema_;
    SourceFile& file_;
    std::vector<Record> records_;
    std::vector<int> names_; ///< the records in scope
    llvm::DenseMap<Name, int> innermost_;
    bool inCleanup_ = false;
};

} // namespace

void checkErrorFlow(Sema& sema) {
    for (const Decl* d : sema.program.entry->items)
        if (const auto* fn = llvm::dyn_cast<FunctionDecl>(d)) Checker(sema, *sema.program.entry).function(*fn);
}

} // namespace sx::sema
