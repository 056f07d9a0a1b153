#include "lower/values/Aggregates.h"

#include "ir/BuildMemory.h"
#include "ir/BuildValues.h"
#include "lower/body/Body.h"
#include "lower/body/Explain.h"
#include "lower/body/Recursion.h"
#include "lower/body/Scopes.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/values/Literals.h"
#include "lower/values/Variants.h"
#include "sema/Nominal.h"
#include "sema/Notes.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Parts.h"

namespace sx::lower {

using namespace ast;

namespace {

/// How the elements of a brace literal are matched with the parts of its type.
enum class Reading { Positional, Named, Mixed };

/// language.md 8.6 (m): the first element decides, and a lone identifier that names no part makes it positional.
Reading readingOf(const StructLit& lit, llvm::function_ref<bool(Name)> isPart) {
    auto isPlain = [](const Init& i) { return !i.name || i.spread; };
    auto isNamed = [](const Init& i) { return i.name && !i.shorthand; };
    bool positional = lit.inits.empty() || isPlain(lit.inits.front());
    for (const Init& i : lit.inits)
        if (i.shorthand && !isPart(i.name.name)) positional = true;
    for (const Init& i : lit.inits)
        if (positional ? isNamed(i) : isPlain(i)) return Reading::Mixed;
    return positional ? Reading::Positional : Reading::Named;
}

Value mixedError(Body& f, const StructLit& lit) {
    f.diags.error(lit.span, "a literal either names all of its values or none")
        .help("write `name = value` for every one, or put a lone name in parentheses to make it positional");
    return Value::error();
}

/// Fills the parts of one aggregate from a literal.
class PartsBuilder {
public:
    PartsBuilder(Body& f, const StructLit& lit, TypeId type, llvm::ArrayRef<Part> parts, ValueId base)
        : f_(f), lit_(lit), type_(type), parts_(parts), base_(base), given_(parts.size(), false) {}

    bool build() {
        switch (readingOf(lit_, [&](Name n) { return find(n) != parts_.size() || promoted(n); })) {
        case Reading::Mixed: mixedError(f_, lit_); return false;
        case Reading::Positional: return positional();
        case Reading::Named: return named();
        }
        return false;
    }
    llvm::ArrayRef<bool> given() const { return given_; }
    ValueId address(size_t i) { return emitOffset(f_.b, base_, parts_[i].offset, pointerTo(f_.types, parts_[i].type)); }

private:
    size_t find(Name name) const {
        size_t i = 0;
        while (i < parts_.size() && parts_[i].name != name) ++i;
        return i;
    }

    bool named() {
        bool ok = true;
        for (const Init& init : lit_.inits) {
            size_t i = find(init.name.name);
            if (i == parts_.size()) {
                ok &= storePromoted(init);
                continue;
            }
            noteUse(f_.sema, init.name.span, type_, init.name.name);
            if (given_[i]) {
                f_.diags.error(init.value->span, code(f_.sema, init.name.name) + " is given twice in this literal");
                ok = false;
                continue;
            }
            given_[i] = true;
            ok &= storeElement(f_, init.value, parts_[i].type, address(i), lit_.span, [&] { return purposeOf(i); });
        }
        return ok;
    }

    std::optional<PromotedMember> promoted(Name name) const {
        return f_.types.kind(type_) == TypeKind::Struct ? promotedMember(f_.types, type_, name) : std::nullopt;
    }

    bool storePromoted(const Init& init) {
        std::optional<PromotedMember> found = promoted(init.name.name);
        if (!found) {
            unknown(init);
            return false;
        }
        const auto& [outer, member] = *found;
        noteUse(f_.sema, init.name.span, type_, member.name);
        bool isFirst = !given_[outer];
        auto [first, isNew] = arms_.try_emplace(outer, member.arm);
        if (first->second != member.arm) {
            f_.diags.error(lit_.span, code(f_.sema, member.name) + " lies in the same storage as another member of " +
                                          "this literal: a union has one value");
            return false;
        }
        given_[outer] = true;
        if (isFirst) emitZero(f_.b, address(outer), parts_[outer].type);
        ValueId at = emitOffset(f_.b, address(outer), member.offset, pointerTo(f_.types, member.type));
        return storeElement(f_, init.value, member.type, at, lit_.span, {});
    }

    bool positional() {
        bool ok = true;
        size_t next = 0;
        for (const Init& init : lit_.inits) {
            if (!init.spread) {
                if (next == parts_.size()) return excess(init.value->span);
                given_[next] = true;
                size_t i = next++;
                ok &= storeElement(f_, init.value, parts_[i].type, address(i), lit_.span, [&] { return purposeOf(i); });
                continue;
            }
            llvm::SmallVector<Value, 8> values;
            if (!expandSpread(f_, init.value, init.span, values)) return false;
            for (const Value& v : values) {
                if (next == parts_.size()) return excess(init.span);
                given_[next] = true;
                size_t i = next++;
                ok &= storeValue(f_, v, parts_[i].type, address(i), init.span, lit_.span, [&] { return purposeOf(i); });
            }
        }
        return ok;
    }

    bool excess(Span at) {
        noteType(f_.sema,
                 f_.diags.error(at, code(f_.types, type_) + " has only " + countOf(parts_.size(), "part") +
                                        ": this value is one too many"),
                 type_, true);
        return false;
    }

    Purpose purposeOf(size_t i) const {
        Purpose why;
        bool isNamed = parts_[i].name != Name::None;
        std::string of = f_.types.kind(type_) == TypeKind::Tuple ? "" : " of " + code(f_.types, type_);
        why.subject = (isNamed ? "field " + code(f_.sema, parts_[i].name) : "element " + std::to_string(i)) + of;
        if (isNamed) why.declaration = memberSpan(f_.sema, type_, parts_[i].name);
        why.declared = "the field is declared here";
        return why;
    }

    void unknown(const Init& init) {
        std::vector<std::string_view> names;
        for (const Part& p : parts_) names.push_back(f_.sema.names.text(p.name));
        std::string_view spelled = f_.sema.names.text(init.name.name);
        Diagnostic& d = f_.diags.error(init.name.span, code(f_.types, type_) + " has no field " + code(spelled));
        noteType(f_.sema, d, type_, true);
        suggest(f_.diags, d, spelled, names);
    }

    Body& f_;
    const StructLit& lit_;
    TypeId type_;
    llvm::ArrayRef<Part> parts_;
    ValueId base_;
    llvm::SmallVector<bool, 16> given_;
    llvm::DenseMap<size_t, uint32_t> arms_; ///< of anonymous unions: the arm that the literal gives
};

/// The two words of a slice, string or closure.
std::vector<Part> wordsOf(Body& f, TypeId type) {
    Sema& sema = f.sema;
    TypeTable& types = f.types;
    TypeId any = pointerTo(types, TypeId::Void);
    if (types.kind(type) == TypeKind::Closure) return {{sema.name("fn_ptr"), any, 0}, {sema.name("env"), any, 8}};
    return {{sema.name("ptr"), manyPointerTo(types, elementType(types, type)), 0}, {sema.name("len"), TypeId::I64, 8}};
}

/// What is left out is zero.
Value wordsFromInits(Body& f, TypeId type, const StructLit& lit, ValueId dest) {
    Value result = temp(f, type, dest);
    emitZero(f.b, result.id, type);
    std::vector<Part> parts = wordsOf(f, type);
    if (!PartsBuilder(f, lit, type, parts, result.id).build()) return Value::error();
    return Value::temporary(type, result.id);
}

// ------------------------------------------------------------------------------------ untagged unions

/// One named member, or several members of one anonymous arm (types.md 6). `.{}` leaves the contents undefined.
Value unionFromInits(Body& f, TypeId type, const StructLit& lit, ValueId dest) {
    if (!completeDeep(f.sema, type, lit.span)) return Value::error();
    const UnionInfo& info = f.types.unionInfo(type);
    Value result = temp(f, type, dest);
    const UnionMember* first = nullptr;
    llvm::SmallVector<Name, 4> seen;
    for (const Init& init : lit.inits) {
        if (!init.name || init.spread) {
            f.diags.error(lit.span, "a literal of the union " + code(f.types, type) + " names its member")
                .help("write `.{ member = value }`");
            return Value::error();
        }
        auto member = std::find_if(info.members.begin(), info.members.end(),
                                   [&](const UnionMember& m) { return m.name == init.name.name; });
        if (member == info.members.end()) {
            Diagnostic& d =
                f.diags.error(init.name.span, code(f.types, type) + " has no member " + code(f.sema, init.name.name));
            noteType(f.sema, d, type, true);
            std::vector<std::string_view> names;
            for (const UnionMember& m : info.members) names.push_back(f.sema.names.text(m.name));
            suggest(f.diags, d, f.sema.names.text(init.name.name), names);
            return Value::error();
        }
        noteUse(f.sema, init.name.span, type, init.name.name);
        bool twice = std::find(seen.begin(), seen.end(), member->name) != seen.end();
        if (twice || (first && first->arm != member->arm)) {
            f.diags.error(lit.span, code(f.sema, first->name) + " and " + code(f.sema, member->name) +
                                        " lie in the same storage: a union literal gives one member");
            return Value::error();
        }
        if (!first) {
            first = &*member;
            emitZero(f.b, result.id, type); // what the member leaves free
        }
        seen.push_back(member->name);
        ValueId address = emitOffset(f.b, result.id, member->offset, pointerTo(f.types, member->type));
        if (!storeElement(f, init.value, member->type, address, lit.span)) return Value::error();
    }
    return Value::temporary(type, result.id);
}

// ------------------------------------------------------------------------------------ literals without a target

/// Without a target the literal makes its own type: a struct by shape (types.md 7.4).
Value anonymousFromInits(Body& f, const StructLit& lit, ValueId dest) {
    bool anyNamed = false, anyPlain = false;
    for (const Init& init : lit.inits) {
        anyNamed |= init.name && !init.shorthand && !init.spread;
        anyPlain |= !init.name || init.spread;
    }
    if (anyNamed && anyPlain) return mixedError(f, lit);
    bool positional = anyPlain || lit.inits.empty();

    llvm::SmallVector<Value, 8> values;
    llvm::SmallVector<TupleField, 8> fields;
    for (size_t i = 0; i < lit.inits.size(); ++i) {
        const Init& init = lit.inits[i];
        if (init.spread) {
            llvm::SmallVector<Value, 8> spread;
            if (!expandSpread(f, init.value, init.span, spread)) return Value::error();
            for (const Value& v : spread) {
                values.push_back(v);
                fields.push_back({Name::None, v.type});
            }
            continue;
        }
        if (!positional &&
            std::any_of(fields.begin(), fields.end(), [&](const TupleField& t) { return t.name == init.name.name; })) {
            f.diags.error(init.value->span, code(f.sema, init.name.name) + " is given twice in this literal");
            return Value::error();
        }
        Value v = storable(f, lower(f, init.value), init.value->span);
        if (v.isError()) return v;
        bool mayChange =
            llvm::any_of(lit.inits.drop_front(i + 1), [](const Init& later) { return !isTriviallyPure(later.value); });
        v = snapshot(f, v, mayChange);
        values.push_back(v);
        fields.push_back({positional ? Name::None : init.name.name, v.type});
    }
    TypeId type = f.types.anonymousStruct(fields, positional);
    Value result = temp(f, type, dest);
    for (size_t i = 0; i < values.size(); ++i)
        store(f,
              emitOffset(f.b, result.id, fieldOffset(f.types, type, static_cast<unsigned>(i)),
                         pointerTo(f.types, fields[i].type)),
              values[i]);
    return Value::temporary(type, result.id);
}

Value notAnAggregate(Body& f, TypeId type, const StructLit& lit) {
    f.diags.error(lit.span, "`.{ … }` cannot build a value of type " + code(f.types, type) + ": it is no aggregate");
    return Value::error();
}

// ------------------------------------------------------------------------------------ which type is meant

Value literalOf(Body& f, TypeId type, const StructLit& lit, ValueId dest) {
    switch (f.types.kind(type)) {
    case TypeKind::None:
    case TypeKind::Any: return anonymousFromInits(f, lit, ValueId::None);
    case TypeKind::Optional: return literalOf(f, f.types.elem(type), lit, ValueId::None);
    case TypeKind::Struct: return structFromInits(f, type, lit, dest);
    case TypeKind::Union: return unionFromInits(f, type, lit, dest);
    case TypeKind::Tuple: return lowerTuple(f, type, lit, dest);
    case TypeKind::Array:
    case TypeKind::Vector: return elementsFromInits(f, type, lit, dest);
    case TypeKind::String:
    case TypeKind::Slice:
    case TypeKind::Closure: return wordsFromInits(f, type, lit, dest);
    case TypeKind::Void:
    case TypeKind::NoReturn:
    case TypeKind::Bool:
    case TypeKind::Int:
    case TypeKind::Float:
    case TypeKind::CString:
    case TypeKind::Type:
    case TypeKind::Null:
    case TypeKind::Pointer:
    case TypeKind::ManyPointer:
    case TypeKind::Function:
    case TypeKind::Enum:
    case TypeKind::ErrorSet:
    case TypeKind::Protocol: return notAnAggregate(f, type, lit);
    }
    return Value::error();
}

/// `T.{ … }`, `.variant.{ … }`, `Enum.variant.{ … }`.
Value typedLiteral(Body& f, const StructLit& lit, TypeId target, ValueId dest) {
    if (const auto* variant = llvm::dyn_cast<EnumLit>(lit.type)) {
        TypeId type = enumOrOptionalEnum(f.types, target);
        if (type == TypeId::None) return noEnumTarget(f, *variant, target);
        return constructVariant(f, type, variant->name.name, variant->span, {}, &lit,
                                type == target ? dest : ValueId::None);
    }
    if (const auto* member = llvm::dyn_cast<Member>(lit.type); member && !member->isIndex && !member->optional) {
        TypeId type = enumNamedBy(f, member->base, member->name.name);
        if (type != TypeId::None)
            return constructVariant(f, type, member->name.name, member->span, {}, &lit,
                                    type == target ? dest : ValueId::None);
    }
    TypeId type = resolveType(f.sema, lit.type, typeContext(f));
    if (type == TypeId::None) {
        for (const Init& init : lit.inits) checkDiscarded(f, init.value);
        return Value::error();
    }
    return literalOf(f, type, lit, type == target ? dest : ValueId::None);
}

/// The statements after a literal, with `self` pointing at the new value.
Value runInitBlock(Body& f, const StructLit& lit, const Value& fresh) {
    if (fresh.isError()) return fresh;
    Value whole = fresh.isMemory() ? fresh : copyToTemp(f, fresh);
    Scope* saved = pushScope(f, lit.initBlock->span);
    TypeId pointer = pointerTo(f.types, whole.type);
    Ident self{f.sema.name("self"), lit.span, false};
    Symbol* symbol = newVariable(f, self, pointer);
    emitStore(f.b, symbol->address, emitCast(f.b, ir::Op::Reinterpret, whole.id, pointer));
    lowerBlock(f, *lit.initBlock, TypeId::None, ValueId::None, false);
    popScope(f, saved);
    return Value::temporary(whole.type, whole.id);
}

} // namespace

// ------------------------------------------------------------------------------------ shared with the other literals

bool storeValue(Body& f, const Value& value, TypeId type, ValueId address, Span element, Span literal,
                llvm::function_ref<Purpose()> why) {
    size_t before = f.diags.all().size();
    Value v = convertElement(f, value, type, element, literal, address);
    if (v.isError()) {
        Purpose purpose = why ? why() : Purpose{};
        purpose.value = element;
        purpose.actual = describeValue(f, value);
        explain(f.diags, before, purpose);
        return false;
    }
    bool isStored = v.isMemory() && v.id == address;
    bool isEmpty = v.isVoid() || (v.isConst() && v.constant.kind == ConstValue::Kind::Undef);
    if (!isStored && !isEmpty) store(f, address, v);
    return true;
}

bool storeElement(Body& f, const Expr* e, TypeId type, ValueId address, Span literal,
                  llvm::function_ref<Purpose()> why) {
    bool outer = f.modes.voidIsValue;
    f.modes.voidIsValue = type == TypeId::Void; // an empty block fills a `void` field
    Value v = lower(f, e, type, address);
    f.modes.voidIsValue = outer;
    if (v.isError()) return false;
    if (v.isMemory() && v.id == address && v.type == type) return true;
    if (v.type == TypeId::NoReturn) return true; // the literal is never finished
    return storeValue(f, v, type, address, e->span, literal, why);
}

Value storable(Body& f, const Value& given, Span at) {
    Value v = elementOf(f, given);
    if (v.isError() || v.type == TypeId::NoReturn) return v;
    if (v.isConst() && (v.type == TypeId::Null || v.constant.kind == ConstValue::Kind::Undef)) {
        f.diags.error(at, code(v.type == TypeId::Null ? "null" : "---") +
                              " has no type of its own here: write the type of the literal in front of it");
        return Value::error();
    }
    if (!v.isVoid() && !requireValue(f, v, at)) return Value::error();
    return v;
}

Value lowerStructLit(Body& f, const StructLit& lit, TypeId target, ValueId dest) {
    f.b.setSpan(lit.span);
    Value v = lit.type ? typedLiteral(f, lit, target, dest) : literalOf(f, target, lit, dest);
    return lit.initBlock ? runInitBlock(f, lit, v) : v;
}

Value structFromInits(Body& f, TypeId type, const StructLit& lit, ValueId dest) {
    if (!completeDeep(f.sema, type, lit.span)) return Value::error();
    std::vector<Part> parts = partsOf(f.types, type);
    Value result = temp(f, type, dest);
    PartsBuilder builder(f, lit, type, parts, result.id);
    if (!builder.build()) return Value::error();
    for (unsigned i = 0; i < parts.size(); ++i)
        if (!builder.given()[i]) storeFieldDefault(f, type, i, builder.address(i));
    return Value::temporary(type, result.id);
}

Value lowerTuple(Body& f, TypeId tuple, const StructLit& lit, ValueId dest) {
    if (!completeDeep(f.sema, tuple, lit.span)) return Value::error();
    std::vector<Part> parts = partsOf(f.types, tuple);
    Value result = temp(f, tuple, dest);
    PartsBuilder builder(f, lit, tuple, parts, result.id);
    if (!builder.build()) return Value::error();
    auto given = builder.given();
    size_t count = static_cast<size_t>(std::count(given.begin(), given.end(), true));
    if (count != parts.size()) {
        f.diags.error(lit.span, code(f.types, tuple) + " has " + countOf(parts.size(), "element") +
                                    ", this literal gives " + std::to_string(count));
        return Value::error();
    }
    return Value::temporary(tuple, result.id);
}

void storeFieldDefault(Body& f, TypeId structType, unsigned index, ValueId address) {
    TypeId type = f.types.structInfo(structType).fields[index].type;
    NominalInfo* info = nominal(f.sema, structType);
    const Expr* value = info && index < info->fieldDefaults.size() ? info->fieldDefaults[index] : nullptr;
    if (!value) {
        emitZero(f.b, address, type);
        return;
    }
    if (llvm::isa<UndefLit>(withoutParens(value))) return;
    NominalInfo* owner = index < info->fieldOwners.size() && info->fieldOwners[index] ? info->fieldOwners[index] : info;
    Value v = lowerInScope(f, value, type, *owner->file, owner->env, owner->envLimit, address);
    if (v.isError() || v.isVoid() || (v.isMemory() && v.id == address)) return;
    store(f, address, v);
}

} // namespace sx::lower
