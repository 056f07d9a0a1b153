#include "lower/calls/Calls.h"

#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "lower/body/Body.h"
#include "lower/body/Cleanup.h"
#include "lower/body/Explain.h"
#include "lower/body/NullChecks.h"
#include "lower/body/OperationGuard.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/calls/Arguments.h"
#include "lower/calls/ExternCalls.h"
#include "lower/calls/Generics.h"
#include "lower/calls/Intrinsics.h"
#include "lower/calls/Methods.h"
#include "lower/values/Access.h"
#include "lower/values/Literals.h"
#include "lower/values/Names.h"
#include "lower/values/Optionals.h"
#include "lower/values/Variants.h"
#include "sema/Declare.h"
#include "sema/ErrorSets.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/Notes.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

namespace sx::lower {

using namespace ast;

const FunctionTemplate* enclosingTemplate(const Body& f) {
    for (const Body* l = &f; l; l = l->parent)
        if (l->instance) return l->instance->tmpl;
    return nullptr;
}

Value lowerBase(Body& f, const Expr* e) {
    Value v = lowerUnmarked(f, e);
    if (v.type == TypeId::NoReturn && !f.reachable()) {
        f.diags.error(e->span,
                      code(f.sema.sources.textOf(e->span)) + " never comes back, so there is no value to go on with");
        return Value::error();
    }
    if (!v.unmarkedFailable) return v;
    return isErrorSet(f.types, v.type) ? errorOperand(f, v) : rejectUnmarked(f, v, e->span);
}

// ------------------------------------------------------------------------------------ emission

namespace {

/// Operand of an IR call for a parameter of this type.
ValueId irOperand(Body& f, const Value& v) {
    if (isScalar(f.types, v.type)) return scalar(f, v);
    if (v.isVoid()) return temp(f, TypeId::Void).id;
    return addressOf(f, v);
}

bool returnsInMemory(const TypeTable& types, TypeId result) {
    return result != TypeId::Void && result != TypeId::NoReturn && !isScalar(types, result);
}

Value resultValue(Body& f, TypeId result, ValueId id) {
    if (result == TypeId::NoReturn) {
        emitUnreachable(f.b);
        return Value::diverged();
    }
    if (result == TypeId::Void) return Value::none();
    Value v = isScalar(f.types, result) ? Value::scalar(result, id) : Value::temporary(result, id);
    v.unmarkedFailable = isFailable(f.types, result);
    return v;
}

} // namespace

Value emitCall(Body& f, FunctionInstance& callee, llvm::ArrayRef<Value> args, Span at, ValueId dest) {
    TypeId result = resultOf(f.sema, callee, at);
    if (result == TypeId::None) return Value::error();
    if (callee.tmpl->decl->linkage == Linkage::Extern) return emitExternCall(f, callee, args, at, dest);
    ir::FuncId func = funcFor(f.sema, callee);
    llvm::SmallVector<ValueId, 8> operands;
    if (f.module.fn(func).hasContext) operands.push_back(f.context);
    for (const Value& v : args) operands.push_back(irOperand(f, v));
    f.b.setSpan(at);
    Value v;
    if (returnsInMemory(f.types, result)) {
        ValueId place = temp(f, result, dest).id;
        emitCallInto(f.b, func, place, operands);
        v = resultValue(f, result, place);
    } else {
        v = resultValue(f, result, emitCall(f.b, func, operands));
    }
    if (v.unmarkedFailable && errorSetOf(f.types, result) == TypeId::InferredErrors) v.errors = callee.errors;
    return v;
}

Value emitIndirect(Body& f, ValueId callee, TypeId functionType, ValueId env, bool hasEnv, llvm::ArrayRef<Value> args,
                   ValueId dest) {
    TypeId machine = machineType(f.sema, functionType, hasEnv);
    TypeId result = f.types.functionInfo(functionType).result;
    const bool isVariadic = f.types.functionInfo(functionType).cVariadic;
    const size_t fixed = f.types.functionInfo(functionType).params.size();
    llvm::SmallVector<ValueId, 8> operands;
    size_t hidden = f.types.functionInfo(machine).params.size() - f.types.functionInfo(functionType).params.size();
    if (hidden > (hasEnv ? 1u : 0u)) operands.push_back(f.context);
    if (hasEnv) operands.push_back(env);
    for (size_t i = 0; i < args.size(); ++i)
        operands.push_back(isVariadic && i >= fixed ? promotedForC(f, args[i]) : irOperand(f, args[i]));
    if (isVariadic) machine = listedForC(f, machine, args, operands);
    Value v;
    if (returnsInMemory(f.types, result)) {
        ValueId place = temp(f, result, dest).id;
        emitCallIndirect(f.b, callee, machine, operands, place);
        v = resultValue(f, result, place);
    } else {
        v = resultValue(f, result, emitCallIndirect(f.b, callee, machine, operands));
    }
    if (v.unmarkedFailable && errorSetOf(f.types, result) == TypeId::InferredErrors)
        v.errors = shapeNode(f.sema, functionType);
    return v;
}

// ------------------------------------------------------------------------------------ functions by name

namespace {

/// A function whose result is a type, with nothing but compile-time parameters: it may stand where a type does.
bool isTypeFunction(const Sema& sema, const FunctionTemplate& tmpl) {
    const auto* result = tmpl.decl->result ? llvm::dyn_cast<NameRef>(tmpl.decl->result) : nullptr;
    return tmpl.isGeneric && result && !result->id.raw && sema.names.text(result->id.name) == "Type";
}

CallTarget targetOf(FunctionInstance& callee, bool hasReceiver) {
    CallTarget target;
    target.name = code(callee.tmpl->qualifiedName.empty() ? callee.name : callee.tmpl->qualifiedName);
    target.params = llvm::ArrayRef<ParamInfo>(callee.params).drop_front(hasReceiver ? 1 : 0);
    target.instance = &callee;
    target.cVariadic = callee.tmpl->decl->linkage == Linkage::Extern;
    return target;
}

/// A method without parameters cannot take the receiver of a dot-call.
bool takesReceiver(Body& f, const FunctionInstance& callee, const Call& call) {
    if (!callee.params.empty()) return true;
    f.diags.error(call.callee->span, code(callee.name) + " takes no receiver: it is called on the type");
    return false;
}

/// What stands before the dot does not fit the first parameter, which is no receiver if it is not called `self`.
void explainReceiver(Body& f, size_t before, FunctionInstance& callee, const Call& call, const Value& receiver) {
    const auto* member = llvm::dyn_cast<Member>(withoutParens(call.callee));
    Purpose why;
    why.subject = "the receiver of " + code(callee.tmpl->qualifiedName);
    if (member) why.value = member->base->span;
    why.actual = describeValue(f, receiver);
    if (callee.params.front().decl) why.declaration = callee.params.front().decl->span;
    why.declared = "it is the first parameter";
    explain(f.diags, before, why);
    bool isStatic = callee.tmpl->ownerType != TypeId::None && f.sema.names.text(callee.params.front().name) != "self";
    if (!isStatic || !member) return;
    std::string type = writtenName(f.types, callee.tmpl->ownerType), name = f.sema.text(member->name.name);
    for (Diagnostic& d : f.diags.since(before))
        d.help(code(name) + " takes no receiver: call it on the type, " + code(type + "." + name + "(…)"));
}

/// For editors: what a call goes to in this instance of the function around it.
void noteCall(const Body& f, const Call& call, const FunctionInstance& callee) {
    if (!f.sema.uses || f.asks) return;
    const Body* around = &f;
    while (!around->instance && around->parent) around = around->parent;
    if (!around->asks) f.sema.uses->calls.push_back({&call, around->instance, &callee});
}

} // namespace

Value callInstance(Body& f, FunctionInstance& callee, const Call& call, const Value* receiver, TypeId target,
                   ValueId dest) {
    if (callee.signatureFailed) return Value::error();
    noteCall(f, call, callee);
    if (receiver && !takesReceiver(f, callee, call)) return Value::error();
    llvm::SmallVector<Value, 8> args;
    if (receiver) {
        size_t before = f.diags.all().size();
        args.push_back(
            adjustReceiver(f, *receiver, callee.params.front().type, call.callee->span, followedAt(call.callee)));
        if (args.back().isError()) {
            explainReceiver(f, before, callee, call, *receiver);
            return Value::error();
        }
        // Read before the arguments are evaluated, which may change what it stands for.
        bool isPure =
            std::all_of(call.args.begin(), call.args.end(), [](const Arg& a) { return isTriviallyPure(a.value); });
        if (args.back().isMemory() && args.back().lvalue && !isPure) args.back() = copyToTemp(f, args.back());
    }
    if (!bindArguments(f, call, targetOf(callee, receiver != nullptr), args)) return Value::error();
    TypeId result = resultOf(f.sema, callee, call.span);
    return emitCall(f, callee, args, call.span, result == target ? dest : ValueId::None);
}

Value callTemplate(Body& f, FunctionTemplate& tmpl, const Call& call, const Value* receiver, TypeId target,
                   ValueId dest) {
    if (tmpl.isIntrinsic) {
        bool handled = false;
        Value v = lowerIntrinsic(f, tmpl.decl->name.name, &tmpl, call, target, handled);
        if (handled) return v;
        f.diags.error(call.callee->span,
                      "the intrinsic " + code(f.sema, tmpl.decl->name.name) + " is not known to this compiler");
        return Value::error();
    }
    if (!tmpl.isGeneric) {
        FunctionInstance* callee = instance(f.sema, tmpl, {}, call.span);
        if (callee && !callee->askedBy) {
            callee->askedBy = &call;
            NominalInfo* owner = tmpl.ownerType == TypeId::None ? nullptr : nominal(f.sema, tmpl.ownerType);
            if (owner && !owner->bindings.empty()) callee->askedFrom = outermostCall(f, call);
        }
        return callee ? callInstance(f, *callee, call, receiver, target, dest) : Value::error();
    }
    if (!receiver && isTypeFunction(f.sema, tmpl) && namesType(f.sema, &call, typeContext(f, true))) {
        TypeId type = resolveType(f.sema, &call, typeContext(f));
        return type == TypeId::None ? Value::error() : Value::ofType(type);
    }
    Inferred inferred = inferInstance(f, tmpl, call, receiver);
    FunctionInstance* callee = inferred.instance;
    if (!callee || callee->signatureFailed) return Value::error();
    noteCall(f, call, *callee);
    llvm::SmallVector<Value, 8> args;
    if (!bindInferred(f, call, *callee, receiver != nullptr, inferred.args, inferred.written, inferred.tailSpread,
                      args))
        return Value::error();
    TypeId result = resultOf(f.sema, *callee, call.span);
    return emitCall(f, *callee, args, call.span, result == target ? dest : ValueId::None);
}

// ------------------------------------------------------------------------------------ closures and function pointers

namespace {

Value carriesNothing(Body& f, Span at) {
    f.diags.error(at, "an error carries no values: it is its name alone")
        .help("what else is to be known goes into a note where the error passes, `onfail { trace.note(\"…\"); }`");
    return Value::error();
}

void notFunction(Body& f, const Value& callee, Span at) {
    Diagnostic& d = f.diags.error(at, "a value of type " + code(f.types, callee.type) + " cannot be called");
    std::string_view written = f.sema.sources.textOf(at);
    size_t dot = written.rfind('.');
    bool isName = dot != std::string_view::npos && written.find_first_of(")]!*", dot) == std::string_view::npos;
    if (isName) d.help(code(written.substr(dot + 1)) + " is a field: drop the `()`");
}

Value notCallable(Body& f, const Value& callee, Span at) {
    TypeId type = callee.type;
    if (isErrorSet(f.types, type)) return carriesNothing(f, at);
    TypeId inner = f.types.kind(type) == TypeKind::Optional ? f.types.elem(type) : TypeId::None;
    TypeKind kind = f.types.kind(inner);
    if (kind == TypeKind::Closure || kind == TypeKind::Function)
        f.diags
            .error(at, "this may be null: a value of type " + code(f.types, type) + " is unwrapped before it is called")
            .help("write `f!(…)`, or bind it with `if g := f { g(…); }`");
    else notFunction(f, callee, at);
    return Value::error();
}

} // namespace

Value callValue(Body& f, const Value& given, const Call& call, TypeId target, ValueId dest) {
    Span at = call.callee->span;
    Value callee = elementOf(f, narrowedValue(f, given));
    if (callee.isError()) return callee;
    TypeKind kind = f.types.kind(callee.type);
    if (kind != TypeKind::Closure && kind != TypeKind::Function) return notCallable(f, callee, at);
    const FunctionInfo& info = f.types.functionInfo(callee.type);
    TypeId pointer = pointerTo(f.types, TypeId::Void);
    bool isClosure = kind == TypeKind::Closure;
    // The callee is evaluated before its arguments.
    ValueId code, env = ValueId::None;
    if (isClosure) {
        ValueId words = addressOf(f, callee);
        code = emitLoad(f.b, pointer, emitOffset(f.b, words, 0, pointerTo(f.types, pointer)));
        env = emitLoad(f.b, pointer, emitOffset(f.b, words, 8, pointerTo(f.types, pointer)));
    } else {
        code = scalar(f, callee);
    }
    checkPointer(f, code, at);
    llvm::SmallVector<ParamInfo, 4> params = unnamedParams(info.params);
    CallTarget what;
    what.name = isClosure ? "this closure" : "this function value";
    if (info.cVariadic) { // the type of a pointer does not say what they are: C's own promotions
        params.emplace_back().type = sliceOf(f.types, TypeId::Any);
        params.back().isVariadic = what.cVariadic = true;
    }
    what.params = params;
    llvm::SmallVector<Value, 8> args;
    if (!bindArguments(f, call, what, args)) return Value::error();
    f.b.setSpan(call.span);
    return emitIndirect(f, code, callee.type, env, isClosure, args, info.result == target ? dest : ValueId::None);
}

// ------------------------------------------------------------------------------------ the callee

namespace {

/// What a callee spells: an intrinsic or reserved word unless the program declares something of that name.
bool isPlainIntrinsic(Body& f, const NameRef& ref, FunctionTemplate*& tmpl) {
    tmpl = nullptr;
    if (ref.id.raw) return false;
    LookupResult found = lookup(f.sema, ref.id.name, f.scope, f.scopeLimit, &f.currentFile());
    if (!found.symbol) return !found.ambiguous;
    Symbol* symbol = resolve(f.sema, found.symbol);
    if (symbol->kind == SymbolKind::Intrinsic) return true;
    if (symbol->kind != SymbolKind::Function || !symbol->function->isIntrinsic) return false;
    tmpl = symbol->function;
    return true;
}

/// `Vector(N, T)`, `Array(N, T)`: type constructors without a declaration.
bool isTypeConstructor(Body& f, const NameRef& ref) {
    std::string_view name = f.sema.names.text(ref.id.name);
    return !ref.id.raw && (name == "Vector" || name == "Array");
}

/// `P("a", 3)`, `f64(x)`, `(u8)(x + 1)`.
std::string insteadOfCall(Body& f, TypeId type, const Call& call) {
    std::string name = writtenName(f.types, type), argument = "x";
    bool isBuilt = f.types.kind(type) == TypeKind::Struct || f.types.kind(type) == TypeKind::Union;
    if (isBuilt) return "a value is built with " + code(name + ".{ … }");
    if (call.args.size() == 1) argument = f.sema.sources.textOf(call.args[0].value->span);
    TypeId from =
        call.args.size() == 1 && !needsTarget(call.args[0].value) ? peekType(f, call.args[0].value) : TypeId::None;
    if (type == TypeId::String && from != TypeId::String && from != TypeId::CString)
        return "text is made of a value with " +
               code("format(\"{}\", " + (argument.size() > 40 ? "x" : argument) + ")");
    if (from == TypeId::String && isNumeric(f.types, type))
        return "a number is read from text with `modules/std/parse.sx`";
    if (type == TypeId::Bool && isNumeric(f.types, from)) return "a number is compared: `x != 0`";
    bool isSimple = call.args.size() == 1 && llvm::isa<NameRef, Member, Call, Index>(call.args[0].value);
    if (argument.size() > 40) argument = "x";
    return "a conversion is written " +
           code((isSimple || argument == "x" ? argument : "(" + argument + ")") + ".(" + name + ")");
}

Value typeIsNoFunction(Body& f, const Value& callee, const Call& call, Span at) {
    Diagnostic& d = f.diags.error(at, code(f.types, callee.namedType) + " is a type, not a function");
    if (f.types.kind(callee.namedType) == TypeKind::Function && callee.symbol &&
        callee.symbol->decl) { // `f :: (n: i64) -> i64;`
        std::string name = f.sema.text(callee.symbol->name);
        d.note(callee.symbol->nameSpan, code(name) + " names the type of a function: it has no body")
            .help("write its body, " + code(name + " :: (…) -> … { … }"));
    } else {
        d.help(insteadOfCall(f, callee.namedType, call));
    }
    return Value::error();
}

Value typeOfCall(Body& f, const Call& call) {
    TypeId type = resolveType(f.sema, &call, typeContext(f));
    return type == TypeId::None ? Value::error() : Value::ofType(type);
}

/// Calls what is no dot-call: the callee is known by its value.
Value callByKind(Body& f, const Value& callee, const Call& call, TypeId target, ValueId dest) {
    Span at = call.callee->span;
    switch (callee.kind) {
    case Value::Kind::Error:
        for (const Arg& arg : call.args) checkDiscarded(f, arg.value);
        return callee;
    case Value::Kind::Function:
        if (callee.function) return callTemplate(f, *callee.function, call, nullptr, target, dest);
        f.diags.error(at, "this intrinsic is not known to this compiler");
        return Value::error();
    case Value::Kind::GenericStruct:
    case Value::Kind::Protocol: return typeOfCall(f, call);
    case Value::Kind::Method: return callBound(f, *callee.method, call, target, dest);
    case Value::Kind::TypeName: return typeIsNoFunction(f, callee, call, at);
    case Value::Kind::Namespace:
    case Value::Kind::Pack:
        f.diags.error(at, std::string(callee.kind == Value::Kind::Pack ? "a pack" : "a module") + " cannot be called");
        return Value::error();
    case Value::Kind::Void:
        if (callee.type != TypeId::NoReturn) f.diags.error(at, "this has no value, so it cannot be called");
        return Value::error();
    case Value::Kind::Scalar:
    case Value::Kind::Memory:
    case Value::Kind::Const:
        if (llvm::isa<ErrorTag>(withoutParens(call.callee))) return carriesNothing(f, at);
        return callValue(f, callee, call, target, dest);
    }
    return Value::error();
}

/// `.name(args)`: a variant of the expected enum, or a static function of the expected struct.
Value callEnumLit(Body& f, const EnumLit& lit, const Call& call, TypeId target, ValueId dest) {
    TypeId type = target;
    while (f.types.kind(type) == TypeKind::Optional) type = f.types.elem(type);
    ValueId place = type == target ? dest : ValueId::None;
    if (f.types.kind(type) == TypeKind::Enum) {
        complete(f.sema, type, lit.span);
        if (f.types.enumInfo(type).index.count(lit.name.name)) {
            if (call.trailingBlock) {
                f.diags.error(lit.span, "a variant takes no trailing block");
                return Value::error();
            }
            return constructVariant(f, type, lit.name.name, lit.span, call.args, nullptr, place);
        }
    }
    if (type == TypeId::None || type == TypeId::Any) return noEnumTarget(f, lit, TypeId::None);
    if (FunctionTemplate* method = findMethod(f.sema, type, lit.name.name, enclosingTemplate(f))) {
        noteUse(f.sema, lit.name.span, *method);
        return callTemplate(f, *method, call, nullptr, type, place);
    }
    if (f.types.kind(type) == TypeKind::Enum)
        return constructVariant(f, type, lit.name.name, lit.span, call.args, nullptr, place);
    return noEnumTarget(f, lit, target);
}

/// `Type.name(args)`: a variant, a static function or a method with its receiver written out, or any other member.
Value callOnType(Body& f, TypeId type, const Member& m, const Call& call, TypeId target, ValueId dest) {
    if (!complete(f.sema, type, m.span)) return Value::error();
    bool isVariant = f.types.kind(type) == TypeKind::Enum && f.types.enumInfo(type).index.count(m.name.name);
    if (isVariant && !call.trailingBlock)
        return constructVariant(f, type, m.name.name, m.span, call.args, nullptr,
                                type == target ? dest : ValueId::None);
    if (FunctionTemplate* method = findMethod(f.sema, type, m.name.name, enclosingTemplate(f))) {
        noteUse(f.sema, m.name.span, *method);
        return callTemplate(f, *method, call, nullptr, target, dest);
    }
    return callByKind(f, memberOf(f, Value::ofType(type), m), call, target, dest);
}

Value callOnValue(Body& f, const Value& receiver, const Member& m, const Call& call, TypeId target, ValueId dest) {
    bool found = false;
    Value bound = bindMethodFor(f, receiver, m, &call, found);
    return callByKind(f, bound, call, target, dest);
}

/// `o?.name(args)`: null if `o` is, else the call on its payload, as an optional.
Value callOptional(Body& f, const Member& m, const Call& call) {
    Value base = lowerBase(f, m.base);
    if (base.isError()) return base;
    if (f.types.kind(base.type) != TypeKind::Optional) {
        f.diags.error(m.span, "`?.` needs an optional in front of it, not " + withArticle(f.types, base.type))
            .help("write `.`");
        return Value::error();
    }
    BlockId present = f.b.newBlock(), absent = f.b.newBlock(), join = f.b.newBlock();
    emitCondBr(f.b, isPresent(f, base), present, absent);
    f.b.setBlock(present);
    Value v = callOnValue(f, payloadOf(f, base), m, call, TypeId::None, ValueId::None);
    if (v.unmarkedFailable) v = rejectUnmarked(f, v, call.span);
    bool hasValue = !v.isError() && !v.isVoid();
    TypeId type = !hasValue                                    ? TypeId::None
                  : f.types.kind(v.type) == TypeKind::Optional ? v.type
                                                               : optionalOf(f.types, v.type);
    ir::SlotId slot = hasValue ? f.b.newSlot(type) : ir::SlotId::None;
    if (hasValue) {
        ValueId place = slotAddr(f.b, slot);
        store(f, place, convert(f, v, type, call.span));
    }
    emitBr(f.b, join);
    f.b.setBlock(absent);
    if (hasValue) emitZero(f.b, slotAddr(f.b, slot), type);
    emitBr(f.b, join);
    f.b.setBlock(join);
    if (v.isError()) return v;
    return hasValue ? Value::temporary(type, slotAddr(f.b, slot)) : Value::none();
}

/// `ns.name(args)`: what cannot be called is shown at the member (modules-and-comptime.md 2.2).
Value callNamespaceMember(Body& f, const Member& m, const Call& call, TypeId target, ValueId dest) {
    Value callee = lowerMember(f, m, TypeId::None);
    TypeKind kind = f.types.kind(callee.type);
    bool isData =
        callee.kind == Value::Kind::Scalar || callee.kind == Value::Kind::Memory || callee.kind == Value::Kind::Const;
    if (isData && kind != TypeKind::Closure && kind != TypeKind::Function) return notCallable(f, callee, m.name.span);
    if (callee.kind == Value::Kind::TypeName) { return typeIsNoFunction(f, callee, call, m.name.span); }
    return callByKind(f, callee, call, target, dest);
}

Value callMember(Body& f, const Member& m, const Call& call, TypeId target, ValueId dest) {
    if (m.optional) return callOptional(f, m, call);
    if (m.isIndex) return callByKind(f, lower(f, &m), call, target, dest);
    Value base = lowerBase(f, m.base);
    f.b.setSpan(call.span);
    switch (base.kind) {
    case Value::Kind::Error: return callByKind(f, base, call, target, dest);
    case Value::Kind::TypeName: return callOnType(f, base.namedType, m, call, target, dest);
    case Value::Kind::Namespace: return callNamespaceMember(f, m, call, target, dest);
    case Value::Kind::GenericStruct:
    case Value::Kind::Protocol:
    case Value::Kind::Pack: return callByKind(f, lowerMember(f, m, TypeId::None), call, target, dest);
    case Value::Kind::Void:
        if (base.type == TypeId::NoReturn) return Value::error();
        requireValue(f, base, m.base->span);
        return Value::error();
    case Value::Kind::Function:
    case Value::Kind::Method:
    case Value::Kind::Scalar:
    case Value::Kind::Memory:
    case Value::Kind::Const: return callOnValue(f, base, m, call, target, dest);
    }
    return Value::error();
}

} // namespace

Value lowerCallee(Body& f, const Expr* e, TypeId) {
    const Expr* callee = withoutParens(e);
    if (const auto* ref = llvm::dyn_cast<NameRef>(callee)) return lowerName(f, *ref, TypeId::None);
    return lowerBase(f, callee);
}

Value lowerCall(Body& f, const Call& call, TypeId target, ValueId dest) {
    OperationGuard operation(f, call.span);
    const Expr* callee = withoutParens(call.callee);
    if (const auto* ref = llvm::dyn_cast<NameRef>(callee)) {
        FunctionTemplate* tmpl = nullptr;
        if (isPlainIntrinsic(f, *ref, tmpl)) {
            bool handled = false;
            Value v = lowerIntrinsic(f, tmpl ? tmpl->decl->name.name : ref->id.name, tmpl, call, target, handled);
            if (handled) return v;
            if (!tmpl && isTypeConstructor(f, *ref)) return typeOfCall(f, call);
        }
    }
    if (const auto* lit = llvm::dyn_cast<EnumLit>(callee)) return callEnumLit(f, *lit, call, target, dest);
    if (const auto* member = llvm::dyn_cast<Member>(callee)) return callMember(f, *member, call, target, dest);
    return callByKind(f, lowerCallee(f, callee, target), call, target, dest);
}

} // namespace sx::lower
