// What the answer to a question about the program has made, so that it can be undone (lower/Question.h).
#pragma once

#include "sema/model/Symbols.h"
#include "source/Diagnostics.h"

#include <utility>
#include <vector>

namespace sx::sema {

/// An expression in text that was asked about.
struct AskedText {
    const ast::Expr* tree = nullptr; ///< null: it is none
    std::vector<Diagnostic> errors;  ///< then why
};

struct Journal {
    std::vector<FunctionInstance*> instances;         ///< those that got an IR function
    std::vector<std::pair<Symbol*, Symbol>> resolved; ///< declarations, with what they were before
    bool evaluated = false;                           ///< code was run
};

} // namespace sx::sema
