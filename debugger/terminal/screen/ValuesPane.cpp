#include "debugger/terminal/screen/ValuesPane.h"

#include "debugger/terminal/screen/Text.h"

namespace sx::terminal {

namespace {

constexpr int64_t Page = 100; ///< children that are shown at first
constexpr size_t Deepest = 20;
constexpr size_t MostRows = 20'000;

} // namespace

void ValuesPane::addChildren(Debuggee& d, const Node& parent) {
    if (parent.depth >= Deepest) return;
    int64_t wanted = std::max(shown_[parent.path], Page);
    Result<std::vector<ValueRow>> rows = childrenOf(d, parent.row.children, 0, wanted);
    if (!rows) {
        ValueRow problem;
        problem.value = rows.error();
        return add(d, std::move(problem), parent.depth + 1, parent.path + "\n!", false);
    }
    Node at = parent; // what is added may move the parent
    std::map<std::string, int> seen;
    auto count = static_cast<int64_t>(rows->size());
    for (ValueRow& row : *rows) {
        int twin = seen[row.name]++;
        std::string path = at.path + "\n" + row.name + (twin > 0 ? "\n" + std::to_string(twin) : "");
        add(d, std::move(row), at.depth + 1, path, false);
    }
    if (at.row.childCount <= count || count < wanted) return;
    Node more;
    more.depth = at.depth + 1;
    more.path = at.path;
    more.more = at.row.childCount - count;
    nodes_.push_back(std::move(more));
}

void ValuesPane::add(Debuggee& d, ValueRow row, size_t depth, const std::string& path, bool isScope) {
    if (nodes_.size() >= MostRows) return;
    bool isOpenAtFirst = isScope && row.name != "Globals" && row.name != "Registers";
    Node node{std::move(row), depth, path, false, isScope, 0};
    node.isOpen = node.row.children > 0 && isOpenAtFirst != (toggled_.count(path) > 0);
    values_[path] = node.row.value;
    nodes_.push_back(node);
    if (node.isOpen) addChildren(d, node);
}

void ValuesPane::refresh(Debuggee& d) {
    nodes_.clear();
    if (d.state != State::Stopped) return;
    if (stop_ != d.stops) before_ = std::move(values_);
    stop_ = d.stops;
    values_.clear();
    for (const std::string& expression : expressions_) {
        Result<ValueRow> value = evaluate(d, expression, "watch");
        ValueRow row;
        if (value) row = std::move(*value);
        else row.value = "! " + value.error();
        row.name = expression;
        add(d, std::move(row), 0, "= " + expression, false);
    }
    for (ValueRow& scope : scopesOf(d)) {
        if (scope.name == "Registers") continue; // a view of their own
        std::string path = scope.name;
        add(d, std::move(scope), 0, path, true);
    }
}

Line ValuesPane::line(Debuggee&, size_t row) {
    const Node& n = nodes_[row];
    std::string indent(n.depth * 2, ' ');
    if (n.more > 0) return {{indent + "  … " + std::to_string(n.more) + " more", Style::Dim}};
    std::string mark = n.row.children == 0 ? "  " : n.isOpen ? "▾ " : "▸ ";
    if (n.isScope) return {{mark + printable(n.row.name), Style::Dim}};
    auto old = before_.find(n.path);
    bool isSame = old == before_.end() || old->second == n.row.value;
    return {{indent + mark, Style::Dim},
            {printable(n.row.name), Style::Bold},
            {n.row.name.empty() ? "" : " = ", Style::Dim},
            {printable(n.row.value), isSame ? Style::Plain : Style::Changed}};
}

std::string ValuesPane::act(Debuggee& d, size_t row, int) {
    if (row >= nodes_.size()) return "";
    const Node& n = nodes_[row];
    if (n.more > 0) {
        shown_[n.path] = std::max(shown_[n.path], Page) * 2;
    } else if (n.row.children > 0) {
        if (!toggled_.erase(n.path)) toggled_.insert(n.path);
    } else {
        return "";
    }
    ++d.changes;
    return "";
}

bool ValuesPane::removeExpression(size_t row) {
    if (row >= nodes_.size()) return false;
    const Node& n = nodes_[row];
    for (size_t i = 0; i < expressions_.size(); ++i) {
        if (n.depth != 0 || n.path != "= " + expressions_[i]) continue;
        expressions_.erase(expressions_.begin() + static_cast<long>(i));
        return true;
    }
    return false;
}

} // namespace sx::terminal
