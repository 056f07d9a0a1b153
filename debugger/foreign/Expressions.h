// Expressions over values of programs in other languages: paths (`a.b[1]`, `p.*`), comparisons and arithmetic of
// numbers. They are read by the parser of sx, and evaluated over the tree.
#pragma once

#include "debugger/foreign/ForeignValues.h"

namespace sx::debugger {

/// What names stand for. Nothing where there is no such variable.
using ForeignScope = std::function<std::optional<Datum>(const std::string& name)>;

class ForeignExpressions {
public:
    /// All must outlive this.
    ForeignExpressions(ForeignTypes& types, const ForeignValues& values, ForeignScope scope)
        : types_(types), values_(values), scope_(std::move(scope)) {}

    /// The value of an expression, as a place where it has one.
    Result<Datum> evaluate(const std::string& text) const;
    /// What is wrong with an expression before there are values: its form, or a name that is none. Empty: nothing.
    std::string problem(const std::string& text) const;
    /// The bytes that a place of a type has after the value was assigned to it.
    Result<std::vector<uint8_t>> converted(const Datum& value, TypeId type) const;
    /// Whether a value counts as true.
    Result<bool> isTrue(const Datum& value) const;

private:
    ForeignTypes& types_;
    const ForeignValues& values_;
    ForeignScope scope_;
};

} // namespace sx::debugger
