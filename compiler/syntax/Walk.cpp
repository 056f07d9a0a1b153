#include "syntax/Walk.h"

namespace sx::ast {

namespace {

template <typename T> const T& as(const Expr* e) { return *static_cast<const T*>(e); }
template <typename T> const T& as(const Stmt* s) { return *static_cast<const T*>(s); }

} // namespace

void Walker::walk(const Expr* e) {
    if (!e || !onExpr(e)) return;
    switch (e->kind) {
    case ExprKind::Int:
    case ExprKind::Float:
    case ExprKind::Bool:
    case ExprKind::String:
    case ExprKind::Null:
    case ExprKind::Undef:
    case ExprKind::NameRef:
    case ExprKind::TypeParam:
    case ExprKind::EnumLit:
    case ExprKind::ErrorTag:
    case ExprKind::CallerLocation:
    case ExprKind::Break:
    case ExprKind::Continue:
    case ExprKind::OptionalType:
    case ExprKind::SliceType:
    case ExprKind::ManyPointerType:
    case ExprKind::SentinelType:
    case ExprKind::ArrayType:
    case ExprKind::FunctionType:
    case ExprKind::ClosureType:
    case ExprKind::TupleType:
    case ExprKind::ResultList:
    case ExprKind::ErrorChannel:
    case ExprKind::InlineType: return;
    case ExprKind::Paren: return walk(as<Paren>(e).inner);
    case ExprKind::Unary: return walk(as<Unary>(e).operand);
    case ExprKind::Binary: walk(as<Binary>(e).lhs); return walk(as<Binary>(e).rhs);
    case ExprKind::CompareChain:
        for (const Expr* o : as<CompareChain>(e).operands) walk(o);
        return;
    case ExprKind::Call: {
        const Call& c = as<Call>(e);
        walk(c.callee);
        for (const Arg& a : c.args) walk(a.value);
        if (c.trailingBlock && intoFunctions) walk(c.trailingBlock->body());
        return;
    }
    case ExprKind::Index: walk(as<Index>(e).base); return walk(as<Index>(e).index);
    case ExprKind::Slice:
        walk(as<SliceExpr>(e).base);
        walk(as<SliceExpr>(e).lo);
        return walk(as<SliceExpr>(e).hi);
    case ExprKind::Member: return walk(as<Member>(e).base);
    case ExprKind::Deref: return walk(as<Deref>(e).base);
    case ExprKind::Cast: walk(as<Cast>(e).base); return walk(as<Cast>(e).allocator);
    case ExprKind::Unwrap: return walk(as<Unwrap>(e).base);
    case ExprKind::Catch: walk(as<Catch>(e).operand); return walk(as<Catch>(e).body);
    case ExprKind::StructLit:
        for (const Init& i : as<StructLit>(e).inits) walk(i.value);
        return walk(as<StructLit>(e).initBlock);
    case ExprKind::ArrayLit:
        for (const Expr* x : as<ArrayLit>(e).elems) walk(x);
        return;
    case ExprKind::Lambda:
        if (intoFunctions) walk(as<Lambda>(e).fn->body());
        return;
    case ExprKind::Block:
        for (const Stmt* s : as<BlockExpr>(e).stmts) walk(s);
        return;
    case ExprKind::If:
        walk(as<If>(e).cond);
        walk(as<If>(e).then);
        return walk(as<If>(e).otherwise);
    case ExprKind::Match:
        walk(as<Match>(e).subject);
        for (const MatchArm& arm : as<Match>(e).arms)
            for (const Stmt* s : arm.body) walk(s);
        return;
    case ExprKind::While: walk(as<While>(e).cond); return walk(as<While>(e).body);
    case ExprKind::For:
        for (const ForIter& i : as<For>(e).iters) {
            walk(i.value);
            walk(i.end);
        }
        return walk(as<For>(e).body);
    case ExprKind::Push: walk(as<Push>(e).context); return walk(as<Push>(e).body);
    case ExprKind::Return:
        for (const ReturnElem& r : as<ReturnExpr>(e).elems) walk(r.value);
        return;
    case ExprKind::Run: return walk(as<Run>(e).value);
    case ExprKind::Asm:
        for (const AsmOperand& o : as<AsmExpr>(e).operands)
            if (!o.isOutput || (o.value && o.value->kind == ExprKind::Unary)) walk(o.value);
        return;
    }
}

void forEachPart(const Stmt* s, llvm::function_ref<void(const Expr*)> visit) {
    switch (s->kind) {
    case StmtKind::Expr: return visit(as<ExprStmt>(s).expr);
    case StmtKind::Var: return visit(as<VarStmt>(s).init);
    case StmtKind::Destructure: return visit(as<Destructure>(s).init);
    case StmtKind::Assign: visit(as<Assign>(s).value); return visit(as<Assign>(s).target);
    case StmtKind::MultiAssign:
        for (const Expr* v : as<MultiAssign>(s).values) visit(v);
        for (const Expr* t : as<MultiAssign>(s).targets) visit(t);
        return;
    case StmtKind::Return:
        for (const ReturnElem& r : as<ReturnStmt>(s).elems) visit(r.value);
        return;
    case StmtKind::Raise: return visit(as<RaiseStmt>(s).value);
    case StmtKind::Defer: return visit(as<DeferStmt>(s).body);
    case StmtKind::OnFail: return visit(as<OnFailStmt>(s).body);
    case StmtKind::Insert: return visit(as<InsertStmt>(s).value);
    case StmtKind::LocalDecl:
    case StmtKind::Break:
    case StmtKind::Continue:
    case StmtKind::ErrorDirective:
    case StmtKind::Import: return;
    }
}

void Walker::walk(const Stmt* s) {
    if (!s || !onStmt(s)) return;
    if (s->kind != StmtKind::LocalDecl) return forEachPart(s, [&](const Expr* e) { walk(e); });
    const Decl* d = as<LocalDecl>(s).decl;
    if (const auto* c = llvm::dyn_cast<ConstDecl>(d)) walk(c->value);
    else if (const auto* f = llvm::dyn_cast<FunctionDecl>(d); f && intoFunctions) walk(f->body());
}

const Expr* blockEnd(const Expr* e) {
    const auto* block = llvm::dyn_cast<BlockExpr>(withoutParens(e));
    if (!block || block->stmts.empty()) return nullptr;
    const auto* last = llvm::dyn_cast<ExprStmt>(block->stmts.back());
    if (!last || last->semicolon) return nullptr;
    const Expr* end = withoutParens(last->expr);
    return llvm::isa<BlockExpr>(end) ? blockEnd(end) : end;
}

void forEachResult(ArrayRef<Stmt*> stmts, bool semicolonDiscards, llvm::function_ref<void(const Expr*)> visit) {
    if (stmts.empty()) return;
    if (const auto* insert = llvm::dyn_cast<InsertStmt>(stmts.back())) return visit(insert->value);
    const auto* last = llvm::dyn_cast<ExprStmt>(stmts.back());
    if (last && !(last->semicolon && semicolonDiscards)) forEachResult(last->expr, visit);
}

void forEachResult(const Expr* e, llvm::function_ref<void(const Expr*)> visit) {
    e = withoutParens(e);
    if (const auto* block = llvm::dyn_cast<BlockExpr>(e)) return forEachResult(block->stmts, true, visit);
    if (const auto* match = llvm::dyn_cast<Match>(e)) {
        for (const MatchArm& arm : match->arms) forEachResult(arm.body, false, visit);
        return;
    }
    if (const auto* i = llvm::dyn_cast<If>(e)) {
        forEachResult(i->then, visit);
        if (i->otherwise) forEachResult(i->otherwise, visit);
        return;
    }
    visit(e);
}

static void forEachBranching(ArrayRef<Stmt*> stmts, llvm::function_ref<void(const Expr*)> visit) {
    const auto* last = stmts.empty() ? nullptr : llvm::dyn_cast<ExprStmt>(stmts.back());
    if (last) forEachBranching(last->expr, visit);
}

void forEachBranching(const Expr* e, llvm::function_ref<void(const Expr*)> visit) {
    e = withoutParens(e);
    if (const auto* block = llvm::dyn_cast<BlockExpr>(e)) return forEachBranching(block->stmts, visit);
    if (const auto* match = llvm::dyn_cast<Match>(e)) {
        visit(e);
        for (const MatchArm& arm : match->arms) forEachBranching(arm.body, visit);
    }
    if (const auto* i = llvm::dyn_cast<If>(e)) {
        visit(e);
        forEachBranching(i->then, visit);
        if (i->otherwise) forEachBranching(i->otherwise, visit);
    }
}

} // namespace sx::ast
