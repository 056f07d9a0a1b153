#include "codegen/Codegen.h"

#include "codegen/ConstantWrites.h"
#include "codegen/FunctionTable.h"
#include "codegen/Pipeline.h"
#include "codegen/RuntimeSymbols.h"
#include "codegen/TraceLowering.h"
#include "ir/NeededSymbols.h"
#include "source/LoadedLibraries.h"

#include "llvm/ADT/SmallString.h"

namespace sx::codegen {

std::string llvmText(const ir::Module& ir, const Options& options) {
    Result<Lowered> lowered = lower(ir, options, CodeUse::Executable, /*keepNames=*/true);
    if (!lowered) return "; " + lowered.error() + "\n";
    // Where traces are recorded their calls read better than what becomes of them.
    if (!options.traces) lowerTraces(*lowered->module, false, TraceForm::Statements);
    restoreConstants(*lowered->module);
    forgetFunctions(*lowered->module);
    std::string text;
    llvm::raw_string_ostream out(text);
    lowered->module->print(out, nullptr);
    return text;
}

Result<std::string> assembly(const ir::Module& ir, const Options& options) {
    Result<Lowered> lowered = lower(ir, options, CodeUse::Executable);
    if (!lowered) return lowered.failure();
    llvm::SmallString<0> code;
    llvm::raw_svector_ostream out(code);
    Result<void> written = writeCode(*lowered, options, llvm::CodeGenFileType::AssemblyFile, out);
    if (!written) return written.failure();
    return code.str().str();
}

Result<ObjectFile> emitObject(const ir::Module& ir, const Options& options, Timings* timings) {
    Result<ObjectBytes> code = compileObject(ir, options, CodeUse::Executable, timings);
    if (!code) return code.failure();
    return ObjectFile(code->begin(), code->end());
}

Result<ObjectFile> emitLibraryCode(const ir::Module& ir) {
    Options options;
    options.libraryCode = LibraryCode::Make;
    return emitObject(ir, options);
}

namespace {

/// An object that names what the program needs of others than libc and the runtime: what the optimiser and the linker
/// leave out is missed as well, if nobody has it. None: there is no such symbol.
Result<std::optional<ObjectFile>> emitNeeds(const ir::Module& ir, const Options& options) {
    const LoadedLibraries always;
    std::string names;
    for (const ir::NeededSymbol& needed : ir::neededSymbols(ir))
        if (!runtimeSymbol(needed.symbol) && !always.find(needed.symbol)) names += "\n.quad \"" + needed.symbol + "\"";
    if (names.empty()) return std::optional<ObjectFile>();
    ir::Module needs(ir.types, ir.sources);
    needs.assembly.push_back({".section .data.rel.ro.sx_needs,\"awR\",@progbits\n.balign 8" + names + "\n", {}});
    Result<ObjectFile> object = emitObject(needs, options, nullptr);
    if (!object) return object.failure();
    return std::optional(std::move(*object));
}

} // namespace

Result<std::vector<ObjectFile>> emitObjects(const ir::Module& ir, const Options& options, Timings* timings) {
    Result<std::vector<ObjectBytes>> code = compileObjects(ir, options, CodeUse::Executable, timings);
    if (!code) return code.failure();
    std::vector<ObjectFile> objects;
    for (const ObjectBytes& bytes : *code) objects.emplace_back(bytes.begin(), bytes.end());
    Result<std::optional<ObjectFile>> needs = emitNeeds(ir, options);
    if (!needs) return needs.failure();
    if (*needs) objects.push_back(std::move(**needs));
    return objects;
}

} // namespace sx::codegen
