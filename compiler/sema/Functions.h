// Functions: templates, instances, signatures, and when bodies are lowered.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// Rejects `-> $T` that no parameter mentions, in all functions and methods.
void checkGenericResults(Sema&);
FunctionTemplate* newTemplate(Sema&, const ast::FunctionDecl&, SourceFile&, Scope* env, std::string qualifiedName,
                              TypeId owner);
/// The instance for these bindings: creates it and resolves its signature (not its body).
FunctionInstance* instance(Sema&, FunctionTemplate&, Bindings = {}, Span at = {});
/// The IR function of an instance; queues the body for lowering.
ir::FuncId funcFor(Sema&, FunctionInstance&);
/// Lowers the body now if that has not begun (inferred result types, comptime evaluation).
bool ensureLowered(Sema&, FunctionInstance&);
/// Result type; lowers the body first if it is inferred. None after a report.
TypeId resultOf(Sema&, FunctionInstance&, Span at);
void drainWorklist(Sema&);
/// For the evaluator.
bool materialize(Sema&, ir::FuncId);
/// Signature with the hidden operands made explicit: [context], [environment], params.
TypeId machineType(Sema&, TypeId functionType, bool closureEnv);
ir::FuncId newFunction(Sema&, std::string name, std::string symbolHint);
std::string uniqueSymbol(Sema&, const std::string& hint);

/// Intrinsics that may be called without any declaration in sight (generics.md 9, library.md 5).
bool isIntrinsicName(std::string_view);
/// The intrinsics that need no declaration, but for the atomic ones.
std::vector<std::string_view> intrinsicNames();

/// The C function of this symbol that compiled code calls by itself; declared once.
ir::FuncId runtimeFunction(Sema&, llvm::StringRef symbol, TypeId result, llvm::ArrayRef<TypeId> params, bool noReturn);
/// The function called `name` that the compiler makes, built once: `build` gets a builder at its empty entry block.
ir::FuncId helperFunction(Sema&, const char* name, llvm::ArrayRef<TypeId> params, TypeId result,
                          void (*build)(ir::Builder&));

} // namespace sx::sema
