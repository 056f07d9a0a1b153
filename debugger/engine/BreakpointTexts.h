// What the texts of a breakpoint mean: hit conditions and log messages.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sx::debugger {

/// `5`, `== 5`, `>= 5`, `> 5`, `% 5`.
struct HitCondition {
    enum class Kind : uint8_t { Equal, AtLeast, More, Multiple } kind{};
    uint64_t number = 0;

    /// Of the `hits`th hit, from 1.
    bool holds(uint64_t hits) const;
    friend bool operator==(const HitCondition&, const HitCondition&) = default;
};

/// nullopt: it is none of these forms.
std::optional<HitCondition> parseHitCondition(llvm::StringRef);

/// A log message in pieces: texts, and between them expressions, which stand in braces. `{{` and `}}` are
/// braces.
struct LogPiece {
    bool isExpression = false;
    std::string text;
};
std::vector<LogPiece> parseLogMessage(llvm::StringRef);

} // namespace sx::debugger
