#include "debugger/terminal/commands/Commands.h"
#include "debugger/terminal/commands/Table.h"
#include "source/Diagnostics.h"

namespace sx::terminal {

namespace {

Outcome help(Debuggee&, Words) { return Outcome::lines(commandHelp()); }

struct Row {
    const char* names; ///< separated by a space; the first is the one of the help
    const char* operands;
    Outcome (*carryOut)(Debuggee&, Words);
    const char* meaning;
};

constexpr Row Table[] = {
    {"b break", "FILE:LINE|FUNCTION [if EXPR]", breakAt, "set a breakpoint"},
    {"break", "raise|propagate|absorb|unhandled|panic [TAG|EXPR]", breakAt, "stop at errors"},
    {"watch", "EXPR", watchPlace, "stop when a place is written"},
    {"d delete", "N", deleteBreakpoint, "remove breakpoint N"},
    {"run", "", run, "begin the program, or begin it again"},
    {"c continue", "[COUNT]", goOn, "go on, COUNT breakpoints far"},
    {"n next", "[COUNT]", stepOver, "to the next statement, over calls; COUNT times"},
    {"s step", "[COUNT]", stepInto, "to the next statement, into calls; COUNT times"},
    {"f finish", "", stepOut, "out of the function"},
    {"rn", "", backOver, "back to the statement before, over calls"},
    {"rs", "", backInto, "back to the statement before, into calls"},
    {"rc", "", backOn, "back to where something would have stopped"},
    {"pause", "", pauseProgram, "stop the program where it is"},
    {"bt", "[COUNT]", backtrace, "the stack, with the error return trace"},
    {"frame", "[N]", selectFrame, "look at frame N of the stack"},
    {"up", "", up, "look at the caller"},
    {"down", "", down, "look at what is called"},
    {"thread", "N", selectThread, "look at thread N"},
    {"p print", "EXPR", printValue, "the value of an expression"},
    {"set", "NAME = EXPR", setValue, "give a place a value"},
    {"locals", "", locals, "parameters and variables"},
    {"trace", "", trace, "the error return trace"},
    {"graph", "EXPR", graph, "the objects around a value"},
    {"info", "b|threads|fibers|regions", info, "list breakpoints, threads, fibers, mappings of memory"},
    {"disas", "[COUNT]", disassembly, "the code around this place"},
    {"regs", "", registers, "registers"},
    {"x", "ADDRESS|EXPR [BYTES]", memory, "memory"},
    {"l list", "[LINE]", list, "lines of the source"},
    {"input", "[TEXT]", input, "a line for the program's standard input; without TEXT: its end"},
    {"help", "", help, "print this"},
    {"q quit", "", quit, "end the program and leave"},
};

std::pair<llvm::StringRef, Words> splitLine(llvm::StringRef line) {
    line = line.trim();
    size_t end = line.find_first_of(" \t");
    return {line.take_front(end), line.substr(std::min(end, line.size())).trim()};
}

bool isNamed(const Row& row, llvm::StringRef name) {
    for (llvm::StringRef rest = row.names; !rest.empty();) {
        auto [one, others] = rest.split(' ');
        if (one == name) return true;
        rest = others;
    }
    return false;
}

} // namespace

Outcome execute(Debuggee& d, const std::string& line) {
    auto [name, operands] = splitLine(line);
    if (name.empty() || name.starts_with("#")) return {};
    std::vector<std::string_view> known;
    for (const Row& row : Table) {
        if (isNamed(row, name) && !operands.empty() && !*row.operands)
            return Outcome::failure(code(name) + " takes nothing after it, but found " + code(operands));
        if (isNamed(row, name)) return row.carryOut(d, operands);
        for (llvm::StringRef rest = row.names; !rest.empty(); rest = rest.split(' ').second)
            known.push_back(std::string_view(rest.split(' ').first));
    }
    std::string near(name.size() > 2 ? nearestName(name.str(), known) : "");
    return Outcome::failure(
        "there is no command " + code(name) +
        (near.empty() ? "; " + code("help") + " lists them" : ", did you mean " + code(near) + "?"));
}

std::string stopText(Debuggee& d) {
    if (d.state == State::Ended) return d.exitCode ? "exited " + std::to_string(*d.exitCode) : "the program has ended";
    if (d.state != State::Stopped) return "";
    std::string text;
    bool isPlain = d.stop.reason == "step" || d.stop.reason == "breakpoint";
    if (!isPlain && !d.stop.description.empty()) text = d.stop.description + "\n";
    if (!d.stop.text.empty() && !llvm::StringRef(d.stop.description).ends_with(d.stop.text)) text += d.stop.text + "\n";
    const StackRow* row = currentRow(d);
    return text + (row ? placeOf(d, *row) : "the program has stopped");
}

std::string commandHelp() {
    std::string text;
    for (const Row& row : Table) {
        std::string line = "  " + llvm::StringRef(row.names).split(' ').first.str();
        if (*row.operands) line += std::string(" ") + row.operands;
        constexpr size_t Column = 34; // of what it does; after a longer one it stands in the next line
        if (line.size() + 2 > Column) line += '\n' + std::string(Column, ' ');
        else line.resize(Column, ' ');
        text += (text.empty() ? "" : "\n") + line + row.meaning;
    }
    return text;
}

std::vector<std::string> commandsLike(const std::string& prefix) {
    std::vector<std::string> found;
    for (const Row& row : Table)
        for (llvm::StringRef rest = row.names; !rest.empty(); rest = rest.split(' ').second)
            if (llvm::StringRef name = rest.split(' ').first;
                name.starts_with(prefix) && std::find(found.begin(), found.end(), name.str()) == found.end())
                found.push_back(name.str());
    return found;
}

bool goesBack(const std::string& line) {
    llvm::StringRef name = splitLine(line).first;
    return name == "rn" || name == "rs" || name == "rc";
}

bool asksForObjects(const std::string& line) { return splitLine(line).first == "graph"; }

} // namespace sx::terminal
