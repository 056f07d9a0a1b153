#include "sema/NominalParts.h"

#include "sema/Nominal.h"
#include "sema/TypeExprs.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Layout.h"
#include "types/Parts.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

namespace sx::sema {

using namespace ast;

namespace {

/// The fields of one struct body as they are read, `#using` expanded.
struct Fields {
    std::vector<StructField> fields;
    std::vector<const Expr*> defaults;
    std::vector<NominalInfo*> owners;
};

class PartReader {
public:
    PartReader(Sema& sema, const TypeContext& context) : sema_(sema), types_(sema.types), context_(context) {}

    bool failed = false;

    Fields structFields(const StructDecl& d, NominalInfo* owner);
    EnumInfo enumParts(const EnumDecl& d, TypeId named);
    std::vector<UnionMember> unionMembers(const UnionDecl& d);
    ProtocolInfo protocolMethods(const ProtocolDecl& d);

private:
    TypeId read(const Expr* e) {
        TypeId t = resolveType(sema_, e, context_);
        failed |= t == TypeId::None;
        return t;
    }
    Diagnostic& error(Span at, std::string message) {
        failed = true;
        return sema_.diags.error(at, std::move(message));
    }
    void addField(const FieldDecl& f, TypeId type, NominalInfo* owner, Fields& out);
    bool isPadding(const StructField& field) const { return sema_.names.text(field.name) == "_"; }
    void namePadding(Fields& out);
    void use(const Ident& base, Fields& out);
    void checkUnique(const Ident& name, llvm::SmallDenseSet<Name>& seen, std::string_view what);
    TypeId payload(const VariantDecl& v, TypeId named);
    TypeId tagType(const EnumInfo& e) const;
    std::string tagTitle(const EnumInfo& e) const;
    std::optional<int64_t> variantValue(const Expr* e, const EnumInfo& of);
    void checkPosition(const VariantDecl& v, size_t position, const EnumInfo& of);
    void backing(const EnumDecl& d, EnumInfo& out);
    void anonymousArm(const StructDecl& d, uint32_t arm, std::vector<UnionMember>& out);
    ProtocolMethodInfo method(const FunctionDecl& f);

    Sema& sema_;
    TypeTable& types_;
    TypeContext context_;
    llvm::SmallDenseSet<Name> fieldNames_;
};

// ------------------------------------------------------------------------------------ structs

void PartReader::checkUnique(const Ident& name, llvm::SmallDenseSet<Name>& seen, std::string_view what) {
    if (seen.insert(name.name).second) return;
    Diagnostic& d = error(name.span, "the " + std::string(what) + " " + code(sema_, name.name) + " is declared twice");
    if (what == "variant" && sema_.names.text(name.name) == "case") d.help("a variant is its name alone: `NAME;`");
}

Fields PartReader::structFields(const StructDecl& d, NominalInfo* owner) {
    Fields out;
    const Expr* lastWritten = nullptr; // `x, y: T` share one type expression
    TypeId lastType{};
    for (const MemberDecl& m : d.members) {
        switch (m.kind) {
        case MemberKind::Field:
            if (m.field.type != lastWritten) {
                lastWritten = m.field.type;
                lastType = read(lastWritten);
            }
            addField(m.field, lastType, owner, out);
            break;
        case MemberKind::Using: use(m.usingName, out); break;
        case MemberKind::Decl: break;
        }
    }
    namePadding(out);
    return out;
}

/// A field called `_` gets a name that no other has.
void PartReader::namePadding(Fields& out) {
    for (size_t i = 0; i < out.fields.size(); ++i) {
        if (!isPadding(out.fields[i])) continue;
        std::string name = "_" + std::to_string(i);
        while (!fieldNames_.insert(sema_.name(name)).second) name += '_';
        out.fields[i].name = sema_.name(name);
    }
}

void PartReader::addField(const FieldDecl& f, TypeId type, NominalInfo* owner, Fields& out) {
    StructField field;
    field.name = f.name.name;
    field.type = type;
    field.hasDefault = f.defaultValue != nullptr;
    if (!isPadding(field)) checkUnique(f.name, fieldNames_, "field");
    out.fields.push_back(field);
    out.defaults.push_back(f.defaultValue);
    out.owners.push_back(owner);
}

/// `#using Base;`: all fields of Base, defaults included.
void PartReader::use(const Ident& base, Fields& out) {
    NameRef ref;
    ref.id = base;
    ref.span = base.span;
    TypeId t = read(&ref);
    if (t == TypeId::None) return;
    NominalInfo* info = nominal(sema_, t);
    if (types_.kind(t) != TypeKind::Struct) {
        error(base.span, "`#using` needs a struct, and " + code(types_, t) + " is none");
        return;
    }
    if ((info && info->completing) || !complete(sema_, t, base.span)) {
        if (info && info->completing) error(base.span, code(types_, t) + " uses itself");
        failed = true;
        return;
    }
    const StructInfo& used = types_.structInfo(t);
    for (size_t i = 0; i < used.fields.size(); ++i) {
        if (!fieldNames_.insert(used.fields[i].name).second)
            error(base.span, "`#using` brings in a second field " + code(sema_, used.fields[i].name));
        out.fields.push_back(used.fields[i]);
        bool known = info && i < info->fieldDefaults.size();
        out.defaults.push_back(known ? info->fieldDefaults[i] : nullptr);
        out.owners.push_back(known ? info->fieldOwners[i] : info);
    }
}

// ------------------------------------------------------------------------------------ enums

/// What the values of the variants must fit, as it is written: the backing type, or the tag in the layout. None:
/// neither.
TypeId PartReader::tagType(const EnumInfo& e) const {
    if (e.layoutStruct == TypeId::None) return e.backing;
    const std::vector<StructField>& fields = types_.structInfo(e.layoutStruct).fields;
    return !fields.empty() && isInteger(types_, fields.front().type) ? fields.front().type : TypeId::None;
}

std::string PartReader::tagTitle(const EnumInfo& e) const {
    if (e.layoutStruct != TypeId::None) return "the tag of " + code(types_, e.layoutStruct);
    return "the backing type " + code(types_, e.backing == TypeId::None ? TypeId::I64 : e.backing);
}

/// An integer or character literal; nothing else is a value.
std::optional<int64_t> PartReader::variantValue(const Expr* e, const EnumInfo& of) {
    const auto* minus = llvm::dyn_cast<Unary>(e);
    bool negative = minus && minus->op == UnaryOp::Neg;
    const auto* literal = llvm::dyn_cast<IntLit>(negative ? minus->operand : e);
    if (!literal) {
        error(e->span, "the value of a variant is an integer or character literal");
        return std::nullopt;
    }
    auto value = static_cast<__int128>(literal->value);
    if (negative) value = -value;
    if (TypeId tag = tagType(of); isInteger(types_, tag) && !fitsInteger(types_, tag, value)) {
        error(e->span, "the value " + std::string(negative ? "-" : "") + std::to_string(literal->value) +
                           " does not fit " + tagTitle(of));
        return std::nullopt;
    }
    return static_cast<int64_t>(value);
}

/// A variant without a value has its position, of flags the bit of that number.
void PartReader::checkPosition(const VariantDecl& v, size_t position, const EnumInfo& of) {
    TypeId tag = tagType(of);
    if (tag == TypeId::None) {
        if (!of.isFlags) return;
        tag = TypeId::I64;
    }
    uint32_t bits = bitsOf(types_, tag);
    bool fits = of.isFlags ? position < bits : fitsInteger(types_, tag, position);
    if (fits) return;
    error(v.name.span, "the variant " + code(sema_, v.name.name) + " is number " + std::to_string(position) + ", " +
                           (of.isFlags ? "and there is no such bit in " : "which does not fit ") + tagTitle(of))
        .help(bits < 64 ? "take a wider backing type, or give the variant a value: `name :: 0;`"
                        : "give the variant a value that combines other bits: `name :: 3;`");
}

/// The payload struct that a variant of a named enum declares is named after both: `Cmd.draw`.
TypeId PartReader::payload(const VariantDecl& v, TypeId named) {
    const auto* inlineType = llvm::dyn_cast<InlineType>(v.payload);
    if (!inlineType || inlineType->decl->kind != DeclKind::Struct || named == TypeId::None) return read(v.payload);
    std::string variant = "." + sema_.text(v.name.name);
    TypeId t = declareNominal(sema_, *inlineType->decl, *context_.file, context_.scope, context_.limit,
                              runtimeName(types_, named) + variant);
    types_.setWrittenName(t, writtenName(types_, named) + variant);
    return t;
}

void PartReader::backing(const EnumDecl& d, EnumInfo& out) {
    if (!d.backing) return;
    TypeId t = read(d.backing);
    if (t == TypeId::None) return;
    if (isInteger(types_, t)) {
        out.backing = t;
    } else if (types_.kind(t) == TypeKind::Struct && !d.isFlags) {
        if (!complete(sema_, t, d.backing->span)) failed = true;
        else if (const auto& fields = types_.structInfo(t).fields; fields.empty() || !isInteger(types_, fields[0].type))
            error(d.backing->span, "the first field of a struct that lays out an enum is the tag, an integer")
                .help("begin it with one: `tag: u32;`");
        else out.layoutStruct = t;
    } else {
        error(d.backing->span,
              "an enum is stored as an integer (or laid out by a struct), not as " + withArticle(types_, t));
    }
}

EnumInfo PartReader::enumParts(const EnumDecl& d, TypeId named) {
    EnumInfo out;
    out.isFlags = d.isFlags;
    backing(d, out);
    llvm::SmallDenseSet<Name> seen;
    for (size_t i = 0; i < d.variants.size(); ++i) {
        const VariantDecl& v = d.variants[i];
        checkUnique(v.name, seen, "variant");
        Variant variant;
        variant.name = v.name.name;
        // The position counts, not the value before it.
        variant.value = d.isFlags ? (i < 64 ? static_cast<int64_t>(uint64_t{1} << i) : 0) : static_cast<int64_t>(i);
        if (!v.value) checkPosition(v, i, out);
        else if (std::optional<int64_t> given = variantValue(v.value, out)) variant.value = *given;
        if (v.payload) {
            if (d.isFlags)
                error(v.payloadColon,
                      "the variant " + code(sema_, v.name.name) + " of a flags enum cannot carry a payload");
            else variant.payload = payload(v, named);
        }
        out.variants.push_back(variant);
    }
    return out;
}

// ------------------------------------------------------------------------------------ unions

std::vector<UnionMember> PartReader::unionMembers(const UnionDecl& d) {
    std::vector<UnionMember> out;
    uint32_t arm = 0;
    for (const UnionMemberDecl& m : d.members) {
        if (m.anonymous) {
            anonymousArm(*m.anonymous, arm++, out);
            continue;
        }
        checkUnique(m.name, fieldNames_, "member");
        UnionMember member;
        member.name = m.name.name;
        member.type = read(m.type);
        member.arm = arm++;
        out.push_back(member);
    }
    if (context_.file && context_.file->isForeign) // a header of C
        for (UnionMember& m : out) m.arm |= ArmOfC;
    return out;
}

/// The fields of an anonymous struct become members at their offsets.
void PartReader::anonymousArm(const StructDecl& d, uint32_t arm, std::vector<UnionMember>& out) {
    Fields fields = structFields(d, nullptr);
    uint64_t end = 0;
    for (const StructField& f : fields.fields) {
        uint64_t offset = 0;
        if (complete(sema_, f.type, d.span)) {
            offset = llvm::alignTo(end, alignOf(types_, f.type));
            end = offset + sizeOf(types_, f.type);
        } else {
            failed = true;
        }
        out.push_back({f.name, f.type, offset, arm});
        if (types_.kind(f.type) != TypeKind::Union) continue;
        const UnionInfo& inner = types_.unionInfo(f.type);
        if (!inner.name.empty() || !isUnionOfC(inner)) continue; // else of C and without a name: its members count
        for (const UnionMember& m : inner.members) out.push_back({m.name, m.type, offset + m.offset, arm});
    }
}

// ------------------------------------------------------------------------------------ protocols

/// `Self` occurs other than as the receiver: the method has no slot (generics.md 4.7).
bool mentionsSelfAnywhere(const Sema& sema, const FunctionDecl& f) {
    for (size_t i = 1; i < f.params.size(); ++i)
        if (mentionsSelf(sema, f.params[i].type)) return true;
    return f.result && mentionsSelf(sema, f.result);
}

ProtocolMethodInfo PartReader::method(const FunctionDecl& f) {
    ProtocolMethodInfo m;
    m.name = f.name.name;
    m.hasDefault = f.hasBody();
    m.dispatchable = !mentionsSelfAnywhere(sema_, f);
    for (size_t i = 1; i < f.params.size(); ++i) {
        const Expr* type = f.params[i].type;
        m.params.push_back(m.dispatchable && type ? read(type) : TypeId::None);
    }
    if (!f.result) {
        m.result = TypeId::Void;
    } else if (m.dispatchable) {
        m.result = resolveResultType(sema_, f.result, context_);
        failed |= m.result == TypeId::None;
    }
    return m;
}

ProtocolInfo PartReader::protocolMethods(const ProtocolDecl& d) {
    ProtocolInfo out;
    out.isInline = d.isInline;
    out.isIdentity = d.isIdentity;
    llvm::SmallDenseSet<Name> seen;
    uint32_t slot = 0;
    for (const ProtocolMethod& p : d.methods) {
        checkUnique(p.fn->name, seen, "method");
        ProtocolMethodInfo m = method(*p.fn);
        if (m.dispatchable) m.slot = slot++;
        out.methods.push_back(std::move(m));
    }
    return out;
}

TypeContext contextOf(NominalInfo& info) {
    TypeContext c;
    c.scope = info.env;
    c.limit = info.envLimit;
    c.file = info.file;
    return c;
}

} // namespace

// ------------------------------------------------------------------------------------ declared types

void completeParts(Sema& sema, NominalInfo& info) {
    PartReader reader(sema, contextOf(info));
    TypeTable& types = sema.types;
    switch (types.kind(info.type)) {
    case TypeKind::Struct: {
        if (info.decl->kind != DeclKind::Struct) { // a class of a foreign runtime: nothing of it is used here
            types.completeStruct(info.type, {});
            break;
        }
        Fields read = reader.structFields(static_cast<const StructDecl&>(*info.decl), &info);
        info.fieldDefaults = std::move(read.defaults);
        info.fieldOwners = std::move(read.owners);
        types.completeStruct(info.type, std::move(read.fields));
        break;
    }
    case TypeKind::Enum:
        types.completeEnum(info.type, reader.enumParts(static_cast<const EnumDecl&>(*info.decl), info.type));
        break;
    case TypeKind::Union:
        types.completeUnion(info.type, reader.unionMembers(static_cast<const UnionDecl&>(*info.decl)));
        break;
    case TypeKind::Protocol:
        types.completeProtocol(info.type, reader.protocolMethods(static_cast<const ProtocolDecl&>(*info.decl)));
        break;
    default: break; // error sets are complete from the start
    }
    info.failed |= reader.failed;
}

void completeContext(Sema& sema, NominalInfo& info, std::vector<StructField> fields) {
    info.fieldDefaults.assign(fields.size(), nullptr);
    info.fieldOwners.assign(fields.size(), &info);
    sema.types.completeStruct(info.type, std::move(fields));
}

void completeAlias(Sema& sema, NominalInfo& info) {
    TypeId original = info.aliasInstanceOf;
    info.failed |= !complete(sema, original);
    NominalInfo& source = *nominal(sema, original);
    info.fieldDefaults = source.fieldDefaults;
    info.fieldOwners = source.fieldOwners;
    TypeTable& types = sema.types;
    if (types.kind(info.type) == TypeKind::Struct) {
        if (types.structInfo(original).complete) types.completeStruct(info.type, types.structInfo(original).fields);
    } else if (types.enumInfo(original).complete) {
        types.completeEnum(info.type, types.enumInfo(original));
    }
}

// ------------------------------------------------------------------------------------ anonymous types

namespace {

std::string shapeKey(const EnumInfo& e) {
    std::string key = e.isFlags ? "flags" : "enum";
    key +=
        std::to_string(static_cast<uint32_t>(e.backing)) + "," + std::to_string(static_cast<uint32_t>(e.layoutStruct));
    for (const Variant& v : e.variants)
        key += ";" + std::to_string(static_cast<uint32_t>(v.name)) + "=" + std::to_string(v.value) + ":" +
               std::to_string(static_cast<uint32_t>(v.payload));
    return key;
}

std::string shapeKey(const std::vector<UnionMember>& members) {
    std::string key = "union";
    for (const UnionMember& m : members)
        key += ";" + std::to_string(static_cast<uint32_t>(m.name)) + ":" +
               std::to_string(static_cast<uint32_t>(m.type)) + "@" + std::to_string(m.arm) + "+" +
               std::to_string(m.offset);
    return key;
}

NominalInfo* describeAnonymous(Sema& sema, TypeId t, const Decl& decl, const TypeContext& context) {
    auto* info = sema.make<NominalInfo>();
    info->type = t;
    info->decl = &decl;
    info->file = context.file;
    info->env = bindingScope(sema, context.scope, context.limit, context.file, t, {});
    info->envLimit = UINT32_MAX;
    sema.nominals.infos[t] = info;
    return info;
}

TypeId anonymousStruct(Sema& sema, const StructDecl& decl, const TypeContext& context) {
    PartReader reader(sema, context);
    Fields read = reader.structFields(decl, nullptr);
    if (reader.failed) return TypeId::None;
    llvm::SmallVector<TupleField, 8> shape;
    for (const StructField& f : read.fields) shape.push_back({f.name, f.type});
    TypeId t = sema.types.anonymousStruct(shape, false);
    bool hasDefaults =
        std::any_of(read.fields.begin(), read.fields.end(), [](const StructField& f) { return f.hasDefault; });
    if (hasDefaults) { // they belong to this type: another one of the same shape has others, or none
        TypeId& own = sema.nominals.anonymousWithDefaults[{&decl, t}];
        if (own != TypeId::None) return own;
        own = sema.types.newStruct("");
        sema.types.completeStruct(own, read.fields);
        t = own;
    } else if (nominal(sema, t)) {
        return t; // methods are those of the first that has this shape
    }
    NominalInfo* info = describeAnonymous(sema, t, decl, context);
    info->fieldDefaults = std::move(read.defaults);
    for (NominalInfo* owner : read.owners) info->fieldOwners.push_back(owner ? owner : info);
    return t;
}

TypeId anonymousEnum(Sema& sema, const EnumDecl& decl, const TypeContext& context) {
    PartReader reader(sema, context);
    EnumInfo read = reader.enumParts(decl, TypeId::None);
    if (reader.failed) return TypeId::None;
    auto [it, isNew] = sema.nominals.anonymousShapes.try_emplace(shapeKey(read), TypeId::None);
    if (!isNew) return it->second;
    TypeId t = it->second = sema.types.newEnum("");
    sema.types.completeEnum(t, std::move(read));
    describeAnonymous(sema, t, decl, context);
    return t;
}

TypeId anonymousUnion(Sema& sema, const UnionDecl& decl, const TypeContext& context) {
    PartReader reader(sema, context);
    std::vector<UnionMember> read = reader.unionMembers(decl);
    if (reader.failed) return TypeId::None;
    auto [it, isNew] = sema.nominals.anonymousShapes.try_emplace(shapeKey(read), TypeId::None);
    if (!isNew) return it->second;
    TypeId t = it->second = sema.types.newUnion("");
    sema.types.completeUnion(t, std::move(read));
    describeAnonymous(sema, t, decl, context);
    return t;
}

} // namespace

TypeId anonymousType(Sema& sema, const Decl& decl, const TypeContext& context) {
    if (const auto* s = llvm::dyn_cast<StructDecl>(&decl)) return anonymousStruct(sema, *s, context);
    if (const auto* e = llvm::dyn_cast<EnumDecl>(&decl)) return anonymousEnum(sema, *e, context);
    if (const auto* u = llvm::dyn_cast<UnionDecl>(&decl)) return anonymousUnion(sema, *u, context);
    return TypeId::None;
}

} // namespace sx::sema
