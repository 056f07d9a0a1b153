#include "format/Alignment.h"

#include <algorithm>

namespace sx::format {
namespace {

constexpr uint32_t none = UINT32_MAX;

struct Cell {
    uint32_t piece = 0;
    uint32_t line = 0;
    uint32_t distance = 0; ///< blanks before it in the text
    uint32_t group = none;
};

struct Group {
    uint32_t column = 0; ///< in the text
    bool isComment = false;
    std::vector<Cell> cells;
};

class Aligner {
public:
    Aligner(Pieces& pieces, const std::vector<Line>& lines) : p_(pieces), lines_(lines) {}

    void run() {
        for (uint32_t l = 0; l < lines_.size(); ++l) addLine(l);
        std::stable_sort(groups_.begin(), groups_.end(),
                         [](const Group& a, const Group& b) { return a.column < b.column; });
        for (const Group& g : groups_) place(g);
    }

private:
    void addLine(uint32_t l) {
        const Line& line = lines_[l];
        const Piece& first = p_[line.begin];
        if (first.newlines > 1) {
            above_.clear();
            commentAbove_ = none;
        }
        if (first.isComment) return follow({line.begin, l, 0, none}); // a comment of its own does not end a table
        std::vector<Cell> cells = cellsOf(l);
        if (isComparable(line)) {
            size_t a = 0;
            for (Cell& cell : cells) {
                while (a < above_.size() && column(above_[a]) < column(cell)) ++a;
                if (a < above_.size() && column(above_[a]) == column(cell)) link(above_[a], cell);
            }
        } else {
            const bool hasComment = !cells.empty() && p_[cells.back().piece].isComment;
            cells.erase(cells.begin(), cells.end() - (hasComment ? 1 : 0));
        }
        keepComment(cells);
        above_ = isComparable(line) ? std::move(cells) : std::vector<Cell>();
    }

    /// Whether the columns of a line are still those of its text, and of one line.
    bool isComparable(const Line& line) const {
        return !p_[line.begin].broken &&
               std::none_of(p_.begin() + line.begin, p_.begin() + line.end, [](const Piece& p) { return p.manyLines; });
    }

    /// A comment under the comment behind code goes on with it.
    void follow(const Cell& cell) {
        if (commentAbove_ == none || groups_[commentAbove_].column != column(cell)) commentAbove_ = none;
        else groups_[commentAbove_].cells.push_back(cell);
    }

    std::vector<Cell> cellsOf(uint32_t l) const {
        std::vector<Cell> cells;
        for (uint32_t i = lines_[l].begin + 1; i < lines_[l].end; ++i) {
            if (p_[i].blanks == 0) continue;
            const uint32_t before = p_[i - 1].endColumn();
            if (p_[i].column > before || p_[i].isComment)
                cells.push_back({i, l, p_[i].column > before ? p_[i].column - before : 1, none});
        }
        return cells;
    }

    uint32_t column(const Cell& c) const { return p_[c.piece].column; }

    void link(Cell& upper, Cell& lower) {
        const bool isComment = p_[lower.piece].isComment;
        if (isComment != p_[upper.piece].isComment) return;
        if (!isComment && upper.distance < 2 && lower.distance < 2) return;
        if (upper.group == none) upper.group = newGroup(upper);
        lower.group = upper.group;
        groups_[lower.group].cells.push_back(lower);
    }

    uint32_t newGroup(const Cell& first) {
        groups_.push_back({column(first), p_[first.piece].isComment, {first}});
        return static_cast<uint32_t>(groups_.size() - 1);
    }

    void keepComment(std::vector<Cell>& cells) {
        commentAbove_ = none;
        if (cells.empty() || !p_[cells.back().piece].isComment) return;
        if (cells.back().group == none) cells.back().group = newGroup(cells.back());
        commentAbove_ = cells.back().group;
    }

    /// The column behind the piece before the cell, as laid out so far.
    uint32_t endBefore(const Cell& c) const {
        uint32_t end = 0;
        for (uint32_t i = lines_[c.line].begin; i < c.piece; ++i)
            end = p_[i].manyLines ? p_[i].lastWidth : end + p_[i].blanks + p_[i].width;
        return end;
    }

    bool followsComment(const Cell& c) const { return c.piece == lines_[c.line].begin; }

    /// The columns from the cell to the end of its code.
    uint32_t widthFrom(const Cell& c) const {
        uint32_t width = p_[c.piece].width;
        for (uint32_t i = c.piece + 1; i < lines_[c.line].end && !p_[i].isComment; ++i)
            width += p_[i].blanks + p_[i].width;
        return width;
    }

    void place(const Group& g) {
        uint32_t end = 0, distance = none;
        for (const Cell& c : g.cells) {
            if (followsComment(c)) continue;
            end = std::max(end, endBefore(c));
            distance = std::min(distance, c.distance);
        }
        const uint32_t column = end + distance;
        if (!g.isComment)
            for (const Cell& c : g.cells)
                if (column + widthFrom(c) > maxColumns) return;
        for (const Cell& c : g.cells) p_[c.piece].blanks = column - endBefore(c);
    }

    Pieces& p_;
    const std::vector<Line>& lines_;
    std::vector<Cell> above_;      ///< of the line above
    uint32_t commentAbove_ = none; ///< the group of the comment behind the line above
    std::vector<Group> groups_;
};

} // namespace

void alignColumns(Pieces& pieces, const std::vector<Line>& lines) { Aligner(pieces, lines).run(); }

} // namespace sx::format
