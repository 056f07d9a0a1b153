#include "codegen/Machine.h"

#include "source/Heap.h"

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <mutex>

using Constructor = void (*)();

extern "C" {
// Of the script; null without it.
extern const Constructor sx_llvm_init_begin[] __attribute__((weak, visibility("hidden")));
extern const Constructor sx_llvm_init_end[] __attribute__((weak, visibility("hidden")));
}

namespace sx::codegen {

void startLlvm() {
    static std::once_flag once;
    std::call_once(once, [] {
        if (!sx_llvm_init_begin) return;
        mapVariables();
        for (const Constructor* c = sx_llvm_init_begin; c != sx_llvm_init_end; ++c) (*c)();
    });
}

namespace {

constexpr llvm::StringLiteral BaselineCpu = "x86-64";
constexpr const char* TripleName = TargetTriple;

/// Lets the block placement take cold blocks out of loops without a measured profile: what fails stands after what
/// succeeds. There is no other way to ask for it than LLVM's own command line option.
void moveColdBlocksOutOfLoops() {
    auto& options = llvm::cl::getRegisteredOptions();
    if (auto it = options.find("force-loop-cold-block"); it != options.end())
        static_cast<llvm::cl::opt<bool>*>(it->second)->setValue(true);
}

const llvm::Target* x86Target(std::string& error) {
    static std::once_flag once;
    startLlvm();
    std::call_once(once, [] {
        LLVMInitializeX86TargetInfo();
        LLVMInitializeX86Target();
        LLVMInitializeX86TargetMC();
        LLVMInitializeX86AsmPrinter();
        LLVMInitializeX86AsmParser(); // for the calls of TraceLowering
        moveColdBlocksOutOfLoops();
    });
    return llvm::TargetRegistry::lookupTarget(TripleName, error);
}

std::string hostFeatures() {
    llvm::SubtargetFeatures features;
    for (const auto& feature : llvm::sys::getHostCPUFeatures()) features.AddFeature(feature.first(), feature.second);
    return features.getString();
}

llvm::CodeGenOptLevel codegenLevel(int level) {
    switch (level) {
    case 0: return llvm::CodeGenOptLevel::None;
    case 1: return llvm::CodeGenOptLevel::Less;
    case 2: return llvm::CodeGenOptLevel::Default;
    }
    return llvm::CodeGenOptLevel::Aggressive;
}

/// Asked before the target machine is made, which would complain on stderr.
bool isKnownCpu(const llvm::Target& target, const std::string& cpu) {
    std::unique_ptr<llvm::MCSubtargetInfo> info(target.createMCSubtargetInfo(TripleName, "", ""));
    return info->isCPUStringValid(cpu);
}

} // namespace

Result<std::unique_ptr<llvm::TargetMachine>> createMachine(const Options& options, CodeUse use) {
    std::string error;
    const llvm::Target* target = x86Target(error);
    if (!target) return Failure{error};
    bool isNative = options.cpu == "native";
    std::string cpu = isNative              ? llvm::sys::getHostCPUName().str()
                      : options.cpu.empty() ? BaselineCpu.str()
                                            : options.cpu;
    std::string features = isNative ? hostFeatures() : "";
    if (!options.cpu.empty() && !isNative && !isKnownCpu(*target, cpu)) return Failure{"unknown CPU '" + cpu + "'"};

    llvm::TargetOptions targetOptions;
    targetOptions.FunctionSections = targetOptions.DataSections = use == CodeUse::Executable; // for --gc-sections
    targetOptions.EnableFastISel = options.optLevel == 0;
    llvm::Reloc::Model relocation = use == CodeUse::Executable ? llvm::Reloc::Static : llvm::Reloc::PIC_;
    return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
        TripleName, cpu, features, targetOptions, relocation, llvm::CodeModel::Small, codegenLevel(options.optLevel)));
}

} // namespace sx::codegen
