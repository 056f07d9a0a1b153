// Memory that the language allocates by itself, and small functions that the compiler makes.
#include "sema/CallSupport.h"

namespace sx::sema {

namespace {

/// The `allocator` field of the context, as a place; Error where the program has none.
Value contextAllocator(FunctionLowering& f) {
    if (!f.sema.hasContext() || f.context == ValueId::None) return Value::error();
    const StructInfo& info = f.types.structInfo(f.sema.contextType);
    auto it = info.index.find(f.sema.name("allocator"));
    if (it == info.index.end()) return Value::error();
    const StructField& field = info.fields[it->second];
    return Value::place(field.type, f.b.offset(f.context, field.offset, f.types.pointerTo(field.type)));
}

} // namespace

namespace {

/// A declaration of the program that binds this C symbol. There is one function per symbol in a module, so the
/// compiler's own calls go through it.
FunctionTemplate* declarationOf(Sema& sema, llvm::StringRef symbol) {
    for (auto& file : sema.files)
        for (Symbol* s : file->order) {
            const auto* fn = llvm::dyn_cast_or_null<ast::FunctionDecl>(s->decl);
            if (!fn || fn->linkage != ast::Linkage::Extern || !s->function) continue;
            if (symbol == (fn->symbol.empty() ? llvm::StringRef(sema.names.text(s->name)) : fn->symbol)) return s->function;
        }
    return nullptr;
}

} // namespace

Value callC(FunctionLowering& f, const char* symbol, TypeId result, llvm::ArrayRef<Value> args, Span at) {
    FunctionTemplate* declared = declarationOf(f.sema, symbol);
    FunctionInstance* callee = declared && !declared->isGeneric ? f.sema.instance(*declared, {}, at) : nullptr;
    if (callee && !callee->signatureFailed && callee->params.size() == args.size()) {
        llvm::SmallVector<Value, 4> converted;
        for (size_t i = 0; i < args.size(); ++i) converted.push_back(f.castTo(args[i], callee->params[i].type, at, true));
        if (std::none_of(converted.begin(), converted.end(), [](const Value& v) { return v.isError(); })) {
            Value v = f.emitCall(*callee, converted, at, ValueId::None);
            if (result == TypeId::NoReturn && f.reachable()) f.b.unreachable();
            return v;
        }
    }
    llvm::SmallVector<TypeId, 4> types;
    llvm::SmallVector<ValueId, 4> values;
    for (const Value& v : args) {
        types.push_back(v.type);
        values.push_back(f.scalar(v));
    }
    bool noReturn = result == TypeId::NoReturn;
    ValueId v = f.callRuntime(symbol, noReturn ? TypeId::Void : result, types, values, noReturn);
    return noReturn ? Value::diverged() : Value::scalar(result, v);
}

ValueId mallocBytes(FunctionLowering& f, ValueId byteCount, Span at) {
    Value size = Value::scalar(TypeId::U64, f.b.cast(ir::Op::Reinterpret, byteCount, TypeId::U64));
    return f.scalar(callC(f, "malloc", f.types.pointerTo(TypeId::Void), size, at));
}

ValueId allocate(FunctionLowering& f, ValueId byteCount, const Value* allocator, Span at) {
    Value source = allocator ? *allocator : contextAllocator(f);
    Value size = Value::scalar(TypeId::I64, byteCount);
    if (!source.isError()) {
        Value block = f.callMethodOf(source, f.sema.name("alloc_bytes"), size, at);
        if (!block.isError() && f.types.isPointerLike(block.type)) return f.scalar(block);
    }
    return mallocBytes(f, byteCount, at);
}

ir::FuncId helperFunction(Sema& sema, const char* name, llvm::ArrayRef<TypeId> params, TypeId result, void (*build)(ir::Builder&)) {
    auto [it, isNew] = sema.runtimeFunctions.try_emplace(name, ir::FuncId::None);
    if (!isNew) return it->second;
    ir::FuncId id = sema.newFunction(name, name);
    ir::Function& fn = sema.module.fn(id);
    fn.params.assign(params.begin(), params.end());
    fn.paramNames.assign(params.size(), Name::None);
    fn.result = result;
    fn.compilerMade = true;
    sema.runtimeFunctions[name] = id;
    ir::Builder b(sema.module, fn);
    build(b);
    return id;
}

} // namespace sx::sema
