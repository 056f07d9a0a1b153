// What a program needs of C and of other programs: the symbols that code which it reaches names, called or not. Which
// these are does not depend on what an optimiser leaves of that code, so a program is refused or taken the same however
// it is run or built.
#pragma once

#include "ir/Ir.h"

namespace sx::ir {

struct NeededSymbol {
    std::string symbol;
    Span declaration; ///< the first one of it that is reached; not valid for what the compiler itself declares
};
/// Those that the module does not define itself, each once, in the order of their names. Call after markReachable().
std::vector<NeededSymbol> neededSymbols(const Module&);

} // namespace sx::ir
