// Takes away what sema's dead code leaves behind: blocks that the entry does not reach.
//
// The parts of a function are copied into fresh vectors in block order, so that the numbers of values and
// blocks are dense again and follow the text. Everything is done once per instruction or operand.
#include "ir/Passes.h"

#include "ir/Numbering.h"
#include "ir/Ops.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sx::ir {

namespace {

class Compactor {
public:
    explicit Compactor(Function& fn) : fn_(fn), numbers_(fn) {
        instrs_.reserve(numbers_.valueCount());
        blocks_.reserve(numbers_.blockCount());
        operands_.reserve(fn_.operands.size());
        targets_.reserve(fn_.targets.size());
    }

    void run() {
        for (uint32_t b = 0; b < fn_.blocks.size(); ++b)
            if (numbers_.of(BlockId{b}) != BlockId::None) moveBlock(fn_.blocks[b]);
        moveMarks();
        fn_.instrs = std::move(instrs_);
        fn_.operands = std::move(operands_);
        fn_.targets = std::move(targets_);
        fn_.switches = std::move(switches_);
        fn_.blocks = std::move(blocks_);
    }

private:
    uint32_t moveOperands(llvm::ArrayRef<ValueId> values) {
        uint32_t start = static_cast<uint32_t>(operands_.size());
        for (ValueId v : values) operands_.push_back(numbers_.of(v));
        return start;
    }

    void moveInstr(Instr i) {
        i.operandStart = moveOperands(fn_.operandsOf(i));
        llvm::ArrayRef<Target> targets = fn_.targetsOf(i);
        i.targetStart = static_cast<uint32_t>(targets_.size());
        for (const Target& t : targets)
            targets_.push_back({numbers_.of(t.block), moveOperands(fn_.argsOf(t)), t.argCount});
        if (i.op == Op::Switch) {
            switches_.push_back(std::move(fn_.switches[i.imm]));
            i.imm = switches_.size() - 1;
        }
        instrs_.push_back(i);
    }

    void moveBlock(Block& block) {
        for (ValueId& v : block.instrs) {
            moveInstr(fn_.instr(v));
            v = numbers_.of(v);
        }
        for (ValueId& v : block.params) v = numbers_.of(v);
        blocks_.push_back(std::move(block));
    }

    /// Those of code that is gone go with it.
    void moveMarks() {
        for (Statement& s : fn_.statements) s.first = numbers_.of(s.first);
        llvm::erase_if(fn_.statements, [](const Statement& s) { return s.first == ValueId::None; });
        for (ErrorEvent& e : fn_.errorEvents) {
            e.at = numbers_.of(e.at);
            e.tag = numbers_.of(e.tag);
        }
        llvm::erase_if(fn_.errorEvents, [](const ErrorEvent& e) { return e.at == ValueId::None; });
    }

    Function& fn_;
    const Numbering numbers_;
    List<Instr> instrs_;
    List<ValueId> operands_;
    List<Target> targets_;
    List<SwitchCases> switches_;
    List<Block> blocks_;
};

} // namespace

void removeUnreachableBlocks(Function& fn) {
    if (fn.blocks.empty()) return;
    Compactor(fn).run();
}

namespace {

/// Replaces conditional branches by jumps: `taken` says to which of the two targets, or -1 to leave one alone.
void decideBranches(Module& module, llvm::function_ref<int(const Function&, const Instr&)> taken) {
    for (auto& fn : module.functions) {
        bool changed = false;
        for (const Block& block : fn->blocks) {
            if (block.instrs.empty()) continue;
            Instr& last = fn->instrs[raw(block.instrs.back())];
            int target = last.op == Op::CondBr ? taken(*fn, last) : -1;
            if (target < 0) continue;
            last.op = Op::Br;
            last.operandCount = 0;
            last.targetStart += static_cast<uint32_t>(target);
            last.targetCount = 1;
            last.unlikely = false;
            changed = true;
        }
        if (changed) removeUnreachableBlocks(*fn);
    }
}

/// Takes out the checks for null; what is marked at one is marked at the instruction after it.
void dropNullChecks(Function& fn) {
    auto isCheck = [&](ValueId v) { return fn.instr(v).op == Op::NullCheck; };
    llvm::DenseMap<uint32_t, ValueId> movedTo;
    for (Block& block : fn.blocks) {
        ValueId next = ValueId::None;
        for (ValueId v : llvm::reverse(block.instrs)) {
            if (isCheck(v)) movedTo[raw(v)] = next;
            else next = v;
        }
        llvm::erase_if(block.instrs, isCheck);
    }
    if (movedTo.empty()) return;
    auto move = [&](ValueId& v) {
        if (auto it = movedTo.find(raw(v)); it != movedTo.end()) v = it->second;
    };
    for (Statement& s : fn.statements) move(s.first);
    for (ErrorEvent& e : fn.errorEvents) move(e.at);
}

/// A block that does nothing but stop the program for one of the failures that release builds do not look for.
bool isDroppable(const Function& fn, BlockId id) {
    const Block& block = fn.blocks[raw(id)];
    const Instr& last = fn.instr(block.instrs.back());
    return last.op == Op::Panic && infoOf(static_cast<PanicKind>(last.imm)).isDropped;
}

} // namespace

void dropComptimeBranches(Module& module) {
    constexpr int RunTime = 1;
    decideBranches(module, [](const Function& fn, const Instr& branch) {
        return fn.instr(fn.operandsOf(branch)[0]).op == Op::IsComptime ? RunTime : -1;
    });
}

void dropChecks(Module& module) {
    for (auto& fn : module.functions) dropNullChecks(*fn);
    decideBranches(module, [](const Function& fn, const Instr& branch) {
        llvm::ArrayRef<Target> targets = fn.targetsOf(branch);
        if (isDroppable(fn, targets[0].block)) return 1;
        return isDroppable(fn, targets[1].block) ? 0 : -1;
    });
}

} // namespace sx::ir
