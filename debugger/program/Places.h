// From what a person means by a place (a line, a column, the name of a function) to places where statements begin.
#pragma once

#include "debugger/program/Program.h"

namespace sx::debugger {

/// Where a breakpoint goes, or why it goes nowhere.
struct Resolved {
    std::vector<CodePoint> points; ///< one an instance of the function; empty: `why`
    SourcePos at{};                ///< the beginning of the statement
    std::string why{};             ///< for the user
    bool isPending = false;        ///< the program may load code that it means
};

class Places {
public:
    /// `program` has been checked.
    explicit Places(const Program&);

    /// The first statement at or after a line (and a column, if it is not 0), within the function that the line
    /// belongs to. Both are 1-based, columns count bytes.
    Resolved atLine(FileId, uint32_t line, uint32_t column = 0) const;
    /// A function by its name as traces have it: `parse`, `Parser.next`, `max` (all instances), `max(i64)`,
    /// `main.lambda`. A method is also found by its own name alone if nothing else has it, a function of a file that is
    /// imported under a name also by that: `util.parse`.
    Resolved ofFunction(const std::string& name) const;
    /// Beginnings of statements in a range of lines, in order.
    std::vector<SourcePos> inLines(FileId, uint32_t firstLine, uint32_t lastLine) const;
    /// All places where the statement at a position begins.
    std::vector<CodePoint> at(SourcePos) const;
    /// The program has no function of the file.
    bool isEmpty(FileId file) const { return functionsOf(file).empty(); }

private:
    struct Entry {
        SourcePos begin;
        CodePoint point;
    };
    const std::vector<FunctionSpan>& functionsOf(FileId) const;
    const FunctionSpan* innermost(FileId, SourcePos) const;
    const FunctionSpan* functionOfLine(FileId, uint32_t line) const;
    Resolved within(const FunctionSpan&, FileId, uint32_t line, uint32_t column) const;
    llvm::ArrayRef<Entry> between(SourcePos begin, SourcePos end) const;

    const Program& program_;
    std::vector<Entry> all_; ///< breakable ones, by position
    mutable std::map<FileId, std::vector<FunctionSpan>> functions_;
};

} // namespace sx::debugger
