#include "driver/Help.h"

#include "driver/CommandTable.h"

#include <algorithm>

namespace sx::driver {

namespace {

constexpr const char* Greeting = R"(sx: a compiled language whose errors tell you where they have been

usage: sx <command> [options] FILE

commands:
)";

constexpr const char* Closing = R"(
`sx <command> --help` tells more about a command.
The library is found beside the compiler, or where SX_STDLIB_PATH points.
Traces obey SX_TRACE=off|short|json, SX_TRACE_COLOR=always|never, SX_TRACE_VALUES=0 and NO_COLOR.
Exit status: that of the program for `run`; else 0, 1 where something is wrong, 2 for wrong usage.
)";

/// A line of a list: a term, and in a column beside it its lines of text.
std::string item(const std::string& term, const std::string& text, size_t column) {
    std::string line = "  " + term;
    line.append(std::max<size_t>(column, line.size() + 1) - line.size(), ' ');
    for (char c : text) {
        line += c;
        if (c == '\n') line.append(column, ' ');
    }
    return line + "\n";
}

std::string overview() {
    std::string text = Greeting;
    for (const CommandRow& row : commandRows())
        text += item(row.name + std::string(*row.shown ? " " : "") + row.shown, row.summary, 20);
    return text + Closing;
}

} // namespace

std::string usageLine(const CommandRow& row) {
    std::string line = "sx " + std::string(row.name);
    const bool hasOptions = std::any_of(optionRows().begin(), optionRows().end(),
                                        [&](const OptionRow& o) { return o.help && (o.commands & of(row.command)); });
    if (hasOptions) line += " [options]";
    if (*row.shown) line += " " + std::string(row.shown);
    return line;
}

std::string helpText(const std::string& topic) {
    if (topic.empty()) return overview();
    const CommandRow* row = findCommand(topic);
    if (!row) return "";
    std::string text = "usage: " + usageLine(*row) + "\n";
    if (*row->description) text += "\n" + std::string(row->description) + "\n";
    std::string options;
    for (const OptionRow& option : optionRows())
        if (option.help && (option.commands & of(row->command)))
            options += item(shownOption(option), helpOf(option, row->command), 24);
    return options.empty() ? text : text + "\noptions:\n" + options;
}

std::string debuggerHelp(const std::string& editorsFolder) {
    std::string scripts = editorsFolder;
    std::string text =
        R"(`sx debug FILE [args]` is a debugger in the terminal; `sx debug --help` prints its options. Others:

Programs that `sx run` and `sx build` make at -O0 and -O1, or with -g, can be debugged with lldb and gdb.
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
