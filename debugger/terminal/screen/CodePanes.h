// What the left side shows: the source, machine code, memory.
#pragma once

#include "debugger/terminal/screen/Pane.h"
#include "debugger/terminal/target/Machine.h"

namespace sx::terminal {

class SourcePane : public Pane {
public:
    std::string title(Debuggee&) override;
    void refresh(Debuggee&) override;
    size_t count() const override { return lines_; }
    Line line(Debuggee&, size_t row) override;
    std::string act(Debuggee&, size_t row, int column) override;
    int fixedColumns() const override { return Gutter; }

    /// Columns of a mark, a line's number and a space.
    static constexpr int Gutter = 7;
    /// Sets or removes a breakpoint in the row of the cursor. Returns what is to
    /// be said.
    std::string toggle(Debuggee&);
    /// Set where the place that is looked at has moved: it has to be brought into
    /// view.
    bool hasMoved = false;

private:
    SourceFile file_;
    size_t lines_ = 0;
    int64_t here_ = 0; ///< the line where the program stands, of the frame that
                       ///< is looked at; 0: not here
    bool isInnermost_ = true;
};

class CodePane : public Pane {
public:
    std::string title(Debuggee&) override { return "Disassembly"; }
    void refresh(Debuggee&) override;
    size_t count() const override { return rows_.size(); }
    Line line(Debuggee&, size_t row) override;

private:
    std::vector<CodeRow> rows_;
    std::string here_;
};

class MemoryPane : public Pane {
public:
    std::string title(Debuggee&) override { return expression.empty() ? "Memory (x EXPR)" : "Memory " + expression; }
    void refresh(Debuggee&) override;
    size_t count() const override { return !problem_.empty() ? 1 : isNarrow ? 2 * rows_.size() : rows_.size(); }
    Line line(Debuggee&, size_t row) override;

    static constexpr int WholeRow = 81; ///< columns
    bool isNarrow = false;              ///< eight bytes in a row
    std::string expression;             ///< an address, or what is at it

private:
    std::vector<MemoryRow> rows_, before_;
    std::string problem_;
};

} // namespace sx::terminal
