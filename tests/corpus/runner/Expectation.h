// What a golden program is expected to do, read from comments beside the lines that cause it, or from whole files.
//
//   // expect: text              a line of standard output; all of them, in order, are the whole output
//   // expect-exit: N            exit status (0)
//   // expect-error: COL: text   `sx check` reports an error on this line at byte column COL that contains text;
//                                `expect-error@LINE:COL: text` names another line. All errors must be listed.
//   // expect-warning: COL: text  `sx` warns there; all warnings must be listed, `expect-warning@LINE:COL: text` as
//   above
//   // expect-note: text         some note of the program's diagnostics contains the text; all that are listed must
//   occur, more may
//   // expect-help: text         the same for helps
//   // expect-trace: f:L:C       a frame; all of them, in order, are the trace on standard error
//   // expect-panic: COL: text   the program stops here with `panic: text at FILE:LINE:COL`, exit status 134
//   // expect-stderr: text       standard error contains this line
//   // args: a b                 arguments of the program
//   // options: --trace-values   options of the compiler, on every machine
//   // machines: run O0 O1       where it runs (default: those the runner was told)
//
// Beside NAME.sx, NAME.out, NAME.err and NAME.exit are compared byte for byte where they exist.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace corpus {

struct DiagnosticAt {
    int line = 0, col = 0;
    std::string text;
};

struct Expectation {
    std::optional<std::string> out, err; ///< whole text
    std::optional<int> exit;
    std::vector<DiagnosticAt> errors, warnings;
    std::vector<std::string> notes, helps;
    std::vector<std::string> trace; ///< "func:line:col"
    std::optional<DiagnosticAt> panic;
    std::vector<std::string> stderrLines;
    std::vector<std::string> args, options;
    std::vector<std::string> machines; ///< empty: those the runner was told
    bool rejected() const { return !errors.empty(); }
};

/// Reads the expectations of the program at `path` (ending in .sx).
Expectation readExpectation(const std::string& path);
/// The whole file, or nullopt.
std::optional<std::string> readFile(const std::string& path);

} // namespace corpus
