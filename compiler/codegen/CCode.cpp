#include "codegen/CCode.h"

#include "codegen/Linker.h"
#include "codegen/LinkerInputs.h"
#include "codegen/Machine.h"
#include "codegen/Pipeline.h"
#include "ir/AsmFunctions.h"
#include "source/CCode.h"
#include "source/Files.h"
#include "source/LoadedLibraries.h"
#include "source/UndefinedSymbols.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <cstdlib>
#include <dlfcn.h>
#include <set>

namespace sx::codegen {

namespace {

/// Code that is loaded. Its functions are called where they are; the program's own through the table.
class LoadedCode : public ir::ForeignCode {
public:
    LoadedCode(void* handle, std::set<std::string> defined, std::vector<std::string> exports)
        : handle_(handle), defined_(std::move(defined)), exports_(std::move(exports)) {
        table_ = static_cast<void**>(dlsym(handle_, ExportTable));
    }

    void* find(const std::string& symbol) override {
        return defined_.count(symbol) != 0 ? dlsym(handle_, symbol.c_str()) : nullptr;
    }
    const std::vector<std::string>& exports() const override { return exports_; }
    void provide(size_t index, void* address) override { table_[index] = address; }

private:
    void* handle_;
    std::set<std::string> defined_;
    std::vector<std::string> exports_;
    void** table_ = nullptr;
};

} // namespace

CCode::CCode(std::vector<CFile> files, std::vector<std::string> exports, CCodeOptions options)
    : files_(std::move(files)), exports_(std::move(exports)), options_(std::move(options)) {}

// ---- compiling

Result<void> CCode::compile() {
    if (!compiled_) compiled_ = compileAll();
    return *compiled_;
}

Result<void> CCode::compileAll() {
    if (isEmpty()) return {};
    Result<std::string> compiler = findCCompiler(files_.front().shown);
    if (!compiler) return compiler.failure();
    folder_ = std::make_unique<TemporaryFolder>();
    for (const std::string& name : exports_) definedIn_[name] = "";
    for (const CFile& file : files_) {
        std::string object = folder_->path() + "/" + std::to_string(objects_.size()) + ".o";
        if (Result<void> done = compileOne(*compiler, file, object); !done) return done;
        if (Result<void> noted = noteSymbols(file, object); !noted) return noted;
        objects_.push_back(object);
    }
    // Some operations are calls of the compiler's own library.
    std::string answer = folder_->path() + "/library";
    if (runCommand({*compiler, "-print-libgcc-file-name"}, answer))
        if (Result<std::string> library = readTextFile(answer))
            if (std::string path = llvm::StringRef(*library).trim().str(); llvm::sys::fs::exists(path))
                objects_.push_back(path);
    return {};
}

Result<void> CCode::compileOne(const std::string& compiler, const CFile& file, const std::string& object) {
    std::vector<std::string> arguments{compiler, "-c", "-fPIC", "-O" + std::to_string(options_.optLevel)};
    if (options_.debugInfo) arguments.push_back("-g");
    if (!options_.sysroot.empty()) arguments.push_back("--sysroot=" + options_.sysroot);
    arguments.insert(arguments.end(), file.options.begin(), file.options.end());
    std::string path = file.path;
    if (path.empty()) {
        path = object + ".c";
        if (Result<void> kept = folder_->write(path, file.content); !kept) return kept;
    }
    arguments.insert(arguments.end(), {path, "-o", object});
    Result<void> done = runCommand(arguments, folder_->path() + "/messages");
    return done ? done : Failure{"cannot compile " + code(file.shown) + ":\n" + done.error()};
}

Result<void> CCode::noteSymbols(const CFile& file, const std::string& object) {
    startLlvm();
    auto read = llvm::object::ObjectFile::createObjectFile(object);
    if (!read)
        return Failure{"cannot read the object of " + code(file.shown) + ": " + llvm::toString(read.takeError())};
    using llvm::object::BasicSymbolRef;
    for (const llvm::object::SymbolRef& symbol : read->getBinary()->symbols()) {
        llvm::Expected<uint32_t> flags = symbol.getFlags();
        llvm::Expected<llvm::StringRef> name = symbol.getName();
        bool isKnown = flags && name;
        if (isKnown && (*flags & BasicSymbolRef::SF_Undefined))
            usesAssembly_ |= options_.assembly && ir::assemblyWith(*options_.assembly, *name);
        if (!flags) llvm::consumeError(flags.takeError());
        if (!name) llvm::consumeError(name.takeError());
        if (!isKnown || !(*flags & BasicSymbolRef::SF_Global) || (*flags & BasicSymbolRef::SF_Undefined)) continue;
        auto [first, isNew] = definedIn_.try_emplace(*name, file.shown);
        bool mayRepeat = (*flags & (BasicSymbolRef::SF_Weak | BasicSymbolRef::SF_Common)) != 0;
        if (isNew || mayRepeat) continue;
        return Failure{"the symbol " + code(name->str()) + " is defined by " + code(file.shown) + " and " +
                       (first->second.empty() ? "exported by the program" : "by " + code(first->second))};
    }
    return {};
}

// ---- loading

Result<std::string> CCode::exportObject() {
    Result<std::unique_ptr<llvm::TargetMachine>> machine = createMachine({}, CodeUse::InProcess);
    if (!machine) return machine.failure();
    Lowered code;
    code.context = std::make_unique<llvm::LLVMContext>();
    code.machine = std::move(*machine);
    code.module = std::make_unique<llvm::Module>("exports", *code.context);
    code.module->setTargetTriple(TargetTriple);
    code.module->setDataLayout(code.machine->createDataLayout());
    std::string text = exportAssembly(exports_);
    for (const ir::AsmText& a : usesAssembly_ ? *options_.assembly : std::vector<ir::AsmText>())
        text += ".text\n" + a.text + "\n";
    code.module->setModuleInlineAsm(text);
    llvm::SmallString<0> bytes;
    llvm::raw_svector_ostream out(bytes);
    if (Result<void> written = writeCode(code, {}, llvm::CodeGenFileType::ObjectFile, out); !written)
        return written.failure();
    std::string path = folder_->path() + "/exports.o";
    Result<void> kept = folder_->write(path, bytes.str());
    return kept ? Result<std::string>(path) : kept.failure();
}

Result<void> CCode::linkShared(const std::string& output) {
    Result<std::string> table = exportObject();
    if (!table) return table.failure();
    std::vector<std::string> inputs{*table};
    inputs.insert(inputs.end(), objects_.begin(), objects_.end());
    return linkSharedObject(inputs, options_.libraries, options_.libraryPaths, output);
}

/// The dynamic linker names the first symbol that it misses; all are looked for in what it was given.
Failure CCode::notLoaded(const std::string& path, llvm::StringRef reason) const {
    using namespace llvm::object;
    std::set<std::string> missing;
    LoadedLibraries libraries;
    for (const std::string& name : options_.libraries) static_cast<void>(libraries.load(name, options_.libraryPaths));
    auto file = llvm::object::ObjectFile::createObjectFile(path);
    if (const auto* elf = file ? llvm::dyn_cast<ELFObjectFileBase>(file->getBinary()) : nullptr)
        for (const ELFSymbolRef& symbol : elf->getDynamicSymbolIterators()) {
            auto flags = symbol.getFlags();
            auto name = symbol.getName();
            bool isNeeded =
                flags && name && (*flags & BasicSymbolRef::SF_Undefined) && !(*flags & BasicSymbolRef::SF_Weak);
            if (isNeeded && !libraries.find(name->str())) missing.insert(name->str());
            if (!flags) llvm::consumeError(flags.takeError());
            if (!name) llvm::consumeError(name.takeError());
        }
    if (!file) llvm::consumeError(file.takeError());
    if (!missing.empty()) return Failure{undefinedSymbols(missing)};
    reason.consume_front(path);
    reason.consume_front(": ");
    return Failure{"cannot load the C code of the program: " + reason.str()};
}

Result<std::unique_ptr<ir::ForeignCode>> CCode::load() {
    if (isEmpty()) return std::unique_ptr<ir::ForeignCode>();
    if (Result<void> done = compile(); !done) return done.failure();
    // The dynamic linker knows a file that it has loaded; another copy has variables of its own.
    std::string path = folder_->path() + "/code" + std::to_string(copies_++) + ".so";
    if (Result<void> linked = linkShared(path); !linked) return linked.failure();
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return notLoaded(path, dlerror());
    std::set<std::string> defined;
    for (const auto& entry : definedIn_)
        if (!entry.second.empty()) defined.insert(entry.first().str());
    return std::unique_ptr<ir::ForeignCode>(std::make_unique<LoadedCode>(handle, std::move(defined), exports_));
}

} // namespace sx::codegen
