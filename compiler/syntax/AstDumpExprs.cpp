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

void AstDumper::expr(const Expr* e, StringRef label) {
    const auto leaf = [&](StringRef kind, const std::string& details = {}) { line(label, kind, details, e->span); };
    const auto with = [&](StringRef kind, const Expr* child, const std::string& details = {}) {
        line(label, kind, details, e->span);
        const Indented indented(*this);
        optional(child, {});
    };
    switch (e->kind) {
    case ExprKind::Int: {
        const auto* node = llvm::cast<IntLit>(e);
        return leaf(node->isChar ? "Char" : "Int", std::to_string(node->value));
    }
    case ExprKind::Float: {
        std::string digits;
        llvm::raw_string_ostream(digits) << llvm::format("%.17g", llvm::cast<FloatLit>(e)->value);
        return leaf("Float", digits);
    }
    case ExprKind::Bool: return leaf("Bool", llvm::cast<BoolLit>(e)->value ? "true" : "false");
    case ExprKind::String: {
        const auto* node = llvm::cast<StringLit>(e);
        return leaf(node->heredoc ? "Heredoc" : "String", quoted(node->value));
    }
    case ExprKind::Null: return leaf("Null");
    case ExprKind::Undef: return leaf("Undef");
    case ExprKind::NameRef: return leaf("Name", name(llvm::cast<NameRef>(e)->id));
    case ExprKind::TypeParam: {
        const auto* node = llvm::cast<TypeParam>(e);
        return leaf("TypeParam", name(node->id) + (node->index >= 0 ? "[" + std::to_string(node->index) + "]" : "") +
                                     (node->constraints.empty() ? "" : " / " + names(node->constraints)));
    }
    case ExprKind::EnumLit: return leaf("EnumLit", name(llvm::cast<EnumLit>(e)->name));
    case ExprKind::ErrorTag: return leaf("ErrorTag", name(llvm::cast<ErrorTag>(e)->name));
    case ExprKind::CallerLocation: return leaf("CallerLocation");
    case ExprKind::Paren: return with("Paren", llvm::cast<Paren>(e)->inner);
    case ExprKind::Unary: return with("Unary", llvm::cast<Unary>(e)->operand, unaryName(llvm::cast<Unary>(e)->op));
    case ExprKind::Binary: {
        const auto* node = llvm::cast<Binary>(e);
        leaf("Binary", std::string(spelling(node->op)));
        const Indented indented(*this);
        expr(node->lhs);
        return expr(node->rhs);
    }
    case ExprKind::CompareChain: return compareChain(llvm::cast<CompareChain>(e), label);
    case ExprKind::Call: return call(llvm::cast<Call>(e), label);
    case ExprKind::Index: {
        leaf("Index");
        const Indented indented(*this);
        expr(llvm::cast<Index>(e)->base);
        return expr(llvm::cast<Index>(e)->index);
    }
    case ExprKind::Slice: return slice(llvm::cast<SliceExpr>(e), label);
    case ExprKind::Member: {
        const auto* node = llvm::cast<Member>(e);
        return with("Member", node->base,
                    name(node->name) + flags({{node->isIndex, "index"}, {node->optional, "optional"}}));
    }
    case ExprKind::Deref: return with("Deref", llvm::cast<Deref>(e)->base);
    case ExprKind::Cast: {
        const auto* node = llvm::cast<Cast>(e);
        leaf("Cast", flags({{node->optional, "optional"}}));
        const Indented indented(*this);
        expr(node->base);
        expr(node->type, "type");
        return optional(node->allocator, "allocator");
    }
    case ExprKind::Unwrap: return with("Unwrap", llvm::cast<Unwrap>(e)->base);
    case ExprKind::Catch: {
        const auto* node = llvm::cast<Catch>(e);
        leaf("Catch", node->binding ? name(node->binding) : "");
        const Indented indented(*this);
        expr(node->operand);
        return expr(node->body, "body");
    }
    case ExprKind::StructLit: return structLit(llvm::cast<StructLit>(e), label);
    case ExprKind::ArrayLit: {
        const auto* node = llvm::cast<ArrayLit>(e);
        leaf("ArrayLit");
        const Indented indented(*this);
        optional(node->type, "type");
        for (const Expr* elem : node->elems) expr(elem);
        return;
    }
    case ExprKind::Lambda: {
        leaf("Lambda");
        const Indented indented(*this);
        return decl(llvm::cast<Lambda>(e)->fn);
    }
    case ExprKind::Block: {
        leaf("Block");
        const Indented indented(*this);
        return stmts(llvm::cast<BlockExpr>(e)->stmts);
    }
    case ExprKind::If: return ifExpr(llvm::cast<If>(e), label);
    case ExprKind::Match: return matchExpr(llvm::cast<Match>(e), label);
    case ExprKind::While: {
        const auto* node = llvm::cast<While>(e);
        leaf("While", node->binding ? name(node->binding) : "");
        const Indented indented(*this);
        expr(node->cond, "cond");
        return expr(node->body, "body");
    }
    case ExprKind::For: return forExpr(llvm::cast<For>(e), label);
    case ExprKind::Push: {
        leaf("Push");
        const Indented indented(*this);
        expr(llvm::cast<Push>(e)->context, "context");
        return expr(llvm::cast<Push>(e)->body, "body");
    }
    case ExprKind::Break: return leaf("BreakExpr");
    case ExprKind::Continue: return leaf("ContinueExpr");
    case ExprKind::Return: {
        leaf("ReturnExpr");
        const Indented indented(*this);
        return returnElems(llvm::cast<ReturnExpr>(e)->elems);
    }
    case ExprKind::Run: return with("Run", llvm::cast<Run>(e)->value);
    case ExprKind::OptionalType: return with("OptionalType", llvm::cast<OptionalType>(e)->inner);
    case ExprKind::SliceType: return with("SliceType", llvm::cast<SliceType>(e)->elem);
    case ExprKind::ManyPointerType: return with("ManyPointerType", llvm::cast<ManyPointerType>(e)->elem);
    case ExprKind::SentinelType: {
        const auto* node = llvm::cast<SentinelType>(e);
        return with("SentinelType", node->elem, std::to_string(node->sentinel));
    }
    case ExprKind::ArrayType: {
        leaf("ArrayType");
        const Indented indented(*this);
        expr(llvm::cast<ArrayType>(e)->count, "count");
        return expr(llvm::cast<ArrayType>(e)->elem, "elem");
    }
    case ExprKind::FunctionType: {
        const auto* node = llvm::cast<FunctionType>(e);
        leaf("FunctionType", flags({{node->abi == Abi::C, "abi(.c)"}, {node->abi == Abi::Naked, "abi(.naked)"}}));
        const Indented indented(*this);
        typeElems(node->params);
        return optional(node->result, "result");
    }
    case ExprKind::ClosureType: {
        leaf("ClosureType");
        const Indented indented(*this);
        typeElems(llvm::cast<ClosureType>(e)->params);
        return optional(llvm::cast<ClosureType>(e)->result, "result");
    }
    case ExprKind::TupleType: {
        leaf("TupleType");
        const Indented indented(*this);
        return typeElems(llvm::cast<TupleType>(e)->elems);
    }
    case ExprKind::ResultList: {
        leaf("ResultList");
        const Indented indented(*this);
        return typeElems(llvm::cast<ResultList>(e)->elems);
    }
    case ExprKind::ErrorChannel: return with("ErrorChannel", llvm::cast<ErrorChannel>(e)->set);
    case ExprKind::InlineType: {
        leaf("InlineType");
        const Indented indented(*this);
        return decl(llvm::cast<InlineType>(e)->decl);
    }
    case ExprKind::Asm: {
        const auto* node = llvm::cast<AsmExpr>(e);
        std::string clobbers = node->clobbers.empty() ? "" : " clobbers(" + names(node->clobbers) + ")";
        leaf("Asm", flags({{node->isVolatile, "volatile"}}) + " " + quoted(node->text) + clobbers);
        const Indented indented(*this);
        for (const AsmOperand& o : node->operands) {
            line({}, o.isOutput ? "Output" : "Input", (o.name ? " " + name(o.name) : "") + " " + quoted(o.constraint),
                 o.span);
            const Indented deeper(*this);
            expr(o.value);
        }
        return;
    }
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
