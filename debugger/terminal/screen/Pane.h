// A part of the screen: rows of text that can be scrolled through, with one
// that the keys act on.
#pragma once

#include "debugger/terminal/screen/Terminal.h"
#include "debugger/terminal/target/Debuggee.h"

namespace sx::terminal {

/// Printable text in one style.
struct Span {
    std::string text;
    Style style = Style::Plain;
};
using Line = std::vector<Span>;

class Pane {
public:
    virtual ~Pane() = default;
    virtual std::string title(Debuggee&) = 0;
    /// What is shown may have changed.
    virtual void refresh(Debuggee&) = 0;
    virtual size_t count() const = 0;
    virtual Line line(Debuggee&, size_t row) = 0;
    /// What Enter and the mouse do with a row; `column` is where the mouse was
    /// pressed, -1: it was Enter. Returns what is to be said about it; empty:
    /// nothing.
    virtual std::string act(Debuggee&, size_t /*row*/, int /*column*/) { return ""; }

    /// Columns at the left of each row that stay where the others are scrolled
    /// sideways.
    virtual int fixedColumns() const { return 0; }

    /// Columns of the rows that are scrolled out at the left.
    size_t left = 0;
    /// The row of the keys, and the first one that is shown.
    size_t cursor = 0, top = 0;

    /// Moves the cursor, so far as there are rows.
    void moveCursor(long rows);
    /// Scrolls so that the cursor is among `height` rows.
    void keepInView(size_t height);
    /// Scrolls so that a row is shown, in the middle if it was not.
    void bringIntoView(size_t row, size_t height);
};

} // namespace sx::terminal
