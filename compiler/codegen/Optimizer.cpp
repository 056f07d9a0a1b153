#include "codegen/Pipeline.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Passes/PassBuilder.h"

namespace sx::codegen {

namespace {

llvm::OptimizationLevel passLevel(int level) {
    if (level <= 1) return llvm::OptimizationLevel::O1;
    return level == 2 ? llvm::OptimizationLevel::O2 : llvm::OptimizationLevel::O3;
}

} // namespace

void optimize(llvm::Module& module, llvm::TargetMachine& machine, int level) {
    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = level >= 2;

    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager components;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder(&machine, tuning);
    functions.registerPass(
        [&] { return llvm::TargetLibraryAnalysis(llvm::TargetLibraryInfoImpl(machine.getTargetTriple())); });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    // Where the store to a variable is gone, debug information must not go on telling of the value before it.
    if (module.getNamedMetadata("llvm.dbg.cu"))
        builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
            passes.addPass(llvm::AssignmentTrackingPass());
        });
    builder.buildPerModuleDefaultPipeline(passLevel(level)).run(module, modules);
}

} // namespace sx::codegen
