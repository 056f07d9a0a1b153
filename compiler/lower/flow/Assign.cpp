// Assignments and destructuring (language 3.7, 5.1-5.3).
#include "lower/flow/Assign.h"
#include "sema/Lookup.h"
#include "sema/TypeResolver.h"

#include "lower/body/Body.h"
#include "lower/body/Cleanup.h"
#include "lower/body/ErrorVariables.h"
#include "lower/body/Explain.h"
#include "lower/body/FrameArrays.h"
#include "lower/body/Narrowing.h"
#include "lower/body/Probe.h"
#include "lower/body/Recursion.h"
#include "lower/body/Scopes.h"
#include "lower/body/Storage.h"
#include "lower/body/Traces.h"
#include "lower/body/Values.h"
#include "lower/flow/Statements.h"
#include "lower/values/Operators.h"
#include "lower/values/Places.h"
#include "sema/Wording.h"
#include "types/Parts.h"

namespace sx::lower {

using namespace ast;

bool isDiscard(const Body& f, const Expr* e) {
    const auto* n = llvm::dyn_cast<NameRef>(e);
    return n && !n->id.raw && f.sema.names.text(n->id.name) == "_";
}

/// The type of a place that evaluating the value cannot move: a local variable, or fields of one. None for any other
/// place; one behind a pointer is another, because the value may re-seat the pointer.
TypeId fixedPlaceType(Body& f, const Expr* e) {
    if (const auto* m = llvm::dyn_cast<Member>(e)) {
        TypeId owner = m->optional || m->isIndex ? TypeId::None : fixedPlaceType(f, m->base);
        if (owner == TypeId::None || f.types.kind(owner) != TypeKind::Struct) return TypeId::None;
        const StructInfo& info = f.types.structInfo(owner);
        auto field = info.index.find(m->name.name);
        return field == info.index.end() ? TypeId::None : info.fields[field->second].type;
    }
    const auto* n = llvm::dyn_cast<NameRef>(e);
    if (!n) return TypeId::None;
    LookupResult found = lookup(f.sema, n->id.name, f.scope, f.scopeLimit, &f.file);
    return found.symbol && found.symbol->kind == SymbolKind::Local ? found.symbol->type : TypeId::None;
}

/// The type of an assignment target, found without emitting anything that stays.
TypeId probePlace(Body& f, const Expr* target, Span statement) {
    Value place = probe(f, [&] { return lowerPlace(f, target, statement); });
    return place.isError() ? TypeId::None : place.type;
}

void lowerAssign(Body& f, const Assign& s) {
    if (isDiscard(f, s.target)) {
        if (s.compound) {
            f.diags.error(s.span, "`_` holds nothing, so there is nothing to combine with")
                .help("write `_ = …;` to evaluate and drop a value");
            return;
        }
        Value v = lowerUnmarked(f, s.value);
        if (!v.isError() && v.unmarkedFailable) rejectUnmarked(f, v, s.value->span);
        return;
    }
    bool handled = false;
    std::optional<BinaryOp> op;
    if (s.compound) op = s.op;
    assignProperty(f, s.target, s.value, op, handled, s.span);
    if (handled) return;
    if (s.compound) return lowerCompound(f, s);

    // The place is the optional itself, not its payload, which the value still sees.
    auto before = f.narrowing.present;
    endNarrowing(f, s.target);
    if (fixedPlaceType(f, s.target) != TypeId::None) {
        Value place = lowerPlace(f, s.target, s.span);
        f.narrowing.present = before;
        if (place.isError()) checkOrphan(f, s.value);
        else assignValue(f, place, s.target, s.value);
        noteStored(f, place, s.target, s.value);
        endNarrowing(f, s.target);
        return;
    }
    TypeId type = probePlace(f, s.target, s.span);
    f.narrowing.present = before;
    if (type == TypeId::None) {
        checkOrphan(f, s.value);
        return;
    }
    f.b.setSpan(s.value->span);
    Value v = lowerTo(f, s.value, type);
    endNarrowing(f, s.target);
    if (v.isError() || !f.reachable()) return;
    Value held = f.types.isScalar(type) ? Value::scalar(type, scalar(f, v)) : v.lvalue ? copyToTemp(f, v) : v;
    f.b.setSpan(s.span);
    Value place = lowerPlace(f, s.target, s.span);
    if (place.isError() || !f.reachable()) return;
    store(f, place.id, held);
    noteStored(f, place, s.target, s.value);
}

void assignValue(Body& f, const Value& place, const Expr* target, const Expr* value) {
    Symbol* var = place.symbol;
    if (f.types.isErrorSet(place.type) || carriesTrace(f, var)) {
        bool captured = carriesTrace(f, var) && markErrorEnds(f, var->name, value, var);
        Value v = lowerUnmarked(f, value, place.type);
        if (v.isError() || !f.reachable()) return;
        if (v.unmarkedFailable && !f.types.isErrorSet(v.type)) {
            rejectUnmarked(f, v, value->span);
            return;
        }
        if (var && var->kind == SymbolKind::Local && llvm::isa<NameRef>(withoutParens(target))) {
            storeErrorVariable(f, var, v, value, captured);
            return;
        }
        if (v.unmarkedFailable) v = errorOperand(f, v);
        v = convert(f, v, place.type, value->span);
        if (!v.isError()) store(f, place.id, v);
        return;
    }
    auto why = [&] {
        Purpose purpose;
        if (var && llvm::isa<NameRef>(withoutParens(target))) purpose.declaration = var->nameSpan;
        purpose.declared = "`" + (var ? f.sema.text(var->name) : std::string()) + "` is declared here as " +
                           withArticle(f.types, place.type);
        return purpose;
    };
    Value v = lowerWithPurpose(f, value, place.type, ValueId::None, why);
    if (v.isError() || !f.reachable()) return;
    store(f, place.id, v);
}

/// `t op= e`: the right side first, then the target once; combined in the target's type.
void lowerCompound(Body& f, const Assign& s) {
    TypeId type = probePlace(f, s.target, s.span);
    if (type == TypeId::None) {
        checkOrphan(f, s.value);
        return;
    }
    if (isNarrowed(f, s.target)) type = f.types.elem(type);
    bool flowsIn = f.types.isNumeric(type) || f.types.isPlainEnum(type);
    TypeId operandTarget = flowsIn && s.op != BinaryOp::Shl && s.op != BinaryOp::Shr ? type : TypeId::None;
    Value rhs = lower(f, s.value, operandTarget);
    if (rhs.isError() || !f.reachable()) return;
    if (!requireValue(f, rhs, s.value->span)) return;
    if (!rhs.isConst() && f.types.isScalar(rhs.type)) rhs = load(f, narrowedValue(f, rhs));
    if (operandTarget != TypeId::None && f.types.isNumeric(type) && f.types.isNumeric(rhs.type)) {
        rhs = convert(f, rhs, type, s.value->span);
        if (rhs.isError()) return;
    }
    Value place = lowerPlace(f, s.target, s.span);
    if (place.isError()) return;
    Value current = load(f, narrowedValue(f, place));
    endNarrowing(f, s.target);
    Value result = arithmetic(f, s.op, current, rhs, s.target, s.value, s.span, s.opSpan);
    if (result.isError()) return;
    result = convert(f, result, place.type, s.value->span);
    if (!result.isError()) store(f, place.id, result);
}

namespace {

/// What holds the trace of a value of a multi-assignment until all values are known; null: the target carries none.
Symbol* carrierFor(Body& f, const Expr* target, const Expr* value) {
    const auto* name = llvm::dyn_cast<NameRef>(withoutParens(target));
    if (!name || !f.result.isFailable || !f.errorVariables.leaving.contains(name->id.name)) return nullptr;
    if (Symbol* carrier = markErrorEnds(f, name->id.name, value, nullptr)) return carrier;
    return newErrorCarrier(f);
}

Value lowerForCarrier(Body& f, const Expr* value, TypeId target, Symbol* carrier) {
    Value v = lowerUnmarked(f, value, target);
    if (v.isError() || !f.reachable()) return v;
    if (v.unmarkedFailable && !f.types.isErrorSet(v.type)) return rejectUnmarked(f, v, value->span);
    if (!llvm::isa<If, Match, BlockExpr>(withoutParens(value)))
        v = captureEnd(f, v, carrier, value->span); // else its ends were
    return target == TypeId::None ? v : convert(f, v, target, value->span);
}

} // namespace

void lowerMultiAssign(Body& f, const MultiAssign& s) {
    size_t count = s.targets.size();
    std::vector<TypeId> targetTypes(count);
    std::vector<bool> property(count);
    auto before = f.narrowing.present; // the values still see the payloads
    size_t assignedBefore = f.narrowing.reassigned.size();
    bool targetsOk = true;
    for (size_t i = 0; i < count; ++i) {
        if (isDiscard(f, s.targets[i])) continue;
        endNarrowing(f, s.targets[i]);
        TypeId setter = setterType(f, s.targets[i]);
        if (setter != TypeId::None) {
            property[i] = true;
            targetTypes[i] = setter;
            continue;
        }
        targetTypes[i] = probePlace(f, s.targets[i], s.targets[i]->span);
        targetsOk &= targetTypes[i] != TypeId::None;
    }
    if (!targetsOk) {
        for (const Expr* value : s.values) checkOrphan(f, value);
        return;
    }
    f.narrowing.present = std::move(before);
    std::vector<Value> values;
    bool ok = true;
    for (size_t i = 0; i < count && i < s.values.size(); ++i) {
        Symbol* carrier = carrierFor(f, s.targets[i], s.values[i]);
        Value v = carrier                          ? lowerForCarrier(f, s.values[i], targetTypes[i], carrier)
                  : targetTypes[i] == TypeId::None ? lower(f, s.values[i])
                                                   : lowerTo(f, s.values[i], targetTypes[i]);
        if (!v.isError() && !f.reachable()) return;
        if (v.isError() || (targetTypes[i] == TypeId::None && !requireValue(f, v, s.values[i]->span))) {
            ok = false;
            continue;
        }
        // Held apart from its source: a store to an earlier target must not change it.
        if (f.types.isScalar(v.type)) v = Value::scalar(v.type, scalar(f, v));
        else if (v.lvalue) v = copyToTemp(f, v);
        v.errorSource = carrier;
        values.push_back(v);
    }
    forgetReassigned(f, assignedBefore);
    if (!ok) return;
    f.b.setSpan(s.span);
    for (size_t i = 0; i < count; ++i) {
        if (isDiscard(f, s.targets[i])) continue;
        if (property[i]) {
            storeProperty(f, s.targets[i], values[i]);
            continue;
        }
        Value place = lowerPlace(f, s.targets[i], s.targets[i]->span);
        if (place.isError()) return;
        store(f, place.id, values[i]);
        noteStored(f, place, s.targets[i], s.values[i]);
        keepTrace(f, place.symbol, values[i]);
        if (place.symbol && f.types.isErrorSet(place.type) && place.symbol->kind == SymbolKind::Local)
            noteVariableErrors(f, place.symbol, values[i]);
    }
}

// ------------------------------------------------------------------------------------ destructuring

void lowerDestructure(Body& f, const Destructure& s) {
    Value v = lowerUnmarked(f, s.init);
    auto broken = [&] {
        for (const Ident& id : s.names) declareBroken(f, id);
    };
    if (v.isError() || !f.reachable()) return broken();
    struct Part {
        TypeId type;
        uint64_t offset;
    };
    std::vector<Part> parts;
    bool failable = f.types.isFailable(v.type) && (v.unmarkedFailable || f.types.kind(v.type) == TypeKind::Tuple);
    switch (f.types.kind(v.type)) {
    case TypeKind::Tuple: {
        unsigned i = 0;
        for (const TupleField& field : f.types.tupleFields(v.type))
            parts.push_back({field.type, f.types.fieldOffset(v.type, i++)});
        break;
    }
    case TypeKind::Struct:
        for (const StructField& field : f.types.structInfo(v.type).fields) parts.push_back({field.type, field.offset});
        break;
    case TypeKind::ErrorSet: parts.push_back({v.type, 0}); break;
    default:
        f.diags.error(s.init->span, withArticle(f.types, v.type) + " has no parts to take apart")
            .help("only tuples, several results and structs can be destructured");
        return broken();
    }
    if (s.names.size() > parts.size()) {
        f.diags.error(s.init->span, "this has " + std::to_string(parts.size()) +
                                        (parts.size() == 1 ? " part" : " parts") + ", and " +
                                        std::to_string(s.names.size()) + " names are given");
        return broken();
    }
    auto isBlank = [&](const Ident& id) { return !id.raw && f.sema.names.text(id.name) == "_"; };
    if (failable && (s.names.size() < parts.size() || isBlank(s.names.back()))) {
        f.diags.error(s.init->span, "this drops the error of a failable call")
            .help("name the error slot and test it, or use `try` or `catch`");
        return broken();
    }
    // Take every part before any name is declared: the names may shadow what the source was built from.
    ValueId base = f.types.isErrorSet(v.type) ? ValueId::None : addressOf(f, v);
    std::vector<Value> places;
    for (size_t i = 0; i < s.names.size(); ++i) {
        if (isBlank(s.names[i])) {
            places.push_back(Value::none());
            continue;
        }
        Value place = temp(f, parts[i].type);
        if (base == ValueId::None) f.b.store(place.id, scalar(f, v));
        else
            store(f, place.id,
                  Value::temporary(parts[i].type, f.b.offset(base, parts[i].offset, f.types.pointerTo(parts[i].type))));
        places.push_back(place);
    }
    Symbol* errorVariable = nullptr;
    for (size_t i = 0; i < s.names.size(); ++i) {
        if (isBlank(s.names[i])) continue;
        Symbol* var = declareLocal(f, s.names[i], parts[i].type, LocalKind::Variable, places[i].id);
        if (f.types.isErrorSet(parts[i].type)) {
            if (v.unmarkedFailable) f.errorVariables.kept.push_back(var);
            Value part = Value::scalar(parts[i].type, ValueId::None);
            part.errors = v.errors;
            noteVariableErrors(f, var, part);
        }
        if (failable && i + 1 == s.names.size()) errorVariable = var;
        else keepTrace(f, var, Value::place(parts[i].type, places[i].id));
    }
    if (!failable) return;
    ValueId tag = f.b.load(parts.back().type, places.back().id);
    Span at = withoutParens(s.init)->span;
    if (v.unmarkedFailable) endFailure(f, tag, errorVariable, at);
    else beginAndKeep(f, tag, errorVariable, at);
}

} // namespace sx::lower
