#include "lower/flow/Assign.h"

#include "ir/BuildMemory.h"
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
#include "sema/Declare.h"
#include "sema/Lookup.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/Layout.h"
#include "types/Parts.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

bool isDiscard(const Body& f, const Expr* e) {
    const auto* n = llvm::dyn_cast<NameRef>(e);
    return n && !n->id.raw && f.sema.names.text(n->id.name) == "_";
}

/// The type of a place that evaluating the value cannot move: a local variable, or fields of one. None for any other
/// place; one that a pointer leads to is no such place, because the value may re-seat the pointer.
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
        if (place.isError()) checkDiscarded(f, s.value);
        else assignValue(f, place, s.target, s.value);
        noteStored(f, place, s.target, s.value);
        endNarrowing(f, s.target);
        return;
    }
    TypeId type = probePlace(f, s.target, s.span);
    f.narrowing.present = before;
    if (type == TypeId::None) {
        checkDiscarded(f, s.value);
        return;
    }
    f.b.setSpan(s.value->span);
    Value v = lowerTo(f, s.value, type);
    endNarrowing(f, s.target);
    if (v.isError() || !f.reachable()) return;
    Value held = isScalar(f.types, type) ? Value::scalar(type, scalar(f, v)) : v.lvalue ? copyToTemp(f, v) : v;
    f.b.setSpan(s.span);
    Value place = lowerPlace(f, s.target, s.span);
    if (place.isError() || !f.reachable()) return;
    store(f, place.id, held);
    noteStored(f, place, s.target, s.value);
}

void assignValue(Body& f, const Value& place, const Expr* target, const Expr* value) {
    Symbol* var = place.symbol;
    if (isErrorSet(f.types, place.type) || carriesTrace(f, var)) {
        bool captured = carriesTrace(f, var) && markErrorEnds(f, var->name, value, var);
        Value v = lowerUnmarked(f, value, place.type);
        if (v.isError() || !f.reachable()) return;
        if (v.unmarkedFailable && !isErrorSet(f.types, v.type)) {
            rejectUnmarked(f, v, value->span);
            return;
        }
        if (var && var->kind == SymbolKind::Local && llvm::isa<NameRef>(withoutParens(target))) {
            storeErrorVariable(f, var, place.id, v, value, captured);
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
        purpose.declared = code(var ? f.sema.text(var->name) : std::string()) + " is declared here as " +
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
        checkDiscarded(f, s.value);
        return;
    }
    if (isNarrowed(f, s.target)) type = f.types.elem(type);
    bool flowsIn = isNumeric(f.types, type) || isPlainEnum(f.types, type);
    TypeId operandTarget = flowsIn && s.op != BinaryOp::Shl && s.op != BinaryOp::Shr ? type : TypeId::None;
    Value rhs = lower(f, s.value, operandTarget);
    if (rhs.isError() || !f.reachable()) return;
    if (!requireValue(f, rhs, s.value->span)) return;
    if (!rhs.isConst() && isScalar(f.types, rhs.type)) rhs = load(f, narrowedValue(f, rhs));
    if (operandTarget != TypeId::None && isNumeric(f.types, type) && isNumeric(f.types, rhs.type)) {
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
    return newErrorCarrier(f, Name::None);
}

Value lowerForCarrier(Body& f, const Expr* value, TypeId target, Symbol* carrier) {
    Value v = lowerUnmarked(f, value, target);
    if (v.isError() || !f.reachable()) return v;
    if (v.unmarkedFailable && !isErrorSet(f.types, v.type)) return rejectUnmarked(f, v, value->span);
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
        for (const Expr* value : s.values) checkDiscarded(f, value);
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
        if (isScalar(f.types, v.type)) v = Value::scalar(v.type, scalar(f, v));
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
        if (place.symbol && isErrorSet(f.types, place.type) && place.symbol->kind == SymbolKind::Local)
            noteVariableErrors(f, place.symbol, values[i]);
    }
}

// ------------------------------------------------------------------------------------ destructuring

namespace {

/// One destructuring: the parts of a value, and the variables that take them.
class Destructuring {
public:
    Destructuring(Body& f, const Destructure& s, const Value& whole)
        : f_(f), s_(s), whole_(whole),
          isFailable_(isFailable(f.types, whole.type) &&
                      (whole.unmarkedFailable || f.types.kind(whole.type) == TypeKind::Tuple)) {}

    /// False after a report.
    bool run() {
        if (!findParts() || !checkNames()) return false;
        // Take every part before any name is declared: the names may shadow what the source was built from.
        takeParts();
        Symbol* errorVariable = declareNames();
        if (!isFailable_) return true;
        ValueId tag = emitLoad(f_.b, parts_.back().type, places_.back().id);
        Span at = withoutParens(s_.init)->span;
        if (whole_.unmarkedFailable) endFailure(f_, tag, errorVariable, at);
        else beginAndKeep(f_, tag, errorVariable, at);
        return true;
    }

private:
    struct Part {
        TypeId type;
        uint64_t offset;
    };

    bool findParts() {
        TypeTable& types = f_.types;
        switch (types.kind(whole_.type)) {
        case TypeKind::Tuple: {
            unsigned i = 0;
            for (const TupleField& field : types.tupleFields(whole_.type))
                parts_.push_back({field.type, fieldOffset(types, whole_.type, i++)});
            return true;
        }
        case TypeKind::Struct:
            for (const StructField& field : types.structInfo(whole_.type).fields)
                parts_.push_back({field.type, field.offset});
            return true;
        case TypeKind::ErrorSet: parts_.push_back({whole_.type, 0}); return true;
        default:
            f_.diags.error(s_.init->span, withArticle(types, whole_.type) + " has no parts to take apart")
                .help("only tuples, several results and structs can be destructured");
            return false;
        }
    }

    bool checkNames() {
        if (s_.names.size() > parts_.size()) {
            f_.diags.error(s_.init->span, "this has " + countOf(parts_.size(), "part") + ", and " +
                                              std::to_string(s_.names.size()) + " names are given");
            return false;
        }
        if (isFailable_ && (s_.names.size() < parts_.size() || isBlank(s_.names.back()))) {
            f_.diags.error(s_.init->span, "this drops the error of a failable call")
                .help("name the error slot and test it, or use `try` or `catch`");
            return false;
        }
        return true;
    }

    bool isBlank(const Ident& id) const { return !id.raw && f_.sema.names.text(id.name) == "_"; }

    void takeParts() {
        ValueId base = isErrorSet(f_.types, whole_.type) ? ValueId::None : addressOf(f_, whole_);
        for (size_t i = 0; i < s_.names.size(); ++i) {
            if (isBlank(s_.names[i])) {
                places_.push_back(Value::none());
                continue;
            }
            TypeId type = parts_[i].type;
            Value place = temp(f_, type);
            if (base == ValueId::None) emitStore(f_.b, place.id, scalar(f_, whole_));
            else
                store(f_, place.id,
                      Value::temporary(type, emitOffset(f_.b, base, parts_[i].offset, pointerTo(f_.types, type))));
            places_.push_back(place);
        }
    }

    /// The variable that takes the error of a failable; null: there is none.
    Symbol* declareNames() {
        Symbol* errorVariable = nullptr;
        for (size_t i = 0; i < s_.names.size(); ++i) {
            if (isBlank(s_.names[i])) continue;
            TypeId type = parts_[i].type;
            Symbol* var =
                declareErrorVariable(f_, declareLocal(f_, s_.names[i], type, LocalKind::Variable, places_[i].id));
            if (isErrorSet(f_.types, type)) {
                if (whole_.unmarkedFailable) f_.errorVariables.kept.push_back(var);
                Value part = Value::scalar(type, ValueId::None);
                part.errors = whole_.errors;
                noteVariableErrors(f_, var, part);
            }
            if (isFailable_ && i + 1 == s_.names.size()) errorVariable = var;
            else keepTrace(f_, var, Value::place(type, places_[i].id));
        }
        return errorVariable;
    }

    Body& f_;
    const Destructure& s_;
    Value whole_;
    bool isFailable_;
    std::vector<Part> parts_;
    std::vector<Value> places_; ///< of the names; Void for `_`
};

} // namespace

void lowerDestructure(Body& f, const Destructure& s) {
    Value v = lowerUnmarked(f, s.init);
    if (!v.isError() && f.reachable() && Destructuring(f, s, v).run()) return;
    for (const Ident& id : s.names) declareBroken(f, id);
}

} // namespace sx::lower
