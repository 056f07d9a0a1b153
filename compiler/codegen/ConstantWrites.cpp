#include "codegen/ConstantWrites.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace sx::codegen {

namespace {
constexpr llvm::StringLiteral Mark = "sx.constant";
} // namespace

/// What is mentioned in the list of used globals counts as changed by somebody that the optimiser does not see.
void keepWrites(llvm::Module& module, llvm::ArrayRef<llvm::GlobalVariable*> globals) {
    llvm::SmallVector<llvm::GlobalValue*, 0> seen(globals.begin(), globals.end());
    for (llvm::GlobalVariable* global : globals) {
        global->setConstant(false);
        global->setMetadata(Mark, llvm::MDNode::get(module.getContext(), {}));
    }
    llvm::appendToCompilerUsed(module, seen);
}

void restoreConstants(llvm::Module& module) {
    unsigned mark = module.getMDKindID(Mark);
    llvm::removeFromUsedLists(module, [&](llvm::Constant* c) {
        auto* global = llvm::dyn_cast<llvm::GlobalVariable>(c->stripPointerCasts());
        return global && global->hasMetadata(mark);
    });
    for (llvm::GlobalVariable& global : module.globals()) {
        if (!global.hasMetadata(mark)) continue;
        global.setConstant(true);
        global.eraseMetadata(mark);
    }
}

} // namespace sx::codegen
