// How deep and how long a program may be before the parser refuses it. Every stage after the parser may
// recurse over the tree: these limits are what keeps it from running out of stack.
#pragma once

#include <cstdint>

namespace sx {

/// Levels of nesting that need recursion in the parser: brackets, blocks, prefix operators, types.
constexpr uint32_t maxNesting = 256;

/// Height of the tree of one statement. Long flat chains (`a + b + …`, `a.b().c()…`, `else if …`) are parsed
/// in a loop but are as high as they are long.
constexpr uint32_t maxTreeHeight = 2000;

/// Syntax errors reported in one file before the parser gives up on it.
constexpr uint32_t maxSyntaxErrors = 50;

} // namespace sx
