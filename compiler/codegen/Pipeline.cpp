#include "codegen/Pipeline.h"

#include "codegen/ConstantWrites.h"
#include "codegen/FunctionTable.h"
#include "codegen/Machine.h"
#include "codegen/ModuleEmitter.h"
#include "codegen/ObjectCache.h"
#include "codegen/TraceLowering.h"
#include "codegen/library/LibraryCode.h"
#include "codegen/passes/KnownValues.h"
#include "codegen/passes/StatementPlaces.h"
#include "ir/CodeMarks.h"
#include "ir/Partition.h"
#include "source/FreedBlocks.h"
#include "source/Heap.h"
#include "source/SideBySide.h"
#include "types/Layout.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Object/ELFObjectFile.h"

#include <atomic>
#include <chrono>

namespace sx::codegen {

namespace {

/// The inline assembly that begins at a position. (Without a module there is none.)
Span assemblyAt(const ir::Module* ir, uint64_t position) {
    if (!ir) return {};
    for (const auto& fn : ir->functions)
        for (const ir::Instr& i : fn->instrs)
            if (i.op == ir::Op::InlineAsm && i.span.begin.raw == position) return i.span;
    return {};
}

/// Keeps the first error that LLVM reports, and lets it print nothing. Errors in assembly are told with their place.
class ErrorCatcher : public llvm::DiagnosticHandler {
public:
    /// `ir`: what the code is made of, or null.
    ErrorCatcher(const ir::Module* ir, const Options& options, std::string& error)
        : ir_(ir), options_(options), error_(error) {}
    bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
        if (info.getSeverity() != llvm::DS_Error) return true;
        std::string message;
        Span at;
        if (const auto* wrong = llvm::dyn_cast<llvm::DiagnosticInfoInlineAsm>(&info)) {
            at = assemblyAt(ir_, wrong->getLocCookie());
            message = wrong->getMsgStr().str();
        } else if (const auto* parsed = llvm::dyn_cast<llvm::DiagnosticInfoSrcMgr>(&info)) {
            const llvm::SMDiagnostic& d = parsed->getSMDiag();
            uint64_t position = parsed->getLocCookie();
            if (position) at = assemblyAt(ir_, position);
            else if (ir_) at = ModuleEmitter::spanOfLine(*ir_, static_cast<unsigned>(d.getLineNo()));
            message = "the assembler rejects " + code(d.getLineContents().trim().str()) + ": " + d.getMessage().str();
        } else {
            llvm::raw_string_ostream text(message);
            llvm::DiagnosticPrinterRawOStream printer(text);
            info.print(printer);
        }
        if (at.isValid() && options_.reject) options_.reject(at, message);
        if (error_.empty()) error_ = message;
        return true;
    }

private:
    const ir::Module* ir_;
    const Options& options_;
    std::string& error_;
};

Result<void> verified(const llvm::Module& module) {
    std::string problems;
    llvm::raw_string_ostream text(problems);
    if (!llvm::verifyModule(module, &text)) return {};
    return Failure{"internal error: invalid LLVM code: " + problems};
}

Result<Lowered> emitModule(const ir::Module& ir, const Options& options, CodeUse use, const Part& part,
                           bool keepNames) {
    auto machine = createMachine(options, use);
    if (!machine) return machine.failure();
    Lowered lowered;
    lowered.ir = &ir;
    lowered.use = use;
    lowered.machine = std::move(*machine);
    lowered.context = std::make_unique<llvm::LLVMContext>();
    lowered.context->setDiscardValueNames(!keepNames);
    lowered.module = std::make_unique<llvm::Module>("sx", *lowered.context);
    lowered.module->setTargetTriple(lowered.machine->getTargetTriple().str());
    lowered.module->setDataLayout(lowered.machine->createDataLayout());
    if (use == CodeUse::InProcess) lowered.module->setPICLevel(llvm::PICLevel::BigPIC);
    Result<void> done = ModuleEmitter(ir, options, part, *lowered.module).emit();
    if (done && options.verify) done = verified(*lowered.module);
    if (!done) return done.failure();
    return lowered;
}

} // namespace

Result<Lowered> lower(const ir::Module& ir, const Options& options, CodeUse use, bool keepNames) {
    startLlvm();
    Result<Lowered> lowered = emitModule(ir, options, use, {}, keepNames);
    if (lowered && options.optLevel > 0) optimize(*lowered->module, *lowered->machine, options.optLevel);
    return lowered;
}

namespace {

/// In the compiler's process a thread-local cannot be named: RuntimeDyld knows no way to it.
TraceForm traceForm(const Options& options, CodeUse use) {
    if (options.optLevel == 0) return TraceForm::Calls;
    return options.optLevel > 1 && use == CodeUse::Executable ? TraceForm::HopsInPlace : TraceForm::Statements;
}

/// Marks of statements get the form that debuggers pass over.
Result<void> hideStatementMarks(ObjectBytes& bytes) {
    llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> object = llvm::object::ObjectFile::createELFObjectFile(
        llvm::MemoryBufferRef(llvm::StringRef(bytes.data(), bytes.size()), "object"));
    if (!object) return Failure{"internal error: " + llvm::toString(object.takeError())};
    for (const llvm::object::SectionRef& section : (*object)->sections()) {
        llvm::Expected<llvm::StringRef> name = section.getName();
        llvm::Expected<llvm::StringRef> contents = section.getContents();
        bool isLines = name && contents && *name == ".debug_line";
        if (!name) llvm::consumeError(name.takeError());
        if (!contents) llvm::consumeError(contents.takeError());
        if (!isLines) continue;
        auto* begin = reinterpret_cast<uint8_t*>(bytes.data()) + (contents->data() - bytes.data());
        if (!ir::hideMarks({begin, contents->size()})) return Failure{"internal error: the line table is damaged"};
    }
    return {};
}

/// What TargetMachine::addPassesToEmitFile does, but for the pass that follows variables through registers: in
/// unoptimised code each has its place in the frame.
bool addCodePasses(llvm::legacy::PassManager& passes, llvm::LLVMTargetMachine& machine, const Options& options,
                   llvm::CodeGenFileType type, llvm::raw_pwrite_stream& out) {
    auto* functions = new llvm::MachineModuleInfoWrapperPass(&machine);
    llvm::TargetPassConfig* config = machine.createPassConfig(passes);
    config->setDisableVerify(true);
    if (options.optLevel == 0) config->disablePass(&llvm::LiveDebugValuesID);
    passes.add(config);
    passes.add(functions);
    if (config->addISelPasses()) return false;
    config->addMachinePasses();
    config->setInitialized();
    if (options.debugInfo && options.optLevel > 0) passes.add(createKnownValues());
    if (options.debugInfo && options.statementMarks && options.optLevel > 0) passes.add(createStatementPlaces());
    if (machine.addAsmPrinter(passes, out, nullptr, type, functions->getMMI().getContext())) return false;
    passes.add(llvm::createFreeMachineFunctionPass());
    return true;
}

} // namespace

Result<void> writeCode(Lowered& lowered, const Options& options, llvm::CodeGenFileType type,
                       llvm::raw_pwrite_stream& out) {
    restoreConstants(*lowered.module);
    lowerTraces(*lowered.module, options.traces, traceForm(options, lowered.use));
    if (options.libraryCode == LibraryCode::Make && keepLibraryCode(*lowered.module) == 0)
        return Failure{"none of the functions is the same in every program"};
    if (options.libraryCode == LibraryCode::Use) useLibraryCode(*lowered.module);
    if (type == llvm::CodeGenFileType::ObjectFile) addFunctionTable(*lowered.module);
    if (options.verify)
        if (Result<void> valid = verified(*lowered.module); !valid) return valid;
    std::string reported;
    lowered.context->setDiagnosticHandler(std::make_unique<ErrorCatcher>(lowered.ir, options, reported));
    llvm::legacy::PassManager passes;
    passes.add(new llvm::TargetLibraryInfoWrapperPass(lowered.machine->getTargetTriple()));
    if (!addCodePasses(passes, static_cast<llvm::LLVMTargetMachine&>(*lowered.machine), options, type, out))
        return Failure{"internal error: this machine has no code emitter"};
    passes.run(*lowered.module);
    lowered.context->setDiagnosticHandler(nullptr);
    if (!reported.empty()) return Failure{reported};
    return {};
}

namespace {

Result<ObjectBytes> compilePart(const ir::Module& ir, const Options& options, CodeUse use, const Part& part,
                                Timings* timings) {
    const FreedBlocks kept;
    StageTimer timer;
    Result<Lowered> lowered = emitModule(ir, options, use, part, /*keepNames=*/false);
    if (!lowered) return lowered.failure();
    ObjectCache cache(options.cacheFolder);
    std::string key = options.cacheFolder.empty() ? "" : ObjectCache::key(*lowered, options);
    ObjectBytes object;
    bool isKnown = !key.empty() && cache.find(key, object);
    if (!isKnown && options.optLevel > 0) optimize(*lowered->module, *lowered->machine, options.optLevel);
    timer.addTo(timings ? &timings->codegen : nullptr);
    if (isKnown) return object;
    llvm::raw_svector_ostream out(object);
    Result<void> written = writeCode(*lowered, options, llvm::CodeGenFileType::ObjectFile, out);
    if (written && options.debugInfo && options.statementMarks) written = hideStatementMarks(object);
    if (!written) return written.failure();
    if (!key.empty()) cache.store(key, out.str());
    timer.addTo(timings ? &timings->emit : nullptr);
    return object;
}

/// The objects of all parts; empty if one cannot be compiled.
std::vector<ObjectBytes> compileParts(const ir::Module& ir, Options options, CodeUse use, uint32_t count) {
    options.reject = nullptr;                   // which several would call at once
    options.libraryCode = LibraryCode::Compile; // whether it may be used, no part can tell alone
    ir.sources.findLines();
    settleLayouts(ir.types);
    startLlvm();
    ir::Partition partition(ir, count);
    std::vector<ObjectBytes> objects(count);
    std::atomic<bool> succeeded = true;
    sideBySide(count, [&](size_t number) {
        Result<ObjectBytes> object =
            compilePart(ir, options, use, {&partition, static_cast<uint32_t>(number)}, nullptr);
        if (object) objects[number] = std::move(*object);
        else succeeded = false;
    });
    if (!succeeded) objects.clear();
    return objects;
}

} // namespace

Result<ObjectBytes> compileObject(const ir::Module& ir, const Options& options, CodeUse use, Timings* timings) {
    return compilePart(ir, options, use, {}, timings);
}

Result<std::vector<ObjectBytes>> compileObjects(const ir::Module& ir, const Options& options, CodeUse use,
                                                Timings* timings) {
    constexpr unsigned BytesEach = 350, BytesEachWithDebugInfo = 900; // of LLVM's code for an instruction, about
    uint32_t count = options.optLevel == 0 ? ir::partsOf(ir, options.parts) : 1; // together it is optimised better
    growHeapFor(ir::codeSize(ir) / count, options.debugInfo ? BytesEachWithDebugInfo : BytesEach);
    std::vector<ObjectBytes> objects;
    if (count > 1) {
        StageTimer timer;
        objects = compileParts(ir, options, use, count);
        timer.addTo(timings ? &timings->emit : nullptr);
    }
    if (!objects.empty()) return objects;
    // What cannot be compiled is told of the whole.
    Result<ObjectBytes> object = compileObject(ir, options, use, timings);
    if (!object) return object.failure();
    objects.push_back(std::move(*object));
    return objects;
}

namespace {

double now() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

StageTimer::StageTimer() : last_(now()) {}

void StageTimer::addTo(double* milliseconds) {
    double time = now();
    if (milliseconds) *milliseconds += time - last_;
    last_ = time;
}

} // namespace sx::codegen
