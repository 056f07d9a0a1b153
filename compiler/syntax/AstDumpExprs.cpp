#include "syntax/AstDumper.h"

#include "llvm/Support/Format.h"

namespace sx {

using namespace ast;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

const char* unaryName(UnaryOp op) {
    switch (op) {
    case UnaryOp::Neg: return "-";
    case UnaryOp::Not: return "!";
    case UnaryOp::BitNot: return "~";
    case UnaryOp::AddrOf: return "*";
    case UnaryOp::Xx: return "xx";
    case UnaryOp::Try: return "try";
    }
    return "";
}

void node(AstDumper& d, const IntLit* node, StringRef label) {
    d.leaf(node, label, node->isChar ? "Char" : "Int", std::to_string(node->value));
}

void node(AstDumper& d, const FloatLit* node, StringRef label) {
    std::string digits;
    llvm::raw_string_ostream(digits) << llvm::format("%.17g", node->value);
    d.leaf(node, label, "Float", digits);
}

void node(AstDumper& d, const StringLit* node, StringRef label) {
    d.leaf(node, label, node->heredoc ? "Heredoc" : "String", d.quoted(node->value));
}

void node(AstDumper& d, const TypeParam* node, StringRef label) {
    d.leaf(node, label, "TypeParam",
           d.name(node->id) + (node->index >= 0 ? "[" + std::to_string(node->index) + "]" : "") +
               (node->constraints.empty() ? "" : " / " + d.names(node->constraints)));
}

void node(AstDumper& d, const Binary* node, StringRef label) {
    d.leaf(node, label, "Binary", std::string(spelling(node->op)));
    const AstDumper::Indented indented(d);
    d.expr(node->lhs);
    d.expr(node->rhs);
}

void node(AstDumper& d, const Index* node, StringRef label) {
    d.leaf(node, label, "Index");
    const AstDumper::Indented indented(d);
    d.expr(node->base);
    d.expr(node->index);
}

void node(AstDumper& d, const Member* node, StringRef label) {
    d.with(node, label, "Member", node->base,
           d.name(node->name) + d.flags({{node->isIndex, "index"}, {node->optional, "optional"}}));
}

void node(AstDumper& d, const Cast* node, StringRef label) {
    d.leaf(node, label, "Cast", d.flags({{node->optional, "optional"}}));
    const AstDumper::Indented indented(d);
    d.expr(node->base);
    d.expr(node->type, "type");
    d.optional(node->allocator, "allocator");
}

void node(AstDumper& d, const Catch* node, StringRef label) {
    d.leaf(node, label, "Catch", node->binding ? d.name(node->binding) : "");
    const AstDumper::Indented indented(d);
    d.expr(node->operand);
    d.expr(node->body, "body");
}

void node(AstDumper& d, const ArrayLit* node, StringRef label) {
    d.leaf(node, label, "ArrayLit");
    const AstDumper::Indented indented(d);
    d.optional(node->type, "type");
    for (const Expr* elem : node->elems) d.expr(elem);
}

void node(AstDumper& d, const Lambda* node, StringRef label) {
    d.leaf(node, label, "Lambda");
    const AstDumper::Indented indented(d);
    d.decl(node->fn);
}

void node(AstDumper& d, const BlockExpr* node, StringRef label) {
    d.leaf(node, label, "Block");
    const AstDumper::Indented indented(d);
    d.stmts(node->stmts);
}

void node(AstDumper& d, const While* node, StringRef label) {
    d.leaf(node, label, "While", node->binding ? d.name(node->binding) : "");
    const AstDumper::Indented indented(d);
    d.expr(node->cond, "cond");
    d.expr(node->body, "body");
}

void node(AstDumper& d, const Push* node, StringRef label) {
    d.leaf(node, label, "Push");
    const AstDumper::Indented indented(d);
    d.expr(node->context, "context");
    d.expr(node->body, "body");
}

void node(AstDumper& d, const ReturnExpr* node, StringRef label) {
    d.leaf(node, label, "ReturnExpr");
    const AstDumper::Indented indented(d);
    d.returnElems(node->elems);
}

void node(AstDumper& d, const SentinelType* node, StringRef label) {
    d.with(node, label, "SentinelType", node->elem, std::to_string(node->sentinel));
}

void node(AstDumper& d, const ArrayType* node, StringRef label) {
    d.leaf(node, label, "ArrayType");
    const AstDumper::Indented indented(d);
    d.expr(node->count, "count");
    d.expr(node->elem, "elem");
}

void node(AstDumper& d, const FunctionType* node, StringRef label) {
    d.leaf(node, label, "FunctionType",
           d.flags({{node->abi == Abi::C, "abi(.c)"}, {node->abi == Abi::Naked, "abi(.naked)"}}));
    const AstDumper::Indented indented(d);
    d.typeElems(node->params);
    d.optional(node->result, "result");
}

void node(AstDumper& d, const ClosureType* node, StringRef label) {
    d.leaf(node, label, "ClosureType");
    const AstDumper::Indented indented(d);
    d.typeElems(node->params);
    d.optional(node->result, "result");
}

void node(AstDumper& d, const TupleType* node, StringRef label) {
    d.leaf(node, label, "TupleType");
    const AstDumper::Indented indented(d);
    d.typeElems(node->elems);
}

void node(AstDumper& d, const ResultList* node, StringRef label) {
    d.leaf(node, label, "ResultList");
    const AstDumper::Indented indented(d);
    d.typeElems(node->elems);
}

void node(AstDumper& d, const InlineType* node, StringRef label) {
    d.leaf(node, label, "InlineType");
    const AstDumper::Indented indented(d);
    d.decl(node->decl);
}

void node(AstDumper& d, const AsmExpr* node, StringRef label) {
    std::string clobbers = node->clobbers.empty() ? "" : " clobbers(" + d.names(node->clobbers) + ")";
    d.leaf(node, label, "Asm", d.flags({{node->isVolatile, "volatile"}}) + " " + d.quoted(node->text) + clobbers);
    const AstDumper::Indented indented(d);
    for (const AsmOperand& o : node->operands) {
        d.line({}, o.isOutput ? "Output" : "Input", (o.name ? " " + d.name(o.name) : "") + " " + d.quoted(o.constraint),
               o.span);
        const AstDumper::Indented deeper(d);
        d.expr(o.value);
    }
}

} // namespace

void AstDumper::leaf(const Expr* e, StringRef label, StringRef kind, const std::string& details) {
    line(label, kind, details, e->span);
}

void AstDumper::with(const Expr* e, StringRef label, StringRef kind, const Expr* child, const std::string& details) {
    line(label, kind, details, e->span);
    const Indented indented(*this);
    optional(child, {});
}

void AstDumper::expr(const Expr* e, StringRef label) {
    switch (e->kind) {
    case ExprKind::Int: return node(*this, llvm::cast<IntLit>(e), label);
    case ExprKind::Float: return node(*this, llvm::cast<FloatLit>(e), label);
    case ExprKind::Bool: return leaf(e, label, "Bool", llvm::cast<BoolLit>(e)->value ? "true" : "false");
    case ExprKind::String: return node(*this, llvm::cast<StringLit>(e), label);
    case ExprKind::Null: return leaf(e, label, "Null");
    case ExprKind::Undef: return leaf(e, label, "Undef");
    case ExprKind::NameRef: return leaf(e, label, "Name", name(llvm::cast<NameRef>(e)->id));
    case ExprKind::TypeParam: return node(*this, llvm::cast<TypeParam>(e), label);
    case ExprKind::EnumLit: return leaf(e, label, "EnumLit", name(llvm::cast<EnumLit>(e)->name));
    case ExprKind::ErrorTag: return leaf(e, label, "ErrorTag", name(llvm::cast<ErrorTag>(e)->name));
    case ExprKind::CallerLocation: return leaf(e, label, "CallerLocation");
    case ExprKind::Paren: return with(e, label, "Paren", llvm::cast<Paren>(e)->inner);
    case ExprKind::Unary:
        return with(e, label, "Unary", llvm::cast<Unary>(e)->operand, unaryName(llvm::cast<Unary>(e)->op));
    case ExprKind::Binary: return node(*this, llvm::cast<Binary>(e), label);
    case ExprKind::CompareChain: return compareChain(llvm::cast<CompareChain>(e), label);
    case ExprKind::Call: return call(llvm::cast<Call>(e), label);
    case ExprKind::Index: return node(*this, llvm::cast<Index>(e), label);
    case ExprKind::Slice: return slice(llvm::cast<SliceExpr>(e), label);
    case ExprKind::Member: return node(*this, llvm::cast<Member>(e), label);
    case ExprKind::Deref: return with(e, label, "Deref", llvm::cast<Deref>(e)->base);
    case ExprKind::Cast: return node(*this, llvm::cast<Cast>(e), label);
    case ExprKind::Unwrap: return with(e, label, "Unwrap", llvm::cast<Unwrap>(e)->base);
    case ExprKind::Catch: return node(*this, llvm::cast<Catch>(e), label);
    case ExprKind::StructLit: return structLit(llvm::cast<StructLit>(e), label);
    case ExprKind::ArrayLit: return node(*this, llvm::cast<ArrayLit>(e), label);
    case ExprKind::Lambda: return node(*this, llvm::cast<Lambda>(e), label);
    case ExprKind::Block: return node(*this, llvm::cast<BlockExpr>(e), label);
    case ExprKind::If: return ifExpr(llvm::cast<If>(e), label);
    case ExprKind::Match: return matchExpr(llvm::cast<Match>(e), label);
    case ExprKind::While: return node(*this, llvm::cast<While>(e), label);
    case ExprKind::For: return forExpr(llvm::cast<For>(e), label);
    case ExprKind::Push: return node(*this, llvm::cast<Push>(e), label);
    case ExprKind::Break: return leaf(e, label, "BreakExpr");
    case ExprKind::Continue: return leaf(e, label, "ContinueExpr");
    case ExprKind::Return: return node(*this, llvm::cast<ReturnExpr>(e), label);
    case ExprKind::Run: return with(e, label, "Run", llvm::cast<Run>(e)->value);
    case ExprKind::OptionalType: return with(e, label, "OptionalType", llvm::cast<OptionalType>(e)->inner);
    case ExprKind::SliceType: return with(e, label, "SliceType", llvm::cast<SliceType>(e)->elem);
    case ExprKind::ManyPointerType: return with(e, label, "ManyPointerType", llvm::cast<ManyPointerType>(e)->elem);
    case ExprKind::SentinelType: return node(*this, llvm::cast<SentinelType>(e), label);
    case ExprKind::ArrayType: return node(*this, llvm::cast<ArrayType>(e), label);
    case ExprKind::FunctionType: return node(*this, llvm::cast<FunctionType>(e), label);
    case ExprKind::ClosureType: return node(*this, llvm::cast<ClosureType>(e), label);
    case ExprKind::TupleType: return node(*this, llvm::cast<TupleType>(e), label);
    case ExprKind::ResultList: return node(*this, llvm::cast<ResultList>(e), label);
    case ExprKind::ErrorChannel: return with(e, label, "ErrorChannel", llvm::cast<ErrorChannel>(e)->set);
    case ExprKind::InlineType: return node(*this, llvm::cast<InlineType>(e), label);
    case ExprKind::Asm: return node(*this, llvm::cast<AsmExpr>(e), label);
    }
}

void AstDumper::typeElems(ArrayRef<TypeElem> elems) {
    for (const TypeElem& elem : elems) {
        line({}, "Elem", flags({{elem.spread, ".."}}) + (elem.name ? " " + name(elem.name) : ""), elem.span);
        const Indented indented(*this);
        expr(elem.type);
        optional(elem.defaultValue, "default");
    }
}

void AstDumper::compareChain(const CompareChain* node, StringRef label) {
    std::string ops;
    for (BinaryOp op : node->ops) ops += (ops.empty() ? "" : " ") + std::string(spelling(op));
    line(label, "CompareChain", ops, node->span);
    const Indented indented(*this);
    for (const Expr* operand : node->operands) expr(operand);
}

void AstDumper::call(const Call* node, StringRef label) {
    line(label, "Call", flags({{node->piped, "piped"}}), node->span);
    const Indented indented(*this);
    expr(node->callee, "callee");
    for (const Arg& arg : node->args) {
        const std::string prefix = arg.spread ? ".." : arg.name ? name(arg.name) + " =" : "";
        expr(arg.value, prefix);
    }
    if (node->trailingBlock) decl(node->trailingBlock, "trailing");
}

void AstDumper::structLit(const StructLit* node, StringRef label) {
    line(label, "StructLit", {}, node->span);
    const Indented indented(*this);
    optional(node->type, "type");
    for (const Init& init : node->inits) {
        const std::string prefix = init.spread      ? ".."
                                   : init.shorthand ? "shorthand"
                                   : init.name      ? name(init.name) + " ="
                                                    : "";
        expr(init.value, prefix);
    }
    optional(node->initBlock, "init");
}

void AstDumper::slice(const SliceExpr* node, StringRef label) {
    line(label, "Slice", flags({{node->loExclusive, "lo-exclusive"}, {node->hiInclusive, "hi-inclusive"}}), node->span);
    const Indented indented(*this);
    expr(node->base);
    optional(node->lo, "lo");
    optional(node->hi, "hi");
}

void AstDumper::ifExpr(const If* node, StringRef label) {
    line(label, "If",
         (node->binding ? name(node->binding) : "") +
             flags({{node->isInline, "inline"}, {node->thenForm, "then"}, {node->guardForm, "guard"}}),
         node->span);
    const Indented indented(*this);
    expr(node->cond, "cond");
    expr(node->then, "then");
    optional(node->otherwise, "else");
}

void AstDumper::matchExpr(const Match* node, StringRef label) {
    line(label, "Match", flags({{node->isInline, "inline"}}), node->span);
    const Indented indented(*this);
    expr(node->subject, "subject");
    for (const MatchArm& arm : node->arms) {
        line({}, arm.pattern ? "Case" : "Else",
             (arm.capture ? name(arm.capture) : "") + flags({{arm.arrow, "=>"}, {arm.emptyBreak, "empty-break"}}),
             arm.span);
        const Indented inner(*this);
        optional(arm.pattern, "pattern");
        stmts(arm.body);
    }
}

void AstDumper::forExpr(const For* node, StringRef label) {
    std::string captures;
    for (const ForCapture& capture : node->captures)
        captures += (captures.empty() ? "" : ", ") + std::string(capture.byRef ? "*" : "") + name(capture.name);
    line(label, "For", flags({{node->isInline, "inline"}}) + (captures.empty() ? "" : " (" + captures + ")"),
         node->span);
    const Indented indented(*this);
    for (const ForIter& iter : node->iters) {
        if (!iter.isRange) {
            expr(iter.value, "over");
            continue;
        }
        line("over", "Range", flags({{iter.startExclusive, "start-exclusive"}, {iter.endInclusive, "end-inclusive"}}),
             iter.span);
        const Indented inner(*this);
        expr(iter.value, "from");
        optional(iter.end, "to");
    }
    expr(node->body, "body");
}

} // namespace sx
