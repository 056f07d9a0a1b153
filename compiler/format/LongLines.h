// Where a line that is too long is broken.
#pragma once

#include "format/Pieces.h"

#include <set>

namespace sx::format {

/// Begins new lines in the line of the pieces `begin` to `end` (exclusive), which is indented by `indent`, if its code
/// has more than `maxColumns` columns and may be broken; at the comment behind it nothing is done. Returns whether it
/// did, by setting `newlines`, and adds the pieces that lines begin with to `begun`; what is then the first line may
/// still be too long.
///
/// Of all places before the limit, the one with the fewest brackets around it is taken, then the one of the loosest
/// kind (blocks, then lists, operators by their level, chains of calls), then the last one (of
/// blocks the first, with the `else` that follows it). A block is unfolded as a whole. The choice depends on nothing
/// but the line, so a line that has been broken stays as it is.
bool breakLine(Pieces&, uint32_t begin, uint32_t end, uint32_t indent, std::set<uint32_t>& begun);

} // namespace sx::format
