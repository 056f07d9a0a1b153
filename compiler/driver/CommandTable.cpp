#include "driver/CommandTable.h"

namespace sx::driver {

namespace {

constexpr CommandSet Code =
    of(Command::Run) | of(Command::Build) | of(Command::Test) | of(Command::Ir) | of(Command::Asm);
constexpr CommandSet InProcess = of(Command::Run) | of(Command::Test);
constexpr CommandSet WithDebugInfo = Code & ~of(Command::Test);
constexpr CommandSet Programs = Code | of(Command::Check) | of(Command::IrDump) | of(Command::Sym);

constexpr CommandRow Commands[] = {
    {"run", Command::Run, Operands::Program, "FILE [args]",
     "compile and run in this process; exits with the program's status",
     "Compiles FILE and runs it in this process. What follows FILE goes to the program\n"
     "(write `--` before arguments that look like options)."},
    {"build", Command::Build, Operands::File, "FILE", "compile and link an executable",
     "Compiles FILE and links an executable that needs libc and nothing else."},
    {"check", Command::Check, Operands::File, "FILE", "report errors, generate nothing",
     "Reports what is wrong with FILE; exit status 1 if anything is. What `main` reaches is checked,\n"
     "and all functions of a FILE without `main`."},
    {"test", Command::Test, Operands::AnyFiles, "[FILE...]", "run the tests of files, or of all below this folder",
     "Runs the tests in FILEs, in the .sx files of those that are folders, or below the current folder. A test is a\n"
     "function `test_...` without parameters that yields nothing or an error; it passes if it returns. Each runs in a\n"
     "process of its own. Exit status 1 if one fails or a file does not compile, 2 if there are none."},
    {"fmt", Command::Fmt, Operands::Files, "FILE...", "format files, or the .sx files in folders",
     "Formats FILEs in place, and all .sx files in those that are folders; `-` formats standard input to standard\n"
     "output. Only white space changes. A file that does not parse is left alone."},
    {"graph", Command::Graph, Operands::Files, "FILE [FILE]", "say what is on a heap that a debugger has exported",
     "Prints what is in FILE, the heap of a program (request `sxExport` of the debugger), by type, by site and by\n"
     "object; with two FILEs what has changed from one to the other."},
    {"sym", Command::Sym, Operands::File, "FILE", "write what debuggers know of a program without its sources",
     "Writes names, lines and instructions of FILE, an executable or an .sx file (then of its bytecode), as JSON: a\n"
     "symbol file (docs/symbol_format.md). A debugger takes PROGRAM.sym for the names of a PROGRAM that was stripped."},
    {"new", Command::New, Operands::Word, "NAME", "make a folder with a small project",
     "Makes the folder NAME with a program, a test, and what editors need to start it. A folder that exists is left\n"
     "alone."},
    {"doc", Command::Doc, Operands::AnyWord, "[MODULE|NAME]", "tell about the library, a module, a name",
     "Prints what the comments in the library say: its modules, what is in MODULE (`std/text`, `text`, or a file), "
     "all\n"
     "about NAME (`find`, `text.find`, `Writer.flush`)."},
    {"ir", Command::Ir, Operands::File, "FILE", "print LLVM IR", "Prints the LLVM IR of FILE."},
    {"ir-dump", Command::IrDump, Operands::File, "FILE", "print the compiler's own IR",
     "Prints the compiler's own IR, after checking."},
    {"asm", Command::Asm, Operands::File, "FILE", "write assembly", "Writes the assembly of FILE."},
    {"debug", Command::Debug, Operands::Raw, "FILE [args]", "debug a program in the terminal",
     "Debugs a program in the terminal; `sx debug --help` prints the options."},
    {"dap", Command::Dap, Operands::Raw, "[options]", "serve a debugger to an editor (Debug Adapter Protocol)",
     "Serves the Debug Adapter Protocol; `sx dap --help` prints the options."},
    {"lsp", Command::Lsp, Operands::None, "", "serve an editor (Language Server Protocol)",
     "Serves the Language Server Protocol on standard input and output."},
    {"completions", Command::Completions, Operands::Word, "SHELL", "print completions for bash, zsh or fish",
     "Prints what makes a shell complete the commands and options of `sx`:\n\n"
     "  bash   source <(sx completions bash)\n"
     "  zsh    source <(sx completions zsh)\n"
     "  fish   sx completions fish | source",
     "bash zsh fish"},
    {"help", Command::Help, Operands::AnyWord, "[command]",
     "this text, or the options of a command; `help debug`: lldb and gdb", ""},
    {"version", Command::Version, Operands::None, "", "print the version", ""},
};

constexpr OptionRow Options[] = {
    {"-o", of(Command::Build), "PATH", "the executable (default: FILE's name without .sx, here)"},
    {"-o", of(Command::Sym), "PATH", "the file (default: standard output)"},
    {"--format", of(Command::Sym), "FORM", "`ngsm`: only the lines of the bytecode, in binary form",
     "--format=json|ngsm", "json ngsm"},
    {"--check", of(Command::Sym), "", "say what is in FILE, a symbol file of either form; exit status 1 if it is none"},
    {"--disassemble", of(Command::Sym), "",
     "print the code in FILE, a symbol file or a program, with its names and lines"},
    {"-o", of(Command::Asm), "PATH", "the file (default: FILE's name with .s, here)"},
    {"--all", of(Command::Check), "", "check functions that nothing reaches, too"},
    {"--check", of(Command::Fmt), "",
     "change nothing, name the files that would change; exit status 1 if there are any"},
    {"--html", of(Command::Graph), "PATH", "write a page for browsers that shows the last FILE, and print nothing"},
    {"--diff", of(Command::Fmt), "", "change nothing, print what would change; exit status 1 if there is anything"},
    {"--markdown", of(Command::Doc), "DIR", "write a page of Markdown for each module instead"},
    {"--html", of(Command::Doc), "DIR", "write a page of HTML for each module instead, with a search"},
    {"--filter", of(Command::Test), "TEXT", "only tests whose names contain TEXT; may be given several times"},
    {"--exact", of(Command::Test), "", "only tests that are called as a --filter says"},
    {"--list", of(Command::Test), "", "print FILE:LINE:COLUMN: NAME of each test, and run none"},
    {"--json", of(Command::Test), "", "print a JSON object a line: for each test, each file, and the summary"},
    {"--junit", of(Command::Test), "FILE", "write the outcome to FILE as well, as XML that JUnit's readers understand"},
    {"--jobs", of(Command::Test), "N", "run at most N tests at a time (default: one for each processor)"},
    {"--timeout", of(Command::Test), "SECONDS", "what takes longer has failed (60); 0: no limit"},
    {"--test", of(Command::Run) | of(Command::Build), "NAME", "the program is this test of FILE instead of `main`"},
    {"--opt", Code, "LEVEL", "optimisation level (default: {level}); also --opt none|less|default|aggressive",
     "-O0 -O1 -O2 -O3", "none less default aggressive"},
    {"--release-traces", Code, "", "record error return traces at -O2 and -O3 too"},
    {"--no-traces", Code, "", "record none at -O0 and -O1 either"},
    {"--trace-values", Code, "", "traces show what the parameters of functions held; with -O0 and `--vm` only"},
    {"--trace-values", of(Command::Check), "", "traces of code that runs while compiling show what parameters held"},
    {"--trace-values", of(Command::IrDump), "", "as for `sx run`"},
    {"--checks", Code, "",
     "keep every run-time check at -O2 and -O3 too. -O0 and -O1 check indices, slice bounds,\n"
     "divisions and null pointers; all levels check `x!`, `unreachable` and `.(T)` of an `any`"},
    {"--no-checks", Code, "", "leave out at -O0 and -O1 what -O2 and -O3 leave out"},
    {"-g", WithDebugInfo, "",
     "debug information for lldb and gdb, or none (default: with -O0 and -O1;\n`sx run`: with those, in a debugger)",
     "-g, -g0"},
    {"-g0", WithDebugInfo, "", nullptr},
    {"--dwarf", WithDebugInfo, "VERSION", "its version (5)", "--dwarf=4|5", "4 5"},
    {"--vm", InProcess, "",
     "interpret instead of compiling to machine code; with all checks unless --no-checks is given"},
    {"--debug-listen", of(Command::Run), "PORT", "with --vm: wait for `sx dap` to connect (0: any port)"},
    {"--heap", of(Command::Run), "off|track", "record what the program allocates, for debuggers (docs/heap.md)", "",
     "off track"},
    {"--record", of(Command::Run), "PATH", "with --vm: write what enters the program from outside (docs/recording.md)"},
    {"--record-spec", of(Command::Run), "PATH", "with --record: a file that describes further functions of C"},
    {"--replay", of(Command::Run), "PATH",
     "run what was recorded again; FILE is the recording's own unless it is given"},
    {"--listen", of(Command::Lsp), "PORT",
     "serve clients that connect to a port of this computer instead (0: any free one)"},
    {"--debug-connect", of(Command::Run), "ADDRESS", nullptr},
    {"--emit-obj", of(Command::Build), "", "keep the object at .sx-tmp/main.o; implies -O0"},
    {"--emit-dbg", of(Command::Build), "",
     "write OUT.dbg, how positions went from source to machine code; implies -g (docs/symbol_format.md)"},
    {"--cache", of(Command::Run) | of(Command::Build), "", "keep compiled objects in .sx-cache, and reuse them"},
    {"--parts", of(Command::Run) | of(Command::Build), "N",
     "with -O0: compile in N parts side by side, 16 at most (default: one, more for large programs)"},
    {"--time", of(Command::Run) | of(Command::Build) | of(Command::Check), "", "print what each stage took, on stderr"},
    {"-L", InProcess | of(Command::Build), "PATH", "where libraries are looked for before the system's folders"},
    {"--lflags", of(Command::Build), "FLAG", "pass FLAG to the linker"},
    {"--linker", of(Command::Build), "CMD", "link with CMD (for example cc) instead of the linker inside"},
    {"--self-contained", of(Command::Build), "", nullptr},
    {"--no-self-contained", of(Command::Build), "", "link with the system's cc"},
    {"--sysroot", of(Command::Build), "PATH", "where the C library is"},
    {"--target", of(Command::Build), "NAME", "linux-x86", "", "linux-x86"},
    {"--target", (Code | of(Command::Check)) & ~of(Command::Build), "NAME", nullptr},
    {"--cpu", Code, "NAME", "processor to generate code for"},
    {"-F", of(Command::Run) | of(Command::Build), "PATH", nullptr},
    {"--bundle", of(Command::Build), "PATH", nullptr, "", "", true},
    {"--apk", of(Command::Build), "PATH", nullptr, "", "", true},
    {"--bundle-id", of(Command::Build), "ID", nullptr, "", "", true},
    {"--codesign-identity", of(Command::Build), "NAME", nullptr, "", "", true},
    {"--provisioning-profile", of(Command::Build), "PATH", nullptr, "", "", true},
    {"--entitlements", of(Command::Build), "PATH", nullptr, "", "", true},
    {"--manifest", of(Command::Build), "PATH", nullptr, "", "", true},
    {"--keystore", of(Command::Build), "PATH", nullptr, "", "", true},
    {"--dump", Programs & ~(of(Command::Test) | of(Command::Sym)), "STAGE",
     "print what a stage made and stop: tokens, ast, ir, bytecode, llvm", "", "tokens ast ir bytecode llvm"},
    {"--warnings", Programs, "off|error", "give no warnings, or take each for an error", "", "off error"},
    {"--max-errors", Programs, "N", "show at most N errors per file, and as many warnings (20); 0: all of them"},
    {"--comptime-steps", Programs, "N", "end an evaluation while compiling after about N instructions (200000000)"},
};

} // namespace

llvm::ArrayRef<CommandRow> commandRows() { return Commands; }
llvm::ArrayRef<OptionRow> optionRows() { return Options; }

const CommandRow& rowOf(Command c) {
    for (const CommandRow& row : Commands)
        if (row.command == c) return row;
    return Commands[0]; // every command has a row
}

const CommandRow* findCommand(std::string_view name) {
    for (const CommandRow& row : Commands)
        if (name == row.name) return &row;
    return nullptr;
}

std::string shownOption(const OptionRow& option) {
    if (*option.shown) return option.shown;
    std::string text = option.name;
    if (!*option.value) return text;
    return text + (*option.words && text.size() > 2 ? "=" : " ") + option.value;
}

std::string helpOf(const OptionRow& option, Command command) {
    std::string text = option.help ? option.help : "";
    Invocation standard;
    standard.command = command;
    const std::string mark = "{level}";
    if (size_t at = text.find(mark); at != std::string::npos)
        text.replace(at, mark.size(), "-O" + std::to_string(standard.level()));
    return text;
}

} // namespace sx::driver
