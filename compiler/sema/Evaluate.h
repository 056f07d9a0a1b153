// Running code while compiling.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// Why an evaluation failed, and where in the evaluated code.
struct EvaluationFailure {
    std::string reason;
    Span at;
};

/// Constants and `#run` print once the program is known to be right, in the order of modules-and-comptime 6.1; the
/// texts and types that checking itself needs, at once.
enum class Output : uint8_t { AtOnce, Held };

/// A typed constant of a number type takes no `bool` (types.md 16.1). False: reported.
bool checkConstantKind(Sema&, const ast::Expr*, TypeId, Scope*, uint32_t limit, SourceFile*);
/// "the constant `N`", for messages about its evaluation.
std::string currentConstant(const Sema&);
/// Evaluates all `NAME :: #run`.
void runConstants(Sema&);
/// Evaluates all `#run` statements.
void runStatements(Sema&);
/// Runs a function without parameters and gives its result as a constant; nullopt: it failed, which is reported, or put
/// into `failure` where that is given. `what` names what is evaluated.
std::optional<ConstValue> evaluate(Sema&, ir::FuncId f, TypeId result, const std::string& what, Output,
                                   EvaluationFailure* failure = nullptr);
/// The failure of an evaluation that a type stands or falls with: an error at the code that builds it.
void reportFailure(Sema&, Span at, const std::string& what, const EvaluationFailure&);
void writeHeldOutput(Sema&, llvm::ArrayRef<SourceFile*> order);

} // namespace sx::sema
