#include "codegen/Codegen.h"

#include "codegen/ConstantWrites.h"
#include "codegen/FunctionTable.h"
#include "codegen/Pipeline.h"
#include "codegen/TraceLowering.h"

#include "llvm/ADT/SmallString.h"

namespace sx::codegen {

std::string llvmText(const ir::Module& ir, const Options& options) {
    Lowered lowered;
    std::string text;
    if (!lower(ir, options, CodeUse::Executable, lowered, text, /*keepNames=*/true)) return "; " + text + "\n";
    // Where traces are recorded their calls read better than what becomes of them.
    if (!options.traces) lowerTraces(*lowered.module, false, TraceForm::Statements);
    restoreConstants(*lowered.module);
    forgetFunctions(*lowered.module);
    llvm::raw_string_ostream out(text);
    lowered.module->print(out, nullptr);
    return text;
}

bool assembly(const ir::Module& ir, const Options& options, std::string& text, std::string& error) {
    Lowered lowered;
    if (!lower(ir, options, CodeUse::Executable, lowered, error)) return false;
    llvm::SmallString<0> code;
    llvm::raw_svector_ostream out(code);
    if (!writeCode(lowered, options, llvm::CodeGenFileType::AssemblyFile, out, error)) return false;
    text = code.str();
    return true;
}

bool emitObject(const ir::Module& ir, const Options& options, std::vector<char>& object, std::string& error,
                Timings* timings) {
    llvm::SmallVector<char, 0> code;
    if (!compileObject(ir, options, CodeUse::Executable, code, error, timings)) return false;
    object.assign(code.begin(), code.end());
    return true;
}

} // namespace sx::codegen
