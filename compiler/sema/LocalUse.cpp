// Locals whose value nobody looks at: error variables, and the private copies that a lambda assigns.
#include "sema/CallSupport.h"
#include "syntax/Walk.h"

namespace sx::sema {

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

void FunctionLowering::noteMentioned(const Expr* code) {
    if (!warns || keptErrors.empty() || !code) return;
    forEachName(code, [&](const NameRef& n) {
        if (Symbol* s = sema.lookup(n.id.name, scope, scopeLimit, &currentFile()).symbol) s->isRead = true;
    });
}

void FunctionLowering::noteMentioned(llvm::ArrayRef<Stmt*> code) {
    if (!warns || keptErrors.empty()) return;
    for (const Stmt* s : code)
        forEachName(s, [&](const NameRef& n) {
            if (Symbol* known = sema.lookup(n.id.name, scope, scopeLimit, &currentFile()).symbol) known->isRead = true;
        });
}

void FunctionLowering::warnOfUnreadErrors() {
    for (const Symbol* s : keptErrors) {
        if (s->isRead) {
            sema.refuteWarning(WarningKind::UnreadError, s->nameSpan);
            continue;
        }
        std::string name = sema.text(s->name);
        sema.warn(WarningKind::UnreadError, s->nameSpan,
                  "nothing looks at the error in " + tick(name) + ": a failure goes unnoticed",
                  "test it, " + tick("if " + name + " { … }") +
                      ", pass it on with `try`, or drop it in the open: " + tick("_ = " + name + ";"));
    }
    keptErrors.clear();
}

// ------------------------------------------------------------------------------------ private copies of lambdas

ValueId FunctionLowering::storageOf(ValueId part) const {
    for (const ir::Instr* i = &fn.instr(part);
         i->op == ir::Op::Offset || i->op == ir::Op::Index || i->op == ir::Op::Reinterpret; i = &fn.instr(part))
        part = fn.operandsOf(*i).front();
    return part;
}

void FunctionLowering::noteWrite(const Value& place, Span statement) {
    if (!warns || captures.empty() || !place.isMemory() || place.id == ValueId::None) return;
    ValueId root = storageOf(place.id);
    for (const Capture& c : captures)
        if (sameSlot(c.inner->address, root) && c.inner->localKind == LocalKind::Capture)
            captureWrites.push_back({c.inner, statement});
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

void FunctionLowering::warnOfLostWrites(const Expr* body) {
    for (const CaptureWrite& w : captureWrites) {
        std::string name = sema.text(w.copy->name);
        if (CopyUse(w.copy->name, body).isReadAfter(w.statement, types.isScalar(w.copy->type))) continue;
        sema.warn(WarningKind::LostWrite, w.statement,
                  "this changes the lambda's own copy of " + tick(name) + ", and nothing reads it before the call ends",
                  "to share it, capture a pointer: " + tick("p := *" + name + ";") + " before the lambda, and " +
                      tick("p.* = …") + " in it");
    }
    captureWrites.clear();
}

} // namespace sx::sema
