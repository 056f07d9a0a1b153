#include "lower/body/LocalUse.h"

#include "lower/body/Body.h"
#include "lower/body/Results.h"
#include "sema/Lookup.h"
#include "sema/Warnings.h"
#include "sema/Wording.h"
#include "syntax/Walk.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

namespace {

/// Calls `visit` for every name in the code, inside its lambdas too.
template <typename Node> void forEachName(const Node* code, llvm::function_ref<void(const NameRef&)> visit) {
    auto onExpr = [&](const Expr* e) {
        if (const auto* n = llvm::dyn_cast<NameRef>(e)) visit(*n);
        return true;
    };
    auto onStmt = [](const Stmt*) { return true; };
    Walker{onExpr, onStmt, true}.walk(code);
}

} // namespace

// ------------------------------------------------------------------------------------ error variables

void noteMentioned(Body& f, const Expr* code) {
    if (!f.warns || f.errorVariables.kept.empty() || !code) return;
    forEachName(code, [&](const NameRef& n) {
        if (Symbol* s = lookup(f.sema, n.id.name, f.scope, f.scopeLimit, &f.currentFile()).symbol) s->isRead = true;
    });
}

void noteMentioned(Body& f, llvm::ArrayRef<Stmt*> code) {
    if (!f.warns || f.errorVariables.kept.empty()) return;
    for (const Stmt* s : code)
        forEachName(s, [&](const NameRef& n) {
            if (Symbol* known = lookup(f.sema, n.id.name, f.scope, f.scopeLimit, &f.currentFile()).symbol)
                known->isRead = true;
        });
}

void warnOfUnreadErrors(Body& f) {
    for (const Symbol* s : f.errorVariables.kept) {
        if (s->isRead) {
            refuteWarning(f.sema, WarningKind::UnreadError, s->nameSpan);
            continue;
        }
        std::string name = f.sema.text(s->name);
        warn(f.sema, WarningKind::UnreadError, s->nameSpan,
             "nothing looks at the error in " + code(name) + ": a failure goes unnoticed",
             "test it, " + code("if " + name + " { … }") +
                 ", pass it on with `try`, or drop it in the open: " + code("_ = " + name + ";"));
    }
    f.errorVariables.kept.clear();
}

// ------------------------------------------------------------------------------------ private copies of lambdas

ValueId storageOf(const Body& f, ValueId part) {
    for (const ir::Instr* i = &f.fn.instr(part);
         i->op == ir::Op::Offset || i->op == ir::Op::Index || i->op == ir::Op::Reinterpret; i = &f.fn.instr(part))
        part = f.fn.operandsOf(*i).front();
    return part;
}

void noteWrite(Body& f, const Value& place, Span statement) {
    if (!f.warns || f.captures.list.empty() || !place.isMemory() || place.id == ValueId::None) return;
    ValueId root = storageOf(f, place.id);
    for (const Capture& c : f.captures.list)
        if (sameSlot(f, c.inner->address, root) && c.inner->localKind == LocalKind::Capture)
            f.captures.writes.push_back({c.inner, statement});
}

namespace {

/// What the body of a lambda does with one of its private copies, by its name.
class CopyUse {
public:
    CopyUse(Name name, const Expr* body) : name_(name) {
        auto onExpr = [&](const Expr* e) { return expression(e); };
        auto onStmt = [&](const Stmt* s) { return statement(s); };
        Walker{onExpr, onStmt, true}.walk(body);
    }

    bool isReadAfter(Span write, bool isScalar) const {
        if (isSeenElsewhere_) return true;
        Span loop = loopAround(write);
        for (Span read : reads_) {
            if (read.begin >= write.begin && read.end <= write.end) continue; // `n += 1`, `n = n + 1`
            if (!isScalar || read.begin >= write.end) return true;
            if (loop.isValid() && read.begin >= loop.begin) return true; // in the next round
        }
        return false;
    }

private:
    Span loopAround(Span at) const {
        for (Span loop : loops_) // outer ones come first
            if (loop.begin <= at.begin && at.end <= loop.end) return loop;
        return {};
    }

    bool isName(const Expr* e) const {
        const auto* n = llvm::dyn_cast<NameRef>(withoutParens(e));
        return n && n->id.name == name_;
    }

    bool expression(const Expr* e) {
        if (isName(e) && llvm::isa<NameRef>(e)) reads_.push_back(e->span);
        if (const auto* u = llvm::dyn_cast<Unary>(e); u && u->op == UnaryOp::AddrOf)
            isSeenElsewhere_ |= isName(root(u->operand));
        if (llvm::isa<While>(e) || llvm::isa<For>(e)) loops_.push_back(e->span);
        return true;
    }

    bool statement(const Stmt* s) {
        if (llvm::isa<InsertStmt>(s)) isSeenElsewhere_ = true; // its text may name anything
        const Expr* cleanup = nullptr;
        if (const auto* d = llvm::dyn_cast<DeferStmt>(s)) cleanup = d->body;
        if (const auto* o = llvm::dyn_cast<OnFailStmt>(s)) cleanup = o->body;
        if (cleanup)
            forEachName(cleanup, [&](const NameRef& n) { isSeenElsewhere_ |= n.id.name == name_; }); // runs later
        // A target by itself is no use of the name; its indices are.
        if (const auto* a = llvm::dyn_cast<Assign>(s)) return !target(a->target, a->value);
        return true;
    }

    /// Takes an assignment to the copy itself apart: true if nothing is left to visit.
    bool target(const Expr* target, const Expr* value) {
        if (!isName(target)) return false;
        auto onExpr = [&](const Expr* e) { return expression(e); };
        auto onStmt = [&](const Stmt* s) { return statement(s); };
        Walker{onExpr, onStmt, true}.walk(value);
        return true;
    }

    static const Expr* root(const Expr* e) {
        for (e = withoutParens(e);;) {
            if (const auto* m = llvm::dyn_cast<Member>(e)) e = withoutParens(m->base);
            else if (const auto* i = llvm::dyn_cast<Index>(e)) e = withoutParens(i->base);
            else return e;
        }
    }

    Name name_;
    std::vector<Span> reads_, loops_;
    bool isSeenElsewhere_ = false;
};

} // namespace

void warnOfLostWrites(Body& f, const Expr* body) {
    for (const CaptureWrite& w : f.captures.writes) {
        std::string name = f.sema.text(w.copy->name);
        if (CopyUse(w.copy->name, body).isReadAfter(w.statement, isScalar(f.types, w.copy->type))) continue;
        warn(f.sema, WarningKind::LostWrite, w.statement,
             "this changes the lambda's own copy of " + code(name) + ", and nothing reads it before the call ends",
             "to share it, capture a pointer: " + code("p := *" + name + ";") + " before the lambda, and " +
                 code("p.* = …") + " in it");
    }
    f.captures.writes.clear();
}

} // namespace sx::lower
