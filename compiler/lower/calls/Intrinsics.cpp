#include "lower/calls/Intrinsics.h"

#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "ir/TypeDescriptor.h"
#include "lower/body/Allocation.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/calls/Arguments.h"
#include "lower/calls/Formats.h"
#include "lower/calls/FunctionValues.h"
#include "lower/calls/IntrinsicCall.h"
#include "lower/values/Conversions.h"
#include "sema/Declare.h"
#include "sema/Functions.h"
#include "sema/Nominal.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Predicates.h"

#include "llvm/ADT/StringSwitch.h"

namespace sx::lower::intrinsics {

using namespace ast;

namespace {

struct Entry {
    Value (*handler)(IntrinsicCall&) = nullptr;
    size_t args = 0;
    bool needsDeclaration = false; ///< a plain word otherwise
};

template <ir::Op op> Value mathOf(IntrinsicCall& c) { return math(c, op); }

// clang-format off
#define INTRINSIC(name, handler, args) .Case(#name, {handler, args})
#define DECLARED_INTRINSIC(name, handler, args) .Case(#name, {handler, args, true})
#define IR_MATH_OP(name, text, function, value) .Case(#function, {mathOf<ir::Op::name>, 1})
// clang-format on
Entry entryFor(std::string_view name) {
    llvm::StringRef n(name);
    if (n.starts_with("atomic_fetch_") || n == "atomic_swap") return {atomicRmw, 4};
    return llvm::StringSwitch<Entry>(n)
#include "ir/Ops.def"
#include "sema/model/Intrinsics.def"
        .Default({});
}

} // namespace

Value IntrinsicCall::lower(bool& handled) {
    Entry entry = entryFor(name);
    handled = entry.handler != nullptr && (!entry.needsDeclaration || declared);
    if (!handled) return Value::error();
    for (const Arg& a : call.args) {
        if (a.name) return reject(nameSpan(), code(name) + " takes its arguments by position only");
        if (a.spread) return reject(a.span, code(name) + " takes no spread arguments");
    }
    if (call.trailingBlock) return reject(nameSpan(), code(name) + " takes no trailing block");
    if (call.args.size() != entry.args)
        return reject(nameSpan(), code(name) + " takes " + countOf(entry.args, "argument") + ", but " +
                                      givenCount(call.args.size()));
    return entry.handler(*this);
}

Value IntrinsicCall::reject(Span at, const std::string& message, const std::string& help) {
    Diagnostic& d = f.diags.error(at, message);
    if (!help.empty()) d.help(help);
    return Value::error();
}

// ------------------------------------------------------------------------------------ arguments

Value IntrinsicCall::value(size_t i, TypeId target) {
    Value v = elementOf(f, lower::lower(f, arg(i), target));
    return !v.isError() && requireValue(f, v, arg(i)->span) ? v : Value::error();
}

Index IntrinsicCall::index(size_t i) {
    Index result;
    Value v = lowerTo(f, arg(i), TypeId::I64);
    if (v.isError()) return result;
    result.ok = true;
    if (v.isConst() && v.constant.isInt()) result.known = static_cast<uint64_t>(v.constant.i);
    result.value = scalar(f, v);
    return result;
}

TypeArg IntrinsicCall::typeArg(size_t i, Accept accept) {
    TypeArg result;
    const Expr* e = arg(i);
    const auto* ref = llvm::dyn_cast<NameRef>(withoutParens(e));
    bool isBuiltin = ref && !ref->id.raw && isReservedTypeName(sema, ref->id.name); // also beside a value of that ref
    if (isBuiltin || namesType(sema, e, typeContext(f, true))) {
        result.type = resolveType(sema, e, typeContext(f));
        result.ok = result.type != TypeId::None && complete(sema, result.type, e->span);
        return result;
    }
    if (result.type = functionTypeNamed(f, e); result.type != TypeId::None) {
        result.ok = true;
        return result;
    }
    Value v = elementOf(f, lower::lower(f, e));
    if (v.isError()) return result;
    if (v.isTypeName() || (v.isConst() && v.constant.kind == ConstValue::Kind::Type)) {
        result.type = v.isTypeName() ? v.namedType : v.constant.t;
        result.ok = complete(sema, result.type, e->span);
    } else if (v.type == TypeId::Type && accept != Accept::Static) {
        result.handle = scalar(f, v);
        result.ok = true;
    } else if (v.type == TypeId::Any && accept == Accept::RuntimeOrAny) {
        return heldType(v);
    } else if (v.type == TypeId::Type) {
        reject(e->span, code(name) + " needs a type that is known while compiling");
    } else if (v.isVoid() || v.type == TypeId::None) {
        requireValue(f, v, e->span);
    } else {
        reject(e->span, code(name) + " takes a type, not a value of type " + code(types, v.type),
               "write " + code(std::string(name) + "(type_of(…))"));
    }
    return result;
}

TypeArg IntrinsicCall::heldType(const Value& any) {
    ValueId words = addressOf(f, any);
    ValueId tag = load(words, 8, TypeId::Type).id;
    BlockId isType = b.newBlock(), join = b.newBlock();
    ValueId type = b.blockParam(join, TypeId::Type);
    emitCondBr(b, emitICmp(b, ir::ICmpPred::Eq, tag, typeHandle(b, TypeId::Type)), isType, {}, join, {tag});
    b.setBlock(isType);
    ValueId data = load(words, 0, pointerTo(types, TypeId::Type)).id;
    emitBr(b, join, {emitLoad(b, TypeId::Type, data)});
    b.setBlock(join);
    TypeArg result;
    result.ok = true;
    result.handle = type;
    return result;
}

ValueId IntrinsicCall::handleOf(const TypeArg& t) { return t.isStatic() ? typeHandle(b, t.type) : t.handle; }

// ------------------------------------------------------------------------------------ views

namespace {

/// `(place, data, type)`: writes the view. What lies at `data` is shown as it is, except that an `any` or a
/// protocol value stands for what it holds.
void buildView(ir::Builder& b) {
    TypeTable& types = b.module().types;
    TypeId pointer = pointerTo(types, TypeId::Void);
    ValueId place = b.param(0), data = b.param(1), type = b.param(2);
    BlockId holder = b.newBlock(), through = b.newBlock(), plain = b.newBlock();
    ValueId category = emitLoad(b, TypeId::I64, emitOffset(b, type, ir::desc::Category, pointerTo(types, TypeId::I64)));
    emitSwitch(b, category, plain,
               {{static_cast<uint64_t>(ir::TypeCategory::Any), holder},
                {static_cast<uint64_t>(ir::TypeCategory::Protocol), holder}});
    b.setBlock(holder);
    ValueId held = emitLoad(b, TypeId::Type, emitOffset(b, data, 8, pointerTo(types, TypeId::Type)));
    emitCondBr(b, emitICmp(b, ir::ICmpPred::Eq, held, nullOf(b, TypeId::Type)), plain,
               through); // empty: nothing to see through
    b.setBlock(through);
    emitCopy(b, place, data, uint64_t{16});
    emitRet(b);
    b.setBlock(plain);
    emitStore(b, place, emitCast(b, ir::Op::Reinterpret, data, pointer));
    emitStore(b, emitOffset(b, place, 8, pointerTo(types, TypeId::Type)), type);
    emitRet(b);
}

} // namespace

Value view(IntrinsicCall& c, ValueId data, ValueId type) {
    TypeId pointer = pointerTo(c.types, TypeId::Void);
    ir::FuncId helper = helperFunction(c.sema, "sx.view", {pointer, pointer, TypeId::Type}, TypeId::Void, buildView);
    Value any = temp(c.f, TypeId::Any);
    emitCall(
        c.b, helper,
        {emitCast(c.b, ir::Op::Reinterpret, any.id, pointer), emitCast(c.b, ir::Op::Reinterpret, data, pointer), type});
    return any;
}

Value view(IntrinsicCall& c, ValueId data, TypeId type) {
    if (type == TypeId::Any || c.types.kind(type) == TypeKind::Protocol) return view(c, data, typeHandle(c.b, type));
    TypeId pointer = pointerTo(c.types, TypeId::Void);
    Value any = temp(c.f, TypeId::Any);
    emitStore(c.b, emitOffset(c.b, any.id, 0, pointerTo(c.types, pointer)),
              emitCast(c.b, ir::Op::Reinterpret, data, pointer));
    emitStore(c.b, emitOffset(c.b, any.id, 8, pointerTo(c.types, TypeId::Type)), typeHandle(c.b, type));
    return any;
}

Value anyElement(IntrinsicCall& c) {
    Value any = convertArgument(c.f, c.value(0, TypeId::Any), TypeId::Any, c.arg(0)->span);
    if (any.isError()) return any;
    TypeArg elem = c.typeArg(1, Accept::Runtime);
    if (!elem.ok) return Value::error();
    Index i = c.index(2);
    if (!i.ok) return Value::error();
    TypeId pointer = pointerTo(c.types, TypeId::Void);
    ValueId data = c.load(addressOf(c.f, any), 0, pointer).id;
    if (elem.isStatic()) {
        if (!completeDeep(c.sema, elem.type, c.arg(1)->span)) return Value::error();
        return view(c, emitIndex(c.b, data, i.value, sizeOf(c.types, elem.type), pointer), elem.type);
    }
    ValueId offset = emitBinary(c.b, ir::Op::Mul, i.value, c.load(elem.handle, ir::desc::Size, TypeId::I64).id);
    return view(c, emitIndex(c.b, data, offset, 1, pointer), elem.handle);
}

Value rawAnyData(IntrinsicCall& c) {
    Value any = c.value(0, TypeId::Any);
    if (any.isError()) return any;
    if (any.type != TypeId::Any) any = convertArgument(c.f, any, TypeId::Any, c.arg(0)->span);
    return any.isError() ? any : c.load(addressOf(c.f, any), 0, pointerTo(c.types, TypeId::Void));
}

Value rawMakeAny(IntrinsicCall& c) {
    TypeArg type = c.typeArg(0, Accept::Runtime);
    if (!type.ok) return Value::error();
    TypeId pointer = pointerTo(c.types, TypeId::Void);
    Value data = c.value(1, pointer);
    if (data.isError()) return data;
    bool isPointer = isPointerLike(c.types, data.type) || data.type == TypeId::Null;
    if (!isPointer)
        return c.reject(c.arg(1)->span,
                        "`raw_make_any` takes a pointer to the data, not " + withArticle(c.types, data.type));
    ValueId address = data.type == TypeId::Null ? nullOf(c.b, pointer)
                                                : emitCast(c.b, ir::Op::Reinterpret, scalar(c.f, data), pointer);
    Value any = temp(c.f, TypeId::Any);
    emitStore(c.b, emitOffset(c.b, any.id, 0, pointerTo(c.types, pointer)), address);
    emitStore(c.b, emitOffset(c.b, any.id, 8, pointerTo(c.types, TypeId::Type)), c.handleOf(type));
    return any;
}

// ------------------------------------------------------------------------------------ errors and floats

Value errorName(IntrinsicCall& c) {
    Value v = c.value(0);
    if (v.isError()) return v;
    if (!isErrorSet(c.types, v.type) && !isInteger(c.types, v.type))
        return c.reject(c.arg(0)->span, "`error_name` takes an error value, not " + withArticle(c.types, v.type));
    if (v.isConst() && v.constant.isInt()) {
        llvm::ArrayRef<Name> tags = c.types.tags();
        bool known = v.constant.i > 0 && v.constant.i <= static_cast<__int128>(tags.size());
        return stringValue(c.f, known ? llvm::StringRef(c.sema.names.text(tags[static_cast<size_t>(v.constant.i) - 1]))
                                      : llvm::StringRef());
    }
    return errorNameOf(c.f, castScalar(c.f, scalar(c.f, v), v.type, TypeId::U32));
}

/// `trace_resolve(frame) -> TraceFrame`: what a recorded frame says. Its declaration names the result type.
Value traceResolve(IntrinsicCall& c) {
    FunctionInstance* self =
        c.declared && !c.declared->isGeneric ? instance(c.sema, *c.declared, {}, c.nameSpan()) : nullptr;
    TypeId result = self ? resultOf(c.sema, *self, c.nameSpan()) : TypeId::None;
    if (result == TypeId::None || isScalar(c.types, result))
        return c.reject(c.nameSpan(), code(c.name) + " must be declared with the struct that it yields");
    Value frame = lowerTo(c.f, c.arg(0), TypeId::U64);
    if (frame.isError()) return frame;
    Value place = temp(c.f, result);
    c.b.emit(ir::Op::TraceResolve, TypeId::Void, {place.id, scalar(c.f, frame)});
    return place;
}

Value textOf(IntrinsicCall& c) {
    Value format = lowerTo(c.f, c.arg(0), TypeId::String);
    if (format.isError()) return format;
    if (!format.isConst() || format.constant.kind != ConstValue::Kind::String)
        return c.reject(c.arg(0)->span, code(c.name) + " takes a format that is known while compiling",
                        "`build_format` takes any");
    return stringValue(c.f, textOfFormat(format.constant.s));
}

/// The function that says so is never inlined: what stands in every program many times is compiled once.
Value outOfLine(IntrinsicCall& c) {
    c.f.fn.outOfLine = true;
    return Value::none();
}

Value math(IntrinsicCall& c, ir::Op op) {
    Value v = c.value(0, isFloat(c.types, c.target) ? c.target : TypeId::None);
    if (v.isError()) return v;
    v = narrowedValue(c.f, v);
    if (!isFloat(c.types, v.type))
        return c.reject(c.arg(0)->span, code(c.name) + " works on `f32` and `f64`, not on " + code(c.types, v.type),
                        "convert it with `.(f64)`");
    if (!v.isConst()) return Value::scalar(v.type, emitUnary(c.b, op, scalar(c.f, v)));
    // Through storage, so that nothing folds: compile-time evaluation does not have these
    // (modules-and-comptime.md 6.1).
    Value operand = temp(c.f, v.type);
    store(c.f, operand.id, v);
    return Value::scalar(v.type, emitUnary(c.b, op, emitLoad(c.b, v.type, operand.id)));
}

} // namespace sx::lower::intrinsics

namespace sx::lower {

Value lowerIntrinsic(Body& f, Name name, FunctionTemplate* declared, const ast::Call& call, TypeId target,
                     bool& handled) {
    return intrinsics::IntrinsicCall(f, name, declared, call, target).lower(handled);
}

/// Entry `tag` of the table of error names: a string in read-only data. A number that is no tag has no name.
Value errorNameOf(Body& l, ir::ValueId tag) {
    TypeId stringPtr = pointerTo(l.types, TypeId::String);
    ir::ValueId table = globalAddr(l.b, l.module.errorNameTable(), pointerTo(l.types, TypeId::I64));
    ir::ValueId count = emitLoad(l.b, TypeId::I64, table);
    ir::ValueId number = emitCast(l.b, ir::Op::ZExt, emitCast(l.b, ir::Op::Reinterpret, tag, TypeId::U32), TypeId::I64);
    ir::ValueId index =
        emitSelect(l.b, emitICmp(l.b, ir::ICmpPred::ULt, number, count), number, constInt(l.b, TypeId::I64, 0));
    table = emitOffset(l.b, table, ir::Module::ErrorNamesHeader, stringPtr);
    Value v = Value::temporary(TypeId::String, emitIndex(l.b, table, index, 16, stringPtr));
    v.constRooted = v.lvalue = true;
    return v;
}

} // namespace sx::lower
