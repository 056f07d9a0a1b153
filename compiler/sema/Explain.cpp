#include "sema/Explain.h"

#include "sema/CallSupport.h"

namespace sx::sema {

using namespace ast;

namespace {

/// More names than this are no help any more.
constexpr size_t MaxOffered = 8;

const Decl* declarationOf(Sema& sema, TypeId type) {
    NominalInfo* info = sema.nominal(type);
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
        for (const UnionMemberDecl& m : static_cast<const UnionDecl&>(d).members) names.push_back(m.name);
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

void explain(Diagnostics& diags, size_t before, const Purpose& purpose) {
    for (Diagnostic& d : diags.since(before)) {
        if (d.severity != Severity::Error || !d.subject.empty()) continue;
        d.subject = purpose.subject;
        bool marked = purpose.value.begin == d.span.begin && purpose.value.end == d.span.end;
        if (purpose.value.isValid() && !purpose.actual.empty() && !marked) d.note(purpose.value, purpose.actual);
        if (purpose.declaration.isValid()) d.note(purpose.declaration, purpose.declared);
    }
}

Value lowerWithPurpose(FunctionLowering& f, const Expr* e, TypeId type, ValueId dest,
                       llvm::function_ref<Purpose()> why) {
    Value given = f.lower(e, type, dest);
    if (given.isError()) return given;
    size_t before = f.diags.all().size();
    Value v = f.convert(given, type, e->span, dest);
    if (!v.isError()) return v;
    Purpose purpose = why();
    purpose.value = e->span;
    purpose.actual = whatItIs(f, given);
    explain(f.diags, before, purpose);
    return v;
}

std::string whatItIs(FunctionLowering& f, const Value& v) {
    switch (v.kind) {
    case Value::Kind::Function:
        return v.function ? "this is the function " + tick(v.function->qualifiedName) : "this is an intrinsic";
    case Value::Kind::TypeName: return "this is the type " + quoted(f.types, v.namedType);
    case Value::Kind::Scalar:
    case Value::Kind::Memory:
    case Value::Kind::Const:
        return v.type == TypeId::Null ? "this is `null`" : "this is " + withArticle(f.types, v.type);
    case Value::Kind::Void: return "this yields no value";
    default: return {};
    }
}

Span memberSpan(Sema& sema, TypeId type, Name name) {
    if (const Decl* d = declarationOf(sema, type))
        for (const Ident& id : offeredBy(*d))
            if (id.name == name) return id.span;
    return {};
}

void noteType(Sema& sema, Diagnostic& d, TypeId type, bool offers) {
    const Decl* decl = declarationOf(sema, type);
    if (!decl || !decl->name) return;
    std::string text = quoted(sema.types, type) + " is declared here", list;
    std::vector<Ident> names = offeredBy(*decl);
    for (const Ident& id : names) list += (list.empty() ? "" : ", ") + tick(sema, id.name);
    if (offers && !names.empty() && names.size() <= MaxOffered)
        text += "; " + std::string(whatItHas(decl->kind)) + list;
    d.note(decl->name.span, text);
}

void noteFunction(Diagnostic& d, const FunctionTemplate& f) {
    if (f.decl->name) d.note(f.decl->name.span, tick(f.qualifiedName) + " is declared here");
}

namespace {

std::string valueText(Sema& sema, const Binding& b) {
    if (sema.types.kind(b.type) == TypeKind::Enum)
        for (const Variant& v : sema.types.enumInfo(b.type).variants)
            if (v.value == b.value.i) return tick("." + sema.text(v.name));
    return std::to_string(static_cast<int64_t>(b.value.i));
}

/// "`T` is `string`, `n` is 4".
std::string boundText(Sema& sema, llvm::ArrayRef<Binding> bindings) {
    std::string text;
    for (const Binding& b : bindings) {
        std::string what;
        if (b.kind == Binding::Kind::Type && b.type != TypeId::None) what = quoted(sema.types, b.type);
        if (b.kind == Binding::Kind::Value && b.value.isInt()) what = valueText(sema, b);
        if (b.kind == Binding::Kind::Pack)
            for (TypeId t : b.packTypes) what += (what.empty() ? "" : ", ") + quoted(sema.types, t);
        if (!what.empty()) text += (text.empty() ? "" : ", ") + tick(sema, b.name) + " is " + what;
    }
    return text;
}

} // namespace

void noteInstance(FunctionLowering& f, size_t before) {
    const FunctionInstance& instance = *f.instance;
    const FunctionTemplate& tmpl = *instance.tmpl;
    NominalInfo* owner = tmpl.ownerType == TypeId::None ? nullptr : f.sema.nominal(tmpl.ownerType);
    bool isOfGeneric = owner && !owner->bindings.empty();
    if (!isOfGeneric && !(tmpl.isGeneric && instance.instantiatedAt)) return;
    const Expr* at = instance.instantiatedAt ? instance.instantiatedAt : instance.askedBy;
    if (const auto* call = llvm::dyn_cast_or_null<Call>(at)) at = call->callee;
    std::string bound = boundText(f.sema, tmpl.isGeneric ? instance.bindings : owner->bindings);
    std::string text = "in " + tick(tmpl.qualifiedName) + (bound.empty() ? "" : ", where " + bound);
    for (Diagnostic& d : f.diags.since(before)) {
        bool isInside = d.span.begin >= tmpl.decl->span.begin && d.span.begin < tmpl.decl->span.end;
        if (d.severity != Severity::Error || !isInside) continue;
        if (at) d.note(at->span, text + ": asked for here");
        else d.note(tmpl.decl->name.span, text);
    }
}

namespace {

/// The variable without a written type that a value is.
Symbol* untypedVariable(const Value& v) {
    bool isVariable = v.symbol && v.symbol->kind == SymbolKind::Local && v.symbol->initializer;
    return isVariable ? v.symbol : nullptr;
}

/// `a, b` for the results of a call, by their names where they have some.
std::string namesFor(Sema& sema, llvm::ArrayRef<TupleField> fields) {
    std::string names;
    for (size_t i = 0; i < fields.size(); ++i) {
        bool isNamed = fields[i].name != Name::None;
        names += (i == 0 ? "" : ", ") +
                 (isNamed ? sema.text(fields[i].name) : std::string(1, static_cast<char>('a' + i % 26)));
    }
    return names;
}

} // namespace

void explainResults(FunctionLowering& f, size_t before, const Value& v) {
    if (f.types.kind(v.type) != TypeKind::Tuple || f.types.isFailable(v.type) || f.diags.since(before).empty()) return;
    Symbol* variable = untypedVariable(v);
    const Expr* source = variable ? withoutParens(variable->initializer) : nullptr;
    if (!source || !llvm::isa<Call>(source)) return;
    llvm::ArrayRef<TupleField> fields = f.types.tupleFields(v.type);
    std::string name = f.sema.text(variable->name), call(f.sema.sources.textOf(source->span));
    std::string first = fields[0].name != Name::None ? f.sema.text(fields[0].name) : "0";
    if (call.size() > 60) call = "…";
    for (Diagnostic& d : f.diags.since(before))
        d.note(source->span, tick(name) + " holds all " + std::to_string(fields.size()) + " results of this call")
            .help("give each a name, " + tick(namesFor(f.sema, fields) + " := " + call + ";") + ", or choose one, " +
                  tick(name + "." + first));
    variable->kind = SymbolKind::Error;
}

bool rejectTypeVariable(FunctionLowering& f, const Value& v) {
    Symbol* variable = v.type == TypeId::Type ? untypedVariable(v) : nullptr;
    if (!variable || f.types.kind(variable->type) != TypeKind::Type) return false;
    const Expr* source = variable->initializer;
    if (!f.sema.namesType(source, f.typeContext(true))) return false;
    TypeId type = f.sema.resolveType(source, f.typeContext(true));
    std::string name = f.sema.text(variable->name), written(f.sema.sources.textOf(source->span));
    Diagnostic& d =
        f.diags.error(source->span, tick(name) + " is the type " + tick(written) + " here, not a value of it");
    if (f.sema.nominal(type) && f.types.kind(type) != TypeKind::Enum)
        d.help("write " + tick(name + " := " + written + ".{};"));
    else d.help("write " + tick(name + " : " + written + ";"));
    variable->kind = SymbolKind::Error;
    return true;
}

bool suggest(Diagnostic& d, std::string_view name, llvm::ArrayRef<std::string_view> candidates,
             std::string_view prefix) {
    std::string_view near = nearestName(name, candidates.vec());
    if (near.empty()) return false;
    d.help("did you mean " + tick(std::string(prefix) + std::string(near)) + "?");
    return true;
}

namespace {

struct ForeignName {
    std::string_view name, help;
};

std::string_view helpFor(std::string_view name, llvm::ArrayRef<ForeignName> table) {
    for (const ForeignName& known : table)
        if (known.name == name) return known.help;
    return {};
}

} // namespace

std::string_view foreignType(std::string_view name) {
    static constexpr ForeignName table[] = {
#define FOREIGN_TYPE(name, help) {name, help},
#include "sema/ForeignNames.def"
    };
    return helpFor(name, table);
}

std::string_view foreignValue(std::string_view name) {
    static constexpr ForeignName table[] = {
#define FOREIGN_VALUE(name, help) {name, help},
#include "sema/ForeignNames.def"
    };
    return helpFor(name, table);
}

std::string_view foreignMember(std::string_view name) {
    static constexpr ForeignName table[] = {
#define FOREIGN_MEMBER(name, help) {name, help},
#include "sema/ForeignNames.def"
    };
    return helpFor(name, table);
}

bool rejectedWithin(const Diagnostics& diags, Span span) {
    if (!diags.hasErrors()) return false;
    for (const Diagnostic& d : diags.all())
        if (d.severity == Severity::Error && d.span.begin >= span.begin && d.span.begin < span.end) return true;
    return false;
}

void checkAside(FunctionLowering& f, llvm::function_ref<void()> lower) {
    BlockId here = f.b.block();
    auto narrowed = f.narrowed;
    size_t assignedBefore = f.reassigned.size();
    f.b.setBlock(f.b.newBlock(true));
    lower();
    if (f.reachable()) f.b.unreachable();
    f.b.setBlock(here);
    f.narrowed = narrowed;
    f.reassigned.resize(assignedBefore);
}

void checkOrphan(FunctionLowering& f, const Expr* e) {
    if (!needsTarget(e)) checkAside(f, [&] { f.lower(e); });
}

std::string functionTitle(const FunctionLowering& f) { return f.isLambda ? "this lambda" : tick(f.name); }

bool needsTarget(const Expr* e) {
    e = withoutParens(e);
    switch (e->kind) {
    case ExprKind::EnumLit:
    case ExprKind::Undef:
    case ExprKind::Null:
    case ExprKind::Lambda: return true;
    case ExprKind::StructLit: return !static_cast<const StructLit*>(e)->type;
    case ExprKind::ArrayLit: return !static_cast<const ArrayLit*>(e)->type;
    case ExprKind::Call: return llvm::isa<EnumLit>(static_cast<const Call*>(e)->callee);
    case ExprKind::If:
    case ExprKind::Match: return true; // their arms may be any of these
    default: return false;
    }
}

} // namespace sx::sema
