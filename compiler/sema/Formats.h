// Slips with format texts. A format is a parameter `$fmt: string` that a pack of values follows, as `print` has it.
#pragma once

#include "sema/Lowering.h"

namespace sx::sema {

/// Whether parameter `index` of a function is a format.
bool isFormat(const Sema&, const FunctionTemplate&, size_t index);
/// Rejects a format that names something without a value while compiling. False: it names no such thing.
bool rejectRunTimeFormat(FunctionLowering&, const FunctionTemplate&, const ast::Call&, const ast::Expr* format);
/// Adds to the errors after the first `before` diagnostics how `value`, given in place of a format, is printed.
void suggestFormat(FunctionLowering&, size_t before, const ast::Call&, const ast::Expr* value);
/// Warns of what a format of the library prints as it stands, `{:5}` or `{name}`, and of values that it does not show.
void warnOfFormat(FunctionLowering&, const FunctionTemplate& callee, const ast::Expr* format, llvm::StringRef text,
                  llvm::ArrayRef<Span> values);
/// What is wrong where inserted text asks for an element that the pack of values does not have; "" if the code comes
/// from no format.
std::string missingValue(FunctionLowering&, uint64_t index, uint64_t count);

} // namespace sx::sema
