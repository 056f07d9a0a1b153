// Puts cases together to programs.
#pragma once

#include "Program.h"

#include <cstdint>

namespace fuzz {

/// Program number `index` of a seed: its cases one after the other, each with the errors that leave it shown. One in
/// three ends in an error that leaves main, one in eight in a run-time failure.
Program assemble(uint64_t seed, uint64_t index, int cases);

/// The text with a few tokens exchanged, left out or doubled: hardly ever a program, but not far from one.
std::string mutate(const std::string& text, uint64_t seed);

} // namespace fuzz
