#include "sema/Notes.h"

#include "sema/Nominal.h"
#include "sema/Wording.h"
#include "syntax/WordTable.h"

#include <algorithm>

namespace sx::sema {

using namespace ast;

namespace {

/// More names than this are no help any more.
constexpr size_t MaxOffered = 8;

const Decl* declarationOf(Sema& sema, TypeId type) {
    NominalInfo* info = nominal(sema, type);
    return info ? info->decl : nullptr;
}

/// The names that a type offers, as they are declared.
std::vector<Ident> offeredBy(const Decl& d) {
    std::vector<Ident> names;
    switch (d.kind) {
    case DeclKind::Struct:
        for (const MemberDecl& m : static_cast<const StructDecl&>(d).members)
            if (m.kind == MemberKind::Field) names.push_back(m.field.name);
        break;
    case DeclKind::Enum:
        for (const VariantDecl& v : static_cast<const EnumDecl&>(d).variants) names.push_back(v.name);
        break;
    case DeclKind::Union:
        for (const UnionMemberDecl& m : static_cast<const UnionDecl&>(d).members) {
            names.push_back(m.name);
            if (!m.anonymous) continue;
            for (const MemberDecl& inner : m.anonymous->members)
                if (inner.kind == MemberKind::Field) names.push_back(inner.field.name);
        }
        break;
    case DeclKind::ErrorSet: {
        const auto& tags = static_cast<const ErrorSetDecl&>(d).tags;
        names.assign(tags.begin(), tags.end());
        break;
    }
    default: break;
    }
    return names;
}

const char* whatItHas(DeclKind kind) {
    switch (kind) {
    case DeclKind::Struct: return "its fields are ";
    case DeclKind::Enum: return "its variants are ";
    case DeclKind::Union: return "its members are ";
    case DeclKind::ErrorSet: return "its tags are ";
    default: return "it has ";
    }
}

} // namespace

/// Where a name is declared that the declaration of the type does not show: a field that `#using` brings in, one of the
/// context, one of a struct without a name in a union, an element of a tuple.
static Span distantMember(Sema& sema, TypeId type, Name name) {
    if (sema.uses)
        for (const SlotName& slot : sema.uses->slots)
            if (slot.tuple == type && slot.name == name) return slot.declared;
    if (type == sema.contextType)
        for (const auto& [field, file] : sema.program.contextFields)
            if (field->name.name == name) return field->name.span;
    const NominalInfo* info = nominal(sema, type);
    if (!info || sema.types.kind(type) != TypeKind::Struct || !sema.types.isComplete(type)) return {};
    const StructInfo& fields = sema.types.structInfo(type);
    auto index = fields.index.find(name);
    if (index == fields.index.end() || index->second >= info->fieldOwners.size()) return {};
    const NominalInfo* owner = info->fieldOwners[index->second];
    if (!owner || owner == info || !owner->decl) return {};
    for (const Ident& id : offeredBy(*owner->decl))
        if (id.name == name) return id.span;
    return {};
}

Span memberSpan(Sema& sema, TypeId type, Name name) {
    const Decl* d = declarationOf(sema, type);
    if (!d) return distantMember(sema, type, name);
    for (const Ident& id : offeredBy(*d))
        if (id.name == name) return id.span;
    if (const auto* protocol = llvm::dyn_cast<ProtocolDecl>(d))
        for (const ProtocolMethod& m : protocol->methods)
            if (m.fn->name.name == name) return m.fn->name.span;
    return distantMember(sema, type, name);
}

void noteType(Sema& sema, Diagnostic& d, TypeId type, bool offers) {
    const Decl* decl = declarationOf(sema, type);
    if (!decl || !decl->name) return;
    std::string text = code(sema.types, type) + " is declared here", list;
    std::vector<Ident> names = offers ? offeredBy(*decl) : std::vector<Ident>();
    if (names.size() <= MaxOffered)
        for (const Ident& id : names) list += (list.empty() ? "" : ", ") + code(sema, id.name);
    if (!list.empty()) text += "; " + std::string(whatItHas(decl->kind)) + list;
    d.note(decl->name.span, text);
}

void noteFunction(Diagnostic& d, const FunctionTemplate& f) {
    if (f.decl->name) d.note(f.decl->name.span, code(f.qualifiedName) + " is declared here");
}

size_t namesInSight(const Scope* scope, const SourceFile& file) {
    size_t count = file.names.size();
    for (; scope; scope = scope->parent) count += scope->entries.size();
    return count;
}

bool isSearchedFor(const Diagnostics& diags, size_t names) {
    constexpr size_t FirstErrors = 50, MostSteps = 5'000'000;
    return diags.errorCount() <= FirstErrors || diags.errorCount() <= MostSteps / std::max<size_t>(names, 1);
}

bool suggest(const Diagnostics& diags, Diagnostic& d, std::string_view name,
             llvm::ArrayRef<std::string_view> candidates, std::string_view prefix) {
    if (name.size() <= 2) return false; // any other such name is near
    if (!isSearchedFor(diags, candidates.size())) return false;
    std::string_view near = nearestName(name, candidates.vec());
    if (near.empty()) return false;
    d.help("did you mean " + code(std::string(prefix) + std::string(near)) + "?");
    return true;
}

std::string_view foreignValue(std::string_view name) {
    static constexpr KnownWord table[] = {
#define FOREIGN_VALUE(name, help) {name, help},
#include "sema/ForeignNames.def"
    };
    return helpFor(name, table);
}

std::string_view foreignMember(std::string_view name) {
    static constexpr KnownWord table[] = {
#define FOREIGN_MEMBER(name, help) {name, help},
#include "sema/ForeignNames.def"
    };
    return helpFor(name, table);
}

std::string_view foreignOfAny(std::string_view name) {
    static constexpr KnownWord table[] = {
#define FOREIGN_OF_ANY(name, help) {name, help},
#include "sema/ForeignNames.def"
    };
    return helpFor(name, table);
}

std::vector<std::string_view> ownNames(std::string_view name) {
    static constexpr KnownWord table[] = {
#define FOREIGN_METHOD(name, own) {name, own},
#include "sema/ForeignNames.def"
    };
    std::vector<std::string_view> own;
    for (const KnownWord& known : table)
        if (known.word == name) own.push_back(known.help);
    return own;
}

bool rejectedWithin(const Diagnostics& diags, Span span) {
    if (!diags.hasErrors()) return false;
    for (const Diagnostic& d : diags.all())
        if (d.severity == Severity::Error && d.span.begin >= span.begin && d.span.begin < span.end) return true;
    return false;
}

} // namespace sx::sema
