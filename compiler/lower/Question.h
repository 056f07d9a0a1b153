// Questions about a program that was checked: what an expression at some place is.
//
// Editors and debuggers ask. The expression is lowered like any other, into a function that is thrown away, and what
// this makes in the module is undone, so that the program can be run, emitted and asked again.
#pragma once

#include "sema/Sema.h"

#include <string>
#include <string_view>
#include <vector>

namespace sx::lower {

/// What an expression is. Types stay known to the type table.
struct Answer {
    sema::Value value;    ///< its kind tells values, types, functions and modules apart; it cannot be used in code
    TypeId type{};        ///< of the value; of a function its function type; None: it has none, or `errors` say why
    std::string typeText; ///< as a program writes it
    /// In the order of reporting. Positions in the text of a question are positions of a file of its own, which the
    /// SourceManager keeps.
    std::vector<Diagnostic> errors;
};

/// What the expression `e` is where it is read at `at`, a position in a body, or outside of all bodies in a file of the
/// program. Variables are those that code at `at` sees. `instance` tells which instance of a generic body is meant;
/// null: any. `Options::keepScopes` has to be set. `analyze` has to have succeeded, or failed in bodies only: after
/// errors in declarations an answer may say less.
Answer typeOf(sema::Sema&, const ast::Expr& e, SourcePos at, sema::FunctionInstance* instance = nullptr);

/// The same at a place in a body.
Answer typeOf(sema::Sema&, std::string_view text, const sema::CodePlace&);

/// The same for an expression in text. One text takes room once, however often it is asked.
Answer typeOf(sema::Sema&, std::string_view text, SourcePos at, sema::FunctionInstance* instance = nullptr);

} // namespace sx::lower
