// Where breakpoints at statements stop: in optimized code that is not always where the statement begins.
#pragma once

#include "debugger/native/engine/State.h"

namespace sx::debugger::native {

struct StopPlace {
    std::vector<uint64_t> addresses; ///< of the file; empty: nothing is left of the statement, or of what follows
    uint32_t statement = 0;          ///< that begins there, or ir::CodeMarks::None: none does
    SourcePos at;
};

StopPlace stopPlace(const Native&, const CodePoint&);
/// What MachineView::stopsAt says.
std::optional<SourcePos> stopPosition(const Native&, const CodePoint&);

} // namespace sx::debugger::native
