#include "lower/flow/Return.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Cleanup.h"
#include "lower/body/ErrorVariables.h"
#include "lower/body/Explain.h"
#include "lower/body/FrameArrays.h"
#include "lower/body/Recursion.h"
#include "lower/body/Results.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/flow/Errors.h"
#include "lower/flow/OrChain.h"
#include "lower/values/Conversions.h"
#include "lower/values/Optionals.h"
#include "sema/Notes.h"
#include "sema/Wording.h"
#include "syntax/Walk.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/Layout.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

/// Runs what is pending on a way out that carries no error: cleanups inner to a handler, then that handler's
/// chain is dropped, and so on outwards.
void leaveTo(Body& f, size_t cleanupDepth, size_t handlerDepth) {
    std::vector<Cleanup> saved = f.cleanups.stack;
    size_t assignedBefore = f.narrowing.reassigned.size();
    for (size_t h = f.handlers.size(); h > handlerDepth && f.reachable(); --h) {
        size_t inner = std::max(f.handlers[h - 1].cleanupDepth, cleanupDepth);
        if (f.cleanups.stack.size() > inner) {
            runCleanups(f, inner, false);
            f.cleanups.stack.resize(inner);
        }
        if (f.reachable()) f.b.emit(ir::Op::TraceAbsorb, TypeId::Void, {});
    }
    if (f.reachable()) runCleanups(f, cleanupDepth, false);
    f.cleanups.stack = std::move(saved);
    f.narrowing.reassigned.resize(assignedBefore); // nothing here goes on with what they leave
}

void returnSlots(Body& f, Span at) {
    if (f.result.slots.size() == 1) { // beside an error: the value is not a part of a tuple
        const Symbol& only = *f.result.slots.front();
        return emitReturn(f, Value::place(only.type, only.address), at);
    }
    ValueId result = resultAddress(f);
    TypeId tuple = f.result.isFailable ? f.result.success : f.result.type;
    for (unsigned i = 0; i < f.result.slots.size(); ++i) {
        Value v = Value::place(f.result.slots[i]->type, f.result.slots[i]->address);
        store(f, emitOffset(f.b, result, fieldOffset(f.types, tuple, i), pointerTo(f.types, f.result.slots[i]->type)),
              v);
    }
    emitReturn(f, Value::temporary(tuple, result), at);
}

// ------------------------------------------------------------------------------------ `return`

void lowerReturn(Body& f, llvm::ArrayRef<ReturnElem> elems, Span statement) {
    f.b.setSpan(statement);
    f.modes.operation = statement;
    if (f.places != ValueId::None) { // an expression that is read apart from its function
        f.diags.error(statement, "there is no function here that could return");
        return;
    }
    if (elems.empty()) {
        if (f.result.type == TypeId::None) setResultType(f, TypeId::Void);
        bool plain = f.result.type == TypeId::Void || (f.result.isFailable && f.result.success == TypeId::Void);
        if (plain) return emitReturn(f, Value::none(), statement);
        if (!f.result.slots.empty()) return returnSlots(f, statement);
        f.diags.error(statement, functionTitle(f) + " must return " +
                                     withArticle(f.types, f.result.isFailable ? f.result.success : f.result.type));
        return;
    }
    if (elems.size() == 1 && !elems[0].name) return returnValue(f, elems[0].value, statement);
    returnList(f, elems, statement);
}

namespace {

void noteResult(const Body& f, Diagnostic& d) {
    if (f.isLambda || !f.instance || !f.instance->tmpl->decl->result) return;
    d.note(f.instance->tmpl->decl->result->span, "the result of " + functionTitle(f) + " is declared here");
}

Diagnostic& wrongCount(Body& f, Span at, size_t wanted, size_t given) {
    return f.diags.error(at, functionTitle(f) + " returns " + std::to_string(wanted) + " values, and this gives " +
                                 std::to_string(given));
}

/// The value of a `return` as the type that the function returns.
Value asResult(Body& f, const Value& given, TypeId type, const Expr* e, ValueId dest) {
    if (given.isError()) return given;
    TypeKind kind = f.types.kind(given.type);
    bool isSingle =
        kind != TypeKind::Tuple && kind != TypeKind::Struct && kind != TypeKind::NoReturn && !given.isVoid();
    if (f.types.kind(type) == TypeKind::Tuple && isSingle && !convertible(f, given, type)) {
        noteResult(f, wrongCount(f, e->span, f.types.tupleFields(type).size(), 1));
        return Value::error();
    }
    size_t before = f.diags.all().size();
    Value v = convert(f, given, type, e->span, dest);
    if (!v.isError()) return v;
    for (Diagnostic& d : f.diags.since(before)) noteResult(f, d);
    return Value::error();
}

} // namespace

static bool hasBranches(const Expr* e) {
    const auto* i = llvm::dyn_cast<If>(withoutParens(e));
    return i ? i->otherwise != nullptr : llvm::isa<Match>(withoutParens(e)) || llvm::isa<BlockExpr>(withoutParens(e));
}

/// The value of a function that may have none: then no branch of the expression needs one.
static Value lowerOptionalResult(Body& f, const Expr* e) {
    forEachBranching(e, [&](const Expr* branching) { f.result.mayYieldNothing.insert(branching); });
    return lower(f, e);
}

/// Returns the value of a function whose result type it decides.
static void returnInferred(Body& f, const Expr* e, Span at) {
    Value v = lowerOptionalResult(f, e);
    if (v.isError()) return;
    if (v.isVoid()) {
        if (v.type == TypeId::NoReturn && !f.reachable()) return;
        setResultType(f, TypeId::Void);
        emitReturn(f, Value::none(), at);
        return;
    }
    if (!requireValue(f, v, e->span)) return;
    if (v.type == TypeId::Null) {
        f.diags.error(e->span, "`null` alone has no type: write the result type of " + functionTitle(f));
        return;
    }
    setResultType(f, v.type);
    warnOfReturned(f, e);
    // An error value, or a tuple that ends in one, is the whole result: its tag is not to be replaced by success.
    if (isErrorSet(f.types, v.type)) returnTag(f, v, e, at);
    else if (f.result.isFailable) forward(f, v, e, at);
    else emitReturn(f, v, at);
}

/// Returns from a function that cannot fail and whose result type is known.
static void returnPlain(Body& f, const Expr* e, Span at) {
    if (f.result.type == TypeId::Void) {
        Value v = lowerOptionalResult(f, e);
        if (v.isError() || !f.reachable()) return;
        if (v.isVoid()) return emitReturn(f, Value::none(), at);
        f.diags.error(e->span, functionTitle(f) + " has no result, so it cannot return a value");
        return;
    }
    if (f.result.type == TypeId::NoReturn) {
        Value v = lower(f, e);
        if (!v.isError() && f.reachable())
            f.diags.error(e->span, functionTitle(f) + " is declared noreturn and cannot return");
        return;
    }
    ValueId dest = isScalar(f.types, f.result.type) ? ValueId::None : resultAddress(f);
    Value v = asResult(f, lower(f, e, f.result.type, dest), f.result.type, e, dest);
    if (!v.isError() && f.reachable()) emitReturn(f, v, at);
}

/// Returns from a failable function that has no value besides its error.
static void returnPure(Body& f, const Expr* e, Span at) {
    if (at.begin == e->span.begin && hasBranches(e)) { // an arrow body: its branches need no values
        markReturned(f, e, at);
        if (!lowerDropped(f, e).isError() && f.reachable()) emitReturn(f, Value::none(), at);
        return;
    }
    Value v = lowerReturned(f, e, f.result.errorSet, ValueId::None, at);
    if (v.isError() || !f.reachable()) return;
    if (v.isVoid()) return emitReturn(f, Value::none(), at);
    if (v.unmarkedFailable) return forward(f, v, e, at);
    f.diags.error(e->span, functionTitle(f) + " has no value to return besides its error")
        .help("write `return;` for success, or `raise error.X;`");
}

void returnValue(Body& f, const Expr* e, Span at) {
    warnOfReturned(f, e);
    if (f.result.type == TypeId::None) return returnInferred(f, e, at);
    if (!f.result.isFailable) return returnPlain(f, e, at);
    if (f.result.success == TypeId::Void) return returnPure(f, e, at);
    ValueId dest = isScalar(f.types, f.result.success) ? ValueId::None : resultAddress(f);
    Value v = lowerReturned(f, e, f.result.success, dest, at);
    if (v.isError() || !f.reachable()) return;
    if (v.unmarkedFailable) {
        rejectUnmarked(f, v, e->span);
        return;
    }
    if (isErrorSet(f.types, v.type) && !convertible(f, v, f.result.success)) {
        Diagnostic& d = f.diags.error(e->span, functionTitle(f) + " returns " + withArticle(f.types, f.result.success) +
                                                   ", and this is an error");
        noteResult(f, d);
        d.help("an error leaves with " + code("raise " + std::string(f.sema.sources.textOf(e->span)) + ";"));
        return;
    }
    v = asResult(f, v, f.result.success, e, dest);
    if (!v.isError()) emitReturn(f, v, at);
}

// ------------------------------------------------------------------------------------ what leaves with its error

void markReturned(Body& f, const Expr* e, Span at) {
    bool hasKeyword = at.begin != e->span.begin; // else a trailing expression, where each end stands for itself
    forEachResult(e, [&](const Expr* end) { f.result.returned[end] = hasKeyword ? at : end->span; });
}

bool isForwarded(const Body& f, const Value& v) {
    if (f.result.success == TypeId::Void) return v.unmarkedFailable && isErrorSet(f.types, v.type);
    return v.type != f.result.success &&
           (v.unmarkedFailable || (f.types.kind(v.type) == TypeKind::Tuple && isFailable(f.types, v.type)));
}

/// Whether `return error.Tag` means something in a function with this success type: in a pure failable it leaves with
/// the error, and an error set or `any` has it as a value.
static bool takesTag(const TypeTable& types, TypeId success) {
    while (types.kind(success) == TypeKind::Optional) success = types.elem(success);
    return success == TypeId::Void || success == TypeId::Any || isErrorSet(types, success);
}

static Value tagForValue(Body& f, const ErrorTag& tag, TypeId wanted) {
    std::string spelled = code("error." + f.sema.text(tag.name.name));
    Diagnostic& d = f.diags.error(tag.span, functionTitle(f) + " returns " + withArticle(f.types, wanted) +
                                                " here, and " + spelled + " is an error");
    noteResult(f, d);
    d.help("an error leaves with " + code("raise error." + f.sema.text(tag.name.name) + ";"));
    return Value::error();
}

Value lowerReturned(Body& f, const Expr* e, TypeId target, ValueId dest, Span at) {
    markReturned(f, e, at);
    const Expr* inner = withoutParens(e);
    if (const auto* lit = llvm::dyn_cast<StructLit>(inner);
        lit && !lit->type && f.result.success != TypeId::Void && returnFullForm(f, *lit, at))
        return f.reachable() ? Value::error() : Value::diverged();
    if (const auto* lit = llvm::dyn_cast<StructLit>(inner);
        lit && !lit->type && f.types.kind(f.result.success) == TypeKind::Tuple) {
        llvm::ArrayRef<TupleField> slots = f.types.tupleFields(f.result.success);
        for (size_t i = 0; i < lit->inits.size() && i < slots.size() && !lit->inits[i].name; ++i)
            if (const auto* tag = llvm::dyn_cast<ErrorTag>(withoutParens(lit->inits[i].value));
                tag && !takesTag(f.types, slots[i].type))
                return tagForValue(f, *tag, slots[i].type);
    }
    if (const auto* tag = llvm::dyn_cast<ErrorTag>(inner); tag && !takesTag(f.types, f.result.success))
        return tagForValue(f, *tag, f.result.success);
    Value v = unwrapFor(f, lowerUnmarked(f, e, target, dest), target);
    if (v.isError() || !f.reachable()) return v;
    if (isForwarded(f, v)) forward(f, v, e, at);
    else if (f.result.success == TypeId::Void && isErrorSet(f.types, v.type)) returnTag(f, v, inner, at);
    else return v;
    return f.reachable() ? Value::error() : Value::diverged();
}

Value lowerResult(Body& f, const Expr* e, TypeId target, ValueId dest) {
    if (withoutParens(e) == f.modes.bareEnd) return lowerUnmarked(f, e, target, dest);
    if (auto it = f.errorVariables.ends.find(withoutParens(e));
        it != f.errorVariables.ends.end() && !f.modes.inCleanup) {
        Symbol* carrier = it->second;
        Value v = captureEnd(f, lowerUnmarked(f, e, target, dest), carrier, e->span);
        return v.unmarkedFailable ? rejectUnmarked(f, v, e->span) : unwrapFor(f, v, target);
    }
    auto it = f.result.returned.find(withoutParens(e));
    if (it == f.result.returned.end()) return unwrapFor(f, lower(f, e, target, dest), target);
    Value v = lowerReturned(f, e, target, dest, it->second);
    if (!v.isError() && v.unmarkedFailable) return rejectUnmarked(f, v, e->span);
    return foldFloatForTarget(f, unwrapFor(f, v, target), target, e->span);
}

static void noSuchSlot(Body& f, const Ident& name, Span at) {
    f.diags.error(at, functionTitle(f) + " has no result slot " + code(f.sema, name.name));
}

/// `return x = a;` of the one value beside an error. False: it is not that.
static bool returnOnlySlot(Body& f, const ReturnElem& elem, Span at) {
    if (f.result.slots.size() != 1 || f.result.slots.front()->name != elem.name.name) return false;
    if (f.sema.uses) f.sema.uses->all.push_back({elem.name.span, f.result.slots.front(), nullptr, {}, {}});
    returnValue(f, elem.value, at);
    return true;
}

/// `return a, b;` and `return x = a, y = b;` (language 3.9).
void returnList(Body& f, llvm::ArrayRef<ReturnElem> elems, Span at) {
    Span values =
        cover(elems.front().name ? elems.front().name.span : elems.front().value->span, elems.back().value->span);
    if (f.result.type == TypeId::None) {
        f.diags.error(at, functionTitle(f) + " has no written result type, so it cannot return several values");
        return;
    }
    if (elems.size() == 1 && returnOnlySlot(f, elems.front(), at)) return;
    TypeId tuple = f.result.isFailable ? f.result.success : f.result.type;
    if (f.types.kind(tuple) != TypeKind::Tuple) {
        if (elems.size() == 1 && !f.result.slots.empty()) return noSuchSlot(f, elems.front().name, at);
        Diagnostic& d = f.diags.error(at, functionTitle(f) + " returns a single " + code(f.types, tuple) +
                                              ", not a list of values");
        if (f.result.isFailable && elems.size() == 2)
            d.help("an error leaves with `raise`; `return .{value, error};` sets the error slot");
        noteResult(f, d);
        return;
    }
    std::vector<TupleField> fields(f.types.tupleFields(tuple).begin(), f.types.tupleFields(tuple).end());
    for (const ReturnElem& e : elems)
        if (bool(e.name) != bool(elems.front().name)) {
            f.diags.error(at, "either all values of a `return` are named, or none")
                .help("name the others too, or drop the names and keep the order of the result");
            return;
        }
    if (elems.size() != fields.size()) {
        noteResult(f, wrongCount(f, values, fields.size(), elems.size()));
        return;
    }
    ValueId result = temp(f, tuple).id; // later values may still read named slots
    std::vector<bool> seen(fields.size());
    bool ok = true;
    for (size_t i = 0; i < elems.size(); ++i) {
        size_t index = i;
        if (elems[i].name) {
            auto isSlot = [&](const TupleField& field) { return field.name == elems[i].name.name; };
            index = static_cast<size_t>(llvm::find_if(fields, isSlot) - fields.begin());
            if (index == fields.size()) return noSuchSlot(f, elems[i].name, at);
            if (seen[index]) {
                f.diags.error(at, "the result slot " + code(f.sema, elems[i].name.name) + " is given twice");
                return;
            }
            seen[index] = true;
            noteUse(f.sema, elems[i].name.span, tuple, elems[i].name.name);
        }
        if (const auto* tag = llvm::dyn_cast<ErrorTag>(withoutParens(elems[i].value));
            tag && f.result.isFailable && !takesTag(f.types, fields[index].type)) {
            ok = !tagForValue(f, *tag, fields[index].type).isError();
            continue;
        }
        ValueId slot = emitOffset(f.b, result, fieldOffset(f.types, tuple, static_cast<unsigned>(index)),
                                  pointerTo(f.types, fields[index].type));
        warnOfLeavingArray(f, elems[i].value, fields[index].type, "is returned");
        ok &= lowerInto(f, elems[i].value, fields[index].type, slot);
        if (!f.reachable()) return;
    }
    if (!ok) return;
    emitReturn(f, Value::temporary(tuple, result), at);
}

/// `error.X`, or an expression that is an error value by itself.
bool isErrorOperand(Body& f, const Expr* e) {
    e = withoutParens(e);
    switch (e->kind) {
    case ExprKind::ErrorTag: return true;
    case ExprKind::Call:
        if (llvm::isa<EnumLit>(static_cast<const Call*>(e)->callee)) return false;
        [[fallthrough]];
    case ExprKind::NameRef:
    case ExprKind::Member:
    case ExprKind::Index:
    case ExprKind::Deref: return isErrorSet(f.types, probeType(f, e));
    default: return false;
    }
}

/// `return .{v, error.Tag}`: one element more than the value slots sets the error slot.
bool returnFullForm(Body& f, const StructLit& lit, Span at) {
    std::vector<TupleField> all(f.types.tupleFields(f.result.type).begin(), f.types.tupleFields(f.result.type).end());
    if (lit.inits.size() != all.size() || lit.initBlock) return false;
    for (const Init& init : lit.inits)
        if (init.spread || (init.name && !init.shorthand)) return false;
    size_t values = all.size() - 1;
    if (values == 1 && !isErrorOperand(f, lit.inits.back().value)) return false; // two parts of the one value
    ValueId result = temp(f, f.result.type).id;
    for (size_t i = 0; i < values; ++i) warnOfLeavingArray(f, lit.inits[i].value, all[i].type, "is returned");
    for (size_t i = 0; i < values; ++i)
        if (!lowerInto(f, lit.inits[i].value, all[i].type,
                       emitOffset(f.b, result, fieldOffset(f.types, f.result.type, static_cast<unsigned>(i)),
                                  pointerTo(f.types, all[i].type))))
            return true;
    const Expr* errorExpr = lit.inits.back().value;
    Value error = Value::none();
    if (!llvm::isa<ErrorTag>(withoutParens(errorExpr))) {
        error = lower(f, errorExpr, f.result.errorSet);
        if (error.isError()) return true;
        if (!isErrorSet(f.types, error.type)) {
            f.diags.error(errorExpr->span, "the last element sets the error slot and must be an error value");
            return true;
        }
    }
    emitCopy(f.b, resultAddress(f), result, f.result.type);
    returnTag(f, error, errorExpr, at);
    return true;
}

/// A plain return of an error. A literal adds no frame; any other value one at the `return`, as `raise` would.
void returnTag(Body& f, const Value& v, const Expr* e, Span at) {
    auto leave = [&](ValueId tag) { // with its trace: handlers around here were tied to it
        runCleanups(f, 0, false);
        f.b.setSpan(at);
        if (f.reachable()) emitErrorReturn(f, tag);
    };
    if (const auto* literal = llvm::dyn_cast<ErrorTag>(withoutParens(e))) {
        noteTag(f, *literal);
        ValueId tag = constInt(f.b, f.result.errorSet, f.types.tagId(literal->name.name));
        f.b.setSpan(at);
        traceRaise(f, {}, tag);
        linkCauses(f);
        return leave(tag);
    }
    noteEscaping(f, v.type, v.errors, e->span);
    ValueId tag = scalar(f, v);
    f.b.setSpan(at);
    BlockId failed = f.b.newBlock(true), plain = f.b.newBlock();
    emitCondBr(f.b, emitICmp(f.b, ir::ICmpPred::Ne, tag, constInt(f.b, v.type, 0)), failed, plain, true);
    f.b.setBlock(failed);
    continueTrace(f, v, tag, at, [&] { leave(tag); });
    f.b.setBlock(plain);
    leaveTo(f, 0, 0);
    f.b.setSpan(at);
    if (f.reachable()) emitErrorReturn(f, tag);
}

/// A failable result is passed on whole (errors.md 10.2): no frame, defers run, onfails do not.
void forward(Body& f, const Value& v, const Expr* e, Span at) {
    TypeId fromSet = errorSetOf(f.types, v.type);
    auto failableSlots = [&](TypeId failable) -> size_t {
        return isErrorSet(f.types, failable) ? 0 : f.types.tupleFields(failable).size() - 1;
    };
    size_t have = failableSlots(v.type), want = failableSlots(f.result.type);
    if (have != want) {
        f.diags.error(e->span, "this call yields " + std::to_string(have) + (have == 1 ? " value" : " values") +
                                   " besides its error, and " + functionTitle(f) + " returns " + std::to_string(want));
        return;
    }
    if (f.result.errorSet != TypeId::InferredErrors) {
        if (fromSet == TypeId::InferredErrors) {
            f.diags
                .error(e->span, "the error set of this call is inferred, and " + functionTitle(f) +
                                    " returns errors of " + code(f.types, f.result.errorSet) + " only")
                .help("write `return try …`, which checks the tags");
            return;
        }
    }
    noteEscaping(f, fromSet, v.errors, e->span);
    ValueId tag;
    if (want == 0) {
        tag = scalar(f, v);
    } else {
        ValueId source = addressOf(f, v);
        unsigned tagIndex = static_cast<unsigned>(want);
        tag = emitLoad(
            f.b, f.result.errorSet,
            emitOffset(f.b, source, fieldOffset(f.types, v.type, tagIndex), pointerTo(f.types, f.result.errorSet)));
        ValueId result = resultAddress(f);
        for (unsigned i = 0; i < want; ++i) {
            TypeId from = f.types.tupleFields(v.type)[i].type, to = f.types.tupleFields(f.result.type)[i].type;
            Value slot = Value::temporary(
                from, emitOffset(f.b, source, fieldOffset(f.types, v.type, i), pointerTo(f.types, from)));
            Value converted = convert(f, slot, to, e->span);
            if (converted.isError()) return;
            store(f, emitOffset(f.b, result, fieldOffset(f.types, f.result.type, i), pointerTo(f.types, to)),
                  converted);
        }
    }
    f.b.setSpan(at);
    if (!f.handlers.empty() ||
        !v.unmarkedFailable) { // the chains of handlers go with the error; one that was there before begins its own
        BlockId failed = f.b.newBlock(true), fine = f.b.newBlock();
        emitCondBr(f.b, emitICmp(f.b, ir::ICmpPred::Ne, tag, constInt(f.b, f.result.errorSet, 0)), failed, fine, true);
        f.b.setBlock(failed);
        if (!v.unmarkedFailable) traceRaise(f, at, tag);
        linkCauses(f);
        runCleanups(f, 0, false);
        if (f.reachable()) emitErrorReturn(f, tag);
        f.b.setBlock(fine);
    }
    leaveTo(f, 0, 0);
    if (f.reachable()) emitErrorReturn(f, tag);
}

} // namespace sx::lower
