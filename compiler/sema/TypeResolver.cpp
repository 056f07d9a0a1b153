// From written types to TypeIds (types.md 2).
#include "sema/TypeResolver.h"

#include "sema/Declare.h"
#include "sema/Impls.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/TypeExprs.h"
#include "sema/Wording.h"
#include "syntax/BuiltinTypes.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/Layout.h"
#include "types/Predicates.h"

namespace sx::sema {

using namespace ast;

namespace {

constexpr __int128 MaxCount = (__int128(1) << 32) - 1;

/// Reads one written type. None means: reported (or silent, in a quiet context).
class TypeReader {
public:
    TypeReader(Sema& sema, const TypeContext& context) : sema_(sema), types_(sema.types), context_(context) {}

    TypeId read(const Expr* e);
    TypeId readResult(const Expr* e);
    bool spread(const TypeElem&, llvm::SmallVectorImpl<TupleField>& out);

private:
    TypeId fail(Span at, std::string message, std::string help = {}) {
        if (context_.quiet) return TypeId::None;
        Diagnostic& d = sema_.diags.error(at, std::move(message));
        if (!help.empty()) d.help(std::move(help));
        return TypeId::None;
    }
    TypeId name(const NameRef&);
    TypeId typeParam(const TypeParam&);
    TypeId packElementType(const Index&);
    TypeId ofSymbol(Symbol*, const std::string& spelled, Span at);
    TypeId notAType(Symbol*, const std::string& spelled, Span at);
    TypeId enclosingInstance(const StructTemplate*);
    TypeId call(const Call&);
    TypeId lanes(const Call&, bool isVector);
    TypeId genericProtocol(ProtocolTemplate&, const Call&);
    TypeId member(const Member&);
    TypeId array(const ArrayType&);
    TypeId callable(const FunctionType&);
    TypeId closure(const ClosureType&);
    bool distinctNames(ArrayRef<TypeElem>, std::string_view what);
    TypeId tupleNamed(ArrayRef<TypeElem>, ArrayRef<TupleField>);
    TypeId tuple(const TupleType&);
    TypeId errorChannel(const ErrorChannel&);
    TypeId valueAsType(const Expr*);
    std::optional<uint64_t> count(const Expr*, __int128 least, std::string_view what);
    PackInfo* packOf(const Expr*);
    bool elements(ArrayRef<TypeElem>, llvm::SmallVectorImpl<TupleField>& out, bool* cVariadic = nullptr);
    bool spreadCall(const Call&, Span at, llvm::SmallVectorImpl<TupleField>& out);
    TypeId protocolArgument(PackInfo&, TypeId element, const Member&);
    TypeId part(const Expr* e, TypeId (*make)(TypeTable&, TypeId)) {
        TypeId t = read(e);
        return t == TypeId::None ? t : make(types_, t);
    }

    Sema& sema_;
    TypeTable& types_;
    TypeContext context_;
};

TypeId TypeReader::read(const Expr* e) {
    switch (e->kind) {
    case ExprKind::NameRef: return name(*static_cast<const NameRef*>(e));
    case ExprKind::TypeParam: return typeParam(*static_cast<const TypeParam*>(e));
    case ExprKind::Paren: return read(static_cast<const Paren*>(e)->inner);
    case ExprKind::Unary:
        if (static_cast<const Unary*>(e)->op == UnaryOp::AddrOf)
            return part(static_cast<const Unary*>(e)->operand, pointerTo);
        break;
    case ExprKind::OptionalType: return part(static_cast<const OptionalType*>(e)->inner, optionalOf);
    case ExprKind::SliceType: return part(static_cast<const SliceType*>(e)->elem, sliceOf);
    case ExprKind::ManyPointerType: return part(static_cast<const ManyPointerType*>(e)->elem, manyPointerTo);
    case ExprKind::SentinelType: return TypeId::String;
    case ExprKind::ArrayType: return array(*static_cast<const ArrayType*>(e));
    case ExprKind::FunctionType: return callable(*static_cast<const FunctionType*>(e));
    case ExprKind::ClosureType: return closure(*static_cast<const ClosureType*>(e));
    case ExprKind::TupleType: return tuple(*static_cast<const TupleType*>(e));
    case ExprKind::InlineType: return anonymousType(sema_, *static_cast<const InlineType*>(e)->decl, context_);
    case ExprKind::Member: return member(*static_cast<const Member*>(e));
    case ExprKind::Call: return call(*static_cast<const Call*>(e));
    case ExprKind::Index: return packElementType(*static_cast<const Index*>(e));
    case ExprKind::Run: return valueAsType(e);
    case ExprKind::ResultList:
        if (context_.resultPosition) return readResult(e);
        if (static_cast<const ResultList*>(e)->elems.empty()) return TypeId::Void;
        return fail(e->span, "a list of results can only be the result type of a function",
                    "a tuple type is written `Tuple(…)`");
    case ExprKind::ErrorChannel:
        if (context_.resultPosition) return readResult(e);
        return fail(e->span, "an error channel can only stand in the result type of a function");
    default: break;
    }
    return fail(e->span, "a type is needed here, and this is a value");
}

// ------------------------------------------------------------------------------------ names

TypeId TypeReader::name(const NameRef& n) {
    std::string spelled = sema_.text(n.id.name);
    if (!n.id.raw) {
        if (spelled == "Self") {
            TypeId self = selfScopeType(sema_, context_.scope);
            return self != TypeId::None ? self : fail(n.span, "`Self` is the type around it, and there is none here");
        }
        if (isReservedTypeName(sema_, n.id.name) || spelled == "Type") return builtinType(sema_, n.id.name);
        if (spelled == "noreturn" &&
            !lookup(sema_, n.id.name, context_.scope, context_.limit, context_.file, true).symbol)
            return TypeId::NoReturn;
    }
    Symbol* s = typeHead(sema_, &n, context_);
    return s ? ofSymbol(s, spelled, n.span) : TypeId::None;
}

/// `$T` of a bound parameter, `$args[0]`.
TypeId TypeReader::typeParam(const TypeParam& p) {
    LookupResult found = lookup(sema_, p.id.name, context_.scope, context_.limit, context_.file, true);
    std::string spelled = sema_.text(p.id.name);
    if (p.index >= 0 && found.symbol && found.symbol->kind == SymbolKind::Pack) {
        const PackInfo& pack = *found.symbol->pack;
        if (static_cast<uint64_t>(p.index) < pack.types.size()) return pack.types[static_cast<size_t>(p.index)];
        return fail(p.span, code(spelled) + " has " + countOf(pack.types.size(), "element") +
                                ", so it has no element " + std::to_string(p.index));
    }
    if (found.symbol && found.symbol->kind == SymbolKind::Type && !found.symbol->decl) return found.symbol->type;
    return fail(p.span, strayParamMessage(spelled));
}

/// `$args[i]` with a constant that is no literal.
TypeId TypeReader::packElementType(const Index& i) {
    const auto* p = llvm::dyn_cast<TypeParam>(i.base);
    PackInfo* pack = p ? packOf(p) : nullptr;
    if (!pack) return fail(i.span, "a type is needed here, and this is a value");
    std::optional<__int128> k = sema_.bodies->evaluateCount(i.index, context_.scope, context_.limit, context_.file);
    if (!k) return TypeId::None;
    if (*k >= 0 && *k < static_cast<__int128>(pack->types.size())) return pack->types[static_cast<size_t>(*k)];
    return fail(i.index->span,
                "this index is out of range: the pack has " + std::to_string(pack->types.size()) + " elements");
}

/// The bare head of a generic struct inside its own members means the instance at hand (generics.md 2).
TypeId TypeReader::enclosingInstance(const StructTemplate* head) {
    TypeId self = selfScopeType(sema_, context_.scope);
    NominalInfo* info = self == TypeId::None ? nullptr : nominal(sema_, self);
    return info && info->structTemplate == head ? self : TypeId::None;
}

TypeId TypeReader::ofSymbol(Symbol* s, const std::string& spelled, Span at) {
    switch (s->kind) {
    case SymbolKind::Type: return s->type;
    case SymbolKind::Error: return TypeId::None;
    case SymbolKind::GenericStruct: {
        TypeId self = enclosingInstance(s->structTemplate);
        if (self != TypeId::None) return self;
        return fail(at, code(spelled) + " is generic: its arguments are missing", "write " + code(spelled + "(…)"));
    }
    case SymbolKind::GenericProtocol:
        return fail(at, code(spelled) + " is a parameterised protocol: its arguments are missing",
                    "write " + code(spelled + "(…)"));
    case SymbolKind::Pack:
        if (s->pack->types.size() == 1) return s->pack->types.front(); // the element at hand of `..F(Ts)`
        return fail(at, code(spelled) + " is a pack, and one type is needed here",
                    "name one element, " + code("$" + spelled + "[0]"));
    case SymbolKind::Constant:
    case SymbolKind::Local:
        if (s->constant().kind == ConstValue::Kind::Type) return s->constant().t;
        return notAType(s, spelled, at);
    case SymbolKind::Unresolved:
    case SymbolKind::RuntimeConst:
    case SymbolKind::Global:
    case SymbolKind::Function:
    case SymbolKind::Namespace:
    case SymbolKind::Library:
    case SymbolKind::Intrinsic: return notAType(s, spelled, at);
    }
    return TypeId::None;
}

TypeId TypeReader::notAType(Symbol* s, const std::string& spelled, Span at) {
    std::string_view what = "value";
    if (s->kind == SymbolKind::Function || s->kind == SymbolKind::Intrinsic) what = "function";
    if (s->kind == SymbolKind::Namespace) what = "module";
    bool isTypeParameter = s->kind == SymbolKind::Local && s->type == TypeId::Type;
    return fail(at, code(spelled) + " is a " + std::string(what) + ", not a type",
                isTypeParameter ? "a type that is known while compiling is taken as " + code("$" + spelled + ": Type")
                                : std::string(foreignType(spelled)));
}

TypeId TypeReader::member(const Member& m) {
    if (!m.isIndex && !m.optional) {
        // `xs.T` for the element at hand of a pack expansion.
        if (PackInfo* pack = packOf(m.base); pack && pack->types.size() == 1)
            return protocolArgument(*pack, pack->types.front(), m);
        if (sema_.names.text(m.name.name) == "Vector") // of any namespace
            return fail(m.span, "`Vector` needs its arguments: `Vector(N, T)`");
        if (Symbol* s = typeHead(sema_, &m, context_))
            return ofSymbol(s, std::string(sema_.sources.textOf(m.span)), m.span);
        return TypeId::None;
    }
    return fail(m.span, "a type is needed here, and this is a value");
}

// ------------------------------------------------------------------------------------ instances

TypeId TypeReader::call(const Call& c) {
    const auto* plain = llvm::dyn_cast<NameRef>(c.callee);
    const auto* qualified = llvm::dyn_cast<Member>(c.callee);
    if (!plain && !qualified) return valueAsType(&c);
    if (c.trailingBlock) {
        Span block = c.trailingBlock->hasBody() ? c.trailingBlock->bodySpan() : c.trailingBlock->span;
        return fail(Span{block.begin, block.begin + 1}, "a type takes no block",
                    "a literal has a dot before its brace: `Name(…).{ … }`");
    }
    Ident head = plain ? plain->id : qualified->name;
    std::string_view spelled = sema_.names.text(head.name);
    bool declared = plain && lookup(sema_, head.name, context_.scope, context_.limit, context_.file, true).symbol;
    if (!head.raw && !declared && (spelled == "Vector" || (plain && spelled == "Array")))
        return lanes(c, spelled == "Vector");
    if (plain && !declared) {
        LookupResult value = lookup(sema_, head.name, context_.scope, context_.limit, context_.file);
        bool isQuery = spelled == "pointee_type" || spelled == "struct_field_type" || spelled == "variant_type" ||
                       spelled == "type_of";
        if (value.symbol) {
            Symbol* s = resolve(sema_, value.symbol);
            isQuery = s->kind == SymbolKind::Intrinsic || s->kind == SymbolKind::Function;
        }
        if (isQuery) return valueAsType(&c);
    }
    Symbol* s = typeHead(sema_, c.callee, context_);
    if (!s) return TypeId::None;
    switch (s->kind) {
    case SymbolKind::GenericStruct: {
        Bindings bindings;
        if (!bindStructArgs(sema_, *s->structTemplate, c, context_, bindings)) return TypeId::None;
        return instantiateStruct(sema_, *s->structTemplate, bindings, c.span);
    }
    case SymbolKind::GenericProtocol: return genericProtocol(*s->protocolTemplate, c);
    case SymbolKind::Function:
        if (!isTypeFunction(sema_, *s->function)) return valueAsType(&c);
        return callTypeFunction(sema_, *s->function, c, context_);
    case SymbolKind::Intrinsic: return valueAsType(&c);
    case SymbolKind::Error: return TypeId::None;
    case SymbolKind::Type: return fail(c.span, code(spelled) + " is not generic and takes no arguments");
    case SymbolKind::Unresolved:
    case SymbolKind::Local:
    case SymbolKind::Constant:
    case SymbolKind::RuntimeConst:
    case SymbolKind::Global:
    case SymbolKind::Namespace:
    case SymbolKind::Pack:
    case SymbolKind::Library: return notAType(s, std::string(spelled), c.callee->span);
    }
    return TypeId::None;
}

/// `Vector(N, T)` and `Array(N, T)`.
TypeId TypeReader::lanes(const Call& c, bool isVector) {
    if (c.args.size() != 2)
        return fail(c.span, isVector ? "a vector type is written `Vector(N, T)`"
                                     : "an array type is written `Array(N, T)` or `[N]T`");
    std::optional<uint64_t> n = count(c.args[0].value, isVector ? 1 : 0, isVector ? "lane count" : "dimension");
    TypeId elem = read(c.args[1].value);
    if (!n || elem == TypeId::None) return TypeId::None;
    return isVector ? vectorOf(types_, *n, elem) : arrayOf(types_, *n, elem);
}

TypeId TypeReader::genericProtocol(ProtocolTemplate& p, const Call& c) {
    llvm::SmallVector<TypeId, 4> args;
    bool ok = true;
    for (const Arg& a : c.args) {
        args.push_back(read(a.value));
        ok &= args.back() != TypeId::None;
    }
    if (!ok) return TypeId::None;
    size_t wanted = p.decl->typeParams.size();
    if (args.size() != wanted)
        return fail(c.callee->span, code(sema_, p.decl->name.name) + " takes " + std::to_string(wanted) +
                                        " type arguments, and " + std::to_string(args.size()) + " are given");
    return instantiateProtocol(sema_, p, args);
}

/// A call or `#run` that yields a `Type` while compiling.
TypeId TypeReader::valueAsType(const Expr* e) {
    if (context_.quiet) return TypeId::None;
    Value v = Value::error();
    if (context_.lowering && sema_.bodies->scopeOf(*context_.lowering) == context_.scope && e->kind != ExprKind::Run) {
        v = sema_.bodies->typeValue(*context_.lowering, e);
        if (v.isError()) return TypeId::None;
    } else {
        std::optional<Value> known = sema_.bodies->evaluateConstant(e, TypeId::Type, context_.scope, context_.limit,
                                                                    context_.file, e->kind == ExprKind::Run);
        if (!known) return TypeId::None;
        v = *known;
    }
    if (v.isTypeName()) return v.namedType;
    if (v.isConst() && v.constant.kind == ConstValue::Kind::Type) return v.constant.t;
    if (v.type == TypeId::Type)
        return fail(e->span, "this type is known at run time only, and a type is needed while compiling");
    return fail(e->span, "a type is needed here, and this is a value");
}

// ------------------------------------------------------------------------------------ composite types

std::optional<uint64_t> TypeReader::count(const Expr* e, __int128 least, std::string_view what) {
    std::optional<__int128> n = sema_.bodies->evaluateCount(e, context_.scope, context_.limit, context_.file);
    if (!n) return std::nullopt;
    if (*n >= least && *n <= MaxCount) return static_cast<uint64_t>(*n);
    bool tooSmall = *n < least;
    fail(e->span,
         "a " + std::string(what) +
             (tooSmall ? (least == 0 ? " cannot be negative" : " must be at least 1") : " must be below 2^32"));
    return std::nullopt;
}

TypeId TypeReader::array(const ArrayType& a) {
    std::optional<uint64_t> n = count(a.count, 0, "dimension");
    TypeId elem = read(a.elem);
    if (!n || elem == TypeId::None) return TypeId::None;
    if (types_.isComplete(elem) && static_cast<__int128>(*n) * sizeOf(types_, elem) > LargestTypeSize)
        return fail(a.span, "an array of " + std::to_string(*n) + " " + code(types_, elem) +
                                " is larger than the memory that a program can address");
    return arrayOf(types_, *n, elem);
}

TypeId TypeReader::callable(const FunctionType& f) {
    llvm::SmallVector<TupleField, 8> params;
    bool cVariadic = false;
    bool ok = elements(f.params, params, &cVariadic);
    size_t before = sema_.diags.all().size();
    TypeId result = f.result ? readResult(f.result) : TypeId::Void;
    // `(a: i64) -> a + 1`: meant as a lambda.
    const auto* name = llvm::dyn_cast_or_null<NameRef>(f.result);
    bool isParameter = name && llvm::any_of(f.params, [&](const TypeElem& p) { return p.name.name == name->id.name; });
    if (isParameter)
        for (Diagnostic& d : sema_.diags.since(before))
            d.help("`->` comes before the type of a result, `=>` before an expression");
    if (!ok || result == TypeId::None) return TypeId::None;
    llvm::SmallVector<TypeId, 8> list;
    for (const TupleField& p : params) list.push_back(p.type);
    return functionTypeOf(types_, list, result, f.abi == Abi::Sx ? CallConv::Sx : CallConv::C, cVariadic);
}

TypeId TypeReader::closure(const ClosureType& c) {
    llvm::SmallVector<TupleField, 8> params;
    bool ok = elements(c.params, params);
    TypeId result = c.result ? readResult(c.result) : TypeId::Void;
    if (!ok || result == TypeId::None) return TypeId::None;
    llvm::SmallVector<TypeId, 8> list;
    for (const TupleField& p : params) list.push_back(p.type);
    return closureTypeOf(types_, list, result);
}

/// The tuple of these fields, whose names are declared by the elements.
TypeId TypeReader::tupleNamed(ArrayRef<TypeElem> elems, ArrayRef<TupleField> fields) {
    TypeId tuple = types_.tupleOf(fields);
    if (sema_.uses)
        for (const TypeElem& e : elems)
            if (e.name) sema_.uses->slots.push_back({tuple, e.name.name, e.name.span});
    return tuple;
}

/// Names of tuple elements and result slots differ.
bool TypeReader::distinctNames(ArrayRef<TypeElem> elems, std::string_view what) {
    for (size_t i = 0; i < elems.size(); ++i)
        for (size_t k = 0; k < i; ++k) {
            const Ident &name = elems[i].name, &other = elems[k].name;
            if (!name || name.name != other.name || sema_.names.text(name.name) == "_") continue;
            if (!context_.quiet)
                sema_.diags
                    .error(name.span, "there is " + std::string(what) + " " + code(sema_, name.name) + " already")
                    .note(other.span, "it is declared here");
            return false;
        }
    return true;
}

TypeId TypeReader::tuple(const TupleType& t) {
    llvm::SmallVector<TupleField, 8> fields;
    if (!distinctNames(t.elems, "an element")) return TypeId::None;
    return elements(t.elems, fields) ? tupleNamed(t.elems, fields) : TypeId::None;
}

bool TypeReader::elements(ArrayRef<TypeElem> elems, llvm::SmallVectorImpl<TupleField>& out, bool* cVariadic) {
    bool ok = true;
    for (const TypeElem& e : elems) {
        if (e.spread) {
            if (cVariadic && llvm::isa<SliceType>(e.type)) *cVariadic = true; // `..args: []T` of a C function pointer
            else ok &= spread(e, out);
            continue;
        }
        TypeId t = read(e.type);
        ok &= t != TypeId::None;
        out.push_back({e.name.name, t});
    }
    return ok;
}

// ------------------------------------------------------------------------------------ packs

PackInfo* TypeReader::packOf(const Expr* e) {
    Name n = Name::None;
    if (const auto* ref = llvm::dyn_cast<NameRef>(e)) n = ref->id.name;
    else if (const auto* p = llvm::dyn_cast<TypeParam>(e)) n = p->id.name;
    if (n == Name::None) return nullptr;
    LookupResult found = lookup(sema_, n, context_.scope, context_.limit, context_.file);
    return found.symbol && found.symbol->kind == SymbolKind::Pack ? found.symbol->pack : nullptr;
}

/// `..Ts`, `..xs.T`, `..F(Ts)`: one type per element of the pack.
bool TypeReader::spread(const TypeElem& e, llvm::SmallVectorImpl<TupleField>& out) {
    const Expr* operand = withoutParens(e.type);
    if (PackInfo* pack = packOf(operand)) {
        for (TypeId t : pack->types) out.push_back({Name::None, t});
        return true;
    }
    if (const auto* m = llvm::dyn_cast<Member>(operand))
        if (PackInfo* pack = packOf(m->base)) {
            for (TypeId t : pack->types) {
                TypeId argument = protocolArgument(*pack, t, *m);
                if (argument == TypeId::None) return false;
                out.push_back({Name::None, argument});
            }
            return true;
        }
    if (const auto* c = llvm::dyn_cast<Call>(operand)) return spreadCall(*c, e.span, out);
    fail(operand->span, "only a pack can be spread in a type");
    return false;
}

bool TypeReader::spreadCall(const Call& c, Span at, llvm::SmallVectorImpl<TupleField>& out) {
    llvm::SmallVector<std::pair<Name, PackInfo*>, 2> packs;
    for (const Arg& a : c.args)
        anyInType(a.value, [&](const Expr* e) {
            if (PackInfo* pack = packOf(e)) {
                Name n = llvm::isa<NameRef>(e) ? static_cast<const NameRef*>(e)->id.name
                                               : static_cast<const TypeParam*>(e)->id.name;
                packs.push_back({n, pack});
            }
            return false;
        });
    if (packs.empty()) {
        fail(at, "only a pack can be spread in a type, and no argument here is one");
        return false;
    }
    size_t length = packs.front().second->types.size();
    for (auto& [n, pack] : packs)
        if (pack->types.size() != length) {
            fail(at, "the packs spread here differ in length");
            return false;
        }
    for (size_t i = 0; i < length; ++i) {
        // The pack stands for its element at hand while the call is read.
        Scope* element = bindingScope(sema_, context_.scope, context_.limit, context_.file, TypeId::None, {});
        for (auto& [n, pack] : packs) {
            auto* one = sema_.make<PackInfo>();
            *one = *pack;
            one->types = {pack->types[i]};
            Symbol* s = newSymbol(sema_, n, SymbolKind::Pack, at);
            s->pack = one;
            declare(sema_, *element, n, s);
        }
        TypeContext inner = context_;
        inner.scope = element;
        inner.limit = UINT32_MAX;
        TypeId t = TypeReader(sema_, inner).read(&c);
        if (t == TypeId::None) return false;
        out.push_back({Name::None, t});
    }
    return true;
}

/// `xs.T`: the argument `T` of the parameterised protocol that the element's type implements.
TypeId TypeReader::protocolArgument(PackInfo& pack, TypeId element, const Member& m) {
    std::string spelled = sema_.text(m.name.name);
    if (!pack.protocolTemplate)
        return fail(m.span, "only a pack of a parameterised protocol has type arguments such as " + code(spelled));
    for (ImplInfo* impl : implsOf(sema_, *pack.protocolTemplate, element))
        for (const Binding& b : nominal(sema_, impl->protocol)->bindings)
            if (b.name == m.name.name) return b.type;
    return fail(m.span, code(sema_, pack.protocolTemplate->decl->name.name) + " has no type argument " + code(spelled));
}

// ------------------------------------------------------------------------------------ results

TypeId TypeReader::errorChannel(const ErrorChannel& c) {
    if (!c.set) return TypeId::InferredErrors;
    TypeContext quiet = context_;
    quiet.quiet = true;
    quiet.resultPosition = false;
    TypeId set = TypeReader(sema_, quiet).read(c.set);
    if (set != TypeId::None && isErrorSet(types_, set)) return set;
    std::string spelled(sema_.sources.textOf(c.set->span));
    return fail(c.span, set == TypeId::None
                            ? code("!" + spelled) + " names no error set: " + code(spelled) + " is unknown"
                            : code(types_, set) + " is not an error set, so it cannot stand after `!`");
}

/// Failable and multi-value forms included (errors.md 1).
TypeId TypeReader::readResult(const Expr* e) {
    if (const auto* c = llvm::dyn_cast<ErrorChannel>(e)) return errorChannel(*c);
    const auto* list = llvm::dyn_cast<ResultList>(e);
    bool outer = std::exchange(context_.resultPosition, false);
    if (!list) {
        const Expr* inner = withoutParens(e);
        TypeId t = inner != e && (llvm::isa<ErrorChannel>(inner) || llvm::isa<ResultList>(inner)) ? readResult(inner)
                                                                                                  : read(e);
        context_.resultPosition = outer;
        return t;
    }
    if (!distinctNames(list->elems, "a result slot")) return TypeId::None;
    llvm::SmallVector<TupleField, 8> values;
    const Expr* nothing = nullptr; ///< the first `void` among them
    TypeId set = TypeId::None;
    bool ok = true;
    for (const TypeElem& elem : list->elems) {
        if (const auto* c = llvm::dyn_cast<ErrorChannel>(elem.type)) {
            set = errorChannel(*c);
            ok &= set != TypeId::None;
        } else if (elem.spread) {
            ok &= spread(elem, values);
        } else {
            TypeId t = read(elem.type);
            ok &= t != TypeId::None;
            if (t == TypeId::Void && !nothing) nothing = elem.type;
            values.push_back({elem.name.name, t});
        }
    }
    context_.resultPosition = outer;
    if (!ok) return TypeId::None;
    if (values.size() > 1 && nothing)
        return fail(nothing->span, "`void` is no value, so it cannot stand among several results", "leave it out");
    if (set != TypeId::None && values.size() == 1 && values.front().type == TypeId::Void)
        return set; // `(void, !)` is `!`
    if (sema_.uses && set != TypeId::None && values.size() > 1) tupleNamed(list->elems, values);
    if (set != TypeId::None) return failableType(types_, values, set);
    if (values.empty()) return TypeId::Void;
    return values.size() == 1 ? values.front().type : tupleNamed(list->elems, values);
}

} // namespace

TypeId resolveType(Sema& sema, const Expr* e, const TypeContext& context) {
    TypeId t = TypeReader(sema, context).read(e);
    if (context.lowering && t != TypeId::None) completeReachable(sema, t, e->span);
    return t;
}

bool resolveSpread(Sema& sema, const TypeElem& e, const TypeContext& context, llvm::SmallVectorImpl<TypeId>& out) {
    llvm::SmallVector<TupleField, 8> fields;
    if (!TypeReader(sema, context).spread(e, fields)) return false;
    for (const TupleField& f : fields) out.push_back(f.type);
    return true;
}

TypeId resolveResultType(Sema& sema, const Expr* e, const TypeContext& context) {
    TypeId t = TypeReader(sema, context).readResult(e);
    if (context.lowering && t != TypeId::None) completeReachable(sema, t, e->span);
    return t;
}

} // namespace sx::sema
