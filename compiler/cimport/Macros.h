// Macros of C headers that are constants.
#pragma once

#include "cimport/Clang.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sx::cimport {

/// What the macros of a parsed unit come to.
struct MacroTexts {
    std::map<std::string, std::string> values;  ///< by name: the constant as the language writes it
    std::map<std::string, std::string> reasons; ///< by name: why there is none
};

/// The macros that `unit` defines, those of the system's headers only where `system` says so, and of `given`, which the
/// options define, those that a header would define otherwise. `parse` makes a unit of the same headers with further
/// text behind them; null if that cannot be.
MacroTexts readMacros(CXTranslationUnit unit, bool system, const std::set<std::string>& given,
                      const std::function<CXTranslationUnit(const std::string& more)>& parse);

/// The value of a scalar that is constant, as the language writes it; "" where there is none.
std::string constantOf(CXCursor variable);

} // namespace sx::cimport
