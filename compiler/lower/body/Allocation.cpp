#include "lower/body/Allocation.h"

#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "sema/Functions.h"
#include "types/Derived.h"
#include "types/Predicates.h"

namespace sx::lower {

namespace {

/// The `allocator` field of the context, as a place; Error where the program has none.
Value contextAllocator(Body& f) {
    if (!f.sema.hasContext() || f.context == ValueId::None) return Value::error();
    const StructInfo& info = f.types.structInfo(f.sema.contextType);
    auto it = info.index.find(f.sema.name("allocator"));
    if (it == info.index.end()) return Value::error();
    const StructField& field = info.fields[it->second];
    return Value::place(field.type, emitOffset(f.b, f.context, field.offset, pointerTo(f.types, field.type)));
}

} // namespace

Value callC(Body& f, const char* symbol, TypeId result, llvm::ArrayRef<Value> args, Span at) {
    llvm::SmallVector<TypeId, 4> types;
    llvm::SmallVector<ValueId, 4> values;
    for (const Value& v : args) {
        types.push_back(v.type);
        values.push_back(scalar(f, v));
    }
    bool noReturn = result == TypeId::NoReturn;
    f.b.setSpan(at);
    ValueId v = callRuntime(f, symbol, noReturn ? TypeId::Void : result, types, values, noReturn);
    return noReturn ? Value::diverged() : Value::scalar(result, v);
}

ValueId mallocBytes(Body& f, ValueId byteCount, Span at) {
    Value size = Value::scalar(TypeId::U64, emitCast(f.b, ir::Op::Reinterpret, byteCount, TypeId::U64));
    return scalar(f, callC(f, "malloc", pointerTo(f.types, TypeId::Void), size, at));
}

ValueId allocate(Body& f, ValueId byteCount, const Value* allocator, Span at) {
    Value source = allocator ? *allocator : contextAllocator(f);
    Value size = Value::scalar(TypeId::I64, byteCount);
    if (!source.isError()) {
        Value block = callMethodOf(f, source, f.sema.name("alloc_bytes"), size, at);
        if (!block.isError() && isPointerLike(f.types, block.type)) return scalar(f, block);
    }
    return mallocBytes(f, byteCount, at);
}

} // namespace sx::lower
