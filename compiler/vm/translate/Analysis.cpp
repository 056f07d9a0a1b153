#include "vm/translate/Analysis.h"

#include "ir/Ops.h"
#include "types/Predicates.h"

#include <algorithm>

namespace sx::vm {

using ir::BlockId;
using ir::classOf;
using ir::Instr;
using ir::interchangeable;
using ir::Op;
using ir::SlotId;
using ir::valueBits;
using ir::ValueClass;
using ir::ValueId;

namespace {

bool isAddressOperand(const Instr& user, unsigned index) {
    return index == 0 && (user.op == Op::Load || user.op == Op::Store);
}

void countUse(ValuePlan& used, ValueId user, BlockId b, bool isAddress) {
    ++used.uses;
    used.user = user;
    if (used.block != b) used.localUses = false;
    if (!isAddress) used.addressUsesOnly = false;
}

/// Whether it is an address in the function's own frame.
bool rootedInFrame(const Analysis& analysis, const ir::Function& fn, ValueId v) {
    const Instr& i = fn.instr(analysis.resolve(v));
    if (i.op == Op::SlotAddr) return true;
    return i.op == Op::Offset && rootedInFrame(analysis, fn, fn.operandsOf(i)[0]);
}

uint64_t accessBytes(unsigned bits) { return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8; }

} // namespace

Analysis::Analysis(const ir::Module& module, const ir::Function& fn, bool debugged)
    : module_(module), fn_(fn), types_(module.types), debugged_(debugged) {
    plans_.resize(fn.instrs.size());
    if (debugged) {
        for (const ir::Statement& s : fn.statements) marked_.insert(s.first);
        for (const ir::ErrorEvent& e : fn.errorEvents) marked_.insert(e.at);
    }
    findReachable();
    collectUses();
    promoteSlots();
    chooseHomes();
    markUses();
    forwardAcrossBlocks();
    shareParams();
    for (BlockId b : layout_) chooseTargets(b);
}

// ---- blocks and uses

/// Depth first, the last target of a branch first: in the reverse of the order in which blocks are left, a body stands
/// before what follows its loop, a block before those it leads to, and the first target right after the branch.
void Analysis::findReachable() {
    reachable_.assign(fn_.blocks.size(), 0);
    std::vector<uint32_t> predecessors(fn_.blocks.size(), 0);
    onlyPredecessor_.assign(fn_.blocks.size(), BlockId::None);
    struct Visit {
        BlockId block;
        unsigned targetsLeft;
    };
    auto begin = [&](BlockId b) {
        reachable_[raw(b)] = 1;
        return Visit{b, instr(block(b).instrs.back()).targetCount};
    };
    std::vector<Visit> path{begin(BlockId{0})};
    std::vector<BlockId> left;
    while (!path.empty()) {
        Visit& v = path.back();
        if (v.targetsLeft == 0) {
            left.push_back(v.block);
            path.pop_back();
            continue;
        }
        BlockId next = fn_.targetsOf(instr(block(v.block).instrs.back()))[--v.targetsLeft].block;
        if (next == BlockId{0}) entryIsTarget_ = true;
        onlyPredecessor_[raw(next)] = predecessors[raw(next)]++ == 0 ? v.block : BlockId::None;
        if (!isReachable(next)) path.push_back(begin(next));
    }
    for (bool cold : {false, true})
        for (size_t i = left.size(); i-- > 0;)
            if ((left[i] != BlockId{0} && block(left[i]).cold) == cold) layout_.push_back(left[i]);
}

BlockId Analysis::threaded(BlockId b) const {
    if (debugged_) return b; // a statement may have no other code
    constexpr unsigned LongestChain = 16;
    for (unsigned steps = 0; b != BlockId::None && steps < LongestChain; ++steps) {
        llvm::ArrayRef<ValueId> instrs = block(b).instrs;
        const Instr& last = instr(instrs.back());
        if (last.op != Op::Br || fn_.targetsOf(last)[0].argCount != 0) break;
        auto isCode = [&](ValueId v) { return plan(v).home == ValuePlan::Home::Register; };
        if (std::any_of(instrs.begin(), instrs.end() - 1, isCode)) break;
        b = fn_.targetsOf(last)[0].block;
    }
    return b;
}

void Analysis::collectUses() {
    for (BlockId b : layout_)
        for (uint32_t i = 0; i < block(b).instrs.size(); ++i) {
            ValuePlan& p = at(block(b).instrs[i]);
            p.block = b;
            p.position = i;
        }
    for (BlockId b : layout_)
        for (ValueId v : block(b).instrs) {
            const Instr& user = instr(v);
            for (unsigned i = 0; i < user.operandCount; ++i)
                countUse(at(fn_.operandsOf(user)[i]), v, b, isAddressOperand(user, i));
            for (const ir::Target& t : fn_.targetsOf(user))
                for (ValueId arg : fn_.argsOf(t)) countUse(at(arg), v, b, false);
        }
    if (!debugged_) return;
    for (const ir::ErrorEvent& e : fn_.errorEvents)
        if (plan(e.at).block != BlockId::None) countUse(at(e.tag), e.at, plan(e.at).block, false);
}

// ---- slots

ValueId Analysis::aliasOf(ValueId v) const {
    const Instr& i = instr(v);
    auto operand = [&](unsigned n) { return fn_.operandsOf(i)[n]; };
    auto operandClass = [&] { return classOf(types_, instr(operand(0)).type); };
    auto operandBits = [&] { return valueBits(types_, instr(operand(0)).type); };
    auto isZero = [&](ValueId o) { return instr(o).op == Op::Const && instr(o).imm == 0; };
    bool isAlias = false;
    switch (i.op) {
    case Op::SExt: isAlias = operandClass() == ValueClass::Int; break;
    case Op::ZExt: isAlias = operandClass() == ValueClass::Bool || fusesWithZExt(v); break;
    case Op::Add:
        if (!isZero(operand(1)) && isZero(operand(0))) return operand(1);
        [[fallthrough]];
    case Op::Sub: isAlias = isZero(operand(1)); break;
    case Op::PtrToInt: isAlias = valueBits(types_, i.type) == 64; break;
    case Op::IntToPtr: isAlias = operandBits() == 64; break;
    case Op::Reinterpret: {
        ValueClass from = operandClass(), to = classOf(types_, i.type);
        bool changesBool = (from == ValueClass::Bool) != (to == ValueClass::Bool);
        bool widensFloatBits = from == ValueClass::Float && to != ValueClass::Float && operandBits() == 32;
        isAlias = !changesBool && !widensFloatBits;
        break;
    }
    default: break;
    }
    return isAlias ? operand(0) : ValueId::None;
}

ValueId Analysis::resolve(ValueId v) const {
    for (ValueId a = aliasOf(v); a != ValueId::None; a = aliasOf(v)) v = a;
    return v;
}

SlotId Analysis::promotedSlot(ValueId address) const {
    const Instr& i = instr(resolve(address));
    if (i.op != Op::SlotAddr) return SlotId::None;
    SlotId s = static_cast<SlotId>(i.imm);
    return isPromoted(s) ? s : SlotId::None;
}

void Analysis::promoteSlots() {
    promoted_.assign(fn_.slots.size(), 0);
    sharedParam_.assign(fn_.slots.size(), -1);
    for (size_t s = 0; s < fn_.slots.size(); ++s)
        promoted_[s] = fn_.slots[s].type != TypeId::None && classOf(types_, fn_.slots[s].type) != ValueClass::None;
    for (BlockId b : layout_)
        for (ValueId v : block(b).instrs) rejectEscapes(v);
}

/// Clears the promotion of slots that `user` does anything else with than loading or storing the whole.
void Analysis::rejectEscapes(ValueId user) {
    const Instr& i = instr(user);
    if (aliasOf(user) != ValueId::None) return; // its users count
    auto check = [&](ValueId operand, bool isAddress) {
        const Instr& address = instr(resolve(operand));
        if (address.op != Op::SlotAddr) return;
        TypeId slotType = fn_.slots[address.imm].type;
        TypeId accessed = i.op == Op::Load    ? i.type
                          : i.op == Op::Store ? instr(fn_.operandsOf(i)[1]).type
                                              : TypeId::None;
        if (!isAddress || slotType == TypeId::None || !interchangeable(types_, slotType, accessed))
            promoted_[address.imm] = 0;
    };
    for (unsigned o = 0; o < i.operandCount; ++o) check(fn_.operandsOf(i)[o], isAddressOperand(i, o));
    for (const ir::Target& t : fn_.targetsOf(i))
        for (ValueId arg : fn_.argsOf(t)) check(arg, false);
}

// ---- homes

void Analysis::chooseHomes() {
    for (BlockId b : layout_) {
        llvm::ArrayRef<ValueId> instrs = block(b).instrs;
        // Users come first, so that a comparison knows whether the negation that uses it is folded.
        for (size_t i = instrs.size(); i-- > 0;) at(instrs[i]).home = homeOf(instrs[i]);
    }
}

ValuePlan::Home Analysis::homeOf(ValueId v) {
    const Instr& i = instr(v);
    if (at(v).uses == 0 && !ir::hasEffect(i.op)) return ValuePlan::Home::Dead;
    if (i.op == Op::ZExt && fusesWithZExt(v)) at(fn_.operandsOf(i)[0]).zeroExtended = true;
    if (ir::infoOf(i.op).effect == ir::Effect::Fixed || aliasOf(v) != ValueId::None) return ValuePlan::Home::Folded;
    if (foldsIntoBranch(v) || foldsOffset(v) || foldsIndex(v)) return ValuePlan::Home::Folded;
    return ValuePlan::Home::Register;
}

bool isNot(const ir::Function& fn, ValueId v) {
    const Instr& i = fn.instr(v);
    if (i.op != Op::Xor || i.type != TypeId::Bool) return false;
    const Instr& mask = fn.instr(fn.operandsOf(i)[1]);
    return mask.op == Op::Const && mask.imm == 1;
}

bool Analysis::foldsIntoBranch(ValueId v) const {
    const ValuePlan& p = plan(v);
    const Instr& i = instr(v);
    if (i.op != Op::ICmp && i.op != Op::FCmp && i.op != Op::IntToBool && !isNot(fn_, v)) return false;
    if (p.uses != 1 || !p.localUses) return false;
    const Instr& user = instr(p.user);
    if (user.op == Op::CondBr) return fn_.operandsOf(user)[0] == v;
    return isNot(fn_, p.user) && plan(p.user).home == ValuePlan::Home::Folded;
}

bool Analysis::foldsOffset(ValueId v) const {
    const Instr& i = instr(v);
    if (i.op != Op::Offset || i.imm > INT32_MAX) return false;
    if (rootedInFrame(*this, fn_, fn_.operandsOf(i)[0])) return true;
    return i.imm <= UINT16_MAX && plan(v).localUses && plan(v).addressUsesOnly;
}

bool Analysis::foldsIndex(ValueId v) const {
    const Instr& i = instr(v);
    const ValuePlan& p = plan(v);
    if (i.op != Op::Index || p.uses != 1 || !p.localUses || !p.addressUsesOnly) return false;
    const Instr& user = instr(p.user);
    TypeId accessed = user.op == Op::Load ? user.type : instr(fn_.operandsOf(user)[1]).type;
    return accessBytes(scalarBits(types_, accessed)) == i.imm;
}

/// The load in front can extend with zeros itself.
bool Analysis::fusesWithZExt(ValueId zext) const {
    ValueId v = fn_.operandsOf(instr(zext))[0];
    const Instr& load = instr(v);
    if (load.op != Op::Load || plan(v).uses != 1 || classOf(types_, load.type) != ValueClass::Int) return false;
    unsigned bits = valueBits(types_, load.type);
    if (bits != 8 && bits != 16 && bits != 32) return false;
    return promotedSlot(fn_.operandsOf(load)[0]) == SlotId::None;
}

// ---- how long values live

void Analysis::markUse(ValueId v, BlockId b, uint32_t position) {
    ValuePlan& p = at(v);
    if (p.home == ValuePlan::Home::Folded) {
        for (ValueId o : fn_.operandsOf(instr(v))) markUse(o, b, position);
        return;
    }
    if (p.block == b) {
        p.lastUse = std::max(p.lastUse, position);
    } else {
        p.crossBlock = true;
        if (instr(v).op == Op::Load && promotedSlot(fn_.operandsOf(instr(v))[0]) != SlotId::None)
            loadsReadElsewhere_[v].push_back({b, position});
    }
    if (instr(v).op != Op::BlockParam) return;
    p.crossBlock = true;
    uint32_t& last = lastRead_[{static_cast<uint32_t>(v), raw(b)}];
    last = std::max(last, position);
}

void Analysis::markTargetArgs(const Instr& i, BlockId b, uint32_t position) {
    for (const ir::Target& t : fn_.targetsOf(i))
        for (ValueId arg : fn_.argsOf(t)) markUse(arg, b, position);
}

void Analysis::markUses() {
    for (BlockId b : layout_)
        for (ValueId v : block(b).instrs) {
            ValuePlan::Home home = plan(v).home;
            if (home == ValuePlan::Home::Folded || home == ValuePlan::Home::Dead) continue;
            for (ValueId o : fn_.operandsOf(instr(v))) markUse(o, b, plan(v).position);
            markTargetArgs(instr(v), b, plan(v).position);
        }
    if (!debugged_) return;
    for (const ir::ErrorEvent& e : fn_.errorEvents)
        if (plan(e.at).block != BlockId::None) markUse(e.tag, plan(e.at).block, plan(e.at).position);
}

} // namespace sx::vm
