#include "server/program/NameWalk.h"

#include "source/StackDepth.h"
#include "syntax/Walk.h"

namespace sx::server {

using namespace ast;

namespace {

template <typename T> const T& as(const Expr* e) { return *static_cast<const T*>(e); }
template <typename T> const T& as(const Stmt* s) { return *static_cast<const T*>(s); }

} // namespace

void NameWalk::bind(const Ident& id, const Expr* type, const Expr* value, Span whole) {
    if (!id || sema_.names.text(id.name) == "_") return;
    Declaration made{DeclaredKind::Local, id.name, id.span, whole};
    made.type = type;
    made.value = value;
    made.scope = spans_.empty() ? whole : Span{id.span.begin, spans_.back().end};
    int index = declare(made);
    if (!scopes_.empty()) scopes_.back()[id.name] = index;
}

void NameWalk::elements(llvm::ArrayRef<TypeElem> all) {
    for (const TypeElem& e : all) {
        if (e.name) {
            Declaration made{DeclaredKind::Field, e.name.name, e.name.span, e.span};
            made.type = e.type;
            declare(made);
        }
        expr(e.type);
        expr(e.defaultValue);
    }
}

/// Names, literals of enums, and what declares by itself.
void NameWalk::leaf(const Expr* e) {
    switch (e->kind) {
    case ExprKind::NameRef:
        out_.expressions.push_back({as<NameRef>(e).id.span.begin, e});
        return name(as<NameRef>(e).id);
    case ExprKind::TypeParam: return introduced(e);
    case ExprKind::ErrorTag: out_.tags.push_back({as<ErrorTag>(e).name.span, as<ErrorTag>(e).name.name}); return;
    case ExprKind::Lambda: return function(*as<Lambda>(e).fn, -1);
    case ExprKind::InlineType: return item(as<InlineType>(e).decl, true);
    default: return;
    }
}

void NameWalk::typeForm(const Expr* e) {
    switch (e->kind) {
    case ExprKind::OptionalType: return expr(as<OptionalType>(e).inner);
    case ExprKind::SliceType: return expr(as<SliceType>(e).elem);
    case ExprKind::ManyPointerType: return expr(as<ManyPointerType>(e).elem);
    case ExprKind::SentinelType: return expr(as<SentinelType>(e).elem);
    case ExprKind::ArrayType: expr(as<ArrayType>(e).count); return expr(as<ArrayType>(e).elem);
    case ExprKind::FunctionType:
        for (const TypeElem& p : as<FunctionType>(e).params) expr(p.type);
        return expr(as<FunctionType>(e).result);
    case ExprKind::ClosureType:
        for (const TypeElem& p : as<ClosureType>(e).params) expr(p.type);
        return expr(as<ClosureType>(e).result);
    case ExprKind::TupleType: return elements(as<TupleType>(e).elems);
    case ExprKind::ResultList: return elements(as<ResultList>(e).elems);
    case ExprKind::ErrorChannel: return expr(as<ErrorChannel>(e).set);
    default: return leaf(e);
    }
}

/// `type`: what the literal makes, if that is known.
void NameWalk::literal(const StructLit& s, const Decl* type) {
    expr(s.type);
    for (const Init& i : s.inits) {
        if (i.name && type && !i.shorthand) memberOf(*type, i.name);
        const auto* fields = llvm::dyn_cast_or_null<StructDecl>(type);
        const Expr* wanted = nullptr;
        for (const MemberDecl& m : fields ? fields->members : llvm::ArrayRef<MemberDecl>())
            if (i.name && m.kind == MemberKind::Field && m.field.name.name == i.name.name) wanted = m.field.type;
        expected(wanted, i.value);
    }
    expr(s.initBlock);
}

/// A value in a place that has a written type: what it leaves out (`.variant`, `.{ … }`) that says.
void NameWalk::expected(const Expr* type, const Expr* value) {
    const Expr* inner = withoutParens(value);
    if (!type || !inner) return expr(value);
    type = withoutParens(type);
    if (const auto* o = llvm::dyn_cast<OptionalType>(type)) return expected(o->inner, value);
    if (const auto* l = llvm::dyn_cast<StructLit>(inner); l && !l->type) return literal(*l, declOf(type));
    if (const auto* array = llvm::dyn_cast<ArrayLit>(inner); array && !array->type) {
        const Expr* elem = nullptr;
        if (const auto* a = llvm::dyn_cast<ArrayType>(type)) elem = a->elem;
        else if (const auto* s = llvm::dyn_cast<SliceType>(type)) elem = s->elem;
        for (const Expr* x : array->elems) expected(elem, x);
        return;
    }
    const auto* call = llvm::dyn_cast<Call>(inner);
    const auto* variant = llvm::dyn_cast_or_null<EnumLit>(call ? call->callee : inner);
    if (const Decl* d = variant ? declOf(type) : nullptr) memberOf(*d, variant->name);
    expr(value);
}

/// `return slot = value, …`
void NameWalk::results(llvm::ArrayRef<ReturnElem> elems) {
    const auto* list = function_ ? llvm::dyn_cast_or_null<ResultList>(function_->result) : nullptr;
    for (const ReturnElem& e : elems) {
        for (const TypeElem& slot : list ? list->elems : llvm::ArrayRef<TypeElem>())
            if (e.name && slot.name.name == e.name.name) use(e.name.span, slot.name.span.begin);
        expected(!e.name && elems.size() == 1 && function_ && !list ? function_->result : nullptr, e.value);
    }
}

/// What opens scopes.
void NameWalk::branch(const Expr* e) {
    switch (e->kind) {
    case ExprKind::Catch: {
        const Catch& c = as<Catch>(e);
        expr(c.operand);
        push(c.body ? c.body->span : c.span);
        bind(c.binding, nullptr, c.operand, c.binding.span);
        if (c.binding) caught_.insert(c.binding.span.begin);
        expr(c.body);
        return pop();
    }
    case ExprKind::If: {
        const If& i = as<If>(e);
        expr(i.cond);
        push(i.span);
        bind(i.binding, nullptr, i.cond, i.binding.span);
        expr(i.then);
        pop();
        return expr(i.otherwise);
    }
    case ExprKind::Match: {
        const Match& m = as<Match>(e);
        expr(m.subject);
        bool isError = isCaught(m.subject);
        for (const MatchArm& arm : m.arms) {
            if (const auto* lit = llvm::dyn_cast_or_null<EnumLit>(arm.pattern)) out_.patterns.push_back({lit, isError});
            expr(arm.pattern);
            push(arm.span);
            bind(arm.capture, nullptr, nullptr, arm.capture.span);
            block(arm.body);
            pop();
        }
        return;
    }
    case ExprKind::While: {
        const While& w = as<While>(e);
        expr(w.cond);
        push(w.span);
        bind(w.binding, nullptr, w.cond, w.binding.span);
        expr(w.body);
        return pop();
    }
    case ExprKind::For: {
        const For& f = as<For>(e);
        for (const ForIter& i : f.iters) {
            expr(i.value);
            expr(i.end);
        }
        push(f.span);
        for (const ForCapture& c : f.captures) bind(c.name, nullptr, nullptr, c.name.span);
        expr(f.body);
        return pop();
    }
    default: return typeForm(e);
    }
}

void NameWalk::expr(const Expr* e) {
    if (!e || stackIsLow()) return;
    switch (e->kind) {
    case ExprKind::Paren: return expr(as<Paren>(e).inner);
    case ExprKind::Unary: return expr(as<Unary>(e).operand);
    case ExprKind::Binary: expr(as<Binary>(e).lhs); return expr(as<Binary>(e).rhs);
    case ExprKind::CompareChain:
        for (const Expr* o : as<CompareChain>(e).operands) expr(o);
        return;
    case ExprKind::Call:
        expr(as<Call>(e).callee);
        for (const Arg& a : as<Call>(e).args) expr(a.value);
        if (as<Call>(e).trailingBlock) function(*as<Call>(e).trailingBlock, -1);
        return;
    case ExprKind::Index: expr(as<Index>(e).base); return expr(as<Index>(e).index);
    case ExprKind::Slice:
        expr(as<SliceExpr>(e).base);
        expr(as<SliceExpr>(e).lo);
        return expr(as<SliceExpr>(e).hi);
    case ExprKind::Member: return member(as<Member>(e));
    case ExprKind::Deref: return expr(as<Deref>(e).base);
    case ExprKind::Cast:
        expr(as<Cast>(e).base);
        expr(as<Cast>(e).type);
        return expr(as<Cast>(e).allocator);
    case ExprKind::Unwrap: return expr(as<Unwrap>(e).base);
    case ExprKind::StructLit: return literal(as<StructLit>(e), declOf(as<StructLit>(e).type));
    case ExprKind::ArrayLit:
        expr(as<ArrayLit>(e).type);
        for (const Expr* x : as<ArrayLit>(e).elems) expr(x);
        return;
    case ExprKind::Block:
        push(e->span);
        block(as<BlockExpr>(e).stmts);
        return pop();
    case ExprKind::Push: expr(as<Push>(e).context); return expr(as<Push>(e).body);
    case ExprKind::Return: return results(as<ReturnExpr>(e).elems);
    case ExprKind::Run: return expr(as<Run>(e).value);
    case ExprKind::Asm:
        for (const AsmOperand& o : as<AsmExpr>(e).operands) expr(o.value);
        return;
    default: return branch(e);
    }
}

void NameWalk::block(llvm::ArrayRef<Stmt*> all) {
    for (const Stmt* s : all) stmt(s);
}

/// An assigned name is marked as written.
void NameWalk::written(const Expr* target, bool) {
    size_t before = out_.uses.size();
    expr(target);
    if (llvm::isa_and_nonnull<NameRef>(target) && out_.uses.size() > before) out_.uses.back().writes = true;
}

void NameWalk::stmt(const Stmt* s) {
    if (!s || stackIsLow()) return;
    switch (s->kind) {
    case StmtKind::Expr: return expr(as<ExprStmt>(s).expr);
    case StmtKind::Var:
        expr(as<VarStmt>(s).type);
        expected(as<VarStmt>(s).type, as<VarStmt>(s).init);
        return bind(as<VarStmt>(s).name, as<VarStmt>(s).type, as<VarStmt>(s).init, s->span);
    case StmtKind::Return: return results(as<ReturnStmt>(s).elems);
    case StmtKind::LocalDecl: return item(as<LocalDecl>(s).decl, true);
    case StmtKind::Destructure:
        expr(as<Destructure>(s).init);
        for (const Ident& id : as<Destructure>(s).names) bind(id, nullptr, nullptr, s->span);
        return;
    case StmtKind::Assign: expr(as<Assign>(s).value); return written(as<Assign>(s).target, as<Assign>(s).compound);
    case StmtKind::MultiAssign:
        for (const Expr* v : as<MultiAssign>(s).values) expr(v);
        for (const Expr* t : as<MultiAssign>(s).targets) written(t, false);
        return;
    case StmtKind::OnFail:
        push(s->span);
        bind(as<OnFailStmt>(s).binding, nullptr, nullptr, as<OnFailStmt>(s).binding.span);
        if (as<OnFailStmt>(s).binding) caught_.insert(as<OnFailStmt>(s).binding.span.begin);
        expr(as<OnFailStmt>(s).body);
        return pop();
    default: return forEachPart(s, [&](const Expr* e) { expr(e); });
    }
}

} // namespace sx::server
