// lld, made for every target, initialises all of them and asks for Polly when it does link-time optimisation. Here
// are empty definitions of what it mentions, so that the code of other targets stays out of the compiler.
#include "llvm/Passes/PassPlugin.h"

// The one target that is there keeps its functions: these names are taken instead.
#define LLVMInitializeX86TargetInfo sxUnusedX86TargetInfo
#define LLVMInitializeX86Target sxUnusedX86Target
#define LLVMInitializeX86TargetMC sxUnusedX86TargetMC
#define LLVMInitializeX86AsmPrinter sxUnusedX86AsmPrinter
#define LLVMInitializeX86AsmParser sxUnusedX86AsmParser

extern "C" {
#define LLVM_TARGET(name) \
    void LLVMInitialize##name##TargetInfo() {} \
    void LLVMInitialize##name##Target() {} \
    void LLVMInitialize##name##TargetMC() {}
#include "llvm/Config/Targets.def"

#define LLVM_ASM_PRINTER(name) \
    void LLVMInitialize##name##AsmPrinter() {}
#include "llvm/Config/AsmPrinters.def"

#define LLVM_ASM_PARSER(name) \
    void LLVMInitialize##name##AsmParser() {}
#include "llvm/Config/AsmParsers.def"
}

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "Polly", "", [](llvm::PassBuilder&) {}};
}
