// Parsing of small texts in tests.
#pragma once

#include "syntax/Parser.h"

#include <string>
#include <vector>

namespace sx::test {

/// One parsed text. `tree` is the dump on one line without spans: `Kind details(child, label: child)`.
struct Parsed {
    explicit Parsed(std::string text);

    std::string tree() const;
    /// The dump as it is, with spans.
    std::string dump() const;
    std::string rendered() const { return renderDiagnostics(sources, diags, {}); }
    /// "line:col" of every error, separated by blanks.
    std::string positions() const;
    /// Text that the node covers.
    std::string_view textOf(Span span) const { return sources.textOf(span); }
    bool helpContains(std::string_view text) const;

    SourceManager sources;
    FileId file{};
    AstContext context;
    Diagnostics diags;
    ast::File ast;
};

/// The tree of an expression, type, statement list or item; "error: …" if it does not parse.
std::string exprTree(const std::string& expr);
std::string typeTree(const std::string& type);
std::string resultTree(const std::string& resultType);
std::string bodyTree(const std::string& stmts);
std::string itemTree(const std::string& items);

/// The first value written in `text` as `_ = EXPR;` inside a function, as a node.
const ast::Expr* firstValue(const Parsed&);

/// Takes the `@@` marks out of a text; they stand where errors are expected.
struct Marked {
    explicit Marked(std::string marked);
    std::string text;
    std::string positions;
};

/// Empty if exactly the marked errors are reported; else what came instead.
std::string mismatch(const std::string& marked);
/// The same for statements, which are put into a function.
std::string bodyMismatch(const std::string& marked);

} // namespace sx::test
