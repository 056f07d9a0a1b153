#include "driver/Compilation.h"

#include "cimport/ReadHeaders.h"
#include "codegen/Codegen.h"
#include "driver/Report.h"
#include "lower/Lower.h"
#include "sema/ExternDecls.h"
#include "sema/passes/Analyze.h"
#include "source/Heap.h"
#include "source/LoadedLibraries.h"
#include "source/Paths.h"
#include "source/StackDepth.h"

#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace sx::driver {

std::string defaultOutput(const Invocation& in) {
    if (!in.output.empty()) return in.output;
    std::string base =
        in.file.substr(in.file.find_last_of('/') == std::string::npos ? 0 : in.file.find_last_of('/') + 1);
    if (base.size() > 3 && base.compare(base.size() - 3, 3, ".sx") == 0) base.resize(base.size() - 3);
    return base;
}

Compilation::Compilation(const Invocation& invocation) : invocation(invocation) {
    module.recordsTraces = !invocation.noTraces;
    vm::Limits limits;
    limits.steps = invocation.comptimeSteps;
    limits.report = [this](const std::string& message) {
        beforeOutput();
        printError(message);
    };
    limits.foreign = [this] {
        LoadedLibraries libraries; // where one is missing, a run says so
        for (const std::string& name : module.libraries)
            static_cast<void>(libraries.load(name, this->invocation.libraryPaths));
        return cCode().load();
    };
    evaluator = std::make_unique<vm::Evaluator>(std::move(limits));
}

sema::Options Compilation::semaOptions() const {
    sema::Options options;
    options.checks = invocation.checksOn(); // what runs while compiling is always checked
    options.traceValues = invocation.traceValues;
    options.checkAll = invocation.checkAll;
    options.checkModules = invocation.command == Command::Check;
    options.checkOnly = invocation.command == Command::Check && invocation.dump == Dump::None;
    options.warnings = invocation.warnings != WarningPolicy::Off;
    options.warningsAreErrors = invocation.warnings == WarningPolicy::Error;
    options.requireMain = invocation.command == Command::Run || invocation.command == Command::Build ||
                          invocation.command == Command::Sym;
    options.tests = invocation.tests;
    options.libraryRoots = libraryRoots();
    options.workingDirectory = workingDirectory();
    options.maxErrors = invocation.maxErrors;
    options.readHeaders = [](const sema::HeaderRequest& wanted) {
        return cimport::readHeaders(wanted.headers, wanted.options);
    };
    options.emitObject = emitObject;
    options.linkNoted = linkNoted;
    options.beforeOutput = beforeOutput;
    return options;
}

codegen::CCode& Compilation::cCode() {
    if (cCode_) return *cCode_;
    std::vector<codegen::CFile> files;
    for (sema::CFile& file : sema::cFiles(*analysis))
        files.push_back({file.source.path, file.source.shown, file.source.options, std::move(file.content)});
    codegen::CCodeOptions options;
    options.optLevel = invocation.level();
    options.debugInfo = invocation.debugInfoOn();
    options.sysroot = invocation.sysroot;
    options.libraries = module.libraries;
    options.libraryPaths = invocation.libraryPaths;
    options.assembly = &module.assembly;
    std::vector<std::string> exports; // nobody asks for them but C code
    if (!files.empty()) exports = sema::exportedSymbols(*analysis);
    cCode_ = std::make_unique<codegen::CCode>(std::move(files), std::move(exports), std::move(options));
    return *cCode_;
}

void Compilation::writeBuildNotes() {
    auto& notes = analysis->comptime.buildNotes;
    notes.set("target_triple", {codegen::TargetTriple});
    if (invocation.command != Command::Build) return;
    notes.set("binary_path", {defaultOutput(invocation)});
    if (!invocation.output.empty()) notes.set("o_option", {invocation.output});
}

/// Memory for a long text, asked for at once; less where the code of its functions is put away.
static void claimMemory(const std::string& path, bool checkOnly) {
    constexpr unsigned HeapForByte = 96, HeapForByteChecked = 48;
    std::error_code unknown;
    uint64_t size = std::filesystem::file_size(path, unknown);
    if (!unknown) growHeapFor(size, checkOnly ? HeapForByteChecked : HeapForByte);
}

std::optional<int> Compilation::check() {
    auto start = std::chrono::steady_clock::now();
    sema::Options options = semaOptions();
    claimMemory(invocation.file, options.checkOnly);
    mapFirstHeap();
    analysis = std::make_unique<sema::Sema>(sources, ast, types, diags, module, *evaluator, std::move(options));
    sema::Sema& sema = *analysis;
    bodies = lower::makeBodies(sema);
    sema.bodies = bodies.get();
    writeBuildNotes();
    Result<bool> ok = false;
    withLargeStack([&] { ok = sema::analyze(sema, invocation.file); });
    hasRunStatements = sema.comptime.hasRunStatements;
    readMillis = sema.readMillis;
    parseMillis = sema.parseMillis;
    semaMillis = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() -
                 readMillis - parseMillis;

    if (!ok) {
        printError("cannot read " + code(invocation.file) + ": " + ok.error());
        return 1;
    }
    printDiagnostics(sources, diags, invocation);
    if (sema.comptime.exit) return *sema.comptime.exit;
    if (!*ok) return 1;
    return std::nullopt;
}

} // namespace sx::driver
