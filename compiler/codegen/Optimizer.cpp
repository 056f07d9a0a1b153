#include "codegen/Pipeline.h"
#include "codegen/passes/Assignments.h"

#include "llvm/ADT/Any.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Passes/PassBuilder.h"

namespace sx::codegen {

namespace {

llvm::OptimizationLevel passLevel(int level) {
    if (level <= 1) return llvm::OptimizationLevel::O1;
    return level == 2 ? llvm::OptimizationLevel::O2 : llvm::OptimizationLevel::O3;
}

/// After the last pass.
struct LastOfAssignments : llvm::PassInfoMixin<LastOfAssignments> {
    static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
        for (llvm::Function& function : module) {
            keepAssignments(function); // machine code is made with fewer blocks, too
            dropUnknownAssignments(function);
            distrustOverwritten(function);
        }
        return llvm::PreservedAnalyses::all(); // they are no code
    }
};

/// Where the store to a variable is gone, debug information must not go on telling of the value before it.
void trackAssignments(llvm::PassBuilder& builder, llvm::PassInstrumentationCallbacks& instrumentation) {
    using llvm::ModulePassManager, llvm::OptimizationLevel;
    builder.registerPipelineStartEPCallback(
        [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(llvm::AssignmentTrackingPass()); });
    builder.registerOptimizerLastEPCallback(
        [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(LastOfAssignments()); });
    instrumentation.registerBeforeNonSkippedPassCallback([](llvm::StringRef pass, llvm::Any of) {
        if (pass != "SimplifyCFGPass" && pass != "JumpThreadingPass") return;
        if (auto* function = llvm::any_cast<const llvm::Function*>(&of))
            keepAssignments(const_cast<llvm::Function&>(**function));
    });
}

} // namespace

void optimize(llvm::Module& module, llvm::TargetMachine& machine, int level) {
    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = level >= 2;

    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    llvm::PassInstrumentationCallbacks instrumentation;
    llvm::PassBuilder builder(&machine, tuning, std::nullopt, &instrumentation);
    functions.registerPass(
        [&] { return llvm::TargetLibraryAnalysis(llvm::TargetLibraryInfoImpl(machine.getTargetTriple())); });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    if (module.getNamedMetadata("llvm.dbg.cu")) trackAssignments(builder, instrumentation);
    builder.buildPerModuleDefaultPipeline(passLevel(level)).run(module, modules);
}

} // namespace sx::codegen
