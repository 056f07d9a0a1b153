// What the arguments of a call are bound to.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

struct CallTarget {
    std::string name;                     ///< for messages, in backticks: "`f`"
    llvm::ArrayRef<ParamInfo> params;     ///< without the receiver of a dot-call
    FunctionInstance* instance = nullptr; ///< knows names and defaults; null: a closure, pointer or protocol method
    bool cVariadic = false;               ///< extra values are passed one by one instead of in a slice
};

} // namespace sx::lower
