// Translation of the ends of blocks: branches with their arguments, switches, panics.
#include "vm/translate/Translator.h"

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

/// `a pred b` as `b pred' a`.
ICmpPred swapped(ICmpPred p) {
    switch (p) {
    case ICmpPred::Eq:
    case ICmpPred::Ne: return p;
    case ICmpPred::SLt: return ICmpPred::SGt;
    case ICmpPred::SLe: return ICmpPred::SGe;
    case ICmpPred::SGt: return ICmpPred::SLt;
    case ICmpPred::SGe: return ICmpPred::SLe;
    case ICmpPred::ULt: return ICmpPred::UGt;
    case ICmpPred::ULe: return ICmpPred::UGe;
    case ICmpPred::UGt: return ICmpPred::ULt;
    case ICmpPred::UGe: return ICmpPred::ULe;
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

void Translator::emitTerminator(const Instr& i) {
    switch (i.op) {
    case Op::Br: return jumpTo(fn_.targetsOf(i)[0]);
    case Op::CondBr: return emitCondBr(i);
    case Op::Switch: return emitSwitch(i);
    case Op::Ret: return emitReturn(i);
    case Op::Panic: return emitPanic(static_cast<ir::PanicKind>(i.imm), fn_.operandsOf(i));
    default: return emitPanic(ir::PanicKind::Unreachable, {});
    }
}

void Translator::emitPanic(ir::PanicKind kind, llvm::ArrayRef<ValueId> operands) {
    Reg regs[3] = {0, 0, 0};
    for (size_t n = 0; n < operands.size() && n < 3; ++n) regs[n] = use(operands[n]);
    code_.emit(Opcode::Panic, static_cast<Reg>(kind));
    code_.extra(regs[0], regs[1], regs[2]);
}

// ---- conditional branches

Translator::Condition Translator::conditionOf(ValueId v) {
    bool negated = false;
    v = analysis_.resolve(v);
    while (analysis_.plan(v).home == Home::Folded && analysis_.isNot(v)) {
        negated = !negated;
        v = analysis_.resolve(operand(instr(v), 0));
    }
    const Instr& i = instr(v);
    Condition c{Condition::Kind::Value, v, v, false, negated, 0};
    if (analysis_.plan(v).home != Home::Folded) return c;
    if (i.op == Op::IntToBool)
        return {Condition::Kind::Int, operand(i, 0), v, true, negated, static_cast<uint8_t>(ICmpPred::Ne)};
    if (i.op == Op::ICmp) return {Condition::Kind::Int, operand(i, 0), operand(i, 1), false, negated, i.pred};
    // f32 has no fused branch: the comparison goes to a register first.
    if (i.op == Op::FCmp) return {Condition::Kind::Float, operand(i, 0), operand(i, 1), false, negated, i.pred};
    return c;
}

/// The end of a counting loop. A copy of the counter at the head of the loop, for its body, moves into it.
void Translator::loop(bool isSigned, Reg counter, Reg end, Label head) {
    const Insn* first = code_.at(head);
    if (first && first->opcode() == Opcode::Mov && first->b == counter && first->a != counter && first->a != end) {
        Reg copy = first->a;
        code_.branch(isSigned ? Opcode::LoopSLtMov : Opcode::LoopULtMov, counter, end, head, 1);
        return code_.extra(copy);
    }
    code_.branch(isSigned ? Opcode::LoopSLt : Opcode::LoopULt, counter, end, head);
}

void Translator::branch(Opcode forward, Reg a, uint16_t b, Label l) {
    bool backward = code_.isBound(l);
    if (backward && a != b && (forward == Opcode::JSLt || forward == Opcode::JULt)) {
        const Insn* last = code_.last();
        bool isIncrement =
            last && last->opcode() == Opcode::AddI && last->a == a && last->b == a && last->signedC() == 1;
        if (isIncrement) {
            code_.dropLast();
            return loop(forward == Opcode::JSLt, a, b, l);
        }
    }
    code_.branch(backward ? counting(forward) : forward, a, b, l);
}

bool Translator::branchOnImmediate(ICmpPred pred, ValueId a, int16_t b, Label l) {
    if (code_.wideBranches()) return false;
    branch(branchImmediate(pred), use(a), static_cast<uint16_t>(b), l);
    return true;
}

void Translator::branchOnInt(const Condition& c, Label l) {
    auto pred = static_cast<ICmpPred>(c.pred);
    if (c.negated) pred = inverted(pred);
    ValueId a = c.a, b = c.b;
    int16_t imm = 0;
    if (c.zero) {
        if (branchOnImmediate(pred, a, 0, l)) return;
    } else if (smallConstant(b, imm)) {
        if (branchOnImmediate(pred, a, imm, l)) return;
    } else if (smallConstant(a, imm)) {
        if (branchOnImmediate(swapped(pred), b, imm, l)) return;
    }
    RegisterBranch r = branchRegisters(pred);
    Reg x = use(a), y = c.zero ? constantRegister(0) : use(b);
    if (r.swap) std::swap(x, y);
    if (!code_.wideBranches()) return branch(r.op, x, y, l);
    Opcode compare = r.op == Opcode::JEq    ? Opcode::Eq
                     : r.op == Opcode::JNe  ? Opcode::Ne
                     : r.op == Opcode::JSLt ? Opcode::SLt
                     : r.op == Opcode::JSLe ? Opcode::SLe
                     : r.op == Opcode::JULt ? Opcode::ULt
                                            : Opcode::ULe;
    Reg cond = scratch();
    code_.emit(compare, cond, x, y);
    branch(Opcode::JmpIf, cond, 0, l);
}

void Translator::branchOnFloat(const Condition& c, Label l) {
    auto pred = static_cast<FCmpPred>(c.pred);
    bool isDouble = kindOf(c.a).bits == 64;
    RegisterBranch r = branchFloats(pred, c.negated);
    Reg x = use(c.a), y = use(c.b);
    if (r.swap) std::swap(x, y);
    if (isDouble && !code_.wideBranches()) return branch(r.op, x, y, l);
    RegisterBranch plain = branchFloats(pred, false);
    Opcode compare = plain.op == Opcode::JFEqD   ? (isDouble ? Opcode::FEqD : Opcode::FEqS)
                     : plain.op == Opcode::JFNeD ? (isDouble ? Opcode::FNeD : Opcode::FNeS)
                     : plain.op == Opcode::JFLtD ? (isDouble ? Opcode::FLtD : Opcode::FLtS)
                                                 : (isDouble ? Opcode::FLeD : Opcode::FLeS);
    Reg cond = scratch();
    code_.emit(compare, cond, x, y);
    branch(c.negated ? Opcode::JmpNot : Opcode::JmpIf, cond, 0, l);
}

void Translator::branchIf(const Condition& c, Label l) {
    switch (c.kind) {
    case Condition::Kind::Int: return branchOnInt(c, l);
    case Condition::Kind::Float: return branchOnFloat(c, l);
    case Condition::Kind::Value: return branch(c.negated ? Opcode::JmpNot : Opcode::JmpIf, use(c.a), 0, l);
    }
}

void Translator::emitCondBr(const Instr& i) {
    Condition c = conditionOf(operand(i, 0));
    ir::Target onTrue = fn_.targetsOf(i)[0], onFalse = fn_.targetsOf(i)[1];
    // The side that is branched to must need no moves, so that its label can be the block itself.
    // Backwards beats forwards: what follows is then the end of a loop.
    bool backward = code_.isBound(labelTo(onFalse.block)) && !code_.isBound(labelTo(onTrue.block));
    bool branchToFalse = onFalse.argCount == 0 && (onTrue.argCount != 0 || isNext(onTrue.block) || backward);
    if (branchToFalse) {
        c.negated = !c.negated;
        std::swap(onTrue, onFalse);
    }
    if (onTrue.argCount == 0) {
        branchIf(c, labelTo(onTrue.block));
        return jumpTo(onFalse);
    }
    Label moves = code_.newLabel();
    branchIf(c, moves);
    BlockId next = nextBlock_;
    nextBlock_ = BlockId::None; // the moves of the other side stand in between
    jumpTo(onFalse);
    nextBlock_ = next;
    code_.bind(moves);
    jumpTo(onTrue);
}

// ---- jumps

void Translator::jumpTo(const ir::Target& t) {
    moveArguments(t);
    if (isNext(t.block)) return;
    BlockId end = analysis_.threaded(t.block);
    Label l = labelOf(end);
    if (!code_.isBound(l)) return code_.jump(Opcode::Jmp, 0, l);
    if (!copyHeader(end)) code_.jump(Opcode::JmpL, 0, l);
}

/// A loop that tests at its head is entered by a jump back to a short block that ends in the test. Repeating the test
/// here saves that jump in every round. Values of the block that others read have registers of their own,
/// so both copies leave them in the same places.
bool Translator::copyHeader(BlockId b) {
    constexpr unsigned LongestHeader = 3;
    if (copyingHeader_) return false;
    const ir::Block& block = fn_.blocks[static_cast<uint32_t>(b)];
    const Instr& last = instr(block.instrs.back());
    if (last.op != Op::CondBr) return false;
    unsigned length = 0;
    for (ValueId v : block.instrs) {
        Op op = instr(v).op;
        if (op == Op::Call || op == Op::CallIndirect) return false;
        if (op != Op::BlockParam && analysis_.plan(v).home == Home::Register) ++length;
    }
    if (length > LongestHeader) return false;
    auto saved = temps_; // the other side of a conditional branch may still read them
    copyingHeader_ = true;
    emitBlock(b);
    copyingHeader_ = false;
    temps_ = std::move(saved);
    return true;
}

/// Puts the arguments into the registers of the block's parameters, all at once: a source may be the target of another
/// move.
void Translator::moveArguments(const ir::Target& t) {
    struct Move {
        Reg to, from;
    };
    llvm::SmallVector<Move, 4> moves;
    llvm::SmallVector<std::pair<Reg, ValueId>, 4> constants;
    const ir::Block& block = fn_.blocks[static_cast<uint32_t>(t.block)];
    for (unsigned i = 0; i < t.argCount; ++i) {
        ValueId param = block.params[i], arg = analysis_.resolve(fn_.argsOf(t)[i]);
        if (analysis_.plan(param).home != Home::Register || instr(arg).op == Op::Undef) continue;
        Reg to = registers_[static_cast<uint32_t>(param)];
        if (isInPlace(arg, ValuePlan::Target::BlockParam, static_cast<uint32_t>(param))) continue;
        if (analysis_.plan(arg).home == Home::Folded) constants.push_back({to, arg});
        else if (Reg from = use(arg); from != to) moves.push_back({to, from});
    }
    while (!moves.empty()) {
        auto isFree = [&](const Move& m) {
            return llvm::none_of(moves, [&](const Move& other) { return other.from == m.to; });
        };
        auto it = llvm::find_if(moves, isFree);
        if (it == moves.end()) { // a cycle: free one register by way of another
            Reg saved = scratch();
            code_.emit(Opcode::Mov, saved, moves.front().to);
            for (Move& m : moves)
                if (m.from == moves.front().to) m.from = saved;
            continue;
        }
        code_.emit(Opcode::Mov, it->to, it->from);
        moves.erase(it);
    }
    for (auto [to, arg] : constants) useInto(arg, to);
}

// ---- switches

void Translator::emitSwitch(const Instr& i) {
    struct Case {
        int64_t value;
        uint64_t label;
    };
    constexpr uint64_t DenseSpread = 4, DenseMinimum = 8;
    ScalarKind k = kindOf(operand(i, 0));
    Reg value = use(operand(i, 0));
    // Arguments and the counting of backward branches need code of their own on the way.
    llvm::SmallVector<std::pair<Label, ir::Target>, 4> detours;
    auto labelFor = [&](const ir::Target& t) {
        if (t.argCount == 0 && !code_.isBound(labelTo(t.block))) return static_cast<uint64_t>(labelTo(t.block));
        detours.push_back({code_.newLabel(), t});
        return static_cast<uint64_t>(detours.back().first);
    };
    llvm::ArrayRef<ir::Target> targets = fn_.targetsOf(i);
    const std::vector<uint64_t>& values = fn_.switches[i.imm].values;
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
        code_.emitTable(Opcode::SwitchDense, value, std::move(words), 2, 1);
    } else {
        std::vector<uint64_t> words{cases.size(), otherwise};
        for (const Case& c : cases) words.insert(words.end(), {static_cast<uint64_t>(c.value), c.label});
        code_.emitTable(Opcode::SwitchSparse, value, std::move(words), 1, 2);
    }
    BlockId next = nextBlock_;
    nextBlock_ = BlockId::None;
    for (auto& [label, target] : detours) {
        code_.bind(label);
        jumpTo(target);
    }
    nextBlock_ = next;
}

} // namespace sx::vm
