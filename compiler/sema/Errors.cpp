// raise, try, catch: leaving with an error and stopping one (errors.md 3, 4, 6; frames: traces.md 3).
#include "sema/Explain.h"
#include "sema/Join.h"

namespace sx::sema {

using namespace ast;

void FunctionLowering::tracePush(Span at) {
    ValueId frame = b.traceFrame(at);
    b.emit(ir::Op::TracePush, TypeId::Void, {frame});
}

void FunctionLowering::traceRaise(Span at, ValueId tag) {
    ValueId frame = at.isValid() ? b.traceFrame(at) : b.constInt(TypeId::U64, 0);
    b.emit(ir::Op::TraceRaise, TypeId::Void, {frame, tag});
}

void FunctionLowering::traceFailure(const Failable& f, Span at) {
    if (f.isFresh) tracePush(at);
    else traceRaise(at, f.tag);
}

/// From the inside outwards: each ties the newest group of chains to the one below.
void FunctionLowering::linkHandlers(size_t count) {
    for (size_t h = count; h > 0; --h)
        b.emit(ir::Op::TraceLink, TypeId::Void, {}, static_cast<uint32_t>(handlers[h - 1].link));
}

bool FunctionLowering::requireFailableFunction(Span at, std::string_view what) {
    if (isFailable) return true;
    std::string w(what);
    if (!elsewhere.empty()) {
        diags.error(at, "`" + w + "` cannot be used here: a default has no function around it that could fail")
            .help("handle the error here with `catch` or `or`");
        return false;
    }
    if (isLambda)
        diags.error(at, "`" + w + "` needs an error channel, and this lambda has none")
            .help("write its result type, for example `() -> ! { … }` or `() -> (i64, !) { … }`");
    else if (isComptimeScratch)
        diags.error(at, "`" + w + "` cannot be used here: there is no function around it that could fail");
    else if (name == "main")
        diags.error(at, "`" + w + "` needs a failable function, and `main` is not one")
            .help("declare it `main :: () -> !`");
    else
        diags.error(at, "`" + w + "` needs a failable function, and `" + name + "` is not one")
            .help("add `!` to its result: `-> !`, or `-> (T, !)` with a value");
    return false;
}

// ------------------------------------------------------------------------------------ which errors leave

void FunctionLowering::noteTag(const ErrorTag& tag) {
    uint32_t id = types.tagId(tag.name.name);
    if (instance) instance->errorLeaves = true;
    if (errorSet == TypeId::InferredErrors) {
        if (errorNode) errorNode->tags.push_back(id);
        return;
    }
    if (errorSet == TypeId::None || sema.setContains(errorSet, tag.name.name)) return;
    std::string set = types.writtenName(errorSet);
    Diagnostic& d = diags.error(tag.span, "`error." + sema.text(tag.name.name) + "` is not in the error set `" + set +
                                              "` of " + functionTitle(*this));
    if (NominalInfo* info = sema.nominal(errorSet); info && info->decl)
        d.note(info->decl->name.span, "`" + set + "` is declared here");
    std::vector<std::string_view> known;
    for (Name n : types.errorSetInfo(errorSet).tags) known.push_back(sema.names.text(n));
    std::string_view near = nearestName(sema.names.text(tag.name.name), known);
    d.help(near.empty() ? "add the tag to `" + set + "`, or raise one that it lists"
                        : "did you mean `error." + std::string(near) + "`?");
}

void FunctionLowering::noteEscaping(TypeId set, ErrorNode* errors, Span at) {
    if (instance) instance->errorLeaves = true;
    if (errorSet == TypeId::InferredErrors) {
        if (!errorNode) return;
        if (set == TypeId::InferredErrors) {
            if (errors && errors != errorNode) errorNode->from.push_back(errors);
        } else {
            for (Name tag : types.errorSetInfo(set).tags) errorNode->tags.push_back(types.tagId(tag));
        }
        return;
    }
    if (errorSet == TypeId::None || set == errorSet) return;
    if (set == TypeId::InferredErrors) {
        if (errors) sema.pendingSetChecks.push_back({errors, errorSet, at, functionTitle(*this)});
        return;
    }
    llvm::SmallVector<Name, 8> missing;
    for (Name tag : types.errorSetInfo(set).tags)
        if (!sema.setContains(errorSet, tag)) missing.push_back(tag);
    sema.reportMissingTags(missing, errorSet, at, functionTitle(*this));
}

// ------------------------------------------------------------------------------------ raise

void FunctionLowering::lowerRaise(const RaiseStmt& s) {
    b.setSpan(s.span);
    currentOperation = s.span;
    if (!requireFailableFunction(s.span, "raise")) return;
    const Expr* e = withoutParens(s.value);
    if (const auto* literal = llvm::dyn_cast<ErrorTag>(e)) {
        noteTag(*literal);
        ValueId tag = b.constInt(errorSet, types.tagId(literal->name.name));
        traceRaise(s.keyword, tag);
        linkCauses();
        emitErrorExit(tag);
        return;
    }
    Value v = unwrapFor(lowerUnmarked(s.value, errorSet), errorSet);
    if (v.isError() || !reachable()) return;
    if (!types.isErrorSet(v.type)) {
        diags.error(s.value->span, "only an error can be raised, and this is " + withArticle(types, v.type))
            .help("write `raise error.Name;`");
        return;
    }
    noteEscaping(v.type, v.errors, s.span);
    ValueId tag = scalar(v);
    BlockId failed = b.newBlock(true), fine = b.newBlock(true);
    b.condBr(b.icmp(ir::ICmpPred::Ne, tag, b.constInt(v.type, 0)), failed, fine, true);
    b.setBlock(failed);
    continueTrace(*this, v, tag, s.keyword, [&] { emitErrorExit(tag); });
    b.setBlock(fine); // it holds no error
    leaveTo(0, 0);
    if (reachable()) emitErrorReturn(tag);
}

// ------------------------------------------------------------------------------------ operands that may fail

FunctionLowering::Failable FunctionLowering::lowerFailable(const Expr* e, TypeId target) {
    Failable f;
    const Expr* inner = withoutParens(e);
    const auto* cast = llvm::dyn_cast<Cast>(inner);
    bool isAssertion = false; // of a type: its chain begins at the cast
    if (cast && cast->optional && isFailableExpr(cast)) {
        isAssertion = true;
        Value base = elementOf(lower(cast->base));
        TypeId to = sema.resolveType(cast->type, typeContext());
        if (base.isError() || to == TypeId::None) return f;
        f.whole = assertPresentAny(base, to, cast->span);
    } else if (cast && !cast->optional && !cast->allocator) {
        Value base = lower(cast->base);
        if (base.isError()) return f;
        bool isAny = base.type == TypeId::Any, isProtocol = types.kind(base.type) == TypeKind::Protocol;
        if (isAny || isProtocol) {
            isAssertion = true;
            TypeId to = sema.resolveType(cast->type, typeContext());
            if (to == TypeId::None) return f;
            f.whole = isAny ? assertAny(base, to, cast->span, true, types.kind(to) == TypeKind::Optional)
                            : castProtocol(base, to, cast->span, false, true);
        } else {
            f.whole = lowerUnmarked(e, target);
        }
    } else {
        f.whole = lowerUnmarked(e, target);
    }
    if (f.whole.isError() || !reachable()) return f;
    if (!types.isFailable(f.whole.type) || f.whole.isTypeName()) return f;
    f.failable = true;
    f.isFresh = f.whole.unmarkedFailable || isAssertion;
    f.whole.unmarkedFailable = false;
    f.set = types.errorSetOf(f.whole.type);
    f.errors = f.whole.errors;
    if (types.isErrorSet(f.whole.type)) {
        f.tag = scalar(f.whole);
    } else {
        unsigned last = static_cast<unsigned>(types.tupleFields(f.whole.type).size() - 1);
        f.tag =
            b.load(f.set, b.offset(addressOf(f.whole), types.fieldOffset(f.whole.type, last), types.pointerTo(f.set)));
    }
    return f;
}

Value FunctionLowering::successOf(const Failable& f) {
    if (types.isErrorSet(f.whole.type)) return Value::none();
    TypeId success = types.successType(f.whole.type);
    if (success == TypeId::Void) return Value::none();
    // The value slots lie at the front, exactly as in the tuple of them.
    Value v = fieldOf(f.whole, 0, success);
    v.lvalue = false;
    return types.isScalar(success) ? load(v) : v;
}

Value FunctionLowering::branchOnFailure(const Failable& f, ValueId dest, Span at, llvm::function_ref<Value()> onError) {
    BlockId failed = b.newBlock(true), fine = b.newBlock();
    b.condBr(b.icmp(ir::ICmpPred::Ne, f.tag, b.constInt(f.set, 0)), failed, fine, true);
    TypeId success = types.isErrorSet(f.whole.type) ? TypeId::Void : types.successType(f.whole.type);
    Join join(*this);
    b.setBlock(failed);
    b.setSpan(at);
    auto narrowedBefore = narrowed;
    Value recovered = onError();
    if (recovered.isError()) join.failed = true;
    if (reachable()) join.add(recovered, at);
    narrowed = narrowedBefore;
    bool joins = !join.branches.empty();
    b.setBlock(fine);
    b.setSpan(at);
    Value v = successOf(f);
    if (!joins) return join.failed ? Value::error() : v;
    join.add(v, at);
    return success == TypeId::Void ? join.finishVoid() : join.finishAs(success, dest);
}

// ------------------------------------------------------------------------------------ try

Value FunctionLowering::lowerTry(const Unary& u, TypeId target, ValueId dest) {
    Span keyword{u.span.begin, u.span.begin + 3};
    const Expr* inner = withoutParens(u.operand);
    if (isFallbackOr(inner)) {
        if (!requireFailableFunction(u.span, "try")) return Value::error();
        return lowerChain(*llvm::cast<Binary>(inner), target, dest, [&](ValueId tag, TypeId set, ErrorNode* errors) {
            noteEscaping(set, errors, u.span);
            linkCauses();
            emitErrorExit(tag);
            return Value::diverged();
        });
    }
    if (!isFailable) {
        requireFailableFunction(u.span, "try");
        return Value::error();
    }
    Failable f = lowerFailable(u.operand, target);
    if (f.whole.isError()) return Value::error();
    if (!reachable()) return Value::diverged();
    if (!f.failable) {
        bool isOptional = types.kind(f.whole.type) == TypeKind::Optional;
        diags.error(u.span, "`try` needs a failable expression, and this cannot fail")
            .help(isOptional ? "take the value out of an optional with `if x := … { … }`, `… ?? VALUE` or `…!`"
                             : "drop the `try`");
        return Value::error();
    }
    noteEscaping(f.set, f.errors, u.span);
    return branchOnFailure(f, dest, u.span, [&] {
        traceFailure(f, keyword);
        linkCauses();
        emitErrorExit(f.tag);
        return Value::diverged();
    });
}

// ------------------------------------------------------------------------------------ catch

/// The handler of an operand that was rejected: nothing is known of the error.
static void orphanHandler(FunctionLowering& f, const Catch& c) {
    checkAside(f, [&] {
        Scope* saved = f.pushScope(c.body->span);
        if (c.binding) f.declareBroken(c.binding);
        f.handlers.push_back({nullptr, f.cleanups.size()});
        f.lowerDropped(c.body);
        f.handlers.pop_back();
        f.popScope(saved);
    });
}

Value FunctionLowering::lowerCatch(const Catch& c, TypeId target, ValueId dest) {
    Span operandStart{c.operand->span.begin, c.operand->span.begin + 1};
    bool isPure = false;
    TypeId success{};

    auto handle = [&](ValueId tag, TypeId set, ErrorNode* errors) -> Value {
        if (warns && set == TypeId::InferredErrors && errors) sema.warnings.catches.push_back({errors, c.keyword});
        Scope* saved = pushScope(c.body->span);
        Symbol* binding = nullptr;
        if (c.binding) {
            binding = newVariable(c.binding, set, LocalKind::ErrorBinding);
            binding->errors = errors;
            b.store(binding->address, tag);
        }
        uint32_t number = ++errorVariables.handlers;
        handlers.push_back({binding, cleanups.size(), number});
        if (binding) enterHandler(*this, number);
        Value v;
        auto* block = llvm::dyn_cast<BlockExpr>(c.body);
        if (isPure) {
            if (block) v = lowerBlock(*block, TypeId::None, ValueId::None, false);
            else if (auto* match = llvm::dyn_cast<Match>(c.body))
                v = lowerMatch(*match, TypeId::None, ValueId::None, false);
            else v = lower(c.body);
            if (!v.isError() && reachable()) v = Value::none();
        } else {
            if (block) v = lowerBlock(*block, success, ValueId::None, true);
            else if (auto* match = llvm::dyn_cast<Match>(c.body)) v = lowerMatch(*match, success, ValueId::None, true);
            else v = lower(c.body, success);
            if (!v.isError() && reachable()) {
                if (v.isVoid()) {
                    diags.error(c.span, "the `catch` body must yield " + withArticle(types, success) + " or leave")
                        .help(
                            "end the body with a value without `;`, or with `return`, `raise`, `break` or `continue`");
                    v = Value::error();
                } else {
                    v = convert(v, success, c.body->span);
                    // Out of the handler's scope: its own storage stays valid for the whole call.
                }
            }
        }
        handlers.pop_back();
        if (reachable()) b.emit(ir::Op::TraceAbsorb, TypeId::Void, {});
        popScope(saved);
        return v;
    };

    const Expr* inner = withoutParens(c.operand);
    if (isFallbackOr(inner)) {
        const auto& chain = *llvm::cast<Binary>(inner);
        bool used = false;
        Value v = lowerChain(chain, target, dest, [&](ValueId tag, TypeId set, ErrorNode* errors) {
            used = true;
            success = chainSuccess;
            isPure = success == TypeId::Void;
            return handle(tag, set, errors);
        });
        if (!v.isError() && !used) {
            diags.error(c.span, "nothing can reach this `catch`: the `or` chain ends in a plain value");
            return Value::error();
        }
        return v;
    }
    Failable f = lowerFailable(c.operand, target);
    if (f.whole.isError()) {
        orphanHandler(*this, c);
        return Value::error();
    }
    if (!reachable()) return Value::diverged();
    if (!f.failable) {
        bool isOptional = types.kind(f.whole.type) == TypeKind::Optional;
        diags.error(c.span, "`catch` needs a failable expression, and this cannot fail")
            .help(isOptional ? "a value for an absent one is written `x ?? VALUE`" : "drop the `catch`");
        return Value::error();
    }
    isPure = types.isErrorSet(f.whole.type);
    success = isPure ? TypeId::Void : types.successType(f.whole.type);
    if (success == TypeId::Void) isPure = true;
    return branchOnFailure(f, success == target ? dest : ValueId::None, c.span, [&] {
        traceFailure(f, operandStart);
        return handle(f.tag, f.set, f.errors);
    });
}

} // namespace sx::sema
