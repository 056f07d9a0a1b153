#include "format/Layout.h"

#include "format/LongLines.h"
#include "format/Nesting.h"
#include "format/Spacing.h"

#include <algorithm>
#include <set>

namespace sx::format {
namespace {

/// The blanks of a piece that does not begin a line.
uint32_t blanksWithin(const Pieces& p, uint32_t i) { return p[i].isComment || blankBefore(p, i) ? 1 : 0; }

/// Where lines end: what is left of a long one is not searched again for each piece that is cut off.
class LineEnds {
public:
    explicit LineEnds(const Pieces& pieces) : p_(pieces) {}

    /// Of the line at `begin`, which is not before the last one that was asked for.
    uint32_t of(uint32_t begin) {
        if (written_ <= begin) {
            written_ = begin + 1;
            while (written_ < p_.size() && p_[written_].newlines == 0) ++written_;
        }
        begun.erase(begun.begin(), begun.upper_bound(begin));
        return begun.empty() ? written_ : std::min(written_, *begun.begin());
    }

    std::set<uint32_t> begun; ///< lines that the formatter has begun, behind those that were asked for

private:
    const Pieces& p_;
    uint32_t written_ = 0; ///< the next line that begins in the text
};

} // namespace

void layOut(Pieces& pieces) {
    const auto count = static_cast<uint32_t>(pieces.size());
    for (uint32_t i = 1; i < count; ++i) pieces[i].blanks = pieces[i].newlines == 0 ? blanksWithin(pieces, i) : 0;
    Nesting nesting(pieces);
    std::vector<Line> lines;
    LineEnds ends(pieces);
    for (uint32_t begin = 0; begin < count;) {
        const uint32_t indent = nesting.indentOf(begin);
        uint32_t end = ends.of(begin);
        while (breakLine(pieces, begin, end, indent, ends.begun)) end = ends.of(begin);
        pieces[begin].blanks = indent;
        for (uint32_t i = begin; i < end; ++i) nesting.pass(i, indent);
        lines.push_back({begin, end});
        begin = end;
    }
    alignColumns(pieces, lines);
}

} // namespace sx::format
