// Instances of generic structs and parameterised protocols, their names and aliases (generics.md 2, 4.12).
#include "sema/Constants.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/Sema.h"
#include "sema/TypeExprs.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/NameLimit.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

#include <bit>

namespace sx::sema {

using namespace ast;

// ------------------------------------------------------------------------------------ bindings

namespace {

void addWord(std::string& key, uint64_t word) { key.append(reinterpret_cast<const char*>(&word), sizeof word); }

void addConstant(std::string& key, const ConstValue& c) {
    key += static_cast<char>(c.kind);
    switch (c.kind) {
    case ConstValue::Kind::None:
    case ConstValue::Kind::Null:
    case ConstValue::Kind::Undef: return;
    case ConstValue::Kind::Int:
    case ConstValue::Kind::Bool:
        addWord(key, static_cast<uint64_t>(c.i));
        addWord(key, static_cast<uint64_t>(c.i >> 64));
        return;
    case ConstValue::Kind::Float: addWord(key, std::bit_cast<uint64_t>(c.f)); return;
    case ConstValue::Kind::String:
        addWord(key, c.s.size());
        key += c.s;
        return;
    case ConstValue::Kind::Type: addWord(key, static_cast<uint64_t>(c.t)); return;
    case ConstValue::Kind::Data:
        addWord(key, c.data->bytes.size());
        key.append(c.data->bytes.begin(), c.data->bytes.end());
        for (const ir::Reloc& r : c.data->relocs) {
            addWord(key, r.offset);
            addWord(key, uint64_t{r.id} << 8 | static_cast<uint64_t>(r.kind));
            addWord(key, static_cast<uint64_t>(r.addend));
        }
        return;
    }
}

std::string integerText(__int128 v) {
    return v < 0 ? std::to_string(static_cast<int64_t>(v)) : std::to_string(static_cast<uint64_t>(v));
}

std::string constantText(const Sema& sema, const ConstValue& c, TypeId type) {
    if (c.kind == ConstValue::Kind::Bool) return c.i ? "true" : "false";
    if (c.kind == ConstValue::Kind::Float) return std::to_string(c.f);
    if (c.kind == ConstValue::Kind::String) return c.s.str();
    if (c.kind != ConstValue::Kind::Int) return "_";
    if (sema.types.kind(type) == TypeKind::Enum)
        for (const Variant& v : sema.types.enumInfo(type).variants)
            if (v.value == c.i) return sema.text(v.name);
    return integerText(c.i);
}

} // namespace

bool fitsInteger(const TypeTable& types, TypeId integer, __int128 v) {
    unsigned bits = bitsOf(types, integer);
    if (types.isSigned(integer)) return v >= -(__int128(1) << (bits - 1)) && v < (__int128(1) << (bits - 1));
    return v >= 0 && v < (__int128(1) << bits);
}

bool bindValueArgument(Sema& sema, const Expr* argument, const TypeContext& context, Name name, Binding& b) {
    b.kind = Binding::Kind::Value;
    if (!isInteger(sema.types, b.type)) {
        std::optional<Value> v =
            sema.bodies->evaluateConstant(argument, b.type, context.scope, context.limit, context.file, false);
        if (!v) return false;
        b.value = v->constant;
        if (!v->isConst() && !context.quiet)
            sema.diags.error(argument->span, "the argument for " + code(sema, name) + " must be known while compiling");
        return v->isConst();
    }
    std::optional<__int128> n = sema.bodies->evaluateCount(argument, context.scope, context.limit, context.file);
    if (!n) return false;
    b.value = ConstValue::ofInt(*n);
    if (fitsInteger(sema.types, b.type, *n)) return true;
    if (!context.quiet)
        sema.diags.error(argument->span, "the argument " + integerText(*n) + " is out of range for " +
                                             code(sema, name) + ", which is of type " + code(sema.types, b.type));
    return false;
}

std::string bindingKey(llvm::ArrayRef<Binding> bindings) {
    std::string key;
    for (const Binding& b : bindings) {
        key += static_cast<char>('A' + static_cast<int>(b.kind));
        switch (b.kind) {
        case Binding::Kind::Type: addWord(key, static_cast<uint64_t>(b.type)); break;
        case Binding::Kind::Value:
            addWord(key, static_cast<uint64_t>(b.type));
            addConstant(key, b.value);
            break;
        case Binding::Kind::Pack:
            addWord(key, b.packTypes.size());
            for (TypeId t : b.packTypes) addWord(key, static_cast<uint64_t>(t));
            for (const ConstValue& c : b.packValues) addConstant(key, c);
            break;
        }
    }
    return key;
}

std::string instanceName(Sema& sema, const std::string& head, llvm::ArrayRef<Binding> bindings) {
    std::string result = head;
    for (const Binding& b : bindings) {
        switch (b.kind) {
        case Binding::Kind::Type: result += "__" + runtimeName(sema.types, b.type); break;
        case Binding::Kind::Value: result += "__" + constantText(sema, b.value, b.type); break;
        case Binding::Kind::Pack:
            for (TypeId t : b.packTypes) result += "__" + runtimeName(sema.types, t);
            break;
        }
    }
    limitName(result);
    return result;
}

std::string writtenInstance(Sema& sema, const std::string& head, llvm::ArrayRef<Binding> bindings) {
    std::string list;
    auto add = [&](const std::string& s) { list += (list.empty() ? "" : ", ") + s; };
    for (const Binding& b : bindings) {
        switch (b.kind) {
        case Binding::Kind::Type: add(writtenName(sema.types, b.type)); break;
        case Binding::Kind::Value: add(constantText(sema, b.value, b.type)); break;
        case Binding::Kind::Pack:
            for (TypeId t : b.packTypes) add(writtenName(sema.types, t));
            break;
        }
    }
    std::string result = head + "(" + list + ")";
    limitName(result);
    return result;
}

Scope* bindingScope(Sema& sema, Scope* parent, uint32_t limit, SourceFile* file, TypeId self,
                    llvm::ArrayRef<Binding> bindings) {
    Scope* scope = newScope(sema, parent, file);
    scope->owner = nullptr;
    scope->outerLimit = limit;
    auto add = [&](Name n, SymbolKind kind) {
        Symbol* s = newSymbol(sema, n, kind, {});
        s->file = file;
        return declare(sema, *scope, n, s);
    };
    if (self != TypeId::None) add(sema.name("Self"), SymbolKind::Type)->type = self;
    for (const Binding& b : bindings) {
        switch (b.kind) {
        case Binding::Kind::Type: add(b.name, SymbolKind::Type)->type = b.type; break;
        case Binding::Kind::Value: {
            Symbol* s = add(b.name, SymbolKind::Constant);
            s->type = b.type;
            s->constantValue = sema.make<ConstValue>(b.value);
            if (passesPayload(sema.types, b))
                s->variant = static_cast<int64_t>(b.value.i); // for counts in the signature
            if (b.value.kind == ConstValue::Kind::Data)
                s->global = constGlobal(sema, b.type, *b.value.data, sema.text(b.name));
            break;
        }
        case Binding::Kind::Pack: {
            Symbol* s = add(b.name, SymbolKind::Pack);
            s->pack = sema.make<PackInfo>();
            s->pack->name = b.name;
            s->pack->types = b.packTypes;
            break;
        }
        }
    }
    return scope;
}

// ------------------------------------------------------------------------------------ generic structs

namespace {

/// Binds the arguments of one `Head(…)`.
class ArgumentBinder {
public:
    ArgumentBinder(Sema& sema, StructTemplate& head, const TypeContext& context)
        : sema_(sema), head_(head), context_(context) {
        declared_.scope = head.env;
        declared_.limit = head.envLimit;
        declared_.file = head.file;
    }

    bool bind(const Call& call, Bindings& out) {
        ArrayRef<TypeParamDecl> params = head_.decl->typeParams;
        bool open = !params.empty() && params.back().variadic;
        size_t fixed = params.size() - (open ? 1 : 0);
        if (!expand(call)) return false;
        if (args_.size() < fixed || (!open && args_.size() > fixed)) {
            fail(call.callee->span, code(head_.name) + " takes " + argumentRange(fixed, fixed, open) + ", and " +
                                        givenCount(args_.size()));
            return false;
        }
        bool ok = true;
        for (size_t i = 0; i < fixed; ++i) {
            Binding b;
            b.name = params[i].name.name;
            ok &= isTypeParam(params[i]) ? bindType(args_[i], b) : bindValue(params[i], args_[i], b);
            out.push_back(std::move(b));
        }
        if (!open) return ok;
        Binding rest;
        rest.name = params.back().name.name;
        rest.kind = Binding::Kind::Pack;
        for (size_t i = fixed; i < args_.size(); ++i) {
            Binding one;
            ok &= bindType(args_[i], one);
            rest.packTypes.push_back(one.type);
        }
        out.push_back(std::move(rest));
        return ok;
    }

private:
    /// An argument as written, or one type that a spread stands for.
    struct Given {
        const Expr* written = nullptr;
        TypeId type{};
    };

    void fail(Span at, std::string message) {
        if (!context_.quiet) sema_.diags.error(at, std::move(message));
    }

    bool expand(const Call& call) {
        for (const Arg& a : call.args) {
            if (!a.spread) {
                args_.push_back({a.value, TypeId::None});
                continue;
            }
            TypeElem elem;
            elem.spread = true;
            elem.type = a.value;
            elem.span = a.span;
            TupleType all;
            all.span = a.span;
            all.elems = elem;
            TypeId tuple = resolveType(sema_, &all, context_);
            if (tuple == TypeId::None) return false;
            for (const TupleField& f : sema_.types.tupleFields(tuple)) args_.push_back({nullptr, f.type});
        }
        return true;
    }

    /// `$T: Type`, `$T: Type/P`, `$T: P`: the parameter is a type.
    bool isTypeParam(const TypeParamDecl& p) {
        if (isTypeKeyword(sema_, p.type) || !p.constraints.empty()) return true;
        TypeContext quiet = declared_;
        quiet.quiet = true;
        if (!llvm::isa<NameRef>(p.type) && !llvm::isa<Member>(p.type)) return false;
        if (const auto* n = llvm::dyn_cast<NameRef>(p.type); n && builtinType(sema_, n->id.name) != TypeId::None)
            return false;
        Symbol* s = typeHead(sema_, p.type, quiet);
        return s && (s->kind == SymbolKind::GenericProtocol ||
                     (s->kind == SymbolKind::Type && sema_.types.kind(s->type) == TypeKind::Protocol));
    }

    bool bindType(const Given& given, Binding& b) {
        b.kind = Binding::Kind::Type;
        b.type = given.written ? resolveType(sema_, given.written, context_) : given.type;
        return b.type != TypeId::None;
    }

    bool bindValue(const TypeParamDecl& p, const Given& given, Binding& b) {
        b.type = resolveType(sema_, p.type, declared_);
        return b.type != TypeId::None && given.written &&
               bindValueArgument(sema_, given.written, context_, p.name.name, b);
    }

    Sema& sema_;
    StructTemplate& head_;
    const TypeContext& context_;
    TypeContext declared_; ///< where the head is declared
    llvm::SmallVector<Given, 4> args_;
};

} // namespace

bool bindStructArgs(Sema& sema, StructTemplate& head, const Call& call, const TypeContext& context, Bindings& out) {
    return ArgumentBinder(sema, head, context).bind(call, out);
}

/// Replaces the aliases of instances in the arguments by what they name; whether there were any.
static bool lookThroughAliases(Sema& sema, Bindings& bindings) {
    bool changed = false;
    auto look = [&](TypeId& type) {
        TypeId original = canonical(sema, type);
        changed |= original != type;
        type = original;
    };
    for (Binding& b : bindings) {
        if (b.kind == Binding::Kind::Type) look(b.type);
        for (TypeId& type : b.packTypes) look(type);
    }
    return changed;
}

TypeId instantiateStruct(Sema& sema, StructTemplate& head, llvm::ArrayRef<Binding> bindings, Span) {
    auto [it, isNew] = head.instances.try_emplace(bindingKey(bindings), TypeId::None);
    if (!isNew) return it->second;
    // Interned before its fields resolve, so that they may mention it.
    TypeId t = it->second = sema.types.newStruct(instanceName(sema, head.name, bindings));
    sema.types.setWrittenName(t, writtenInstance(sema, head.name, bindings));
    auto* info = sema.make<NominalInfo>();
    info->type = t;
    info->decl = head.decl;
    info->file = head.file;
    info->structTemplate = &head;
    info->bindings.assign(bindings.begin(), bindings.end());
    info->env = bindingScope(sema, head.env, head.envLimit, head.file, t, bindings);
    info->envLimit = UINT32_MAX;
    sema.nominals.infos[t] = info;
    Bindings original(bindings.begin(), bindings.end());
    if (lookThroughAliases(sema, original)) { // `Box(IB)` is to `Box(Box(i64))` what `IB` is to `Box(i64)`
        info->aliasInstanceOf = instantiateStruct(sema, head, original, {});
        info->membersDeclared = true;
    }
    return t;
}

TypeId instantiateProtocol(Sema& sema, ProtocolTemplate& p, llvm::ArrayRef<TypeId> args) {
    Bindings bindings;
    for (size_t i = 0; i < args.size(); ++i) {
        Binding b;
        b.name = p.decl->typeParams[i].name.name;
        b.kind = Binding::Kind::Type;
        b.type = canonical(sema, args[i]);
        bindings.push_back(std::move(b));
    }
    auto [it, isNew] = p.instances.try_emplace(bindingKey(bindings), TypeId::None);
    if (!isNew) return it->second;
    TypeId t = it->second = sema.types.newProtocol(instanceName(sema, sema.text(p.decl->name.name), bindings));
    sema.types.setWrittenName(t, writtenInstance(sema, sema.text(p.decl->name.name), bindings));
    auto* info = sema.make<NominalInfo>();
    info->type = t;
    info->decl = p.decl;
    info->file = p.file;
    info->protocolTemplate = &p;
    info->env = bindingScope(sema, nullptr, UINT32_MAX, p.file, TypeId::None, bindings);
    info->envLimit = UINT32_MAX;
    info->bindings = std::move(bindings);
    sema.nominals.infos[t] = info;
    return t;
}

// ------------------------------------------------------------------------------------ aliases

namespace {

TypeId canonicalTuple(Sema& sema, TypeId t) {
    llvm::SmallVector<TupleField, 4> fields(sema.types.tupleFields(t));
    bool changed = false;
    for (TupleField& field : fields) {
        TypeId part = canonical(sema, field.type);
        changed |= part != field.type;
        field.type = part;
    }
    return changed ? sema.types.tupleOf(fields) : t;
}

TypeId canonicalFunction(Sema& sema, TypeId t) {
    const FunctionInfo info = sema.types.functionInfo(t);
    TypeId result = canonical(sema, info.result);
    bool changed = result != info.result;
    llvm::SmallVector<TypeId, 8> params;
    for (TypeId param : info.params) {
        params.push_back(canonical(sema, param));
        changed |= params.back() != param;
    }
    if (!changed) return t;
    if (sema.types.kind(t) == TypeKind::Closure) return closureTypeOf(sema.types, params, result);
    return functionTypeOf(sema.types, params, result, info.conv, info.cVariadic);
}

} // namespace

TypeId canonical(Sema& sema, TypeId t) {
    TypeTable& types = sema.types;
    switch (types.kind(t)) {
    case TypeKind::Struct:
    case TypeKind::Enum: {
        NominalInfo* info = nominal(sema, t);
        return info && info->aliasInstanceOf != TypeId::None ? info->aliasInstanceOf : t;
    }
    case TypeKind::Pointer:
    case TypeKind::ManyPointer:
    case TypeKind::Slice:
    case TypeKind::Array:
    case TypeKind::Optional: {
        TypeId part = types.elem(t), original = canonical(sema, part);
        return original == part ? t : types.derived(types.kind(t), original, types.count(t));
    }
    case TypeKind::Tuple: return canonicalTuple(sema, t);
    case TypeKind::Function:
    case TypeKind::Closure: return canonicalFunction(sema, t);
    default: return t;
    }
}

/// Whether it is what its template makes of its arguments, aliases among them or not: no alias that has a name.
static bool isOwnInstance(const NominalInfo& info) {
    if (!info.structTemplate) return false;
    auto it = info.structTemplate->instances.find(bindingKey(info.bindings));
    return it != info.structTemplate->instances.end() && it->second == info.type;
}

TypeId namedAlias(Sema& sema, TypeId type, const Expr* written, std::string name) {
    if (!llvm::isa<Call>(withoutParens(written))) return type;
    NominalInfo* original = nominal(sema, type);
    TypeKind kind = sema.types.kind(type);
    if (!original || (kind != TypeKind::Struct && kind != TypeKind::Enum)) return type;
    if (!original->built && !isOwnInstance(*original)) return type;
    TypeId alias =
        kind == TypeKind::Struct ? sema.types.newStruct(std::move(name)) : sema.types.newEnum(std::move(name));
    auto* info = sema.make<NominalInfo>(); // the parts follow when it is completed
    info->type = alias;
    info->decl = original->decl;
    info->file = original->file;
    info->env = original->env;
    info->envLimit = original->envLimit;
    info->structTemplate = original->structTemplate;
    info->bindings = original->bindings;
    info->aliasInstanceOf = canonical(sema, type);
    info->membersDeclared = true;
    sema.nominals.infos[alias] = info;
    return alias;
}

} // namespace sx::sema
