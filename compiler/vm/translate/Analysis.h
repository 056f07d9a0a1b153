// Decides for each SSA value of a function where it lives, before code is made. docs/vm.md, "From IR to registers".
#pragma once

#include "ir/Ir.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace sx::vm {

struct ValuePlan {
    enum class Home : uint8_t {
        Dead,     ///< nobody reads it and computing it has no effect
        Folded,   ///< part of its users
        SlotRead, ///< a load of a promoted slot: users read the slot's register
        Register,
    };
    /// Where the instruction that computes a Register value writes.
    enum class Target : uint8_t {
        Own,        ///< its own register
        Slot,       ///< the register of promoted slot `targetIndex`: its only use is a store there
        BlockParam, ///< the register of block parameter `targetIndex` (a ValueId)
        Outgoing,   ///< word `targetIndex` of the outgoing area: its only use is a call argument
    };
    Home home = Home::Dead;
    Target target = Target::Own;
    bool crossBlock = false;     ///< used in another block than its own, or a block parameter
    bool zeroExtended = false;   ///< a load whose only use is a zext: it loads that way
    bool localUses = true;       ///< all uses are in its block
    bool addressUsesOnly = true; ///< all uses are as the address of a load or store
    ir::BlockId block = ir::BlockId::None;
    uint32_t position = 0; ///< in its block
    uint32_t lastUse = 0;  ///< largest position in its block where it is read; folded users count where they end up
    uint32_t uses = 0;
    ir::ValueId user = ir::ValueId::None; ///< the only one if uses == 1
    uint32_t targetIndex = 0;
};

/// Whether the instruction negates a bool.
bool isNot(const ir::Function&, ir::ValueId);
/// The word of the outgoing area for an operand of a call; -1 for the callee of an indirect one.
int32_t outgoingWord(const ir::Module&, const ir::Instr& call, unsigned operand);

/// A load or store of a promoted slot in a block.
struct SlotEvent {
    uint32_t position;
    ir::ValueId instr;
    bool isStore;
};

class Analysis {
public:
    /// `debugged`: a variable is read and written within its statement only, and what is told of errors is kept.
    Analysis(const ir::Module&, const ir::Function&, bool debugged);

    const ValuePlan& plan(ir::ValueId v) const { return plans_[static_cast<uint32_t>(v)]; }
    bool isPromoted(ir::SlotId s) const { return promoted_[static_cast<uint32_t>(s)]; }
    /// The parameter whose register a promoted slot shares, or -1.
    int32_t sharedParam(ir::SlotId s) const { return sharedParam_[static_cast<uint32_t>(s)]; }
    /// Reachable blocks in the order of their code: loops together, cold blocks last.
    const std::vector<ir::BlockId>& layout() const { return layout_; }
    bool isReachable(ir::BlockId b) const { return reachable_[static_cast<uint32_t>(b)]; }

    /// Where a jump to the block ends up: past blocks without code of their own.
    ir::BlockId threaded(ir::BlockId) const;

    /// The promoted slot that `address` names, through conversions; None if it is anything else.
    ir::SlotId promotedSlot(ir::ValueId address) const;
    /// Looks through conversions that do not change the canonical form.
    ir::ValueId resolve(ir::ValueId v) const;
    /// What the instruction converts without changing it, or None.
    ir::ValueId aliasOf(ir::ValueId v) const;

private:
    ValuePlan& at(ir::ValueId v) { return plans_[static_cast<uint32_t>(v)]; }
    const ir::Instr& instr(ir::ValueId v) const { return fn_.instr(v); }
    const ir::Block& block(ir::BlockId b) const { return fn_.blocks[static_cast<uint32_t>(b)]; }

    void findReachable();
    void collectUses();
    void promoteSlots();
    void rejectEscapes(ir::ValueId user);
    void chooseHomes();
    ValuePlan::Home homeOf(ir::ValueId);
    bool foldsIntoBranch(ir::ValueId) const;
    bool foldsOffset(ir::ValueId) const;
    bool foldsIndex(ir::ValueId) const;
    bool fusesWithZExt(ir::ValueId zext) const;

    void markUses();
    void markUse(ir::ValueId, ir::BlockId, uint32_t position);
    void markTargetArgs(const ir::Instr&, ir::BlockId, uint32_t position);

    // across blocks: Forwarding.cpp
    void forwardAcrossBlocks();
    bool keepsItsSlot(ir::ValueId load, ir::SlotId) const;
    bool isStoredIn(ir::SlotId, ir::BlockId, uint32_t after, uint32_t before) const;

    // per block: Targets.cpp
    void chooseTargets(ir::BlockId);
    using SlotEvents = llvm::DenseMap<ir::SlotId, llvm::SmallVector<SlotEvent, 4>>;
    SlotEvents slotEvents(ir::BlockId) const;
    void forwardLoads(ir::BlockId, const llvm::SmallVectorImpl<SlotEvent>&);
    bool staysWithin(ir::BlockId, uint32_t from, size_t to) const;
    bool canBeSeenBetween(ir::BlockId, uint32_t from, uint32_t to) const;
    bool isReadFromOutside(ir::SlotId, ir::BlockId, uint32_t after) const;
    void targetStores(ir::SlotId, ir::BlockId, const llvm::SmallVectorImpl<SlotEvent>&);
    void shareParams();
    void targetBlockParams(ir::BlockId);
    void targetArguments(ir::BlockId);

    const ir::Module& module_;
    const ir::Function& fn_;
    const TypeTable& types_;
    const bool debugged_;
    std::vector<ValuePlan> plans_;
    std::vector<uint8_t> promoted_, reachable_;
    std::vector<int32_t> sharedParam_;
    std::vector<ir::BlockId> layout_;
    bool entryIsTarget_ = false;
    llvm::DenseSet<ir::ValueId> marked_; ///< where a debugger stops: statements begin, or something happens to an error
    using InBlock = std::pair<uint32_t, uint32_t>; ///< a value or slot, and a block
    llvm::DenseMap<InBlock, uint32_t> lastRead_;   ///< block parameter: last position where it is read in the block
    std::vector<ir::BlockId> onlyPredecessor_;     ///< by block; None: there are several, or none
    llvm::DenseMap<ir::ValueId, llvm::SmallVector<std::pair<ir::BlockId, uint32_t>, 2>>
        loadsReadElsewhere_;                                         ///< of promoted slots
    llvm::DenseMap<InBlock, llvm::SmallVector<uint32_t, 2>> stores_; ///< promoted slot: positions, ascending
    llvm::DenseMap<InBlock, uint32_t>
        readFromOutside_; ///< promoted slot: last read in the block through a load of another block
};

} // namespace sx::vm
