#include "lower/FunctionBodies.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "lower/Assembly.h"
#include "lower/body/Body.h"
#include "lower/body/ErrorVariables.h"
#include "lower/body/Explain.h"
#include "lower/body/Recursion.h"
#include "lower/body/Results.h"
#include "lower/body/Scopes.h"
#include "lower/body/Traces.h"
#include "lower/flow/Return.h"
#include "lower/flow/Statements.h"
#include "sema/Lookup.h"
#include "sema/Notes.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

/// The part of a span on its first line: enough to show a statement that goes over many.
static Span firstLine(const SourceManager& sources, Span span) {
    size_t length = sources.textOf(span).find('\n');
    return length == std::string_view::npos ? span : Span{span.begin, span.begin + static_cast<uint32_t>(length)};
}

bool lowerFunction(Body& f) {
    const FunctionDecl& decl = *f.instance->tmpl->decl;
    size_t errorsBefore = f.diags.errorCount(), before = f.diags.all().size();
    f.b.setSpan(decl.span);
    if (f.fn.hasContext) f.context = f.b.param(0);
    else if (f.sema.hasContext())
        f.context = globalAddr(f.b, f.sema.defaultContext, pointerTo(f.types, f.sema.contextType));
    f.result.errors = f.instance->errors;
    if (f.instance->result != TypeId::None) setResultType(f, f.instance->result);
    else f.result.inferred = true;
    recordScope(f, decl.span);
    if (f.fn.isNaked && decl.hasBody()) {
        lowerNaked(f, decl);
    } else {
        if (decl.hasBody()) findErrorVariables(f, decl.body());
        bindParameters(f);
        declareResultSlots(f, decl);
    }
    if (decl.hasBody() && !f.fn.isNaked) {
        f.tree = decl.body();
        lowerBody(f, decl);
    }
    finishFunction(f);
    f.instance->bodyFailed = f.diags.errorCount() != errorsBefore;
    if (f.instance->bodyFailed) noteInstance(f, before);
    return !f.instance->bodyFailed;
}

void bindParameters(Body& f) {
    uint32_t index = f.fn.hasContext ? 1 : 0;
    auto bind = [&](const Ident& id, TypeId type, LocalKind kind) {
        f.b.setSpan({}); // the function is entered when they are in place
        Symbol* s = newVariable(f, id, type, kind);
        ir::Slot& slot = f.fn.slots[f.b.function().instr(s->address).imm];
        slot.paramIndex = static_cast<int32_t>(index);
        ValueId incoming = f.b.param(index++);
        if (isScalar(f.types, type)) emitStore(f.b, s->address, incoming);
        else emitCopy(f.b, s->address, incoming, type);
        return s;
    };
    for (const ParamInfo& p : f.instance->params) {
        if (p.isComptime) continue;
        if (!p.isPack) {
            Symbol* s = bind(p.decl->name, p.type, LocalKind::Parameter);
            for (const Binding& known : f.instance->bindings)
                if (p.decl->comptime && known.name == p.name) s->variant = static_cast<int64_t>(known.value.i);
            continue;
        }
        // A pack: its symbol stands in the parameter scope with the element types; the elements are locals here.
        LookupResult found = lookup(f.sema, p.name, f.scope, UINT32_MAX, &f.file);
        PackInfo* pack = found.symbol ? found.symbol->pack : nullptr;
        if (!pack) continue;
        pack->elements.clear();
        Scope* saved = f.scope;
        // Elements have no name that a program can write; the pack outlives the function.
        f.scope = newScope(f.sema, f.scope, &f.file);
        for (TypeId type : pack->types) {
            Ident element = p.decl->name; // as debuggers show it
            element.name = f.sema.name(f.sema.text(p.name) + "[" + std::to_string(pack->elements.size()) + "]");
            pack->elements.push_back(bind(element, type, LocalKind::PackElement));
        }
        f.scope = saved;
    }
    f.b.setSpan(f.instance->tmpl->decl->span);
}

void declareResultSlots(Body& f, const FunctionDecl& decl) {
    const auto* list = decl.result ? llvm::dyn_cast<ResultList>(decl.result) : nullptr;
    if (!list || f.result.type == TypeId::None) return;
    llvm::ArrayRef<TupleField> fields;
    if (f.types.kind(f.result.type) == TypeKind::Tuple) fields = f.types.tupleFields(f.result.type);
    for (size_t i = 0; i < list->elems.size() && i < fields.size(); ++i) {
        const TypeElem& elem = list->elems[i];
        if (!elem.name || llvm::isa<ErrorChannel>(elem.type)) continue;
        bool repeatsParameter = false;
        for (const Param& p : decl.params) repeatsParameter |= p.name.name == elem.name.name;
        if (repeatsParameter)
            f.diags.error(decl.result->span,
                          "the result slot " + code(f.sema, elem.name.name) + " has the name of a parameter");
        Symbol* s = declareErrorVariable(f, newVariable(f, elem.name, fields[i].type, LocalKind::Variable));
        s->assigned = repeatsParameter;
        if (elem.defaultValue) {
            s->assigned = true;
            lowerInto(f, elem.defaultValue, fields[i].type, s->address);
            keepTrace(f, s, Value::place(s->type, s->address));
        } else {
            // The body may read it, or hand out its address, before it sets it. It is no step of the program.
            Span at = f.b.span();
            f.b.setSpan({});
            storeDefault(f, s->type, s->address);
            f.b.setSpan(at);
        }
        f.result.slots.push_back(s);
    }
    // All value slots must be named for the body to be able to end without a return.
    size_t values = fields.size() - (f.result.isFailable ? 1 : 0);
    if (f.result.slots.size() != values) f.result.slots.clear();
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
    if (llvm::isa<InsertStmt>(stmts.back())) return !armsDiscard; // its text may end in a value
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

/// Whether every path through some code gives a result slot a value or leaves: an `if` counts with both branches, a
/// match with all arms and `else`, a loop never. Asked when the code is lowered: that tells what leaves, a call of what
/// does not return included.
class SlotAssignment {
public:
    SlotAssignment(const Body& f, Name slot) : leaving_(f.result.leaving), inserted_(f.result.inserted), slot_(slot) {}

    bool isSure(llvm::ArrayRef<Stmt*> stmts) const {
        return llvm::any_of(stmts, [&](const Stmt* s) { return isSure(s); });
    }

private:
    bool isSure(const Stmt* s) const {
        if (leaving_.contains(s)) return true;
        if (const auto* a = llvm::dyn_cast<Assign>(s)) return isSlot(a->target);
        if (const auto* m = llvm::dyn_cast<MultiAssign>(s))
            return llvm::any_of(m->targets, [&](const Expr* t) { return isSlot(t); });
        if (const auto* e = llvm::dyn_cast<ExprStmt>(s)) return isSure(e->expr);
        if (llvm::isa<InsertStmt>(s)) return isSure(inserted_.lookup(s));
        return leaves(s->kind);
    }

    bool isSure(const Expr* e) const {
        if (!e) return false;
        if (leaving_.contains(e)) return true;
        if (const auto* block = llvm::dyn_cast<BlockExpr>(e)) return isSure(block->stmts);
        if (const auto* i = llvm::dyn_cast<If>(e)) return i->otherwise && isSure(i->then) && isSure(i->otherwise);
        if (const auto* push = llvm::dyn_cast<Push>(e)) return isSure(push->body);
        if (const auto* match = llvm::dyn_cast<Match>(e))
            return llvm::any_of(match->arms, [](const MatchArm& arm) { return !arm.pattern; }) &&
                   llvm::all_of(match->arms, [&](const MatchArm& arm) { return isSure(arm.body); });
        return llvm::isa<ReturnExpr>(e);
    }

    /// Code that is not lowered, behind what leaves or in a branch that was not chosen, has only its form.
    static bool leaves(StmtKind kind) {
        return kind == StmtKind::Return || kind == StmtKind::Raise || kind == StmtKind::Break ||
               kind == StmtKind::Continue;
    }

    bool isSlot(const Expr* e) const {
        const auto* n = llvm::dyn_cast<NameRef>(e);
        return n && n->id.name == slot_;
    }

    const llvm::DenseSet<const void*>& leaving_;
    const llvm::DenseMap<const Stmt*, llvm::ArrayRef<Stmt*>>& inserted_;
    Name slot_;
};

/// A failable without a value.
bool isPureFailable(const Result& r) { return r.isFailable && r.success == TypeId::Void; }

/// Lowers the text at the end of a body, which may end in the result. False: it did, or an error was reported.
bool lowerInsertedResult(Body& f, const InsertStmt& text, TypeId type) {
    f.b.beginStatement(text.span.begin);
    f.b.setSpan(text.span);
    f.modes.operation = text.span;
    if (f.result.isFailable) f.result.returned[text.value] = text.span;
    Value v = lowerInsertValue(f, text, type, ValueId::None, true);
    if (v.isError()) return false;
    if (!f.reachable() || v.isVoid()) return true;
    v = convert(f, v, type, text.span);
    if (v.isError()) return false;
    if (!f.reachable() || v.isVoid()) return true;
    emitReturn(f, v, text.span);
    return false;
}

/// Lowers the trailing expression of a body. `isResult`: it may be the value that the function yields; `isPure`: of a
/// failable without a value.
void lowerTrailing(Body& f, const ExprStmt& value, bool isResult, bool isPure) {
    f.b.beginStatement(value.span.begin);
    f.b.setSpan(value.span);
    f.modes.operation = value.span;
    if (f.result.type == TypeId::None) {
        // Without a written type and without a `return value`, a trailing expression makes no result.
        lowerDropped(f, value.expr);
    } else if (isResult && isPure) {
        // Only a failable or an error value is passed on, anything else is a statement.
        markReturned(f, value.expr, value.span);
        lowerDropped(f, value.expr);
    } else if (isResult) {
        returnValue(f, value.expr, value.span);
    }
}

/// Returns the named slots at the end of a body, unless one may be unassigned.
void returnAssignedSlots(Body& f, const BlockExpr& block, Span end) {
    for (Symbol* s : f.result.slots)
        if (!s->assigned && !SlotAssignment(f, s->name).isSure(block.stmts)) {
            f.diags
                .error(block.span, "the result slot " + code(f.sema, s->name) + " may be unassigned at the end of " +
                                       functionTitle(f))
                .note(s->nameSpan, "the slot is declared here")
                .help("assign it on every path, or give it a default");
            return;
        }
    returnSlots(f, end);
}

/// Reports a body that ends without the value that it must yield, unless an error before explains it.
void reportMissingValue(Body& f, const BlockExpr& block, bool hasTrailingValue) {
    if ((f.diags.hasErrors() || f.diags.hasUnplacedErrors()) && hasTrailingValue)
        return; // the value itself was rejected, or could not be computed
    std::string title = functionTitle(f);
    std::string expected = withArticle(f.types, f.result.isFailable ? f.result.success : f.result.type);
    if (block.stmts.empty()) {
        f.diags.error(block.span, title + " must yield " + expected + ", but its body is empty");
        return;
    }
    const Stmt* last = block.stmts.back();
    // It would have left if it had not been rejected: that is the message.
    if (f.diags.hasErrors() && (last->kind == StmtKind::Return || last->kind == StmtKind::Raise)) return;
    const auto* e = llvm::dyn_cast<ExprStmt>(last);
    if (rejectedWithin(f.diags, last->span)) return; // it might have left, or yielded the value
    if (e && e->semicolon) {
        f.diags.error(e->semi, "this `;` discards the value that " + title + " must yield (" + expected + ")")
            .help("drop the `;`, or write `return`");
        return;
    }
    Diagnostic& d =
        f.diags.error(firstLine(f.sema.sources, last->span), title + " ends here without yielding " + expected);
    d.help("end the body with `return value;` or with an expression without `;`");
    const auto* loop = e ? llvm::dyn_cast<While>(e->expr) : nullptr;
    if (const auto* always = loop && loop->cond ? llvm::dyn_cast<BoolLit>(withoutParens(loop->cond)) : nullptr;
        always && always->value)
        d.help("if the loop never ends, write `unreachable` after it");
}

/// What control does that reaches the end of a body.
void endBody(Body& f, const FunctionDecl& decl, const BlockExpr& block, bool hasTrailingValue) {
    if (!f.reachable()) {
        // What was rejected may have been the value: then the type stays unknown.
        if (f.result.type == TypeId::None && !rejectedWithin(f.diags, block.span)) {
            // The instance keeps the first type that is set, so callers know that it never returns; the body goes on
            // as one without a value.
            setResultType(f, TypeId::NoReturn);
            setResultType(f, TypeId::Void);
        }
        return;
    }
    Span end = lastByte(block.span);
    f.b.beginStatement(end.begin);
    f.b.setSpan(end);
    if (f.result.type == TypeId::None) setResultType(f, TypeId::Void);
    if (f.result.type == TypeId::Void || isPureFailable(f.result)) emitReturn(f, Value::none(), end);
    else if (f.result.type == TypeId::NoReturn) emitPanic(f.b, ir::PanicKind::Unreachable, decl.name.span);
    else if (!f.result.slots.empty()) returnAssignedSlots(f, block, end);
    else reportMissingValue(f, block, hasTrailingValue);
}

/// A block behind an arrow that is there for its effects: no value is wanted, or it has none as it is written.
bool isStatements(const Body& f, const Expr* body) {
    if (!llvm::isa<BlockExpr>(body)) return false;
    return f.result.type == TypeId::Void || (f.result.type == TypeId::None && !endsInValue(body, false));
}

} // namespace

void lowerBody(Body& f, const FunctionDecl& decl) {
    if (decl.bodyKind == BodyKind::Arrow && !isStatements(f, decl.body())) {
        f.b.beginStatement(decl.bodySpan().begin);
        f.modes.operation = decl.bodySpan();
        returnValue(f, decl.body(), decl.bodySpan());
        return;
    }
    const auto& block = *static_cast<const BlockExpr*>(decl.body());
    const ExprStmt* value = trailingValue(block);
    // With named slots an arm that ends in `;` is there to assign them; otherwise the `;` of an arm discards nothing.
    if (value && !endsInValue(value->expr, !f.result.slots.empty())) value = nullptr;
    bool isPure = isPureFailable(f.result);
    bool mayBeValue = f.result.type == TypeId::None ||
                      (f.result.type != TypeId::Void && f.result.type != TypeId::NoReturn && !(isPure && !value));
    llvm::ArrayRef<Stmt*> statements = block.stmts;
    TypeId expected = f.result.isFailable ? f.result.success : f.result.type;
    bool yields =
        expected != TypeId::None && expected != TypeId::Void && expected != TypeId::NoReturn && f.result.slots.empty();
    const auto* inserted = yields && !statements.empty() ? llvm::dyn_cast<InsertStmt>(statements.back()) : nullptr;
    if ((value && mayBeValue) || inserted) statements = statements.drop_back();
    if (isPure && !statements.empty()) // what the text ends in may be a failable to pass on
        if (const auto* text = llvm::dyn_cast<InsertStmt>(statements.back()))
            f.result.returned[text->value] = text->span;
    lowerStmts(f, statements);
    if (inserted && f.reachable()) {
        if (!lowerInsertedResult(f, *inserted, expected)) return;
    } else if (value && f.reachable()) {
        lowerTrailing(f, *value, mayBeValue, isPure);
    }
    endBody(f, decl, block, value != nullptr);
}

} // namespace sx::lower
