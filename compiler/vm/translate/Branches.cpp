// Translation of the ends of blocks: branches with their arguments, switches, panics.
#include "vm/translate/Emit.h"

#include "llvm/ADT/STLExtras.h"

namespace sx::vm {

using ir::FCmpPred;
using ir::ICmpPred;
using ir::Op;
using Home = ValuePlan::Home;

namespace {

/// The opcode after a branch that counts steps, or the branch itself.
Opcode counting(Opcode op) { return static_cast<Opcode>(static_cast<uint16_t>(op) + 1); }

ICmpPred inverted(ICmpPred p) {
    switch (p) {
    case ICmpPred::Eq: return ICmpPred::Ne;
    case ICmpPred::Ne: return ICmpPred::Eq;
    case ICmpPred::SLt: return ICmpPred::SGe;
    case ICmpPred::SLe: return ICmpPred::SGt;
    case ICmpPred::SGt: return ICmpPred::SLe;
    case ICmpPred::SGe: return ICmpPred::SLt;
    case ICmpPred::ULt: return ICmpPred::UGe;
    case ICmpPred::ULe: return ICmpPred::UGt;
    case ICmpPred::UGt: return ICmpPred::ULe;
    case ICmpPred::UGe: return ICmpPred::ULt;
    }
    return p;
}

Opcode branchImmediate(ICmpPred p) {
    switch (p) {
    case ICmpPred::Eq: return Opcode::JEqI;
    case ICmpPred::Ne: return Opcode::JNeI;
    case ICmpPred::SLt: return Opcode::JSLtI;
    case ICmpPred::SLe: return Opcode::JSLeI;
    case ICmpPred::SGt: return Opcode::JSGtI;
    case ICmpPred::SGe: return Opcode::JSGeI;
    case ICmpPred::ULt: return Opcode::JULtI;
    case ICmpPred::ULe: return Opcode::JULeI;
    case ICmpPred::UGt: return Opcode::JUGtI;
    case ICmpPred::UGe: return Opcode::JUGeI;
    }
    return Opcode::JEqI;
}

struct RegisterBranch {
    Opcode op;
    bool swap;
};

RegisterBranch branchRegisters(ICmpPred p) {
    switch (p) {
    case ICmpPred::Eq: return {Opcode::JEq, false};
    case ICmpPred::Ne: return {Opcode::JNe, false};
    case ICmpPred::SLt: return {Opcode::JSLt, false};
    case ICmpPred::SLe: return {Opcode::JSLe, false};
    case ICmpPred::SGt: return {Opcode::JSLt, true};
    case ICmpPred::SGe: return {Opcode::JSLe, true};
    case ICmpPred::ULt: return {Opcode::JULt, false};
    case ICmpPred::ULe: return {Opcode::JULe, false};
    case ICmpPred::UGt: return {Opcode::JULt, true};
    case ICmpPred::UGe: return {Opcode::JULe, true};
    }
    return {Opcode::JEq, false};
}

/// Float comparisons cannot be inverted by their predicate: every one is false with a NaN, except Ne.
RegisterBranch branchFloats(FCmpPred p, bool negated) {
    switch (p) {
    case FCmpPred::Eq: return {negated ? Opcode::JFNeD : Opcode::JFEqD, false};
    case FCmpPred::Ne: return {negated ? Opcode::JFEqD : Opcode::JFNeD, false};
    case FCmpPred::Lt: return {negated ? Opcode::JFNLtD : Opcode::JFLtD, false};
    case FCmpPred::Le: return {negated ? Opcode::JFNLeD : Opcode::JFLeD, false};
    case FCmpPred::Gt: return {negated ? Opcode::JFNLtD : Opcode::JFLtD, true};
    case FCmpPred::Ge: return {negated ? Opcode::JFNLeD : Opcode::JFLeD, true};
    }
    return {Opcode::JFEqD, false};
}

} // namespace

void emitTerminator(Translator& t, const Instr& i) {
    switch (i.op) {
    case Op::Br: return jumpTo(t, t.fn.targetsOf(i)[0]);
    case Op::CondBr: return emitCondBr(t, i);
    case Op::Switch: return emitSwitch(t, i);
    case Op::Ret: return emitReturn(t, i);
    case Op::Panic: return emitPanic(t, static_cast<ir::PanicKind>(i.imm), t.fn.operandsOf(i));
    default: return emitPanic(t, ir::PanicKind::Unreachable, {});
    }
}

void emitPanic(Translator& t, ir::PanicKind kind, llvm::ArrayRef<ValueId> operands) {
    Reg regs[3] = {0, 0, 0};
    for (size_t n = 0; n < operands.size() && n < 3; ++n) regs[n] = t.use(operands[n]);
    t.code.emit(Opcode::Panic, static_cast<Reg>(kind));
    t.code.extra(regs[0], regs[1], regs[2]);
}

// ---- conditional branches

Condition conditionOf(Translator& t, ValueId v) {
    bool negated = false;
    v = t.analysis.resolve(v);
    while (t.analysis.plan(v).home == Home::Folded && isNot(t.fn, v)) {
        negated = !negated;
        v = t.analysis.resolve(t.operand(t.instr(v), 0));
    }
    const Instr& i = t.instr(v);
    Condition c{Condition::Kind::Value, v, v, false, negated, 0};
    if (t.analysis.plan(v).home != Home::Folded) return c;
    if (i.op == Op::IntToBool)
        return {Condition::Kind::Int, t.operand(i, 0), v, true, negated, static_cast<uint8_t>(ICmpPred::Ne)};
    if (i.op == Op::ICmp) return {Condition::Kind::Int, t.operand(i, 0), t.operand(i, 1), false, negated, i.pred};
    // f32 has no fused branch: the comparison goes to a register first.
    if (i.op == Op::FCmp) return {Condition::Kind::Float, t.operand(i, 0), t.operand(i, 1), false, negated, i.pred};
    return c;
}

/// The end of a counting loop. A copy of the counter at the head of the loop, for its body, moves into it.
void loop(Translator& t, bool isSigned, Reg counter, Reg end, Label head) {
    const Insn* first = t.code.at(head);
    if (first && first->opcode() == Opcode::Mov && first->b == counter && first->a != counter && first->a != end) {
        Reg copy = first->a;
        t.code.branch(isSigned ? Opcode::LoopSLtMov : Opcode::LoopULtMov, counter, end, head, 1);
        return t.code.extra(copy);
    }
    t.code.branch(isSigned ? Opcode::LoopSLt : Opcode::LoopULt, counter, end, head);
}

void branch(Translator& t, Opcode forward, Reg a, uint16_t b, Label l) {
    bool backward = t.code.isBound(l);
    if (backward && a != b && (forward == Opcode::JSLt || forward == Opcode::JULt)) {
        const Insn* last = t.code.last();
        bool isIncrement =
            last && last->opcode() == Opcode::AddI && last->a == a && last->b == a && last->signedC() == 1;
        if (isIncrement) {
            t.code.dropLast();
            return loop(t, forward == Opcode::JSLt, a, b, l);
        }
    }
    t.code.branch(backward ? counting(forward) : forward, a, b, l);
}

bool branchOnImmediate(Translator& t, ICmpPred pred, ValueId a, int16_t b, Label l) {
    if (t.code.wideBranches()) return false;
    branch(t, branchImmediate(pred), t.use(a), static_cast<uint16_t>(b), l);
    return true;
}

void branchOnInt(Translator& t, const Condition& c, Label l) {
    auto pred = static_cast<ICmpPred>(c.pred);
    if (c.negated) pred = inverted(pred);
    ValueId a = c.a, b = c.b;
    int16_t imm = 0;
    if (c.zero) {
        if (branchOnImmediate(t, pred, a, 0, l)) return;
    } else if (t.smallConstant(b, imm)) {
        if (branchOnImmediate(t, pred, a, imm, l)) return;
    } else if (t.smallConstant(a, imm)) {
        if (branchOnImmediate(t, swapped(pred), b, imm, l)) return;
    }
    RegisterBranch r = branchRegisters(pred);
    Reg x = t.use(a), y = c.zero ? t.constantRegister(0) : t.use(b);
    if (r.swap) std::swap(x, y);
    if (!t.code.wideBranches()) return branch(t, r.op, x, y, l);
    Opcode compare = r.op == Opcode::JEq    ? Opcode::Eq
                     : r.op == Opcode::JNe  ? Opcode::Ne
                     : r.op == Opcode::JSLt ? Opcode::SLt
                     : r.op == Opcode::JSLe ? Opcode::SLe
                     : r.op == Opcode::JULt ? Opcode::ULt
                                            : Opcode::ULe;
    Reg cond = t.scratch();
    t.code.emit(compare, cond, x, y);
    branch(t, Opcode::JmpIf, cond, 0, l);
}

void branchOnFloat(Translator& t, const Condition& c, Label l) {
    auto pred = static_cast<FCmpPred>(c.pred);
    bool isDouble = t.kindOf(c.a).bits == 64;
    RegisterBranch r = branchFloats(pred, c.negated);
    Reg x = t.use(c.a), y = t.use(c.b);
    if (r.swap) std::swap(x, y);
    if (isDouble && !t.code.wideBranches()) return branch(t, r.op, x, y, l);
    RegisterBranch plain = branchFloats(pred, false);
    Opcode compare = plain.op == Opcode::JFEqD   ? (isDouble ? Opcode::FEqD : Opcode::FEqS)
                     : plain.op == Opcode::JFNeD ? (isDouble ? Opcode::FNeD : Opcode::FNeS)
                     : plain.op == Opcode::JFLtD ? (isDouble ? Opcode::FLtD : Opcode::FLtS)
                                                 : (isDouble ? Opcode::FLeD : Opcode::FLeS);
    Reg cond = t.scratch();
    t.code.emit(compare, cond, x, y);
    branch(t, c.negated ? Opcode::JmpNot : Opcode::JmpIf, cond, 0, l);
}

void branchIf(Translator& t, const Condition& c, Label l) {
    switch (c.kind) {
    case Condition::Kind::Int: return branchOnInt(t, c, l);
    case Condition::Kind::Float: return branchOnFloat(t, c, l);
    case Condition::Kind::Value: return branch(t, c.negated ? Opcode::JmpNot : Opcode::JmpIf, t.use(c.a), 0, l);
    }
}

void emitCondBr(Translator& t, const Instr& i) {
    Condition c = conditionOf(t, t.operand(i, 0));
    ir::Target onTrue = t.fn.targetsOf(i)[0], onFalse = t.fn.targetsOf(i)[1];
    // The side that is branched to must need no moves, so that its label can be the block itself.
    // Backwards beats forwards: what follows is then the end of a loop.
    bool backward = t.code.isBound(t.labelTo(onFalse.block)) && !t.code.isBound(t.labelTo(onTrue.block));
    bool branchToFalse = onFalse.argCount == 0 && (onTrue.argCount != 0 || t.isNext(onTrue.block) || backward);
    if (branchToFalse) {
        c.negated = !c.negated;
        std::swap(onTrue, onFalse);
    }
    if (onTrue.argCount == 0) {
        branchIf(t, c, t.labelTo(onTrue.block));
        return jumpTo(t, onFalse);
    }
    Label moves = t.code.newLabel();
    branchIf(t, c, moves);
    BlockId next = t.nextBlock;
    t.nextBlock = BlockId::None; // the moves of the other side stand in between
    jumpTo(t, onFalse);
    t.nextBlock = next;
    t.code.bind(moves);
    jumpTo(t, onTrue);
}

// ---- jumps

void jumpTo(Translator& t, const ir::Target& target) {
    moveArguments(t, target);
    if (t.isNext(target.block)) return;
    BlockId end = t.analysis.threaded(target.block);
    Label l = t.labelOf(end);
    if (!t.code.isBound(l)) return t.code.jump(Opcode::Jmp, 0, l);
    if (!copyHeader(t, end)) t.code.jump(Opcode::JmpL, 0, l);
}

/// A loop that tests at its head is entered by a jump back to a short block that ends in the test. Repeating the test
/// here saves that jump in every round. Values of the block that others read have registers of their own,
/// so both copies leave them in the same places.
bool copyHeader(Translator& t, BlockId b) {
    constexpr unsigned LongestHeader = 3;
    if (t.copyingHeader) return false;
    const ir::Block& block = t.fn.blocks[static_cast<uint32_t>(b)];
    const Instr& last = t.instr(block.instrs.back());
    if (last.op != Op::CondBr || !t.isRepeatable(block)) return false;
    unsigned length = 0;
    for (ValueId v : block.instrs) {
        Op op = t.instr(v).op;
        if (op == Op::Call || op == Op::CallIndirect) return false;
        if (op != Op::BlockParam && t.analysis.plan(v).home == Home::Register) ++length;
    }
    if (length > LongestHeader) return false;
    auto saved = t.temps; // the other side of a conditional branch may still read them
    t.endStatement();
    t.copyingHeader = true;
    emitBlock(t, b);
    t.copyingHeader = false;
    t.temps = std::move(saved);
    return true;
}

/// Puts the arguments into the registers of the block's parameters, all at once: a source may be the target of another
/// move.
void moveArguments(Translator& t, const ir::Target& target) {
    struct Move {
        Reg to, from;
    };
    llvm::SmallVector<Move, 4> moves;
    llvm::SmallVector<std::pair<Reg, ValueId>, 4> constants;
    const ir::Block& block = t.fn.blocks[static_cast<uint32_t>(target.block)];
    for (unsigned i = 0; i < target.argCount; ++i) {
        ValueId param = block.params[i], arg = t.analysis.resolve(t.fn.argsOf(target)[i]);
        if (t.analysis.plan(param).home != Home::Register || t.instr(arg).op == Op::Undef) continue;
        Reg to = t.registers[static_cast<uint32_t>(param)];
        if (t.isInPlace(arg, ValuePlan::Target::BlockParam, static_cast<uint32_t>(param))) continue;
        if (t.analysis.plan(arg).home == Home::Folded) constants.push_back({to, arg});
        else if (Reg from = t.use(arg); from != to) moves.push_back({to, from});
    }
    while (!moves.empty()) {
        auto isFree = [&](const Move& m) {
            return llvm::none_of(moves, [&](const Move& other) { return other.from == m.to; });
        };
        auto it = llvm::find_if(moves, isFree);
        if (it == moves.end()) { // a cycle: free one register by way of another
            Reg saved = t.scratch();
            t.code.emit(Opcode::Mov, saved, moves.front().to);
            for (Move& m : moves)
                if (m.from == moves.front().to) m.from = saved;
            continue;
        }
        t.code.emit(Opcode::Mov, it->to, it->from);
        moves.erase(it);
    }
    for (auto [to, arg] : constants) t.useInto(arg, to);
}

// ---- switches

void emitSwitch(Translator& t, const Instr& i) {
    struct Case {
        int64_t value;
        uint64_t label;
    };
    constexpr uint64_t DenseSpread = 4, DenseMinimum = 8;
    ScalarKind k = t.kindOf(t.operand(i, 0));
    Reg value = t.use(t.operand(i, 0));
    // Arguments and the counting of backward branches need code of their own on the way.
    llvm::SmallVector<std::pair<Label, ir::Target>, 4> detours;
    auto labelFor = [&](const ir::Target& target) {
        if (target.argCount == 0 && !t.code.isBound(t.labelTo(target.block)))
            return static_cast<uint64_t>(t.labelTo(target.block));
        detours.push_back({t.code.newLabel(), target});
        return static_cast<uint64_t>(detours.back().first);
    };
    llvm::ArrayRef<ir::Target> targets = t.fn.targetsOf(i);
    const std::vector<uint64_t>& values = t.fn.switches[i.imm].values;
    uint64_t otherwise = labelFor(targets[0]);
    std::vector<Case> cases;
    for (size_t n = 0; n < values.size(); ++n)
        cases.push_back({static_cast<int64_t>(canonical(k, values[n])), labelFor(targets[n + 1])});
    llvm::sort(cases, [](const Case& a, const Case& b) { return a.value < b.value; });

    uint64_t span =
        cases.empty() ? 0 : static_cast<uint64_t>(cases.back().value) - static_cast<uint64_t>(cases.front().value);
    if (span < cases.size() * DenseSpread + DenseMinimum) {
        int64_t lowest = cases.empty() ? 0 : cases.front().value;
        std::vector<uint64_t> words{static_cast<uint64_t>(lowest), cases.empty() ? 0 : span + 1, otherwise};
        words.resize(3 + words[1], otherwise);
        for (const Case& c : cases) words[3 + static_cast<uint64_t>(c.value) - static_cast<uint64_t>(lowest)] = c.label;
        t.code.emitTable(Opcode::SwitchDense, value, std::move(words), 2, 1);
    } else {
        std::vector<uint64_t> words{cases.size(), otherwise};
        for (const Case& c : cases) words.insert(words.end(), {static_cast<uint64_t>(c.value), c.label});
        t.code.emitTable(Opcode::SwitchSparse, value, std::move(words), 1, 2);
    }
    BlockId next = t.nextBlock;
    t.nextBlock = BlockId::None;
    for (auto& [label, target] : detours) {
        t.code.bind(label);
        jumpTo(t, target);
    }
    t.nextBlock = next;
}

} // namespace sx::vm
