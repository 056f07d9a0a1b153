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

namespace sx::lower {

using namespace ast;

// clang-format off
#define INTRINSIC(name, handler, args) .Case(#name, {&IntrinsicCall::handler, args})
#define DECLARED_INTRINSIC(name, handler, args) .Case(#name, {&IntrinsicCall::handler, args, true})
#define IR_MATH_OP(name, text, function, value) .Case(#function, {&IntrinsicCall::math<ir::Op::name>, 1})
// clang-format on
IntrinsicCall::Entry IntrinsicCall::entryFor(std::string_view name) {
    llvm::StringRef n(name);
    if (n.starts_with("atomic_fetch_") || n == "atomic_swap") return {&IntrinsicCall::atomicRmw, 4};
    return llvm::StringSwitch<Entry>(n)
#include "ir/Ops.def"
#include "sema/model/Intrinsics.def"
        .Default({});
}

Value IntrinsicCall::lower(bool& handled) {
    Entry entry = entryFor(name_);
    handled = entry.handler != nullptr && (!entry.needsDeclaration || declared_);
    if (!handled) return Value::error();
    for (const Arg& a : call_.args) {
        if (a.name) return reject(nameSpan(), code(name_) + " takes its arguments by position only");
        if (a.spread) return reject(a.span, code(name_) + " takes no spread arguments");
    }
    if (call_.trailingBlock) return reject(nameSpan(), code(name_) + " takes no trailing block");
    if (call_.args.size() != entry.args)
        return reject(nameSpan(), code(name_) + " takes " + countOf(entry.args, "argument") + ", but " +
                                      givenCount(call_.args.size()));
    return (this->*entry.handler)();
}

Value lowerIntrinsic(Body& f, Name name, FunctionTemplate* declared, const Call& call, TypeId target, bool& handled) {
    return IntrinsicCall(f, name, declared, call, target).lower(handled);
}

Value IntrinsicCall::reject(Span at, const std::string& message, const std::string& help) {
    Diagnostic& d = f_.diags.error(at, message);
    if (!help.empty()) d.help(help);
    return Value::error();
}

// ------------------------------------------------------------------------------------ arguments

Value IntrinsicCall::value(size_t i, TypeId target) {
    Value v = elementOf(f_, lower::lower(f_, arg(i), target));
    return !v.isError() && requireValue(f_, v, arg(i)->span) ? v : Value::error();
}

IntrinsicCall::Index IntrinsicCall::index(size_t i) {
    Index result;
    Value v = lowerTo(f_, arg(i), TypeId::I64);
    if (v.isError()) return result;
    result.ok = true;
    if (v.isConst() && v.constant.isInt()) result.known = static_cast<uint64_t>(v.constant.i);
    result.value = scalar(f_, v);
    return result;
}

IntrinsicCall::TypeArg IntrinsicCall::typeArg(size_t i, Accept accept) {
    TypeArg result;
    const Expr* e = arg(i);
    const auto* name = llvm::dyn_cast<NameRef>(withoutParens(e));
    bool isBuiltin =
        name && !name->id.raw && isReservedTypeName(sema_, name->id.name); // also beside a value of that name
    if (isBuiltin || namesType(sema_, e, typeContext(f_, true))) {
        result.type = resolveType(sema_, e, typeContext(f_));
        result.ok = result.type != TypeId::None && complete(sema_, result.type, e->span);
        return result;
    }
    if (result.type = functionTypeNamed(f_, e); result.type != TypeId::None) {
        result.ok = true;
        return result;
    }
    Value v = elementOf(f_, lower::lower(f_, e));
    if (v.isError()) return result;
    if (v.isTypeName() || (v.isConst() && v.constant.kind == ConstValue::Kind::Type)) {
        result.type = v.isTypeName() ? v.namedType : v.constant.t;
        result.ok = complete(sema_, result.type, e->span);
    } else if (v.type == TypeId::Type && accept != Accept::Static) {
        result.handle = scalar(f_, v);
        result.ok = true;
    } else if (v.type == TypeId::Any && accept == Accept::RuntimeOrAny) {
        return heldType(v);
    } else if (v.type == TypeId::Type) {
        reject(e->span, code(name_) + " needs a type that is known while compiling");
    } else if (v.isVoid() || v.type == TypeId::None) {
        requireValue(f_, v, e->span);
    } else {
        reject(e->span, code(name_) + " takes a type, not a value of type " + code(types_, v.type),
               "write " + code(std::string(name_) + "(type_of(…))"));
    }
    return result;
}

IntrinsicCall::TypeArg IntrinsicCall::heldType(const Value& any) {
    ValueId words = addressOf(f_, any);
    ValueId tag = load(words, 8, TypeId::Type).id;
    BlockId isType = b_.newBlock(), join = b_.newBlock();
    ValueId type = b_.blockParam(join, TypeId::Type);
    emitCondBr(b_, emitICmp(b_, ir::ICmpPred::Eq, tag, typeHandle(b_, TypeId::Type)), isType, {}, join, {tag});
    b_.setBlock(isType);
    ValueId data = load(words, 0, pointerTo(types_, TypeId::Type)).id;
    emitBr(b_, join, {emitLoad(b_, TypeId::Type, data)});
    b_.setBlock(join);
    TypeArg result;
    result.ok = true;
    result.handle = type;
    return result;
}

ValueId IntrinsicCall::handleOf(const TypeArg& t) { return t.isStatic() ? typeHandle(b_, t.type) : t.handle; }

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

Value IntrinsicCall::view(ValueId data, ValueId type) {
    TypeId pointer = pointerTo(types_, TypeId::Void);
    ir::FuncId helper = helperFunction(sema_, "sx.view", {pointer, pointer, TypeId::Type}, TypeId::Void, buildView);
    Value any = temp(f_, TypeId::Any);
    emitCall(
        b_, helper,
        {emitCast(b_, ir::Op::Reinterpret, any.id, pointer), emitCast(b_, ir::Op::Reinterpret, data, pointer), type});
    return any;
}

Value IntrinsicCall::view(ValueId data, TypeId type) {
    if (type == TypeId::Any || types_.kind(type) == TypeKind::Protocol) return view(data, typeHandle(b_, type));
    TypeId pointer = pointerTo(types_, TypeId::Void);
    Value any = temp(f_, TypeId::Any);
    emitStore(b_, emitOffset(b_, any.id, 0, pointerTo(types_, pointer)),
              emitCast(b_, ir::Op::Reinterpret, data, pointer));
    emitStore(b_, emitOffset(b_, any.id, 8, pointerTo(types_, TypeId::Type)), typeHandle(b_, type));
    return any;
}

Value IntrinsicCall::anyElement() {
    Value any = convertArgument(f_, value(0, TypeId::Any), TypeId::Any, arg(0)->span);
    if (any.isError()) return any;
    TypeArg elem = typeArg(1, Accept::Runtime);
    if (!elem.ok) return Value::error();
    Index i = index(2);
    if (!i.ok) return Value::error();
    TypeId pointer = pointerTo(types_, TypeId::Void);
    ValueId data = load(addressOf(f_, any), 0, pointer).id;
    if (elem.isStatic()) {
        if (!completeDeep(sema_, elem.type, arg(1)->span)) return Value::error();
        return view(emitIndex(b_, data, i.value, sx::sizeOf(types_, elem.type), pointer), elem.type);
    }
    ValueId offset = emitBinary(b_, ir::Op::Mul, i.value, load(elem.handle, ir::desc::Size, TypeId::I64).id);
    return view(emitIndex(b_, data, offset, 1, pointer), elem.handle);
}

Value IntrinsicCall::rawAnyData() {
    Value any = value(0, TypeId::Any);
    if (any.isError()) return any;
    if (any.type != TypeId::Any) any = convertArgument(f_, any, TypeId::Any, arg(0)->span);
    return any.isError() ? any : load(addressOf(f_, any), 0, pointerTo(types_, TypeId::Void));
}

Value IntrinsicCall::rawMakeAny() {
    TypeArg type = typeArg(0, Accept::Runtime);
    if (!type.ok) return Value::error();
    TypeId pointer = pointerTo(types_, TypeId::Void);
    Value data = value(1, pointer);
    if (data.isError()) return data;
    bool isPointer = isPointerLike(types_, data.type) || data.type == TypeId::Null;
    if (!isPointer)
        return reject(arg(1)->span,
                      "`raw_make_any` takes a pointer to the data, not " + withArticle(types_, data.type));
    ValueId address =
        data.type == TypeId::Null ? nullOf(b_, pointer) : emitCast(b_, ir::Op::Reinterpret, scalar(f_, data), pointer);
    Value any = temp(f_, TypeId::Any);
    emitStore(b_, emitOffset(b_, any.id, 0, pointerTo(types_, pointer)), address);
    emitStore(b_, emitOffset(b_, any.id, 8, pointerTo(types_, TypeId::Type)), handleOf(type));
    return any;
}

// ------------------------------------------------------------------------------------ errors and floats

Value IntrinsicCall::errorName() {
    Value v = value(0);
    if (v.isError()) return v;
    if (!isErrorSet(types_, v.type) && !isInteger(types_, v.type))
        return reject(arg(0)->span, "`error_name` takes an error value, not " + withArticle(types_, v.type));
    if (v.isConst() && v.constant.isInt()) {
        llvm::ArrayRef<Name> tags = types_.tags();
        bool known = v.constant.i > 0 && v.constant.i <= static_cast<__int128>(tags.size());
        return stringValue(f_, known ? llvm::StringRef(sema_.names.text(tags[static_cast<size_t>(v.constant.i) - 1]))
                                     : llvm::StringRef());
    }
    return errorNameOf(f_, castScalar(f_, scalar(f_, v), v.type, TypeId::U32));
}

/// `trace_resolve(frame) -> TraceFrame`: what a recorded frame says. Its declaration names the result type.
Value IntrinsicCall::traceResolve() {
    FunctionInstance* self = declared_ && !declared_->isGeneric ? instance(sema_, *declared_, {}, nameSpan()) : nullptr;
    TypeId result = self ? resultOf(sema_, *self, nameSpan()) : TypeId::None;
    if (result == TypeId::None || isScalar(types_, result))
        return reject(nameSpan(), code(name_) + " must be declared with the struct that it yields");
    Value frame = lowerTo(f_, arg(0), TypeId::U64);
    if (frame.isError()) return frame;
    Value place = temp(f_, result);
    b_.emit(ir::Op::TraceResolve, TypeId::Void, {place.id, scalar(f_, frame)});
    return place;
}

Value IntrinsicCall::math(ir::Op op) {
    Value v = value(0, isFloat(types_, target_) ? target_ : TypeId::None);
    if (v.isError()) return v;
    v = narrowedValue(f_, v);
    if (!isFloat(types_, v.type))
        return reject(arg(0)->span, code(name_) + " works on `f32` and `f64`, not on " + code(types_, v.type),
                      "convert it with `.(f64)`");
    if (!v.isConst()) return Value::scalar(v.type, emitUnary(b_, op, scalar(f_, v)));
    // Through storage, so that nothing folds: compile-time evaluation does not have these
    // (modules-and-comptime.md 6.1).
    Value operand = temp(f_, v.type);
    store(f_, operand.id, v);
    return Value::scalar(v.type, emitUnary(b_, op, emitLoad(b_, v.type, operand.id)));
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
