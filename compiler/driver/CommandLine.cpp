#include "driver/CommandLine.h"

#include "source/Diagnostics.h"

#include <cstdlib>

namespace sx::driver {

namespace {

struct CommandName {
    const char* name;
    Command command;
};
constexpr CommandName Commands[] = {
    {"run", Command::Run},   {"build", Command::Build},     {"check", Command::Check}, {"fmt", Command::Fmt},
    {"ir", Command::Ir},     {"ir-dump", Command::IrDump},  {"asm", Command::Asm},     {"dap", Command::Dap},
    {"help", Command::Help}, {"version", Command::Version},
};

/// A set of commands.
using CommandSet = uint32_t;
constexpr CommandSet of(Command c) { return CommandSet{1} << static_cast<unsigned>(c); }
constexpr CommandSet Code = of(Command::Run) | of(Command::Build) | of(Command::Ir) | of(Command::Asm);
constexpr CommandSet Programs = Code | of(Command::Check) | of(Command::IrDump);

/// A packaging option is for systems where a program is a folder or an archive.
struct OptionName {
    const char* name;
    CommandSet commands; ///< that take it
    bool takesValue;
    bool isPackaging = false;
};
constexpr OptionName Options[] = {
    {"--opt", Code, true},
    {"--release-traces", Code, false},
    {"--no-traces", Code, false},
    {"--trace-values", Programs, false},
    {"--checks", Code, false},
    {"--no-checks", Code, false},
    {"--vm", of(Command::Run), false},
    {"--debug-listen", of(Command::Run), true},
    {"--debug-connect", of(Command::Run), true},
    {"--dump", Programs, true},
    {"-o", of(Command::Build) | of(Command::Asm), true},
    {"--target", Code | of(Command::Check), true},
    {"--cpu", Code, true},
    {"--emit-obj", of(Command::Build), false},
    {"-g", Code, false},
    {"-g0", Code, false},
    {"--dwarf", Code, true},
    {"--time", of(Command::Run) | of(Command::Build) | of(Command::Check), false},
    {"--cache", of(Command::Run) | of(Command::Build), false},
    {"-L", of(Command::Run) | of(Command::Build), true},
    {"--lflags", of(Command::Build), true},
    {"--linker", of(Command::Build), true},
    {"--sysroot", of(Command::Build), true},
    {"-F", of(Command::Run) | of(Command::Build), true},
    {"--self-contained", of(Command::Build), false},
    {"--no-self-contained", of(Command::Build), false},
    {"--bundle", of(Command::Build), true, true},
    {"--apk", of(Command::Build), true, true},
    {"--bundle-id", of(Command::Build), true, true},
    {"--codesign-identity", of(Command::Build), true, true},
    {"--provisioning-profile", of(Command::Build), true, true},
    {"--entitlements", of(Command::Build), true, true},
    {"--manifest", of(Command::Build), true, true},
    {"--keystore", of(Command::Build), true, true},
    {"--max-errors", Programs, true},
    {"--comptime-steps", Programs, true},
    {"--warnings", Programs, true},
    {"--all", of(Command::Check), false},
    {"--check", of(Command::Fmt), false},
    {"--diff", of(Command::Fmt), false},
};

const char* nameOf(Command c) {
    for (const CommandName& n : Commands)
        if (n.command == c) return n.name;
    return "";
}

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
        if (in_.command == Command::Dap) {
            takeProgramArgs(1);
            return in_;
        }
        if (in_.command == Command::Help || in_.command == Command::Version) {
            if (args_.size() > 2 || (args_.size() == 2 && in_.command == Command::Version))
                return fail("too many arguments; try `sx help`");
            if (args_.size() == 2) in_.helpTopic = args_[1];
            return in_;
        }
        for (at_ = 1; at_ < args_.size(); ++at_) {
            const std::string& arg = args_[at_];
            bool isRun = in_.command == Command::Run;
            if (isRun && !in_.file.empty() && arg == "--") {
                takeProgramArgs(at_ + 1);
                break;
            }
            if (arg.size() > 1 && arg[0] == '-') {
                if (!option(arg)) return Failure{error_};
            } else if (in_.command == Command::Fmt) {
                in_.files.push_back(arg);
                if (in_.file.empty()) in_.file = arg;
            } else if (in_.file.empty()) {
                in_.file = arg;
            } else if (isRun) {
                takeProgramArgs(at_); // from the first operand on, everything is the program's
                break;
            } else {
                return fail("more than one file given: " + code(in_.file) + " and " + code(arg) + "; try `sx help " +
                            nameOf(in_.command) + "`");
            }
        }
        if (in_.file.empty()) return fail("no file given; try `sx help " + std::string(nameOf(in_.command)) + "`");
        if (std::string problem = traceValuesProblem(); !problem.empty())
            return fail(problem + "; try `sx help " + nameOf(in_.command) + "`");
        return in_;
    }

private:
    std::string traceValuesProblem() const {
        if (!in_.traceValues) return "";
        if (in_.noTraces) return "`--trace-values` and `--no-traces` exclude each other";
        if (in_.level() == 0 || in_.vm) return "";
        return "`--trace-values` needs -O0: code of other levels does not keep what parameters hold";
    }

    Failure fail(std::string message) {
        error_ = std::move(message);
        return {error_};
    }

    void takeProgramArgs(size_t from) {
        in_.programArgs.assign(args_.begin() + static_cast<std::ptrdiff_t>(from), args_.end());
    }

    bool command(const std::string& given) {
        if (given == "--help" || given == "-h") {
            in_.command = Command::Help;
            return true;
        }
        if (given == "--version") {
            in_.command = Command::Version;
            return true;
        }
        std::vector<std::string_view> known;
        for (const CommandName& n : Commands) {
            if (given == n.name) {
                in_.command = n.command;
                return true;
            }
            known.push_back(n.name);
        }
        fail(withNear("unknown command " + code(given), given, known) + "; try `sx help`");
        return false;
    }

    bool option(const std::string& arg) {
        std::string name = arg, value;
        bool hasValue = false;
        std::string hint = "; try `sx help " + std::string(nameOf(in_.command)) + "`";
        if (size_t eq = arg.find('='); arg[1] == '-' && eq != std::string::npos) {
            name = arg.substr(0, eq);
            value = arg.substr(eq + 1);
            hasValue = true;
        } else if (arg.size() > 2 &&
                   (arg.compare(0, 2, "-L") == 0 || arg.compare(0, 2, "-F") == 0 || arg.compare(0, 2, "-o") == 0)) {
            name = arg.substr(0, 2);
            value = arg.substr(2);
            hasValue = true;
        } else if (arg.size() >= 2 && arg.compare(0, 2, "-O") == 0) {
            name = "--opt";
            value = arg.substr(2);
            hasValue = true;
            if (value.size() != 1 || value[0] < '0' || value[0] > '3') {
                fail("unknown optimisation level " + code(arg) + "; the levels are -O0 to -O3" + hint);
                return false;
            }
        }
        const OptionName* known = nullptr;
        std::vector<std::string_view> names;
        for (const OptionName& o : Options) {
            if (name == o.name) known = &o;
            names.push_back(o.name);
        }
        if (!known) {
            fail(withNear("unknown option " + code(name), name, names) + hint);
            return false;
        }
        if (!(known->commands & of(in_.command))) {
            fail("`sx " + std::string(nameOf(in_.command)) + "` has no option `" + name + "`" + hint);
            return false;
        }
        if (known->takesValue && !hasValue) {
            if (at_ + 1 >= args_.size()) {
                fail("option " + code(name) + " needs a value" + hint);
                return false;
            }
            value = args_[++at_];
        } else if (!known->takesValue && hasValue) {
            fail("option " + code(name) + " takes no value" + hint);
            return false;
        }
        if (known->takesValue && value.empty()) {
            fail("option " + code(name) + " needs a value" + hint);
            return false;
        }
        if (known->isPackaging) in_.packaging.push_back(name);
        return apply(name, value, hint);
    }

    bool apply(const std::string& name, const std::string& value, const std::string& hint) {
        if (name == "--opt") return level(value, hint);
        if (name == "--release-traces") in_.releaseTraces = true;
        else if (name == "--no-traces") in_.noTraces = true;
        else if (name == "--trace-values") in_.traceValues = true;
        else if (name == "--checks") in_.checks = true;
        else if (name == "--no-checks") in_.checks = false;
        else if (name == "--vm") in_.vm = true;
        else if (name == "--debug-listen") return debugPort(value, hint);
        else if (name == "--debug-connect") in_.debugConnect = value;
        else if (name == "--emit-obj") in_.emitObject = true;
        else if (name == "--cache") in_.cache = true;
        else if (name == "-g") in_.debugInfo = true;
        else if (name == "-g0") in_.debugInfo = false;
        else if (name == "--dwarf") return dwarf(value, hint);
        else if (name == "--time") in_.time = true;
        else if (name == "--all") in_.checkAll = true;
        else if (name == "--check") in_.formatCheck = true;
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
    bool debugPort(const std::string& value, const std::string& hint) {
        std::string port = value;
        for (const char* host : {"127.0.0.1:", "localhost:"})
            if (port.rfind(host, 0) == 0) port = port.substr(std::string(host).size());
        uint64_t n = 0;
        if (!number("--debug-listen", port, hint, 0, n)) return false;
        if (n > UINT16_MAX) {
            fail("`--debug-listen` needs a port, not " + code(value) + hint);
            return false;
        }
        in_.debugPort = static_cast<uint16_t>(n);
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
    size_t at_ = 0;
};

} // namespace

int Invocation::level() const {
    if (optLevel) return *optLevel;
    if (command == Command::Build && !emitObject) return 1;
    if (command == Command::Asm) return 1;
    return 0;
}

bool Invocation::debugInfoOn() const {
    if (debugInfo) return *debugInfo;
    return level() < 2 && (command == Command::Build || command == Command::Run); // texts are easier to read without
}

std::string recordedOptions(const Invocation& in) {
    std::string text = "-O" + std::to_string(in.level());
    if (in.checks) text += *in.checks ? " --checks" : " --no-checks";
    if (in.releaseTraces) text += " --release-traces";
    if (in.noTraces) text += " --no-traces";
    if (in.traceValues) text += " --trace-values";
    if (!in.cpu.empty()) text += " --cpu=" + in.cpu;
    return text;
}

bool Invocation::checksOn() const { return checks.value_or(level() < 2 || vm); }

bool Invocation::tracesOn() const {
    if (noTraces) return false;
    return level() < 2 || releaseTraces;
}

Result<Invocation> parseCommandLine(const std::vector<std::string>& args) { return Parser(args).run(); }

} // namespace sx::driver
