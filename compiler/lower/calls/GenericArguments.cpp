#include "lower/calls/GenericArguments.h"

#include "lower/body/Body.h"
#include "lower/body/Explain.h"
#include "lower/body/Probe.h"
#include "lower/body/Recursion.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/calls/Arguments.h"
#include "sema/Notes.h"
#include "sema/TypeExprs.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"

namespace sx::lower {

using namespace ast;

GenericArguments::GenericArguments(Body& l, FunctionTemplate& f, const Call& call, const Value* receiver)
    : l_(l), f_(f), call_(call), receiver_(receiver) {}

bool GenericArguments::plan() {
    if (!collect(receiver_)) return false;
    decideForm();
    return assign();
}

/// `$T: Type`: takes an argument in the explicit form only.
bool GenericArguments::isTypeSlot(size_t param) const {
    for (const GenericParam& g : f_.generics)
        if (g.slot == &f_.decl->params[param]) return g.kind == Binding::Kind::Type;
    return false;
}

// ------------------------------------------------------------------------------------ what is given

bool GenericArguments::collect(const Value* receiver) {
    if (receiver) {
        GenericArgument g;
        g.value = *receiver;
        g.isReceiver = true;
        list.push_back(std::move(g));
    }
    bool named = false;
    for (const Arg& a : call_.args) {
        if (named && !a.name) { return positionalAfterNamed(l_, a); }
        named |= bool(a.name);
        if (a.spread) {
            if (!addSpread(a)) return false;
            continue;
        }
        GenericArgument g;
        g.arg = &a;
        g.expr = a.value;
        list.push_back(std::move(g));
    }
    if (call_.trailingBlock) {
        GenericArgument g;
        g.block = call_.trailingBlock;
        list.push_back(std::move(g));
    }
    return true;
}

/// A spread of known length counts as that many arguments; one of a run-time slice can only be a whole tail.
bool GenericArguments::addSpread(const Arg& a) {
    const Param* last = f_.decl->params.empty() ? nullptr : &f_.decl->params.back();
    bool reachesTail = last && isSliceVariadic(l_.sema, *last) && list.size() + 1 >= paramCount();
    const auto* m = llvm::dyn_cast<Member>(withoutParens(a.value));
    bool isPack = packNamed(l_, a.value) || (m && packNamed(l_, m->base));
    if (reachesTail && !isPack) {
        TypeId type = peekType(l_, a.value);
        if (type == TypeId::None) type = probeExpr(l_, a.value).type;
        bool isAnonymous = l_.types.kind(type) == TypeKind::Struct && l_.types.structInfo(type).name.empty();
        if (l_.types.kind(type) != TypeKind::Tuple && !isAnonymous) {
            GenericArgument g;
            g.arg = &a;
            g.expr = a.value;
            g.isTailSpread = true;
            list.push_back(std::move(g));
            return true;
        }
    }
    llvm::SmallVector<Value, 8> values;
    if (!expandSpread(l_, a.value, a.span, values)) return false;
    for (const Value& v : values) {
        GenericArgument g;
        g.arg = &a;
        g.value = v;
        list.push_back(std::move(g));
    }
    return true;
}

void GenericArguments::decideForm() {
    bool hasSlots = false, hasTail = false;
    for (size_t i = 0; i < paramCount(); ++i) {
        hasSlots |= isTypeSlot(i);
        hasTail |= isTail(i);
    }
    if (!hasSlots) return;
    if (!hasTail) {
        isExplicit = list.size() == paramCount();
        return;
    }
    // With an open end the count tells nothing; types stand where types belong.
    isExplicit = list.size() + 1 >= paramCount();
    TypeContext quiet = typeContext(l_, true);
    for (size_t i = 0; isExplicit && i < paramCount(); ++i)
        if (isTypeSlot(i)) isExplicit = i < list.size() && list[i].expr && namesType(l_.sema, list[i].expr, quiet);
}

// ------------------------------------------------------------------------------------ what goes where

bool GenericArguments::assign() {
    llvm::SmallVector<bool, 8> taken(paramCount(), false);
    size_t next = 0;
    auto skipSlots = [&] {
        while (next < paramCount() && !isExplicit && isTypeSlot(next)) ++next;
    };
    for (GenericArgument& g : list) {
        if (g.block || (g.arg && g.arg->name)) continue;
        skipSlots();
        if (next >= paramCount()) return wrongCount();
        g.param = next;
        taken[next] = true;
        if (!isTail(next)) ++next;
    }
    if (!assignNamed(taken)) return false;
    if (call_.trailingBlock && !assignBlock(taken)) return false;
    return checkMissing(taken);
}

bool GenericArguments::assignNamed(llvm::SmallVectorImpl<bool>& taken) {
    for (GenericArgument& g : list) {
        if (!g.arg || !g.arg->name) continue;
        std::string name = code(l_.sema, g.arg->name.name);
        size_t i = 0;
        while (i < paramCount() && f_.decl->params[i].name.name != g.arg->name.name) ++i;
        if (i == paramCount()) {
            std::vector<std::string_view> names;
            for (const Param& p : f_.decl->params) names.push_back(l_.sema.names.text(p.name.name));
            return unknownParameter(l_, *g.arg, code(f_.qualifiedName), f_, names);
        }
        if (f_.decl->params[i].variadic || f_.decl->params[i].comptime) {
            l_.diags.error(g.arg->span, "the parameter " + name + " cannot be given by name: it is " +
                                            (f_.decl->params[i].variadic ? "variadic" : "a compile-time parameter"));
            return false;
        }
        if (taken[i]) {
            l_.diags.error(g.arg->span, "the parameter " + name + " is given twice");
            return false;
        }
        taken[i] = true;
        g.param = i;
    }
    return true;
}

bool GenericArguments::assignBlock(llvm::SmallVectorImpl<bool>& taken) {
    Span at = blockSpan(*call_.trailingBlock);
    size_t last = paramCount();
    if (last-- == 0) return wrongCount();
    const Param& p = f_.decl->params[last];
    const Expr* type = withoutParens(p.type);
    if (const auto* optional = llvm::dyn_cast_or_null<OptionalType>(type)) type = withoutParens(optional->inner);
    const auto* closure = llvm::dyn_cast_or_null<ClosureType>(type);
    bool isName =
        llvm::isa_and_nonnull<NameRef>(type) || llvm::isa_and_nonnull<Member>(type); // an alias, decided by its type
    if (p.variadic || p.comptime || (closure ? !closure->params.empty() : !isName)) {
        l_.diags.error(at,
                       "a trailing block needs a last parameter that is a closure without parameters, and that of " +
                           code(f_.qualifiedName) + " is none");
        return false;
    }
    if (taken[last]) {
        bool byName = false;
        for (const GenericArgument& g : list) byName |= g.param == last && g.arg && g.arg->name;
        if (!byName) return wrongCount();
        return blockGivenByName(l_, at, p.name.name);
    }
    taken[last] = true;
    for (GenericArgument& g : list)
        if (g.block) g.param = last;
    return true;
}

bool GenericArguments::checkMissing(llvm::ArrayRef<bool> taken) {
    std::string missing;
    bool named = false;
    for (const Arg& a : call_.args) named |= bool(a.name);
    for (size_t i = 0; i < paramCount(); ++i) {
        const Param& p = f_.decl->params[i];
        bool isOmittedSlot = !isExplicit && isTypeSlot(i);
        if (taken[i] || p.variadic || p.defaultValue || isOmittedSlot) continue;
        if (!named) return wrongCount();
        missing += (missing.empty() ? "" : ", ") + code(l_.sema, p.name.name);
    }
    if (missing.empty()) return true;
    noteFunction(l_.diags.error(call_.callee->span, code(f_.qualifiedName) + " is called without " + missing), f_);
    return false;
}

bool GenericArguments::wrongCount() {
    size_t least = 0, most = 0, slots = 0, given = list.size();
    bool open = false;
    for (size_t i = 0; i < paramCount(); ++i) {
        const Param& p = f_.decl->params[i];
        if (isTail(i)) open = true;
        else if (isTypeSlot(i)) ++slots;
        else ++most, least += !p.defaultValue;
    }
    if (receiver_) { // it is not counted
        least -= least > 0;
        most -= most > 0;
        given -= 1;
    }
    std::string takes = argumentRange(least, most, open);
    if (slots > 0 && !open) takes += " (" + std::to_string(most + slots) + " with its types written)";
    std::string message = code(f_.qualifiedName) + " takes " + takes + ", but " + givenCount(given);
    noteFunction(l_.diags.error(call_.callee->span, message), f_);
    return false;
}

} // namespace sx::lower
