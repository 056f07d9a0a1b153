// Where values live: SSA values, addresses, stores and temporaries; locals and lexical scopes.
#include "sema/Operands.h"

namespace sx::sema {

using namespace ast;

namespace {

bool isAllZero(const ir::ConstData& data) {
    if (!data.relocs.empty()) return false;
    for (uint8_t byte : data.bytes)
        if (byte != 0) return false;
    return true;
}

/// A constant of scalar type as an SSA value.
ValueId constantScalar(FunctionLowering& f, TypeId type, const ConstValue& c) {
    ir::Builder& b = f.b;
    if (!f.types.isScalar(type)) return b.undef(TypeId::I64);
    switch (c.kind) {
    case ConstValue::Kind::Int:
        if (type == TypeId::Bool) return b.constBool(c.i != 0);
        if (f.types.isInteger(type) || f.types.isErrorSet(type) || f.types.kind(type) == TypeKind::Enum)
            return b.constInt(type, static_cast<uint64_t>(c.i));
        if (c.i == 0) return b.null(type);
        return b.cast(ir::Op::IntToPtr, b.constInt(TypeId::I64, static_cast<uint64_t>(c.i)), type);
    case ConstValue::Kind::Bool: return b.constBool(c.i != 0);
    case ConstValue::Kind::Float: return b.constFloat(type, c.f);
    case ConstValue::Kind::Null: return b.null(type == TypeId::Null ? f.types.pointerTo(TypeId::Void) : type);
    case ConstValue::Kind::Type: return b.typeHandle(c.t);
    case ConstValue::Kind::String: return b.globalAddr(f.sema.stringGlobal(c.s), type);
    case ConstValue::Kind::Data:
        if (isAllZero(*c.data) && !f.types.isFloat(type))
            return f.types.isPointerLike(type) ? b.null(type) : b.constInt(type, 0);
        return b.load(type, b.globalAddr(f.sema.constGlobal(type, *c.data, "constant"), f.types.pointerTo(type)));
    case ConstValue::Kind::None:
    case ConstValue::Kind::Undef: break;
    }
    return b.undef(type);
}

void storeText(FunctionLowering& f, ValueId dest, llvm::StringRef text) {
    TypeId bytes = f.types.manyPointerTo(TypeId::U8);
    f.b.store(f.b.offset(dest, 0, f.types.pointerTo(bytes)), f.b.globalAddr(f.sema.stringGlobal(text), bytes));
    f.b.store(f.b.offset(dest, 8, f.types.pointerTo(TypeId::I64)), f.i64(static_cast<int64_t>(text.size())));
}

/// A constant of aggregate type. `---` leaves the storage as it is, except that tuples are zeroed (types.md 17.3).
void storeConstant(FunctionLowering& f, ValueId dest, TypeId type, const ConstValue& c) {
    switch (c.kind) {
    case ConstValue::Kind::String: storeText(f, dest, c.s); return;
    case ConstValue::Kind::Data:
        if (isAllZero(*c.data)) f.b.zero(dest, type);
        else
            f.b.copy(dest, f.b.globalAddr(f.sema.constGlobal(type, *c.data, "constant"), f.types.pointerTo(type)),
                     type);
        return;
    case ConstValue::Kind::Undef:
        if (f.types.kind(type) == TypeKind::Tuple) f.b.zero(dest, type);
        return;
    case ConstValue::Kind::Int:
    case ConstValue::Kind::Null: f.b.zero(dest, type); return; // an absent optional
    case ConstValue::Kind::None:
    case ConstValue::Kind::Float:
    case ConstValue::Kind::Bool:
    case ConstValue::Kind::Type: return;
    }
}

} // namespace

std::string withArticle(const TypeTable& types, TypeId t) {
    std::string name = quoted(types, t);
    bool vowel = name.size() > 1 && std::string_view("aeioAEIO").find(name[1]) != std::string_view::npos;
    return (vowel ? "an " : "a ") + name;
}

void panicIf(FunctionLowering& f, ValueId failed, ir::PanicKind kind, Span at, llvm::ArrayRef<ValueId> operands) {
    uint64_t bits = 0;
    if (f.b.isConst(failed, bits) && bits == 0) return;
    BlockId bad = f.b.newBlock(true), good = f.b.newBlock();
    f.b.condBr(failed, bad, good, true);
    f.b.setBlock(bad);
    f.b.panic(kind, at, operands);
    f.b.setBlock(good);
}

std::vector<Part> partsOf(const TypeTable& types, TypeId t) {
    std::vector<Part> parts;
    if (types.kind(t) == TypeKind::Struct) {
        for (const StructField& field : types.structInfo(t).fields)
            parts.push_back({field.name, field.type, field.offset});
        return parts;
    }
    unsigned i = 0;
    for (const TupleField& field : types.tupleFields(t))
        parts.push_back({field.name, field.type, types.fieldOffset(t, i++)});
    return parts;
}

bool isTupleLike(const TypeTable& types, TypeId t) {
    return types.kind(t) == TypeKind::Tuple || (types.kind(t) == TypeKind::Struct && types.structInfo(t).positional);
}

TypeId elementType(const TypeTable& types, TypeId t) {
    switch (types.kind(t)) {
    case TypeKind::Array:
    case TypeKind::Vector:
    case TypeKind::Slice:
    case TypeKind::ManyPointer: return types.elem(t);
    case TypeKind::String: return TypeId::U8;
    case TypeKind::None:
    case TypeKind::Void:
    case TypeKind::NoReturn:
    case TypeKind::Bool:
    case TypeKind::Int:
    case TypeKind::Float:
    case TypeKind::CString:
    case TypeKind::Any:
    case TypeKind::Type:
    case TypeKind::Null:
    case TypeKind::Pointer:
    case TypeKind::Optional:
    case TypeKind::Tuple:
    case TypeKind::Function:
    case TypeKind::Closure:
    case TypeKind::Struct:
    case TypeKind::Enum:
    case TypeKind::Union:
    case TypeKind::ErrorSet:
    case TypeKind::Protocol: break;
    }
    return TypeId::None;
}

// ------------------------------------------------------------------------------------ reading and writing

ValueId FunctionLowering::scalar(const Value& v) {
    switch (v.kind) {
    case Value::Kind::Scalar: return v.id;
    case Value::Kind::Memory: return types.isScalar(v.type) ? b.load(v.type, v.id) : v.id;
    case Value::Kind::Const: return constantScalar(*this, v.type, v.constant);
    case Value::Kind::TypeName: return b.typeHandle(v.namedType);
    case Value::Kind::Function: {
        Value pointer = v.function ? functionValue(*v.function, b.span(), TypeId::None) : Value::error();
        return pointer.isError() ? b.null(types.pointerTo(TypeId::Void)) : scalar(pointer);
    }
    case Value::Kind::Error:
    case Value::Kind::Void:
    case Value::Kind::Method:
    case Value::Kind::Namespace:
    case Value::Kind::GenericStruct:
    case Value::Kind::Protocol:
    case Value::Kind::Pack: break;
    }
    return b.undef(types.isScalar(v.type) ? v.type : TypeId::I64);
}

ValueId FunctionLowering::addressOf(const Value& v) {
    if (v.isMemory()) return v.id;
    if (v.kind == Value::Kind::Function && v.function) {
        Value pointer = functionValue(*v.function, b.span(), TypeId::None);
        return addressOf(pointer);
    }
    if (v.isError() || v.isVoid() || v.type == TypeId::None) return b.null(types.pointerTo(TypeId::Void));
    Value spilled = temp(v.type);
    store(spilled.id, v);
    return spilled.id;
}

void FunctionLowering::store(ValueId dest, const Value& v) {
    if (v.isError() || v.isVoid()) return;
    if (v.kind == Value::Kind::Function) {
        b.store(dest, scalar(v));
        return;
    }
    if (v.isConst() && v.constant.kind == ConstValue::Kind::Undef && types.isScalar(v.type)) return;
    if (types.isScalar(v.type)) b.store(dest, scalar(v));
    else if (v.isMemory()) b.copy(dest, v.id, v.type);
    else if (v.isConst()) storeConstant(*this, dest, v.type, v.constant);
}

Value FunctionLowering::load(const Value& v) {
    if (!v.isMemory() || !types.isScalar(v.type)) return v;
    Value loaded = v;
    loaded.kind = Value::Kind::Scalar;
    loaded.id = b.load(v.type, v.id);
    loaded.lvalue = loaded.constRooted = loaded.contextRooted = false;
    loaded.captureRoot = nullptr;
    return loaded;
}

Value FunctionLowering::copyToTemp(const Value& v) {
    if (v.isVoid() || v.isError() || types.isScalar(v.type)) return load(v);
    Value copy = temp(v.type);
    store(copy.id, v);
    copy.errors = v.errors;
    copy.unmarkedFailable = v.unmarkedFailable;
    return copy;
}

Value FunctionLowering::temp(TypeId type, ValueId dest, std::string_view name) {
    if (dest != ValueId::None) return Value::temporary(type, dest);
    if (!types.isComplete(type) && !sema.completeDeep(type, b.span()))
        return Value::temporary(type, b.slotAddr(b.newRawSlot(8, 8))); // reported
    return Value::temporary(type, b.slotAddr(b.newSlot(type, name.empty() ? Name::None : sema.name(name), b.span())));
}

Value FunctionLowering::fieldOf(const Value& aggregate, uint64_t offset, TypeId type) {
    if (type == TypeId::Void) return Value::none();
    bool isData = aggregate.constant.kind == ConstValue::Kind::Data && (aggregate.isConst() || aggregate.isMemory());
    ConstValue part;
    if (isData) {
        part = sema.readConstant(*aggregate.constant.data, offset, type);
        bool folds = aggregate.isConst() || (!addressWanted && part.kind != ConstValue::Kind::Data);
        if (folds) {
            Value v = valueOfConstant(type, part);
            v.constRooted = aggregate.constRooted;
            return v;
        }
    }
    Value field = Value::temporary(type, b.offset(addressOf(aggregate), offset, types.pointerTo(type)));
    field.lvalue = aggregate.lvalue;
    field.constRooted = aggregate.constRooted;
    field.contextRooted = aggregate.contextRooted;
    field.captureRoot = aggregate.captureRoot;
    if (isData && !types.isScalar(type)) field.constant = part;
    return field;
}

Value FunctionLowering::zeroValue(TypeId type) {
    if (type == TypeId::Void) return Value::none();
    if (type == TypeId::Bool) return Value::ofConst(type, ConstValue::ofBool(false));
    if (types.isFloat(type)) return Value::ofConst(type, ConstValue::ofFloat(0));
    if (types.isPointerLike(type) || type == TypeId::Type || type == TypeId::Null)
        return Value::ofConst(type, ConstValue::null());
    if (types.isScalar(type))
        return Value::ofConst(type, types.kind(type) == TypeKind::Optional ? ConstValue::null() : ConstValue::ofInt(0));
    Value zero = temp(type);
    b.zero(zero.id, type);
    return zero;
}

void FunctionLowering::storeDefault(TypeId type, ValueId dest) {
    if (type == TypeId::Void) return;
    if (!types.isComplete(type) && !sema.completeDeep(type, b.span())) return;
    if (types.isScalar(type)) {
        store(dest, zeroValue(type));
        return;
    }
    if (types.kind(type) != TypeKind::Struct) {
        b.zero(dest, type);
        return;
    }
    // Declared defaults of its own fields; what lies between them is zeroed in one go each.
    std::vector<StructField> fields = types.structInfo(type).fields; // a default may make new types
    uint64_t zeroFrom = 0;
    auto zeroUpTo = [&](uint64_t end) {
        if (end > zeroFrom) b.zeroBytes(b.offset(dest, zeroFrom, types.pointerTo(TypeId::U8)), end - zeroFrom);
    };
    for (unsigned i = 0; i < fields.size(); ++i) {
        const StructField& field = fields[i];
        if (!field.hasDefault || field.type == TypeId::Void) continue;
        zeroUpTo(field.offset);
        storeFieldDefault(type, i, b.offset(dest, field.offset, types.pointerTo(field.type)));
        zeroFrom = field.offset + types.sizeOf(field.type);
    }
    zeroUpTo(types.sizeOf(type));
}

ValueId FunctionLowering::i64(int64_t v) { return b.constInt(TypeId::I64, static_cast<uint64_t>(v)); }

Value FunctionLowering::stringValue(llvm::StringRef text) {
    return Value::ofConst(TypeId::String, ConstValue::ofString(sema.internString(text)));
}

// ------------------------------------------------------------------------------------ run-time support

ValueId FunctionLowering::callRuntime(const char* symbol, TypeId result, llvm::ArrayRef<TypeId> params,
                                      llvm::ArrayRef<ValueId> args, bool noReturn) {
    auto [it, isNew] = sema.runtimeFunctions.try_emplace(symbol, ir::FuncId::None);
    if (isNew) {
        ir::FuncId id = sema.newFunction(symbol, symbol);
        ir::Function& callee = module.fn(id);
        callee.symbol = symbol;
        callee.params.assign(params.begin(), params.end());
        callee.paramNames.assign(params.size(), Name::None);
        callee.result = result;
        callee.conv = CallConv::C;
        callee.isExtern = callee.compilerMade = true;
        callee.noReturn = noReturn;
        sema.runtimeFunctions[symbol] = id;
    }
    ValueId value = b.call(sema.runtimeFunctions[symbol], args);
    if (noReturn) b.unreachable();
    return value;
}

void FunctionLowering::checkIndex(ValueId index, ValueId length, Span at) {
    // As unsigned numbers, a negative index is beyond every length.
    ValueId bad = b.icmp(ir::ICmpPred::UGe, index, length);
    panicIf(*this, bad, ir::PanicKind::Index, at, {index, length});
}

// ------------------------------------------------------------------------------------ locals and scopes

Symbol* FunctionLowering::declareLocal(const Ident& id, TypeId type, LocalKind kind, ValueId address) {
    Symbol* s = sema.newSymbol(id.name, SymbolKind::Local, id.span);
    s->type = type;
    s->localKind = kind;
    s->owner = this;
    s->address = address;
    s->file = &currentFile();
    s->scope = scope;
    if (id && sema.names.text(id.name) != "_") {
        sema.declare(*scope, id.name, s);
        if (kind == LocalKind::Parameter) b.declareEverywhere(address, id.name, id.span);
        else b.declareVariable(address, id.name, id.span);
    }
    return s;
}

Symbol* FunctionLowering::newVariable(const Ident& id, TypeId type, LocalKind kind) {
    bool usable = type != TypeId::None && (types.isComplete(type) || sema.completeDeep(type, id.span));
    ValueId address = usable ? b.slotAddr(b.newSlot(type, id.name, id.span)) : b.slotAddr(b.newRawSlot(8, 8));
    Symbol* s = declareLocal(id, type, kind, address);
    if (!usable) s->kind = SymbolKind::Error; // reported: uses are silent
    return s;
}

Scope* FunctionLowering::pushScope(Span span) {
    Scope* outer = scope;
    scope = sema.newScope(scope, &currentFile());
    scope->owner = this;
    b.pushScope(span);
    return outer;
}

void FunctionLowering::popScope(Scope* outer) {
    b.popScope();
    scope = outer;
}

FunctionLowering::ScopeGuard::ScopeGuard(FunctionLowering& f, Span span)
    : f_(f), saved_(f.pushScope(span)), cleanupDepth_(f.cleanups.size()), narrowed_(f.narrowed) {}

void FunctionLowering::ScopeGuard::close() {
    if (!open_) return;
    open_ = false;
    if (f_.reachable()) f_.runCleanups(cleanupDepth_, false);
    f_.popCleanups(cleanupDepth_);
    f_.popScope(saved_);
    llvm::SmallPtrSet<Symbol*, 4> still;
    for (Symbol* s : narrowed_)
        if (f_.narrowed.count(s)) still.insert(s);
    f_.narrowed = still;
}

} // namespace sx::sema
