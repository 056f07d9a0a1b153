#include "driver/CommandTable.h"

#include "source/Diagnostics.h"
#include "source/Tracer.h"

#include <cstdlib>

namespace sx::driver {

namespace {

std::string withNear(std::string message, const std::string& given, const std::vector<std::string_view>& known) {
    std::string_view near = given.size() > 2 ? nearestName(given, known) : ""; // two letters are near to everything
    if (!near.empty()) message += ", did you mean " + code(near) + "?";
    return message;
}

class Parser {
public:
    explicit Parser(const std::vector<std::string>& args) : args_(args) {}

    Result<Invocation> run() {
        if (args_.empty()) return fail("no command given; try `sx help`");
        if (!command(args_[0])) return Failure{error_};
        if (row_->operands == Operands::Raw) {
            takeProgramArgs(1);
            return in_;
        }
        for (at_ = 1; at_ < args_.size() && !isDone_; ++at_)
            if (!argument(args_[at_])) return Failure{error_};
        if (in_.command == Command::Help || in_.command == Command::Version) return in_;
        const bool isFile = row_->operands != Operands::Word && row_->operands != Operands::AnyWord;
        const bool isOptional = row_->operands == Operands::AnyFiles || row_->operands == Operands::AnyWord ||
                                row_->operands == Operands::None;
        if (in_.file.empty() && !isOptional && in_.replay.empty())
            return fail(std::string(isFile ? "no file" : "no " + std::string(row_->shown)) + " given" + hint());
        for (const std::string& problem : {traceValuesProblem(), recordingProblem()})
            if (!problem.empty()) return fail(problem + hint());
        return in_;
    }

private:
    std::string traceValuesProblem() const {
        if (!in_.traceValues) return "";
        if (in_.noTraces) return "`--trace-values` and `--no-traces` exclude each other";
        if (in_.level() == 0 || in_.vm) return "";
        return "`--trace-values` needs -O0: code of other levels does not keep what parameters hold";
    }

    std::string recordingProblem() const {
        bool isDebugged = in_.debugPort || !in_.debugConnect.empty();
        if (!in_.recordSpec.empty() && in_.record.empty()) return "`--record-spec` needs `--record`";
        if (in_.record.empty() && in_.replay.empty()) return "";
        if (!in_.record.empty() && !in_.replay.empty()) return "`--record` and `--replay` exclude each other";
        if (in_.dump != Dump::None) return "`--dump` runs no program that could be recorded or replayed";
        if (isDebugged) return "`sx dap` records and replays what it debugs by `record` and `replay` of `launch`";
        if (!in_.record.empty() && !in_.vm) return "`--record` needs `--vm`: it records what is interpreted";
        if (!in_.replay.empty() && !in_.programArgs.empty()) return "a replay has its arguments from the recording";
        return "";
    }

    Failure fail(std::string message) {
        error_ = std::move(message);
        return {error_};
    }

    void takeProgramArgs(size_t from) {
        in_.programArgs.assign(args_.begin() + static_cast<std::ptrdiff_t>(from), args_.end());
    }

    std::string hint() const { return "; try `sx help " + std::string(row_->name) + "`"; }

    bool command(std::string given) {
        if (given == "--help" || given == "-h") given = "help";
        if (given == "--version") given = "version";
        row_ = findCommand(given);
        if (row_) {
            in_.command = row_->command;
            return true;
        }
        std::vector<std::string_view> known;
        for (const CommandRow& row : commandRows()) known.push_back(row.name);
        fail(withNear("unknown command " + code(given), given, known) + "; try `sx help`");
        return false;
    }

    /// One argument after the command, with the value that follows it.
    bool argument(const std::string& arg) {
        const bool isProgram = row_->operands == Operands::Program;
        if (isProgram && !in_.file.empty() && arg == "--") {
            takeProgramArgs(at_ + 1);
            isDone_ = true;
            return true;
        }
        if (arg.size() > 1 && arg[0] == '-') {
            if (arg == "-h" || arg == "--help") {
                in_.helpTopic = row_->name;
                in_.command = Command::Help;
                isDone_ = true;
                return true;
            }
            return option(arg);
        }
        return operand(arg);
    }

    bool operand(const std::string& arg) {
        if (in_.command == Command::Help || in_.command == Command::Version) {
            if (in_.command == Command::Version || at_ > 1) {
                fail("too many arguments; try `sx help`");
                return false;
            }
            in_.helpTopic = arg;
            return true;
        }
        const bool isFirst = in_.file.empty();
        if (isFirst) in_.file = arg;
        switch (row_->operands) {
        case Operands::Files:
        case Operands::AnyFiles: in_.files.push_back(arg); return true;
        case Operands::Program:
            if (isFirst) return true;
            takeProgramArgs(at_); // from the first operand on, everything is the program's
            isDone_ = true;
            return true;
        case Operands::None: fail(code(arg) + " is too much: the command takes options only" + hint()); return false;
        default: break;
        }
        if (isFirst) return true;
        const char* what = row_->operands == Operands::File ? "file" : "name";
        fail("more than one " + std::string(what) + " given: " + code(in_.file) + " and " + code(arg) + hint());
        return false;
    }

    /// An option as it was given: `--name=value`, `-ovalue`, `-O2`.
    struct Given {
        std::string name, value;
        bool hasValue = false;
    };

    std::optional<Given> split(const std::string& arg) {
        if (size_t eq = arg.find('='); arg[1] == '-' && eq != std::string::npos)
            return Given{arg.substr(0, eq), arg.substr(eq + 1), true};
        const std::string start = arg.substr(0, 2);
        if (arg.size() > 2 && (start == "-L" || start == "-F" || start == "-o"))
            return Given{start, arg.substr(2), true};
        if (start != "-O") return Given{arg, "", false};
        if (arg.size() == 3 && arg[2] >= '0' && arg[2] <= '3') return Given{"--opt", arg.substr(2), true};
        fail("unknown optimisation level " + code(arg) + "; the levels are -O0 to -O3" + hint());
        return std::nullopt;
    }

    /// The row of an option for this command. Null after a report.
    const OptionRow* find(const std::string& name) {
        std::vector<std::string_view> names;
        bool isKnown = false;
        for (const OptionRow& row : optionRows()) {
            if (name == row.name && (row.commands & of(in_.command))) return &row;
            isKnown |= name == row.name;
            names.push_back(row.name);
        }
        if (isKnown) fail("`sx " + std::string(row_->name) + "` has no option `" + name + "`" + hint());
        else fail(withNear("unknown option " + code(name), name, names) + hint());
        return nullptr;
    }

    bool option(const std::string& arg) {
        std::optional<Given> given = split(arg);
        const OptionRow* row = given ? find(given->name) : nullptr;
        if (!row) return false;
        const bool takesValue = *row->value != 0;
        if (takesValue && !given->hasValue && at_ + 1 < args_.size()) {
            given->value = args_[++at_];
            given->hasValue = true;
        }
        if (takesValue && given->value.empty()) {
            fail("option " + code(given->name) + " needs a value" + hint());
            return false;
        }
        if (!takesValue && given->hasValue) {
            fail("option " + code(given->name) + " takes no value" + hint());
            return false;
        }
        if (row->isPackaging) in_.packaging.push_back(given->name);
        return apply(given->name, given->value, hint());
    }

    bool apply(const std::string& name, const std::string& value, const std::string& hint) {
        if (name == "--opt") return level(value, hint);
        if (name == "--release-traces") in_.releaseTraces = true;
        else if (name == "--no-traces") in_.noTraces = true;
        else if (name == "--trace-values") in_.traceValues = true;
        else if (name == "--checks") in_.checks = true;
        else if (name == "--no-checks") in_.checks = false;
        else if (name == "--vm") in_.vm = true;
        else if (name == "--debug-listen") return port(name, value, hint, in_.debugPort);
        else if (name == "--listen") return port(name, value, hint, in_.serverPort);
        else if (name == "--debug-connect") in_.debugConnect = value;
        else if (name == "--record") in_.record = value;
        else if (name == "--record-spec") in_.recordSpec = value;
        else if (name == "--replay") in_.replay = value;
        else if (name == "--heap") return heap(value, hint);
        else if (name == "--html") (in_.command == Command::Doc ? in_.htmlFolder : in_.page) = value;
        else if (name == "--emit-obj") in_.emitObject = true;
        else if (name == "--emit-dbg") in_.emitOrigins = true;
        else if (name == "--cache") in_.cache = true;
        else if (name == "-g") in_.debugInfo = true;
        else if (name == "-g0") in_.debugInfo = false;
        else if (name == "--dwarf") return dwarf(value, hint);
        else if (name == "--parts") return number(name, value, hint, 1, in_.parts);
        else if (name == "--time") in_.time = true;
        else if (name == "--all") in_.checkAll = true;
        else if (name == "--test") in_.tests = {value};
        else if (name == "--filter") in_.testFilters.push_back(value);
        else if (name == "--exact") in_.testExact = true;
        else if (name == "--list") in_.testList = true;
        else if (name == "--json") in_.json = true;
        else if (name == "--junit") in_.junitFile = value;
        else if (name == "--markdown") in_.markdownFolder = value;
        else if (name == "--jobs") return number(name, value, hint, 1, in_.jobs);
        else if (name == "--timeout") return number(name, value, hint, 0, in_.testTimeout);
        else if (name == "--check") (in_.command == Command::Sym ? in_.checkSymbols : in_.formatCheck) = true;
        else if (name == "--disassemble") in_.disassemble = true;
        else if (name == "--format") return format(value, hint);
        else if (name == "--diff") in_.formatDiff = true;
        else if (name == "-o") in_.output = value;
        else if (name == "--target") return target(value, hint);
        else if (name == "--cpu") in_.cpu = value;
        else if (name == "-L") in_.libraryPaths.push_back(value);
        else if (name == "--self-contained") in_.systemLinker = false;
        else if (name == "--no-self-contained") in_.systemLinker = true;
        else if (name == "--lflags") in_.linkFlags.push_back(value);
        else if (name == "--linker") in_.linker = value;
        else if (name == "--sysroot") in_.sysroot = value;
        else if (name == "--dump") return dump(value, hint);
        else if (name == "--warnings") return warnings(value, hint);
        else if (name == "--max-errors") return number(name, value, hint, 0, in_.maxErrors);
        else if (name == "--comptime-steps") return number(name, value, hint, 1, in_.comptimeSteps);
        return true;
    }

    bool number(const std::string& name, const std::string& value, const std::string& hint, uint64_t least,
                uint64_t& out) {
        std::optional<uint64_t> n = 0;
        for (char c : value)
            n = n && c >= '0' && c <= '9' && *n <= (INT64_MAX - 9) / 10
                    ? std::optional(*n * 10 + static_cast<uint64_t>(c - '0'))
                    : std::nullopt;
        if (value.empty() || !n || *n < least) {
            fail(code(name) + " needs a " + (least > 0 ? "positive " : "") + "number, not " + code(value) + hint);
            return false;
        }
        out = *n;
        return true;
    }

    /// `[127.0.0.1:]PORT`
    bool port(const std::string& name, const std::string& value, const std::string& hint,
              std::optional<uint16_t>& out) {
        std::string port = value;
        for (const char* host : {"127.0.0.1:", "localhost:"})
            if (port.rfind(host, 0) == 0) port = port.substr(std::string(host).size());
        uint64_t n = 0;
        if (!number(name, port, hint, 0, n)) return false;
        if (n > UINT16_MAX) {
            fail(code(name) + " needs a port, not " + code(value) + hint);
            return false;
        }
        out = static_cast<uint16_t>(n);
        return true;
    }

    bool level(const std::string& value, const std::string& hint) {
        static constexpr struct {
            const char* name;
            int level;
        } Levels[] = {{"none", 0},    {"0", 0}, {"less", 1},       {"1", 1},
                      {"default", 2}, {"2", 2}, {"aggressive", 3}, {"3", 3}};
        for (auto& l : Levels)
            if (value == l.name) {
                in_.optLevel = l.level;
                return true;
            }
        fail("unknown optimisation level " + code(value) + ": it is `none`, `less`, `default`, `aggressive` or 0 to 3" +
             hint);
        return false;
    }

    bool target(const std::string& value, const std::string& hint) {
        for (const char* known :
             {"linux", "linux-x86", "x86_64-linux-gnu", "x86_64-unknown-linux-gnu", "x86_64-pc-linux-gnu"})
            if (value == known) {
                in_.target = value;
                return true;
            }
        fail("target " + code(value) + " is not supported: this compiler makes code for `linux-x86`" + hint);
        return false;
    }

    bool dwarf(const std::string& value, const std::string& hint) {
        if (value == "4" || value == "5") {
            in_.dwarfVersion = value[0] - '0';
            return true;
        }
        fail("unknown version " + code(value) + " for `--dwarf`: it is `4` or `5`" + hint);
        return false;
    }

    bool format(const std::string& value, const std::string& hint) {
        in_.symbolFormat = value == "ngsm" ? SymbolFormat::Ngsm : SymbolFormat::Json;
        if (value == "ngsm" || value == "json") return true;
        fail("unknown format " + code(value) + ": it is `json` or `ngsm`" + hint);
        return false;
    }

    bool heap(const std::string& value, const std::string& hint) {
        in_.trackHeap = value == "track";
        if (in_.trackHeap || value == "off") return true;
        fail("unknown value " + code(value) + " for `--heap`: it is `off` or `track`" + hint);
        return false;
    }

    bool warnings(const std::string& value, const std::string& hint) {
        if (value != "off" && value != "error") {
            fail("unknown value " + code(value) + " for `--warnings`: it is `off` or `error`" + hint);
            return false;
        }
        in_.warnings = value == "off" ? WarningPolicy::Off : WarningPolicy::Error;
        return true;
    }

    bool dump(const std::string& value, const std::string& hint) {
        static constexpr struct {
            const char* name;
            Dump dump;
        } Stages[] = {{"tokens", Dump::Tokens},
                      {"ast", Dump::Ast},
                      {"ir", Dump::Ir},
                      {"bytecode", Dump::Bytecode},
                      {"llvm", Dump::Llvm}};
        for (auto& s : Stages)
            if (value == s.name) {
                in_.dump = s.dump;
                return true;
            }
        fail("unknown stage " + code(value) + " for `--dump`: it is `tokens`, `ast`, `ir`, `bytecode` or `llvm`" +
             hint);
        return false;
    }

    const std::vector<std::string>& args_;
    std::string error_;
    Invocation in_;
    const CommandRow* row_ = nullptr; ///< of the command
    size_t at_ = 0;
    bool isDone_ = false; ///< what follows is not looked at
};

} // namespace

int Invocation::level() const {
    if (optLevel) return *optLevel;
    if (command == Command::Build && !emitObject) return 1;
    if (command == Command::Asm) return 1;
    return 0;
}

bool Invocation::debugInfoOn() const {
    if (emitOrigins) return true;
    if (debugInfo) return *debugInfo;
    if (level() >= 2) return false;
    if (command != Command::Run) return command == Command::Build;
    static const bool hasDebugger = tracerOf(getpid()) != 0;
    return hasDebugger; // whom else is code in memory described for
}

std::string recordedOptions(const Invocation& in) {
    std::string text = "-O" + std::to_string(in.level());
    if (in.checks) text += *in.checks ? " --checks" : " --no-checks";
    if (in.releaseTraces) text += " --release-traces";
    if (in.noTraces) text += " --no-traces";
    if (in.traceValues) text += " --trace-values";
    if (!in.cpu.empty()) text += " --cpu=" + in.cpu;
    for (const std::string& test : in.tests) text += " --test=" + test;
    return text;
}

bool Invocation::checksOn() const { return checks.value_or(level() < 2 || vm); }

bool Invocation::tracesOn() const {
    if (noTraces) return false;
    return level() < 2 || releaseTraces;
}

Result<Invocation> parseCommandLine(const std::vector<std::string>& args) {
    Result<Invocation> in = Parser(args).run();
    if (in) in->arguments = args;
    return in;
}

} // namespace sx::driver
