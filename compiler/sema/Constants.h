// Constants: which expressions are constant, and constant data.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// Whether an expression is made of literals, constants and the like only (types.md 17.2). `forGlobal`: fields of
/// struct constants are none.
bool isConstantExpression(Sema&, const ast::Expr*, Scope*, uint32_t limit, SourceFile*, bool forGlobal = false);
/// Writes the bytes and relocations of a constant at `offset` of `out`, which grows as needed.
bool writeConstant(Sema&, const ConstValue&, TypeId, ir::ConstData& out, uint64_t offset);
/// Reads a part of constant data back.
ConstValue readConstant(Sema&, const ir::ConstData&, uint64_t offset, TypeId);
/// The global that holds a text and a zero byte after it, one for each text.
ir::GlobalId stringGlobal(Sema&, llvm::StringRef);
ir::GlobalId constGlobal(Sema&, TypeId, const ir::ConstData&, std::string name, Span declared = {});
/// Tells the module of the scalar constants that were asked for, which leave nothing else in it.
void listConstants(Sema&);

/// The variants of `OS` and `ARCH`, as the library declares them: known also to programs that do not load it.
inline constexpr std::string_view operatingSystems[] = {"macos", "linux",   "windows", "wasm",
                                                        "ios",   "android", "unknown"};
inline constexpr std::string_view architectures[] = {"aarch64", "x86_64", "wasm32", "wasm64", "unknown"};

} // namespace sx::sema
