// Which functions of a file are tests.
#pragma once

#include "source/Names.h"
#include "syntax/Ast.h"

#include <vector>

namespace sx {

struct TestFunctions {
    std::vector<const ast::FunctionDecl*> tests;
    std::vector<const ast::FunctionDecl*> withValue; ///< called like tests, but they yield a value
};

/// The tests of a file, in its order: functions at module scope whose names begin with `test_`, that take no parameters
/// and yield nothing, or nothing but an error.
TestFunctions testsOf(const ast::File&, const NameTable&);

} // namespace sx
