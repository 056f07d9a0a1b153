// `longjmp` of C code: one that leaves a call of the console for a call that the program has under way is refused.
#pragma once

namespace sx::debugger {

/// From now on the jumps of C code in this process are looked at.
void watchLongJumps();

} // namespace sx::debugger
