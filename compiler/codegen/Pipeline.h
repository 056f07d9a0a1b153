// From an IR module to machine code, step by step. What the functions of Codegen.h share.
#pragma once

#include "codegen/Machine.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace sx::codegen {

/// A module on its way. The members are destroyed in reverse order: what LLVM makes dies before its context.
struct Lowered {
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::TargetMachine> machine;
    std::unique_ptr<llvm::Module> module;
    const ir::Module* ir = nullptr; ///< what it is made of; null: of nothing but assembly
    CodeUse use = CodeUse::Executable;
};

/// Emits LLVM code and optimises it. `keepNames` for code that is to be read.
Result<Lowered> lower(const ir::Module&, const Options&, CodeUse, bool keepNames = false);

/// Runs LLVM's optimiser at level 1 to 3.
void optimize(llvm::Module&, llvm::TargetMachine&, int level);

/// Gives trace calls their final form and writes machine code or assembly.
Result<void> writeCode(Lowered&, const Options&, llvm::CodeGenFileType, llvm::raw_pwrite_stream&);

using ObjectBytes = llvm::SmallVector<char, 0>;
/// All of it, to a relocatable object; from the cache, if the options name one and it is there.
Result<ObjectBytes> compileObject(const ir::Module&, const Options&, CodeUse, Timings*);
/// The same, to several objects if that is worth while: as many as the options say.
Result<std::vector<ObjectBytes>> compileObjects(const ir::Module&, const Options&, CodeUse, Timings*);

/// Adds the time since it was made, or since the last call, to `*milliseconds`.
class StageTimer {
public:
    StageTimer();
    void addTo(double* milliseconds);

private:
    double last_;
};

} // namespace sx::codegen
