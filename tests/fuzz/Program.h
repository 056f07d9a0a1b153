// A generated program as a tree of statements: what can be printed, and cut down one statement at a time.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace fuzz {

/// The texts of all arguments, one after the other.
template <class... Parts> std::string cat(const Parts&... parts) {
    std::ostringstream text;
    (text << ... << parts);
    return text.str();
}

struct Stmt;
using Block = std::vector<Stmt>;

/// What opens a block, and the block: `if c {`, `} else {`, `} case .a: {`.
struct Part {
    std::string open;
    Block body;
};

/// A statement or a declaration: one line, or the lines of its parts and what closes the last one.
struct Stmt {
    std::vector<Part> parts;
    std::string close;

    Stmt(std::string line) : close(std::move(line)) {}
    Stmt(const char* line) : close(line) {}
    Stmt(std::string open, Block body, std::string end = "}") : close(std::move(end)) {
        parts.push_back({std::move(open), std::move(body)});
    }
    Stmt(std::vector<Part> all, std::string end) : parts(std::move(all)), close(std::move(end)) {}
};

/// How a program may end, which decides on which machines it means the same.
enum class Ending {
    Normal,    ///< exit status 0, or an error that leaves main
    Checked,   ///< a failure that every level checks
    Unchecked, ///< a failure that optimised builds need not check
};

struct Program {
    Block items;
    Ending ending = Ending::Normal;

    std::string text() const;
};

/// How many statements a block holds, nested ones included.
size_t countStatements(const Block& block);

} // namespace fuzz
