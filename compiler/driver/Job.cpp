#include "driver/Job.h"

#include "driver/Completions.h"
#include "driver/DocCommand.h"
#include "driver/FormatCommand.h"
#include "driver/Help.h"
#include "driver/NewCommand.h"
#include "driver/Recordings.h"
#include "driver/Report.h"
#include "driver/SymCommand.h"
#include "driver/TestCommand.h"
#include "ir/AsmFunctions.h"
#include "ir/Passes.h"
#include "sema/ExternDecls.h"
#include "sema/Functions.h"
#include "source/Files.h"
#include "source/LoadedLibraries.h"
#include "source/Paths.h"
#include "source/UndefinedSymbols.h"
#include "vm/Dump.h"
#include "vm/RunMain.h"

#include "heap.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sx::driver {

namespace {

/// The status of a command that wrote its result to llvm::outs(), which would else abort at exit when it could not.
int finishOutput() {
    llvm::outs().flush();
    std::error_code problem = llvm::outs().error();
    if (!problem) return 0;
    llvm::outs().clear_error();
    printError("cannot write to standard output: " + problem.message());
    return 1;
}

int printText(const std::string& text) {
    llvm::outs() << text;
    return finishOutput();
}

void printTimings(const std::vector<std::pair<const char*, double>>& stages) {
    std::fprintf(stderr, "\n--- timing ---\n");
    double total = 0;
    for (auto& [name, ms] : stages) {
        std::fprintf(stderr, "  %-10s %7.1f ms\n", name, ms);
        total += ms;
    }
    std::fprintf(stderr, "  %-10s %7.1f ms\n", "total", total);
}

/// One file without what it imports.
struct SingleFile {
    SourceManager sources;
    AstContext ast;
    Diagnostics diags;
    FileId id{};

    Result<void> load(const std::string& path) {
        Result<std::string> text = readTextFile(path);
        if (!text) return Failure{"cannot read " + code(path) + ": " + text.error()};
        id = sources.addFile(path, path, std::move(*text));
        return {};
    }
};

// ---- commands without a program

/// The language server, the debug adapter, its client in the terminal and its agent are executables of their own, so
/// that what they need is neither built nor loaded with the compiler.
int become(const char* name, const std::vector<std::string>& arguments) {
    std::string path = joinPath(ownFolder(), name);
    std::vector<char*> argv{path.data()};
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    execv(path.c_str(), argv.data());
    if (errno == ENOENT)
        printError(code(name) + " is not beside " + code("sx") + " in " + code(ownFolder()) +
                   ": build all of sx, not only the compiler");
    else printError("cannot start " + code(path) + ": " + std::strerror(errno));
    return 1;
}

int printHelp(const Invocation& in) {
    if (in.helpTopic == "dap") return become("sx-dap", {"--help"});
    std::string text = in.helpTopic == "debug" ? debuggerHelp(editorsFolder())
                       : in.helpTopic == "man" ? manualPage()
                                               : helpText(in.helpTopic);
    if (!text.empty()) return printText(text);
    printError("no help on " + code(in.helpTopic) + "; try `sx help`");
    return 2;
}

int printCompletions(const Invocation& in) {
    std::string text = completionScript(in.file);
    if (!text.empty()) return printText(text);
    printError("no completions for " + code(in.file) +
               ": the shells are `bash`, `zsh` and `fish`; try `sx help "
               "completions`");
    return 2;
}

int printVersion(const Invocation&) { return printText("sx " SX_VERSION "\n"); }

int serveLanguage(const Invocation& in) {
    if (in.serverPort) return become("sx-lsp", {"--listen", std::to_string(*in.serverPort)});
    return become("sx-lsp", {});
}

int startAdapter(const Invocation& in) { return become("sx-dap", in.programArgs); }

int startDebugger(const Invocation& in) { return become("sx-debug", in.programArgs); }

/// Programs that wait for a debugger, and heaps that one has exported.
int startAgent(const Invocation& in) { return become("sx-agent", in.arguments); }

} // namespace

// ---- the lists

struct Job::Steps {
    static constexpr Step Help[] = {{"print help", printHelp}};
    static constexpr Step Version[] = {{"print version", printVersion}};
    static constexpr Step Dap[] = {{"start adapter", startAdapter}};
    static constexpr Step Debug[] = {{"start debugger", startDebugger}};
    static constexpr Step Completions[] = {{"print completions", printCompletions}};
    static constexpr Step Lsp[] = {{"serve editor", serveLanguage}};
    static constexpr Step Fmt[] = {{"format", formatFiles}};
    static constexpr Step Graph[] = {{"show heaps", startAgent}};
    static constexpr Step Sym[] = {{"describe file", &Job::describeFile},
                                   {"check", &Job::check, true},
                                   {"describe program", &Job::describeProgram}};
    static constexpr Step New[] = {{"make project", makeProject}};
    static constexpr Step Doc[] = {{"show documents", showDocuments}};
    static constexpr Step Tokens[] = {{"print tokens", &Job::printTokens}};
    static constexpr Step Tree[] = {{"print tree", &Job::printTree}};
    static constexpr Step Ir[] = {{"check", &Job::check, true}, {"print IR", &Job::printIr}};
    static constexpr Step Bytecode[] = {{"check", &Job::check, true}, {"print bytecode", &Job::printBytecode}};
    static constexpr Step Llvm[] = {{"check", &Job::check, true}, {"print LLVM", &Job::printLlvm}};
    static constexpr Step Check[] = {{"check", &Job::check, true}, {"report times", &Job::reportCheckTimes}};
    static constexpr Step Asm[] = {{"choose output", &Job::chooseOutput},
                                   {"check", &Job::check, true},
                                   {"emit assembly", &Job::emitAssembly, true}};
    static constexpr Step Run[] = {{"check", &Job::check, true},
                                   {"load libraries", &Job::loadLibraries},
                                   {"load C code", &Job::loadCCode, true},
                                   {"run program", &Job::runProgram, true},
                                   {"report times", &Job::reportRunTimes}};
    static constexpr Step Load[] = {{"check", &Job::check, true},
                                    {"load libraries", &Job::loadLibraries},
                                    {"load C code", &Job::loadCCode, true},
                                    {"load program", &Job::loadProgram}};
    static constexpr Step Test[] = {{"run tests", runTests}};
    static constexpr Step Debugged[] = {{"run for a debugger", startAgent}};
    static constexpr Step Build[] = {{"refuse packaging", &Job::refusePackaging},
                                     {"choose output", &Job::chooseOutput},
                                     {"check", &Job::check, true},
                                     {"read build notes", &Job::readBuildNotes},
                                     {"compile C", &Job::compileCCode, true},
                                     {"run build step", &Job::runBuildStep},
                                     {"emit object", &Job::emitObject, true},
                                     {"keep object", &Job::keepObject},
                                     {"link", &Job::link, true},
                                     {"report times", &Job::reportBuildTimes}};
};

llvm::ArrayRef<Job::Step> Job::stepsOf(const Invocation& in) {
    switch (in.dump) {
    case Dump::Tokens: return Steps::Tokens;
    case Dump::Ast: return Steps::Tree;
    case Dump::Ir: return Steps::Ir;
    case Dump::Bytecode: return Steps::Bytecode;
    case Dump::Llvm: return Steps::Llvm;
    case Dump::None: break;
    }
    switch (in.command) {
    case Command::Run:
        return in.debugPort || !in.debugConnect.empty() ? llvm::ArrayRef<Step>(Steps::Debugged)
                                                        : llvm::ArrayRef<Step>(Steps::Run);
    case Command::Build: return Steps::Build;
    case Command::Check: return Steps::Check;
    case Command::Test: return Steps::Test;
    case Command::Fmt: return Steps::Fmt;
    case Command::Graph: return Steps::Graph;
    case Command::Sym: return Steps::Sym;
    case Command::New: return Steps::New;
    case Command::Doc: return Steps::Doc;
    case Command::Ir: return Steps::Llvm;
    case Command::IrDump: return Steps::Ir;
    case Command::Asm: return Steps::Asm;
    case Command::Dap: return Steps::Dap;
    case Command::Debug: return Steps::Debug;
    case Command::Completions: return Steps::Completions;
    case Command::Lsp: return Steps::Lsp;
    case Command::Help: return Steps::Help;
    case Command::Version: return Steps::Version;
    }
    return {};
}

int Job::run() {
    Status status;
    for (const Step& step : stepsOf(in_)) {
        if (step.isLong) progress_.begin(step.name);
        else progress_.stop();
        if ((status = step.run(*this))) break;
    }
    progress_.stop();
    if (compilation_) compilation_->discardCCode();
    return status.value_or(exitCode_);
}

int Job::failure(const std::string& message) {
    progress_.stop();
    printError(message);
    return 1;
}

bool Job::load() {
    for (const Step& step : Steps::Load)
        if (step.run(*this)) return false;
    return true;
}

// ---- texts

Job::Status Job::printTokens() {
    SingleFile file;
    if (Result<void> loaded = file.load(in_.file); !loaded) return failure(loaded.error());
    dumpTokens(file.sources, file.id, llvm::outs());
    return finishOutput();
}

Job::Status Job::printTree() {
    SingleFile file;
    if (Result<void> loaded = file.load(in_.file); !loaded) return failure(loaded.error());
    ast::File tree = parseFile(file.sources, file.id, file.ast, file.diags);
    if (file.diags.hasErrors()) {
        printDiagnostics(file.sources, file.diags, in_);
        return 1;
    }
    dumpAst(file.sources, file.ast, tree, llvm::outs());
    return finishOutput();
}

/// Prints the IR, and says if it breaks a rule of the IR: that is a mistake in the compiler, not in the program.
Job::Status Job::printIr() {
    int status = printText(ir::print(compilation_->module));
    for (const std::string& problem : ir::verify(compilation_->module))
        status = failure("internal error: invalid IR: " + problem);
    return status;
}

Job::Status Job::printBytecode() { return printText(vm::dumpBytecode(compilation_->module)); }

Job::Status Job::printLlvm() { return printText(codegen::llvmText(compilation_->module, codegenOptions())); }

// ---- symbol files

Job::Status Job::describeFile() { return driver::describeFile(in_); }

Job::Status Job::describeProgram() { return driver::describeProgram(*compilation_); }

// ---- before the program is looked at

Job::Status Job::refusePackaging() {
    bool ok = true;
    for (const std::string& option : in_.packaging)
        ok &= printWarning(in_, code(option) + " is ignored: programs for linux-x86 are not packaged");
    return ok ? Status() : 1;
}

Job::Status Job::chooseOutput() {
    output_ = defaultOutput(in_);
    if (in_.command == Command::Asm && in_.output.empty()) output_ += ".s";
    return refuseOutput();
}

namespace {

/// Whether the program is made of this file.
bool isSource(const std::string& path, const Compilation& compilation) {
    const sema::Sema& sema = *compilation.analysis;
    for (const auto& file : sema.program.files)
        if (llvm::sys::fs::equivalent(path, file->path)) return true;
    return llvm::any_of(sema.program.cSources,
                        [&](const sema::CSource& c) { return llvm::sys::fs::equivalent(path, c.path); });
}

std::string overSource(const std::string& output) {
    return "cannot write " + code(output) + ": it is a source of the program; choose another name";
}

/// What the C compiler says has lines of its own.
int printCError(const std::string& message) {
    auto [first, rest] = llvm::StringRef(message).split('\n');
    printError(first.str());
    if (!rest.empty()) std::fprintf(stderr, "%s\n", rest.rtrim('\n').str().c_str());
    return 1;
}

} // namespace

Job::Status Job::refuseOutput() {
    std::string cannot = "cannot write " + code(output_) + ": ";
    struct stat st;
    if (stat(output_.c_str(), &st) == 0 && S_ISDIR(st.st_mode)) return failure(cannot + "it is a directory");
    std::string folder = directoryOf(output_);
    if (folder.empty()) folder = ".";
    if (stat(folder.c_str(), &st) != 0) return failure(cannot + "the folder " + code(folder) + " does not exist");
    if (access(folder.c_str(), W_OK) != 0) return failure(cannot + "the folder " + code(folder) + " is not writable");
    return llvm::sys::fs::equivalent(output_, in_.file) ? failure(overSource(output_) + " with `-o`") : Status();
}

// ---- the program

Job::Status Job::check() {
    compilation_ = &Compilation::start(in_);
    compilation_->beforeOutput = [this] { progress_.stop(); };
    if (in_.command == Command::Build) {
        compilation_->emitObject = [this] { return emitForStep(); };
        compilation_->linkNoted = [this] { return linkForStep(); };
    }
    return compilation_->check();
}

/// A build step of the program's own does the rest.
bool Job::hasBuildStep() const { return compilation_->analysis->comptime.buildRunner != ir::FuncId::None; }

bool Job::warn(const std::string& message) {
    progress_.stop();
    return printWarning(in_, message);
}

Job::Status Job::loadLibraries() {
    LoadedLibraries libraries;
    bool ok = true;
    for (const std::string& name : compilation_->module.libraries)
        if (Result<void> loaded = libraries.load(name, in_.libraryPaths); !loaded) ok &= warn(loaded.error());
    return ok ? Status() : 1;
}

Job::Status Job::loadCCode() {
    Result<std::unique_ptr<ir::ForeignCode>> loaded = compilation_->cCode().load();
    if (loaded) {
        foreign_ = std::move(*loaded);
        return std::nullopt;
    }
    if (std::set<std::string> missing = undefinedIn(loaded.error()); !missing.empty()) {
        auto isOfC = [&](const std::string& symbol) { return compilation_->cCode().defines(symbol); };
        missing.merge(codegen::missingSymbols(compilation_->module, codegenOptions(), isOfC));
        return codeFailure(undefinedSymbols(missing));
    }
    progress_.stop();
    return printCError(loaded.error());
}

Job::Status Job::compileCCode() {
    Result<void> compiled = compilation_->cCode().compile();
    if (compiled) return std::nullopt;
    progress_.stop();
    return printCError(compiled.error());
}

/// What the program's compile-time code chose (library/modules/build.sx).
Job::Status Job::readBuildNotes() {
    std::string path = compilation_->analysis->comptime.buildNotes.last("output_path");
    if (!in_.output.empty() || path.empty()) return std::nullopt;
    output_ = path;
    return refuseOutput();
}

codegen::Options Job::codegenOptions() {
    codegen::Options options;
    options.reject = [this](Span at, const std::string& message) { codeErrors_.error(at, message); };
    options.optLevel = in_.level();
    options.parts = static_cast<uint32_t>(std::min<uint64_t>(in_.parts, UINT32_MAX));
    options.traces = in_.tracesOn();
    options.checks = in_.checksOn();
    options.debugInfo = in_.debugInfoOn();
    options.dwarfVersion = in_.dwarfVersion;
    // Who asks for debug information of code in memory is a debugger.
    options.statementMarks = in_.command == Command::Build || (in_.command == Command::Run && in_.debugInfo == true);
    options.statementCode = options.statementMarks && options.optLevel == 0;
    options.recordedOptions = recordedOptions(in_);
    options.cpu = in_.cpu;
    options.libraryRoots = libraryRoots();
    options.libraryPaths = in_.libraryPaths;
    if (in_.cache) options.cacheFolder = ".sx-cache";
    return options;
}

int Job::codeFailure(const std::string& reason) {
    std::string rest = reportUndefined(compilation_->module, reason, codeErrors_);
    if (!codeErrors_.hasErrors()) return failure(reason);
    progress_.stop();
    printDiagnostics(compilation_->sources, codeErrors_, in_);
    return rest.empty() || rest == reason ? 1 : failure(rest);
}

Job::Status Job::emitAssembly() {
    if (isSource(output_, *compilation_)) return failure(overSource(output_) + " with `-o`");
    Result<std::string> text = codegen::assembly(compilation_->module, codegenOptions());
    if (!text) return codeFailure(text.error());
    if (Result<void> written = writeFile(output_, *text); !written) return failure(written.error());
    progress_.stop();
    std::fprintf(stderr, "emitted: %s\n", output_.c_str());
    return std::nullopt;
}

Job::Status Job::runBuildStep() {
    if (!hasBuildStep()) return std::nullopt;
    sema::Sema& sema = *compilation_->analysis;
    auto& notes = sema.comptime.buildNotes;
    notes.set("c_object", compilation_->cCode().objects());
    notes.set("library", compilation_->module.libraries);
    notes.set("build_output", {output_});
    notes.set("build_flag", linkFlags());
    stepRuns_ = true;
    ir::ComptimeResult result = compilation_->evaluator->evaluate(
        compilation_->module, sema.comptime.buildRunner, [&](ir::FuncId f) { return sema::materialize(sema, f); },
        nullptr);
    stepRuns_ = false;
    std::fflush(stdout);
    if (result.exited) return result.exitCode;
    if (!result.ok) return failure("the build step of the program failed: " + result.error);
    bool succeeded = !result.value.bytes.empty() && result.value.bytes[0] != 0;
    return succeeded ? Status() : failure("the build step of the program failed: it returned `false`");
}

Result<std::string> Job::emitForStep() {
    if (!stepRuns_) return Failure{"an object is emitted in the build step: see `on_build`"};
    Result<codegen::ObjectFile> object = codegen::emitObject(compilation_->module, codegenOptions(), &times_);
    if (!object) return object.failure();
    if (!stepFolder_) stepFolder_ = std::make_unique<TemporaryFolder>();
    std::string path = stepFolder_->path() + "/main.o";
    if (Result<void> kept = stepFolder_->write(path, {object->data(), object->size()}); !kept) return kept.failure();
    objects_ = {std::move(*object)};
    return path;
}

/// The lists that library/modules/compiler.sx has filled.
Result<void> Job::linkForStep() {
    if (!stepRuns_) return Failure{"a program is linked in the build step: see `on_build`"};
    auto& notes = compilation_->analysis->comptime.buildNotes;
    codegen::LinkOptions link = linkOptions();
    std::vector<std::string> output = notes.take("link_output");
    link.output = output.empty() ? output_ : joinPath(workingDirectory(), output.back());
    if (isSource(link.output, *compilation_)) return Failure{overSource(output.empty() ? output_ : output.back())};
    link.objects = notes.take("link_object");
    link.libraries = notes.take("link_library");
    link.extraFlags = notes.take("link_with");
    if (Result<void> linked = codegen::linkExecutable({}, link, &times_); !linked)
        return Failure{linkProblem(linked.error())};
    std::fprintf(stderr, "compiled: %s\n", output.empty() ? output_.c_str() : output.back().c_str());
    return {};
}

Job::Status Job::emitObject() {
    if (hasBuildStep()) return std::nullopt;
    codegen::Options options = codegenOptions();
    if (in_.emitObject) options.parts = 1; // to be kept
    Result<std::vector<codegen::ObjectFile>> objects = codegen::emitObjects(compilation_->module, options, &times_);
    if (!objects) return codeFailure(objects.error());
    objects_ = std::move(*objects);
    return std::nullopt;
}

Job::Status Job::keepObject() {
    if (!in_.emitObject || objects_.empty()) return std::nullopt;
    mkdir(".sx-tmp", 0755);
    Result<void> written = writeFile(".sx-tmp/main.o", {objects_[0].data(), objects_[0].size()});
    return written ? Status() : failure(written.error());
}

std::vector<std::string> Job::linkFlags() const {
    std::vector<std::string> flags = in_.linkFlags;
    llvm::ArrayRef<std::string> noted = compilation_->analysis->comptime.buildNotes.all("link_flag");
    flags.insert(flags.end(), noted.begin(), noted.end());
    return flags;
}

codegen::LinkOptions Job::linkOptions() const {
    codegen::LinkOptions link;
    link.output = output_;
    link.libraryPaths = in_.libraryPaths;
    link.libraries = compilation_->module.libraries;
    link.objects = compilation_->cCode().objects();
    link.extraFlags = linkFlags();
    link.linkerCommand = in_.linker.empty() && in_.systemLinker ? "cc" : in_.linker;
    link.sysroot = in_.sysroot;
    link.debugInfo = in_.debugInfoOn();
    return link;
}

Job::Status Job::link() {
    if (hasBuildStep()) return std::nullopt;
    if (isSource(output_, *compilation_)) return failure(overSource(output_) + " with `-o`");
    codegen::LinkOptions options = linkOptions();
    if (in_.emitOrigins)
        options.whenLinked = [this](const std::string& executable) {
            return describeOrigins(*compilation_, codegenOptions(), executable, output_);
        };
    if (Result<void> linked = codegen::linkExecutable(objects_, options, &times_); !linked)
        return codeFailure(linkProblem(linked.error()));
    progress_.stop();
    std::fprintf(stderr, "compiled: %s\n", output_.c_str());
    if (in_.emitObject) std::fprintf(stderr, "object: .sx-tmp/main.o\n");
    return std::nullopt;
}

namespace {

/// What the interpreter cannot do itself: machine code for the assembly of the program, which joins its C code.
Result<void> loadAssembly(Compilation& compilation, codegen::Options options, std::unique_ptr<ir::ForeignCode>& code) {
    std::unique_ptr<ir::Module> assembly = ir::takeAssembly(compilation.module);
    if (!assembly) return {};
    assembly->libraries = compilation.module.libraries;
    options.foreign = code.get();
    std::vector<std::string> exports = sema::exportedSymbols(*compilation.analysis);
    llvm::erase_if(exports, [&](const std::string& symbol) { // what is nothing but assembly is there itself
        return llvm::any_of(assembly->functions, [&](const auto& fn) { return fn->symbol == symbol; });
    });
    auto loaded = codegen::loadModuleCode(*assembly, std::move(exports), options);
    if (!loaded) return loaded.failure();
    code = codegen::joinCode(std::move(*loaded), std::move(code));
    return {};
}

} // namespace

/// The program may run in several processes that are made of this one. The files of its C code are there until it is
/// announced to debuggers.
Job::Status Job::loadProgram() {
    if (in_.vm) {
        const bool isTaped = !in_.record.empty() || !in_.replay.empty(); // what assembly writes is on no tape
        Result<void> loaded = isTaped ? Result<void>() : loadAssembly(*compilation_, codegenOptions(), foreign_);
        if (!loaded) return codeFailure(linkProblem(loaded.error()));
        compilation_->discardCCode();
        program_ = [this, isTaped](const std::vector<std::string>& argv) {
            auto foreign = [this] { return Result<std::unique_ptr<ir::ForeignCode>>(std::move(foreign_)); };
            Result<int> code = isTaped ? runTaped(in_, compilation_->module, foreign)
                                       : vm::runMain(compilation_->module, argv, printError, {}, nullptr, foreign);
            return code ? *code : codeFailure(code.error());
        };
        return std::nullopt;
    }
    codegen::Options options = codegenOptions();
    options.foreign = foreign_.get();
    Result<codegen::LoadedProgram> loaded = codegen::loadInProcess(compilation_->module, options, &times_);
    if (!loaded) return codeFailure(linkProblem(loaded.error()));
    compilation_->discardCCode();
    program_ = std::move(*loaded);
    return std::nullopt;
}

Job::Status Job::runProgram() {
    if (compilation_->hasRunStatements) {
        progress_.stop();
        std::fputs("--- build done ---\n", stdout);
    }
    std::fflush(stdout);
    if (Status failed = loadProgram()) return failed;
    progress_.stop();
    std::vector<std::string> argv{in_.file};
    argv.insert(argv.end(), in_.programArgs.begin(), in_.programArgs.end());
    if (in_.trackHeap) static_cast<void>(sx_heap_decide(/*force=*/true));
    exitCode_ = program_(argv);
    return std::nullopt;
}

// ---- at the end

Job::Status Job::reportCheckTimes() {
    const Compilation& c = *compilation_;
    if (in_.time)
        printTimings({{"read", c.readMillis}, {"parse", c.parseMillis}, {"imports", 0}, {"check", c.semaMillis}});
    return std::nullopt;
}

Job::Status Job::reportBuildTimes() {
    const Compilation& c = *compilation_;
    if (in_.time)
        printTimings({{"read", c.readMillis},
                      {"parse", c.parseMillis},
                      {"imports", 0},
                      {"codegen", c.semaMillis + times_.codegen},
                      {"emit", times_.emit},
                      {"c-import", 0},
                      {"link", times_.link}});
    return std::nullopt;
}

Job::Status Job::reportRunTimes() {
    const Compilation& c = *compilation_;
    if (in_.time)
        printTimings({{"read", c.readMillis},
                      {"parse", c.parseMillis},
                      {"imports", 0},
                      {"codegen", c.semaMillis + times_.codegen},
                      {"emit", times_.emit},
                      {"c-import", 0},
                      {"jit", times_.jit}});
    return std::nullopt;
}

} // namespace sx::driver
