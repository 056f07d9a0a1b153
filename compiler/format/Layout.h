// Decides the white space of a text.
#pragma once

#include "format/Alignment.h"

namespace sx::format {

/// Sets `newlines` and `blanks` of every piece: blanks between tokens, long lines, indentation, columns of tables.
void layOut(Pieces&);

} // namespace sx::format
