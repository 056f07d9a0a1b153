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
    case ExprKind::Int: return node(llvm::cast<IntLit>(e), label);
    case ExprKind::Float: return node(llvm::cast<FloatLit>(e), label);
    case ExprKind::Bool: return leaf(e, label, "Bool", llvm::cast<BoolLit>(e)->value ? "true" : "false");
    case ExprKind::String: return node(llvm::cast<StringLit>(e), label);
    case ExprKind::Null: return leaf(e, label, "Null");
    case ExprKind::Undef: return leaf(e, label, "Undef");
    case ExprKind::NameRef: return leaf(e, label, "Name", name(llvm::cast<NameRef>(e)->id));
    case ExprKind::TypeParam: return node(llvm::cast<TypeParam>(e), label);
    case ExprKind::EnumLit: return leaf(e, label, "EnumLit", name(llvm::cast<EnumLit>(e)->name));
    case ExprKind::ErrorTag: return leaf(e, label, "ErrorTag", name(llvm::cast<ErrorTag>(e)->name));
    case ExprKind::CallerLocation: return leaf(e, label, "CallerLocation");
    case ExprKind::Paren: return with(e, label, "Paren", llvm::cast<Paren>(e)->inner);
    case ExprKind::Unary:
        return with(e, label, "Unary", llvm::cast<Unary>(e)->operand, unaryName(llvm::cast<Unary>(e)->op));
    case ExprKind::Binary: return node(llvm::cast<Binary>(e), label);
    case ExprKind::CompareChain: return compareChain(llvm::cast<CompareChain>(e), label);
    case ExprKind::Call: return call(llvm::cast<Call>(e), label);
    case ExprKind::Index: return node(llvm::cast<Index>(e), label);
    case ExprKind::Slice: return slice(llvm::cast<SliceExpr>(e), label);
    case ExprKind::Member: return node(llvm::cast<Member>(e), label);
    case ExprKind::Deref: return with(e, label, "Deref", llvm::cast<Deref>(e)->base);
    case ExprKind::Cast: return node(llvm::cast<Cast>(e), label);
    case ExprKind::Unwrap: return with(e, label, "Unwrap", llvm::cast<Unwrap>(e)->base);
    case ExprKind::Catch: return node(llvm::cast<Catch>(e), label);
    case ExprKind::StructLit: return structLit(llvm::cast<StructLit>(e), label);
    case ExprKind::ArrayLit: return node(llvm::cast<ArrayLit>(e), label);
    case ExprKind::Lambda: return node(llvm::cast<Lambda>(e), label);
    case ExprKind::Block: return node(llvm::cast<BlockExpr>(e), label);
    case ExprKind::If: return ifExpr(llvm::cast<If>(e), label);
    case ExprKind::Match: return matchExpr(llvm::cast<Match>(e), label);
    case ExprKind::While: return node(llvm::cast<While>(e), label);
    case ExprKind::For: return forExpr(llvm::cast<For>(e), label);
    case ExprKind::Push: return node(llvm::cast<Push>(e), label);
    case ExprKind::Break: return leaf(e, label, "BreakExpr");
    case ExprKind::Continue: return leaf(e, label, "ContinueExpr");
    case ExprKind::Return: return node(llvm::cast<ReturnExpr>(e), label);
    case ExprKind::Run: return with(e, label, "Run", llvm::cast<Run>(e)->value);
    case ExprKind::OptionalType: return with(e, label, "OptionalType", llvm::cast<OptionalType>(e)->inner);
    case ExprKind::SliceType: return with(e, label, "SliceType", llvm::cast<SliceType>(e)->elem);
    case ExprKind::ManyPointerType: return with(e, label, "ManyPointerType", llvm::cast<ManyPointerType>(e)->elem);
    case ExprKind::SentinelType: return node(llvm::cast<SentinelType>(e), label);
    case ExprKind::ArrayType: return node(llvm::cast<ArrayType>(e), label);
    case ExprKind::FunctionType: return node(llvm::cast<FunctionType>(e), label);
    case ExprKind::ClosureType: return node(llvm::cast<ClosureType>(e), label);
    case ExprKind::TupleType: return node(llvm::cast<TupleType>(e), label);
    case ExprKind::ResultList: return node(llvm::cast<ResultList>(e), label);
    case ExprKind::ErrorChannel: return with(e, label, "ErrorChannel", llvm::cast<ErrorChannel>(e)->set);
    case ExprKind::InlineType: return node(llvm::cast<InlineType>(e), label);
    case ExprKind::Asm: return node(llvm::cast<AsmExpr>(e), label);
    }
}

void AstDumper::node(const IntLit* node, StringRef label) {
    leaf(node, label, node->isChar ? "Char" : "Int", std::to_string(node->value));
}

void AstDumper::node(const FloatLit* node, StringRef label) {
    std::string digits;
    llvm::raw_string_ostream(digits) << llvm::format("%.17g", node->value);
    leaf(node, label, "Float", digits);
}

void AstDumper::node(const StringLit* node, StringRef label) {
    leaf(node, label, node->heredoc ? "Heredoc" : "String", quoted(node->value));
}

void AstDumper::node(const TypeParam* node, StringRef label) {
    leaf(node, label, "TypeParam",
         name(node->id) + (node->index >= 0 ? "[" + std::to_string(node->index) + "]" : "") +
             (node->constraints.empty() ? "" : " / " + names(node->constraints)));
}

void AstDumper::node(const Binary* node, StringRef label) {
    leaf(node, label, "Binary", std::string(spelling(node->op)));
    const Indented indented(*this);
    expr(node->lhs);
    expr(node->rhs);
}

void AstDumper::node(const Index* node, StringRef label) {
    leaf(node, label, "Index");
    const Indented indented(*this);
    expr(node->base);
    expr(node->index);
}

void AstDumper::node(const Member* node, StringRef label) {
    with(node, label, "Member", node->base,
         name(node->name) + flags({{node->isIndex, "index"}, {node->optional, "optional"}}));
}

void AstDumper::node(const Cast* node, StringRef label) {
    leaf(node, label, "Cast", flags({{node->optional, "optional"}}));
    const Indented indented(*this);
    expr(node->base);
    expr(node->type, "type");
    optional(node->allocator, "allocator");
}

void AstDumper::node(const Catch* node, StringRef label) {
    leaf(node, label, "Catch", node->binding ? name(node->binding) : "");
    const Indented indented(*this);
    expr(node->operand);
    expr(node->body, "body");
}

void AstDumper::node(const ArrayLit* node, StringRef label) {
    leaf(node, label, "ArrayLit");
    const Indented indented(*this);
    optional(node->type, "type");
    for (const Expr* elem : node->elems) expr(elem);
    return;
}

void AstDumper::node(const Lambda* node, StringRef label) {
    leaf(node, label, "Lambda");
    const Indented indented(*this);
    decl(node->fn);
}

void AstDumper::node(const BlockExpr* node, StringRef label) {
    leaf(node, label, "Block");
    const Indented indented(*this);
    stmts(node->stmts);
}

void AstDumper::node(const While* node, StringRef label) {
    leaf(node, label, "While", node->binding ? name(node->binding) : "");
    const Indented indented(*this);
    expr(node->cond, "cond");
    expr(node->body, "body");
}

void AstDumper::node(const Push* node, StringRef label) {
    leaf(node, label, "Push");
    const Indented indented(*this);
    expr(node->context, "context");
    expr(node->body, "body");
}

void AstDumper::node(const ReturnExpr* node, StringRef label) {
    leaf(node, label, "ReturnExpr");
    const Indented indented(*this);
    returnElems(node->elems);
}

void AstDumper::node(const SentinelType* node, StringRef label) {
    with(node, label, "SentinelType", node->elem, std::to_string(node->sentinel));
}

void AstDumper::node(const ArrayType* node, StringRef label) {
    leaf(node, label, "ArrayType");
    const Indented indented(*this);
    expr(node->count, "count");
    expr(node->elem, "elem");
}

void AstDumper::node(const FunctionType* node, StringRef label) {
    leaf(node, label, "FunctionType",
         flags({{node->abi == Abi::C, "abi(.c)"}, {node->abi == Abi::Naked, "abi(.naked)"}}));
    const Indented indented(*this);
    typeElems(node->params);
    optional(node->result, "result");
}

void AstDumper::node(const ClosureType* node, StringRef label) {
    leaf(node, label, "ClosureType");
    const Indented indented(*this);
    typeElems(node->params);
    optional(node->result, "result");
}

void AstDumper::node(const TupleType* node, StringRef label) {
    leaf(node, label, "TupleType");
    const Indented indented(*this);
    typeElems(node->elems);
}

void AstDumper::node(const ResultList* node, StringRef label) {
    leaf(node, label, "ResultList");
    const Indented indented(*this);
    typeElems(node->elems);
}

void AstDumper::node(const InlineType* node, StringRef label) {
    leaf(node, label, "InlineType");
    const Indented indented(*this);
    decl(node->decl);
}

void AstDumper::node(const AsmExpr* node, StringRef label) {
    std::string clobbers = node->clobbers.empty() ? "" : " clobbers(" + names(node->clobbers) + ")";
    leaf(node, label, "Asm", flags({{node->isVolatile, "volatile"}}) + " " + quoted(node->text) + clobbers);
    const Indented indented(*this);
    for (const AsmOperand& o : node->operands) {
        line({}, o.isOutput ? "Output" : "Input", (o.name ? " " + name(o.name) : "") + " " + quoted(o.constraint),
             o.span);
        const Indented deeper(*this);
        expr(o.value);
    }
    return;
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
