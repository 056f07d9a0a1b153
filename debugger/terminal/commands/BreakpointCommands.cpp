// Breakpoints by line, by function, on errors, on places.
#include "debugger/terminal/commands/Table.h"
#include "debugger/terminal/target/Breakpoints.h"

namespace sx::terminal {

namespace {

using Kind = BreakpointRow::Kind;

constexpr const char* Filters[] = {"raise", "propagate", "absorb", "unhandled", "panic"};

Outcome add(Debuggee& d, BreakpointRow row) {
    if (Result<void> loaded = load(d); !loaded) return Outcome::failure(loaded.error());
    Result<int64_t> number = addBreakpoint(d, std::move(row));
    if (!number) return Outcome::failure(number.error());
    return Outcome::lines("breakpoint " + describe(d, *findBreakpoint(d, *number)));
}

/// `WHERE if EXPR`
std::pair<Words, Words> splitCondition(Words words) {
    for (size_t at = words.find("if"); at != Words::npos; at = words.find("if", at + 1)) {
        bool begins = at > 0 && (words[at - 1] == ' ' || words[at - 1] == '\t');
        bool ends = at + 2 == words.size() || words[at + 2] == ' ' || words[at + 2] == '\t' || words[at + 2] == '(';
        if (begins && ends) return {words.take_front(at).rtrim(), words.substr(at + 2).trim()};
    }
    return {words, ""};
}

} // namespace

Outcome breakAt(Debuggee& d, Words words) {
    auto [first, rest] = words.split(' ');
    for (const char* filter : Filters)
        if (first == filter) return breakOnErrors(d, words);
    auto [where, condition] = splitCondition(words);
    if (where.empty()) return Outcome::failure("it needs FILE:LINE or the name of a function");
    if (condition.empty() && where.size() != words.size())
        return Outcome::failure("there is no expression after " + code("if"));
    BreakpointRow row;
    row.condition = condition.str();
    auto [file, line] = where.rsplit(':');
    bool isLine = line.getAsInteger(10, row.line) == false && where.contains(':');
    if (!isLine && where.getAsInteger(10, row.line) == false) { // a line of the file that is looked at
        isLine = true;
        const StackRow* here = d.state == State::Stopped ? currentRow(d) : nullptr;
        row.file = here && !here->file.path.empty() ? here->file : SourceFile{meantPath(d, d.start.program)};
    } else if (isLine) {
        row.file.path = meantPath(d, file.str());
    }
    if (isLine && row.line < 1) return Outcome::failure("lines count from 1");
    if (!isLine) {
        row.kind = Kind::Function;
        row.line = 0;
        row.what = where.str();
    }
    return add(d, std::move(row));
}

Outcome breakOnErrors(Debuggee& d, Words words) {
    BreakpointRow row;
    row.kind = Kind::Errors;
    row.what = words.split(' ').first.str();
    Words tags = words.split(' ').second.trim();
    tags.consume_front("error.");
    row.condition = tags.str();
    return add(d, std::move(row));
}

Outcome watchPlace(Debuggee& d, Words words) {
    if (words.empty()) return Outcome::failure("it needs an expression");
    if (Result<void> loaded = load(d); !loaded) return Outcome::failure(loaded.error());
    Object asked{{"name", words}};
    if (d.state != State::Loaded) { // else a global variable is meant
        if (std::string why = notStopped(d); !why.empty()) return Outcome::failure(why);
        const StackRow* frame = currentRow(d);
        if (!frame) return Outcome::failure("there is no frame");
        asked["frameId"] = frame->id;
    }
    Result<Object> answer = d.client.ask("dataBreakpointInfo", std::move(asked));
    if (!answer) return Outcome::failure(answer.error());
    BreakpointRow row;
    row.kind = Kind::Data;
    row.dataId = textOf(*answer, "dataId");
    row.what = words.str();
    if (row.dataId.empty()) return Outcome::failure(textOf(*answer, "description"));
    return add(d, std::move(row));
}

Outcome deleteBreakpoint(Debuggee& d, Words words) {
    int64_t number = 0;
    if (words.getAsInteger(10, number)) return Outcome::failure("it needs the number of a breakpoint");
    Result<void> removed = removeBreakpoint(d, number);
    return removed ? Outcome{} : Outcome::failure(removed.error());
}

std::string breakpointList(Debuggee& d) {
    std::string text;
    for (const BreakpointRow& row : d.breakpoints) text += (text.empty() ? "" : "\n") + describe(d, row);
    return text.empty() ? "no breakpoints" : text;
}

} // namespace sx::terminal
