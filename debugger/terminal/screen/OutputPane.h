// What the program writes, and what commands answer.
#pragma once

#include "debugger/terminal/screen/Pane.h"

#include <deque>

namespace sx::terminal {

class OutputPane : public Pane {
public:
    std::string title(Debuggee&) override { return "Output"; }
    void refresh(Debuggee&) override {}
    size_t count() const override { return lines_.size(); }
    Line line(Debuggee&, size_t row) override { return {{lines_[row].text, lines_[row].style}}; }

    /// Text of the program: a line may come in pieces.
    void append(const std::string& text, Style style);
    /// Whole lines of our own.
    void say(const std::string& text, Style style);

private:
    void begin(Style style);
    std::deque<Span> lines_; ///< printable
    std::string open_;       ///< the last line as it came, where its end has not
    bool isOpen_ = false;
};

} // namespace sx::terminal
