#include "format/Marker.h"

#include "syntax/Walk.h"

namespace sx::format {

using namespace ast;

namespace {

template <typename T> const T& as(const Expr* e) { return *static_cast<const T*>(e); }
template <typename T> const T& as(const Stmt* s) { return *static_cast<const T*>(s); }

} // namespace

void Marker::statements(ArrayRef<Stmt*> list, unsigned marks) {
    for (const Stmt* s : list) {
        mark(s->span.begin, marks);
        visit(s);
    }
}

/// The one statement of `if c return;` and of `for xs => f();` stands in a block without braces and is no item.
void Marker::block(const BlockExpr* b) {
    if (b) statements(b->stmts, isBrace(b->span.begin) ? ItemStart | Statement : 0);
}

void Marker::visit(const Stmt* s) {
    switch (s->kind) {
    case StmtKind::Expr: return visit(as<ExprStmt>(s).expr);
    case StmtKind::Var:
        if (as<VarStmt>(s).type) mark(as<VarStmt>(s).name.span.begin, SpacedColon);
        visit(as<VarStmt>(s).type);
        return visit(as<VarStmt>(s).init);
    case StmtKind::LocalDecl: return visit(as<LocalDecl>(s).decl);
    default: return forEachPart(s, [&](const Expr* e) { visit(e); });
    }
}

/// Goes down the left side of chains in a loop.
void Marker::visit(const Expr* e) {
    while (e) {
        switch (e->kind) {
        case ExprKind::Binary:
            mark(as<Binary>(e).opSpan.begin, BinaryOp);
            visit(as<Binary>(e).rhs);
            e = as<Binary>(e).lhs;
            break;
        case ExprKind::Paren: e = as<Paren>(e).inner; break;
        case ExprKind::Unary: e = as<Unary>(e).operand; break;
        case ExprKind::Run: e = as<Run>(e).value; break;
        case ExprKind::If:
            visit(as<If>(e).cond);
            visit(as<If>(e).then);
            e = as<If>(e).otherwise;
            break;
        case ExprKind::Call:
        case ExprKind::Index:
        case ExprKind::Slice:
        case ExprKind::Member:
        case ExprKind::Deref:
        case ExprKind::Cast:
        case ExprKind::Unwrap: e = postfix(e); break;
        default: operand(e); return;
        }
    }
}

/// Marks what follows the base of a postfix expression, and returns the base.
const Expr* Marker::postfix(const Expr* e) {
    switch (e->kind) {
    case ExprKind::Call: call(as<Call>(e)); return as<Call>(e).callee;
    case ExprKind::Index: visit(as<Index>(e).index); return as<Index>(e).base;
    case ExprKind::Slice:
        visit(as<SliceExpr>(e).lo);
        visit(as<SliceExpr>(e).hi);
        return as<SliceExpr>(e).base;
    case ExprKind::Member: return as<Member>(e).base;
    case ExprKind::Deref: return as<Deref>(e).base;
    case ExprKind::Cast:
        visit(as<Cast>(e).type);
        visit(as<Cast>(e).allocator);
        return as<Cast>(e).base;
    case ExprKind::Unwrap: mark(as<Unwrap>(e).bang.begin, Postfix); return as<Unwrap>(e).base;
    default: return nullptr;
    }
}

void Marker::call(const Call& c) {
    if (c.rparen.isValid()) mark(c.rparen.begin, CallParen);
    for (const Arg& a : c.args) {
        if (!c.piped || &a != c.args.begin()) mark(a.span.begin, ItemStart);
        visit(a.value);
    }
    if (c.trailingBlock) visit(c.trailingBlock->body());
}

void Marker::operand(const Expr* e) {
    switch (e->kind) {
    case ExprKind::CompareChain:
        for (const Span& op : as<CompareChain>(e).opSpans) mark(op.begin, BinaryOp);
        for (const Expr* o : as<CompareChain>(e).operands) visit(o);
        return;
    case ExprKind::EnumLit: return mark(e->span.begin, PrefixDot);
    case ExprKind::StructLit:
    case ExprKind::ArrayLit: return literal(e);
    case ExprKind::Catch: return caught(as<Catch>(e));
    case ExprKind::Lambda: return function(*as<Lambda>(e).fn);
    case ExprKind::Block: return block(&as<BlockExpr>(e));
    case ExprKind::Match: return match(as<Match>(e));
    case ExprKind::While: visit(as<While>(e).cond); return block(as<While>(e).body);
    case ExprKind::For: return loop(as<For>(e));
    case ExprKind::Push: visit(as<Push>(e).context); return block(as<Push>(e).body);
    case ExprKind::Return:
        for (const ReturnElem& r : as<ReturnExpr>(e).elems) visit(r.value);
        return;
    case ExprKind::Asm: return assembly(as<AsmExpr>(e));
    default: return type(e);
    }
}

/// The word `clobbers` has no span; it stands before the first of them.
void Marker::assembly(const AsmExpr& a) {
    mark(a.textSpan.begin, ItemStart);
    for (const AsmOperand& o : a.operands) {
        mark(o.span.begin, ItemStart);
        visit(o.value);
    }
    if (a.clobbers.empty()) return;
    const size_t word = text_.rfind("clobbers", a.clobbers[0].span.begin.raw - start_.raw);
    if (word != std::string_view::npos) mark(start_ + static_cast<uint32_t>(word), ItemStart);
}

void Marker::literal(const Expr* e) {
    if (const auto* s = llvm::dyn_cast<StructLit>(e)) {
        if (s->type) visit(s->type);
        else mark(e->span.begin, PrefixDot);
        for (const Init& i : s->inits) {
            mark(i.span.begin, ItemStart);
            visit(i.value);
        }
        return block(s->initBlock);
    }
    const auto& a = as<ArrayLit>(e);
    if (a.type) visit(a.type);
    else mark(e->span.begin, PrefixDot);
    for (const Expr* x : a.elems) {
        mark(x->span.begin, ItemStart);
        visit(x);
    }
}

void Marker::caught(const Catch& c) {
    visit(c.operand);
    if (!c.body) return;
    if (c.body->kind != ExprKind::Match && c.body->kind != ExprKind::Block) mark(c.body->span.begin, CatchValue);
    visit(c.body);
}

void Marker::loop(const For& f) {
    for (const ForIter& i : f.iters) {
        visit(i.value);
        visit(i.end);
    }
    if (!f.captures.empty()) mark(f.captures[0].name.span.begin, Capture);
    block(f.body);
}

void Marker::match(const Match& m) {
    visit(m.subject);
    for (const MatchArm& arm : m.arms) {
        mark(arm.span.begin, ItemStart | Statement);
        visit(arm.pattern);
        statements(arm.body, ItemStart | Statement | ArmBody);
    }
}

void Marker::typeElems(ArrayRef<TypeElem> elems) {
    for (const TypeElem& t : elems) {
        mark(t.span.begin, ItemStart);
        visit(t.type);
        visit(t.defaultValue);
    }
}

void Marker::type(const Expr* e) {
    switch (e->kind) {
    case ExprKind::OptionalType: return visit(as<OptionalType>(e).inner);
    case ExprKind::SliceType: mark(e->span.begin, TypeBracket); return visit(as<SliceType>(e).elem);
    case ExprKind::ManyPointerType: mark(e->span.begin, TypeBracket); return visit(as<ManyPointerType>(e).elem);
    case ExprKind::SentinelType: mark(e->span.begin, TypeBracket); return visit(as<SentinelType>(e).elem);
    case ExprKind::ArrayType:
        mark(e->span.begin, TypeBracket);
        visit(as<ArrayType>(e).count);
        return visit(as<ArrayType>(e).elem);
    case ExprKind::FunctionType: typeElems(as<FunctionType>(e).params); return visit(as<FunctionType>(e).result);
    case ExprKind::ClosureType: typeElems(as<ClosureType>(e).params); return visit(as<ClosureType>(e).result);
    case ExprKind::TupleType: return typeElems(as<TupleType>(e).elems);
    case ExprKind::ResultList: return typeElems(as<ResultList>(e).elems);
    case ExprKind::ErrorChannel:
        if (!as<ErrorChannel>(e).set) mark(e->span.begin, Postfix);
        return visit(as<ErrorChannel>(e).set);
    case ExprKind::InlineType: {
        // An inline type is no item, unlike its parts.
        const SourcePos begin = e->span.begin;
        const uint16_t before = marks_[begin.raw - start_.raw];
        visit(as<InlineType>(e).decl);
        marks_[begin.raw - start_.raw] = before;
        return;
    }
    default: return; // a leaf
    }
}

} // namespace sx::format
