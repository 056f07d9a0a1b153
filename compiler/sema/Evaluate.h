// Running code while compiling.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// Why an evaluation failed, and where in the evaluated code.
struct Failure {
    std::string reason;
    Span at;
};

/// Constants and `#run` print once the program is known to be right, in the order of modules-and-comptime 6.1; the
/// texts and types that checking itself needs, at once.
enum class Output : uint8_t { AtOnce, Held };

/// The constant value of an expression at module level or in a type: reports and returns nullopt if it does
/// not fold. Evaluates through a scratch function, with the comptime evaluator where needed.
/// A typed constant of a number type takes no `bool` (types.md 16.1). False: reported.
bool checkConstantKind(Sema&, const ast::Expr*, TypeId, Scope*, uint32_t limit, SourceFile*);
/// "the constant `N`", for messages about its evaluation.
std::string currentConstant(const Sema&);
/// Evaluates all `NAME :: #run`.
void runConstants(Sema&);
/// Evaluates all `#run` statements.
void runStatements(Sema&);
std::optional<ConstValue> evaluate(Sema&, ir::FuncId f, TypeId result, const std::string& what, Output,
                                   Failure* failure = nullptr);
/// The failure of an evaluation that a type stands or falls with: an error at the code that builds it.
void reportFailure(Sema&, Span at, const std::string& what, const Failure&);
void writeHeldOutput(Sema&, llvm::ArrayRef<SourceFile*> order);

} // namespace sx::sema
