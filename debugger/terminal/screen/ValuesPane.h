// Variables and watched expressions as a tree.
#pragma once

#include "debugger/terminal/screen/Pane.h"
#include "debugger/terminal/target/Values.h"

#include <map>
#include <set>

namespace sx::terminal {

class ValuesPane : public Pane {
public:
    std::string title(Debuggee&) override { return "Variables"; }
    void refresh(Debuggee&) override;
    size_t count() const override { return nodes_.size(); }
    Line line(Debuggee&, size_t row) override;
    std::string act(Debuggee&, size_t row, int column) override;

    void addExpression(const std::string& expression) { expressions_.push_back(expression); }
    /// Removes the expression of a row. False: there is none in it.
    bool removeExpression(size_t row);

private:
    struct Node {
        ValueRow row;
        size_t depth = 0;
        std::string path; ///< names from the root on: what is open stays so at the
                          ///< next stop
        bool isOpen = false;
        bool isScope = false;
        int64_t more = 0; ///< of a last row: how many children were left out
    };
    void add(Debuggee&, ValueRow row, size_t depth, const std::string& path, bool isScope);
    void addChildren(Debuggee&, const Node& parent);

    std::vector<Node> nodes_;
    std::vector<std::string> expressions_;
    std::set<std::string> toggled_;             ///< paths that are not as they are at first
    std::map<std::string, int64_t> shown_;      ///< how many children of a path
    std::map<std::string, std::string> before_; ///< values at the stop before
    std::map<std::string, std::string> values_;
    uint64_t stop_ = 0;
};

} // namespace sx::terminal
