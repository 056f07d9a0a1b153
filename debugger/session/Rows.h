// Variables as the protocol's lists have them.
#pragma once

#include "debugger/session/Session.h"

namespace sx::debugger {

/// How values are shown, and in which frame: expressions that its children are given have the frame's names.
struct RowOptions : ShowOptions {
    uint32_t frameId = 0; ///< 0: none
};

/// How the client wants values: `format` of a request.
RowOptions showOptions(Arguments&);

/// A value and what is to be told of it; `id`: of the heap object that it refers to, which its text ends in.
struct ShownValue {
    Row row;
    std::optional<uint64_t> id;
};
ShownValue shownValue(Session&, const Datum&, const RowOptions&);
/// A row of `variables`. `expression`: an sx expression for the value, or empty.
llvm::json::Object rowOf(Session&, const std::string& name, const Datum&, const std::string& expression, RowOptions);
/// A row without a value of the program: a register, a line of a trace.
llvm::json::Object plainRow(const std::string& name, const std::string& value, const std::string& type = "");

/// The fields that `variables`, `evaluate` and `setVariable` have in common: the text under `valueKey`, type, children.
void describeValue(Session&, llvm::json::Object&, const char* valueKey, const Datum&, const std::string& expression,
                   RowOptions);

} // namespace sx::debugger
