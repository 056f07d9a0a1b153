// What the analysis of declarations asks of the lowering of bodies, which stands in a later stage (lower/) and
// implements this.
#pragma once

#include "sema/Symbols.h"

#include <optional>

namespace sx::sema {

class Bodies {
public:
    virtual ~Bodies() = default;

    /// Checks the body of an instance whose signature is known, and emits it into `fn`. False: errors were reported.
    virtual bool lower(FunctionInstance&, ir::Function& fn) = 0;

    /// The innermost scope of a body that is being lowered.
    virtual Scope* scopeOf(const lower::Body&) const = 0;

    /// What an expression in type position inside a body yields: a type, or a value that is none. Error after a report.
    virtual Value typeValue(lower::Body&, const ast::Expr*) = 0;
};

} // namespace sx::sema
