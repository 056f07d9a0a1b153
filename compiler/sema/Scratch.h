// The life of a scratch function: it is lowered, perhaps evaluated, and then emptied.
#pragma once

#include "ir/Ir.h"

namespace sx::sema {

struct ScratchGuard {
    ir::Function& fn;
    ~ScratchGuard();
};

} // namespace sx::sema
