// The command line of `sx`: commands, options, and what is wrong with a given one.
#pragma once

#include "source/Result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sx::vm {
class RecordingReader;
}

namespace sx::driver {

enum class Command {
    Run,
    Build,
    Check,
    Test,
    Fmt,
    Graph,
    Sym,
    New,
    Doc,
    Ir,
    IrDump,
    Asm,
    Dap,
    Debug,
    Lsp,
    Completions,
    Help,
    Version
};
/// What becomes of warnings (docs/warnings.md).
enum class WarningPolicy { Show, Off, Error };

/// What `sx sym` writes.
enum class SymbolFormat { Json, Ngsm };

enum class Dump { None, Tokens, Ast, Ir, Bytecode, Llvm };

struct Invocation {
    std::vector<std::string> arguments; ///< of `sx`, as they were given
    Command command{};
    std::string file;                     ///< or the word that the command is about
    std::vector<std::string> programArgs; ///< `run`: what follows the file; `dap`, `debug`: all arguments
    std::vector<std::string> files;       ///< `fmt`, `test`: files, folders; `fmt`: `-`
    std::string helpTopic;
    std::vector<std::string> tests; ///< of the file: the program runs them instead of `main`
    std::vector<std::string> testFilters;
    std::string junitFile, markdownFolder, htmlFolder;
    uint64_t jobs = 0;         ///< 0: as many as there are processors
    uint64_t parts = 0;        ///< that code is compiled in; 0: as the size of the program says
    uint64_t testTimeout = 60; ///< seconds; 0: none
    bool testExact = false, testList = false, json = false;
    std::optional<int> optLevel;   ///< unset: the command's default
    std::optional<bool> checks;    ///< unset: as the level has it
    std::optional<bool> debugInfo; ///< unset: as the level and the command have it
    int dwarfVersion = 0;          ///< 4 or 5; 0: the target's
    bool releaseTraces = false, noTraces = false, traceValues = false, vm = false, emitObject = false,
         emitOrigins = false, time = false, checkAll = false, cache = false, formatCheck = false, formatDiff = false;
    Dump dump = Dump::None;
    WarningPolicy warnings = WarningPolicy::Show;
    std::string output, target, cpu, linker, sysroot;
    std::vector<std::string> libraryPaths, linkFlags;
    std::vector<std::string> packaging; ///< names of the packaging options given
    std::optional<uint16_t> debugPort;  ///< `run --vm --debug-listen`: wait there for a debugger; 0: any port
    std::optional<uint16_t> serverPort; ///< `lsp --listen`; unset: standard input and output
    std::string page;                   ///< `graph --html`: the file to write; empty: none
    std::string debugConnect;           ///< `PORT:WORD` of a debug adapter that has had the program started
    bool trackHeap = false;             ///< `run --heap=track`: what the program allocates is recorded
    std::string record, recordSpec;     ///< `run --vm --record FILE`, `--record-spec FILE`
    std::string replay;                 ///< `run --replay FILE`
    std::shared_ptr<vm::RecordingReader> recording; ///< what that file has, once it was read
    SymbolFormat symbolFormat = SymbolFormat::Json;
    bool checkSymbols = false, disassemble = false; ///< `sym --check`, `sym --disassemble`
    bool systemLinker = false;                      ///< `--no-self-contained`: link with the system's `cc`
    size_t maxErrors = 20;
    uint64_t comptimeSteps = 200'000'000; ///< of one evaluation

    int level() const;        ///< the optimisation level in force
    bool tracesOn() const;    ///< traces.md 4
    bool debugInfoOn() const; ///< `-g`, `-g0`, else with -O0 and -O1 of what is built, or is run by a debugger
    bool checksOn() const;    ///< `--checks`, `--no-checks`, else with -O0 and -O1 and in the interpreter
};

/// What changes the code that is made, as arguments: the level always, the rest where it is not as the level has it.
std::string recordedOptions(const Invocation&);

/// Parses the arguments after the program name.
Result<Invocation> parseCommandLine(const std::vector<std::string>& args);

} // namespace sx::driver
