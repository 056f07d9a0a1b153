// What the analysis of declarations asks of the lowering of bodies, which stands in a later stage (lower/) and
// implements this.
#pragma once

#include "sema/model/Instances.h"

#include <optional>

namespace sx::sema {

class Bodies {
public:
    virtual ~Bodies() = default;

    /// Checks the body of an instance whose signature is known, and emits it into `fn`. False: errors were reported.
    virtual bool lower(FunctionInstance&, ir::Function& fn) = 0;

    /// The constant value of an expression at module level or in a type. nullopt: it does not fold, which was reported.
    /// Evaluates through a scratch function, with the compile-time evaluator where needed. `limit`: of the entries in
    /// `scope` that count. `isRun`: it stands after `#run`.
    virtual std::optional<Value> evaluateConstant(const ast::Expr*, TypeId target, Scope* scope, uint32_t limit,
                                                  SourceFile*, bool isRun) = 0;

    /// A compile-time integer (array dimension, generic count, inline bound); an integral float is accepted.
    virtual std::optional<__int128> evaluateCount(const ast::Expr*, Scope* scope, uint32_t limit, SourceFile*) = 0;

    /// The innermost scope of a body that is being lowered.
    virtual Scope* scopeOf(const lower::Body&) const = 0;

    /// What an expression in type position inside a body yields: a type, or a value that is none. Error after a report.
    virtual Value typeValue(lower::Body&, const ast::Expr*) = 0;

    /// Emits the C `main` around the program's one: default context, exit codes, unhandled errors.
    virtual void buildEntry() = 0;
};

} // namespace sx::sema
