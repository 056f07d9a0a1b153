// How the screen is laid out and drawn.
#include "debugger/terminal/screen/Screen.h"
#include "debugger/terminal/screen/Text.h"

#include <algorithm>

namespace sx::terminal {

namespace {

constexpr int LeastRows = 12, LeastColumns = 40;

std::string stateText(const Debuggee& d) {
    if (d.client.isClosed()) return "the debug adapter has ended";
    switch (d.state) {
    case State::New: return "not loaded";
    case State::Failed: return "not loaded";
    case State::Loaded: return "not begun";
    case State::Running: return "running";
    case State::Stopped: return "stopped: " + d.stop.reason + ", thread " + std::to_string(d.thread);
    case State::Ended: return d.exitCode ? "exited " + std::to_string(*d.exitCode) : "ended";
    }
    return "";
}

/// The line without so many columns behind those that stay.
Line scrolled(Line line, size_t fixed, size_t left) {
    size_t at = 0;
    for (Span& span : line) {
        size_t columns = columnsOf(span.text);
        if (at >= fixed && left > 0) {
            size_t out = std::min(left, columns);
            span.text = cut(span.text, out, columns - out);
            left -= out;
        }
        at += columns;
    }
    return line;
}

/// Puts the spans of a line next to each other.
void putLine(Terminal& t, int row, int column, int width, const Line& line, bool isSelected) {
    int used = 0;
    for (const Span& span : line) {
        int left = width - used;
        if (left <= 0) break;
        auto columns = static_cast<int>(columnsOf(span.text));
        std::string text = columns > left ? fit(span.text, static_cast<size_t>(left)) : span.text;
        bool underline = isSelected && span.style == Style::Plain;
        t.put(row, column + used, text, underline ? Style::Selected : span.style);
        used += std::min(columns, left);
    }
    if (isSelected && used == 0) t.put(row, column, " ", Style::Selected);
}

std::string repeated(const char* text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

void putSlot(Screen& s, Slot& slot, bool isFocused) {
    Pane& pane = slot.pane();
    std::string title = cut(" " + pane.title(s.debuggee) + " ", 0, static_cast<size_t>(std::max(slot.width - 3, 0)));
    int used = static_cast<int>(columnsOf(title));
    s.terminal.put(slot.row, slot.column, "──", Style::Dim);
    s.terminal.put(slot.row, slot.column + 2, title, isFocused ? Style::FocusedTitle : Style::Title);
    s.terminal.put(slot.row, slot.column + 2 + used, repeated("─", slot.width - 2 - used), Style::Dim);
    size_t height = std::min(static_cast<size_t>(slot.height - 1), pane.count() - std::min(pane.top, pane.count()));
    std::vector<Line> lines;
    int widest = 0;
    for (size_t i = 0; i < height; ++i) {
        lines.push_back(pane.line(s.debuggee, pane.top + i));
        int columns = 0;
        for (const Span& span : lines.back()) columns += static_cast<int>(columnsOf(span.text));
        widest = std::max(widest, columns);
    }
    pane.left = std::min(pane.left, static_cast<size_t>(std::max(0, widest - slot.width)));
    for (size_t i = 0; i < height; ++i)
        putLine(s.terminal, slot.row + 1 + static_cast<int>(i), slot.column, slot.width,
                scrolled(std::move(lines[i]), static_cast<size_t>(pane.fixedColumns()), pane.left),
                isFocused && pane.top + i == pane.cursor);
}

void putFoot(Screen& s, int row, int width) {
    static constexpr const char* Keys[] = {"F5 run",    "F9 break",           "F10 over",  "F11 into",
                                           "S-F11 out", "b c n s f rn rs rc", "Tab panes", "F2-4 views",
                                           "F1 help",   "^C pause",           "q quit"};
    std::string foot;
    int used = 0;
    for (const char* key : Keys) {
        int more = static_cast<int>(columnsOf(key)) + (used > 0 ? 2 : 0);
        if (used + more > width) break;
        foot += (used > 0 ? "  " : "") + std::string(key);
        used += more;
    }
    s.terminal.put(row, 0, fit(foot, static_cast<size_t>(width)), Style::Bar);
}

void refreshPanes(Screen& s) {
    if (s.drawn == s.debuggee.changes) return;
    s.drawn = s.debuggee.changes;
    for (Slot& slot : s.slots) slot.pane().refresh(s.debuggee);
    s.drawn = s.debuggee.changes;
}

} // namespace

bool arrange(Screen& s) {
    int rows = s.terminal.rows(), columns = s.terminal.columns();
    if (rows < LeastRows || columns < LeastColumns) return false;
    constexpr int LeastUpper = 7; // a row in each pane
    s.isHelping &= s.focus == Focus::Output;
    int output = s.isHelping ? std::max(4, rows - 3 - LeastUpper) : std::max(4, rows / 4), upper = rows - 3 - output;
    int left = columns * 3 / 5, right = columns - left - 1, lists = std::max(3, upper * 2 / 5);
    auto place = [](Slot& slot, int row, int column, int height, int width) {
        slot.row = row;
        slot.column = column;
        slot.height = height;
        slot.width = width;
    };
    place(s.slots[0], 1, 0, upper, left);
    place(s.slots[1], 1, left + 1, lists, right);
    place(s.slots[2], 1 + lists, left + 1, upper - lists, right);
    place(s.slots[3], 1 + upper, 0, output, columns);
    return true;
}

void draw(Screen& s) {
    Terminal& t = s.terminal;
    int rows = t.rows(), columns = t.columns();
    bool fits = arrange(s);
    refreshPanes(s);
    t.clear();
    if (!fits) {
        t.put(0, 0, cut("the terminal is too small", 0, static_cast<size_t>(columns)), Style::Plain);
        return t.show(0, 0);
    }
    for (Slot& slot : s.slots) {
        auto height = static_cast<size_t>(slot.height - 1);
        Pane& pane = slot.pane();
        if (&pane == &s.source && std::exchange(s.source.hasMoved, false)) {
            const StackRow* row = currentRow(s.debuggee);
            if (row && row->line > 0) pane.bringIntoView(static_cast<size_t>(row->line - 1), height);
        }
        pane.keepInView(height);
        if (&pane == &s.memory) s.memory.isNarrow = slot.width < MemoryPane::WholeRow;
    }
    std::string head = " sx debug  " + printable(s.debuggee.start.program) + "  " + stateText(s.debuggee);
    t.put(0, 0, fit(head, static_cast<size_t>(columns)), Style::Bar);
    for (int i = 0; i < 4; ++i) putSlot(s, s.slots[i], static_cast<int>(s.focus) == i + 1);
    const Slot& left = s.slots[0];
    for (int i = 0; i < left.height; ++i) t.put(left.row + i, left.width, i == 0 ? "┬" : "│", Style::Dim);
    std::string prompt = s.wantsBack ? "back: n s c? " : "(sx) ";
    size_t room = static_cast<size_t>(columns) - prompt.size() - 1;
    size_t at = columnsOf(std::string_view(s.editor.text()).substr(0, s.editor.cursor()));
    size_t from = at > room ? at - room : 0;
    t.put(rows - 2, 0, prompt, Style::Bold);
    t.put(rows - 2, static_cast<int>(prompt.size()), cut(printable(s.editor.text()), from, room), Style::Plain);
    putFoot(s, rows - 1, columns);
    t.show(rows - 2, static_cast<int>(prompt.size() + at - from));
}

} // namespace sx::terminal
