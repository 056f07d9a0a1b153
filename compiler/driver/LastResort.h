// What an executable says where nothing else can be done.
#pragma once

namespace sx::driver {

/// From now on a process without memory, or whose code generation fails, ends with one line and the exit status of a
/// failure.
void endWhereMemoryEnds();

} // namespace sx::driver
