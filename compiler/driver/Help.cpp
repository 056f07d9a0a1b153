#include "driver/CommandLine.h"

namespace sx::driver {

namespace {

constexpr const char* Overview = R"(sx: a compiled language whose errors tell you where they have been

usage: sx <command> [options] FILE

commands:
  run FILE [args]   compile and run in this process; exits with the program's status
  build FILE        compile and link an executable
  check FILE        report errors, generate nothing
  fmt FILE...       format files, or the .sx files in folders
  ir FILE           print LLVM IR
  ir-dump FILE      print the compiler's own IR
  asm FILE          write assembly
  dap [options]     serve a debugger to an editor (Debug Adapter Protocol)
  help [command]    this text, or the options of a command; `help debug`: lldb and gdb
  version           print the version

The library is found beside the compiler, or where SX_STDLIB_PATH points.
Traces obey SX_TRACE=off|short|json, SX_TRACE_COLOR=always|never, SX_TRACE_VALUES=0 and NO_COLOR.
)";

/// `standard`: the level without an option.
std::string levels(const std::string& standard) {
    return "  -O0 -O1 -O2 -O3     optimisation level (default: " + standard +
           R"(); also --opt none|less|default|aggressive
  --release-traces    record error return traces at -O2 and -O3 too
  --no-traces         record none at -O0 and -O1 either
  --trace-values      traces show what the parameters of functions held; with -O0 and `--vm` only
  --checks            keep every run-time check at -O2 and -O3 too. -O0 and -O1 check indices, slice bounds,
                      divisions and null pointers; all levels check `x!`, `unreachable` and `.(T)` of an `any`
  --no-checks         leave out at -O0 and -O1 what -O2 and -O3 leave out
)";
}

constexpr const char* DebugInfo =
    R"(  -g, -g0             debug information for lldb and gdb, or none (default: with -O0 and -O1)
  --dwarf=4|5         its version (5)
)";

constexpr const char* Everywhere =
    R"(  --dump=STAGE        print what a stage made and stop: tokens, ast, ir, bytecode, llvm
  --warnings=off      give no warnings
  --warnings=error    take each warning for an error
  --max-errors N      show at most N errors per file, and as many warnings (20); 0: all of them
  --comptime-steps N  end an evaluation while compiling after about N instructions (200000000)
)";

} // namespace

std::string helpText(const std::string& topic) {
    std::string text;
    if (topic.empty()) return Overview;
    if (topic == "run") {
        text = "usage: sx run [options] FILE [args]\n\nCompiles FILE and runs it in this process. What follows FILE "
               "goes to the program\n(write `--` before arguments that look like options).\n\noptions:\n";
        text += levels("-O0");
        text += DebugInfo;
        text += "  --vm                interpret instead of compiling to machine code; with all checks unless "
                "--no-checks is given\n  --debug-listen PORT with --vm: wait for `sx dap` to connect (0: any port)\n  "
                "--cache             keep compiled objects in .sx-cache, and reuse them\n  "
                "--time              print what each stage took, on stderr\n  -L PATH             where `#library` "
                "files are looked for\n  --cpu NAME          processor to generate code for\n";
    } else if (topic == "build") {
        text = "usage: sx build [options] FILE\n\nCompiles FILE and links an executable that needs libc and nothing "
               "else.\n\noptions:\n  -o PATH             the executable (default: FILE's name without .sx, here)\n";
        text += levels("-O1");
        text += DebugInfo;
        text += "  --emit-obj          keep the object at .sx-tmp/main.o; implies -O0\n  --cache             keep "
                "compiled objects in .sx-cache, and reuse them\n  --time              print what each stage took, on "
                "stderr\n  -L PATH             where libraries are looked for\n  --lflags FLAG       pass FLAG to the "
                "linker\n  --linker CMD        link with CMD (for example cc) instead of the linker inside\n  "
                "--no-self-contained link with the system's cc\n  --sysroot PATH      where the C library is\n  "
                "--target NAME       linux-x86\n  --cpu NAME          processor to generate code for\n";
    } else if (topic == "check") {
        text =
            "usage: sx check [options] FILE\n\nReports what is wrong with FILE; exit status 1 if anything is. What "
            "`main` reaches is checked,\nand all functions of a FILE without `main`.\n\noptions:\n  --all              "
            " check functions that nothing reaches, too\n  --trace-values      traces of code that runs while "
            "compiling show what parameters held\n  --time              print what each stage took, on stderr\n";
    } else if (topic == "ir" || topic == "asm") {
        text = "usage: sx " + topic + " [options] FILE\n\n";
        text += topic == "ir" ? "Prints the LLVM IR of FILE.\n\noptions:\n"
                              : "Writes the assembly of FILE.\n\noptions:\n  -o PATH             the file (default: "
                                "FILE's name with .s, here)\n";
        text += levels(topic == "ir" ? "-O0" : "-O1");
        text += DebugInfo;
        text += "  --cpu NAME          processor to generate code for\n";
    } else if (topic == "ir-dump") {
        text = "usage: sx ir-dump FILE\n\nPrints the compiler's own IR, after checking.\n\noptions:\n  --trace-values  "
               "    as for `sx run`\n";
    } else if (topic == "fmt") {
        return R"(usage: sx fmt [options] FILE...

Formats FILEs in place, and all .sx files in those that are folders; `-` formats standard input to standard output.
Only white space changes. A file that does not parse is left alone.

options:
  --check             change nothing, name the files that would change; exit status 1 if there are any
  --diff              change nothing, print what would change; exit status 1 if there is anything
)";
    } else if (topic == "dap") {
        return "usage: sx dap [options]\n\nServes the Debug Adapter Protocol; `sx dap --help` prints the options.\n";
    } else if (topic == "help" || topic == "version") {
        return topic == "help" ? "usage: sx help [command]\n" : "usage: sx version\n";
    } else {
        return "";
    }
    return text + Everywhere;
}

std::string debuggerHelp(const std::string& editorsFolder) {
    std::string scripts = editorsFolder;
    std::string text =
        R"(Programs that `sx run` and `sx build` make at -O0 and -O1, or with -g, can be debugged with lldb and gdb.
Both show values as sx writes them, and have the command `sx trace`: the error return trace in flight.

)";
    if (scripts.empty()) {
        scripts = "EDITORS";
        text +=
            "The scripts are not installed beside this compiler: EDITORS is the folder `editors` of its sources.\n\n";
    }
    text += "lldb, in ~/.lldbinit:\n  command script import " + scripts + "/lldb/sx.py\n";
    text += "and for programs under `sx run`:\n  settings set plugin.jit-loader.gdb.enable on\n\n";
    text += "gdb, in ~/.gdbinit (a program carries its script; this allows those of a folder):\n  "
            "add-auto-load-safe-path FOLDER\n";
    text += "or, for all of them:\n  source " + scripts + "/gdb/sx.py\n\n";
    text += R"(Step by step:                           lldb                  gdb
  build, and debug                      sx build -O0 FILE -o program
                                        lldb program          gdb program
  debug under `sx run`                  lldb -- sx run FILE   gdb --args sx run FILE
  stop at line 12 of FILE               b FILE:12             b FILE:12
  run; step over, into, out of calls    r, n, s, finish       r, n, s, finish
  show local variables                  v                     info locals
  show the error on its way             sx trace              sx trace
)";
    return text;
}

} // namespace sx::driver
