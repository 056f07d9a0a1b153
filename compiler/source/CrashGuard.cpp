#include "source/CrashGuard.h"

#include "llvm/Support/CrashRecoveryContext.h"

namespace sx {

bool survives(llvm::function_ref<void()> read) {
    llvm::CrashRecoveryContext::Enable();
    llvm::CrashRecoveryContext context;
    bool isWhole = context.RunSafely(read);
    llvm::CrashRecoveryContext::Disable();
    return isWhole;
}

} // namespace sx
