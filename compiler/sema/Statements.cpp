// Statements other than assignments and control flow.
#include "sema/Cleanup.h"
#include "sema/Explain.h"
#include "sema/Operands.h"
#include "sema/Scratch.h"
#include "syntax/Walk.h"

namespace sx::sema {

using namespace ast;

void FunctionLowering::lowerStmts(llvm::ArrayRef<Stmt*> stmts) {
    for (size_t i = 0; i < stmts.size(); ++i) {
        if (!reachable()) return noteMentioned(stmts.drop_front(i)); // dead code is ignored
        lowerStmt(stmts[i]);
    }
}

void FunctionLowering::lowerStmt(const Stmt* s) {
    b.setSpan(s->span);
    currentOperation = s->span;
    switch (s->kind) {
    case StmtKind::Expr: lowerDropped(static_cast<const ExprStmt*>(s)->expr); return;
    case StmtKind::Var:
        lowerVar(*static_cast<const VarStmt*>(s));
        return noteInitializer(*static_cast<const VarStmt*>(s));
    case StmtKind::LocalDecl: return lowerLocalDecl(*static_cast<const LocalDecl*>(s));
    case StmtKind::Destructure: return lowerDestructure(*static_cast<const Destructure*>(s));
    case StmtKind::Assign: return lowerAssign(*static_cast<const Assign*>(s));
    case StmtKind::MultiAssign: return lowerMultiAssign(*static_cast<const MultiAssign*>(s));
    case StmtKind::Return:
        lowerReturn(static_cast<const ReturnStmt*>(s)->elems, s->span);
        if (reachable()) b.unreachable(); // it was rejected; what follows it is dead all the same
        return;
    case StmtKind::Raise:
        lowerRaise(*static_cast<const RaiseStmt*>(s));
        if (reachable()) b.unreachable();
        return;
    case StmtKind::Defer:
    case StmtKind::OnFail: return registerCleanup(*s);
    case StmtKind::Break: return lowerBreak(s->span);
    case StmtKind::Continue: return lowerContinue(s->span);
    case StmtKind::Insert: return lowerInsert(*static_cast<const InsertStmt*>(s));
    case StmtKind::ErrorDirective: return lowerErrorDirective(*static_cast<const ErrorStmt*>(s));
    case StmtKind::Import: return;
    }
}

void FunctionLowering::lowerErrorDirective(const ErrorStmt& s) {
    // In a generic instance the mistake is the caller's: it points at the call that led here.
    if (instance && instance->instantiatedAt && instance->tmpl->isGeneric) {
        const Expr* at = instance->instantiatedAt;
        if (const auto* call = llvm::dyn_cast<Call>(at)) at = call->callee;
        diags.error(at->span, s.message.str()).note(s.span, "rejected here");
    } else {
        diags.error(s.span, s.message.str());
    }
}

Value FunctionLowering::lowerDropped(const Expr* e) {
    Value v;
    size_t firstInstr = fn.instrs.size();
    // The end of what a pure failable ends in: an error or a failable leaves from here, anything else is a statement.
    auto end =
        isFailable && successType == TypeId::Void && !inCleanup ? returned.find(withoutParens(e)) : returned.end();
    if (end != returned.end()) {
        v = lowerReturned(e, errorSet, ValueId::None, end->second);
        if (!v.isError() && v.unmarkedFailable) return rejectUnmarked(v, e->span);
        if (!v.isError()) warnOfNoEffect(e, firstInstr);
        return v;
    }
    switch (e->kind) {
    case ExprKind::If: v = lowerIf(*static_cast<const If*>(e), TypeId::None, ValueId::None, false); break;
    case ExprKind::Match: v = lowerMatch(*static_cast<const Match*>(e), TypeId::None, ValueId::None, false); break;
    case ExprKind::Block: v = lowerBlock(*static_cast<const BlockExpr*>(e), TypeId::None, ValueId::None, false); break;
    case ExprKind::Catch: v = lowerCatch(*static_cast<const Catch*>(e), TypeId::None, ValueId::None); break;
    default: v = lowerUnmarked(e); break;
    }
    if (v.isError()) return v;
    if (v.unmarkedFailable) return rejectUnmarked(v, e->span);
    if ((v.kind == Value::Kind::Namespace || v.kind == Value::Kind::GenericStruct) && !requireValue(v, e->span))
        return Value::error();
    warnOfNoEffect(e, firstInstr);
    return v;
}

// ------------------------------------------------------------------------------------ variables

/// Makes the storage of a temporary the storage of a variable: no copy of what was just built.
bool FunctionLowering::adoptTemporary(const Value& v, const Ident& id) {
    if (!v.isMemory() || v.lvalue || v.id == ValueId::None) return false;
    const ir::Instr& at = fn.instr(v.id);
    if (at.op != ir::Op::SlotAddr) return false;
    ir::Slot& slot = fn.slots[at.imm];
    if (slot.name != Name::None || slot.type != v.type || slot.paramIndex >= 0) return false;
    if (resultStorage != ir::SlotId::None && static_cast<uint32_t>(resultStorage) == at.imm) return false;
    slot.name = id.name;
    slot.span = id.span;
    return true;
}

void FunctionLowering::lowerVar(const VarStmt& s) {
    bool discard = sema.names.text(s.name.name) == "_" && !s.name.raw;
    if (s.type) {
        size_t before = diags.all().size();
        TypeId type = sema.resolveType(s.type, typeContext());
        if (type == TypeId::None || !sema.completeDeep(type, s.type->span)) {
            if (sema.names.text(s.name.name) == "default") // `default: …` reads as a declaration
                for (Diagnostic& d : diags.since(before)) d.help("the last arm of a match is `else:`");
            if (s.init) checkOrphan(*this, s.init);
            declareBroken(s.name);
            return;
        }
        if (type == TypeId::NoReturn) {
            diags.error(s.type->span, "a variable cannot have the type `noreturn`");
            declareBroken(s.name);
            return;
        }
        Value place = temp(type);
        b.setSpan(s.span);
        if (!s.init) {
            storeDefault(type, place.id);
        } else if (s.init->kind == ExprKind::Undef) {
            if (types.kind(type) == TypeKind::Tuple) b.zero(place.id, type); // tuples are zero-filled
        } else if (isErrorOrOptional(types, type)) {
            Symbol* carrier = markErrorEnds(*this, s.name.name, s.init, nullptr);
            Value v = lowerUnmarked(s.init, type);
            Symbol* var = declareLocal(s.name, type, LocalKind::Variable, place.id);
            if (carrier) adoptCarrier(*var, *carrier);
            if (!v.isError() && reachable()) storeErrorVariable(var, v, s.init, carrier != nullptr);
            return;
        } else {
            lowerInto(s.init, type, place.id); // if the value is rejected, the variable still has its type
        }
        declareLocal(s.name, type, LocalKind::Variable, place.id);
        return;
    }
    Symbol* carrier = markErrorEnds(*this, s.name.name, s.init, nullptr);
    Value v = lowerUnmarked(s.init);
    if (v.isError()) {
        declareBroken(s.name);
        return;
    }
    if (!reachable()) {
        declareBroken(s.name);
        return;
    }
    if (discard) {
        if (v.unmarkedFailable) rejectUnmarked(v, s.init->span);
        return;
    }
    if (v.unmarkedFailable && !types.isErrorSet(v.type)) {
        rejectUnmarked(v, s.init->span);
        declareBroken(s.name);
        return;
    }
    if (v.unmarkedFailable && mustAbsorb(*this)) {
        rejectUnmarked(v, s.init->span);
        declareBroken(s.name);
        return;
    }
    if (types.isErrorSet(v.type) && !v.isTypeName()) {
        Value place = temp(v.type);
        Symbol* var = declareLocal(s.name, v.type, LocalKind::Variable, place.id);
        if (carrier) adoptCarrier(*var, *carrier);
        storeErrorVariable(var, v, s.init, carrier != nullptr);
        return;
    }
    if (v.kind == Value::Kind::Function) v = functionValue(*v.function, s.init->span, TypeId::None);
    if (v.isError() || !requireValue(v, s.init->span)) {
        declareBroken(s.name);
        return;
    }
    if (v.type == TypeId::Null) {
        diags.error(s.init->span, "`null` alone has no type: annotate `" + sema.text(s.name.name) + "`")
            .help("write `" + sema.text(s.name.name) + " : ?T = null;` or a pointer type");
        declareBroken(s.name);
        return;
    }
    if (adoptTemporary(v, s.name)) {
        declareLocal(s.name, v.type, LocalKind::Variable, v.id)->initializer = s.init;
        return;
    }
    if (v.isTypeName()) v = load(v);
    if (!sema.completeDeep(v.type, s.init->span)) {
        declareBroken(s.name);
        return;
    }
    Value place = temp(v.type);
    store(place.id, v);
    declareLocal(s.name, v.type, LocalKind::Variable, place.id)->initializer = s.init;
}

/// A name whose declaration was rejected: later uses stay silent.
void FunctionLowering::declareBroken(const Ident& id) {
    if (sema.names.text(id.name) == "_") return;
    sema.declare(*scope, id.name, sema.newSymbol(id.name, SymbolKind::Error, id.span));
}

/// Stores an error value in a variable; a failable's error ends its way here, captured if the variable carries it.
void FunctionLowering::storeErrorVariable(Symbol* var, const Value& v, const Expr* at, bool captured) {
    if (v.unmarkedFailable) {
        if (mustAbsorb(*this) || !types.isErrorSet(v.type)) {
            rejectUnmarked(v, at->span);
            return;
        }
        ValueId tag = scalar(v);
        keptErrors.push_back(var);
        if (types.isErrorSet(var->type)) b.store(var->address, tag);
        else store(var->address, convert(Value::scalar(v.type, tag), var->type, at->span));
        endFailure(*this, tag, var, withoutParens(at)->span);
    } else {
        Value converted = convert(v, var->type, at->span);
        if (converted.isError()) return;
        store(var->address, converted);
        if (!captured) keepTrace(*this, var, v);
    }
    noteVariableErrors(var, v);
}

/// The tags a variable of inferred set may hold: everything that was ever stored in it.
void FunctionLowering::noteVariableErrors(Symbol* var, const Value& v) {
    if (var->type != TypeId::InferredErrors) return;
    if (!var->errors) var->errors = sema.newErrorNode();
    addErrors(*var->errors, v);
}

void FunctionLowering::addErrors(ErrorNode& node, const Value& v) {
    if (v.errors && v.errors != &node) node.from.push_back(v.errors);
    else if (v.isConst() && v.constant.isInt()) node.tags.push_back(static_cast<uint32_t>(v.constant.i));
    else if (types.isErrorSet(v.type) && v.type != TypeId::InferredErrors)
        for (Name tag : types.errorSetInfo(v.type).tags) node.tags.push_back(types.tagId(tag));
}

// ------------------------------------------------------------------------------------ local declarations

void FunctionLowering::lowerLocalDecl(const LocalDecl& s) {
    const Decl& d = *s.decl;
    const auto* constant = llvm::dyn_cast<ConstDecl>(&d);
    if (!constant) {
        Symbol* symbol = sema.symbolFor(d, file, scope, name, true);
        sema.declare(*scope, d.name.name, symbol);
        return;
    }
    Sema::TypeContext context = typeContext();
    if (!constant->type && constant->value->kind != ExprKind::Run && sema.namesType(constant->value, context)) {
        TypeId type = sema.resolveType(constant->value, context);
        Symbol* symbol =
            sema.newSymbol(d.name.name, type == TypeId::None ? SymbolKind::Error : SymbolKind::Type, d.name.span);
        symbol->type = type == TypeId::None ? type : sema.namedAlias(type, constant->value, sema.text(d.name.name));
        symbol->decl = &d;
        symbol->file = &file;
        sema.declare(*scope, d.name.name, symbol);
        return;
    }
    // `T :: make_enum(…);`: a type, which can only be built while compiling.
    const Expr* value = withoutParens(constant->value);
    if (!constant->type && llvm::isa<Call>(value) && sema.loadsMeta() && !needsRunTime(value)) {
        Value v = dryRun(value);
        if (v.kind == Value::Kind::Scalar && v.type == TypeId::Type) {
            TypeId built = buildType(value);
            if (built == TypeId::None) return declareBroken(d.name);
            return declareConstant(d, Value::ofType(built), value);
        }
    }
    TypeId type = TypeId::None;
    if (constant->type) {
        type = sema.resolveType(constant->type, context);
        bool ok = type != TypeId::None && sema.checkConstantKind(constant->value, type, scope, scopeLimit, &file);
        if (!ok) {
            declareBroken(d.name);
            return;
        }
    }
    Value v = lowerUnmarked(constant->value, type);
    if (!v.isError() && v.unmarkedFailable && !types.isErrorSet(v.type)) v = rejectUnmarked(v, constant->value->span);
    else if (!v.isError() && v.unmarkedFailable) v = errorOperand(v);
    if (!v.isError() && type != TypeId::None) v = convert(v, type, constant->value->span);
    if (v.isError() || !reachable()) {
        declareBroken(d.name);
        return;
    }
    declareConstant(d, v, constant->value);
}

void FunctionLowering::declareConstant(const Decl& d, Value v, const Expr* value) {
    Symbol* symbol = nullptr;
    auto fresh = [&](SymbolKind kind) {
        symbol = sema.newSymbol(d.name.name, kind, d.name.span);
        symbol->decl = &d;
        symbol->file = &file;
        sema.declare(*scope, d.name.name, symbol);
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
            symbol->owner = this;
            symbol->constant = v.constant;
            return;
        }
        diags.error(value->span, "`null` alone has no type: annotate `" + sema.text(d.name.name) + "`");
        declareBroken(d.name);
        return;
    case Value::Kind::Error:
    case Value::Kind::Void:
    case Value::Kind::Scalar:
    case Value::Kind::Memory:
    case Value::Kind::Method:
    case Value::Kind::Protocol:
    case Value::Kind::Pack: break;
    }
    if (!requireValue(v, value->span)) {
        declareBroken(d.name);
        return;
    }
    if (adoptTemporary(v, d.name)) {
        declareLocal(d.name, v.type, LocalKind::Const, v.id);
        return;
    }
    Value place = temp(v.type);
    store(place.id, v);
    declareLocal(d.name, v.type, LocalKind::Const, place.id);
}

// ------------------------------------------------------------------------------------ compile-time text

bool FunctionLowering::needsRunTime(const Expr* e) {
    bool found = false;
    auto onExpr = [&](const Expr* x) {
        const auto* n = llvm::dyn_cast<NameRef>(x);
        if (!n) return !found;
        Symbol* s = sema.lookup(n->id.name, scope, scopeLimit, &currentFile()).symbol;
        found |= s && s->kind == SymbolKind::Local && !s->value.isConst() && !s->value.isTypeName();
        return !found;
    };
    auto onStmt = [&](const Stmt*) { return !found; };
    Walker{onExpr, onStmt, true}.walk(e);
    return found;
}

TypeId FunctionLowering::buildType(const Expr* e) {
    auto [known, isNew] = builtTypes.try_emplace({e, scope}, TypeId::None);
    if (!isNew) return known->second;
    std::optional<Value> v = sema.evaluateConstant(e, TypeId::Type, scope, scopeLimit, &currentFile(), false);
    if (v && v->isConst() && v->constant.kind == ConstValue::Kind::Type) v = Value::ofType(v->constant.t);
    return known->second = v && v->isTypeName() ? v->namedType : TypeId::None;
}

std::optional<ConstValue> FunctionLowering::evaluateComptime(const Expr* e, TypeId target, const std::string& what,
                                                             bool isRun) {
    ir::FuncId id = sema.newFunction(what, "comptime");
    ir::Function& scratchFn = module.fn(id);
    ScratchGuard guard{scratchFn};
    scratchFn.compilerMade = true;
    scratchFn.span = e->span;
    std::unique_ptr<FunctionLowering> body = scratch(sema, scratchFn, file, scope);
    body->scopeLimit = scopeLimit;
    body->currentOperation = e->span;
    body->instance = instance; // `#error` and messages know where the instance came from
    body->bareEnd = blockEnd(e);
    Value v = body->lowerUnmarked(e, target);
    if (v.isError()) return std::nullopt;
    bool failable = v.unmarkedFailable;
    if (!failable && target != TypeId::None) v = body->convert(v, target, e->span);
    if (v.isError()) return std::nullopt;
    comptimeType = v.type;
    if (v.isConst()) return v.constant;
    if (v.isTypeName()) {
        comptimeType = TypeId::Type;
        return ConstValue::ofType(v.namedType);
    }
    if (!v.isVoid()) {
        if (!body->requireValue(v, e->span)) return std::nullopt;
        scratchFn.result = v.type;
        if (body->reachable()) body->b.ret(types.isScalar(v.type) ? body->scalar(v) : body->addressOf(v));
    }
    body->finishFunction();
    std::optional<ConstValue> c =
        sema.evaluate(id, v.isVoid() ? TypeId::Void : v.type, what, isRun ? Sema::Output::Held : Sema::Output::AtOnce);
    if (c && failable) {
        comptimeType = types.successType(v.type);
        if (comptimeType != TypeId::Void && c->kind == ConstValue::Kind::Data)
            return sema.readConstant(*c->data, 0, comptimeType);
    }
    return c;
}

void FunctionLowering::lowerInsert(const InsertStmt& s) { lowerInsertValue(s, TypeId::None, ValueId::None, false); }

Value FunctionLowering::lowerInsertValue(const InsertStmt& s, TypeId target, ValueId dest, bool valueNeeded) {
    std::optional<ConstValue> text = evaluateComptime(s.value, TypeId::String, "the text of an `#insert`");
    if (!text || text->kind != ConstValue::Kind::String) return Value::error();
    // The text is a file of its own, so that positions in it can be shown.
    Location at = sema.sources.resolve(s.span.begin);
    // Text that inserts text: every level is a file whose name grows by one mark.
    constexpr size_t MaxInsertDepth = 32;
    if (llvm::StringRef(sema.sources.path(at.file)).count("(inserted)") >= MaxInsertDepth) {
        diags.error(s.span, "inserted text inserts text more than " + std::to_string(MaxInsertDepth) + " levels deep");
        return Value::error();
    }
    std::string path = std::string(sema.sources.path(at.file)) + ":" + std::to_string(at.line) + " (inserted)";
    std::string tracePath =
        std::string(sema.sources.tracePath(at.file)) + ":" + std::to_string(at.line) + " (inserted)";
    FileId id = sema.sources.addFile(path, tracePath, text->s.str());
    llvm::ArrayRef<Stmt*> stmts = parseStatements(sema.sources, id, sema.ast);
    sema.checkInsertedNames(file, stmts);
    if (auto it = returned.find(s.value); it != returned.end()) {
        Span at = it->second;
        forEachResult(stmts, false, [&](const Expr* end) { returned[end] = at; });
    }
    Span before = b.showAt(s.span);
    Value v = lowerStmtsValue(stmts, target, dest, valueNeeded, true); // a value with or without `;` (6.2)
    b.showAt(before);
    return v;
}

} // namespace sx::sema
