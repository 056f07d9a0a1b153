// What keys and the mouse do.
#include "debugger/terminal/commands/Commands.h"
#include "debugger/terminal/screen/Completion.h"
#include "debugger/terminal/screen/Screen.h"

#include <algorithm>

namespace sx::terminal {

namespace {

Slot* focused(Screen& s) { return s.focus == Focus::Command ? nullptr : &s.slots[static_cast<int>(s.focus) - 1]; }

void say(Screen& s, const std::string& problem) {
    if (!problem.empty()) s.output.say(problem, Style::Error);
}

/// Whether a word is a step, which an empty line repeats.
bool isStep(llvm::StringRef line) {
    line = line.split(' ').first;
    for (const char* step : {"n", "s", "f", "c", "rn", "rs", "rc", "next", "step", "finish", "continue", "up", "down"})
        if (line == step) return true;
    return false;
}

/// Commands that are about the screen. False: it is none.
bool carryOutHere(Screen& s, llvm::StringRef line) {
    auto [name, operand] = line.split(' ');
    operand = operand.trim();
    if (name == "display" && !operand.empty()) {
        s.values.addExpression(operand.str());
        s.slots[2].shown = 0;
    } else if (name == "undisplay") {
        if (!s.values.removeExpression(s.values.cursor)) say(s, "no expression is in the row of the cursor");
    } else if (name == "x" && !operand.empty()) {
        s.memory.expression = operand.str();
        s.slots[0].shown = 2;
    } else if (name == "view") {
        for (Slot& slot : s.slots)
            for (size_t i = 0; i < slot.panes.size(); ++i)
                if (llvm::StringRef(slot.panes[i]->title(s.debuggee)).starts_with_insensitive(operand)) slot.shown = i;
    } else {
        return false;
    }
    ++s.debuggee.changes;
    return true;
}

void nextFocus(Screen& s, int step) { s.focus = static_cast<Focus>((static_cast<int>(s.focus) + 5 + step) % 5); }

void turnView(Screen& s, int slot) {
    s.slots[slot].next();
    s.source.hasMoved |= slot == 0;
    ++s.debuggee.changes;
}

/// Escape leads back.
void showHelp(Screen& s) {
    size_t begin = s.output.count();
    s.output.say(commandHelp(), Style::Plain);
    s.output.cursor = s.output.top = begin;
    s.focus = Focus::Output;
    s.isHelping = true;
}

void pressFunction(Screen& s, int number) {
    switch (number) {
    case 1: return showHelp(s);
    case 2:
    case 3:
    case 4: return turnView(s, number - 2);
    case 5: return carryOut(s, s.debuggee.state == State::Stopped ? "c" : "run");
    case 6: return carryOut(s, "pause");
    case 9: s.slots[0].shown = 0; return say(s, s.source.toggle(s.debuggee));
    case 10: return carryOut(s, "n");
    case 11: return carryOut(s, "s");
    case 23: return carryOut(s, "f");
    }
}

void pressMouse(Screen& s, const Key& key) {
    for (int i = 0; i < 4; ++i) {
        Slot& slot = s.slots[i];
        if (!slot.holds(key.row, key.column)) continue;
        Pane& pane = slot.pane();
        if (key.wheel != 0) {
            pane.moveCursor(key.wheel * 3L);
            return;
        }
        s.focus = static_cast<Focus>(i + 1);
        size_t row = pane.top + static_cast<size_t>(key.row - slot.row - 1);
        if (key.row == slot.row || row >= pane.count()) return;
        pane.cursor = row;
        return say(s, pane.act(s.debuggee, row, key.column - slot.column));
    }
    s.focus = Focus::Command;
}

void remove(Screen& s, Pane& pane) {
    if (&pane == &s.breakpoints) say(s, pane.act(s.debuggee, pane.cursor, -1));
    else if (&pane == &s.values && s.values.removeExpression(pane.cursor)) ++s.debuggee.changes;
}

/// A letter in a pane is a command of its own. Other text goes to the command
/// line.
void pressLetter(Screen& s, const std::string& letter) {
    if (std::exchange(s.wantsBack, false)) {
        if (letter == "n" || letter == "s" || letter == "c") carryOut(s, "r" + letter);
    } else if (letter == "r") {
        s.wantsBack = true;
    } else if (letter == "b") {
        pressFunction(s, 9);
    } else if (letter == "q" || letter == "c" || letter == "n" || letter == "s" || letter == "f") {
        carryOut(s, letter);
    } else if (letter == "d") {
        remove(s, focused(s)->pane());
    } else {
        s.focus = Focus::Command;
        if (letter != ":") s.editor.insert(letter);
    }
}

void pressInPane(Screen& s, const Key& key) {
    constexpr size_t Sideways = 8; // columns
    Slot& slot = *focused(s);
    Pane& pane = slot.pane();
    long page = std::max(slot.height - 2, 1);
    if (key.kind != Key::Kind::Text) s.wantsBack = false;
    switch (key.kind) {
    case Key::Kind::Up: return pane.moveCursor(-1);
    case Key::Kind::Down: return pane.moveCursor(1);
    case Key::Kind::Left: pane.left -= std::min(pane.left, Sideways); return;
    case Key::Kind::Right: pane.left += Sideways; return; // so far as there are columns
    case Key::Kind::PageUp: return pane.moveCursor(-page);
    case Key::Kind::PageDown: return pane.moveCursor(page);
    case Key::Kind::Home: return pane.moveCursor(-static_cast<long>(pane.count()));
    case Key::Kind::End: return pane.moveCursor(static_cast<long>(pane.count()));
    case Key::Kind::Delete: return remove(s, pane);
    case Key::Kind::Enter:
        if (&pane != &s.breakpoints) say(s, pane.act(s.debuggee, pane.cursor, -1));
        return;
    case Key::Kind::Text: return pressLetter(s, key.text);
    case Key::Kind::Escape: s.focus = Focus::Command; return;
    default: return;
    }
}

void pressInCommand(Screen& s, const Key& key) {
    switch (key.kind) {
    case Key::Kind::Enter: {
        std::string line = s.editor.give();
        return carryOut(s, line.empty() ? s.lastStep : line);
    }
    case Key::Kind::Tab:
        if (s.editor.text().empty()) return nextFocus(s, 1);
        return complete(s);
    case Key::Kind::PageUp: return s.output.moveCursor(-5);
    case Key::Kind::PageDown: return s.output.moveCursor(5);
    case Key::Kind::Escape: return s.editor.clear();
    default: s.editor.take(key);
    }
}

/// Keys that do the same everywhere. False: it is none.
bool pressAnywhere(Screen& s, const Key& key) {
    if (key.kind == Key::Kind::Function) pressFunction(s, key.number);
    else if (key.kind == Key::Kind::Mouse) pressMouse(s, key);
    else if (key.kind == Key::Kind::BackTab) nextFocus(s, -1);
    else if (key.kind == Key::Kind::Tab && s.focus != Focus::Command) nextFocus(s, 1);
    else if (key.kind != Key::Kind::Control) return false;
    else if (key.letter == 'l') s.terminal.repaint();
    else if (key.letter == 'z') s.terminal.suspend();
    else if (key.letter == 'd' && s.editor.text().empty()) s.isQuitting = true;
    else if (key.letter == 'c' && s.debuggee.state == State::Running) carryOut(s, "pause");
    else if (key.letter == 'c') s.editor.clear();
    else return false;
    return true;
}

} // namespace

void carryOut(Screen& s, const std::string& line) {
    if (line.empty()) return;
    s.output.cursor = s.output.count() > 0 ? s.output.count() - 1 : 0;
    s.output.say("(sx) " + line, Style::Bold);
    if (isStep(line)) s.lastStep = line;
    if (carryOutHere(s, line)) return;
    if (s.debuggee.state == State::New) {
        s.output.say("loading " + s.debuggee.start.program, Style::Dim);
        draw(s);
    }
    Outcome outcome = execute(s.debuggee, line);
    if (!outcome.text.empty()) s.output.say(outcome.text, Style::Plain);
    say(s, outcome.error);
    if (outcome.goesOn) s.isAnnounced = false;
    if (outcome.quits) s.isQuitting = true;
}

void press(Screen& s, const Key& key) {
    if (key.kind == Key::Kind::None || pressAnywhere(s, key)) return;
    if (s.focus == Focus::Command) pressInCommand(s, key);
    else pressInPane(s, key);
}

} // namespace sx::terminal
