#include "lower/flow/Statements.h"

#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "lower/body/Body.h"
#include "lower/body/Cleanup.h"
#include "lower/body/ComptimeCode.h"
#include "lower/body/Effects.h"
#include "lower/body/ErrorVariables.h"
#include "lower/body/Explain.h"
#include "lower/body/FrameArrays.h"
#include "lower/body/LocalUse.h"
#include "lower/body/Probe.h"
#include "lower/body/Recursion.h"
#include "lower/body/Scopes.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/calls/Formats.h"
#include "lower/flow/Assign.h"
#include "lower/flow/ControlFlow.h"
#include "lower/flow/Errors.h"
#include "lower/flow/Match.h"
#include "lower/flow/Return.h"
#include "sema/BuiltTypes.h"
#include "sema/Declare.h"
#include "sema/Evaluate.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "sema/passes/Passes.h"
#include "syntax/Walk.h"
#include "types/Predicates.h"

#include "llvm/ADT/ScopeExit.h"

namespace sx::lower {

using namespace ast;

void lowerStmts(Body& f, llvm::ArrayRef<Stmt*> stmts) {
    for (size_t i = 0; i < stmts.size(); ++i) {
        if (!f.reachable()) return noteMentioned(f, stmts.drop_front(i)); // dead code is ignored
        lowerStmt(f, stmts[i]);
    }
}

/// What a statement declares is seen by the statements after it.
static void seenAfter(const Stmt* s, Scope& scope, size_t from) {
    for (size_t i = from; i < scope.entries.size(); ++i) scope.entries[i].symbol->visibleFrom = s->span.end;
}

/// What it does, if anything, happens where it stands. A cleanup does so where control leaves.
static bool runsInPlace(const Stmt* s) {
    return !llvm::isa<DeferStmt>(s) && !llvm::isa<OnFailStmt>(s) && !llvm::isa<ImportStmt>(s);
}

void lowerStmt(Body& f, const Stmt* s) {
    Scope* scope = f.scope;
    auto declared = llvm::make_scope_exit([&, from = scope->entries.size()] {
        seenAfter(s, *scope, from);
        if (!f.reachable() && !f.result.slots.empty()) f.result.leaving.insert(s);
        f.b.endStatement();
    });
    if (runsInPlace(s)) f.b.beginStatement(s->span.begin);
    f.b.setSpan(s->span);
    f.modes.operation = s->span;
    switch (s->kind) {
    case StmtKind::Expr: lowerDropped(f, static_cast<const ExprStmt*>(s)->expr); return;
    case StmtKind::Var:
        lowerVar(f, *static_cast<const VarStmt*>(s));
        return noteInitializer(f, *static_cast<const VarStmt*>(s));
    case StmtKind::LocalDecl: return lowerLocalDecl(f, *static_cast<const LocalDecl*>(s));
    case StmtKind::Destructure: return lowerDestructure(f, *static_cast<const Destructure*>(s));
    case StmtKind::Assign: return lowerAssign(f, *static_cast<const Assign*>(s));
    case StmtKind::MultiAssign: return lowerMultiAssign(f, *static_cast<const MultiAssign*>(s));
    case StmtKind::Return:
        lowerReturn(f, static_cast<const ReturnStmt*>(s)->elems, s->span);
        if (f.reachable()) emitUnreachable(f.b); // it was rejected; what follows it is dead all the same
        return;
    case StmtKind::Raise:
        lowerRaise(f, *static_cast<const RaiseStmt*>(s));
        if (f.reachable()) emitUnreachable(f.b);
        return;
    case StmtKind::Defer:
    case StmtKind::OnFail: return registerCleanup(f, *s);
    case StmtKind::Break: return lowerBreak(f, s->span);
    case StmtKind::Continue: return lowerContinue(f, s->span);
    case StmtKind::Insert: return lowerInsert(f, *static_cast<const InsertStmt*>(s));
    case StmtKind::ErrorDirective: return lowerErrorDirective(f, *static_cast<const ErrorStmt*>(s));
    case StmtKind::Import: return;
    }
}

void lowerErrorDirective(Body& f, const ErrorStmt& s) {
    // In a generic instance the mistake is the caller's: it points at the call that led here.
    if (f.instance && f.instance->instantiatedAt && f.instance->tmpl->isGeneric) {
        const Expr* at = f.instance->instantiatedAt;
        if (const auto* call = llvm::dyn_cast<Call>(at)) at = call->callee;
        f.diags.error(at->span, s.message.str()).note(s.span, "rejected here");
    } else {
        f.diags.error(s.span, s.message.str());
    }
    if (f.reachable()) emitUnreachable(f.b); // what would have to follow it is no further mistake
}

Value lowerDropped(Body& f, const Expr* e) {
    Value v;
    size_t firstInstr = f.fn.instrs.size();
    // The end of what a pure failable ends in: an error or a failable leaves from here, anything else is a statement.
    auto end = f.result.isFailable && f.result.success == TypeId::Void && !f.modes.inCleanup
                   ? f.result.returned.find(withoutParens(e))
                   : f.result.returned.end();
    if (end != f.result.returned.end()) {
        v = lowerReturned(f, e, f.result.errorSet, ValueId::None, end->second);
        if (!v.isError() && v.unmarkedFailable) return rejectUnmarked(f, v, e->span);
        if (!v.isError()) warnOfNoEffect(f, e, firstInstr);
        return v;
    }
    switch (e->kind) {
    case ExprKind::If: v = lowerIf(f, *static_cast<const If*>(e), TypeId::None, ValueId::None, false); break;
    case ExprKind::Match: v = lowerMatch(f, *static_cast<const Match*>(e), TypeId::None, ValueId::None, false); break;
    case ExprKind::Block:
        v = lowerBlock(f, *static_cast<const BlockExpr*>(e), TypeId::None, ValueId::None, false);
        break;
    case ExprKind::Catch: v = lowerCatch(f, *static_cast<const Catch*>(e), TypeId::None, ValueId::None); break;
    default: v = lowerUnmarked(f, e); break;
    }
    if (v.isError()) return v;
    if (v.unmarkedFailable) return rejectUnmarked(f, v, e->span);
    if ((v.kind == Value::Kind::Namespace || v.kind == Value::Kind::GenericStruct) && !requireValue(f, v, e->span))
        return Value::error();
    warnOfNoEffect(f, e, firstInstr);
    return v;
}

// ------------------------------------------------------------------------------------ variables

/// Makes the storage of a temporary the storage of a variable: no copy of what was just built.
bool adoptTemporary(Body& f, const Value& v, const Ident& id) {
    if (!v.isMemory() || v.lvalue || v.id == ValueId::None) return false;
    const ir::Instr& at = f.fn.instr(v.id);
    if (at.op != ir::Op::SlotAddr) return false;
    ir::Slot& slot = f.fn.slots[at.imm];
    if (slot.name != Name::None || slot.type != v.type || slot.paramIndex >= 0) return false;
    if (f.result.storage != ir::SlotId::None && static_cast<uint32_t>(f.result.storage) == at.imm) return false;
    slot.name = id.name;
    slot.span = id.span;
    return true;
}

/// `v : T;`, `v : T = init;`. False: the declaration was rejected.
static bool lowerTypedVar(Body& f, const VarStmt& s) {
    size_t before = f.diags.all().size();
    TypeId type = resolveType(f.sema, s.type, typeContext(f));
    if (type == TypeId::None || !completeDeep(f.sema, type, s.type->span)) {
        if (f.sema.names.text(s.name.name) == "default") // `default: …` reads as a declaration
            for (Diagnostic& d : f.diags.since(before)) d.help("the last arm of a match is `else:`");
        if (s.init) checkDiscarded(f, s.init);
        return false;
    }
    if (type == TypeId::NoReturn) {
        f.diags.error(s.type->span, "a variable cannot have the type `noreturn`");
        return false;
    }
    Value place = temp(f, type);
    f.b.setSpan(s.span);
    if (!s.init) {
        storeDefault(f, type, place.id);
    } else if (s.init->kind == ExprKind::Undef) {
        if (f.types.kind(type) == TypeKind::Tuple) emitZero(f.b, place.id, type); // tuples are zero-filled
    } else if (isErrorOrOptional(f.types, type)) {
        Symbol* carrier = markErrorEnds(f, s.name.name, s.init, nullptr);
        Value v = lowerUnmarked(f, s.init, type);
        Symbol* var = declareLocal(f, s.name, type, LocalKind::Variable, place.id);
        if (carrier) adoptCarrier(*var, *carrier);
        else declareErrorVariable(f, var);
        if (!v.isError() && f.reachable()) storeErrorVariable(f, var, var->address, v, s.init, carrier != nullptr);
        return true;
    } else {
        lowerInto(f, s.init, type, place.id); // if the value is rejected, the variable still has its type
    }
    declareErrorVariable(f, declareLocal(f, s.name, type, LocalKind::Variable, place.id));
    return true;
}

/// `v := init;`. False: the declaration was rejected.
static bool lowerUntypedVar(Body& f, const VarStmt& s) {
    bool isDiscard = f.sema.names.text(s.name.name) == "_" && !s.name.raw;
    Symbol* carrier = markErrorEnds(f, s.name.name, s.init, nullptr);
    Value v = lowerUnmarked(f, s.init);
    if (v.isError() || !f.reachable()) return false;
    if (v.unmarkedFailable && (isDiscard || !isErrorSet(f.types, v.type) || mustAbsorb(f))) {
        rejectUnmarked(f, v, s.init->span);
        return false;
    }
    if (isDiscard) return true;
    if (isErrorSet(f.types, v.type) && !v.isTypeName()) {
        Value place = temp(f, v.type);
        Symbol* var = declareLocal(f, s.name, v.type, LocalKind::Variable, place.id);
        if (carrier) adoptCarrier(*var, *carrier);
        else declareErrorVariable(f, var);
        storeErrorVariable(f, var, var->address, v, s.init, carrier != nullptr);
        return true;
    }
    if (v.isError() || !requireValue(f, v, s.init->span)) return false;
    if (v.type == TypeId::Null) {
        f.diags.error(s.init->span, "`null` alone has no type: annotate " + code(f.sema, s.name.name))
            .help("write " + code(f.sema.text(s.name.name) + " : ?T = null;") + " or a pointer type");
        return false;
    }
    auto declareVariable = [&](ValueId address) {
        Symbol* var = declareLocal(f, s.name, v.type, LocalKind::Variable, address);
        var->initializer = s.init;
        if (!isErrorOrOptional(f.types, v.type)) return true;
        if (carrier) adoptCarrier(*var, *carrier);
        else keepTrace(f, declareErrorVariable(f, var), v);
        return true;
    };
    if (adoptTemporary(f, v, s.name)) return declareVariable(v.id);
    if (v.isTypeName()) v = load(f, v);
    if (!completeDeep(f.sema, v.type, s.init->span)) return false;
    Value place = temp(f, v.type);
    store(f, place.id, v);
    return declareVariable(place.id);
}

void lowerVar(Body& f, const VarStmt& s) {
    if (!(s.type ? lowerTypedVar(f, s) : lowerUntypedVar(f, s))) declareBroken(f, s.name);
}

/// A name whose declaration was rejected: later uses stay silent.
void declareBroken(Body& f, const Ident& id) {
    if (f.sema.names.text(id.name) == "_") return;
    declare(f.sema, *f.scope, id.name, newSymbol(f.sema, id.name, SymbolKind::Error, id.span));
}

// ------------------------------------------------------------------------------------ local declarations

void lowerLocalDecl(Body& f, const LocalDecl& s) {
    const Decl& d = *s.decl;
    keepScope(f.scope);
    const auto* constant = llvm::dyn_cast<ConstDecl>(&d);
    if (!constant) {
        Symbol* symbol = symbolFor(f.sema, d, f.file, f.scope, f.name, true);
        declare(f.sema, *f.scope, d.name.name, symbol);
        return;
    }
    TypeContext context = typeContext(f);
    if (!constant->type && constant->value->kind != ExprKind::Run && namesType(f.sema, constant->value, context)) {
        TypeId type = resolveType(f.sema, constant->value, context);
        Symbol* symbol =
            newSymbol(f.sema, d.name.name, type == TypeId::None ? SymbolKind::Error : SymbolKind::Type, d.name.span);
        symbol->type =
            type == TypeId::None ? type : namedAlias(f.sema, type, constant->value, f.sema.text(d.name.name));
        symbol->decl = &d;
        symbol->file = &f.file;
        declare(f.sema, *f.scope, d.name.name, symbol);
        return;
    }
    // `T :: make_enum(…);`: a type, which can only be built while compiling.
    const Expr* value = withoutParens(constant->value);
    if (!constant->type && llvm::isa<Call>(value) && loadsMeta(f.sema) && !declaresType(f.sema, value) &&
        !needsRunTime(f, value)) {
        Value v = probeExpr(f, value);
        if (v.kind == Value::Kind::Scalar && v.type == TypeId::Type) {
            TypeId built = buildType(f, value);
            if (built == TypeId::None) return declareBroken(f, d.name);
            return declareConstant(f, d, Value::ofType(built), value);
        }
    }
    TypeId type = TypeId::None;
    if (constant->type) {
        type = resolveType(f.sema, constant->type, context);
        bool ok =
            type != TypeId::None && checkConstantKind(f.sema, constant->value, type, f.scope, f.scopeLimit, &f.file);
        if (!ok) {
            declareBroken(f, d.name);
            return;
        }
    }
    Value v = lowerUnmarked(f, constant->value, type);
    if (!v.isError() && v.unmarkedFailable && !isErrorSet(f.types, v.type))
        v = rejectUnmarked(f, v, constant->value->span);
    else if (!v.isError() && v.unmarkedFailable) v = errorOperand(f, v);
    if (!v.isError() && type != TypeId::None) v = convert(f, v, type, constant->value->span);
    if (v.isError() || !f.reachable()) {
        declareBroken(f, d.name);
        return;
    }
    declareConstant(f, d, v, constant->value);
}

void declareConstant(Body& f, const Decl& d, Value v, const Expr* value) {
    Symbol* symbol = nullptr;
    auto fresh = [&](SymbolKind kind) {
        symbol = newSymbol(f.sema, d.name.name, kind, d.name.span);
        symbol->decl = &d;
        symbol->file = &f.file;
        declare(f.sema, *f.scope, d.name.name, symbol);
        return symbol;
    };
    switch (v.kind) {
    case Value::Kind::Function: fresh(SymbolKind::Function)->function = v.function; return;
    case Value::Kind::Namespace: fresh(SymbolKind::Namespace)->module = v.module; return;
    case Value::Kind::GenericStruct: fresh(SymbolKind::GenericStruct)->structTemplate = v.structTemplate; return;
    case Value::Kind::TypeName: fresh(SymbolKind::Type)->type = v.namedType; return;
    case Value::Kind::Const:
        if (v.type != TypeId::Null) {
            fresh(SymbolKind::Constant)->type = v.type;
            symbol->owner = &f;
            symbol->constantValue = f.sema.make<ConstValue>(v.constant);
            return;
        }
        f.diags.error(value->span, "`null` alone has no type: annotate " + code(f.sema, d.name.name));
        declareBroken(f, d.name);
        return;
    case Value::Kind::Error:
    case Value::Kind::Void:
    case Value::Kind::Scalar:
    case Value::Kind::Memory:
    case Value::Kind::Method:
    case Value::Kind::Protocol:
    case Value::Kind::Pack: break;
    }
    if (!requireValue(f, v, value->span)) {
        declareBroken(f, d.name);
        return;
    }
    Value place = v;
    if (!adoptTemporary(f, v, d.name)) {
        place = temp(f, v.type);
        store(f, place.id, v);
    }
    keepTrace(f, declareErrorVariable(f, declareLocal(f, d.name, v.type, LocalKind::Const, place.id)), v);
}

// ------------------------------------------------------------------------------------ compile-time text

void lowerInsert(Body& f, const InsertStmt& s) { lowerInsertValue(f, s, TypeId::None, ValueId::None, false); }

Value lowerInsertValue(Body& f, const InsertStmt& s, TypeId target, ValueId dest, bool valueNeeded) {
    std::optional<TypedConstant> text =
        evaluateComptime(f, s.value, TypeId::String, "the text of an `#insert`", Wants::Insert);
    if (!text || text->value.kind != ConstValue::Kind::String) return Value::error();
    if (rejectFormatText(f, s, text->value.s)) {
        f.insertFailed = true;
        return Value::error();
    }
    // The text is a file of its own, so that positions in it can be shown.
    Location at = f.sema.sources.resolve(s.span.begin);
    // Text that inserts text: every level is a file whose name grows by one mark.
    constexpr size_t MaxInsertDepth = 32;
    if (llvm::StringRef(f.sema.sources.path(at.file)).count("(inserted)") >= MaxInsertDepth) {
        f.diags.error(s.span,
                      "inserted text inserts text more than " + std::to_string(MaxInsertDepth) + " levels deep");
        return Value::error();
    }
    std::string path = std::string(f.sema.sources.path(at.file)) + ":" + std::to_string(at.line) + " (inserted)";
    std::string tracePath =
        std::string(f.sema.sources.tracePath(at.file)) + ":" + std::to_string(at.line) + " (inserted)";
    FileId id = f.sema.sources.addFile(path, tracePath, text->value.s.str());
    f.insertedTexts.push_back(id);
    llvm::ArrayRef<Stmt*> stmts = parseStatements(f.sema.sources, id, f.sema.ast);
    checkInsertedNames(f.sema, f.file, stmts);
    if (!f.result.slots.empty()) f.result.inserted[&s] = stmts;
    if (auto it = f.result.returned.find(s.value); it != f.result.returned.end()) {
        Span at = it->second;
        forEachResult(stmts, false, [&](const Expr* end) { f.result.returned[end] = at; });
    }
    Span before = f.b.showAt(s.span);
    Value v = lowerStmtsValue(f, stmts, target, dest, valueNeeded, true); // a value with or without `;` (6.2)
    f.b.showAt(before);
    return v;
}

} // namespace sx::lower
