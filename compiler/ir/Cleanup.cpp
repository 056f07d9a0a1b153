// Takes away what sema's dead code leaves behind: blocks that the entry does not reach.
//
// The parts of a function are copied into fresh vectors in block order, so that the numbers of values and
// blocks are dense again and follow the text. Everything is done once per instruction or operand.
#include "ir/Passes.h"

#include "ir/Ops.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace sx::ir {

namespace {

std::vector<bool> reachableBlocks(const Function& fn) {
    std::vector<bool> reached(fn.blocks.size());
    std::vector<BlockId> work{BlockId{0}};
    reached[0] = true;
    while (!work.empty()) {
        const Block& block = fn.blocks[raw(work.back())];
        work.pop_back();
        if (block.instrs.empty()) continue;
        for (const Target& t : fn.targetsOf(fn.instr(block.instrs.back()))) {
            if (reached[raw(t.block)]) continue;
            reached[raw(t.block)] = true;
            work.push_back(t.block);
        }
    }
    return reached;
}

class Compactor {
public:
    Compactor(Function& fn, const std::vector<bool>& keep)
        : fn_(fn), blockMap_(fn.blocks.size(), BlockId::None), valueMap_(fn.instrs.size(), ValueId::None) {
        numberKept(keep);
    }

    void run() {
        for (uint32_t b = 0; b < blockMap_.size(); ++b)
            if (blockMap_[b] != BlockId::None) moveBlock(fn_.blocks[b]);
        moveMarks();
        fn_.instrs = std::move(instrs_);
        fn_.operands = std::move(operands_);
        fn_.targets = std::move(targets_);
        fn_.switches = std::move(switches_);
        fn_.blocks = std::move(blocks_);
    }

private:
    void numberKept(const std::vector<bool>& keep) {
        uint32_t blocks = 0, values = 0;
        for (uint32_t b = 0; b < fn_.blocks.size(); ++b) {
            if (!keep[b]) continue;
            blockMap_[b] = static_cast<BlockId>(blocks++);
            for (ValueId v : fn_.blocks[b].instrs) valueMap_[raw(v)] = static_cast<ValueId>(values++);
        }
        instrs_.reserve(values);
        blocks_.reserve(blocks);
        operands_.reserve(fn_.operands.size());
        targets_.reserve(fn_.targets.size());
    }

    ValueId mapped(ValueId v) const { return v == ValueId::None ? v : valueMap_[raw(v)]; }

    uint32_t moveOperands(llvm::ArrayRef<ValueId> values) {
        uint32_t start = static_cast<uint32_t>(operands_.size());
        for (ValueId v : values) operands_.push_back(mapped(v));
        return start;
    }

    void moveInstr(Instr i) {
        i.operandStart = moveOperands(fn_.operandsOf(i));
        llvm::ArrayRef<Target> targets = fn_.targetsOf(i);
        i.targetStart = static_cast<uint32_t>(targets_.size());
        for (const Target& t : targets)
            targets_.push_back({blockMap_[raw(t.block)], moveOperands(fn_.argsOf(t)), t.argCount});
        if (i.op == Op::Switch) {
            switches_.push_back(std::move(fn_.switches[i.imm]));
            i.imm = switches_.size() - 1;
        }
        instrs_.push_back(i);
    }

    void moveBlock(Block& block) {
        for (ValueId& v : block.instrs) {
            moveInstr(fn_.instr(v));
            v = mapped(v);
        }
        for (ValueId& v : block.params) v = mapped(v);
        blocks_.push_back(std::move(block));
    }

    /// Those of code that is gone go with it.
    void moveMarks() {
        for (Statement& s : fn_.statements) s.first = mapped(s.first);
        std::erase_if(fn_.statements, [](const Statement& s) { return s.first == ValueId::None; });
        for (ErrorEvent& e : fn_.errorEvents) {
            e.at = mapped(e.at);
            e.tag = mapped(e.tag);
        }
        std::erase_if(fn_.errorEvents, [](const ErrorEvent& e) { return e.at == ValueId::None; });
    }

    Function& fn_;
    std::vector<BlockId> blockMap_;
    std::vector<ValueId> valueMap_;
    std::vector<Instr> instrs_;
    std::vector<ValueId> operands_;
    std::vector<Target> targets_;
    std::vector<SwitchCases> switches_;
    std::vector<Block> blocks_;
};

} // namespace

void removeUnreachableBlocks(Function& fn) {
    if (fn.blocks.empty()) return;
    Compactor(fn, reachableBlocks(fn)).run();
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
        std::erase_if(block.instrs, isCheck);
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
