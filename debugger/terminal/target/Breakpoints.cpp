#include "debugger/terminal/target/Breakpoints.h"

#include <algorithm>
#include <set>

namespace sx::terminal {

namespace {

using Kind = BreakpointRow::Kind;

void update(Debuggee& d, BreakpointRow& row, const Object& answer) {
    row.id = numberOf(answer, "id", row.id);
    row.isVerified = answer.getBoolean("verified").value_or(false);
    row.message = textOf(answer, "message");
    if (const Object* source = answer.getObject("source")) row.actualFile = sourceFileOf(source);
    if (int64_t line = numberOf(answer, "line"); line > 0 && row.isVerified) {
        row.actualLine = line;
        row.actualColumn = d.sources.columnInBytes(placeFile(row), line, numberOf(answer, "column"));
    }
    ++d.changes;
}

/// The rows that the same request sets.
std::vector<BreakpointRow*> togetherWith(Debuggee& d, const BreakpointRow& one) {
    std::vector<BreakpointRow*> rows;
    for (BreakpointRow& row : d.breakpoints)
        if (row.kind == one.kind && (one.kind != Kind::Line || row.file == one.file)) rows.push_back(&row);
    return rows;
}

Object asArgument(const BreakpointRow& row) {
    Object o;
    if (row.kind == Kind::Line) o["line"] = row.line;
    if (row.kind == Kind::Function) o["name"] = row.what;
    if (row.kind == Kind::Data) o["dataId"] = row.dataId;
    if (!row.condition.empty()) o["condition"] = row.condition;
    return o;
}

const char* requestOf(Kind kind) {
    switch (kind) {
    case Kind::Line: return "setBreakpoints";
    case Kind::Function: return "setFunctionBreakpoints";
    default: return "setDataBreakpoints";
    }
}

/// Sends the filters of the rows, each with its condition, and those that are on by default and have no row.
Result<void> sendFilters(Debuggee& d) {
    Array options;
    std::vector<BreakpointRow*> rows;
    std::set<std::string> named;
    for (BreakpointRow& row : d.breakpoints) {
        if (row.kind != Kind::Errors) continue;
        Object o{{"filterId", row.what}};
        if (!row.condition.empty()) o["condition"] = row.condition;
        options.push_back(std::move(o));
        rows.push_back(&row);
        named.insert(row.what);
    }
    for (const Object* f : objectsOf(d.capabilities, "exceptionBreakpointFilters"))
        if (f->getBoolean("default").value_or(false) && !named.count(textOf(*f, "filter")))
            options.push_back(Object{{"filterId", textOf(*f, "filter")}});
    Result<Object> answer =
        d.client.ask("setExceptionBreakpoints", Object{{"filters", Array{}}, {"filterOptions", std::move(options)}});
    if (!answer) return answer.failure();
    std::vector<const Object*> answers = objectsOf(*answer, "breakpoints");
    for (size_t i = 0; i < rows.size() && i < answers.size(); ++i) update(d, *rows[i], *answers[i]);
    return {};
}

/// Tells the adapter the rows of a kind (and a file).
Result<void> send(Debuggee& d, const BreakpointRow& one) {
    if (one.kind == Kind::Errors) return sendFilters(d);
    std::vector<BreakpointRow*> rows = togetherWith(d, one);
    Array list;
    for (const BreakpointRow* row : rows) list.push_back(asArgument(*row));
    Object arguments{{"breakpoints", std::move(list)}};
    if (one.kind == Kind::Line) {
        Object source{{"path", one.file.path}};
        if (one.file.reference > 0) source["sourceReference"] = one.file.reference;
        arguments["source"] = std::move(source);
    }
    Result<Object> answer = d.client.ask(requestOf(one.kind), std::move(arguments));
    if (!answer) return answer.failure();
    std::vector<const Object*> answers = objectsOf(*answer, "breakpoints");
    for (size_t i = 0; i < rows.size() && i < answers.size(); ++i) update(d, *rows[i], *answers[i]);
    return {};
}

/// A watch of a program that has not begun.
bool isAwaited(const Debuggee& d, const BreakpointRow* row) {
    return row && row->kind == Kind::Data && !row->isVerified && d.state == State::Loaded && row->message == "pending";
}

void drop(Debuggee& d, int64_t number) {
    std::erase_if(d.breakpoints, [&](const BreakpointRow& row) { return row.number == number; });
    ++d.changes;
}

} // namespace

const SourceFile& placeFile(const BreakpointRow& row) {
    return row.actualFile.path.empty() ? row.file : row.actualFile;
}

int64_t placeLine(const BreakpointRow& row) { return row.actualLine > 0 ? row.actualLine : row.line; }

Result<int64_t> addBreakpoint(Debuggee& d, BreakpointRow row) {
    row.number = d.nextNumber;
    d.breakpoints.push_back(row);
    Result<void> sent = send(d, row);
    takeEvents(d);
    const BreakpointRow* set = findBreakpoint(d, row.number);
    std::string why = !sent ? sent.error() : !set ? "it has been removed" : set->message;
    bool isLater = sent && (d.state == State::Ended || isAwaited(d, set)); // it is placed when the program begins
    if (sent && set && (set->isVerified || isLater)) {
        ++d.nextNumber;
        return row.number;
    }
    drop(d, row.number);
    (void)send(d, row);
    return Failure{why.empty() ? "it cannot be set" : why};
}

Result<void> removeBreakpoint(Debuggee& d, int64_t number) {
    const BreakpointRow* found = findBreakpoint(d, number);
    if (!found) return Failure{"there is no breakpoint " + std::to_string(number)};
    BreakpointRow row = *found;
    drop(d, number);
    return send(d, row);
}

Result<int64_t> toggleBreakpoint(Debuggee& d, const SourceFile& file, int64_t line) {
    std::vector<int64_t> there;
    for (const BreakpointRow& row : d.breakpoints)
        if (row.kind != Kind::Data && placeFile(row) == file && placeLine(row) == line) there.push_back(row.number);
    for (int64_t number : there)
        if (Result<void> removed = removeBreakpoint(d, number); !removed) return removed.failure();
    if (!there.empty()) return 0;
    BreakpointRow row;
    row.file = file;
    row.line = line;
    return addBreakpoint(d, std::move(row));
}

void takeBreakpoint(Debuggee& d, const std::string& reason, const Object& breakpoint) {
    int64_t id = numberOf(breakpoint, "id", -1);
    for (BreakpointRow& row : d.breakpoints) {
        if (row.kind == Kind::Errors || row.id != id) continue;
        if (reason == "removed") return drop(d, row.number);
        return update(d, row, breakpoint);
    }
}

const BreakpointRow* findBreakpoint(const Debuggee& d, int64_t number) {
    for (const BreakpointRow& row : d.breakpoints)
        if (row.number == number) return &row;
    return nullptr;
}

std::string describe(Debuggee& d, const BreakpointRow& row) {
    std::string text = std::to_string(row.number) + "  ";
    std::string place;
    if (placeLine(row) > 0 && !placeFile(row).path.empty())
        place = shownPath(d, placeFile(row).path) + ":" + std::to_string(placeLine(row)) +
                (row.actualColumn > 0 ? ":" + std::to_string(row.actualColumn) : "");
    switch (row.kind) {
    case Kind::Line: text += place; break;
    case Kind::Function: text += row.what + (place.empty() ? "" : " at " + place); break;
    case Kind::Data: text += "watch " + row.what; break;
    case Kind::Errors: text += row.what + (row.condition.empty() ? "" : " " + row.condition); break;
    }
    if (!row.condition.empty() && row.kind != Kind::Errors) text += " if " + row.condition;
    if (!row.isVerified && d.state == State::Ended) text += "  (set when the program begins again)";
    else if (isAwaited(d, &row)) text += "  (set when the program begins)";
    else if (!row.isVerified) text += "  (not set" + (row.message.empty() ? "" : ": " + row.message) + ")";
    return text;
}

} // namespace sx::terminal
