// Positions of the source by line and column, as debug information has them.
#pragma once

#include "source/Source.h"

namespace sx::debugger::native {

/// The position of a 1-based line and column (0: the line's first byte that is no blank). None where there is no such
/// line.
SourcePos positionAt(const SourceManager&, FileId, uint32_t line, uint32_t column);

} // namespace sx::debugger::native
