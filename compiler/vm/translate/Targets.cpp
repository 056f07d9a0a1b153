// The part of the analysis that saves moves: loads that need no instruction, and operations that write where
// their only user wants the value.
//
// All of it rests on one rule of the translator: an instruction reads all its operands before it writes.
#include "vm/translate/Analysis.h"

#include "ir/Ops.h"

#include <algorithm>
#include <utility>

namespace sx::vm {

using ir::BlockId;
using ir::Instr;
using ir::Op;
using ir::SlotId;
using ir::ValueId;
using Home = ValuePlan::Home;
using Target = ValuePlan::Target;

void Analysis::chooseTargets(BlockId b) {
    for (auto& [slot, events] : slotEvents(b)) {
        forwardLoads(b, events);
        targetStores(slot, b, events);
    }
    targetBlockParams(b);
    targetArguments(b);
}

Analysis::SlotEvents Analysis::slotEvents(BlockId b) const {
    SlotEvents events;
    for (ValueId v : block(b).instrs) {
        const Instr& i = instr(v);
        if ((i.op != Op::Load && i.op != Op::Store) || plan(v).home == Home::Dead) continue;
        SlotId s = promotedSlot(fn_.operandsOf(i)[0]);
        if (s != SlotId::None) events[s].push_back({plan(v).position, v, i.op == Op::Store});
    }
    return events;
}

/// A load is no instruction where the slot keeps its value until the last use. (A store at that very position is the
/// use.)
void Analysis::forwardLoads(BlockId b, const llvm::SmallVectorImpl<SlotEvent>& events) {
    uint32_t nextStore = UINT32_MAX;
    for (size_t i = events.size(); i-- > 0;) {
        const SlotEvent& e = events[i];
        if (e.isStore) {
            nextStore = e.position;
            continue;
        }
        ValuePlan& p = at(e.instr);
        if (p.home == Home::Register && !p.crossBlock && p.lastUse <= nextStore &&
            staysWithin(b, e.position + 1, p.lastUse + 1))
            p.home = Home::SlotRead;
    }
}

/// No debugger stops at the positions, at a statement, at an error, or in what is called; `to` is excluded, and
/// whatever the last one calls.
bool Analysis::staysWithin(BlockId b, uint32_t from, size_t to) const {
    if (!debugged_) return true;
    llvm::ArrayRef<ValueId> instrs = block(b).instrs;
    for (size_t p = from; p < to; ++p) {
        Op op = instr(instrs[p]).op;
        if (marked_.contains(instrs[p]) || (p + 1 < to && (op == Op::Call || op == Op::CallIndirect))) return false;
    }
    return true;
}

/// A debugger may look at variables in what computes a value, or between that and what stores it.
bool Analysis::canBeSeenBetween(BlockId b, uint32_t from, uint32_t to) const {
    if (!debugged_) return false;
    llvm::ArrayRef<ValueId> instrs = block(b).instrs;
    Op op = instr(instrs[from]).op;
    if (op == Op::Call || op == Op::CallIndirect) return true;
    for (uint32_t p = from + 1; p < to; ++p)
        if (plan(instrs[p]).home == Home::Register) return true;
    return !staysWithin(b, from + 1, to + 1);
}

namespace {

/// The value is computed by one instruction of this block for this one use.
bool canTarget(const ValuePlan& p, const Instr& i, BlockId b) {
    return p.home == Home::Register && p.target == Target::Own && !p.crossBlock && p.uses == 1 && p.block == b &&
           i.op != Op::Param && i.op != Op::BlockParam;
}

} // namespace

void Analysis::targetStores(SlotId slot, BlockId b, const llvm::SmallVectorImpl<SlotEvent>& events) {
    uint32_t lastRead = 0;             // of the slot's register in place of an instruction that loads it
    const SlotEvent* before = nullptr; // the event before: they are in order
    for (const SlotEvent& e : events) {
        const SlotEvent* previous = std::exchange(before, &e);
        if (!e.isStore) {
            if (plan(e.instr).home == Home::SlotRead) lastRead = std::max(lastRead, plan(e.instr).lastUse);
            continue;
        }
        ValueId value = fn_.operandsOf(instr(e.instr))[1];
        if (!canTarget(plan(value), instr(value), b)) continue;
        // Nothing may read or write the slot's register between the value and the store.
        uint32_t from = plan(value).position;
        if ((previous && previous->position > from) || lastRead > from) continue;
        if (isReadFromOutside(slot, b, from)) continue;
        if (canBeSeenBetween(b, from, e.position)) continue;
        at(value).target = Target::Slot;
        at(value).targetIndex = static_cast<uint32_t>(slot);
    }
}

/// A parameter's own copy lives in the register the argument came in, if the copy is the first thing that happens.
void Analysis::shareParams() {
    if (entryIsTarget_) return;
    std::vector<uint8_t> touched(fn_.slots.size(), 0), taken(fn_.params.size(), 0);
    for (ValueId v : block(BlockId{0}).instrs) {
        const Instr& i = instr(v);
        if (i.op != Op::Load && i.op != Op::Store) continue;
        SlotId s = promotedSlot(fn_.operandsOf(i)[0]);
        if (s == SlotId::None || touched[static_cast<uint32_t>(s)]) continue;
        touched[static_cast<uint32_t>(s)] = 1;
        if (i.op != Op::Store) continue;
        ValueId value = fn_.operandsOf(i)[1];
        if (instr(value).op != Op::Param || plan(value).uses != 1 || taken[instr(value).imm]) continue;
        taken[instr(value).imm] = 1;
        sharedParam_[static_cast<uint32_t>(s)] = static_cast<int32_t>(instr(value).imm);
    }
}

void Analysis::targetBlockParams(BlockId b) {
    const Instr& br = instr(block(b).instrs.back());
    if (br.op != Op::Br) return;
    const ir::Target& t = fn_.targetsOf(br)[0];
    for (unsigned i = 0; i < t.argCount; ++i) {
        ValueId arg = fn_.argsOf(t)[i], param = block(t.block).params[i];
        if (!canTarget(plan(arg), instr(arg), b)) continue;
        auto read = lastRead_.find({static_cast<uint32_t>(param), static_cast<uint32_t>(b)});
        if (read != lastRead_.end() && read->second > plan(arg).position) continue;
        at(arg).target = Target::BlockParam;
        at(arg).targetIndex = static_cast<uint32_t>(param);
    }
}

/// The address of an aggregate result comes last, so that the context is always the first argument.
int32_t outgoingWord(const ir::Module& module, const Instr& call, unsigned operand) {
    unsigned first = 0;
    TypeId result{};
    if (call.op == Op::TraceValues) return static_cast<int32_t>(operand);
    if (call.op == Op::CallIndirect) {
        if (operand == 0) return -1;
        first = 1;
        result = module.types.functionInfo(static_cast<TypeId>(call.imm)).result;
    } else {
        result = module.fn(static_cast<ir::FuncId>(call.imm)).result;
    }
    if (!ir::returnsInMemory(module.types, result)) return static_cast<int32_t>(operand - first);
    if (operand == first) return static_cast<int32_t>(call.operandCount - first - 1);
    return static_cast<int32_t>(operand - first - 1);
}

/// Arguments are computed in the outgoing area unless another call would overwrite it in between.
void Analysis::targetArguments(BlockId b) {
    uint32_t previousCall = 0;
    for (ValueId v : block(b).instrs) {
        const Instr& i = instr(v);
        if (i.op != Op::Call && i.op != Op::CallIndirect && i.op != Op::TraceValues) continue;
        for (unsigned o = 0; o < i.operandCount; ++o) {
            ValueId arg = fn_.operandsOf(i)[o];
            int32_t word = outgoingWord(module_, i, o);
            if (word < 0 || !canTarget(plan(arg), instr(arg), b) || plan(arg).position < previousCall) continue;
            at(arg).target = Target::Outgoing;
            at(arg).targetIndex = static_cast<uint32_t>(word);
        }
        previousCall = plan(v).position;
    }
}

} // namespace sx::vm
