// Named functions as values, and conversions between functions and closures (language 3.15, errors.md 10.1).
#include "lower/calls/FunctionValues.h"

#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Allocation.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/calls/Inference.h"
#include "lower/values/ConversionErrors.h"
#include "lower/values/Conversions.h"
#include "sema/Adapters.h"
#include "sema/Declare.h"
#include "sema/ErrorSets.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Failable.h"

namespace sx::lower {

using namespace ast;

Value closureOf(Body& f, TypeId closure, ValueId code, ValueId env, ValueId dest) {
    Value v = temp(f, closure, dest);
    TypeId pointer = pointerTo(f.types, TypeId::Void), slot = pointerTo(f.types, pointer);
    emitStore(f.b, emitOffset(f.b, v.id, 0, slot), emitCast(f.b, ir::Op::Reinterpret, code, pointer));
    emitStore(f.b, emitOffset(f.b, v.id, 8, slot), env);
    return v;
}

namespace {

bool setFits(const Sema& sema, TypeId from, TypeId to) {
    if (from == to || to == TypeId::InferredErrors) return true;
    if (from == TypeId::InferredErrors) return false;
    for (Name tag : sema.types.errorSetInfo(from).tags)
        if (!setContains(sema, to, tag)) return false;
    return true;
}

} // namespace

bool sameResult(Body& f, TypeId from, TypeId to) {
    if (sameType(f.sema, from, to) || from == TypeId::NoReturn) return true;
    if (!isFailable(f.types, from) || !isFailable(f.types, to)) return false;
    return successType(f.types, from) == successType(f.types, to) &&
           setFits(f.sema, errorSetOf(f.types, from), errorSetOf(f.types, to));
}

void noteShape(Sema& sema, TypeId from, TypeId to, ErrorNode* errors) {
    TypeTable& types = sema.types;
    TypeId source = types.functionInfo(from).result, target = types.functionInfo(to).result;
    if (!isFailable(types, source) || !isFailable(types, target) || errorSetOf(types, target) != TypeId::InferredErrors)
        return;
    ErrorNode* shape = shapeNode(sema, to);
    TypeId set = errorSetOf(types, source);
    if (set != TypeId::InferredErrors) {
        for (Name tag : types.errorSetInfo(set).tags) shape->tags.push_back(types.tagId(tag));
        return;
    }
    ErrorNode* more = errors ? errors : shapeNode(sema, from);
    if (more != shape && std::find(shape->from.begin(), shape->from.end(), more) == shape->from.end())
        shape->from.push_back(more);
}

// ------------------------------------------------------------------------------------ adapters

namespace {

/// A closure that cannot fail in a slot for one that can: the original is kept as the environment.
Value widenClosure(Body& f, const Value& closure, TypeId to, Span at, ValueId dest) {
    TypeTable& types = f.types;
    TypeId from = closure.type, pointer = pointerTo(types, TypeId::Void);
    ir::FuncId id = ir::FuncId::None;
    ir::Function& fn = newAdapter(f.sema, to, true, id);
    fn.span = at;
    ir::Builder b(f.module, fn);
    uint32_t envIndex = fn.hasContext ? 1 : 0;
    ValueId original = b.param(envIndex);
    ValueId code = emitLoad(b, pointer, emitOffset(b, original, 0, pointerTo(types, pointer)));
    llvm::SmallVector<ValueId, 8> args;
    for (uint32_t i = 0; i < fn.params.size(); ++i)
        args.push_back(i == envIndex ? emitLoad(b, pointer, emitOffset(b, original, 8, pointerTo(types, pointer)))
                                     : b.param(i));
    TypeId machine = machineType(f.sema, from, true);
    returnWithoutError(b, types.functionInfo(from).result, fn.result,
                       [&](ValueId place) { return emitCallIndirect(b, code, machine, args, place); });

    ValueId copy = allocate(f, i64(f, 16), nullptr, at);
    emitCopy(f.b, copy, addressOf(f, closure), uint64_t{16});
    return closureOf(f, to, funcAddr(f.b, id, pointer), emitCast(f.b, ir::Op::Reinterpret, copy, pointer), dest);
}

/// Binds the `$` parameters of a generic function from the signature expected of its value.
FunctionInstance* instanceFor(Body& f, FunctionTemplate& tmpl, TypeId target, Span at) {
    if (!tmpl.isGeneric) return instance(f.sema, tmpl, {}, at);
    TypeContext context;
    context.scope = tmpl.env;
    context.limit = tmpl.envLimit;
    context.file = tmpl.file;
    context.quiet = true;
    Bindings bindings;
    for (const GenericParam& p : tmpl.generics) {
        Binding binding;
        binding.name = p.name;
        binding.kind = p.kind;
        bindings.push_back(binding);
    }
    bool known = target != TypeId::None && f.types.functionInfo(target).params.size() == tmpl.decl->params.size();
    for (size_t i = 0; known && i < tmpl.decl->params.size(); ++i) {
        const Param& p = tmpl.decl->params[i];
        known = p.type && !p.comptime && !p.variadic &&
                inferFromType(f, p.type, f.types.functionInfo(target).params[i], bindings, context);
    }
    for (const Binding& x : bindings) known &= x.kind == Binding::Kind::Type && x.type != TypeId::None;
    if (known) return instance(f.sema, tmpl, bindings, at);
    f.diags
        .error(at, "the generic function " + code(f.sema, tmpl.decl->name.name) +
                       " is no value of its own: its type parameters are not known here")
        .help("wrap the call in a lambda");
    return nullptr;
}

} // namespace

TypeId functionTypeNamed(Body& f, const Expr* e) {
    e = withoutParens(e);
    const Expr* head = e;
    if (const auto* m = llvm::dyn_cast<Member>(e); m && !m->optional && !m->isIndex) head = m->base;
    TypeContext quiet = typeContext(f, true);
    if (namesType(f.sema, e, quiet)) return TypeId::None;
    const auto* name = llvm::dyn_cast<NameRef>(head);
    LookupResult found = name ? lookup(f.sema, name->id.name, f.scope, f.scopeLimit, &f.currentFile()) : LookupResult{};
    Symbol* s = found.symbol && !found.ambiguous ? resolve(f.sema, found.symbol) : nullptr;
    bool mayName = head == e ? s && s->kind == SymbolKind::Function
                             : (s && s->kind == SymbolKind::Namespace) || namesType(f.sema, head, quiet);
    Value v = mayName ? lower(f, e) : Value::error();
    if (v.kind != Value::Kind::Function || !convertible(f, v, TypeId::Type)) return TypeId::None;
    return convert(f, v, TypeId::Type, e->span).namedType;
}

Value functionValue(Body& f, FunctionTemplate& tmpl, Span at, TypeId target) {
    TypeKind kind = f.types.kind(target);
    TypeId expected = kind == TypeKind::Function || kind == TypeKind::Closure ? target : TypeId::None;
    if (tmpl.isIntrinsic) {
        f.diags.error(at,
                      code(f.sema, tmpl.decl->name.name) + " is an intrinsic: it can be called, but it is no value");
        return Value::error();
    }
    FunctionInstance* callee = instanceFor(f, tmpl, expected, at);
    if (!callee || callee->signatureFailed) return Value::error();
    if (resultOf(f.sema, *callee, at) == TypeId::None) return Value::error();
    TypeId type = callee->type;
    if (expected != TypeId::None && kind == TypeKind::Function) {
        if (f.types.functionInfo(type).conv != f.types.functionInfo(target).conv) {
            conversionError(f, Value::scalar(type, ValueId::None), target, at);
            return Value::error();
        }
        noteShape(f.sema, type, target, callee->errors);
        if (canWiden(f.types, type, target)) {
            ir::FuncId adapter = wideningAdapter(f.sema, funcFor(f.sema, *callee), type, target, false);
            return Value::scalar(target, funcAddr(f.b, adapter, target));
        }
        return Value::scalar(target, funcAddr(f.b, funcFor(f.sema, *callee), target));
    }
    noteShape(f.sema, type, type, callee->errors);
    return Value::scalar(type, funcAddr(f.b, funcFor(f.sema, *callee), type));
}

Value toClosure(Body& f, const Value& given, TypeId closureType, Span at, ValueId dest) {
    Value v = given;
    FunctionInstance* callee = nullptr;
    TypeId type = v.type;
    if (v.kind == Value::Kind::Function) {
        callee = instanceFor(f, *v.function, closureType, at);
        if (!callee || callee->signatureFailed || resultOf(f.sema, *callee, at) == TypeId::None) return Value::error();
        type = callee->type;
    }
    const FunctionInfo& from = f.types.functionInfo(type);
    const FunctionInfo& to = f.types.functionInfo(closureType);
    bool sameParams = from.params.size() == to.params.size();
    for (size_t i = 0; sameParams && i < from.params.size(); ++i)
        sameParams = sameType(f.sema, from.params[i], to.params[i]);
    bool same = sameParams && sameResult(f, from.result, to.result);
    bool widens = sameParams && canWiden(f.types, type, closureType);
    if (!same && !widens) {
        conversionError(f, v, closureType, at);
        return Value::error();
    }
    noteShape(f.sema, type, closureType, callee ? callee->errors : nullptr);
    TypeId pointer = pointerTo(f.types, TypeId::Void);
    if (callee) {
        ir::FuncId adapter = closureAdapter(f.sema, funcFor(f.sema, *callee), type, closureType);
        return closureOf(f, closureType, funcAddr(f.b, adapter, pointer), nullOf(f.b, pointer), dest);
    }
    if (f.types.kind(type) == TypeKind::Function) {
        ValueId code = emitCast(f.b, ir::Op::Reinterpret, scalar(f, v), pointer);
        return closureOf(f, closureType, funcAddr(f.b, pointerAdapter(f.sema, type, closureType), pointer), code, dest);
    }
    if (widens) return widenClosure(f, v, closureType, at, dest);
    Value retyped = Value::temporary(closureType, addressOf(f, v));
    retyped.lvalue = v.lvalue;
    return retyped;
}

} // namespace sx::lower
