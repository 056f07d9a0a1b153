#include "codegen/passes/Assignments.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <map>
#include <optional>

namespace sx::codegen {

namespace {

using Record = llvm::DbgVariableRecord;

/// Where the block leads to, if others jump there, too, and it does nothing that must not be done for those: it may go,
/// with what it says.
llvm::BasicBlock* leadsTo(llvm::BasicBlock& block) {
    auto* branch = llvm::dyn_cast_or_null<llvm::BranchInst>(block.getTerminator());
    if (!branch || branch->isConditional()) return nullptr;
    llvm::BasicBlock* next = branch->getSuccessor(0);
    if (next == &block || next->getUniquePredecessor() || block.isEntryBlock()) return nullptr;
    bool isPure = llvm::all_of(block, [&](const llvm::Instruction& i) {
        return llvm::isa<llvm::PHINode>(i) || &i == branch ||
               (!i.mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(&i));
    });
    return isPure ? next : nullptr;
}

/// The bytes of the variable that a record tells of, without how the value is found.
llvm::DIExpression* part(const Record& record) {
    auto* whole = llvm::DIExpression::get(record.getVariable()->getContext(), {});
    std::optional<llvm::DIExpression::FragmentInfo> bits = record.getExpression()->getFragmentInfo();
    if (!bits) return whole;
    return llvm::DIExpression::createFragmentExpression(whole, bits->OffsetInBits, bits->SizeInBits).value_or(whole);
}

/// The value is not known from the beginning of a block on.
void forget(const Record& record, llvm::BasicBlock& block) {
    llvm::DIExpression* bytes = part(record);
    llvm::BasicBlock::iterator begin = block.getFirstNonPHIIt();
    for (const Record& known : llvm::filterDbgVars(begin->getDbgRecordRange()))
        if (known.getVariable() == record.getVariable() && part(known) == bytes &&
            known.getDebugLoc().getInlinedAt() == record.getDebugLoc().getInlinedAt())
            return; // it has a value of its own there, or none already
    auto* none = llvm::PoisonValue::get(llvm::Type::getInt1Ty(block.getContext()));
    block.insertDbgRecordBefore(
        Record::createDbgVariableRecord(none, record.getVariable(), bytes, record.getDebugLoc().get()), begin);
}

} // namespace

void keepAssignments(llvm::Function& function) {
    std::optional<llvm::DominatorTree> dominators;
    for (llvm::BasicBlock& block : function) {
        llvm::BasicBlock* next = leadsTo(block);
        if (!next) continue;
        if (block.getFirstNonPHI() != block.getTerminator()) { // what prepares a loop stays
            if (!dominators) dominators.emplace(function);
            if (dominators->dominates(&block, next)) continue;
        }
        for (llvm::Instruction& i : block)
            for (const Record& record : llvm::filterDbgVars(i.getDbgRecordRange()))
                if (record.getType() != Record::LocationType::Declare) forget(record, *next);
    }
}

void distrustOverwritten(llvm::Function& function) {
    struct Bytes {
        int64_t end;
        llvm::StoreInst* store;
    };
    const llvm::DataLayout& layout = function.getDataLayout();
    // By what the address is counted from, and by the beginning. What is written again is not looked at any more.
    llvm::DenseMap<llvm::Value*, std::map<int64_t, Bytes>> before;
    for (llvm::BasicBlock& block : function) {
        before.clear();
        for (llvm::Instruction& i : block) {
            if (llvm::isa<llvm::CallBase>(i) && !llvm::isa<llvm::MemIntrinsic>(i) && i.mayReadOrWriteMemory())
                before.clear(); // nothing moves over it
            auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
            if (!store) continue;
            int64_t begin = 0, size = layout.getTypeStoreSize(store->getValueOperand()->getType());
            auto* base = llvm::GetPointerBaseWithConstantOffset(store->getPointerOperand(), begin, layout);
            std::map<int64_t, Bytes>& known = before[base];
            auto other = known.lower_bound(begin);
            if (other != known.begin() && std::prev(other)->second.end > begin) --other;
            while (other != known.end() && other->first < begin + size) {
                for (Record* record : llvm::at::getDVRAssignmentMarkers(other->second.store)) record->setKillAddress();
                other = known.erase(other);
            }
            known[begin] = {begin + size, store};
        }
    }
}

void dropUnknownAssignments(llvm::Function& function) {
    for (llvm::Instruction& i : llvm::instructions(function)) {
        auto* id = llvm::cast_or_null<llvm::DIAssignID>(i.getMetadata(llvm::LLVMContext::MD_DIAssignID));
        if (id && llvm::at::getDVRAssignmentMarkers(&i).empty() && llvm::at::getAssignmentMarkers(id).empty())
            i.setMetadata(llvm::LLVMContext::MD_DIAssignID, nullptr);
    }
}

} // namespace sx::codegen
