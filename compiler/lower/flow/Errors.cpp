#include "lower/flow/Errors.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Cleanup.h"
#include "lower/body/ErrorVariables.h"
#include "lower/body/Explain.h"
#include "lower/body/Failable.h"
#include "lower/body/Recursion.h"
#include "lower/body/Results.h"
#include "lower/body/Scopes.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/flow/Match.h"
#include "lower/flow/OrChain.h"
#include "lower/flow/Statements.h"
#include "lower/values/Any.h"
#include "lower/values/Conversions.h"
#include "lower/values/Join.h"
#include "lower/values/Optionals.h"
#include "lower/values/Protocols.h"
#include "sema/ErrorSets.h"
#include "sema/Nominal.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/Layout.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

namespace sx::lower {

using namespace ast;

bool requireFailableFunction(Body& f, Span at, std::string_view what) {
    if (f.result.isFailable) return true;
    std::string w(what);
    if (!f.modes.fromOtherScopes.empty()) {
        f.diags.error(at, code(w) + " cannot be used here: a default has no function around it that could fail")
            .help("handle the error here with `catch` or `or`");
        return false;
    }
    if (f.isLambda)
        f.diags.error(at, code(w) + " needs an error channel, and this lambda has none")
            .help("write its result type, for example `() -> ! { … }` or `() -> (i64, !) { … }`");
    else if (f.isComptimeScratch)
        f.diags.error(at, code(w) + " cannot be used here: there is no function around it that could fail");
    else if (f.name == "main")
        f.diags.error(at, code(w) + " needs a failable function, and `main` is not one")
            .help("declare it `main :: () -> !`");
    else
        f.diags.error(at, code(w) + " needs a failable function, and " + code(f.name) + " is not one")
            .help("add `!` to its result: `-> !`, or `-> (T, !)` with a value");
    return false;
}

// ------------------------------------------------------------------------------------ which errors leave

void noteTag(Body& f, const ErrorTag& tag) {
    uint32_t id = f.types.tagId(tag.name.name);
    if (f.instance) f.instance->errorLeaves = true;
    if (f.result.errorSet == TypeId::InferredErrors) {
        if (f.result.errors) f.result.errors->tags.push_back(id);
        return;
    }
    if (f.result.errorSet == TypeId::None || setContains(f.sema, f.result.errorSet, tag.name.name)) return;
    std::string set = writtenName(f.types, f.result.errorSet);
    Diagnostic& d = f.diags.error(tag.span, code("error." + f.sema.text(tag.name.name)) + " is not in the error set " +
                                                code(set) + " of " + functionTitle(f));
    if (NominalInfo* info = nominal(f.sema, f.result.errorSet); info && info->decl)
        d.note(info->decl->name.span, code(set) + " is declared here");
    std::vector<std::string_view> known;
    for (Name n : f.types.errorSetInfo(f.result.errorSet).tags) known.push_back(f.sema.names.text(n));
    std::string_view near = nearestName(f.sema.names.text(tag.name.name), known);
    d.help(near.empty() ? "add the tag to " + code(set) + ", or raise one that it lists"
                        : "did you mean " + code("error." + std::string(near)) + "?");
}

void noteEscaping(Body& f, TypeId set, ErrorNode* errors, Span at) {
    if (f.instance) f.instance->errorLeaves = true;
    if (f.result.errorSet == TypeId::InferredErrors) {
        if (!f.result.errors) return;
        if (set == TypeId::InferredErrors) {
            if (errors && errors != f.result.errors) f.result.errors->from.push_back(errors);
        } else {
            for (Name tag : f.types.errorSetInfo(set).tags) f.result.errors->tags.push_back(f.types.tagId(tag));
        }
        return;
    }
    if (f.result.errorSet == TypeId::None || set == f.result.errorSet) return;
    if (set == TypeId::InferredErrors) {
        if (errors) requireTags(f.sema, errors, f.result.errorSet, at, functionTitle(f));
        return;
    }
    llvm::SmallVector<Name, 8> missing;
    for (Name tag : f.types.errorSetInfo(set).tags)
        if (!setContains(f.sema, f.result.errorSet, tag)) missing.push_back(tag);
    reportMissingTags(f.sema, missing, f.result.errorSet, at, functionTitle(f));
}

// ------------------------------------------------------------------------------------ raise

void lowerRaise(Body& f, const RaiseStmt& s) {
    f.b.setSpan(s.span);
    f.modes.operation = s.span;
    if (!requireFailableFunction(f, s.span, "raise")) return;
    const Expr* e = withoutParens(s.value);
    if (const auto* literal = llvm::dyn_cast<ErrorTag>(e)) {
        noteTag(f, *literal);
        ValueId tag = constInt(f.b, f.result.errorSet, f.types.tagId(literal->name.name));
        traceRaise(f, s.keyword, tag);
        linkCauses(f);
        f.b.noteError(ir::ErrorEventKind::Raise, tag);
        emitErrorExit(f, tag);
        return;
    }
    Value v = unwrapFor(f, lowerUnmarked(f, s.value, f.result.errorSet), f.result.errorSet);
    if (v.isError() || !f.reachable()) return;
    if (!isErrorSet(f.types, v.type)) {
        f.diags.error(s.value->span, "only an error can be raised, and this is " + withArticle(f.types, v.type))
            .help("write `raise error.Name;`");
        return;
    }
    noteEscaping(f, v.type, v.errors, s.span);
    ValueId tag = scalar(f, v);
    BlockId failed = f.b.newBlock(true), fine = f.b.newBlock(true);
    emitCondBr(f.b, emitICmp(f.b, ir::ICmpPred::Ne, tag, constInt(f.b, v.type, 0)), failed, fine, true);
    f.b.setBlock(failed);
    continueTrace(f, v, tag, s.keyword, [&] {
        f.b.noteError(ir::ErrorEventKind::Raise, tag);
        emitErrorExit(f, tag);
    });
    f.b.setBlock(fine); // it holds no error
    leaveTo(f, 0, 0);
    if (f.reachable()) emitErrorReturn(f, tag);
}

// ------------------------------------------------------------------------------------ operands that may fail

Failable lowerFailable(Body& f, const Expr* e, TypeId target) {
    Failable result;
    const Expr* inner = withoutParens(e);
    const auto* cast = llvm::dyn_cast<Cast>(inner);
    bool isAssertion = false; // of a type: its chain begins at the cast
    if (cast && cast->optional && isFailableExpr(f, cast)) {
        isAssertion = true;
        Value base = elementOf(f, lower(f, cast->base));
        TypeId to = resolveType(f.sema, cast->type, typeContext(f));
        if (base.isError() || to == TypeId::None) return result;
        result.whole = assertPresentAny(f, base, to, cast->span);
    } else if (cast && !cast->optional && !cast->allocator) {
        Value base = lower(f, cast->base);
        if (base.isError()) return result;
        bool isAny = base.type == TypeId::Any, isProtocol = f.types.kind(base.type) == TypeKind::Protocol;
        if (isAny || isProtocol) {
            isAssertion = true;
            TypeId to = resolveType(f.sema, cast->type, typeContext(f));
            if (to == TypeId::None) return result;
            result.whole = isAny ? assertAny(f, base, to, cast->span, true, f.types.kind(to) == TypeKind::Optional)
                                 : castProtocol(f, base, to, cast->span, false, true);
        } else {
            result.whole = lowerUnmarked(f, e, target);
        }
    } else {
        result.whole = lowerUnmarked(f, e, target);
    }
    if (result.whole.isError() || !f.reachable()) return result;
    if (!isFailable(f.types, result.whole.type) || result.whole.isTypeName()) {
        if (hasUnknownOperand(f, inner)) result.whole = Value::error();
        return result;
    }
    result.failable = true;
    result.isFresh = result.whole.unmarkedFailable || isAssertion;
    result.whole.unmarkedFailable = false;
    result.set = errorSetOf(f.types, result.whole.type);
    result.errors = result.whole.errors;
    if (isErrorSet(f.types, result.whole.type)) {
        result.tag = scalar(f, result.whole);
    } else {
        unsigned last = static_cast<unsigned>(f.types.tupleFields(result.whole.type).size() - 1);
        result.tag = emitLoad(f.b, result.set,
                              emitOffset(f.b, addressOf(f, result.whole), fieldOffset(f.types, result.whole.type, last),
                                         pointerTo(f.types, result.set)));
    }
    return result;
}

Value successOf(Body& f, const Failable& operand) {
    if (isErrorSet(f.types, operand.whole.type)) return Value::none();
    TypeId success = successType(f.types, operand.whole.type);
    if (success == TypeId::Void) return Value::none();
    // The value slots lie at the front, exactly as in the tuple of them.
    Value v = fieldOf(f, operand.whole, 0, success);
    v.lvalue = false;
    return isScalar(f.types, success) ? load(f, v) : v;
}

Value branchOnFailure(Body& f, const Failable& operand, ValueId dest, Span at, llvm::function_ref<Value()> onError) {
    BlockId failed = f.b.newBlock(true), fine = f.b.newBlock();
    emitCondBr(f.b, emitICmp(f.b, ir::ICmpPred::Ne, operand.tag, constInt(f.b, operand.set, 0)), failed, fine, true);
    TypeId success = isErrorSet(f.types, operand.whole.type) ? TypeId::Void : successType(f.types, operand.whole.type);
    Join join(f);
    f.b.setBlock(failed);
    f.b.setSpan(at);
    auto narrowedBefore = f.narrowing.present;
    Value recovered = onError();
    if (recovered.isError()) join.failed = true;
    if (f.reachable()) join.add(recovered, at);
    f.narrowing.present = narrowedBefore;
    bool joins = !join.branches.empty();
    f.b.setBlock(fine);
    f.b.setSpan(at);
    Value v = successOf(f, operand);
    if (!joins) return join.failed ? Value::error() : v;
    join.add(v, at);
    return success == TypeId::Void ? join.finishVoid() : join.finishAs(success, dest);
}

// ------------------------------------------------------------------------------------ try

Value lowerTry(Body& f, const Unary& u, TypeId target, ValueId dest) {
    Span keyword{u.span.begin, u.span.begin + 3};
    const Expr* inner = withoutParens(u.operand);
    if (isFallbackOr(f, inner)) {
        if (!requireFailableFunction(f, u.span, "try")) return Value::error();
        return lowerChain(f, *llvm::cast<Binary>(inner), target, dest, [&](const ChainError& error) {
            noteEscaping(f, error.set, error.errors, u.span);
            linkCauses(f);
            f.b.noteError(ir::ErrorEventKind::Propagate, error.tag);
            emitErrorExit(f, error.tag);
            return Value::diverged();
        });
    }
    if (!f.result.isFailable) {
        requireFailableFunction(f, u.span, "try");
        return Value::error();
    }
    Failable operand = lowerFailable(f, u.operand, target);
    if (operand.whole.isError()) return Value::error();
    if (!f.reachable()) return Value::diverged();
    if (!operand.failable) {
        bool isOptional = f.types.kind(operand.whole.type) == TypeKind::Optional;
        f.diags.error(u.span, "`try` needs a failable expression, and this cannot fail")
            .help(isOptional ? "take the value out of an optional with `if x := … { … }`, `… ?? VALUE` or `…!`"
                             : "drop the `try`");
        return Value::error();
    }
    noteEscaping(f, operand.set, operand.errors, u.span);
    return branchOnFailure(f, operand, dest, u.span, [&] {
        traceFailure(f, operand, keyword);
        linkCauses(f);
        f.b.noteError(ir::ErrorEventKind::Propagate, operand.tag);
        emitErrorExit(f, operand.tag);
        return Value::diverged();
    });
}

// ------------------------------------------------------------------------------------ catch

/// The handler of an operand that was rejected: nothing is known of the error.
static void checkHandlerOfRejected(Body& f, const Catch& c) {
    checkDiscarded(f, [&] {
        Scope* saved = pushScope(f, c.body->span);
        if (c.binding) declareBroken(f, c.binding);
        f.handlers.push_back({nullptr, f.cleanups.stack.size()});
        lowerDropped(f, c.body);
        f.handlers.pop_back();
        popScope(f, saved);
    });
}

/// The body of a handler, whose value stands for that of the call. `success`: its type; None: the call has none.
static Value handlerValue(Body& f, const Catch& c, TypeId success) {
    bool hasValue = success != TypeId::None;
    Value v;
    f.b.beginStatement(c.body->span.begin);
    if (const auto* block = llvm::dyn_cast<BlockExpr>(c.body))
        v = lowerBlock(f, *block, success, ValueId::None, hasValue);
    else if (const auto* match = llvm::dyn_cast<Match>(c.body))
        v = lowerMatch(f, *match, success, ValueId::None, hasValue);
    else v = lower(f, c.body, success);
    if (v.isError() || !f.reachable()) return v;
    if (!hasValue) return Value::none();
    if (v.isVoid()) {
        f.diags.error(c.span, "the `catch` body must yield " + withArticle(f.types, success) + " or leave")
            .help("end the body with a value without `;`, or with `return`, `raise`, `break` or `continue`");
        return Value::error();
    }
    // Out of the handler's scope: its own storage stays valid for the whole call.
    return convert(f, v, success, c.body->span);
}

Value lowerCatch(Body& f, const Catch& c, TypeId target, ValueId dest) {
    Span operandStart{c.operand->span.begin, c.operand->span.begin + 1};
    bool isPure = false;
    TypeId success{};

    auto handle = [&](ValueId tag, TypeId set, ErrorNode* errors) -> Value {
        if (f.warns && set == TypeId::InferredErrors && errors) noteCatch(f.sema, errors, c.keyword);
        f.b.noteError(ir::ErrorEventKind::Absorb, tag);
        Scope* saved = pushScope(f, c.body->span);
        Symbol* binding = c.binding ? newVariable(f, c.binding, set, LocalKind::ErrorBinding) : nullptr;
        if (binding) {
            binding->errors = errors;
            emitStore(f.b, binding->address, tag);
            f.b.needEntry();
        }
        f.handlers.push_back({binding, f.cleanups.stack.size()});
        Value v = handlerValue(f, c, isPure ? TypeId::None : success);
        f.handlers.pop_back();
        if (f.reachable()) f.b.emit(ir::Op::TraceAbsorb, TypeId::Void, {});
        popScope(f, saved);
        return v;
    };

    const Expr* inner = withoutParens(c.operand);
    if (isFallbackOr(f, inner)) {
        const auto& chain = *llvm::cast<Binary>(inner);
        bool used = false;
        Value v = lowerChain(f, chain, target, dest, [&](const ChainError& error) {
            used = true;
            success = error.success;
            isPure = success == TypeId::Void;
            return handle(error.tag, error.set, error.errors);
        });
        if (!v.isError() && !used) {
            f.diags.error(c.span, "nothing can reach this `catch`: the `or` chain ends in a plain value");
            return Value::error();
        }
        return v;
    }
    Failable operand = lowerFailable(f, c.operand, target);
    if (operand.whole.isError()) {
        checkHandlerOfRejected(f, c);
        return Value::error();
    }
    if (!f.reachable()) return Value::diverged();
    if (!operand.failable) {
        bool isOptional = f.types.kind(operand.whole.type) == TypeKind::Optional;
        f.diags.error(c.span, "`catch` needs a failable expression, and this cannot fail")
            .help(isOptional ? "a value for an absent one is written `x ?? VALUE`" : "drop the `catch`");
        return Value::error();
    }
    isPure = isErrorSet(f.types, operand.whole.type);
    success = isPure ? TypeId::Void : successType(f.types, operand.whole.type);
    if (success == TypeId::Void) isPure = true;
    return branchOnFailure(f, operand, success == target ? dest : ValueId::None, c.span, [&] {
        traceFailure(f, operand, operandStart);
        return handle(operand.tag, operand.set, operand.errors);
    });
}

} // namespace sx::lower
