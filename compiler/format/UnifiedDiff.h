// The difference of two texts as `diff -u` prints it.
#pragma once

#include <string>
#include <string_view>

namespace sx::format {

/// The unified difference with three lines of context, between headers `--- PATH.orig` and `+++ PATH`; empty if the
/// texts are equal. Line by line after E. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986); where more
/// than a few thousand lines differ, everything between the first and the last difference is shown as replaced.
std::string unifiedDiff(std::string_view path, std::string_view before, std::string_view after);

} // namespace sx::format
