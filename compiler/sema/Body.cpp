// Whole functions: parameters, body, the rules for what a body must yield (language 3.8).
#include "sema/Explain.h"
#include "sema/Operands.h"

namespace sx::ir {
void removeUnreachableBlocks(Function&);
}

namespace sx::sema {

using namespace ast;

FunctionLowering::FunctionLowering(Sema& sema, ir::Function& fn, SourceFile& file, Scope* outer,
                                   FunctionInstance* instance)
    : sema(sema), module(sema.module), types(sema.types), diags(sema.diags), fn(fn), b(sema.module, fn), file(file),
      instance(instance), warns(sema.options.warnings && sema.isProgramFile(file)) {
    scope = sema.newScope(outer, &file);
    scope->owner = this;
    scope->isFunctionBoundary = true;
    if (fn.blocks.empty()) b.newBlock();
    b.setBlock(BlockId{0});
    b.setSpan(fn.span);
    name = instance ? instance->name : fn.name;
}

std::unique_ptr<FunctionLowering> FunctionLowering::scratch(Sema& sema, ir::Function& fn, SourceFile& file,
                                                            Scope* scope) {
    auto body = std::make_unique<FunctionLowering>(sema, fn, file, scope, nullptr);
    body->isComptimeScratch = true;
    if (sema.hasContext())
        body->context = body->b.globalAddr(sema.defaultContext, sema.types.pointerTo(sema.contextType));
    return body;
}

void FunctionLowering::setResultType(TypeId type) {
    resultType = type;
    resultInferred = false;
    isFailable = types.isFailable(type);
    successType = isFailable ? types.successType(type) : type;
    errorSet = isFailable ? types.errorSetOf(type) : TypeId::None;
    fn.result = type == TypeId::NoReturn ? TypeId::Void : type;
    if (instance && instance->result == TypeId::None) instance->result = type;
}

/// The part of a span on its first line: enough to show a statement that goes over many.
static Span firstLine(const SourceManager& sources, Span span) {
    size_t length = sources.textOf(span).find('\n');
    return length == std::string_view::npos ? span : Span{span.begin, span.begin + static_cast<uint32_t>(length)};
}

bool FunctionLowering::lowerFunction() {
    const FunctionDecl& decl = *instance->tmpl->decl;
    size_t errorsBefore = diags.errorCount(), before = diags.all().size();
    b.setSpan(decl.span);
    if (fn.hasContext) context = b.param(0);
    else if (sema.hasContext()) context = b.globalAddr(sema.defaultContext, types.pointerTo(sema.contextType));
    errorNode = instance->errors;
    if (instance->result != TypeId::None) setResultType(instance->result);
    else resultInferred = true;
    if (fn.isNaked && decl.body) {
        lowerNaked(decl);
    } else {
        bindParameters();
        declareResultSlots(decl);
    }
    if (decl.body && !fn.isNaked) {
        tree = decl.body;
        findErrorVariables(*this, decl.body);
        lowerBody(decl);
    }
    finishFunction();
    instance->bodyFailed = diags.errorCount() != errorsBefore;
    if (instance->bodyFailed) noteInstance(*this, before);
    return !instance->bodyFailed;
}

void FunctionLowering::bindParameters() {
    uint32_t index = fn.hasContext ? 1 : 0;
    auto bind = [&](const Ident& id, TypeId type, LocalKind kind) {
        b.setSpan({}); // the function is entered when they are in place
        Symbol* s = newVariable(id, type, kind);
        ir::Slot& slot = fn.slots[b.function().instr(s->address).imm];
        slot.paramIndex = static_cast<int32_t>(index);
        ValueId incoming = b.param(index++);
        if (types.isScalar(type)) b.store(s->address, incoming);
        else b.copy(s->address, incoming, type);
        return s;
    };
    for (const ParamInfo& p : instance->params) {
        if (p.isComptime) continue;
        if (!p.isPack) {
            Symbol* s = bind(p.decl->name, p.type, LocalKind::Parameter);
            for (const Binding& known : instance->bindings)
                if (p.decl->comptime && known.name == p.name) s->variant = static_cast<int64_t>(known.value.i);
            continue;
        }
        // A pack: its symbol stands in the parameter scope with the element types; the elements are locals here.
        Sema::LookupResult found = sema.lookup(p.name, scope, UINT32_MAX, &file);
        PackInfo* pack = found.symbol ? found.symbol->pack : nullptr;
        if (!pack) continue;
        pack->elements.clear();
        Scope* saved = scope;
        scope = sema.newScope(scope, &file); // elements have no name that a program can write
        for (TypeId type : pack->types) {
            Ident element = p.decl->name; // as debuggers show it
            element.name = sema.name(sema.text(p.name) + "[" + std::to_string(pack->elements.size()) + "]");
            pack->elements.push_back(bind(element, type, LocalKind::PackElement));
        }
        scope = saved;
    }
    b.setSpan(instance->tmpl->decl->span);
}

void FunctionLowering::declareResultSlots(const FunctionDecl& decl) {
    const auto* list = decl.result ? llvm::dyn_cast<ResultList>(decl.result) : nullptr;
    if (!list || resultType == TypeId::None) return;
    llvm::ArrayRef<TupleField> fields;
    if (types.kind(resultType) == TypeKind::Tuple) fields = types.tupleFields(resultType);
    for (size_t i = 0; i < list->elems.size() && i < fields.size(); ++i) {
        const TypeElem& elem = list->elems[i];
        if (!elem.name || llvm::isa<ErrorChannel>(elem.type)) continue;
        bool repeatsParameter = false;
        for (const Param& p : decl.params) repeatsParameter |= p.name.name == elem.name.name;
        if (repeatsParameter)
            diags.error(decl.result->span,
                        "the result slot `" + sema.text(elem.name.name) + "` has the name of a parameter");
        Symbol* s = newVariable(elem.name, fields[i].type, LocalKind::Variable);
        s->assigned = repeatsParameter;
        if (elem.defaultValue) {
            s->assigned = true;
            lowerInto(elem.defaultValue, fields[i].type, s->address);
        }
        resultSlots.push_back(s);
    }
    // All value slots must be named for the body to be able to end without a return.
    size_t values = fields.size() - (isFailable ? 1 : 0);
    if (resultSlots.size() != values) resultSlots.clear();
}

void FunctionLowering::finishFunction() {
    popCleanups(0);
    warnOfUnreadErrors();
    if (!b.terminated()) {
        if (resultType == TypeId::None || resultType == TypeId::Void) b.ret();
        else b.unreachable();
    }
    ir::removeUnreachableBlocks(fn);
}

// ------------------------------------------------------------------------------------ bodies

namespace {

/// A last statement whose value is the block's (or an `#insert`, whose text may end in one).
const ExprStmt* trailingValue(const BlockExpr& block) {
    if (block.stmts.empty()) return nullptr;
    const auto* last = llvm::dyn_cast<ExprStmt>(block.stmts.back());
    if (!last || last->semicolon) return nullptr;
    // A block-form `if` without `else` is a guard, loops have no value.
    if (const auto* i = llvm::dyn_cast<If>(last->expr); i && !i->otherwise) return nullptr;
    if (llvm::isa<While>(last->expr) || llvm::isa<For>(last->expr)) return nullptr;
    return last;
}

/// Whether a trailing `if`, match or block has a value as it is written: some branch of it ends in one. The `;` at the
/// end of a block discards its value, that of an arm does so only if `armsDiscard`.
bool endsInValue(const Expr* e, bool armsDiscard);

bool endsInValue(llvm::ArrayRef<Stmt*> stmts, bool semicolonDiscards, bool armsDiscard) {
    if (stmts.empty()) return false;
    if (llvm::isa<InsertStmt>(stmts.back())) return true; // its text may end in a value
    const auto* last = llvm::dyn_cast<ExprStmt>(stmts.back());
    return last && !(last->semicolon && semicolonDiscards) && endsInValue(last->expr, armsDiscard);
}

bool endsInValue(const Expr* e, bool armsDiscard) {
    switch (e->kind) {
    case ExprKind::Block: return endsInValue(static_cast<const BlockExpr*>(e)->stmts, true, armsDiscard);
    case ExprKind::Push: return endsInValue(static_cast<const Push*>(e)->body->stmts, true, armsDiscard);
    case ExprKind::If: {
        const auto& i = *static_cast<const If*>(e);
        return i.otherwise && (endsInValue(i.then, armsDiscard) || endsInValue(i.otherwise, armsDiscard));
    }
    case ExprKind::Match:
        for (const MatchArm& arm : static_cast<const Match*>(e)->arms)
            if (endsInValue(arm.body, armsDiscard, armsDiscard)) return true;
        return false;
    case ExprKind::While:
    case ExprKind::For:
    case ExprKind::Return:
    case ExprKind::Break:
    case ExprKind::Continue: return false;
    default: return true;
    }
}

} // namespace

/// Whether every path through the statements assigns `name` or leaves: an `if` counts with both branches, a match with
/// all arms and `else`, a loop never.
static bool assignsAlways(llvm::ArrayRef<Stmt*> stmts, Name name);

static bool assignsAlways(const Expr* e, Name name) {
    if (!e) return false;
    if (const auto* block = llvm::dyn_cast<BlockExpr>(e)) return assignsAlways(block->stmts, name);
    if (const auto* i = llvm::dyn_cast<If>(e))
        return i->otherwise && assignsAlways(i->then, name) && assignsAlways(i->otherwise, name);
    if (const auto* push = llvm::dyn_cast<Push>(e)) return assignsAlways(push->body, name);
    if (const auto* match = llvm::dyn_cast<Match>(e)) {
        bool hasElse = false;
        for (const MatchArm& arm : match->arms) {
            hasElse |= !arm.pattern;
            if (!assignsAlways(arm.body, name)) return false;
        }
        return hasElse;
    }
    return llvm::isa<ReturnExpr>(e);
}

static bool isNamed(const Expr* e, Name name) {
    const auto* n = llvm::dyn_cast<NameRef>(e);
    return n && n->id.name == name;
}

static bool assignsAlways(llvm::ArrayRef<Stmt*> stmts, Name name) {
    for (const Stmt* s : stmts) switch (s->kind) {
        case StmtKind::Assign:
            if (isNamed(static_cast<const Assign*>(s)->target, name)) return true;
            break;
        case StmtKind::MultiAssign:
            for (const Expr* t : static_cast<const MultiAssign*>(s)->targets)
                if (isNamed(t, name)) return true;
            break;
        case StmtKind::Expr:
            if (assignsAlways(static_cast<const ExprStmt*>(s)->expr, name)) return true;
            break;
        case StmtKind::Return:
        case StmtKind::Raise:
        case StmtKind::Break:
        case StmtKind::Continue: return true;
        case StmtKind::Var:
        case StmtKind::LocalDecl:
        case StmtKind::Destructure:
        case StmtKind::Defer:
        case StmtKind::OnFail:
        case StmtKind::Insert:
        case StmtKind::ErrorDirective:
        case StmtKind::Import: break;
        }
    return false;
}

void FunctionLowering::lowerBody(const FunctionDecl& decl) {
    if (decl.bodyKind == BodyKind::Arrow) {
        currentOperation = decl.body->span;
        returnValue(decl.body, decl.body->span);
        return;
    }
    const auto& block = *static_cast<const BlockExpr*>(decl.body);
    const ExprStmt* value = trailingValue(block);
    // With named slots an arm that ends in `;` is there to assign them; otherwise the `;` of an arm discards nothing.
    if (value && !endsInValue(value->expr, !resultSlots.empty())) value = nullptr;
    bool mayBeValue = resultType != TypeId::None ? resultType != TypeId::Void && resultType != TypeId::NoReturn &&
                                                       !(isFailable && successType == TypeId::Void && !value)
                                                 : true;
    llvm::ArrayRef<Stmt*> statements = block.stmts;
    TypeId expectedType = isFailable ? successType : resultType;
    bool yields = expectedType != TypeId::None && expectedType != TypeId::Void && expectedType != TypeId::NoReturn &&
                  resultSlots.empty();
    const auto* inserted = yields && !statements.empty() ? llvm::dyn_cast<InsertStmt>(statements.back()) : nullptr;
    if ((value && mayBeValue) || inserted) statements = statements.drop_back();
    bool isPure = isFailable && successType == TypeId::Void;
    if (isPure && !statements.empty()) // what the text ends in may be a failable to pass on
        if (const auto* text = llvm::dyn_cast<InsertStmt>(statements.back())) returned[text->value] = text->span;
    lowerStmts(statements);
    if (inserted && reachable()) { // the text may end in the result
        b.setSpan(inserted->span);
        currentOperation = inserted->span;
        if (isFailable) returned[inserted->value] = inserted->span;
        Value v = lowerInsertValue(*inserted, expectedType, ValueId::None, true);
        if (v.isError()) return;
        if (reachable() && !v.isVoid()) v = convert(v, expectedType, inserted->span);
        if (v.isError()) return;
        if (reachable() && !v.isVoid()) return emitReturn(v, inserted->span);
    }
    Span end{block.span.end + uint32_t(-1), block.span.end};
    if (value && reachable()) {
        b.setSpan(value->span);
        currentOperation = value->span;
        if (resultType == TypeId::None) {
            // Without a written type and without a `return value`, a trailing expression makes no result.
            lowerDropped(value->expr);
        } else if (mayBeValue) {
            if (isPure) {
                // A pure failable: only a failable or an error value is passed on, anything else is a statement.
                markReturned(value->expr, value->span);
                lowerDropped(value->expr);
            } else {
                returnValue(value->expr, value->span);
            }
        }
    }
    if (!reachable()) {
        if (resultType == TypeId::None) setResultType(TypeId::NoReturn), setResultType(TypeId::Void);
        return;
    }
    b.setSpan(end);
    if (resultType == TypeId::None) setResultType(TypeId::Void);
    if (resultType == TypeId::Void || (isFailable && successType == TypeId::Void)) {
        emitReturn(Value::none(), end);
        return;
    }
    if (resultType == TypeId::NoReturn) {
        b.panic(ir::PanicKind::Unreachable, decl.name.span);
        return;
    }
    if (!resultSlots.empty()) {
        for (Symbol* s : resultSlots)
            if (!s->assigned && !assignsAlways(block.stmts, s->name)) {
                diags
                    .error(block.span, "the result slot `" + sema.text(s->name) + "` may be unassigned at the end of " +
                                           functionTitle(*this))
                    .note(s->nameSpan, "the slot is declared here")
                    .help("assign it on every path, or give it a default");
                return;
            }
        returnSlots(end);
        return;
    }
    if ((diags.hasErrors() || !sema.plainErrors.empty()) && value)
        return; // the value itself was rejected, or could not be computed
    std::string title = functionTitle(*this), expected = withArticle(types, isFailable ? successType : resultType);
    if (block.stmts.empty()) {
        diags.error(block.span, title + " must yield " + expected + ", but its body is empty");
        return;
    }
    const Stmt* last = block.stmts.back();
    // It would have left if it had not been rejected: that is the message.
    if (diags.hasErrors() && (last->kind == StmtKind::Return || last->kind == StmtKind::Raise)) return;
    const auto* e = llvm::dyn_cast<ExprStmt>(last);
    if (rejectedWithin(diags, last->span)) return; // it might have left, or yielded the value
    if (e && e->semicolon) {
        diags.error(e->semi, "this `;` discards the value that " + title + " must yield (" + expected + ")")
            .help("drop the `;`, or write `return`");
        return;
    }
    Diagnostic& d = diags.error(firstLine(sema.sources, last->span), title + " ends here without yielding " + expected);
    d.help("end the body with `return value;` or with an expression without `;`");
    const auto* loop = e ? llvm::dyn_cast<While>(e->expr) : nullptr;
    if (const auto* always = loop && loop->cond ? llvm::dyn_cast<BoolLit>(withoutParens(loop->cond)) : nullptr;
        always && always->value)
        d.help("if the loop never ends, write `unreachable` after it");
}

} // namespace sx::sema
