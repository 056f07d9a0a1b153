#include "lower/calls/Generics.h"

#include "lower/body/Body.h"
#include "lower/body/ComptimeCode.h"
#include "lower/body/Explain.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/calls/Arguments.h"
#include "lower/calls/Closures.h"
#include "lower/calls/Formats.h"
#include "lower/calls/FunctionValues.h"
#include "lower/calls/GenericArguments.h"
#include "lower/calls/Inference.h"
#include "lower/values/ConversionErrors.h"
#include "lower/values/Variants.h"
#include "sema/Constants.h"
#include "sema/Functions.h"
#include "sema/Impls.h"
#include "sema/Nominal.h"
#include "sema/Notes.h"
#include "sema/TypeExprs.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

namespace {

/// Instances within instances; a function that calls itself with an ever larger type reaches it.
constexpr unsigned MaxInstanceDepth = 120;

bool hidesType(const Binding& b) { return llvm::is_contained(b.packTypes, TypeId::None); }

bool isVariantLiteral(const Expr* e) {
    e = withoutParens(e);
    if (const auto* call = llvm::dyn_cast<Call>(e)) e = withoutParens(call->callee);
    if (const auto* braces = llvm::dyn_cast<StructLit>(e)) e = withoutParens(braces->type);
    return llvm::isa_and_nonnull<EnumLit>(e);
}

/// A tag that nothing expects stays an error, which shows its name; anywhere else it is a number.
TypeId packTarget(const Expr* e) {
    return llvm::isa<ErrorTag>(withoutParens(e)) ? TypeId::InferredErrors : TypeId::None;
}

/// Expressions whose meaning or type comes from what is expected of them.
bool needsTarget(const Expr* e) {
    e = withoutParens(e);
    switch (e->kind) {
    case ExprKind::EnumLit:
    case ExprKind::ErrorTag:
    case ExprKind::Null:
    case ExprKind::Undef:
    case ExprKind::CallerLocation: return true;
    case ExprKind::StructLit: return !static_cast<const StructLit*>(e)->type;
    case ExprKind::ArrayLit: return !static_cast<const ArrayLit*>(e)->type;
    case ExprKind::Call: return llvm::isa<EnumLit>(static_cast<const Call*>(e)->callee);
    case ExprKind::Unary: return static_cast<const Unary*>(e)->op == UnaryOp::Xx;
    case ExprKind::If:
        return (static_cast<const If*>(e)->then && needsTarget(static_cast<const If*>(e)->then)) ||
               (static_cast<const If*>(e)->otherwise && needsTarget(static_cast<const If*>(e)->otherwise));
    case ExprKind::Block:
    case ExprKind::Match: return true;
    default: return false;
    }
}

bool isBound(const Binding& b) {
    switch (b.kind) {
    case Binding::Kind::Type: return b.type != TypeId::None;
    case Binding::Kind::Value: return !b.value.isNone();
    case Binding::Kind::Pack: return true;
    }
    return false;
}

FunctionInstance* enclosingInstance(const Body& body) {
    for (const Body* l = &body; l; l = l->parent)
        if (l->instance) return l->instance;
    return nullptr;
}

} // namespace

const Expr* outermostCall(const Body& body, const Call& call) {
    if (FunctionInstance* outer = enclosingInstance(body); outer && outer->askedFrom) return outer->askedFrom;
    return body.modes.outermostCall ? body.modes.outermostCall : &call;
}

namespace {

/// The name that a part of a type pattern mentions: `T`, `$T`; None: it is something else.
Name mentionedName(const Expr* e) {
    if (const auto* ref = llvm::dyn_cast<NameRef>(e)) return ref->id.name;
    const auto* sigil = llvm::dyn_cast<TypeParam>(e);
    return sigil ? sigil->id.name : Name::None;
}

class CallInference {
public:
    CallInference(Body& l, FunctionTemplate& f, const Call& call, const Value* receiver)
        : l_(l), sema_(l.sema), types_(l.types), f_(f), call_(call), given_(l, f, call, receiver) {
        for (const GenericParam& g : f.generics) {
            Binding b;
            b.name = g.name;
            b.kind = g.kind;
            bindings_.push_back(std::move(b));
        }
    }

    FunctionInstance* run(llvm::SmallVectorImpl<Value>& lowered, llvm::SmallVectorImpl<const Arg*>& args,
                          bool& tailSpread) {
        if (!given_.plan()) return nullptr;
        values_.resize(given_.list.size());
        bool ok = true;
        for (size_t i : order()) {
            // Once an argument is rejected, what would bind the type of a later one may be missing.
            bool mayLackType = !ok && given_.list[i].expr &&
                               (needsTarget(given_.list[i].expr) || llvm::isa<Lambda>(given_.list[i].expr));
            if (!mayLackType) ok &= take(i);
        }
        if (!ok || !defaultComptime() || !allBound()) return nullptr;
        FunctionInstance* inst = instantiate();
        if (!inst || inst->signatureFailed) return nullptr;
        orderByParameter(*inst, lowered, args, tailSpread);
        return inst;
    }

private:
    const Param& param(size_t i) const { return f_.decl->params[i]; }
    Span spanOf(const GenericArgument& g) const {
        return g.arg ? g.arg->value->span : g.block ? blockSpan(*g.block) : call_.callee->span;
    }

    const GenericParam* slotOf(size_t i) const {
        for (const GenericParam& g : f_.generics)
            if (g.slot == &param(i)) return &g;
        return nullptr;
    }
    Binding& bindingOf(Name name) {
        for (Binding& b : bindings_)
            if (b.name == name) return b;
        llvm_unreachable("every generic parameter has a binding");
    }

    /// As they are written; but a lambda waits for the arguments of a pack whose types its parameters have, if these do
    /// not show.
    llvm::SmallVector<size_t, 8> order() {
        llvm::SmallVector<size_t, 8> first, waiting;
        for (size_t i = 0; i < given_.list.size(); ++i) {
            const GenericArgument& g = given_.list[i];
            bool isLambda = g.expr && llvm::isa<Lambda>(withoutParens(g.expr)) && param(g.param).type;
            (isLambda && mentionsPendingPack(param(g.param).type) && llvm::any_of(peekedBindings(), hidesType) ? waiting
                                                                                                               : first)
                .push_back(i);
        }
        first.append(waiting);
        return first;
    }

    // ---- one argument

    bool take(size_t i) {
        GenericArgument& g = given_.list[i];
        const GenericParam* slot = slotOf(g.param);
        if (!slot) return takeValue(i);
        switch (slot->kind) {
        case Binding::Kind::Type: return takeType(g, *slot);
        case Binding::Kind::Value: return takeConstant(i, *slot);
        case Binding::Kind::Pack: return takePackElement(i, *slot);
        }
        return false;
    }

    bool takeType(GenericArgument& g, const GenericParam& slot) {
        if (!g.expr) {
            l_.diags.error(spanOf(g), code("$" + sema_.text(slot.name)) + " needs a type here");
            return false;
        }
        TypeId t = functionTypeNamed(l_, g.expr);
        if (t == TypeId::None) t = resolveType(sema_, g.expr, typeContext(l_));
        if (t == TypeId::None) return false;
        bindingOf(slot.name).type = t;
        fixed_.push_back(slot.name);
        return true;
    }

    bool takeConstant(size_t i, const GenericParam& slot) {
        GenericArgument& g = given_.list[i];
        Binding& b = bindingOf(slot.name);
        b.type = resolve(param(g.param).type, bindings_, false);
        if (b.type == TypeId::None) return false;
        fixed_.push_back(slot.name);
        if (!g.expr) {
            l_.diags.error(spanOf(g),
                           "the argument for " + code("$" + sema_.text(slot.name)) + " must be known while compiling");
            return false;
        }
        if (isTaggedEnum(types_, b.type)) return takeVariant(i, b);
        if (types_.kind(b.type) == TypeKind::Enum && needsRunTime(l_, g.expr)) return rejectVariant(g, b);
        bool format = isFormat(sema_, f_, g.param);
        if (format && rejectRunTimeFormat(l_, f_, call_, g.expr)) return false;
        size_t before = l_.diags.all().size();
        std::optional<TypedConstant> c = evaluateComptime(
            l_, g.expr, b.type, "the argument " + code(sema_, slot.name) + " of " + code(f_.qualifiedName),
            Wants::Argument);
        if (!c && format) suggestFormat(l_, before, call_, g.expr);
        if (!c) return false;
        b.value = c->value;
        if (format && c->value.kind == ConstValue::Kind::String)
            warnOfFormat(l_, f_, g.expr, c->value.s, valueSpans(g.param + 1));
        if (!isInteger(types_, b.type) || !c->value.isInt() || fitsInteger(types_, b.type, c->value.i)) return true;
        l_.diags.error(g.expr->span, "this argument is out of range for " + code("$" + sema_.text(slot.name)) +
                                         ", which is of type " + code(types_, b.type));
        return false;
    }

    llvm::SmallVector<Span, 8> valueSpans(size_t pack) {
        llvm::SmallVector<Span, 8> spans;
        for (const GenericArgument& g : given_.list)
            if (g.param == pack) spans.push_back(spanOf(g));
        return spans;
    }

    /// Only the variant must be constant; the value is passed at run time.
    bool takeVariant(size_t i, Binding& b) {
        GenericArgument& g = given_.list[i];
        if (!completeDeep(sema_, b.type, g.expr->span)) return false;
        std::optional<int64_t> variant = knownVariant(l_, g.expr, b.type);
        if (variant || isVariantLiteral(g.expr)) {
            values_[i] = snapshotOf(lowerTo(l_, g.expr, b.type), i);
            if (values_[i].isError() || !variant) return false;
            b.value = ConstValue::ofInt(*variant);
            return true;
        }
        const Expr* e = withoutParens(g.expr);
        bool mayBeKnown =
            llvm::isa<Call>(e) || isConstantExpression(sema_, e, l_.scope, l_.scopeLimit, &l_.currentFile());
        if (!mayBeKnown || needsRunTime(l_, e)) return rejectVariant(g, b);
        std::optional<TypedConstant> c = evaluateComptime(
            l_, e, b.type, "the argument " + code(sema_, b.name) + " of " + code(f_.qualifiedName), Wants::Argument);
        if (!c) return false;
        values_[i] = valueOfConstant(b.type, c->value);
        return bindTag(c->value, b);
    }

    bool rejectVariant(const GenericArgument& g, const Binding& b) {
        l_.diags.error(g.expr->span, "the argument for " + code("$" + sema_.text(b.name)) +
                                         " must be a variant that is known while compiling");
        return false;
    }

    bool bindTag(const ConstValue& whole, Binding& b) {
        ir::ConstData bytes;
        bytes.bytes.resize(sizeOf(types_, b.type));
        if (!writeConstant(sema_, whole, b.type, bytes, 0)) return false;
        b.value = readConstant(sema_, bytes, 0, types_.enumInfo(b.type).backing);
        return b.value.isInt();
    }

    bool takePackElement(size_t i, const GenericParam& slot) {
        GenericArgument& g = given_.list[i];
        Value v = g.expr    ? lower(l_, g.expr, packTarget(g.expr))
                  : g.block ? lowerLambda(l_, *g.block, TypeId::None, blockSpan(*g.block))
                            : g.value;
        if (v.isConst() && v.type == TypeId::Null) v = convert(l_, v, pointerTo(types_, TypeId::Void), spanOf(g));
        if (v.isError() || !requireValue(l_, v, spanOf(g))) return false;
        if (!checkPackProtocol(g, v.type)) return false;
        bindingOf(slot.name).packTypes.push_back(v.type);
        values_[i] = snapshotOf(v, i);
        return true;
    }

    /// `..xs: P`: each argument needs an impl, or is a `P` already.
    bool checkPackProtocol(const GenericArgument& g, TypeId type) {
        const Param& p = param(g.param);
        if (!p.type || p.comptime) return true;
        TypeContext declared = declaredContext(bindings_);
        declared.quiet = true;
        bool isName = llvm::isa<NameRef>(p.type) || llvm::isa<Member>(p.type);
        Symbol* head = isName ? typeHead(sema_, p.type, declared) : nullptr;
        bool ok = true;
        if (head && head->kind == SymbolKind::GenericProtocol) {
            NominalInfo* info = nominal(sema_, type);
            ok = (info && info->protocolTemplate == head->protocolTemplate) ||
                 !implsOf(sema_, *head->protocolTemplate, type).empty();
        } else {
            TypeId protocol = resolveType(sema_, p.type, declared);
            if (types_.kind(protocol) != TypeKind::Protocol) return true;
            ok = type == protocol || findImpl(sema_, protocol, type);
        }
        if (!ok)
            l_.diags.error(spanOf(g), code(types_, type) + " has no impl of " +
                                          code(sema_.sources.textOf(p.type->span)) + ", which the pack " +
                                          code(sema_, p.name.name) + " needs");
        return ok;
    }

    bool takeValue(size_t i) {
        GenericArgument& g = given_.list[i];
        const Param& p = param(g.param);
        const Expr* pattern = p.type;
        if (p.variadic && !g.isTailSpread) pattern = static_cast<const SliceType*>(withoutParens(p.type))->elem;
        Value v = lowered(g, pattern);
        if (v.isError()) return false;
        if (v.kind != Value::Kind::Function && !requireValue(l_, v, spanOf(g))) return false;
        infer(pattern, v, g.isReceiver);
        if (pattern && llvm::isa<SliceType>(withoutParens(pattern)) && holdsItems(l_, v.type)) {
            l_.diags.error(spanOf(g), withArticle(types_, v.type) + " is no slice")
                .note(p.name.span, "the parameter " + code(sema_, p.name.name) + " is declared here")
                .help("its elements are a slice: write `.items` behind it");
            return false;
        }
        bool isUnbound = v.kind == Value::Kind::Function && resolve(pattern, bindings_) == TypeId::None;
        if (isUnbound && !requireValue(l_, v, spanOf(g))) return false;
        bool wantsAddress = pattern && llvm::isa<Unary>(withoutParens(pattern));
        values_[i] = wantsAddress && v.lvalue ? v : snapshotOf(v, i);
        return true;
    }

    Value lowered(const GenericArgument& g, const Expr* pattern) {
        if (g.block) return lowerLambda(l_, *g.block, lambdaTarget(pattern, *g.block), blockSpan(*g.block));
        if (!g.expr) return g.value;
        if (const auto* lambda = llvm::dyn_cast<Lambda>(withoutParens(g.expr)))
            return lower(l_, g.expr, lambdaTarget(pattern, *lambda->fn));
        return lower(l_, g.expr, targetFor(pattern, g.expr));
    }

    /// The value as it is now: a later argument may change the variable that it stands for.
    Value snapshotOf(const Value& v, size_t i) {
        if (!toLastImpure_) {
            size_t n = given_.list.size();
            while (n > 0 && (!given_.list[n - 1].expr || isTriviallyPure(given_.list[n - 1].expr))) --n;
            toLastImpure_ = n;
        }
        return snapshot(l_, v, i + 1 < *toLastImpure_);
    }

    // ---- what an argument is told

    /// A type parameter that an argument decides may still change: literals keep their own type then.
    TypeId targetFor(const Expr* pattern, const Expr* e) {
        if (!dependsOnInference(pattern)) return resolve(pattern, bindings_, false);
        if (!needsTarget(e)) return TypeId::None;
        TypeId t = mentionsPendingPack(pattern) ? TypeId::None : resolve(pattern, bindings_);
        return t != TypeId::None ? t : resolve(pattern, peekedBindings());
    }

    /// `..xs.T` before the arguments of `xs`.
    bool mentionsPendingPack(const Expr* pattern) {
        return anyInType(pattern, [&](const Expr* e) {
            Name name = mentionedName(e);
            for (size_t i = 0; name != Name::None && i < given_.list.size(); ++i) {
                const GenericParam* slot = slotOf(given_.list[i].param);
                if (slot && slot->kind == Binding::Kind::Pack && slot->name == name && values_[i].isError())
                    return true;
            }
            return false;
        });
    }

    bool dependsOnInference(const Expr* pattern) {
        return anyInType(pattern, [&](const Expr* e) {
            Name n = mentionedName(e);
            if (n == Name::None || llvm::is_contained(fixed_, n)) return false;
            return llvm::any_of(bindings_, [&](const Binding& b) { return b.name == n; });
        });
    }

    /// The closure type that a lambda is told: its result is None where only the lambda itself can tell it.
    TypeId lambdaTarget(const Expr* pattern, const FunctionDecl& lambda) {
        const Expr* shape = withoutParens(pattern);
        if (const auto* optional = llvm::dyn_cast_or_null<OptionalType>(shape)) shape = withoutParens(optional->inner);
        const auto* closure = llvm::dyn_cast_or_null<ClosureType>(shape);
        const auto* function = llvm::dyn_cast_or_null<FunctionType>(shape);
        if (!closure && !function) return resolve(pattern, bindings_);
        TypeId whole = dependsOnInference(pattern) ? TypeId::None : resolve(pattern, bindings_, false);
        if (whole != TypeId::None) return whole;
        Bindings known = peekedBindings();
        llvm::SmallVector<TypeId, 8> params;
        for (const TypeElem& e : closure ? closure->params : function->params) {
            if (!e.spread) {
                params.push_back(lambdaParam(e.type, known, lambda, params.size()));
                continue;
            }
            spreadParams(e, known, lambda, params);
        }
        const Expr* written = closure ? closure->result : function->result;
        TypeId result = written ? resolve(written, bindings_, true, true) : TypeId::Void;
        if (closure) return closureTypeOf(types_, params, result);
        return functionTypeOf(types_, params, result, function->abi == Abi::Sx ? CallConv::Sx : CallConv::C);
    }

    /// `..$args`, `..xs.T`: where the type of an argument does not show yet, the lambda's own types count.
    void spreadParams(const TypeElem& e, const Bindings& known, const FunctionDecl& lambda,
                      llvm::SmallVectorImpl<TypeId>& params) {
        const auto* pack = llvm::dyn_cast<TypeParam>(e.type);
        for (const Binding& b : known)
            if (pack && b.name == pack->id.name) params.append(b.packTypes.begin(), b.packTypes.end());
        TypeContext context = declaredContext(known);
        context.quiet = true;
        if (pack || (llvm::none_of(known, hidesType) && resolveSpread(sema_, e, context, params))) return;
        while (params.size() < lambda.params.size())
            params.push_back(lambdaParam(nullptr, known, lambda, params.size()));
    }

    TypeId lambdaParam(const Expr* pattern, const Bindings& known, const FunctionDecl& lambda, size_t i) {
        TypeId t = resolve(pattern, known);
        if (t != TypeId::None || i >= lambda.params.size() || !lambda.params[i].type) return t;
        return resolveType(sema_, lambda.params[i].type, typeContext(l_, true));
    }

    /// What is bound, and what arguments that are still to come will bind as far as it shows.
    Bindings peekedBindings() {
        Bindings known = bindings_;
        for (size_t i = 0; i < given_.list.size(); ++i) {
            const GenericArgument& g = given_.list[i];
            bool isSpread = !g.expr && !g.block && !g.isReceiver;
            if ((!g.expr && !isSpread) || !values_[i].isError() || g.param == SIZE_MAX) continue;
            const Param& p = param(g.param);
            const GenericParam* slot = slotOf(g.param);
            if (slot && slot->kind != Binding::Kind::Pack) continue;
            TypeId t = g.expr ? peekType(l_, g.expr) : g.value.type;
            if (slot) {
                for (Binding& b : known)
                    if (b.name == slot->name) b.packTypes.push_back(t);
            } else if (t != TypeId::None && p.type) {
                Bindings before = known;
                const Expr* pattern =
                    p.variadic && !g.isTailSpread ? static_cast<const SliceType*>(withoutParens(p.type))->elem : p.type;
                if (!inferFromType(l_, pattern, t, known, declaredContext({}))) known = std::move(before);
            }
        }
        return known;
    }

    // ---- binding

    void infer(const Expr* pattern, const Value& v, bool isReceiver) {
        if (!pattern || matches(pattern, valueType(v))) return;
        Value payload = v.kind == Value::Kind::Function ? v : narrowedValue(l_, v);
        if (payload.type != v.type && matches(pattern, payload.type)) return;
        if (isReceiver && types_.kind(v.type) == TypeKind::Pointer) matches(pattern, types_.elem(v.type));
    }

    TypeId valueType(const Value& v) {
        if (v.kind != Value::Kind::Function) return v.type;
        if (!v.function || v.function->isGeneric || v.function->isIntrinsic) return TypeId::None;
        FunctionInstance* inst = instance(sema_, *v.function, {}, call_.span);
        if (!inst || inst->signatureFailed || resultOf(sema_, *inst, call_.span) == TypeId::None) return TypeId::None;
        return inst->type;
    }

    bool matches(const Expr* pattern, TypeId actual) {
        Bindings trial = bindings_;
        if (!inferFromType(l_, pattern, actual, trial, declaredContext({}))) return false;
        for (size_t i = 0; i < bindings_.size(); ++i)
            if (!llvm::is_contained(fixed_, bindings_[i].name) && !hasPackSlot(bindings_[i]))
                bindings_[i] = std::move(trial[i]);
        return true;
    }

    /// The arguments of a pack parameter bind it, not a closure over it.
    bool hasPackSlot(const Binding& b) const {
        return b.kind == Binding::Kind::Pack &&
               llvm::any_of(f_.generics, [&](const GenericParam& g) { return g.name == b.name && g.slot; });
    }

    /// Where the function's signature resolves, with what these bindings know.
    TypeContext declaredContext(const Bindings& known) {
        TypeContext c;
        c.scope = f_.env;
        c.limit = f_.envLimit;
        c.file = f_.file;
        if (known.empty()) return c;
        Bindings bound;
        for (const Binding& b : known)
            if (isBound(b)) bound.push_back(b);
        c.scope = bindingScope(sema_, f_.env, f_.envLimit, f_.file, TypeId::None, bound);
        c.limit = UINT32_MAX;
        limitPacks(sema_, *f_.decl, c);
        return c;
    }

    /// The type that a pattern means; None while a parameter that it mentions is not bound.
    TypeId resolve(const Expr* pattern, const Bindings& known, bool quiet = true, bool isResult = false) {
        if (!pattern) return TypeId::None;
        bool open = anyInType(pattern, [&](const Expr* e) {
            Name n = mentionedName(e);
            if (n == Name::None) return false;
            return llvm::any_of(known, [&](const Binding& b) { return b.name == n && (!isBound(b) || hidesType(b)); });
        });
        if (open) return TypeId::None;
        TypeContext c = declaredContext(known);
        c.quiet = quiet;
        TypeId t = isResult ? resolveResultType(sema_, pattern, c) : resolveType(sema_, pattern, c);
        if (t != TypeId::None) completeReachable(sema_, t);
        return t;
    }

    // ---- the instance

    /// `$n: i64 = 4` that the call leaves out.
    bool defaultComptime() {
        bool ok = true;
        for (size_t i = 0; i < f_.decl->params.size(); ++i) {
            const GenericParam* slot = slotOf(i);
            bool isOmitted = slot && slot->kind == Binding::Kind::Value && param(i).defaultValue &&
                             llvm::none_of(given_.list, [&](const GenericArgument& g) { return g.param == i; });
            if (!isOmitted) continue;
            Binding& b = bindingOf(slot->name);
            b.type = resolve(param(i).type, bindings_, false);
            ok &= b.type != TypeId::None &&
                  bindValueArgument(sema_, param(i).defaultValue, declaredContext(bindings_), slot->name, b);
            if (ok && isTaggedEnum(types_, b.type)) ok = bindTag(b.value, b);
        }
        return ok;
    }

    bool allBound() {
        for (const Binding& b : bindings_) {
            if (isBound(b)) continue;
            noteFunction(l_.diags.error(call_.callee->span, "cannot infer " + code("$" + sema_.text(b.name)) + " of " +
                                                                code(f_.qualifiedName) +
                                                                ": no argument here determines it"),
                         f_);
            return false;
        }
        return true;
    }

    FunctionInstance* instantiate() {
        FunctionInstance* outer = enclosingInstance(l_);
        unsigned depth = 0;
        for (FunctionInstance* i = outer; i; i = i->instantiatedBy) ++depth;
        if (depth > MaxInstanceDepth) {
            l_.diags.error(call_.callee->span, code(f_.qualifiedName) + " is instantiated more than " +
                                                   std::to_string(MaxInstanceDepth) +
                                                   " instances deep: each one asks for another");
            return nullptr;
        }
        FunctionInstance* inst = instance(sema_, f_, bindings_, call_.span);
        if (inst && !inst->instantiatedAt) {
            inst->instantiatedBy = outer;
            inst->askedBy = &call_;
            inst->instantiatedAt = outer && outer->instantiatedAt ? outer->instantiatedAt
                                   : l_.modes.outermostCall       ? l_.modes.outermostCall
                                                                  : &call_;
            inst->askedFrom = outermostCall(l_, call_);
        }
        return inst;
    }

    void orderByParameter(const FunctionInstance& inst, llvm::SmallVectorImpl<Value>& lowered,
                          llvm::SmallVectorImpl<const Arg*>& args, bool& tailSpread) {
        for (size_t p = 0; p < inst.params.size(); ++p) {
            const ParamInfo& info = inst.params[p];
            if (info.isComptime) continue;
            bool any = info.isPack || info.isVariadic;
            for (size_t i = 0; i < given_.list.size(); ++i) {
                const GenericArgument& g = given_.list[i];
                if (g.param != p) continue;
                any = true;
                tailSpread |= g.isTailSpread;
                lowered.push_back(values_[i]);
                args.push_back(g.arg);
            }
            if (any) continue;
            lowered.push_back(Value::none());
            args.push_back(nullptr);
        }
    }

    Body& l_;
    Sema& sema_;
    TypeTable& types_;
    FunctionTemplate& f_;
    const Call& call_;
    GenericArguments given_;
    Bindings bindings_;                ///< in order of introduction
    llvm::SmallVector<Name, 4> fixed_; ///< written by the call: inference does not touch them
    std::vector<Value> values_;        ///< parallel to given_.list; Error: not lowered (yet), or compile-time only
    /// Of `given_.list`: how many there are up to the last one that may change a variable. Counted when it is asked
    /// for.
    std::optional<size_t> toLastImpure_;
};

} // namespace

Inferred inferInstance(Body& f, FunctionTemplate& callee, const Call& call, const Value* receiver) {
    Inferred result;
    result.instance = CallInference(f, callee, call, receiver).run(result.args, result.written, result.tailSpread);
    return result;
}

} // namespace sx::lower
