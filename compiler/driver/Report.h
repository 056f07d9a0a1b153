// What the driver tells the user on standard error. Nothing else in the compiler prints.
#pragma once

#include "driver/CommandLine.h"
#include "ir/Ir.h"
#include "source/Diagnostics.h"

#include <string>

namespace sx::driver {

/// Statuses of commands that look at many files: some were found wrong, some could not be read or written.
constexpr int Rejected = 1, Unusable = 2;

/// A text from outside (a file's name, say) for a terminal: control characters are escaped, as `\x1b`.
std::string inOneLine(const std::string& text);
/// Prints `error: MESSAGE` in one line.
void printError(const std::string& message);
/// The same with `warning: `, unless warnings are off or count as errors. False: it was an error.
bool printWarning(const Invocation&, const std::string& message);

/// Prints what was found wrong with a program, coloured where the terminal wants it.
void printDiagnostics(const SourceManager&, const Diagnostics&, const Invocation&);

/// A linker's messages as one line: the problems joined by `; `, without the details below each (`>>> …`).
std::string linkProblem(const std::string& messages);
/// Adds an error for each undefined symbol in `problem`, a text of linkProblem(), that the program declares: it stands
/// at the declaration. Returns what is left of the text.
std::string reportUndefined(const ir::Module&, llvm::StringRef problem, Diagnostics&);

} // namespace sx::driver
