#include "codegen/passes/Assignments.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include <map>

namespace sx::codegen {

namespace {

using Record = llvm::DbgVariableRecord;

/// Nothing but a jump is left of the block, and others jump there, too: it is about to go, with what it says.
llvm::BasicBlock* onlyJump(llvm::BasicBlock& block) {
    auto* branch = llvm::dyn_cast_or_null<llvm::BranchInst>(block.getTerminator());
    if (!branch || branch->isConditional() || block.getFirstNonPHI() != branch) return nullptr;
    llvm::BasicBlock* next = branch->getSuccessor(0);
    return next != &block && !next->getUniquePredecessor() ? next : nullptr;
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
        if (known.isKillLocation() && known.getVariable() == record.getVariable() && known.getExpression() == bytes &&
            known.getDebugLoc().getInlinedAt() == record.getDebugLoc().getInlinedAt())
            return;
    auto* none = llvm::PoisonValue::get(llvm::Type::getInt1Ty(block.getContext()));
    block.insertDbgRecordBefore(
        Record::createDbgVariableRecord(none, record.getVariable(), bytes, record.getDebugLoc().get()), begin);
}

} // namespace

void keepAssignments(llvm::Function& function) {
    for (llvm::BasicBlock& block : function) {
        llvm::BasicBlock* next = onlyJump(block);
        if (!next) continue;
        for (llvm::Instruction& i : block)
            for (const Record& record : llvm::filterDbgVars(i.getDbgRecordRange()))
                if (record.isDbgAssign()) forget(record, *next);
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
