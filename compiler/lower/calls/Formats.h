// Slips with format texts. A format is a parameter `$fmt: string` that a pack of values follows, as `print` has it.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Whether parameter `index` of a function is a format.
bool isFormat(const Sema&, const FunctionTemplate&, size_t index);
/// Rejects a format that names something without a value while compiling. False: it names no such thing.
bool rejectRunTimeFormat(Body&, const FunctionTemplate&, const ast::Call&, const ast::Expr* format);
/// Adds to the errors after the first `before` diagnostics how `value`, given in place of a format, is printed.
void suggestFormat(Body&, size_t before, const ast::Call&, const ast::Expr* value);
/// The statements that `print` and its like insert for a format: they leave its text in a local `__sx_text`, from
/// `fmt`, the format, and `args`, its values. `add_pieces` of the library (std/fmt.sx) writes the same for those who
/// build such text themselves.
std::string textOfFormat(llvm::StringRef format);
/// Rejects text of that kind where a name in it, `fmt` or `args`, stands for something else or nothing.
bool rejectFormatText(Body&, const ast::InsertStmt&, llvm::StringRef text);
/// Warns of what a format of the library prints as it stands, `{:5}` or `{name}`, and of values that it does not show.
void warnOfFormat(Body&, const FunctionTemplate& callee, const ast::Expr* format, llvm::StringRef text,
                  llvm::ArrayRef<Span> values);

} // namespace sx::lower
