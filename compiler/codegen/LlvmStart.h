// The constructors of LLVM's code generation and of lld, which most commands do without.
#pragma once

namespace sx {

/// Has to be called before anything of LLVM but its support library and its containers is used; every entry to this
/// folder does. Runs the constructors that compiler/driver/llvm_start.ld has set aside, and asks for the pages of the
/// code. The first call does it, others wait for it. In executables that are linked without the script it does nothing.
void startLlvm();

} // namespace sx
