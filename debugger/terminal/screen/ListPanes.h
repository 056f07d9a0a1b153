// Lists of the right side: the stack, threads, breakpoints, registers.
#pragma once

#include "debugger/terminal/screen/Pane.h"
#include "debugger/terminal/target/Lists.h"
#include "debugger/terminal/target/Machine.h"

namespace sx::terminal {

class StackPane : public Pane {
public:
    std::string title(Debuggee&) override { return "Stack"; }
    void refresh(Debuggee&) override;
    size_t count() const override { return count_; }
    Line line(Debuggee&, size_t row) override;
    std::string act(Debuggee&, size_t row, int column) override;

private:
    size_t count_ = 0, wanted_ = 100;
};

class ThreadsPane : public Pane {
public:
    std::string title(Debuggee&) override { return "Threads and fibers"; }
    void refresh(Debuggee&) override;
    size_t count() const override { return rows_.size(); }
    Line line(Debuggee&, size_t row) override;
    std::string act(Debuggee&, size_t row, int column) override;

private:
    std::vector<ThreadRow> rows_;
};

class BreakpointsPane : public Pane {
public:
    std::string title(Debuggee&) override { return "Breakpoints"; }
    void refresh(Debuggee& d) override { count_ = d.breakpoints.size(); }
    size_t count() const override { return count_; }
    Line line(Debuggee&, size_t row) override;
    std::string act(Debuggee&, size_t row, int column) override;

private:
    size_t count_ = 0;
};

class RegistersPane : public Pane {
public:
    std::string title(Debuggee&) override { return "Registers"; }
    void refresh(Debuggee&) override;
    size_t count() const override { return rows_.size(); }
    Line line(Debuggee&, size_t row) override;

private:
    std::vector<ValueRow> rows_, before_;
};

} // namespace sx::terminal
