#include "debugger/terminal/screen/ListPanes.h"

#include "debugger/terminal/commands/Commands.h"
#include "debugger/terminal/screen/Text.h"
#include "debugger/terminal/target/Breakpoints.h"

namespace sx::terminal {

void StackPane::refresh(Debuggee& d) {
    if (cursor + 10 > wanted_) wanted_ = cursor + 100;
    count_ = d.state == State::Stopped ? stackOf(d, wanted_).size() : 0;
    if (count_ > 0 && cursor != d.frame && d.frame < count_) cursor = d.frame;
}

Line StackPane::line(Debuggee& d, size_t row) {
    if (row >= d.stack.size()) return {};
    const StackRow& r = d.stack[row];
    if (r.isLabel) return {{printable(r.name), Style::Error}};
    bool isHere = row == d.frame;
    std::string name = (isHere ? "▶ " : "  ") + printable(r.name);
    Line line{{name, isHere ? Style::Current : r.isSubtle && !r.isTrace ? Style::Dim : Style::Plain}};
    if (r.line > 0) {
        std::string path = shownPath(d, r.file.path);
        line.push_back({"  " + printable(path.substr(path.rfind('/') + 1)) + ":" + std::to_string(r.line), Style::Dim});
    }
    return line;
}

std::string StackPane::act(Debuggee& d, size_t row, int) {
    if (row >= d.stack.size()) return "";
    d.frame = row;
    ++d.changes;
    return "";
}

void ThreadsPane::refresh(Debuggee& d) {
    rows_.clear();
    if (d.state != State::Stopped) return;
    if (Result<std::vector<ThreadRow>> rows = threadsOf(d)) rows_ = std::move(*rows);
}

Line ThreadsPane::line(Debuggee& d, size_t row) {
    const ThreadRow& r = rows_[row];
    bool isHere = r.id == d.thread;
    return {{(isHere ? "▶ " : "  ") + std::to_string(r.id) + "  " + printable(r.name),
             isHere ? Style::Current : Style::Plain}};
}

std::string ThreadsPane::act(Debuggee& d, size_t row, int) {
    return row < rows_.size() ? execute(d, "thread " + std::to_string(rows_[row].id)).error : "";
}

Line BreakpointsPane::line(Debuggee& d, size_t row) {
    if (row >= d.breakpoints.size()) return {};
    const BreakpointRow& r = d.breakpoints[row];
    return {{r.isVerified ? "● " : "○ ", Style::Mark}, {printable(describe(d, r)), Style::Plain}};
}

std::string BreakpointsPane::act(Debuggee& d, size_t row, int column) {
    if (row >= d.breakpoints.size() || column >= 0) return ""; // a press of the mouse alone removes nothing
    Result<void> removed = removeBreakpoint(d, d.breakpoints[row].number);
    return removed ? "" : removed.error();
}

void RegistersPane::refresh(Debuggee& d) {
    if (d.state != State::Stopped) return;
    before_ = std::move(rows_);
    rows_ = registersOf(d);
}

Line RegistersPane::line(Debuggee&, size_t row) {
    const ValueRow& r = rows_[row];
    bool isSame = before_.size() != rows_.size() || before_[row].value == r.value;
    return {{fit(printable(r.name), std::max<size_t>(8, columnsOf(r.name))) + " ", Style::Dim},
            {printable(r.value), isSame ? Style::Plain : Style::Changed}};
}

} // namespace sx::terminal
