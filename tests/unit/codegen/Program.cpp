#include "Program.h"

#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/Passes.h"
#include "types/Derived.h"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace sx::codegen::test {

Program::Program() { source("main\n"); }

void Program::source(std::string text, std::string path) { file_ = sources.addFile(path, path, std::move(text)); }

Span Program::at(std::string_view part) const {
    size_t offset = sources.text(file_).find(part);
    REQUIRE(offset != std::string_view::npos);
    SourcePos begin = sources.start(file_) + static_cast<uint32_t>(offset);
    return {begin, begin + static_cast<uint32_t>(part.size())};
}

ir::FuncId Program::function(std::string name, std::vector<TypeId> params, TypeId result, CallConv conv) {
    auto fn = std::make_unique<ir::Function>();
    fn->name = name;
    fn->symbol = std::move(name);
    fn->params = std::move(params);
    fn->paramNames.resize(fn->params.size());
    fn->result = result;
    fn->conv = conv;
    fn->span = {sources.start(file_), sources.start(file_) + 4};
    module.functions.push_back(std::move(fn));
    return ir::FuncId(module.functions.size() - 1);
}

ir::FuncId Program::external(std::string symbol, std::vector<TypeId> params, TypeId result, bool variadic) {
    ir::FuncId f = function(std::move(symbol), std::move(params), result, CallConv::C);
    module.fn(f).isExtern = true;
    module.fn(f).cVariadic = variadic;
    return f;
}

void Program::main(const std::function<void(ir::Builder&)>& body) {
    module.entry = function("main", {TypeId::I32, manyPointerTo(types, TypeId::CString)}, TypeId::I32, CallConv::C);
    ir::Function& fn = module.fn(module.entry);
    fn.isExport = true;
    ir::Builder b(module, fn);
    body(b);
    if (!b.terminated()) emitRet(b, constInt(b, TypeId::I32, 0));
}

ir::GlobalId Program::text(std::string_view content) {
    ir::Global global;
    global.name = "text";
    global.symbol = "text" + std::to_string(module.globals.size());
    global.size = content.size() + 1;
    global.init.bytes.assign(content.begin(), content.end());
    global.init.bytes.push_back(0);
    global.isConst = global.mergeable = true;
    module.globals.push_back(std::move(global));
    return ir::GlobalId(module.globals.size() - 1);
}

TypeId Program::structOf(std::vector<TypeId> fields) {
    TypeId t = types.newStruct("S" + std::to_string(types.size()));
    std::vector<StructField> parts;
    for (TypeId field : fields)
        parts.push_back({.name = names.intern("f" + std::to_string(parts.size())), .type = field});
    types.completeStruct(t, std::move(parts));
    return t;
}

std::string Program::problems() const {
    std::string all;
    for (const std::string& problem : ir::verify(module)) all += problem + "\n";
    return all;
}

// ---- running

Outcome collect(const std::function<int()>& inChild) {
    std::string outPath = scratch("out"), errPath = scratch("err");
    fflush(nullptr);
    pid_t child = fork();
    if (child == 0) {
        for (int fatal : {SIGABRT, SIGSEGV, SIGILL, SIGFPE, SIGBUS})
            signal(fatal, SIG_DFL); // not for the test framework
        if (!freopen(outPath.c_str(), "w", stdout) || !freopen(errPath.c_str(), "w", stderr)) _exit(99);
        int code = inChild();
        fflush(nullptr);
        _exit(code);
    }
    int status = 0;
    waitpid(child, &status, 0);
    auto content = [](const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), content(outPath), content(errPath)};
}

Outcome runFile(const std::string& path) {
    return collect([&] {
        execl(path.c_str(), path.c_str(), static_cast<char*>(nullptr));
        return 98;
    });
}

std::string scratch(const std::string& name) {
    static const std::filesystem::path folder = [] {
        std::string pattern = (std::filesystem::temp_directory_path() / "sx-codegen-XXXXXX").string();
        if (!mkdtemp(pattern.data())) abort();
        static std::string made = pattern;
        atexit([] { std::filesystem::remove_all(made); });
        return std::filesystem::path(pattern);
    }();
    return (folder / name).string();
}

Outcome Program::runJit(const Options& options) {
    REQUIRE(problems() == "");
    return collect([&] {
        Result<int> code = runInProcess(module, options, {"program"});
        if (code) return *code;
        fprintf(stderr, "error: %s\n", code.error().c_str());
        return 97;
    });
}

Outcome Program::runNative(const Options& options, const LinkOptions& given) {
    REQUIRE(problems() == "");
    Result<std::vector<ObjectFile>> objects = emitObjects(module, options);
    INFO((objects ? "" : objects.error()));
    REQUIRE(objects);
    LinkOptions link = given;
    if (link.output.empty()) link.output = scratch("program");
    Result<void> linked = linkExecutable(*objects, link);
    INFO(linked.error());
    REQUIRE(linked);
    return runFile(link.output);
}

Outcome Program::run() {
    Outcome first = runJit(level(0, true));
    auto check = [&](const char* how, const Outcome& other) {
        INFO(how);
        CHECK(other.exitCode == first.exitCode);
        CHECK(other.out == first.out);
        CHECK(other.err == first.err);
    };
    Options inParts = level(0, true);
    inParts.parts = 3;
    check("in process, in three parts", runJit(inParts));
    check("in process, -O2", runJit(level(2, true)));
    check("executable, -O0, in three parts", runNative(inParts));
    check("executable, -O2", runNative(level(2, true)));
    return first;
}

std::string Program::assemblyText(const Options& options) {
    REQUIRE(problems() == "");
    Result<std::string> text = assembly(module, options);
    INFO((text ? "" : text.error()));
    REQUIRE(text);
    return *text;
}

Options level(int optLevel, bool traces) {
    Options options;
    options.optLevel = optLevel;
    options.traces = traces;
    options.verify = true;
    return options;
}

} // namespace sx::codegen::test
