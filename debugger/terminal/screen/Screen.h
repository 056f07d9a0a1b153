// The full screen: panes over one debuggee, keys, and the loop that waits for
// both.
#pragma once

#include "debugger/terminal/screen/CodePanes.h"
#include "debugger/terminal/screen/Editor.h"
#include "debugger/terminal/screen/ListPanes.h"
#include "debugger/terminal/screen/OutputPane.h"
#include "debugger/terminal/screen/ValuesPane.h"

namespace sx::terminal {

/// A place on the screen where one of several panes is shown.
struct Slot {
    std::vector<Pane*> panes;
    size_t shown = 0;
    int row = 0, column = 0, height = 0, width = 0; ///< with the title's row

    Pane& pane() const { return *panes[shown]; }
    void next() { shown = (shown + 1) % panes.size(); }
    bool holds(int r, int c) const { return r >= row && r < row + height && c >= column && c < column + width; }
};

enum class Focus : uint8_t { Command, Code, Lists, Values, Output };

/// The state of the screen. What keys do is in Keys.cpp, how it is drawn in
/// Draw.cpp.
struct Screen {
    Screen(Debuggee&, Terminal&);

    Debuggee& debuggee;
    Terminal& terminal;
    SourcePane source;
    CodePane code;
    MemoryPane memory;
    StackPane stack;
    ThreadsPane threads;
    BreakpointsPane breakpoints;
    ValuesPane values;
    RegistersPane registers;
    OutputPane output;
    Slot slots[4]; ///< in the order of Focus, without Command
    Focus focus = Focus::Command;
    Editor editor;
    std::string lastStep;   ///< what an empty line repeats
    bool wantsBack = false; ///< `r` was pressed in a pane: n, s or c follows
    bool isHelping = false; ///< the output is tall, until another pane is gone to
    bool isQuitting = false;
    bool isAnnounced = true; ///< the last stop was told in the output
    unsigned resizes = 0;    ///< so often the terminal may have changed its size
    bool isClosedTold = false;
    uint64_t drawn = ~uint64_t{0}; ///< `changes` of the debuggee when the panes were refreshed
};

/// Does what a key says.
void press(Screen&, const Key&);
/// Carries out a line as if it had been typed.
void carryOut(Screen&, const std::string& line);
/// Refreshes panes where something has changed, and draws.
void draw(Screen&);
/// Puts the slots in their places for the size of the terminal. False: it is
/// too small.
bool arrange(Screen&);
/// Runs the screen until the user leaves. `first`: commands that are carried
/// out before. Returns the exit status.
int runScreen(Debuggee&, Terminal&, const std::vector<std::string>& first);

} // namespace sx::terminal
