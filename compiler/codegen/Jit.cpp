// Running a program in this process.
//
// The module is compiled as a whole to an object in memory, which ORC links. RuntimeDyld does the linking: its
// cost grows linearly with the number of functions. The object is registered with debuggers.
#include "codegen/Codegen.h"
#include "codegen/JitMemory.h"
#include "codegen/Pipeline.h"
#include "codegen/RuntimeSymbols.h"

#include "functions.h"
#include "heap.h"
#include "sx/trace.h"

#include "llvm/ExecutionEngine/JITEventListener.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ExecutorProcessControl.h"
#include "llvm/ExecutionEngine/Orc/RTDyldObjectLinkingLayer.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

namespace sx::codegen {

namespace {

using namespace llvm::orc;

/// Defines what the program does not define itself: the runtime, its libraries, the process.
class OutsideSymbols : public DefinitionGenerator {
public:
    OutsideSymbols(LoadedLibraries libraries, ir::ForeignCode* foreign, std::string& missing)
        : libraries_(std::move(libraries)), foreign_(foreign), missing_(missing) {}

    llvm::Error tryToGenerate(LookupState&, LookupKind, JITDylib& dylib, JITDylibLookupFlags,
                              const SymbolLookupSet& wanted) override {
        SymbolMap found;
        for (const auto& [name, flags] : wanted) {
            void* address = runtimeSymbol(*name);
            if (!address && foreign_) address = foreign_->find((*name).str());
            if (!address) address = libraries_.find((*name).str());
            if (address) found[name] = {ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
            else if (missing_.empty()) missing_ = (*name).str();
        }
        return found.empty() ? llvm::Error::success() : dylib.define(absoluteSymbols(std::move(found)));
    }

private:
    LoadedLibraries libraries_;
    ir::ForeignCode* foreign_;
    std::string& missing_;
};

/// Tells the runtime of the program's table of functions (FunctionTable.h).
class Sections : public llvm::SectionMemoryManager {
public:
    using SectionMemoryManager::SectionMemoryManager;

    uint8_t* allocateDataSection(uintptr_t bytes, unsigned alignment, unsigned id, llvm::StringRef name,
                                 bool isReadOnly) override {
        uint8_t* memory = SectionMemoryManager::allocateDataSection(bytes, alignment, id, name, isReadOnly);
        if (memory && name == "sx_functions") sx_functions_add(memory, bytes);
        return memory;
    }
};

/// One loaded program.
class JitSession {
public:
    Result<void> start() {
        auto control = SelfExecutorProcessControl::Create();
        if (!control) return failure(control.takeError());
        session_ = std::make_unique<ExecutionSession>(std::move(*control));
        session_->setErrorReporter([](llvm::Error e) { llvm::consumeError(std::move(e)); }); // the lookup fails as well
        linker_ = std::make_unique<RTDyldObjectLinkingLayer>(*session_,
                                                             [this] { return std::make_unique<Sections>(&memory_); });
        linker_->registerJITEventListener(*llvm::JITEventListener::createGDBRegistrationListener());
        return {};
    }

    /// Links the object and finds its function `symbol`. Where it has names of errors, the trace runtime gets to know
    /// them; the C code of the program, if there is any, what it exports.
    Result<void*> load(std::unique_ptr<llvm::MemoryBuffer> object, LoadedLibraries libraries, ir::ForeignCode* foreign,
                       const std::string& symbol, bool hasErrorNames) {
        std::string missing;
        JITDylib& dylib = session_->createBareJITDylib("program");
        dylib.addGenerator(std::make_unique<OutsideSymbols>(std::move(libraries), foreign, missing));
        if (llvm::Error e = linker_->add(dylib, std::move(object))) return failure(std::move(e));
        auto entry = session_->lookup({&dylib}, session_->intern(symbol));
        if (entry && hasErrorNames) {
            auto names = session_->lookup({&dylib}, session_->intern("sx_trace_error_names"));
            if (names) sx_trace_set_error_names(names->getAddress().toPtr<const struct sx_trace_error_names*>());
            else llvm::consumeError(names.takeError());
        }
        if (entry && foreign) provideExports(dylib, *foreign);
        if (entry) return entry->getAddress().toPtr<void*>();
        Failure why = failure(entry.takeError());
        return missing.empty() ? why : Failure{"undefined symbol: " + missing};
    }

private:
    void provideExports(JITDylib& dylib, ir::ForeignCode& foreign) {
        for (size_t i = 0; i < foreign.exports().size(); ++i) {
            auto function = session_->lookup({&dylib}, session_->intern(foreign.exports()[i]));
            if (function) foreign.provide(i, function->getAddress().toPtr<void*>());
            else llvm::consumeError(function.takeError()); // it has a declaration only
        }
    }
    static Failure failure(llvm::Error e) { return {llvm::toString(std::move(e))}; }

    JitMemory memory_; ///< outlives what is loaded into it
    std::unique_ptr<ExecutionSession> session_;
    std::unique_ptr<RTDyldObjectLinkingLayer> linker_;
};

int callEntry(void* entry, const std::vector<std::string>& argv) {
    std::vector<char*> args;
    for (const std::string& arg : argv) args.push_back(const_cast<char*>(arg.c_str()));
    args.push_back(nullptr);
    return reinterpret_cast<int (*)(int, char**)>(entry)(static_cast<int>(argv.size()), args.data());
}

/// Whether the variables leave enough of the code's range for the code.
Result<void> dataFits(const ir::Module& ir) {
    constexpr uint64_t Room = JitMemory::ReservedBytes - (uint64_t(256) << 20);
    uint64_t total = 0;
    for (const ir::Global& g : ir.globals) {
        if (g.isExtern || g.size <= Room - total) {
            total += g.isExtern ? 0 : g.size;
            continue;
        }
        return Failure{"the globals of the program need more than " + std::to_string(Room >> 20) +
                       " MiB, which `sx run` has no room for: build it with `sx build`"};
    }
    return {};
}

} // namespace

Result<LoadedProgram> loadInProcess(const ir::Module& ir, const Options& options, Timings* timings) {
    if (ir.entry == ir::FuncId::None) return Failure{"the program has no main"};
    if (Result<void> fits = dataFits(ir); !fits) return fits.failure();
    Result<ObjectBytes> code = compileObject(ir, options, CodeUse::InProcess, timings);
    if (!code) return code.failure();
    static_cast<void>(sx_heap_decide(/*force=*/false));
    StageTimer timer;
    LoadedLibraries libraries;
    // What is not found the driver has said; what the program calls may be in the process anyway.
    for (const std::string& name : ir.libraries) static_cast<void>(libraries.load(name, options.libraryPaths));
    // Lives as long as the process: exit handlers and threads of the program may run after its main returned.
    auto* session = new JitSession;
    if (Result<void> started = session->start(); !started) return started.failure();
    auto object = std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(*code), "program",
                                                                  /*RequiresNullTerminator=*/false);
    Result<void*> entry = session->load(std::move(object), std::move(libraries), options.foreign,
                                        ir.fn(ir.entry).symbol, ir.errorNames != ir::GlobalId::None);
    if (!entry) return entry.failure();
    timer.addTo(timings ? &timings->jit : nullptr);
    return LoadedProgram([entry = *entry](const std::vector<std::string>& argv) { return callEntry(entry, argv); });
}

Result<int> runInProcess(const ir::Module& ir, const Options& options, const std::vector<std::string>& argv,
                         Timings* timings) {
    Result<LoadedProgram> program = loadInProcess(ir, options, timings);
    if (!program) return program.failure();
    return (*program)(argv);
}

} // namespace sx::codegen
