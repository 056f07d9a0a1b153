// Columns that the writer lined up in adjacent lines.
#pragma once

#include "format/Pieces.h"

namespace sx::format {

/// The pieces of one line of the result, `begin` to `end` (exclusive).
struct Line {
    uint32_t begin = 0;
    uint32_t end = 0;
};

/// Gives back to tables what the rules for blanks took from them. Pieces of adjacent lines that began in one column,
/// at least one of them behind two blanks or more, are put into one column again: behind the longest text, at the
/// distance that was kept there. So are comments behind code; a single one keeps its distance.
///
/// A group keeps its column when it is formatted again: its longest line is at the least distance already, and the
/// same holds for two groups that happen to meet in one column.
void alignColumns(Pieces&, const std::vector<Line>&);

} // namespace sx::format
