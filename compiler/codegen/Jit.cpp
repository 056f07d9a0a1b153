// Running a program in this process.
//
// The module is compiled to an object in memory, a large one to several, which ORC links. RuntimeDyld does the linking:
// its cost grows linearly with the number of functions. The objects are registered with debuggers.
#include "codegen/Codegen.h"
#include "codegen/JitMemory.h"
#include "codegen/Pipeline.h"
#include "codegen/RuntimeSymbols.h"
#include "codegen/library/LibraryCode.h"
#include "ir/NeededSymbols.h"
#include "source/CCode.h"
#include "source/FreedBlocks.h"
#include "source/LoadedLibraries.h"
#include "source/UndefinedSymbols.h"

#include "functions.h"
#include "heap.h"
#include "sx/trace.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ExecutionEngine/JITEventListener.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ExecutorProcessControl.h"
#include "llvm/ExecutionEngine/Orc/RTDyldObjectLinkingLayer.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

namespace sx::codegen {

namespace {

using namespace llvm::orc;

/// Defines what the program does not define itself: the runtime, its libraries, the process.
class OutsideSymbols : public DefinitionGenerator {
public:
    OutsideSymbols(LoadedLibraries libraries, ir::ForeignCode* foreign, std::set<std::string>& missing)
        : libraries_(std::move(libraries)), foreign_(foreign), missing_(missing) {}

    llvm::Error tryToGenerate(LookupState&, LookupKind, JITDylib& dylib, JITDylibLookupFlags,
                              const SymbolLookupSet& wanted) override {
        SymbolMap found;
        for (const auto& [name, flags] : wanted) {
            void* address = runtimeSymbol(*name);
            if (!address) address = libraryFunction(*name);
            if (!address && foreign_) address = foreign_->find((*name).str());
            if (!address) address = libraries_.find((*name).str());
            if (address) found[name] = {ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
            else missing_.insert((*name).str());
        }
        return found.empty() ? llvm::Error::success() : dylib.define(absoluteSymbols(std::move(found)));
    }

private:
    LoadedLibraries libraries_;
    ir::ForeignCode* foreign_;
    std::set<std::string>& missing_;
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

    /// Takes in the objects. What they need is looked for when something of them is.
    Result<void> add(std::vector<ObjectBytes> objects, LoadedLibraries libraries, ir::ForeignCode* foreign) {
        dylib_ = &session_->createBareJITDylib("program");
        dylib_->addGenerator(std::make_unique<OutsideSymbols>(std::move(libraries), foreign, missing_));
        for (ObjectBytes& bytes : objects) {
            auto object = std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(bytes), "program",
                                                                          /*RequiresNullTerminator=*/false);
            if (llvm::Error e = linker_->add(*dylib_, std::move(object))) return failure(std::move(e));
        }
        return {};
    }

    /// The address of a symbol of the object.
    Result<void*> find(const std::string& symbol) {
        auto found = session_->lookup({dylib_}, session_->intern(symbol));
        if (found) return found->getAddress().toPtr<void*>();
        Failure why = failure(found.takeError());
        if (missing_.empty()) return why;
        return Failure{undefinedSymbols(missing_)};
    }

    /// Links the objects and finds their function `symbol`. Where there are names of errors, the trace runtime gets to
    /// know them; the C code of the program, if there is any, what it exports.
    Result<void*> load(std::vector<ObjectBytes> objects, LoadedLibraries libraries, ir::ForeignCode* foreign,
                       const std::string& symbol, bool hasErrorNames) {
        if (Result<void> added = add(std::move(objects), std::move(libraries), foreign); !added) return added.failure();
        Result<void*> entry = find(symbol);
        if (!entry) return entry;
        if (hasErrorNames)
            if (Result<void*> names = find("sx_trace_error_names"))
                sx_trace_set_error_names(static_cast<const struct sx_trace_error_names*>(*names));
        for (size_t i = 0; foreign && i < foreign->exports().size(); ++i) // one may have a declaration only
            if (Result<void*> function = find(foreign->exports()[i])) foreign->provide(i, *function);
        return entry;
    }

private:
    static Failure failure(llvm::Error e) { return {llvm::toString(std::move(e))}; }

    JitMemory memory_; ///< outlives what is loaded into it
    std::unique_ptr<ExecutionSession> session_;
    std::unique_ptr<RTDyldObjectLinkingLayer> linker_;
    JITDylib* dylib_ = nullptr;
    std::set<std::string> missing_; ///< symbols that nobody had
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

/// Whether the functions of the library that the executable contains may be called: they were compiled with the usual
/// options, without debug information, and their functions of C are those of libc and the runtime, which the program's
/// own code of C or libraries, what it exports and its assembly could define, too.
bool takesLibraryCode(const ir::Module& ir, const Options& options) {
    auto isOfSystem = [](const std::string& library) { return library == "c" || library == "m"; };
    auto isExported = [&](const auto& f) { return f->isExport && f.get() != &ir.fn(ir.entry); };
    if (!ir.assembly.empty() || llvm::any_of(ir.functions, isExported)) return false;
    return options.optLevel == 0 && !options.debugInfo && options.cpu.empty() && options.cacheFolder.empty() &&
           !options.foreign && options.libraryPaths.empty() && llvm::all_of(ir.libraries, isOfSystem);
}

/// What is not found the driver has said; what the program calls may be in the process anyway.
LoadedLibraries librariesOf(const ir::Module& ir, const Options& options) {
    LoadedLibraries libraries;
    for (const std::string& name : ir.libraries) static_cast<void>(libraries.load(name, options.libraryPaths));
    return libraries;
}

std::set<std::string> missingIn(const LoadedLibraries& libraries, const ir::Module& ir,
                                llvm::function_ref<bool(const std::string&)> isDefined) {
    std::set<std::string> missing;
    for (const ir::NeededSymbol& needed : ir::neededSymbols(ir))
        if (!runtimeSymbol(needed.symbol) && !isDefined(needed.symbol) && !libraries.find(needed.symbol))
            missing.insert(needed.symbol);
    return missing;
}

} // namespace

std::set<std::string> missingSymbols(const ir::Module& ir, const Options& options,
                                     llvm::function_ref<bool(const std::string&)> isDefined) {
    return missingIn(librariesOf(ir, options), ir, isDefined);
}

Result<LoadedProgram> loadInProcess(const ir::Module& ir, const Options& options, Timings* timings) {
    if (ir.entry == ir::FuncId::None) return Failure{"the program has no main"};
    if (Result<void> fits = dataFits(ir); !fits) return fits.failure();
    const FreedBlocks kept;
    bool isHeapTracked = sx_heap_decide(/*force=*/false);
    Options own = options;
    if (!isHeapTracked && takesLibraryCode(ir, options)) own.libraryCode = LibraryCode::Use;
    Result<std::vector<ObjectBytes>> code = compileObjects(ir, own, CodeUse::InProcess, timings);
    if (!code) return code.failure();
    StageTimer timer;
    LoadedLibraries libraries = librariesOf(ir, options);
    auto isOfC = [&](const std::string& symbol) { return options.foreign && options.foreign->find(symbol); };
    std::set<std::string> missing = missingIn(libraries, ir, isOfC);
    if (!missing.empty()) return Failure{undefinedSymbols(missing)};
    // Lives as long as the process: exit handlers and threads of the program may run after its main returned.
    auto* session = new JitSession;
    if (Result<void> started = session->start(); !started) return started.failure();
    Result<void*> entry = session->load(std::move(*code), std::move(libraries), options.foreign, ir.fn(ir.entry).symbol,
                                        ir.errorNames != ir::GlobalId::None);
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

// ---- code without a main

namespace {

/// The symbols that an object makes visible.
llvm::StringSet<> visibleSymbols(llvm::StringRef bytes) {
    llvm::StringSet<> names;
    using namespace llvm::object;
    auto object = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "program"));
    if (!object) {
        llvm::consumeError(object.takeError());
        return names;
    }
    for (const SymbolRef& symbol : (*object)->symbols()) {
        uint32_t flags = llvm::cantFail(symbol.getFlags());
        if ((flags & BasicSymbolRef::SF_Global) && !(flags & BasicSymbolRef::SF_Undefined))
            names.insert(llvm::cantFail(symbol.getName()));
    }
    return names;
}

class ModuleCode : public ir::ForeignCode {
public:
    ModuleCode(JitSession& session, llvm::StringSet<> defined, std::vector<std::string> exports)
        : session_(session), defined_(std::move(defined)), exports_(std::move(exports)) {}

    void* find(const std::string& symbol) override {
        if (!defined_.contains(symbol)) return nullptr;
        Result<void*> found = session_.find(symbol);
        return found ? *found : nullptr;
    }
    const std::vector<std::string>& exports() const override { return exports_; }
    void provide(size_t index, void* address) override {
        if (Result<void*> table = session_.find(ExportTable)) static_cast<void**>(*table)[index] = address;
    }

private:
    JitSession& session_;
    llvm::StringSet<> defined_;
    std::vector<std::string> exports_;
};

class JoinedCode : public ir::ForeignCode {
public:
    JoinedCode(std::unique_ptr<ir::ForeignCode> first, std::unique_ptr<ir::ForeignCode> second)
        : first_(std::move(first)), second_(std::move(second)), exports_(first_->exports()) {
        exports_.insert(exports_.end(), second_->exports().begin(), second_->exports().end());
    }

    void* find(const std::string& symbol) override {
        void* found = first_->find(symbol);
        return found ? found : second_->find(symbol);
    }
    const std::vector<std::string>& exports() const override { return exports_; }
    void provide(size_t index, void* address) override {
        size_t ofFirst = first_->exports().size();
        if (index < ofFirst) first_->provide(index, address);
        else second_->provide(index - ofFirst, address);
    }

private:
    std::unique_ptr<ir::ForeignCode> first_, second_;
    std::vector<std::string> exports_;
};

} // namespace

Result<std::unique_ptr<ir::ForeignCode>> loadModuleCode(ir::Module& ir, std::vector<std::string> exports,
                                                        const Options& options) {
    std::string table = ".globl " + std::string(ExportTable) + "\n" + exportAssembly(exports);
    ir.assembly.push_back({std::move(table), {}});
    Result<ObjectBytes> code = compileObject(ir, options, CodeUse::InProcess, nullptr);
    if (!code) return code.failure();
    llvm::StringSet<> defined = visibleSymbols({code->data(), code->size()});
    for (const std::string& name : exports) defined.erase(name);
    LoadedLibraries libraries = librariesOf(ir, options);
    auto* session = new JitSession; // its code may run as long as the process does
    if (Result<void> started = session->start(); !started) return started.failure();
    std::vector<ObjectBytes> objects;
    objects.push_back(std::move(*code));
    if (Result<void> added = session->add(std::move(objects), std::move(libraries), options.foreign); !added)
        return added.failure();
    if (Result<void*> linked = session->find(ExportTable); !linked) return linked.failure();
    return std::unique_ptr<ir::ForeignCode>(
        std::make_unique<ModuleCode>(*session, std::move(defined), std::move(exports)));
}

std::unique_ptr<ir::ForeignCode> joinCode(std::unique_ptr<ir::ForeignCode> first,
                                          std::unique_ptr<ir::ForeignCode> second) {
    if (!second) return first;
    for (size_t i = 0; i < second->exports().size(); ++i)
        if (void* address = first->find(second->exports()[i])) second->provide(i, address);
    return std::make_unique<JoinedCode>(std::move(first), std::move(second));
}

} // namespace sx::codegen
