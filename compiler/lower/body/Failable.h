// An expression that may fail, lowered.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

struct Failable {
    bool isFresh = false;  ///< a chain is in flight if it fails; else an error value that was there before
    bool failable = false; ///< false: an ordinary value (`whole`), or an error was reported
    Value whole;
    ValueId tag = ValueId::None; ///< the u32 error id, 0 for success
    TypeId set{};                ///< named set, or InferredErrors
    ErrorNode* errors = nullptr; ///< where the tags of an inferred set come from
};

} // namespace sx::lower
