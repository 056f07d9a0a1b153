#include "debugger/session/Launch.h"

#include "debugger/engine/ProcessFiles.h"
#include "debugger/native/NativeEngine.h"
#include "debugger/session/Build.h"
#include "debugger/session/Foreign.h"
#include "debugger/session/Heap.h"
#include "debugger/session/LongWork.h"
#include "debugger/session/Positions.h"
#include "debugger/session/SourceMap.h"
#include "debugger/session/Terminal.h"
#include "debugger/vm/Remote.h"
#include "debugger/vm/Taping.h"
#include "debugger/vm/VmEngine.h"
#include "source/Installation.h"
#include "source/Paths.h"
#include "source/Tracer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/MemoryBuffer.h"

#include <climits>
#include <cstdlib>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace sx::debugger {

using llvm::json::Object;

namespace {

/// A diagnostic as a line of the console that links to its place.
void show(Session& s, const Diagnostic& d) {
    std::string text = d.severity == Severity::Error ? "error: " : "warning: ";
    if (!d.subject.empty()) text += d.subject + ": ";
    text += d.message;
    Object body{{"category", "stderr"}, {"output", text + "\n"}};
    if (d.span.isValid()) {
        Location at = s.program->sources.resolve(d.span.begin);
        body["output"] = s.program->sources.placeOf(d.span.begin) + ": " + text + "\n";
        body["source"] = sourceOf(s, at.file);
        body["line"] = lineToClient(s, at.line);
        body["column"] = columnToClient(s, at);
    }
    s.eventNow("output", std::move(body));
}

/// Whether diagnostics of a program that compiles are told as well, and what it writes while it does.
enum class Told : uint8_t { All, Problems };

/// Reads and checks the program, which is the session's from now on; `before` is the one that it had. Its diagnostics
/// are told. If it is cancelled, all stays as it was.
Result<void> check(Session& s, const ProgramOptions& options, Told what, std::unique_ptr<Program>& before) {
    const std::string& file = options.file;
    CapturedOutput output; // of code that runs while compiling
    std::unique_ptr<Program> made;
    bool ok = checkProgram(s, options, made);
    if (!made) return Failure{Cancelled};
    before = std::exchange(s.program, std::move(made));
    if (ok && what == Told::Problems) return {};
    if (std::string text = output.take(); !text.empty()) s.streams.onOutput("stdout", asUtf8(text));
    const Diagnostics& diags = s.program->diags;
    for (const Diagnostic& d : diags.all()) show(s, d);
    for (const UnplacedError& e : diags.unplaced()) s.note("error: " + e.message + "\n" + e.details, "stderr");
    if (!s.program->problem.empty()) return Failure{s.program->problem};
    if (ok) return {};
    size_t n = diags.errorCount() + diags.unplaced().size();
    return Failure{code(file) + " does not compile: " + std::to_string(n) + (n == 1 ? " error" : " errors")};
}

/// Compiles the program for the front end's sake. Its diagnostics are told.
Result<void> compile(Session& s, const ProgramOptions& options) {
    s.places.reset();
    std::unique_ptr<Program> before;
    if (Result<void> checked = check(s, options, Told::All, before); !checked) return checked;
    s.places = std::make_unique<Places>(*s.program);
    return {};
}

/// Expressions are evaluated over the memory of the engine that was chosen.
void evaluateOver(Session& s) {
    s.evaluator = std::make_unique<Evaluator>(*s.program->sema, s.engine->memory(), s.engine->addresses());
}

/// The first source that is not what the executable was built from; empty: there is none.
std::string differingSource(const Session& s, const native::EntrySource& built) {
    for (auto& [path, hash] : built.files) {
        auto bytes = llvm::MemoryBuffer::getFile(pathHere(s, path));
        if (!bytes) continue;
        llvm::MD5 own;
        own.update((*bytes)->getBuffer());
        if (std::string(own.final().digest()) != hash) return pathHere(s, path);
    }
    return "";
}

/// Takes the options that a program was compiled with. The words of `-L` and `--test` may follow them.
template <typename Words> void takeOptions(ProgramOptions& options, const Words& words) {
    llvm::StringRef before;
    for (llvm::StringRef option : words) {
        if (before == "-L") options.libraryPaths.push_back(option.str());
        else if (before == "--test") options.tests.push_back(option.str());
        else if (option.consume_front("-O")) option.getAsInteger(10, options.optLevel);
        else if (option == "--checks") options.checks = true;
        else if (option == "--no-checks") options.checks = false;
        else if (option == "--trace-values") options.traceValues = true;
        else if (option == "--no-traces") options.traces = false;
        else if (option.consume_front("--test=")) options.tests.push_back(option.str());
        before = before == "-L" || before == "--test" ? "" : option;
    }
}

/// The options that an executable was built with.
ProgramOptions optionsOf(const native::EntrySource& source) {
    ProgramOptions options{source.file, source.folder};
    takeOptions(options, source.options);
    return options;
}

bool isFile(const std::string& path) {
    struct stat st;
    return stat(path.c_str(), &st) == 0 && S_ISREG(st.st_mode);
}

/// Compiles what an executable was built from. Where that cannot be had, its debug information has to do.
Result<void> readProgramOf(Session& s, const std::string& executable) {
    if (!isFile(executable)) return Failure{"there is no file " + code(asUtf8(executable))};
    Result<native::EntrySource> source = native::entrySourceOf(executable);
    if (!source) return describe(s, executable, "");
    ProgramOptions options = optionsOf(*source);
    options.workingDirectory = pathHere(s, options.workingDirectory);
    options.file = pathHere(s, options.file);
    if (std::string entry = joinPath(options.workingDirectory, options.file); !isFile(entry))
        return describe(s, executable, "the source " + code(entry) + " is not here");
    if (std::string file = differingSource(s, *source); !file.empty())
        return describe(s, executable, code(file) + " has changed since " + code(executable) + " was built");
    Result<void> compiled = compile(s, options);
    return compiled || !s.program ? compiled : describe(s, executable, compiled.error());
}

constexpr int64_t LeastHistory = 65536;

/// The path of a file, where it is given.
std::optional<std::string> optionalFile(Arguments& a, const char* name, const std::string& cwd) {
    std::optional<std::string> file = a.optionalText(name);
    if (file && file->empty()) a.reject("`" + std::string(name) + "` has to be the name of a file: it is empty");
    return file ? std::optional(joinPath(cwd, *file)) : std::nullopt;
}

/// A list or an object that has something.
bool isGiven(const llvm::json::Value* value) {
    if (value && value->getAsArray()) return !value->getAsArray()->empty();
    return value && value->getAsObject() && !value->getAsObject()->empty();
}

/// `record`: true, or a file that is written as well. `replay`: such a file.
void readRecording(Arguments& a, const std::string& cwd, StartRequest& start) {
    const llvm::json::Value* record = a.any("record");
    if (std::optional<llvm::StringRef> file = record ? record->getAsString() : std::nullopt) {
        if (file->empty()) a.reject("`record` has to be true, false or a file");
        start.record = true;
        start.recordingFile = joinPath(cwd, file->str());
    } else if (record && !record->getAsBoolean() && record->kind() != llvm::json::Value::Null) {
        a.reject("`record` has to be true, false or a file");
    } else {
        start.record = a.flag("record", false);
    }
    start.replayFile = optionalFile(a, "replay", cwd).value_or("");
    if (std::optional<std::string> file = optionalFile(a, "recordSpec", cwd)) {
        if (start.recordingFile.empty()) a.reject("`recordSpec` needs a file in `record`");
        else if (Result<void> read = readSpec(start, *file); !read) a.reject(read.error());
    }
    if (start.replayFile.empty()) return;
    if (record && start.record) a.reject("`record` and `replay` exclude each other");
    for (const char* own : {"args", "env", "stdio"})
        if (isGiven(a.any(own)))
            a.reject("`" + std::string(own) + "` and `replay` exclude each other: a recording has its own");
}

bool hasNul(llvm::StringRef text) { return text.contains('\0'); }

/// What a process cannot be given, which begins with texts that end at a NUL byte. Empty: nothing.
std::string startProblem(const StartRequest& start) {
    for (const std::string& arg : start.args)
        if (hasNul(arg)) return "`args` cannot hold a NUL byte";
    for (const auto& [name, value] : start.environment) {
        if (name.empty()) return "a name in `env` is empty";
        if (hasNul(name) || hasNul(value.value_or(""))) return "`env` cannot hold a NUL byte";
        if (llvm::StringRef(name).contains('='))
            return "a name in `env` cannot hold `=`, but found " + code(asUtf8(name));
    }
    return "";
}

/// What `launch` says of the process.
Result<StartRequest> startRequest(Session& s, Arguments& a, const std::string& cwd) {
    StartRequest start;
    if (!llvm::sys::fs::is_directory(cwd)) return Failure{"there is no folder " + code(asUtf8(cwd))};
    start.cwd = cwd;
    start.args = a.texts("args");
    start.stopOnEntry = a.flag("stopOnEntry", false);
    s.hidesEntry = s.setsWatchesAgain && !start.stopOnEntry;
    start.stopOnEntry |= s.setsWatchesAgain;
    readRecording(a, cwd, start);
    if (std::optional<int64_t> bytes = a.optionalInteger("historyBytes")) {
        if (*bytes < LeastHistory) return Failure{"`historyBytes` has to be 65536 or more"};
        start.historyBytes = static_cast<uint64_t>(*bytes);
    }
    if (const Object* environment = a.object("env")) {
        for (const auto& [name, value] : *environment) {
            if (std::optional<llvm::StringRef> text = value.getAsString())
                start.environment.emplace_back(name.str(), text->str());
            else if (value.kind() == llvm::json::Value::Null) start.environment.emplace_back(name.str(), std::nullopt);
            else return Failure{"the values of `env` are texts or null"};
        }
    }
    if (std::optional<std::string> heap = a.optionalText("heap")) {
        if (*heap != "off" && *heap != "track") return Failure{"`heap` has to be `off` or `track`"};
        start.environment.emplace_back("SX_HEAP", *heap);
        start.trackHeap = *heap == "track";
    }
    if (!a.ok()) return Failure{a.problem()};
    if (std::string why = startProblem(start); !why.empty()) return Failure{why};
    return start;
}

/// Where libraries of C are looked for, as by `-L` of the compiler.
std::vector<std::string> libraryPathsOf(Arguments& a, const std::string& cwd) {
    std::vector<std::string> paths = a.texts("libraryPaths");
    for (std::string& path : paths) path = joinPath(cwd, path);
    return paths;
}

/// The dynamic linker looks in these folders, too, before those that it is told of already.
void passLibraryPaths(StartRequest& start, const std::vector<std::string>& paths) {
    if (paths.empty()) return;
    static constexpr const char* Variable = "LD_LIBRARY_PATH";
    const char* own = getenv(Variable);
    std::string others = own ? own : "";
    for (const auto& [name, value] : start.environment)
        if (name == Variable) others = value.value_or("");
    std::string all = llvm::join(paths, ":");
    if (!others.empty()) all += ":" + others;
    start.environment.emplace_back(Variable, std::move(all));
}

bool isSourceFile(const std::string& path) { return llvm::StringRef(path).ends_with(".sx"); }

/// `native` or `vm`.
Result<bool> chooseVm(Session& s, Arguments& a, bool isSource) {
    std::optional<std::string> engine = a.optionalText("engine");
    if (!a.ok()) return Failure{a.problem()};
    if (engine && *engine != "native" && *engine != "vm") return Failure{"`engine` has to be `native` or `vm`"};
    if (engine) {
        if (*engine == "vm" && !isSource) return Failure{"the engine `vm` runs source files (`.sx`)"};
        return *engine == "vm";
    }
    if (nativeEngineProblem(s.options.engineFolder).empty()) return false;
    if (isSource) return true;
    return Failure{nativeEngineProblem(s.options.engineFolder)};
}

/// Has the client start the program in a terminal, from where it connects to this session.
Result<void> runInTerminal(Session& s, const std::string& console, const std::string& file, const StartRequest& start) {
    Result<Doorway> door = openDoorway();
    if (!door) return door.failure();
    llvm::json::Array command{s.options.compiler,
                              "run",
                              "--vm",
                              "--warnings=off",
                              "--debug-connect",
                              std::to_string(door->port) + ":" + door->token};
    if (s.program->options.optLevel >= 2) command.push_back("--no-checks");
    for (const std::string& path : s.program->options.libraryPaths) command.push_back("-L" + path);
    for (const std::string& test : s.program->options.tests) command.push_back("--test=" + test);
    for (const char* word : {file.c_str(), "--"}) command.push_back(word);
    for (const std::string& word : start.args) command.push_back(word);
    if (Result<void> asked = askForTerminal(s, console, file, std::move(command), start); !asked) {
        ::close(door->listener); // what the client starts all the same finds nobody, and ends
        return asked;
    }
    RemoteProgram what;
    LongWork work(s, "waiting for the program in the terminal");
    Result<VmProcess> process = acceptProgram(*door, what, [&](int descriptor) {
        constexpr std::chrono::seconds Patience{20}; // it compiles first
        return s.waitFor(work, descriptor, Patience) == Waited::Ready;
    });
    if (!process) return s.cancelled() ? Failure{Cancelled} : process.failure();
    if (hashOf(*s.program) != what.hash) {
        closeConnections(*process);
        return Failure{"the sources have changed while the program was started"};
    }
    s.engine = makeVmEngine(*s.program, *process, start.stopOnEntry);
    evaluateOver(s);
    return {};
}

/// Starts an engine on the program that was compiled.
Result<void> startEngine(Session& s, StartRequest start, bool isVm) {
    if (isVm) {
        s.engine = makeVmEngine(*s.program);
    } else {
        if (!s.foreign) s.foreign = std::make_unique<ForeignState>(std::make_unique<ForeignProgram>());
        Result<std::unique_ptr<Engine>> engine = makeNativeEngine(
            *s.program, s.options.engineFolder, [&s](const std::string& path) { return pathRecorded(s, path); },
            [&s](const std::string& path) { return pathHere(s, path); }, *s.foreign->program);
        if (!engine) return engine.failure();
        s.engine = std::move(*engine);
    }
    LongWork work(s, "starting the program");
    start.goesOn = [&] { return s.goesOnStarting(work); };
    Result<void> started = s.engine->start(start);
    if (s.foreign) showValuesOver(s);
    if (s.program->sema) evaluateOver(s);
    if (s.foreign) showCCode(s);
    return started;
}

/// What is started is the compiler, as `sx run` is, and the program is its code.
void makeInMemory(Session& s, StartRequest& start, const std::string& file, int optLevel, bool releaseTraces) {
    std::vector<std::string> args{"run", "--warnings=off", "-O" + std::to_string(optLevel), "-g"};
    if (releaseTraces) args.push_back("--release-traces");
    for (const std::string& path : s.program->options.libraryPaths) args.push_back("-L" + path);
    for (const std::string& test : s.program->options.tests) args.push_back("--test=" + test);
    args.insert(args.end(), {file, "--"});
    args.insert(args.end(), start.args.begin(), start.args.end());
    start.program = s.options.compiler;
    start.args = std::move(args);
    start.inMemory = true;
    start.isUntraced = optLevel >= 2 && !releaseTraces;
}

/// What the session has of a program that it debugged before.
void forgetProgram(Session& s) {
    s.terminal.reset();
    *s.heap = HeapState();
    s.evaluator.reset();
    s.engine.reset();
    s.foreign.reset();
    s.program.reset();
}

/// The file that `launch` names; empty: the recording says it.
std::string programOf(Arguments& a) {
    std::string file = a.optionalText("replay") ? a.optionalText("program").value_or("") : a.text("program");
    if (a.any("program") && a.ok() && file.empty()) a.reject("`program` has to be the name of a file: it is empty");
    return file;
}

/// What is compiled: as it is asked for, and else as it was when it was recorded. `hasLevel`: a level is asked for.
ProgramOptions withRecorded(const ProgramOptions& asked, const StartRequest& start, bool hasLevel) {
    ProgramOptions options = asked;
    if (!start.replay) return options;
    takeOptions(options, recordedOptions(start));
    if (hasLevel) options.optLevel = asked.optLevel;
    if (!asked.tests.empty()) options.tests = asked.tests;
    return options;
}

Result<void> launchProgram(Session& s, Arguments& a) {
    std::string cwd = joinPath(workingDirectory(), a.optionalText("cwd").value_or(""));
    std::string file = programOf(a);
    int64_t optLevel = a.optionalInteger("optLevel").value_or(0);
    bool releaseTraces = a.flag("releaseTraces", false);
    s.stepIntoLibrary = a.flag("stepIntoLibrary", false);
    std::string output = a.optionalText("output").value_or("");
    bool inMemory = a.flag("inMemory", false);
    std::vector<std::string> tests;
    if (std::optional<std::string> test = a.optionalText("test")) tests.push_back(*test);
    std::vector<std::string> libraryPaths = libraryPathsOf(a, cwd);
    std::string console = a.optionalText("console").value_or("internalConsole");
    if (!a.ok()) return Failure{a.problem()};
    if (console != "internalConsole" && console != "integratedTerminal" && console != "externalTerminal")
        return Failure{"`console` has to be `internalConsole`, `integratedTerminal` or `externalTerminal`"};
    if (optLevel < 0 || optLevel > 3) return Failure{"`optLevel` has to be 0, 1, 2 or 3"};
    Result<StartRequest> start = startRequest(s, a, cwd);
    if (!start) return start.failure();
    if (!start->replayFile.empty())
        if (Result<void> read = readReplay(*start, file, cwd); !read) return read;
    if (!isFile(joinPath(cwd, file))) return Failure{"there is no file " + code(asUtf8(joinPath(cwd, file)))};
    bool isSource = isSourceFile(file);
    Result<bool> isVm = start->replay && !a.any("engine") ? Result<bool>(true) : chooseVm(s, a, isSource);
    if (!isVm) return isVm.failure();
    if (!*isVm)
        if (std::string problem = nativeEngineProblem(s.options.engineFolder); !problem.empty())
            return Failure{problem};
    if (start->record && (!*isVm || console != "internalConsole"))
        return Failure{start->replay ? "`replay` is for the engine `vm` and the internal console"
                                     : "`record` is for the engine `vm` and the internal console"};
    if (inMemory && (!isSource || *isVm)) return Failure{"`inMemory` is for source files and the engine `native`"};
    if (!tests.empty() && !isSource) return Failure{"`test` is for source files (`.sx`)"};
    forgetProgram(s);
    ProgramOptions asked{file, cwd, static_cast<int>(optLevel), {}, false, true, libraryPaths, tests};
    ProgramOptions options = withRecorded(asked, *start, a.any("optLevel"));
    if (Result<void> r = isSource ? compile(s, options) : readProgramOf(s, joinPath(cwd, file)); !r) return r;
    if (Result<void> same = expectSameProgram(*s.program, *start); !same) return same;
    if (!start->replay) start->program = joinPath(cwd, file);
    if (inMemory) {
        makeInMemory(s, *start, file, static_cast<int>(optLevel), releaseTraces);
    } else if (isSource && !*isVm) {
        Result<std::string> built = buildExecutable(s, file, cwd, static_cast<int>(optLevel), releaseTraces, output);
        if (!built) return built.failure();
        start->program = *built;
    }
    if (!*isVm && !inMemory) passLibraryPaths(*start, libraryPaths);
    if (Result<void> r = s.streams.open(a.array("stdio"), cwd); !r) return r;
    if (!a.ok()) return Failure{a.problem()};
    start->stdio = s.streams.programEnds();
    bool hasTerminal = console != "internalConsole";
    if (hasTerminal && *isVm) return runInTerminal(s, console, file, *start);
    if (hasTerminal) {
        s.terminal = std::make_unique<Terminal>();
        if (Result<void> r = s.terminal->open(s, console, file, *start); !r) return r;
    }
    Result<void> started = startEngine(s, *start, *isVm);
    if (hasTerminal) s.terminal->started();
    s.streams.started();
    return started;
}

/// `connect`: to a program that `sx run --vm --debug-listen` has waiting.
Result<void> connectToProgram(Session& s, const std::string& address, bool stopOnEntry) {
    RemoteProgram what;
    Result<VmProcess> process = connectRemote(address, what);
    if (!process) return process.failure();
    ProgramOptions options{what.file, what.cwd, what.optLevel, what.checks};
    if (!what.test.empty()) options.tests.push_back(what.test);
    for (const std::string& path : what.libraryPaths) options.libraryPaths.push_back(joinPath(what.cwd, path));
    Result<void> compiled = compile(s, options);
    if (compiled && hashOf(*s.program) != what.hash)
        compiled = Failure{"the sources of " + code(what.file) +
                           " or the compiler have changed since the program was started"};
    if (!compiled) {
        closeConnections(*process);
        return compiled;
    }
    s.engine = makeVmEngine(*s.program, *process, stopOnEntry);
    evaluateOver(s);
    return {};
}

/// This process was started by that one, directly or not: the client itself, which would wait for itself.
bool isAncestor(int pid) {
    int at = getppid();
    for (int most = 100; at > 1 && at != pid && most > 0; --most)
        at = static_cast<int>(ProcessStatus(at).number(ProcessStatus::Parent));
    return at == pid;
}

/// Why a process cannot be attached to, as far as it can be known; empty: it can.
std::string attachProblem(int pid) {
    std::string name = "process " + std::to_string(pid);
    if (pid == getpid()) return name + " is this debugger";
    if (isAncestor(pid)) return name + " has started this debugger";
    if (int process = processOf(pid); process != 0 && process != pid)
        return std::to_string(pid) + " is a thread of process " + std::to_string(process) + ": attach to that";
    if (int tracer = tracerOf(pid); tracer != 0)
        return name + " is debugged already, by process " + std::to_string(tracer);
    return "";
}

Result<void> attachToProgram(Session& s, Arguments& a) {
    std::optional<std::string> connect = a.optionalText("connect");
    std::optional<int64_t> pid = a.optionalInteger("pid");
    if (pid && (*pid < 1 || *pid > INT32_MAX)) a.reject("`pid` has to be the number of a process: from 1 on");
    std::optional<std::string> core = a.optionalText("core");
    if (core && core->empty()) a.reject("`core` has to be the name of a file: it is empty");
    bool stopOnEntry = a.flag("stopOnEntry", false);
    if (!a.ok()) return Failure{a.problem()};
    forgetProgram(s);
    if (connect) return connectToProgram(s, *connect, stopOnEntry);
    if (std::string problem = pid ? attachProblem(static_cast<int>(*pid)) : ""; !problem.empty())
        return Failure{problem};
    if (!pid && !core) return Failure{"`attach` needs `pid`, `core` or `connect`"};
    if (std::string problem = nativeEngineProblem(s.options.engineFolder); !problem.empty()) return Failure{problem};
    std::string program = a.optionalText("program").value_or("");
    if (!a.ok()) return Failure{a.problem()};
    StartRequest start;
    start.cwd = workingDirectory();
    start.program = joinPath(start.cwd, program);
    if (core) start.core = joinPath(start.cwd, *core);
    else start.process = static_cast<int>(*pid);
    if (core && program.empty()) return Failure{"`attach` to a core file needs its `program` as well"};
    if (core && !isFile(start.core)) return Failure{"there is no core file " + code(start.core)};
    if (program.empty()) {
        char path[PATH_MAX];
        ssize_t n = readlink(("/proc/" + std::to_string(*pid) + "/exe").c_str(), path, sizeof path);
        if (n <= 0) return Failure{"there is no process " + std::to_string(*pid) + " that could be looked at"};
        start.program.assign(path, static_cast<size_t>(n));
    }
    if (Result<void> r = readProgramOf(s, start.program); !r) return r;
    return startEngine(s, start, false);
}

} // namespace

Result<void> checkAgain(Session& s) {
    std::optional<llvm::StringRef> file = s.launchArguments.getString("program");
    if (!s.program || !s.program->sema || !file || !isSourceFile(file->str())) return {};
    std::unique_ptr<Program> running;
    Result<void> checked = check(s, s.program->options, Told::Problems, running);
    if (running) s.program = std::move(running);
    return checked;
}

Result<void> loadProgram(Session& s, Arguments& a) {
    if (std::string problem = sourceMapProblem(s.launchArguments); !problem.empty()) return Failure{problem};
    return s.attached ? attachToProgram(s, a) : launchProgram(s, a);
}

} // namespace sx::debugger
