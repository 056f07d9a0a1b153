// Leaving a function without raising: `return` in all its forms, trailing values, forwarding of failables.
#include "sema/Explain.h"
#include "sema/Operands.h"
#include "syntax/Walk.h"

namespace sx::sema {

using namespace ast;

ValueId FunctionLowering::resultAddress() {
    if (resultStorage == ir::SlotId::None) resultStorage = b.newSlot(resultType);
    return b.slotAddr(resultStorage);
}

bool FunctionLowering::sameSlot(ValueId a, ValueId c) const {
    if (a == c) return true;
    if (a == ValueId::None || c == ValueId::None) return false;
    const ir::Instr &x = fn.instr(a), &y = fn.instr(c);
    return x.op == ir::Op::SlotAddr && y.op == ir::Op::SlotAddr && x.imm == y.imm;
}

/// Runs what is pending on a way out that carries no error: cleanups inner to a handler, then that handler's
/// chain is dropped, and so on outwards.
void FunctionLowering::leaveTo(size_t cleanupDepth, size_t handlerDepth) {
    std::vector<Cleanup> saved = cleanups;
    size_t assignedBefore = reassigned.size();
    for (size_t h = handlers.size(); h > handlerDepth && reachable(); --h) {
        size_t inner = std::max(handlers[h - 1].cleanupDepth, cleanupDepth);
        if (cleanups.size() > inner) {
            runCleanups(inner, false);
            cleanups.resize(inner);
        }
        if (reachable()) b.emit(ir::Op::TraceAbsorb, TypeId::Void, {});
    }
    if (reachable()) runCleanups(cleanupDepth, false);
    cleanups = std::move(saved);
    reassigned.resize(assignedBefore); // nothing here goes on with what they leave
}

void FunctionLowering::emitReturn(const Value& v, Span at) {
    b.setSpan(at);
    if (!isFailable) {
        if (resultType == TypeId::Void || resultType == TypeId::NoReturn || resultType == TypeId::None) {
            leaveTo(0, 0);
            if (reachable()) b.ret();
            return;
        }
        if (types.isScalar(resultType)) {
            ValueId value = scalar(v);
            leaveTo(0, 0);
            if (reachable()) b.ret(value);
            return;
        }
        ValueId address = addressOf(v);
        if (!cleanups.empty() && v.lvalue) { // a cleanup may still change it
            ValueId own = resultAddress();
            b.copy(own, address, resultType);
            address = own;
        }
        leaveTo(0, 0);
        if (reachable()) b.ret(address);
        return;
    }
    if (successType == TypeId::Void) {
        leaveTo(0, 0);
        if (reachable()) b.ret(b.constInt(errorSet, 0));
        return;
    }
    ValueId result = resultAddress();
    if (!v.isMemory() || !sameSlot(v.id, result)) store(result, v);
    leaveTo(0, 0);
    if (!reachable()) return;
    unsigned tagIndex = static_cast<unsigned>(types.tupleFields(resultType).size() - 1);
    b.store(b.offset(result, types.fieldOffset(resultType, tagIndex), types.pointerTo(errorSet)),
            b.constInt(errorSet, 0));
    b.ret(result);
}

void FunctionLowering::emitErrorReturn(ValueId tag) {
    if (successType == TypeId::Void) {
        b.ret(tag);
        return;
    }
    ValueId result = resultAddress();
    unsigned tagIndex = static_cast<unsigned>(types.tupleFields(resultType).size() - 1);
    b.store(b.offset(result, types.fieldOffset(resultType, tagIndex), types.pointerTo(errorSet)), tag);
    b.ret(result);
}

void FunctionLowering::returnSlots(Span at) {
    ValueId result = resultAddress();
    TypeId tuple = isFailable ? successType : resultType;
    for (unsigned i = 0; i < resultSlots.size(); ++i) {
        Value v = Value::place(resultSlots[i]->type, resultSlots[i]->address);
        store(b.offset(result, types.fieldOffset(tuple, i), types.pointerTo(resultSlots[i]->type)), v);
    }
    emitReturn(Value::temporary(tuple, result), at);
}

// ------------------------------------------------------------------------------------ `return`

void FunctionLowering::lowerReturn(llvm::ArrayRef<ReturnElem> elems, Span statement) {
    b.setSpan(statement);
    currentOperation = statement;
    if (elems.empty()) {
        if (resultType == TypeId::None) setResultType(TypeId::Void);
        bool plain = resultType == TypeId::Void || (isFailable && successType == TypeId::Void);
        if (plain) return emitReturn(Value::none(), statement);
        if (!resultSlots.empty()) return returnSlots(statement);
        diags.error(statement,
                    functionTitle(*this) + " must return " + withArticle(types, isFailable ? successType : resultType));
        return;
    }
    if (elems.size() == 1 && !elems[0].name) return returnValue(elems[0].value, statement);
    returnList(elems, statement);
}

namespace {

void noteResult(const FunctionLowering& f, Diagnostic& d) {
    if (f.isLambda || !f.instance || !f.instance->tmpl->decl->result) return;
    d.note(f.instance->tmpl->decl->result->span, "the result of " + functionTitle(f) + " is declared here");
}

Diagnostic& wrongCount(FunctionLowering& f, Span at, size_t wanted, size_t given) {
    return f.diags.error(at, functionTitle(f) + " returns " + std::to_string(wanted) + " values, and this gives " +
                                 std::to_string(given));
}

/// The value of a `return` as the type that the function returns.
Value asResult(FunctionLowering& f, const Value& given, TypeId type, const Expr* e, ValueId dest) {
    if (given.isError()) return given;
    TypeKind kind = f.types.kind(given.type);
    bool isSingle =
        kind != TypeKind::Tuple && kind != TypeKind::Struct && kind != TypeKind::NoReturn && !given.isVoid();
    if (f.types.kind(type) == TypeKind::Tuple && isSingle && !f.convertible(given, type)) {
        noteResult(f, wrongCount(f, e->span, f.types.tupleFields(type).size(), 1));
        return Value::error();
    }
    size_t before = f.diags.all().size();
    Value v = f.convert(given, type, e->span, dest);
    if (!v.isError()) return v;
    for (Diagnostic& d : f.diags.since(before)) noteResult(f, d);
    return Value::error();
}

} // namespace

static bool hasBranches(const Expr* e) {
    const auto* i = llvm::dyn_cast<If>(withoutParens(e));
    return i ? i->otherwise != nullptr : llvm::isa<Match>(withoutParens(e)) || llvm::isa<BlockExpr>(withoutParens(e));
}

void FunctionLowering::returnValue(const Expr* e, Span at) {
    warnOfReturned(e);
    if (resultType == TypeId::None) {
        Value v = lower(e);
        if (v.isError()) return;
        if (v.isVoid()) {
            if (v.type == TypeId::NoReturn && !reachable()) return;
            setResultType(TypeId::Void);
            emitReturn(Value::none(), at);
            return;
        }
        if (v.kind == Value::Kind::Function) v = functionValue(*v.function, e->span, TypeId::None);
        if (!requireValue(v, e->span)) return;
        if (v.type == TypeId::Null) {
            diags.error(e->span, "`null` alone has no type: write the result type of " + functionTitle(*this));
            return;
        }
        setResultType(v.type);
        warnOfReturned(e);
        // An error value, or a tuple that ends in one, is the whole result: its tag is not to be replaced by success.
        if (types.isErrorSet(v.type)) returnTag(v, e, at);
        else if (isFailable) forward(v, e, at);
        else emitReturn(v, at);
        return;
    }
    if (resultType == TypeId::Void && !isFailable) {
        Value v = lower(e);
        if (v.isError() || !reachable()) return;
        if (!v.isVoid()) {
            diags.error(e->span, functionTitle(*this) + " has no result, so it cannot return a value");
            return;
        }
        emitReturn(Value::none(), at);
        return;
    }
    if (resultType == TypeId::NoReturn) {
        Value v = lower(e);
        if (!v.isError() && reachable())
            diags.error(e->span, functionTitle(*this) + " is declared noreturn and cannot return");
        return;
    }
    if (!isFailable) {
        ValueId dest = types.isScalar(resultType) ? ValueId::None : resultAddress();
        Value v = asResult(*this, lower(e, resultType, dest), resultType, e, dest);
        if (!v.isError() && reachable()) emitReturn(v, at);
        return;
    }
    if (successType == TypeId::Void) {
        if (at.begin == e->span.begin && hasBranches(e)) { // an arrow body: its branches need no values
            markReturned(e, at);
            if (!lowerDropped(e).isError() && reachable()) emitReturn(Value::none(), at);
            return;
        }
        Value v = lowerReturned(e, errorSet, ValueId::None, at);
        if (v.isError() || !reachable()) return;
        if (v.isVoid()) return emitReturn(Value::none(), at);
        if (v.unmarkedFailable) return forward(v, e, at);
        diags.error(e->span, functionTitle(*this) + " has no value to return besides its error")
            .help("write `return;` for success, or `raise error.X;`");
        return;
    }
    ValueId dest = types.isScalar(successType) ? ValueId::None : resultAddress();
    Value v = lowerReturned(e, successType, dest, at);
    if (v.isError() || !reachable()) return;
    if (v.unmarkedFailable) {
        rejectUnmarked(v, e->span);
        return;
    }
    if (types.isErrorSet(v.type) && !convertible(v, successType)) {
        Diagnostic& d = diags.error(e->span, functionTitle(*this) + " returns " + withArticle(types, successType) +
                                                 ", and this is an error");
        noteResult(*this, d);
        d.help("an error leaves with `raise " + std::string(sema.sources.textOf(e->span)) + ";`");
        return;
    }
    v = asResult(*this, v, successType, e, dest);
    if (!v.isError()) emitReturn(v, at);
}

// ------------------------------------------------------------------------------------ what leaves with its error

void FunctionLowering::markReturned(const Expr* e, Span at) {
    bool hasKeyword = at.begin != e->span.begin; // else a trailing expression, where each end stands for itself
    forEachResult(e, [&](const Expr* end) { returned[end] = hasKeyword ? at : end->span; });
}

bool FunctionLowering::isForwarded(const Value& v) const {
    if (successType == TypeId::Void) return v.unmarkedFailable && types.isErrorSet(v.type);
    return v.type != successType &&
           (v.unmarkedFailable || (types.kind(v.type) == TypeKind::Tuple && types.isFailable(v.type)));
}

/// Whether `return error.Tag` means something in a function with this success type: in a pure failable it leaves with
/// the error, and an error set or `any` has it as a value.
static bool takesTag(const TypeTable& types, TypeId success) {
    while (types.kind(success) == TypeKind::Optional) success = types.elem(success);
    return success == TypeId::Void || success == TypeId::Any || types.isErrorSet(success);
}

static Value tagForValue(FunctionLowering& f, const ErrorTag& tag, TypeId wanted) {
    std::string spelled = "`error." + f.sema.text(tag.name.name) + "`";
    Diagnostic& d = f.diags.error(tag.span, functionTitle(f) + " returns " + withArticle(f.types, wanted) +
                                                " here, and " + spelled + " is an error");
    noteResult(f, d);
    d.help("an error leaves with `raise error." + f.sema.text(tag.name.name) + ";`");
    return Value::error();
}

Value FunctionLowering::lowerReturned(const Expr* e, TypeId target, ValueId dest, Span at) {
    markReturned(e, at);
    const Expr* inner = withoutParens(e);
    if (const auto* lit = llvm::dyn_cast<StructLit>(inner);
        lit && !lit->type && successType != TypeId::Void && returnFullForm(*lit, at))
        return reachable() ? Value::error() : Value::diverged();
    if (const auto* lit = llvm::dyn_cast<StructLit>(inner);
        lit && !lit->type && types.kind(successType) == TypeKind::Tuple) {
        llvm::ArrayRef<TupleField> slots = types.tupleFields(successType);
        for (size_t i = 0; i < lit->inits.size() && i < slots.size() && !lit->inits[i].name; ++i)
            if (const auto* tag = llvm::dyn_cast<ErrorTag>(withoutParens(lit->inits[i].value));
                tag && !takesTag(types, slots[i].type))
                return tagForValue(*this, *tag, slots[i].type);
    }
    if (const auto* tag = llvm::dyn_cast<ErrorTag>(inner); tag && !takesTag(types, successType))
        return tagForValue(*this, *tag, successType);
    Value v = unwrapFor(lowerUnmarked(e, target, dest), target);
    if (v.isError() || !reachable()) return v;
    if (isForwarded(v)) forward(v, e, at);
    else if (successType == TypeId::Void && types.isErrorSet(v.type)) returnTag(v, inner, at);
    else return v;
    return reachable() ? Value::error() : Value::diverged();
}

Value FunctionLowering::lowerResult(const Expr* e, TypeId target, ValueId dest) {
    if (withoutParens(e) == bareEnd) return lowerUnmarked(e, target, dest);
    if (auto it = errorVariables.ends.find(withoutParens(e)); it != errorVariables.ends.end() && !inCleanup) {
        Symbol* carrier = it->second;
        Value v = captureEnd(*this, lowerUnmarked(e, target, dest), carrier, e->span);
        return v.unmarkedFailable ? rejectUnmarked(v, e->span) : unwrapFor(v, target);
    }
    auto it = returned.find(withoutParens(e));
    if (it == returned.end()) return unwrapFor(lower(e, target, dest), target);
    Value v = lowerReturned(e, target, dest, it->second);
    if (!v.isError() && v.unmarkedFailable) return rejectUnmarked(v, e->span);
    return settleFloat(unwrapFor(v, target), target, e->span);
}

/// `return a, b;` and `return x = a, y = b;` (language 3.9).
void FunctionLowering::returnList(llvm::ArrayRef<ReturnElem> elems, Span at) {
    Span values =
        cover(elems.front().name ? elems.front().name.span : elems.front().value->span, elems.back().value->span);
    if (resultType == TypeId::None) {
        diags.error(at, functionTitle(*this) + " has no written result type, so it cannot return several values");
        return;
    }
    TypeId tuple = isFailable ? successType : resultType;
    if (types.kind(tuple) != TypeKind::Tuple) {
        Diagnostic& d = diags.error(at, functionTitle(*this) + " returns a single " + quoted(types, tuple) +
                                            ", not a list of values");
        if (isFailable && elems.size() == 2)
            d.help("an error leaves with `raise`; `return .{value, error};` sets the error slot");
        noteResult(*this, d);
        return;
    }
    std::vector<TupleField> fields(types.tupleFields(tuple).begin(), types.tupleFields(tuple).end());
    for (const ReturnElem& e : elems)
        if (bool(e.name) != bool(elems.front().name)) {
            diags.error(at, "either all values of a `return` are named, or none")
                .help("name the others too, or drop the names and keep the order of the result");
            return;
        }
    if (elems.size() != fields.size()) {
        noteResult(*this, wrongCount(*this, values, fields.size(), elems.size()));
        return;
    }
    ValueId result = temp(tuple).id; // later values may still read named slots
    std::vector<bool> seen(fields.size());
    bool ok = true;
    for (size_t i = 0; i < elems.size(); ++i) {
        size_t index = i;
        if (elems[i].name) {
            index = fields.size();
            for (size_t k = 0; k < fields.size(); ++k)
                if (fields[k].name == elems[i].name.name) index = k;
            if (index == fields.size()) {
                diags.error(at, functionTitle(*this) + " has no result slot `" + sema.text(elems[i].name.name) + "`");
                return;
            }
            if (seen[index]) {
                diags.error(at, "the result slot `" + sema.text(elems[i].name.name) + "` is given twice");
                return;
            }
            seen[index] = true;
        }
        if (const auto* tag = llvm::dyn_cast<ErrorTag>(withoutParens(elems[i].value));
            tag && isFailable && !takesTag(types, fields[index].type)) {
            ok = !tagForValue(*this, *tag, fields[index].type).isError();
            continue;
        }
        ValueId slot = b.offset(result, types.fieldOffset(tuple, static_cast<unsigned>(index)),
                                types.pointerTo(fields[index].type));
        warnOfLeavingArray(elems[i].value, fields[index].type, "is returned");
        ok &= lowerInto(elems[i].value, fields[index].type, slot);
        if (!reachable()) return;
    }
    if (!ok) return;
    emitReturn(Value::temporary(tuple, result), at);
}

/// `error.X`, or an expression that is an error value by itself.
bool FunctionLowering::isErrorOperand(const Expr* e) {
    e = withoutParens(e);
    switch (e->kind) {
    case ExprKind::ErrorTag: return true;
    case ExprKind::Call:
        if (llvm::isa<EnumLit>(static_cast<const Call*>(e)->callee)) return false;
        [[fallthrough]];
    case ExprKind::NameRef:
    case ExprKind::Member:
    case ExprKind::Index:
    case ExprKind::Deref: return types.isErrorSet(probeType(e));
    default: return false;
    }
}

/// `return .{v, error.Tag}`: one element more than the value slots sets the error slot.
bool FunctionLowering::returnFullForm(const StructLit& lit, Span at) {
    std::vector<TupleField> all(types.tupleFields(resultType).begin(), types.tupleFields(resultType).end());
    if (lit.inits.size() != all.size() || lit.initBlock) return false;
    for (const Init& init : lit.inits)
        if (init.spread || (init.name && !init.shorthand)) return false;
    size_t values = all.size() - 1;
    if (values == 1 && !isErrorOperand(lit.inits.back().value)) return false; // two parts of the one value
    ValueId result = temp(resultType).id;
    for (size_t i = 0; i < values; ++i) warnOfLeavingArray(lit.inits[i].value, all[i].type, "is returned");
    for (size_t i = 0; i < values; ++i)
        if (!lowerInto(lit.inits[i].value, all[i].type,
                       b.offset(result, types.fieldOffset(resultType, static_cast<unsigned>(i)),
                                types.pointerTo(all[i].type))))
            return true;
    const Expr* errorExpr = lit.inits.back().value;
    Value error = Value::none();
    if (!llvm::isa<ErrorTag>(withoutParens(errorExpr))) {
        error = lower(errorExpr, errorSet);
        if (error.isError()) return true;
        if (!types.isErrorSet(error.type)) {
            diags.error(errorExpr->span, "the last element sets the error slot and must be an error value");
            return true;
        }
    }
    b.copy(resultAddress(), result, resultType);
    returnTag(error, errorExpr, at);
    return true;
}

/// A plain return of an error. A literal adds no frame; any other value one at the `return`, as `raise` would.
void FunctionLowering::returnTag(const Value& v, const Expr* e, Span at) {
    auto leave = [&](ValueId tag) { // with its trace: handlers around here were tied to it
        runCleanups(0, false);
        b.setSpan(at);
        if (reachable()) emitErrorReturn(tag);
    };
    if (const auto* literal = llvm::dyn_cast<ErrorTag>(withoutParens(e))) {
        noteTag(*literal);
        ValueId tag = b.constInt(errorSet, types.tagId(literal->name.name));
        b.setSpan(at);
        traceRaise({}, tag);
        linkCauses();
        return leave(tag);
    }
    noteEscaping(v.type, v.errors, e->span);
    ValueId tag = scalar(v);
    b.setSpan(at);
    BlockId failed = b.newBlock(true), plain = b.newBlock();
    b.condBr(b.icmp(ir::ICmpPred::Ne, tag, b.constInt(v.type, 0)), failed, plain, true);
    b.setBlock(failed);
    continueTrace(*this, v, tag, at, [&] { leave(tag); });
    b.setBlock(plain);
    leaveTo(0, 0);
    b.setSpan(at);
    if (reachable()) emitErrorReturn(tag);
}

/// A failable result is passed on whole (errors.md 10.2): no frame, defers run, onfails do not.
void FunctionLowering::forward(const Value& v, const Expr* e, Span at) {
    TypeId fromSet = types.errorSetOf(v.type);
    auto failableSlots = [&](TypeId failable) -> size_t {
        return types.isErrorSet(failable) ? 0 : types.tupleFields(failable).size() - 1;
    };
    size_t have = failableSlots(v.type), want = failableSlots(resultType);
    if (have != want) {
        diags.error(e->span, "this call yields " + std::to_string(have) + (have == 1 ? " value" : " values") +
                                 " besides its error, and " + functionTitle(*this) + " returns " +
                                 std::to_string(want));
        return;
    }
    if (errorSet != TypeId::InferredErrors) {
        if (fromSet == TypeId::InferredErrors) {
            diags
                .error(e->span, "the error set of this call is inferred, and " + functionTitle(*this) +
                                    " returns errors of `" + types.writtenName(errorSet) + "` only")
                .help("write `return try …`, which checks the tags");
            return;
        }
    }
    noteEscaping(fromSet, v.errors, e->span);
    ValueId tag;
    if (want == 0) {
        tag = scalar(v);
    } else {
        ValueId source = addressOf(v);
        unsigned tagIndex = static_cast<unsigned>(want);
        tag = b.load(errorSet, b.offset(source, types.fieldOffset(v.type, tagIndex), types.pointerTo(errorSet)));
        ValueId result = resultAddress();
        for (unsigned i = 0; i < want; ++i) {
            TypeId from = types.tupleFields(v.type)[i].type, to = types.tupleFields(resultType)[i].type;
            Value slot = Value::temporary(from, b.offset(source, types.fieldOffset(v.type, i), types.pointerTo(from)));
            Value converted = convert(slot, to, e->span);
            if (converted.isError()) return;
            store(b.offset(result, types.fieldOffset(resultType, i), types.pointerTo(to)), converted);
        }
    }
    b.setSpan(at);
    if (!handlers.empty() ||
        !v.unmarkedFailable) { // the chains of handlers go with the error; one that was there before begins its own
        BlockId failed = b.newBlock(true), fine = b.newBlock();
        b.condBr(b.icmp(ir::ICmpPred::Ne, tag, b.constInt(errorSet, 0)), failed, fine, true);
        b.setBlock(failed);
        if (!v.unmarkedFailable) traceRaise(at, tag);
        linkCauses();
        runCleanups(0, false);
        if (reachable()) emitErrorReturn(tag);
        b.setBlock(fine);
    }
    leaveTo(0, 0);
    if (reachable()) emitErrorReturn(tag);
}

} // namespace sx::sema
