#include "format/Layout.h"

#include "format/LongLines.h"
#include "format/Nesting.h"
#include "format/Spacing.h"

namespace sx::format {
namespace {

/// The blanks of a piece that does not begin a line.
uint32_t blanksWithin(const Pieces& p, uint32_t i) { return p[i].isComment || blankBefore(p, i) ? 1 : 0; }

uint32_t lineEnd(const Pieces& p, uint32_t begin) {
    uint32_t end = begin + 1;
    while (end < p.size() && p[end].newlines == 0) ++end;
    return end;
}

} // namespace

void layOut(Pieces& pieces) {
    const auto count = static_cast<uint32_t>(pieces.size());
    for (uint32_t i = 1; i < count; ++i) pieces[i].blanks = pieces[i].newlines == 0 ? blanksWithin(pieces, i) : 0;
    Nesting nesting(pieces);
    std::vector<Line> lines;
    for (uint32_t begin = 0; begin < count;) {
        const uint32_t indent = nesting.indentOf(begin);
        uint32_t end = lineEnd(pieces, begin);
        while (breakLine(pieces, begin, end, indent)) end = lineEnd(pieces, begin);
        pieces[begin].blanks = indent;
        for (uint32_t i = begin; i < end; ++i) nesting.pass(i, indent);
        lines.push_back({begin, end});
        begin = end;
    }
    alignColumns(pieces, lines);
}

} // namespace sx::format
