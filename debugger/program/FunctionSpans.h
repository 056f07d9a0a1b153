// Which pieces of a file are functions, reached by the program or not.
#pragma once

#include "syntax/Ast.h"

#include <vector>

namespace sx::debugger {

/// A function, method or lambda as it is written.
struct FunctionSpan {
    Span whole; ///< from its name or parameters to the end of its body
    Span body;
};

/// All of a file that have a body, outer ones before those in them.
std::vector<FunctionSpan> functionSpans(const ast::File&);

} // namespace sx::debugger
