// Which statements of a function have begun whenever another one begins.
#pragma once

#include "ir/Ir.h"

#include <map>
#include <tuple>

namespace sx::ir {

/// Of the functions of one module. Remembers its answers.
class StatementOrder {
public:
    /// Every way to `statement` leads through `before`, or both are one. So code that leads from the one to the other
    /// makes another round of a loop.
    bool comesAfter(FuncId, const Function&, uint32_t statement, uint32_t before);

private:
    std::map<std::tuple<FuncId, uint32_t, uint32_t>, bool> known_;
};

} // namespace sx::ir
