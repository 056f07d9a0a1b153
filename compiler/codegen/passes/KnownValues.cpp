#include "codegen/passes/KnownValues.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace sx::codegen {

namespace {

using llvm::DIExpression, llvm::DILocalVariable, llvm::MachineBasicBlock, llvm::MachineFunction, llvm::MachineInstr;

constexpr uint64_t WordBits = 64;
constexpr uint64_t MostWords = 32; ///< what has more would take too much room for zeros

struct Parameter {
    llvm::SmallVector<MachineInstr*, 2> first; ///< its first records: of parts that do not overlap, without registers
    bool isOver = false;
    bool isGiven = false; ///< one of them comes after the beginning
};

bool isRegister(const MachineInstr& record) {
    return llvm::any_of(record.debug_operands(),
                        [](const llvm::MachineOperand& o) { return o.isReg() && o.getReg() != 0; });
}

/// A record at which nothing is known.
void addUnknown(MachineBasicBlock& block, MachineBasicBlock::iterator before, const MachineInstr& like) {
    const llvm::TargetInstrInfo& target = *block.getParent()->getSubtarget().getInstrInfo();
    const DIExpression* whole = DIExpression::get(like.getDebugVariable()->getContext(), {});
    llvm::BuildMI(block, before, like.getDebugLoc(), target.get(llvm::TargetOpcode::DBG_VALUE),
                  /*IsIndirect=*/false, llvm::Register(), like.getDebugVariable(), whole);
}

/// A parameter that is given a value in the function does not have it from the beginning on.
void keepBeginnings(MachineFunction& function) {
    const llvm::TargetInstrInfo& target = *function.getSubtarget().getInstrInfo();
    llvm::MapVector<const DILocalVariable*, Parameter> parameters;
    bool isBegun = false;
    for (MachineBasicBlock& block : function)
        for (MachineInstr& i : block) {
            isBegun |= !i.isMetaInstruction() && !i.getFlag(MachineInstr::FrameSetup) && !target.isCopyInstr(i);
            if (!i.isDebugValue() || !i.getDebugVariable()->isParameter() || i.getDebugLoc()->getInlinedAt()) continue;
            Parameter& p = parameters[i.getDebugVariable()];
            p.isOver |= isRegister(i) || llvm::any_of(p.first, [&](const MachineInstr* other) {
                            return i.getDebugExpression()->fragmentsOverlap(other->getDebugExpression());
                        });
            if (p.isOver) continue;
            p.first.push_back(&i);
            p.isGiven |= isBegun;
        }
    MachineBasicBlock& entry = function.front();
    for (const auto& [_, p] : parameters)
        if (p.isGiven) addUnknown(entry, entry.begin(), *p.first.front());
}

/// The bits that a record tells of, and where they begin; none where that is not known.
DIExpression::FragmentInfo bitsOf(const MachineInstr& record) {
    if (auto part = record.getDebugExpression()->getFragmentInfo()) return *part;
    return {record.getDebugVariable()->getSizeInBits().value_or(0), 0};
}

/// A variable or a part that is filled with zeros is more than one number.
void splitZeros(MachineBasicBlock& block, MachineInstr& record) {
    if (!record.isNonListDebugValue() || record.isIndirectDebugValue() || !record.getDebugOperand(0).isImm()) return;
    DIExpression::FragmentInfo bits = bitsOf(record);
    if (bits.SizeInBits <= WordBits) return;
    MachineBasicBlock::iterator after = std::next(record.getIterator());
    auto* whole = DIExpression::get(record.getDebugVariable()->getContext(), {});
    bool isZero = record.getDebugOperand(0).getImm() == 0 && bits.SizeInBits <= MostWords * WordBits;
    for (uint64_t at = 0; isZero && at < bits.SizeInBits; at += WordBits) {
        MachineInstr* word = block.getParent()->CloneMachineInstr(&record);
        uint64_t size = std::min(WordBits, bits.SizeInBits - at);
        auto part = DIExpression::createFragmentExpression(whole, bits.OffsetInBits + at, size);
        word->getDebugExpressionOp().setMetadata(*part);
        block.insert(after, word);
    }
    if (isZero) record.eraseFromParent();
    else record.getDebugOperand(0).ChangeToRegister(llvm::Register(), /*isDef=*/false);
}

class KnownValues : public llvm::MachineFunctionPass {
public:
    KnownValues() : MachineFunctionPass(id_) {}

    llvm::StringRef getPassName() const override { return "Known values of variables"; }

    void getAnalysisUsage(llvm::AnalysisUsage& usage) const override {
        usage.setPreservesAll();
        MachineFunctionPass::getAnalysisUsage(usage);
    }

    bool runOnMachineFunction(MachineFunction& function) override {
        if (!function.getFunction().getSubprogram()) return false;
        for (MachineBasicBlock& block : function)
            for (MachineInstr& i : llvm::make_early_inc_range(block)) splitZeros(block, i);
        keepBeginnings(function);
        return false;
    }

private:
    static char id_;
};

char KnownValues::id_ = 0;

} // namespace

llvm::Pass* createKnownValues() { return new KnownValues(); }

} // namespace sx::codegen
