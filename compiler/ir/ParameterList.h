// The values of parameters in traces (`--trace-values`): what a failing path does so that the runtime can show them.
//
// For each function a constant lists the parameters that are shown, their names and types (sx_parameters in
// runtime/program/values.h). On the failing path TraceValues hands it to the runtime with a word for each: the value of
// a scalar, so that its slot can still be promoted, and the address of anything else.
#pragma once

#include "ir/Builder.h"

namespace sx::ir {

/// Byte offsets of a list of parameters.
namespace parameters {
constexpr uint64_t Count = 0;      ///< i64
constexpr uint64_t ErrorNames = 8; ///< address of the module's table
constexpr uint64_t Items = 16;
/// Of one parameter.
constexpr uint64_t NamePtr = 0, Type = 16, InMemory = 24, ItemBytes = 32;
} // namespace parameters

/// What one function has for this, once a failing path of it needed it.
struct ParameterList {
    bool isMade = false;
    std::vector<SlotId> shown; ///< the slots of the parameters, in order
    GlobalId list = GlobalId::None;
};

/// Records what the parameters of the builder's function hold, for the newest frame of the trace. Those whose name
/// begins with `_` are left out. The parameters are in their slots already.
void recordParameters(Builder&, ParameterList&);

} // namespace sx::ir
