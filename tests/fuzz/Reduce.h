// Cuts a program down that the machines do not agree on.
#pragma once

#include "Machines.h"

namespace fuzz {

/// The smallest program found, by leaving out statements and by putting blocks in the place of what holds them, that
/// still gives the same verdict. Stops after about `seconds`.
Program reduce(Program program, const Verdict& verdict, Machines& machines, int seconds);

} // namespace fuzz
