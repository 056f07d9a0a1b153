#include "driver/Compilation.h"

#include "codegen/Codegen.h"
#include "driver/Report.h"
#include "lower/Lower.h"
#include "source/Paths.h"
#include "source/StackDepth.h"

#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace sx::driver {

std::string workingDirectory() {
    char buffer[PATH_MAX];
    return getcwd(buffer, sizeof buffer) ? buffer : "/";
}

namespace {

/// The folders of a name that stand where a build tree or an installation has them, seen from the executable.
std::vector<std::string> beside(const std::string& name, const char* content) {
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) return {};
    std::string folder = directoryOf(std::string_view(self, static_cast<size_t>(n)));
    std::vector<std::string> found;
    for (const char* relative : {"../../", "../", "", "../share/sx/"}) {
        std::string path = joinPath(folder, relative + name);
        if (access((path + content).c_str(), F_OK) == 0) found.push_back(path);
    }
    return found;
}

} // namespace

std::vector<std::string> libraryRoots() {
    if (const char* path = std::getenv("SX_STDLIB_PATH"); path && *path) return {joinPath(workingDirectory(), path)};
    return beside("library", "/modules");
}

std::string editorsFolder() {
    std::vector<std::string> found = beside("editors", "/lldb/sx.py");
    return found.empty() ? "" : found.front();
}

bool colorDiagnostics() {
    const char* term = std::getenv("TERM");
    const char* plain = std::getenv("NO_COLOR");
    return isatty(2) && !(plain && *plain) && !(term && std::strcmp(term, "dumb") == 0);
}

std::string defaultOutput(const Invocation& in) {
    if (!in.output.empty()) return in.output;
    std::string base =
        in.file.substr(in.file.find_last_of('/') == std::string::npos ? 0 : in.file.find_last_of('/') + 1);
    if (base.size() > 3 && base.compare(base.size() - 3, 3, ".sx") == 0) base.resize(base.size() - 3);
    return base;
}

Compilation::Compilation(const Invocation& invocation) : invocation(invocation) {
    vm::Limits limits;
    limits.steps = invocation.comptimeSteps;
    evaluator = std::make_unique<vm::Evaluator>(limits);
}

std::optional<int> Compilation::check() {
    auto start = std::chrono::steady_clock::now();
    sema::Options options;
    options.checks = invocation.checksOn(); // what runs while compiling is always checked
    options.traceValues = invocation.traceValues;
    options.checkAll = invocation.checkAll;
    options.checkModules = invocation.command == Command::Check;
    options.warnings = invocation.warnings != WarningPolicy::Off;
    options.warningsAreErrors = invocation.warnings == WarningPolicy::Error;
    options.requireMain = invocation.command == Command::Run || invocation.command == Command::Build;
    options.libraryRoots = libraryRoots();
    options.workingDirectory = workingDirectory();
    options.maxErrors = invocation.maxErrors;
    analysis = std::make_unique<sema::Sema>(sources, ast, types, diags, module, *evaluator, options);
    sema::Sema& sema = *analysis;
    bodies = lower::makeBodies(sema);
    sema.bodies = bodies.get();
    sema.comptime.buildNotes["target_triple"] = {codegen::TargetTriple};
    if (invocation.command == Command::Build) {
        sema.comptime.buildNotes["binary_path"] = {defaultOutput(invocation)};
        if (!invocation.output.empty()) sema.comptime.buildNotes["o_option"] = {invocation.output};
    }
    std::string readError;
    bool ok = false;
    withLargeStack([&] { ok = sema.analyze(invocation.file, readError); });
    hasRunStatements = sema.comptime.hasRunStatements;
    readMillis = sema.readMillis;
    parseMillis = sema.parseMillis;
    semaMillis = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() -
                 readMillis - parseMillis;

    if (!readError.empty()) {
        printError("cannot read `" + invocation.file + "`: " + readError);
        return 1;
    }
    RenderOptions render;
    render.color = colorDiagnostics();
    render.maxErrors = invocation.maxErrors;
    std::string text = renderDiagnostics(sources, diags, render);
    for (const std::string& line : sema.plainErrors) text += (text.empty() ? "" : "\n") + line;
    std::fwrite(text.data(), 1, text.size(), stderr);
    if (sema.comptime.exit) return *sema.comptime.exit;
    if (!ok) return 1;
    return std::nullopt;
}

} // namespace sx::driver
