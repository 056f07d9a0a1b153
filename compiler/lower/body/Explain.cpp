#include "lower/body/Explain.h"

#include "ir/BuildControl.h"
#include "lower/body/Body.h"
#include "lower/body/Recursion.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "sema/Nominal.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Failable.h"

namespace sx::lower {

using namespace ast;

void explain(Diagnostics& diags, size_t before, const Purpose& purpose) {
    for (Diagnostic& d : diags.since(before)) {
        if (d.severity != Severity::Error || !d.subject.empty()) continue;
        d.subject = purpose.subject;
        bool marked = purpose.value.begin == d.span.begin && purpose.value.end == d.span.end;
        if (purpose.value.isValid() && !purpose.actual.empty() && !marked) d.note(purpose.value, purpose.actual);
        if (purpose.declaration.isValid()) d.note(purpose.declaration, purpose.declared);
    }
}

Value lowerWithPurpose(Body& f, const Expr* e, TypeId type, ValueId dest, llvm::function_ref<Purpose()> why) {
    Value given = lower(f, e, type, dest);
    if (given.isError()) return given;
    size_t before = f.diags.all().size();
    Value v = convert(f, given, type, e->span, dest);
    if (!v.isError()) return v;
    Purpose purpose = why();
    purpose.value = e->span;
    purpose.actual = describeValue(f, given);
    explain(f.diags, before, purpose);
    return v;
}

std::string describeValue(Body& f, const Value& v) {
    switch (v.kind) {
    case Value::Kind::Function:
        return v.function ? "this is the function " + code(v.function->qualifiedName) : "this is an intrinsic";
    case Value::Kind::TypeName: return "this is the type " + code(f.types, v.namedType);
    case Value::Kind::Scalar:
    case Value::Kind::Memory:
    case Value::Kind::Const:
        return v.type == TypeId::Null ? "this is `null`" : "this is " + withArticle(f.types, v.type);
    case Value::Kind::Void: return "this yields no value";
    default: return {};
    }
}

namespace {

std::string valueText(Sema& sema, const Binding& b) {
    if (sema.types.kind(b.type) == TypeKind::Enum)
        for (const Variant& v : sema.types.enumInfo(b.type).variants)
            if (v.value == b.value.i) return code("." + sema.text(v.name));
    return std::to_string(static_cast<int64_t>(b.value.i));
}

/// "`T` is `string`, `n` is 4".
std::string boundText(Sema& sema, llvm::ArrayRef<Binding> bindings) {
    std::string text;
    for (const Binding& b : bindings) {
        std::string what;
        if (b.kind == Binding::Kind::Type && b.type != TypeId::None) what = code(sema.types, b.type);
        if (b.kind == Binding::Kind::Value && b.value.isInt()) what = valueText(sema, b);
        if (b.kind == Binding::Kind::Pack)
            for (TypeId t : b.packTypes) what += (what.empty() ? "" : ", ") + code(sema.types, t);
        if (!what.empty()) text += (text.empty() ? "" : ", ") + code(sema, b.name) + " is " + what;
    }
    return text;
}

/// The notes tell already for which instance of the function an error is: the innermost of several.
bool tellsInstance(const Diagnostic& d, const FunctionTemplate& tmpl) {
    return llvm::any_of(d.notes, [&](const DiagnosticNote& note) { return note.instanceOf == &tmpl; });
}

} // namespace

void noteInstance(Body& f, size_t before) {
    const FunctionInstance& instance = *f.instance;
    const FunctionTemplate& tmpl = *instance.tmpl;
    NominalInfo* owner = tmpl.ownerType == TypeId::None ? nullptr : nominal(f.sema, tmpl.ownerType);
    bool isOfGeneric = owner && !owner->bindings.empty();
    if (!isOfGeneric && !(tmpl.isGeneric && instance.instantiatedAt)) return;
    const Expr* at = instance.instantiatedAt ? instance.instantiatedAt : instance.askedBy;
    const Expr* outermost = instance.askedFrom;
    if (const FunctionInstance* by = instance.instantiatedBy;
        by && by->tmpl == &tmpl) { // by itself, with other arguments
        outermost = at;
        at = instance.askedBy;
    }
    if (const auto* call = llvm::dyn_cast_or_null<Call>(at)) at = call->callee;
    if (const auto* call = llvm::dyn_cast_or_null<Call>(outermost)) outermost = call->callee;
    std::string bound = boundText(f.sema, tmpl.isGeneric ? instance.bindings : owner->bindings);
    std::string text = "in " + code(tmpl.qualifiedName) + (bound.empty() ? "" : ", where " + bound);
    for (Diagnostic& d : f.diags.since(before)) {
        bool isInside = d.span.begin >= tmpl.decl->span.begin && d.span.begin < tmpl.decl->span.end;
        if (!f.insertedTexts.empty() && d.span.isValid())
            isInside |= llvm::is_contained(f.insertedTexts, f.sema.sources.resolve(d.span.begin).file);
        if (d.severity != Severity::Error || !isInside || tellsInstance(d, tmpl)) continue;
        if (at) d.note(at->span, text + ": asked for here");
        else d.note(tmpl.decl->name.span, text);
        d.notes.back().instanceOf = &tmpl;
        if (at && outermost && outermost != at) d.note(outermost->span, "which this call leads to");
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

void explainResults(Body& f, size_t before, const Value& v) {
    if (f.types.kind(v.type) != TypeKind::Tuple || isFailable(f.types, v.type) || f.diags.since(before).empty()) return;
    Symbol* variable = untypedVariable(v);
    const Expr* source = variable ? withoutParens(variable->initializer) : nullptr;
    if (!source || !llvm::isa<Call>(source)) return;
    llvm::ArrayRef<TupleField> fields = f.types.tupleFields(v.type);
    std::string name = f.sema.text(variable->name), call(f.sema.sources.textOf(source->span));
    std::string first = fields[0].name != Name::None ? f.sema.text(fields[0].name) : "0";
    if (call.size() > 60) call = "…";
    for (Diagnostic& d : f.diags.since(before))
        d.note(source->span, code(name) + " holds all " + std::to_string(fields.size()) + " results of this call")
            .help("give each a name, " + code(namesFor(f.sema, fields) + " := " + call + ";") + ", or choose one, " +
                  code(name + "." + first));
    variable->kind = SymbolKind::Error;
}

bool rejectTypeVariable(Body& f, const Value& v) {
    Symbol* variable = v.type == TypeId::Type ? untypedVariable(v) : nullptr;
    if (!variable || f.types.kind(variable->type) != TypeKind::Type) return false;
    const Expr* source = variable->initializer;
    if (!namesType(f.sema, source, typeContext(f, true))) return false;
    TypeId type = resolveType(f.sema, source, typeContext(f, true));
    std::string name = f.sema.text(variable->name), written(f.sema.sources.textOf(source->span));
    Diagnostic& d =
        f.diags.error(source->span, code(name) + " is the type " + code(written) + " here, not a value of it");
    if (nominal(f.sema, type) && f.types.kind(type) != TypeKind::Enum)
        d.help("write " + code(name + " := " + written + ".{};"));
    else d.help("write " + code(name + " : " + written + ";"));
    variable->kind = SymbolKind::Error;
    return true;
}

void checkDiscarded(Body& f, llvm::function_ref<void()> lower) {
    BlockId here = f.b.block();
    auto narrowed = f.narrowing.present;
    size_t assignedBefore = f.narrowing.reassigned.size();
    f.b.setBlock(f.b.newBlock(true));
    lower();
    if (f.reachable()) emitUnreachable(f.b);
    f.b.setBlock(here);
    f.narrowing.present = narrowed;
    f.narrowing.reassigned.resize(assignedBefore);
}

void checkDiscarded(Body& f, const Expr* e) {
    if (!needsTarget(e) && !isNumberLiteral(e)) checkDiscarded(f, [&] { lower(f, e); });
}

std::string functionTitle(const Body& f) { return f.isLambda ? "this lambda" : code(f.name); }

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

} // namespace sx::lower
