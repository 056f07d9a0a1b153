#include "lower/values/Variants.h"

#include "ir/BuildConstants.h"
#include "ir/BuildMemory.h"
#include "lower/body/Body.h"
#include "lower/body/Explain.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/body/VoidValues.h"
#include "lower/values/Aggregates.h"
#include "lower/values/Literals.h"
#include "sema/Declare.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/Notes.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

TypeId enumOrOptionalEnum(const TypeTable& types, TypeId type) {
    while (types.kind(type) == TypeKind::Optional) type = types.elem(type);
    return types.kind(type) == TypeKind::Enum ? type : TypeId::None;
}

TypeId enumNamedBy(Body& f, const Expr* written, Name variant) {
    TypeContext context = typeContext(f, true);
    if (!namesType(f.sema, written, context)) return TypeId::None;
    TypeId type = resolveType(f.sema, written, context);
    if (type == TypeId::None || f.types.kind(type) != TypeKind::Enum || !complete(f.sema, type)) return TypeId::None;
    return f.types.enumInfo(type).index.count(variant) ? type : TypeId::None;
}

Value noEnumTarget(Body& f, const EnumLit& lit, TypeId target) {
    std::string spelled = code("." + f.sema.text(lit.name.name));
    if (target == TypeId::None)
        f.diags.error(lit.span, spelled + " needs a type that the context expects, and nothing here expects one")
            .help("write the type in front of it, as in " + code("Color." + f.sema.text(lit.name.name)));
    else {
        Diagnostic& d = f.diags.error(lit.span, spelled + " is an enum literal, but a value of type " +
                                                    code(f.types, target) + " is expected here");
        if (isErrorSet(f.types, target)) d.help("an error is written " + code("error." + f.sema.text(lit.name.name)));
    }
    return Value::error();
}

std::optional<int64_t> knownVariant(Body& f, const Expr* e, TypeId type) {
    e = withoutParens(e);
    if (const auto* call = llvm::dyn_cast<Call>(e)) e = withoutParens(call->callee);
    if (const auto* braces = llvm::dyn_cast<StructLit>(e); braces && braces->type) e = withoutParens(braces->type);
    auto isOf = [&](TypeId t) { return t != TypeId::None && canonical(f.sema, t) == canonical(f.sema, type); };
    const auto* literal = llvm::dyn_cast<EnumLit>(e);
    const auto* member = llvm::dyn_cast<Member>(e);
    Name name = literal                                                           ? literal->name.name
                : member && isOf(enumNamedBy(f, member->base, member->name.name)) ? member->name.name
                                                                                  : Name::None;
    if (name != Name::None) {
        const EnumInfo& info = f.types.enumInfo(type);
        auto it = info.index.find(name);
        return it == info.index.end() ? std::nullopt : std::optional(info.variants[it->second].value);
    }
    const auto* ref = llvm::dyn_cast<NameRef>(e);
    LookupResult found = ref ? lookup(f.sema, ref->id.name, f.scope, f.scopeLimit, &f.currentFile()) : LookupResult{};
    if (!found.symbol || found.ambiguous) return std::nullopt;
    const Symbol* s = resolve(f.sema, found.symbol);
    return isOf(s->type) ? s->variant : std::nullopt;
}

namespace {

Value unknownVariant(Body& f, TypeId type, Name name, Span at) {
    std::vector<std::string_view> names;
    std::string list;
    for (const Variant& v : f.types.enumInfo(type).variants) {
        names.push_back(f.sema.names.text(v.name));
        list += (list.empty() ? "" : ", ") + code("." + f.sema.text(v.name));
    }
    Diagnostic& d = f.diags.error(at, code(f.types, type) + " has no variant " + code(f.sema, name) + "; it has " +
                                          (list.empty() ? "none" : list));
    noteType(f.sema, d, type);
    suggest(f.diags, d, f.sema.names.text(name), names, ".");
    return Value::error();
}

/// The one value that `.v.{ x }` gives for a payload that is no struct.
const Expr* onlyValue(const StructLit& braces) {
    if (braces.inits.size() != 1) return nullptr;
    const Init& init = braces.inits.front();
    return (init.name && !init.shorthand) || init.spread ? nullptr : init.value;
}

/// The braces of `.v.{ … }` are a literal of the payload's type, not a pair around its one value. A tuple may be given
/// in either way.
bool areOfPayload(const TypeTable& types, TypeId payload, const StructLit& braces) {
    switch (types.kind(payload)) {
    case TypeKind::Struct:
    case TypeKind::Union: return true;
    case TypeKind::Tuple: return !onlyValue(braces) || types.tupleFields(payload).size() == 1;
    default: return false;
    }
}

/// Builds variants of one tagged enum in place.
class VariantBuilder {
public:
    VariantBuilder(Body& f, TypeId type, const Variant& variant, Span at)
        : f_(f), type_(type), variant_(variant), at_(at) {}

    Value build(llvm::ArrayRef<Arg> args, const StructLit* braces, ValueId dest) {
        if (!checkCount(args, braces)) return Value::error();
        const EnumInfo& info = f_.types.enumInfo(type_);
        Value whole = temp(f_, type_, dest);
        bool hasPayload = variant_.payload != TypeId::None;
        ValueId payload = ValueId::None;
        if (hasPayload) payload = emitOffset(f_.b, whole.id, info.payloadOffset, pointerTo(f_.types, variant_.payload));
        // A bare `.v` of a variant with payload is an operand of a comparison: its payload is zero.
        bool ok = true;
        if (!args.empty())
            ok = storeElement(f_, args.front().value, hasPayload ? variant_.payload : TypeId::Void, payload,
                              args.front().value->span, [&] { return purpose(); });
        else if (braces && hasPayload) ok = fromBraces(*braces, payload);
        else if (hasPayload) emitZero(f_.b, payload, variant_.payload);
        if (!ok) return Value::error();
        emitStore(f_.b, emitOffset(f_.b, whole.id, 0, pointerTo(f_.types, info.backing)),
                  constInt(f_.b, info.backing, static_cast<uint64_t>(variant_.value)));
        return Value::temporary(type_, whole.id);
    }

private:
    bool checkCount(llvm::ArrayRef<Arg> args, const StructLit* braces) {
        size_t given = braces ? braces->inits.size() : args.size();
        std::string name = code("." + f_.sema.text(variant_.name));
        if (variant_.payload == TypeId::None) {
            if (given == 0 || (args.size() == 1 && !args.front().name && !args.front().spread && takesVoid(f_)))
                return true;
            f_.diags.error(at_, name + " of " + code(f_.types, type_) + " carries no value");
            return false;
        }
        if (!braces && given == 0 && !isTagOperand()) return missingPayload(name);
        bool ok = braces ? areOfPayload(f_.types, variant_.payload, *braces) || onlyValue(*braces) : args.size() <= 1;
        if (ok && !args.empty() && (args.front().name || args.front().spread)) ok = false;
        if (ok) return true;
        noteVariant(f_.diags.error(at_, name + " of " + code(f_.types, type_) + " carries one value of type " +
                                            code(f_.types, variant_.payload)));
        return false;
    }

    /// An operand of a comparison, which looks at the tag only (types.md 5.2).
    bool isTagOperand() const {
        return f_.modes.tagOperand && f_.modes.tagOperand->span.begin == at_.begin &&
               f_.modes.tagOperand->span.end == at_.end;
    }

    bool missingPayload(const std::string& name) {
        Diagnostic& d = f_.diags.error(at_, name + " of " + code(f_.types, type_) + " carries one value of type " +
                                                code(f_.types, variant_.payload) + ", and none is given");
        noteVariant(d);
        d.help("write " + code("." + f_.sema.text(variant_.name) + "(…)"));
        return false;
    }

    void noteVariant(Diagnostic& d) const {
        if (Span declared = memberSpan(f_.sema, type_, variant_.name); declared.isValid())
            d.note(declared, "the variant is declared here");
    }

    Purpose purpose() const {
        Purpose why;
        why.subject = "the payload of " + code("." + f_.sema.text(variant_.name));
        why.declaration = memberSpan(f_.sema, type_, variant_.name);
        why.declared = "the variant is declared here";
        return why;
    }

    bool fromBraces(const StructLit& braces, ValueId payload) {
        if (!areOfPayload(f_.types, variant_.payload, braces))
            return storeElement(f_, onlyValue(braces), variant_.payload, payload, braces.span,
                                [&] { return purpose(); });
        // The literal itself, with the payload's type in place of the variant.
        StructLit inner = braces;
        inner.type = nullptr;
        inner.initBlock = nullptr;
        Value v = lowerStructLit(f_, inner, variant_.payload, payload);
        return !v.isError() &&
               (v.id == payload || storeValue(f_, v, variant_.payload, payload, braces.span, braces.span));
    }

    Body& f_;
    TypeId type_;
    const Variant& variant_;
    Span at_;
};

} // namespace

Value constructVariant(Body& f, TypeId type, Name name, Span at, llvm::ArrayRef<Arg> args, const StructLit* braces,
                       ValueId dest) {
    if (!completeDeep(f.sema, type, at)) return Value::error();
    const EnumInfo& info = f.types.enumInfo(type);
    auto it = info.index.find(name);
    if (it == info.index.end()) return unknownVariant(f, type, name, at);
    const Variant& variant = info.variants[it->second];
    if (f.sema.uses && at.isValid()) {
        auto length = static_cast<uint32_t>(f.sema.names.text(name).size());
        noteUse(f.sema, {{at.end.raw - length}, at.end}, type, name);
    }
    Span whole = braces ? braces->span : at;
    if (info.isTagged) return VariantBuilder(f, type, variant, whole).build(args, braces, dest);
    bool dropsVoid = args.size() == 1 && !args.front().name && !args.front().spread && takesVoid(f);
    if (dropsVoid) {
        const Expr* given = args.front().value;
        if (!storeElement(f, given, TypeId::Void, ValueId::None, given->span, {})) return Value::error();
    } else if (!args.empty() || (braces && !braces->inits.empty())) {
        f.diags.error(whole, code("." + f.sema.text(name)) + " of " + code(f.types, type) + " carries no value");
        return Value::error();
    }
    return Value::ofConst(type, ConstValue::ofInt(variant.value));
}

} // namespace sx::lower
