#include "lower/values/Join.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "lower/body/ErrorVariables.h"
#include "lower/body/Recursion.h"
#include "lower/body/Results.h"
#include "lower/body/Storage.h"
#include "lower/body/Values.h"
#include "lower/values/Conversions.h"
#include "sema/ErrorSets.h"
#include "sema/Wording.h"
#include "types/Predicates.h"

namespace sx::lower {

void keepKnown(llvm::SmallPtrSet<Symbol*, 4>& narrowed, const llvm::SmallPtrSet<Symbol*, 4>& before) {
    llvm::SmallPtrSet<Symbol*, 4> still;
    for (Symbol* s : before)
        if (narrowed.count(s)) still.insert(s);
    narrowed = still;
}

void Join::add(const Value& v, Span at) {
    if (v.isError()) failed = true;
    if (!l.reachable()) return;
    branches.push_back({v, l.b.block(), at, l.b.takeMarks()});
    for (Symbol* s : known)
        if (!l.narrowing.present.count(s)) assigned.insert(s);
}

Value Join::finishVoid() {
    forget();
    if (branches.empty()) return failed ? Value::error() : Value::diverged();
    BlockId join = l.b.newBlock();
    for (const Branch& branch : branches) {
        l.b.setBlock(branch.end);
        l.b.putMarks(branch.marks);
        emitBr(l.b, join);
    }
    l.b.setBlock(join);
    return failed ? Value::error() : Value::none();
}

bool Join::yieldsNothing() const {
    return mayYieldNothing && !branches.empty() &&
           llvm::all_of(branches, [](const Branch& branch) { return branch.value.isVoid(); });
}

TypeId Join::decide(TypeId target) {
    if (target != TypeId::None && target != TypeId::Void) {
        bool all = true;
        for (const Branch& branch : branches) all &= convertible(l, branch.value, target);
        if (all) return target;
    }
    if (branches.empty()) return TypeId::None;
    TypeId type = branches[0].value.type;
    if (branches[0].value.kind == Value::Kind::Function) {
        Value pointer = branches[0].value;
        if (!requireValue(l, pointer, branches[0].at)) return TypeId::None;
        type = pointer.type;
    }
    for (size_t i = 1; i < branches.size(); ++i) {
        TypeId unified = unify(l, branches[i].value, type);
        if (unified == TypeId::None) {
            l.diags.error(branches[i].at, "this branch yields " + withArticle(l.types, branches[i].value.type) +
                                              ", but the one before yields " + withArticle(l.types, type));
            return TypeId::None;
        }
        type = unified;
    }
    if (type == TypeId::Null) {
        l.diags.error(whole, "every branch is `null`: a type is needed")
            .help("annotate the target with an optional type");
        return TypeId::None;
    }
    return type;
}

Value Join::finish(TypeId target, ValueId dest, Span at) {
    whole = at;
    if (failed) return finishVoid();
    if (branches.empty()) return Value::diverged();
    if (yieldsNothing()) return finishVoid();
    if (mayYieldNothing)
        for (const Branch& branch : branches)
            if (branch.value.isVoid()) {
                l.diags.error(branch.at, "this branch yields no value, and another one does")
                    .help("either every branch ends in an expression without `;`, or none does");
                failed = true;
                return finishVoid();
            }
    TypeId type = decide(target);
    if (type == TypeId::None) {
        finishVoid();
        return Value::error();
    }
    return finishAs(type, type == target ? dest : ValueId::None);
}

Value Join::finishAs(TypeId type, ValueId dest) {
    if (failed || branches.empty()) return finishVoid();
    if (type == TypeId::Void) return finishVoid();
    bool isScalar = sx::isScalar(l.types, type);
    BlockId join = l.b.newBlock();
    ir::SlotId slot = ir::SlotId::None;
    if (!isScalar && dest == ValueId::None) slot = l.b.newSlot(type);
    ValueId param = isScalar ? l.b.blockParam(join, type) : ValueId::None;
    bool bad = false;
    for (const Branch& branch : branches) {
        l.b.setBlock(branch.end);
        l.b.putMarks(branch.marks);
        ValueId place = isScalar ? ValueId::None : dest != ValueId::None ? dest : slotAddr(l.b, slot);
        Value v = convert(l, branch.value, type, branch.at, place);
        if (v.isError()) {
            bad = true;
            emitBr(l.b, join, isScalar ? llvm::ArrayRef<ValueId>(undefOf(l.b, type)) : llvm::ArrayRef<ValueId>());
            continue;
        }
        if (isScalar) {
            ValueId s = scalar(l, v);
            emitBr(l.b, join, s);
        } else {
            if (!v.isMemory() || !sameSlot(l, v.id, place)) store(l, place, v);
            emitBr(l.b, join);
        }
    }
    l.b.setBlock(join);
    forget();
    if (bad) return Value::error();
    if (isScalar) {
        Value v = Value::scalar(type, param);
        v.errors = errorsOf(type);
        return v;
    }
    return Value::temporary(type, dest != ValueId::None ? dest : slotAddr(l.b, slot));
}

ErrorNode* Join::errorsOf(TypeId type) {
    if (type != TypeId::InferredErrors) return nullptr;
    ErrorNode* node = newErrorNode(l.sema);
    for (const Branch& branch : branches) addErrors(l, *node, branch.value);
    return node;
}

void Join::forget() {
    for (Symbol* s : assigned) l.narrowing.present.erase(s);
}

} // namespace sx::lower
