#include "lower/values/Casts.h"

#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Storage.h"
#include "lower/body/Values.h"
#include "lower/values/Any.h"
#include "lower/values/ConversionErrors.h"
#include "lower/values/Conversions.h"
#include "lower/values/Erasure.h"
#include "lower/values/Names.h"
#include "lower/values/Optionals.h"
#include "lower/values/Protocols.h"
#include "sema/Functions.h"
#include "sema/Impls.h"
#include "sema/Nominal.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "sema/model/Numbers.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

#include "llvm/ADT/DenseSet.h"

namespace sx::lower {

using namespace ast;

namespace {

/// Operands that have no type of their own take the type of the cast; all others keep theirs.
bool takesTarget(const Expr* e) {
    e = withoutParens(e);
    if (isNumberLiteral(e)) return true;
    if (const auto* call = llvm::dyn_cast<Call>(e)) return llvm::isa<EnumLit>(call->callee);
    return llvm::isa<NullLit, UndefLit, EnumLit, ErrorTag, StructLit, ArrayLit, Lambda>(e);
}

/// A target that says how an operand without a type of its own is built. `error.X` and `.{…}` need the very type.
TypeId operandTarget(const Body& f, const Expr* e, TypeId target) {
    if (!takesTarget(e)) return TypeId::None;
    // A tag for a type that holds no tags is its number, and a literal for a protocol or any has its own type.
    TypeKind kind = f.types.kind(target);
    if (llvm::isa<ErrorTag>(withoutParens(e)) && kind != TypeKind::ErrorSet && kind != TypeKind::Optional)
        return TypeId::None;
    return kind == TypeKind::Protocol || kind == TypeKind::Any ? TypeId::None : target;
}

Value lowerCastOperand(Body& f, const Expr* e, TypeId target) {
    bool outer = f.modes.castOperand;
    f.modes.castOperand = isNumberLiteral(e);
    Value v = lower(f, e, operandTarget(f, e, target));
    f.modes.castOperand = outer;
    return v;
}

bool isNamedStruct(const TypeTable& types, TypeId t, std::string_view name) {
    return types.kind(t) == TypeKind::Struct && types.structInfo(t).name == name;
}

/// Runs the explicit rules in order for one operand.
class Caster {
public:
    Caster(Body& f, TypeId to, Span whole, Span operand, bool isAutoCast, ValueId dest)
        : f_(f), types_(f.types), b_(f.b), to_(to), whole_(whole), operand_(operand), isAutoCast_(isAutoCast),
          dest_(dest) {}

    Value run(Value v) {
        if (v.isConst() && (v.constant.kind == ConstValue::Kind::Undef || v.type == TypeId::Null))
            return convert(f_, v, to_, whole_, dest_);
        if (v.kind == Value::Kind::Function) {
            if (convertible(f_, v, to_)) return convert(f_, v, to_, operand_, dest_);
            if (!requireValue(f_, v, operand_)) return Value::error();
        }
        if (!requireValue(f_, v, operand_)) return Value::error();
        if (v.type == to_ || v.type == TypeId::NoReturn) return convert(f_, v, to_, whole_, dest_);
        if (v.type == TypeId::Any) return fromAny(v);
        if (to_ == TypeId::Any) return boxAny(f_, v, dest_);
        TypeKind fk = types_.kind(v.type), tk = types_.kind(to_);
        if (fk == TypeKind::Protocol) {
            bool wraps = tk == TypeKind::Optional && types_.elem(to_) == v.type;
            return wraps ? wrapOptional(f_, v, to_, dest_) : castProtocol(f_, v, to_, whole_, isAutoCast_, false);
        }
        if (tk == TypeKind::Protocol) return erase(v);
        if (tk == TypeKind::Optional) return toOptional(v);
        if (fk == TypeKind::Optional) return fromOptional(v);
        if (tk == TypeKind::Pointer && types_.kind(types_.elem(to_)) == TypeKind::Protocol && convertible(f_, v, to_))
            return convert(f_, v, to_, operand_, dest_);
        if (std::optional<Value> number = betweenScalars(v)) return *number;
        if (convertible(f_, v, to_)) return convert(f_, v, to_, operand_, dest_);
        Value converted; // bits that merely fit are the last resort: a user's conversion goes first
        return userConversion(f_, v, to_, whole_, operand_, dest_, converted) ? converted : reinterpret(v);
    }

private:
    Value reject(Span at, const std::string& message, const std::string& help = {}) {
        Diagnostic& d = f_.diags.error(at, message);
        if (!help.empty()) d.help(help);
        return Value::error();
    }

    Value fromAny(const Value& v) {
        TypeId wanted = types_.kind(to_) == TypeKind::Optional ? types_.elem(to_) : to_;
        if (isAutoCast_) {
            if (isNumeric(types_, to_)) return anyToNumber(f_, v, to_);
            return unboxAny(f_, v, to_);
        }
        if (isNamedStruct(types_, to_, "AnyRaw")) return convert(f_, retype(v), to_, whole_, dest_);
        if (types_.kind(wanted) == TypeKind::Protocol)
            return reject(whole_,
                          "an `any` never holds a protocol value, so it cannot be asserted to be " +
                              withArticle(types_, wanted),
                          "assert the concrete type");
        return assertAny(f_, v, wanted, whole_, false, wanted != to_);
    }

    Value retype(Value v) {
        v.id = addressOf(f_, v);
        v.kind = Value::Kind::Memory;
        v.type = to_;
        return v;
    }

    Value erase(const Value& v) {
        bool isPointer = types_.kind(v.type) == TypeKind::Pointer;
        bool isView = isPointer && types_.elem(v.type) == to_;
        bool isPlace = v.isMemory() && v.lvalue && !isPackElement(v);
        bool borrows = types_.protocolInfo(to_).isIdentity;
        TypeId concrete = isPointer ? types_.elem(v.type) : v.type;
        std::string why;
        bool conforms = isView || sema::conforms(f_.sema, to_, concrete, why);
        if (conforms && isAutoCast_ && !borrows && (isPlace || isPointer))
            return reject(operand_, "who owns this value as " + withArticle(types_, to_) + " must be stated",
                          "make a copy that the protocol value owns: " + code(".(" + writtenName(types_, to_) + ")"));
        Span at = conforms && borrows && !isPlace && !isPointer ? operand_ : whole_;
        return lower::erase(f_, v, to_, at, !isAutoCast_, nullptr, dest_);
    }

    Value toOptional(const Value& v) {
        if (convertible(f_, v, to_) && types_.kind(v.type) == TypeKind::Optional)
            return convert(f_, v, to_, operand_, dest_);
        TypeId payload = types_.elem(to_);
        if (types_.kind(v.type) == TypeKind::Optional) {
            if (!isAutoCast_ && v.type != payload)
                return reject(whole_, "cannot cast " + withArticle(types_, v.type) + " to " + code(types_, to_),
                              "cast its payload with `?.(…)`");
            return mapPresent(f_, v, [&](const Value& inner) {
                return explicitConversion(f_, inner, payload, whole_, operand_, isAutoCast_);
            });
        }
        Value inner = explicitConversion(f_, v, payload, whole_, operand_, isAutoCast_);
        return inner.isError() ? inner : wrapOptional(f_, inner, to_, dest_);
    }

    Value fromOptional(const Value& v) {
        bool isWord = isScalar(types_, v.type) && isScalar(types_, to_); // a nullable pointer is one
        if (isAutoCast_ && isWord) return Value::scalar(to_, castScalar(f_, scalar(f_, v), v.type, to_));
        Value converted;
        if (userConversion(f_, v, to_, whole_, operand_, dest_, converted)) return converted;
        if (isAutoCast_) conversionError(f_, v, to_, whole_);
        else
            reject(whole_, "cannot cast " + withArticle(types_, v.type) + ": it may be null",
                   "cast its payload with " + code("?.(" + writtenName(types_, to_) + ")") + ", or unwrap it first");
        return Value::error();
    }

    /// Numbers, enums, error values, pointers: by value or by bits, whatever their widths.
    std::optional<Value> betweenScalars(const Value& v) {
        if (isTaggedEnum(types_, v.type) && isInteger(types_, to_)) {
            TypeId tag = types_.enumInfo(v.type).backing;
            return Value::scalar(to_, castScalar(f_, emitLoad(b_, tag, addressOf(f_, v)), tag, to_));
        }
        if (!isScalar(types_, v.type) || !isScalar(types_, to_)) return std::nullopt;
        if (v.isConst())
            if (std::optional<ConstValue> c = foldCast(types_, v.constant, v.type, to_)) return Value::ofConst(to_, *c);
        Value result = Value::scalar(to_, castScalar(f_, scalar(f_, v), v.type, to_));
        if (isErrorSet(types_, to_)) result.errors = v.errors;
        return result;
    }

    /// Two words that belong together: a number makes none, and is none of them. The pointer in them may be asked for.
    bool isView(TypeId t) const {
        TypeKind kind = types_.kind(t);
        return kind == TypeKind::String || kind == TypeKind::Slice || kind == TypeKind::Closure;
    }

    /// Through zero-initialised memory of the larger size.
    Value reinterpret(const Value& v) {
        if (to_ == TypeId::Void || v.type == TypeId::Void)
            return reject(whole_, "cannot cast " + withArticle(types_, v.type) + " to " + code(types_, to_));
        if (!types_.isComplete(v.type) && !completeDeep(f_.sema, v.type, operand_)) return Value::error();
        bool wordFromView = isView(v.type) && isScalar(types_, to_) && !isPointerLike(types_, to_),
             viewFromWord = isScalar(types_, v.type) && isView(to_);
        if (wordFromView || viewFromWord)
            return reject(whole_, "cannot cast " + withArticle(types_, v.type) + " to " + code(types_, to_));
        bool targetIsLarger = sizeOf(types_, to_) >= sizeOf(types_, v.type);
        TypeId larger = targetIsLarger ? to_ : v.type;
        Value memory = temp(f_, larger, targetIsLarger && !isScalar(types_, to_) ? dest_ : ValueId::None);
        emitZero(b_, memory.id, larger);
        store(f_, memory.id, v);
        if (isScalar(types_, to_)) return Value::scalar(to_, emitLoad(b_, to_, memory.id));
        return Value::temporary(to_, emitCast(b_, ir::Op::Reinterpret, memory.id, pointerTo(types_, to_)));
    }

    Body& f_;
    TypeTable& types_;
    ir::Builder& b_;
    TypeId to_;
    Span whole_, operand_;
    bool isAutoCast_;
    ValueId dest_;
};

/// True if `from` imports `wanted`, directly or through others.
bool reachesFile(const SourceFile& from, const SourceFile* wanted) {
    llvm::SmallVector<const SourceFile*, 16> pending{&from};
    llvm::DenseSet<const SourceFile*> seen{&from};
    auto add = [&](const ModuleUnit* unit) {
        if (!unit) return;
        for (const SourceFile* file : unit->files)
            if (seen.insert(file).second) pending.push_back(file);
    };
    while (!pending.empty()) {
        const SourceFile* file = pending.pop_back_val();
        if (file == wanted) return true;
        for (const ImportEdge& edge : file->flatImports) add(edge.module);
        for (const Symbol* s : file->order)
            if (s->decl && s->decl->kind == DeclKind::Import) add(s->module);
    }
    return false;
}

} // namespace

Value castTo(Body& f, const Value& v, TypeId to, Span at, bool isAutoCast, ValueId dest) {
    return explicitConversion(f, v, to, at, at, isAutoCast, dest);
}

Value explicitConversion(Body& f, const Value& value, TypeId to, Span whole, Span operand, bool isAutoCast,
                         ValueId dest) {
    if (value.isError() || to == TypeId::None) return value;
    if (!f.types.isComplete(to) && !completeDeep(f.sema, to, whole)) return Value::error();
    Value v = value;
    bool staysPointer = isPointerLike(f.types, to) ||
                        (f.types.kind(to) == TypeKind::Optional && isPointerLike(f.types, f.types.elem(to)));
    if (!staysPointer || (v.refCapture && to == f.types.elem(v.type))) v = elementOf(f, v);
    if (f.types.kind(to) != TypeKind::Optional && to != TypeId::Any) v = narrowedValue(f, v);
    return Caster(f, to, whole, operand, isAutoCast, dest).run(v);
}

bool userConversion(Body& f, const Value& v, TypeId to, Span whole, Span operand, ValueId dest, Value& out) {
    Symbol* into = libraryName(f, "Into");
    if (!into || into->kind != SymbolKind::GenericProtocol || !into->protocolTemplate) return false;
    if (implsOf(f.sema, *into->protocolTemplate, v.type).empty()) return false;
    TypeId protocol = instantiateProtocol(f.sema, *into->protocolTemplate, {to});
    std::vector<ImplInfo*> all = findImpls(f.sema, protocol, v.type), visible;
    for (ImplInfo* impl : all)
        if (reachesFile(f.currentFile(), impl->file)) visible.push_back(impl);
    if (all.empty()) return false;
    out = Value::error();
    std::string conversion = "the conversion from " + code(f.types, v.type) + " to " + code(f.types, to);
    if (visible.empty()) {
        f.diags.error(operand, conversion + " is not visible here")
            .note(all.front()->decl->span, "this `impl` defines it")
            .help("add " + code("#import \"" + std::string(f.sema.sources.tracePath(all.front()->file->id)) + "\";"));
        return true;
    }
    for (ImplInfo* impl : visible)
        if (impl->file != visible.front()->file) {
            f.diags
                .error(operand, conversion + " is defined twice: in " +
                                    code(f.sema.sources.path(visible.front()->file->id)) + " and in " +
                                    code(f.sema.sources.path(impl->file->id)))
                .note(visible.front()->decl->span, "one `impl`")
                .note(impl->decl->span, "the other");
            return true;
        }
    ImplInfo* impl = visible.front();
    auto method = impl->methods.find(f.sema.name("convert"));
    std::string why;
    FunctionInstance* converter = method != impl->methods.end() ? instance(f.sema, *method->second, {}, whole)
                                                                : implMethod(f.sema, protocol, 0, v.type, whole, why);
    if (!converter || converter->signatureFailed) {
        if (!converter && !why.empty()) f.diags.error(operand, why);
        return true;
    }
    if (converter == f.instance) {
        f.diags.error(operand, conversion + " asks for itself here")
            .help("build the " + code(f.types, to) + " from its parts");
        return true;
    }
    if (converter->params.empty() || resultOf(f.sema, *converter, whole) == TypeId::None) return true;
    Value receiver = adjustReceiver(f, v, converter->params.front().type, operand);
    if (!receiver.isError()) out = emitCall(f, *converter, {receiver}, whole, dest);
    return true;
}

// ------------------------------------------------------------------------------------ the two spellings

Value lowerXx(Body& f, const Unary& e, TypeId target, ValueId dest) {
    if (PackInfo* pack = packNamed(f, e.operand)) {
        if (f.types.kind(target) == TypeKind::Slice) return packSlice(f, *pack, target, e.span);
    }
    Value v = lowerCastOperand(f, e.operand, target);
    if (v.isError() || target == TypeId::None) return v;
    return explicitConversion(f, v, target, e.span, e.operand->span, true, dest);
}

namespace {

/// The allocator of `e.(P, a)`: an lvalue, as a value of the type of `context.allocator`.
Value lowerCastAllocator(Body& f, const Cast& e) {
    Value a = lower(f, e.allocator);
    if (a.isError()) return a;
    if (!(a.isMemory() && a.lvalue)) {
        f.diags
            .error(e.allocator->span,
                   "the allocator of a cast must be a variable or a field: the copy is released through it")
            .help("bind it to a name first");
        return Value::error();
    }
    if (!f.sema.hasContext()) return a;
    for (const StructField& field : f.types.structInfo(f.sema.contextType).fields)
        if (f.sema.text(field.name) == "allocator") return convert(f, a, field.type, e.allocator->span);
    return a;
}

Value castWithAllocator(Body& f, const Cast& e, TypeId to, const Value& v, ValueId dest) {
    if (f.types.kind(to) != TypeKind::Protocol) {
        f.diags.error(e.span, "only a cast to a protocol type takes an allocator");
        return Value::error();
    }
    if (f.types.protocolInfo(to).isIdentity) {
        f.diags
            .error(e.span, "a value of the `#identity` protocol " + code(f.types, to) +
                               " borrows its object, so no allocator is needed")
            .help("write " + code(".(" + writtenName(f.types, to) + ")"));
        return Value::error();
    }
    Value allocator = lowerCastAllocator(f, e);
    return allocator.isError() ? allocator
                               : erase(f, narrowedValue(f, elementOf(f, v)), to, e.span, true, &allocator, dest);
}

} // namespace

Value lowerCast(Body& f, const Cast& e, TypeId target, ValueId dest) {
    TypeId to = resolveType(f.sema, e.type, typeContext(f));
    if (to == TypeId::None) return Value::error();
    if (to != target) dest = ValueId::None;
    if (PackInfo* pack = packNamed(f, e.base)) {
        if (f.types.kind(to) == TypeKind::Slice) return packSlice(f, *pack, to, e.span);
    }
    Value v = lowerCastOperand(f, e.base, e.optional ? TypeId::None : to);
    if (v.isError()) return v;
    if (e.optional) {
        v = elementOf(f, v);
        if (f.types.kind(v.type) != TypeKind::Optional) {
            f.diags
                .error(e.span, "`?.(…)` casts the payload of an optional, and this is " + withArticle(f.types, v.type))
                .help("write `.(…)`");
            return Value::error();
        }
        TypeId payload = f.types.elem(v.type);
        bool asserts = payload == TypeId::Any;
        // An optional target is not doubled; for `?any` it is the assertion that yields null on a mismatch.
        TypeId wanted =
            !asserts && f.types.kind(to) == TypeKind::Optional && f.types.kind(payload) != TypeKind::Optional
                ? f.types.elem(to)
                : to;
        return mapPresent(f, v, [&](const Value& inner) {
            return explicitConversion(f, inner, wanted, e.span, e.base->span, false);
        });
    }
    if (e.allocator) return castWithAllocator(f, e, to, v, dest);
    return explicitConversion(f, v, to, e.span, e.base->span, false, dest);
}

} // namespace sx::lower
