#include "lower/calls/Methods.h"

#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Explain.h"
#include "lower/body/NullChecks.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/calls/Calls.h"
#include "lower/calls/Inference.h"
#include "lower/calls/MissingMethods.h"
#include "lower/values/Access.h"
#include "lower/values/Conversions.h"
#include "lower/values/Protocols.h"
#include "sema/Declare.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/Notes.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Parts.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

namespace {

// ------------------------------------------------------------------------------------ fields

/// Type of the field, slot, member or payload called `name`; None if there is none.
TypeId fieldType(Body& f, TypeId type, Name name) {
    if (!complete(f.sema, type)) return TypeId::None;
    TypeTable& types = f.types;
    switch (types.kind(type)) {
    case TypeKind::Struct: {
        const StructInfo& info = types.structInfo(type);
        auto it = info.index.find(name);
        return it == info.index.end() ? TypeId::None : info.fields[it->second].type;
    }
    case TypeKind::Tuple:
        for (const TupleField& field : types.tupleFields(type))
            if (field.name == name) return field.type;
        return TypeId::None;
    case TypeKind::Union:
        for (const UnionMember& member : types.unionInfo(type).members)
            if (member.name == name) return member.type;
        return TypeId::None;
    case TypeKind::Enum: {
        const EnumInfo& info = types.enumInfo(type);
        auto it = info.index.find(name);
        return it == info.index.end() ? TypeId::None : info.variants[it->second].payload;
    }
    default: return TypeId::None;
    }
}

bool isCallable(const TypeTable& types, TypeId t) {
    return types.kind(t) == TypeKind::Closure || types.kind(t) == TypeKind::Function;
}

// ------------------------------------------------------------------------------------ ufcs functions

/// How well a ufcs function fits a receiver. A structured first parameter beats a bare `$T` or `*$T`.
enum class Fit : uint8_t { None, Converted, Bare, Structured };

bool isBareParameter(const Expr* pattern) {
    if (const auto* pointer = llvm::dyn_cast<Unary>(pattern); pointer && pointer->op == UnaryOp::AddrOf)
        pattern = pointer->operand;
    return llvm::isa<TypeParam>(pattern) || llvm::isa<NameRef>(pattern);
}

Fit fitOfType(Body& f, const Value& receiver, TypeId param) {
    TypeTable& types = f.types;
    if (sameType(f.sema, receiver.type, param)) return Fit::Structured;
    if (types.kind(param) == TypeKind::Pointer && sameType(f.sema, types.elem(param), receiver.type))
        return Fit::Structured;
    if (types.kind(receiver.type) == TypeKind::Pointer && sameType(f.sema, types.elem(receiver.type), param))
        return Fit::Structured;
    return convertible(f, receiver, param) ? Fit::Converted : Fit::None;
}

/// Matches the first parameter of a generic function with the receiver, its address, or what it points at.
Fit fitOfPattern(Body& f, const Value& receiver, const FunctionTemplate& tmpl) {
    const Expr* pattern = tmpl.decl->params.front().type;
    if (!pattern) return Fit::None;
    TypeContext context;
    context.scope = tmpl.env;
    context.limit = tmpl.envLimit;
    context.file = tmpl.file;
    context.quiet = true;
    if (namesType(f.sema, pattern, context))
        if (TypeId type = resolveType(f.sema, pattern, context); type != TypeId::None)
            return fitOfType(f, receiver, type);
    auto matches = [&](TypeId actual) {
        Bindings bindings;
        for (const GenericParam& p : tmpl.generics) {
            Binding binding;
            binding.name = p.name;
            binding.kind = p.kind;
            bindings.push_back(binding);
        }
        return inferFromType(f, pattern, actual, bindings, context);
    };
    bool fits = matches(receiver.type) || matches(pointeeOrSelf(f.types, receiver.type));
    return !fits ? Fit::None : isBareParameter(pattern) ? Fit::Bare : Fit::Structured;
}

/// The parameters could take this many arguments after the receiver.
bool fitsCount(const FunctionTemplate& tmpl, const Call& call) {
    size_t given = call.args.size() + (call.trailingBlock ? 1 : 0), least = 0, most = 0;
    for (const Param& p : tmpl.decl->params.drop_front()) {
        if (p.variadic) return true;
        ++most;
        if (!p.defaultValue && !p.comptime) ++least;
    }
    for (const Arg& arg : call.args)
        if (arg.spread) return true;
    return given >= least && given <= most;
}

Fit fitOf(Body& f, const Value& receiver, FunctionTemplate& tmpl, const Call* call) {
    if (tmpl.decl->params.empty() || (call && !fitsCount(tmpl, *call))) return Fit::None;
    if (tmpl.isGeneric) return fitOfPattern(f, receiver, tmpl);
    FunctionInstance* instance = sema::instance(f.sema, tmpl, {}, {});
    if (!instance || instance->signatureFailed || instance->params.empty()) return Fit::None;
    return fitOfType(f, receiver, instance->params.front().type);
}

} // namespace

bool takesReceiver(Body& f, const Value& receiver, FunctionTemplate& tmpl) {
    return fitOf(f, receiver, tmpl, nullptr) != Fit::None;
}

namespace {

struct UfcsChoice {
    FunctionTemplate* best = nullptr;
    bool tie = false;
};

UfcsChoice mostSpecific(Body& f, const Value& receiver, llvm::ArrayRef<FunctionTemplate*> candidates,
                        const Call* call) {
    UfcsChoice choice;
    Fit bestFit = Fit::None;
    for (FunctionTemplate* candidate : candidates) {
        Fit fit = fitOf(f, receiver, *candidate, call);
        if (fit == Fit::None || fit < bestFit) continue;
        choice.tie = fit == bestFit;
        if (fit > bestFit) choice.best = candidate;
        bestFit = fit;
    }
    return choice;
}

/// The ufcs function that a dot-call means, or null. Sets `failed` after a report.
FunctionTemplate* chooseUfcs(Body& f, const Value& receiver, const Member& m, const Call* call, bool& failed) {
    failed = false;
    for (bool visibleOnly : {true, false}) {
        std::vector<FunctionTemplate*> candidates =
            ufcsCandidates(f.sema, m.name.name, f.scope, f.scopeLimit, &f.currentFile(), visibleOnly);
        UfcsChoice choice = mostSpecific(f, receiver, candidates, call);
        if (!choice.best && call)
            choice = mostSpecific(f, receiver, candidates, nullptr); // the count is reported by the call
        if (!choice.best) continue;
        if (choice.tie && visibleOnly) {
            failed = true;
            Diagnostic& d = f.diags.error(m.span, "more than one `ufcs` function " + code(f.sema, m.name.name) +
                                                      " fits " + withArticle(f.types, receiver.type));
            for (FunctionTemplate* candidate : candidates) d.note(candidate->decl->name.span, "one is declared here");
            return nullptr;
        }
        return choice.best;
    }
    return nullptr;
}

/// For editors: the name in a call with a dot is the function's own, or that of an alias.
void noteUfcs(Body& f, const Member& m, const FunctionTemplate& function) {
    if (!f.sema.uses) return;
    Name name = m.name.name;
    if (function.decl->name.name == name) return noteUse(f.sema, m.name.span, function);
    auto note = [&](Symbol* s) {
        if (!s || resolve(f.sema, s)->kind != SymbolKind::Function || s->function != &function) return false;
        f.sema.uses->all.push_back({m.name.span, s, nullptr, {}, TypeId::None});
        return true;
    };
    if (note(lookup(f.sema, name, f.scope, f.scopeLimit, &f.currentFile()).symbol)) return;
    for (auto& file : f.sema.program.files)
        if (auto it = file->names.find(name); it != file->names.end() && note(it->second)) return;
}

/// Index of a method among those that a protocol declares.
std::optional<uint32_t> protocolMethod(Body& f, TypeId protocol, Name name) {
    if (!complete(f.sema, protocol)) return std::nullopt;
    const auto& methods = f.types.protocolInfo(protocol).methods;
    for (uint32_t i = 0; i < methods.size(); ++i)
        if (methods[i].name == name) return i;
    return std::nullopt;
}

FunctionTemplate* methodOf(Body& f, TypeId type, Name name) {
    complete(f.sema, type);
    if (FunctionTemplate* method = findMethod(f.sema, type, name, enclosingTemplate(f))) return method;
    auto& getters = members(f.sema, type).getters; // a property may be called like a method
    auto it = getters.find(name);
    return it == getters.end() ? nullptr : it->second;
}

/// An element of `..xs: P` shows the methods of P only (generics.md 8.3).
bool isShown(Body& f, const Value& element, Name name) {
    const PackInfo& pack = *element.symbol->pack;
    if (pack.protocol != TypeId::None) return protocolMethod(f, pack.protocol, name).has_value();
    llvm::ArrayRef<ProtocolMethod> methods = pack.protocolTemplate->decl->methods;
    return std::any_of(methods.begin(), methods.end(),
                       [&](const ProtocolMethod& m) { return m.fn->name.name == name; });
}

Value bound(Body& f, BoundMethod method) {
    Value v;
    v.kind = Value::Kind::Method;
    v.method = f.sema.make<BoundMethod>();
    *v.method = std::move(method);
    return v;
}

} // namespace

Value bindMethodFor(Body& f, const Value& given, const Member& m, const Call* call, bool& found) {
    found = true;
    Value receiver = narrowedValue(f, given);
    if (receiver.isError()) return receiver;
    if (receiver.kind == Value::Kind::Function && !requireValue(f, receiver, m.base->span)) return Value::error();
    TypeId type = receiver.type, inner = pointeeOrSelf(f.types, type);
    BoundMethod method;
    method.receiver = receiver;
    method.span = m.span;
    method.dot = m.dot;

    if (hidesMembers(receiver) && !isShown(f, receiver, m.name.name)) {
        f.diags.error(m.span, "an element of the pack " + code(f.sema, receiver.symbol->pack->name) +
                                  " shows the methods of its protocol only, and " + code(f.sema, m.name.name) +
                                  " is none of them");
        return Value::error();
    }
    TypeId field = fieldType(f, inner, m.name.name);
    if (isCallable(f.types, field)) {
        method.kind = BoundMethod::Kind::CallableField;
        method.receiver = memberOf(f, receiver, m);
        return method.receiver.isError() ? Value::error() : bound(f, std::move(method));
    }
    if (TypeId protocol = protocolWithin(f.types, type); protocol != TypeId::None) {
        if (std::optional<uint32_t> index = protocolMethod(f, protocol, m.name.name)) {
            method.kind = BoundMethod::Kind::ProtocolSlot;
            method.protocol = protocol;
            method.protocolMethod = *index;
            noteUse(f.sema, m.name.span, protocol, m.name.name);
            return bound(f, std::move(method));
        }
    }
    for (TypeId t : {type, inner}) {
        method.function = methodOf(f, t, m.name.name);
        if (!method.function) continue;
        noteUse(f.sema, m.name.span, *method.function);
        method.kind = BoundMethod::Kind::Method;
        return bound(f, std::move(method));
    }
    bool failed = false;
    method.function = chooseUfcs(f, receiver, m, call, failed);
    if (method.function) {
        noteUfcs(f, m, *method.function);
        method.kind = BoundMethod::Kind::Ufcs;
        return bound(f, std::move(method));
    }
    found = false;
    if (failed) return Value::error();
    if (field != TypeId::None) { // a field that is no function: the call says so
        method.kind = BoundMethod::Kind::CallableField;
        method.receiver = memberOf(f, receiver, m);
        return method.receiver.isError() ? Value::error() : bound(f, std::move(method));
    }
    return noMethod(f, receiver, m);
}

Value bindMethod(Body& f, const Value& receiver, const Member& m, bool& found) {
    return bindMethodFor(f, receiver, m, nullptr, found);
}

Value callBound(Body& f, const BoundMethod& method, const Call& call, TypeId target, ValueId dest) {
    switch (method.kind) {
    case BoundMethod::Kind::Method:
        // A `ufcs` function is given the pointer itself, which may be null.
        if (f.types.kind(method.receiver.type) == TypeKind::Pointer && !method.receiver.refCapture)
            checkPointer(f, scalar(f, method.receiver), method.dot);
        return callTemplate(f, *method.function, call, &method.receiver, target, dest);
    case BoundMethod::Kind::Ufcs: return callTemplate(f, *method.function, call, &method.receiver, target, dest);
    case BoundMethod::Kind::ProtocolSlot: return dispatch(f, method, call, target, dest);
    case BoundMethod::Kind::CallableField: return callValue(f, method.receiver, call, target, dest);
    }
    return Value::error();
}

Value adjustReceiver(Body& f, const Value& receiver, TypeId param, Span at, Span dot) {
    if (receiver.isError()) return receiver;
    if (f.types.kind(param) == TypeKind::Pointer) {
        TypeId pointee = f.types.elem(param);
        if (sameType(f.sema, receiver.type, pointee) && !receiver.refCapture) {
            // A constant or a temporary is worked on as a copy.
            bool isCopy = receiver.isMemory() && receiver.constRooted;
            ValueId address = addressOf(f, isCopy ? copyToTemp(f, receiver) : receiver);
            return Value::scalar(param, emitCast(f.b, ir::Op::Reinterpret, address, param));
        }
        if (f.types.kind(receiver.type) == TypeKind::Pointer && sameType(f.sema, f.types.elem(receiver.type), pointee))
            return Value::scalar(param, emitCast(f.b, ir::Op::Reinterpret, scalar(f, receiver), param));
        return convert(f, receiver, param, at);
    }
    if (f.types.kind(receiver.type) == TypeKind::Pointer && sameType(f.sema, f.types.elem(receiver.type), param)) {
        ValueId address = scalar(f, receiver);
        if (!receiver.refCapture) checkPointer(f, address, dot.isValid() ? dot : at);
        Value v = Value::place(f.types.elem(receiver.type), address);
        return isScalar(f.types, v.type) ? load(f, v) : v;
    }
    Value v = convert(f, receiver, param, at);
    return v.isMemory() && isScalar(f.types, v.type) ? load(f, v) : v;
}

Value callMethodOf(Body& f, const Value& receiver, Name name, llvm::ArrayRef<Value> args, Span at) {
    TypeId protocol = TypeId::None;
    if (ValueId words = protocolWords(f, receiver, protocol); words != ValueId::None) {
        std::optional<uint32_t> index = protocolMethod(f, protocol, name);
        if (!index) return Value::error();
        return callSlot(f, loadSlot(f, protocol, *index, words, at), protocol, *index, args, ValueId::None);
    }
    FunctionTemplate* method = methodOf(f, receiver.type, name);
    if (!method) method = methodOf(f, pointeeOrSelf(f.types, receiver.type), name);
    FunctionInstance* callee = method && !method->isGeneric ? instance(f.sema, *method, {}, at) : nullptr;
    if (!callee || callee->signatureFailed || callee->params.size() != args.size() + 1) return Value::error();
    llvm::SmallVector<Value, 4> converted{adjustReceiver(f, receiver, callee->params.front().type, at)};
    for (size_t i = 0; i < args.size(); ++i) converted.push_back(convert(f, args[i], callee->params[i + 1].type, at));
    for (const Value& v : converted)
        if (v.isError()) return v;
    return emitCall(f, *callee, converted, at, ValueId::None);
}

} // namespace sx::lower
