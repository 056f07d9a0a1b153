#include "lower/body/ComptimeCode.h"

#include "ir/BuildControl.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Values.h"
#include "sema/Constants.h"
#include "sema/Evaluate.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/TypeResolver.h"
#include "syntax/Walk.h"
#include "types/Failable.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

bool needsRunTime(Body& f, const Expr* e) {
    bool found = false;
    auto onExpr = [&](const Expr* x) {
        const auto* n = llvm::dyn_cast<NameRef>(x);
        if (!n) return !found;
        Symbol* s = lookup(f.sema, n->id.name, f.scope, f.scopeLimit, &f.currentFile()).symbol;
        found |= s && s->kind == SymbolKind::Local;
        return !found;
    };
    auto onStmt = [&](const Stmt*) { return !found; };
    Walker{onExpr, onStmt, true}.walk(e);
    return found;
}

TypeId buildType(Body& f, const Expr* e) {
    auto [known, isNew] = f.memo.builtTypes.try_emplace({e, f.scope}, TypeId::None);
    if (!isNew) return known->second;
    std::optional<Value> v =
        f.sema.bodies->evaluateConstant(e, TypeId::Type, f.scope, f.scopeLimit, &f.currentFile(), false);
    if (v && v->isConst() && v->constant.kind == ConstValue::Kind::Type) v = Value::ofType(v->constant.t);
    return known->second = v && v->isTypeName() ? v->namedType : TypeId::None;
}

/// Reports a global variable that the code itself reads: while compiling it has the value that it begins with.
static bool rejectVariables(Body& f, const Expr* e, const ir::Function& function) {
    for (const ir::Instr& i : function.instrs) {
        if (i.op != ir::Op::GlobalAddr) continue;
        const ir::Global& global = f.module.global(ir::GlobalId(i.imm));
        if (global.isConst || !global.span.isValid()) continue;
        f.diags
            .error(i.span.isValid() ? i.span : e->span,
                   "the global " + code(global.name) + " has no value while compiling")
            .note(global.span, "it is declared here")
            .help("`#run` gives the value that it begins with");
        return true;
    }
    return false;
}

std::optional<TypedConstant> evaluateComptime(Body& f, const Expr* e, TypeId target, const std::string& what,
                                              Wants wants) {
    ir::FuncId id = newFunction(f.sema, what, "comptime");
    ir::Function& scratchFn = f.module.fn(id);
    ScratchGuard guard{scratchFn};
    scratchFn.compilerMade = true;
    scratchFn.span = e->span;
    std::unique_ptr<Body> body = scratch(f.sema, scratchFn, f.file, f.scope);
    body->scopeLimit = f.scopeLimit;
    body->modes.operation = e->span;
    body->instance = f.instance; // `#error` and messages know where the instance came from
    body->modes.bareEnd = blockEnd(e);
    Value v = lowerUnmarked(*body, e, target);
    if (v.isError()) return std::nullopt;
    bool failable = v.unmarkedFailable;
    scratchFn.errorIsValue = !failable;
    if (!failable && target != TypeId::None) v = convert(*body, v, target, e->span);
    if (v.isError()) return std::nullopt;
    if (v.isConst() && v.constant.kind == ConstValue::Kind::Undef) {
        f.diags.error(e->span, "`---` leaves the contents undefined, and a value is needed while compiling");
        return std::nullopt;
    }
    if (v.isConst()) return TypedConstant{v.type, v.constant};
    if (v.isTypeName()) return TypedConstant{TypeId::Type, ConstValue::ofType(v.namedType)};
    if (!v.isVoid()) {
        if (!requireValue(*body, v, e->span)) return std::nullopt;
        scratchFn.result = v.type;
        if (body->reachable()) emitRet(body->b, isScalar(f.types, v.type) ? scalar(*body, v) : addressOf(*body, v));
    }
    if (wants == Wants::Argument && rejectVariables(f, e, scratchFn)) return std::nullopt;
    finishFunction(*body);
    std::optional<ConstValue> c = evaluate(f.sema, id, v.isVoid() ? TypeId::Void : v.type, what,
                                           wants == Wants::Run ? Output::Held : Output::AtOnce);
    if (!c) return std::nullopt;
    if (!failable) return TypedConstant{v.type, *c};
    TypeId success = successType(f.types, v.type);
    if (success != TypeId::Void && c->kind == ConstValue::Kind::Data) c = readConstant(f.sema, *c->data, 0, success);
    return TypedConstant{success, *c};
}

} // namespace sx::lower
