#include "driver/Commands.h"

#include "codegen/Codegen.h"
#include "codegen/RuntimeSymbols.h"
#include "driver/Compilation.h"
#include "driver/Report.h"
#include "ir/Builder.h"
#include "source/Paths.h"
#include "vm/Dump.h"
#include "vm/RunMain.h"

#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace sx::driver {

namespace {

int failure(const std::string& message) {
    printError(message);
    return 1;
}

/// `wrong` takes what only code generation finds wrong with the program.
codegen::Options codegenOptions(const Invocation& in, Diagnostics& wrong) {
    codegen::Options options;
    options.reject = [&wrong](Span at, const std::string& message) { wrong.error(at, message); };
    options.optLevel = in.level();
    options.traces = in.tracesOn();
    options.checks = in.checksOn();
    options.debugInfo = in.debugInfoOn();
    options.dwarfVersion = in.dwarfVersion;
    options.cpu = in.cpu;
    options.libraryRoots = libraryRoots();
    if (in.cache) options.cacheFolder = ".sx-cache";
    return options;
}

int codeFailure(const Compilation& c, const Diagnostics& wrong, const std::string& error) {
    if (!wrong.hasErrors()) return failure(error);
    std::string text = renderDiagnostics(c.sources, wrong, {colorDiagnostics(), c.invocation.maxErrors});
    std::fwrite(text.data(), 1, text.size(), stderr);
    return 1;
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

/// The status of a command that wrote its result to llvm::outs(), which would else abort at exit when it could not.
int finishOutput() {
    llvm::outs().flush();
    std::error_code problem = llvm::outs().error();
    if (!problem) return 0;
    llvm::outs().clear_error();
    return failure("cannot write to standard output: " + problem.message());
}

/// `--dump=tokens` and `--dump=ast` need no more than the file itself.
int dumpSyntax(const Invocation& in) {
    SourceManager sources;
    AstContext ast;
    Diagnostics diags;
    std::string error;
    std::optional<std::string> text = readTextFile(in.file, error);
    if (!text) return failure("cannot read `" + in.file + "`: " + error);
    FileId file = sources.addFile(in.file, in.file, std::move(*text));
    if (in.dump == Dump::Tokens) {
        dumpTokens(sources, file, llvm::outs());
        return finishOutput();
    }
    ast::File tree = parseFile(sources, file, ast, diags);
    if (diags.hasErrors()) {
        std::string rendered = renderDiagnostics(sources, diags, {colorDiagnostics(), in.maxErrors});
        std::fwrite(rendered.data(), 1, rendered.size(), stderr);
        return 1;
    }
    dumpAst(sources, ast, tree, llvm::outs());
    return finishOutput();
}

/// The output's folder must exist and be writable, and the output no directory: said before anything is compiled.
std::string outputProblem(const std::string& path) {
    struct stat st;
    if (stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode)) return "cannot write `" + path + "`: it is a directory";
    std::string folder = directoryOf(path);
    if (folder.empty()) folder = ".";
    if (stat(folder.c_str(), &st) != 0)
        return "cannot write `" + path + "`: the folder `" + folder + "` does not exist";
    if (access(folder.c_str(), W_OK) != 0)
        return "cannot write `" + path + "`: the folder `" + folder + "` is not writable";
    return "";
}

/// Writes beside the target and renames: a failed write leaves nothing behind. What is no regular file (a device, a
/// pipe, a link) is written to, not replaced.
bool writeFile(const std::string& path, const char* data, size_t size, std::string& error) {
    struct stat st;
    bool inPlace = lstat(path.c_str(), &st) == 0 && !S_ISREG(st.st_mode);
    std::string temporary = inPlace ? path : path + ".tmp" + std::to_string(getpid());
    FILE* f = std::fopen(temporary.c_str(), "wb");
    bool ok = f && std::fwrite(data, 1, size, f) == size;
    if (f && std::fclose(f) != 0) ok = false;
    if (ok && (inPlace || std::rename(temporary.c_str(), path.c_str()) == 0)) return true;
    error = "cannot write `" + path + "`: " + std::strerror(errno);
    if (!inPlace) unlink(temporary.c_str());
    return false;
}

/// False if that counts as an error.
bool warnOfMissingLibraries(const ir::Module& module, const Invocation& in) {
    codegen::LoadedLibraries libraries;
    std::string error;
    bool ok = true;
    for (const std::string& name : module.libraries)
        if (!libraries.load(name, in.libraryPaths, error)) ok &= printWarning(in, error);
    return ok;
}

int run(const Invocation& in) {
    Compilation& c = Compilation::start(in);
    if (auto status = c.check()) return *status;
    if (!warnOfMissingLibraries(c.module, in)) return 1;
    if (c.hasRunStatements) { std::fputs("--- build done ---\n", stdout); }
    std::fflush(stdout);
    std::vector<std::string> argv{in.file};
    argv.insert(argv.end(), in.programArgs.begin(), in.programArgs.end());
    codegen::Timings times;
    int exitCode = 0;
    if (in.vm) {
        exitCode = vm::runMain(c.module, argv);
    } else {
        std::string error;
        Diagnostics wrong;
        codegen::Options options = codegenOptions(in, wrong);
        options.libraryPaths = in.libraryPaths;
        if (!codegen::runInProcess(c.module, options, argv, exitCode, error, &times))
            return codeFailure(c, wrong, linkProblem(error));
    }
    if (in.time)
        printTimings({{"read", c.readMillis},
                      {"parse", c.parseMillis},
                      {"imports", 0},
                      {"codegen", c.semaMillis + times.codegen},
                      {"emit", times.emit},
                      {"c-import", 0},
                      {"jit", times.jit}});
    return exitCode;
}

int build(const Invocation& in) {
    bool ok = true;
    for (const std::string& option : in.packaging)
        ok &= printWarning(in, "`" + option + "` is ignored: programs for linux-x86 are not packaged");
    if (!ok) return 1;
    std::string output = defaultOutput(in);
    if (std::string problem = outputProblem(output); !problem.empty()) return failure(problem);
    Compilation& c = Compilation::start(in);
    if (auto status = c.check()) return *status;
    // What the program's compile-time code chose (library/modules/build.sx).
    auto& chosen = c.analysis->comptime.buildNotes;
    if (!chosen["on_build"].empty())
        return failure("the program replaces the build step with `on_build`, which this compiler does not offer");
    if (in.output.empty() && !chosen["output_path"].empty()) {
        output = chosen["output_path"].back();
        if (std::string problem = outputProblem(output); !problem.empty()) return failure(problem);
    }
    codegen::Timings times;
    std::vector<char> object;
    std::string error;
    Diagnostics wrong;
    if (!codegen::emitObject(c.module, codegenOptions(in, wrong), object, error, &times))
        return codeFailure(c, wrong, error);
    if (in.emitObject) {
        mkdir(".sx-tmp", 0755);
        if (!writeFile(".sx-tmp/main.o", object.data(), object.size(), error)) return failure(error);
    }
    codegen::LinkOptions link;
    link.output = output;
    link.libraryPaths = in.libraryPaths;
    link.libraries = c.module.libraries;
    link.extraFlags = in.linkFlags;
    link.extraFlags.insert(link.extraFlags.end(), chosen["link_flag"].begin(), chosen["link_flag"].end());
    link.linkerCommand = in.linker.empty() && in.systemLinker ? "cc" : in.linker;
    link.sysroot = in.sysroot;
    link.debugInfo = in.debugInfoOn();
    if (!codegen::linkExecutable(object, link, error, &times)) return failure(linkProblem(error));
    std::fprintf(stderr, "compiled: %s\n", output.c_str());
    if (in.emitObject) std::fprintf(stderr, "object: .sx-tmp/main.o\n");
    if (in.time)
        printTimings({{"read", c.readMillis},
                      {"parse", c.parseMillis},
                      {"imports", 0},
                      {"codegen", c.semaMillis + times.codegen},
                      {"emit", times.emit},
                      {"c-import", 0},
                      {"link", times.link}});
    return 0;
}

int printText(const std::string& text) {
    llvm::outs() << text;
    return finishOutput();
}

/// Prints the IR, and says if it breaks a rule of the IR: that is a mistake in the compiler, not in the program.
int dumpIr(const ir::Module& module) {
    int status = printText(ir::print(module));
    for (const std::string& problem : ir::verify(module)) status = failure("internal error: invalid IR: " + problem);
    return status;
}

} // namespace

int execute(const Invocation& in) {
    switch (in.command) {
    case Command::Version: return printText("sx " SX_VERSION "\n");
    case Command::Help: {
        std::string text = in.helpTopic == "debug" ? debuggerHelp(editorsFolder()) : helpText(in.helpTopic);
        if (!text.empty()) return printText(text);
        printError("no help on `" + in.helpTopic + "`; try `sx help`");
        return 2;
    }
    case Command::Run:
    case Command::Build:
    case Command::Check:
    case Command::Ir:
    case Command::IrDump:
    case Command::Asm: break;
    }
    if (in.dump == Dump::Tokens || in.dump == Dump::Ast) return dumpSyntax(in);
    if (in.dump != Dump::None || in.command == Command::IrDump || in.command == Command::Ir ||
        in.command == Command::Check) {
        Compilation& c = Compilation::start(in);
        if (auto status = c.check()) return *status;
        if (in.dump == Dump::Ir || (in.command == Command::IrDump && in.dump == Dump::None)) return dumpIr(c.module);
        if (in.dump == Dump::Bytecode) return printText(vm::dumpBytecode(c.module));
        Diagnostics wrong;
        if (in.dump == Dump::Llvm || in.command == Command::Ir)
            return printText(codegen::llvmText(c.module, codegenOptions(in, wrong)));
        if (in.time)
            printTimings({{"read", c.readMillis}, {"parse", c.parseMillis}, {"imports", 0}, {"check", c.semaMillis}});
        return 0;
    }
    if (in.command == Command::Asm) {
        std::string output = in.output.empty() ? defaultOutput(in) + ".s" : in.output;
        if (std::string problem = outputProblem(output); !problem.empty()) return failure(problem);
        Compilation& c = Compilation::start(in);
        if (auto status = c.check()) return *status;
        std::string text, error;
        Diagnostics wrong;
        if (!codegen::assembly(c.module, codegenOptions(in, wrong), text, error) ||
            !writeFile(output, text.data(), text.size(), error))
            return codeFailure(c, wrong, error);
        std::fprintf(stderr, "emitted: %s\n", output.c_str());
        return 0;
    }
    return in.command == Command::Run ? run(in) : build(in);
}

} // namespace sx::driver
