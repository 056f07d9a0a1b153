// Assignments and destructuring (language 3.7, 5.1-5.3).
#include "sema/Explain.h"
#include "sema/Operands.h"

namespace sx::sema {

using namespace ast;

bool FunctionLowering::isDiscard(const Expr* e) const {
    const auto* n = llvm::dyn_cast<NameRef>(e);
    return n && !n->id.raw && sema.names.text(n->id.name) == "_";
}

/// The type of a place that evaluating the value cannot move: a local variable, or fields of one. None for any other
/// place; one behind a pointer is another, because the value may re-seat the pointer.
TypeId FunctionLowering::fixedPlaceType(const Expr* e) {
    if (const auto* m = llvm::dyn_cast<Member>(e)) {
        TypeId owner = m->optional || m->isIndex ? TypeId::None : fixedPlaceType(m->base);
        if (owner == TypeId::None || types.kind(owner) != TypeKind::Struct) return TypeId::None;
        const StructInfo& info = types.structInfo(owner);
        auto field = info.index.find(m->name.name);
        return field == info.index.end() ? TypeId::None : info.fields[field->second].type;
    }
    const auto* n = llvm::dyn_cast<NameRef>(e);
    if (!n) return TypeId::None;
    Sema::LookupResult found = sema.lookup(n->id.name, scope, scopeLimit, &file);
    return found.symbol && found.symbol->kind == SymbolKind::Local ? found.symbol->type : TypeId::None;
}

/// The type of an assignment target, found without emitting anything that stays.
TypeId FunctionLowering::probePlace(const Expr* target, Span statement) {
    BlockId here = b.block();
    BlockId aside = b.newBlock();
    b.setBlock(aside);
    Value place = lowerPlace(target, statement);
    if (!b.terminated()) b.unreachable();
    b.setBlock(here);
    return place.isError() ? TypeId::None : place.type;
}

namespace {

/// What stands for a local of the functions around in the lambda `f`: its private copy, if it has one yet.
Symbol* ownCopy(const FunctionLowering& f, Symbol* s) {
    if (s->owner == &f || !f.parent) return s;
    Symbol* source = s->owner == f.parent ? s : ownCopy(*f.parent, s);
    for (const FunctionLowering::Capture& c : f.captures)
        if (c.outer == source) return c.inner;
    return s;
}

} // namespace

Symbol* FunctionLowering::localTarget(const Expr* target) {
    const auto* n = llvm::dyn_cast<NameRef>(withoutParens(target));
    Symbol* s = n ? sema.lookup(n->id.name, scope, scopeLimit, &currentFile()).symbol : nullptr;
    return s && s->kind == SymbolKind::Local ? ownCopy(*this, s) : nullptr;
}

void FunctionLowering::endNarrowing(const Expr* target) {
    Symbol* s = localTarget(target);
    if (!s || types.kind(s->type) != TypeKind::Optional) return;
    narrowed.erase(s);
    reassigned.push_back(s);
}

void FunctionLowering::forgetReassigned(size_t from) {
    for (size_t i = from; i < reassigned.size(); ++i) narrowed.erase(reassigned[i]);
}

bool FunctionLowering::isNarrowed(const Expr* target) {
    Symbol* s = localTarget(target);
    return s && narrowed.count(s);
}

void FunctionLowering::lowerAssign(const Assign& s) {
    if (isDiscard(s.target)) {
        if (s.compound) {
            diags.error(s.span, "`_` holds nothing, so there is nothing to combine with")
                .help("write `_ = …;` to evaluate and drop a value");
            return;
        }
        Value v = lowerUnmarked(s.value);
        if (!v.isError() && v.unmarkedFailable) rejectUnmarked(v, s.value->span);
        return;
    }
    bool handled = false;
    std::optional<BinaryOp> op;
    if (s.compound) op = s.op;
    assignProperty(s.target, s.value, op, handled, s.span);
    if (handled) return;
    if (s.compound) return lowerCompound(s);

    // The place is the optional itself, not its payload, which the value still sees.
    auto before = narrowed;
    endNarrowing(s.target);
    if (fixedPlaceType(s.target) != TypeId::None) {
        Value place = lowerPlace(s.target, s.span);
        narrowed = before;
        if (place.isError()) checkOrphan(*this, s.value);
        else assignValue(place, s.target, s.value);
        noteStored(place, s.target, s.value);
        endNarrowing(s.target);
        return;
    }
    TypeId type = probePlace(s.target, s.span);
    narrowed = before;
    if (type == TypeId::None) {
        checkOrphan(*this, s.value);
        return;
    }
    b.setSpan(s.value->span);
    Value v = lowerTo(s.value, type);
    endNarrowing(s.target);
    if (v.isError() || !reachable()) return;
    Value held = types.isScalar(type) ? Value::scalar(type, scalar(v)) : v.lvalue ? copyToTemp(v) : v;
    b.setSpan(s.span);
    Value place = lowerPlace(s.target, s.span);
    if (place.isError() || !reachable()) return;
    store(place.id, held);
    noteStored(place, s.target, s.value);
}

void FunctionLowering::assignValue(const Value& place, const Expr* target, const Expr* value) {
    Symbol* var = place.symbol;
    if (types.isErrorSet(place.type) || carriesTrace(*this, var)) {
        bool captured = carriesTrace(*this, var) && markErrorEnds(*this, var->name, value, var);
        Value v = lowerUnmarked(value, place.type);
        if (v.isError() || !reachable()) return;
        if (v.unmarkedFailable && !types.isErrorSet(v.type)) {
            rejectUnmarked(v, value->span);
            return;
        }
        if (var && var->kind == SymbolKind::Local && llvm::isa<NameRef>(withoutParens(target))) {
            storeErrorVariable(var, v, value, captured);
            return;
        }
        if (v.unmarkedFailable) v = errorOperand(v);
        v = convert(v, place.type, value->span);
        if (!v.isError()) store(place.id, v);
        return;
    }
    auto why = [&] {
        Purpose purpose;
        if (var && llvm::isa<NameRef>(withoutParens(target))) purpose.declaration = var->nameSpan;
        purpose.declared = "`" + (var ? sema.text(var->name) : std::string()) + "` is declared here as " +
                           withArticle(types, place.type);
        return purpose;
    };
    Value v = lowerWithPurpose(*this, value, place.type, ValueId::None, why);
    if (v.isError() || !reachable()) return;
    store(place.id, v);
}

/// `t op= e`: the right side first, then the target once; combined in the target's type.
void FunctionLowering::lowerCompound(const Assign& s) {
    TypeId type = probePlace(s.target, s.span);
    if (type == TypeId::None) {
        checkOrphan(*this, s.value);
        return;
    }
    if (isNarrowed(s.target)) type = types.elem(type);
    bool flowsIn = types.isNumeric(type) || types.isPlainEnum(type);
    TypeId operandTarget = flowsIn && s.op != BinaryOp::Shl && s.op != BinaryOp::Shr ? type : TypeId::None;
    Value rhs = lower(s.value, operandTarget);
    if (rhs.isError() || !reachable()) return;
    if (!requireValue(rhs, s.value->span)) return;
    if (!rhs.isConst() && types.isScalar(rhs.type)) rhs = load(narrowedValue(rhs));
    if (operandTarget != TypeId::None && types.isNumeric(type) && types.isNumeric(rhs.type)) {
        rhs = convert(rhs, type, s.value->span);
        if (rhs.isError()) return;
    }
    Value place = lowerPlace(s.target, s.span);
    if (place.isError()) return;
    Value current = load(narrowedValue(place));
    endNarrowing(s.target);
    Value result = arithmetic(s.op, current, rhs, s.target, s.value, s.span, s.opSpan);
    if (result.isError()) return;
    result = convert(result, place.type, s.value->span);
    if (!result.isError()) store(place.id, result);
}

namespace {

/// What holds the trace of a value of a multi-assignment until all values are known; null: the target carries none.
Symbol* carrierFor(FunctionLowering& f, const Expr* target, const Expr* value) {
    const auto* name = llvm::dyn_cast<NameRef>(withoutParens(target));
    if (!name || !f.isFailable || !f.errorVariables.leaving.contains(name->id.name)) return nullptr;
    if (Symbol* carrier = markErrorEnds(f, name->id.name, value, nullptr)) return carrier;
    return newErrorCarrier(f);
}

Value lowerForCarrier(FunctionLowering& f, const Expr* value, TypeId target, Symbol* carrier) {
    Value v = f.lowerUnmarked(value, target);
    if (v.isError() || !f.reachable()) return v;
    if (v.unmarkedFailable && !f.types.isErrorSet(v.type)) return f.rejectUnmarked(v, value->span);
    if (!llvm::isa<If, Match, BlockExpr>(withoutParens(value)))
        v = captureEnd(f, v, carrier, value->span); // else its ends were
    return target == TypeId::None ? v : f.convert(v, target, value->span);
}

} // namespace

void FunctionLowering::lowerMultiAssign(const MultiAssign& s) {
    size_t count = s.targets.size();
    std::vector<TypeId> targetTypes(count);
    std::vector<bool> property(count);
    auto before = narrowed; // the values still see the payloads
    size_t assignedBefore = reassigned.size();
    bool targetsOk = true;
    for (size_t i = 0; i < count; ++i) {
        if (isDiscard(s.targets[i])) continue;
        endNarrowing(s.targets[i]);
        TypeId setter = setterType(s.targets[i]);
        if (setter != TypeId::None) {
            property[i] = true;
            targetTypes[i] = setter;
            continue;
        }
        targetTypes[i] = probePlace(s.targets[i], s.targets[i]->span);
        targetsOk &= targetTypes[i] != TypeId::None;
    }
    if (!targetsOk) {
        for (const Expr* value : s.values) checkOrphan(*this, value);
        return;
    }
    narrowed = std::move(before);
    std::vector<Value> values;
    bool ok = true;
    for (size_t i = 0; i < count && i < s.values.size(); ++i) {
        Symbol* carrier = carrierFor(*this, s.targets[i], s.values[i]);
        Value v = carrier                          ? lowerForCarrier(*this, s.values[i], targetTypes[i], carrier)
                  : targetTypes[i] == TypeId::None ? lower(s.values[i])
                                                   : lowerTo(s.values[i], targetTypes[i]);
        if (!v.isError() && !reachable()) return;
        if (v.isError() || (targetTypes[i] == TypeId::None && !requireValue(v, s.values[i]->span))) {
            ok = false;
            continue;
        }
        // Held apart from its source: a store to an earlier target must not change it.
        if (types.isScalar(v.type)) v = Value::scalar(v.type, scalar(v));
        else if (v.lvalue) v = copyToTemp(v);
        v.errorSource = carrier;
        values.push_back(v);
    }
    forgetReassigned(assignedBefore);
    if (!ok) return;
    b.setSpan(s.span);
    for (size_t i = 0; i < count; ++i) {
        if (isDiscard(s.targets[i])) continue;
        if (property[i]) {
            storeProperty(s.targets[i], values[i]);
            continue;
        }
        Value place = lowerPlace(s.targets[i], s.targets[i]->span);
        if (place.isError()) return;
        store(place.id, values[i]);
        noteStored(place, s.targets[i], s.values[i]);
        keepTrace(*this, place.symbol, values[i]);
        if (place.symbol && types.isErrorSet(place.type) && place.symbol->kind == SymbolKind::Local)
            noteVariableErrors(place.symbol, values[i]);
    }
}

// ------------------------------------------------------------------------------------ destructuring

void FunctionLowering::lowerDestructure(const Destructure& s) {
    Value v = lowerUnmarked(s.init);
    auto broken = [&] {
        for (const Ident& id : s.names) declareBroken(id);
    };
    if (v.isError() || !reachable()) return broken();
    struct Part {
        TypeId type;
        uint64_t offset;
    };
    std::vector<Part> parts;
    bool failable = types.isFailable(v.type) && (v.unmarkedFailable || types.kind(v.type) == TypeKind::Tuple);
    switch (types.kind(v.type)) {
    case TypeKind::Tuple: {
        unsigned i = 0;
        for (const TupleField& f : types.tupleFields(v.type)) parts.push_back({f.type, types.fieldOffset(v.type, i++)});
        break;
    }
    case TypeKind::Struct:
        for (const StructField& f : types.structInfo(v.type).fields) parts.push_back({f.type, f.offset});
        break;
    case TypeKind::ErrorSet: parts.push_back({v.type, 0}); break;
    default:
        diags.error(s.init->span, withArticle(types, v.type) + " has no parts to take apart")
            .help("only tuples, several results and structs can be destructured");
        return broken();
    }
    if (s.names.size() > parts.size()) {
        diags.error(s.init->span, "this has " + std::to_string(parts.size()) +
                                      (parts.size() == 1 ? " part" : " parts") + ", and " +
                                      std::to_string(s.names.size()) + " names are given");
        return broken();
    }
    auto isBlank = [&](const Ident& id) { return !id.raw && sema.names.text(id.name) == "_"; };
    if (failable && (s.names.size() < parts.size() || isBlank(s.names.back()))) {
        diags.error(s.init->span, "this drops the error of a failable call")
            .help("name the error slot and test it, or use `try` or `catch`");
        return broken();
    }
    // Take every part before any name is declared: the names may shadow what the source was built from.
    ValueId base = types.isErrorSet(v.type) ? ValueId::None : addressOf(v);
    std::vector<Value> places;
    for (size_t i = 0; i < s.names.size(); ++i) {
        if (isBlank(s.names[i])) {
            places.push_back(Value::none());
            continue;
        }
        Value place = temp(parts[i].type);
        if (base == ValueId::None) b.store(place.id, scalar(v));
        else
            store(place.id,
                  Value::temporary(parts[i].type, b.offset(base, parts[i].offset, types.pointerTo(parts[i].type))));
        places.push_back(place);
    }
    Symbol* errorVariable = nullptr;
    for (size_t i = 0; i < s.names.size(); ++i) {
        if (isBlank(s.names[i])) continue;
        Symbol* var = declareLocal(s.names[i], parts[i].type, LocalKind::Variable, places[i].id);
        if (types.isErrorSet(parts[i].type)) {
            if (v.unmarkedFailable) keptErrors.push_back(var);
            Value part = Value::scalar(parts[i].type, ValueId::None);
            part.errors = v.errors;
            noteVariableErrors(var, part);
        }
        if (failable && i + 1 == s.names.size()) errorVariable = var;
        else keepTrace(*this, var, Value::place(parts[i].type, places[i].id));
    }
    if (!failable) return;
    ValueId tag = b.load(parts.back().type, places.back().id);
    Span at = withoutParens(s.init)->span;
    if (v.unmarkedFailable) endFailure(*this, tag, errorVariable, at);
    else beginAndKeep(*this, tag, errorVariable, at);
}

} // namespace sx::sema
