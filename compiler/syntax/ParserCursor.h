// The cursor of the recursive-descent parser, and what it makes and reports. The grammar is free functions over it
// (Grammar.h), defined in Parser*.cpp, a part of the grammar each.
//
// Errors: `fail` reports and poisons the cursor, which from then on stands at the end of the file. So nothing
// matches any more, every loop ends, and no function has to check for failure after each step. The lists that
// can go on after a mistake (statements, items, members, arms) look at `failed` and call `recover`, which
// puts the cursor after the broken part. Between the two nothing is reported: one mistake, one message.
// `error` only reports; it is for mistakes after which the text is still understood.
#pragma once

#include "syntax/BuiltinTypes.h"
#include "syntax/KnownNames.h"
#include "syntax/Limits.h"
#include "syntax/Parser.h"
#include "syntax/Token.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace sx {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;
using llvm::StringRef;

/// What to write instead of a word that would begin a statement or an item in another language; "": it is none.
std::string_view otherWord(std::string_view word);

using K = TokenKind;

class Parser;
/// Tells whether a token begins another member of the list that is read.
using StartTest = bool (*)(const Parser&, uint32_t token);

enum class Header : uint8_t { None, If, While, For, Push };
/// How an expression is read here (8.6 b, d, e, h).
struct Mode {
    Header header = Header::None; ///< directly in this header, outside nested brackets
    bool ifCondition = false;     ///< anywhere inside an `if` condition, nested brackets included
    bool noTrailingBlock = false;
    bool constraints = false; ///< `$T/Eq` is a type parameter with a constraint, not a division
};
/// The function whose body is parsed.
struct Function {
    uint32_t loops = 0;            ///< loops around this point that `break` may leave
    uint32_t arms = 0;             ///< arms of matches around this point
    const char* cleanup = nullptr; ///< "defer" or "onfail" inside such a body
    bool knowsLoops = true;        ///< false in inserted text, which may stand in any loop
};
/// Sets a member for the time of a scope.
template <typename T> class Restore {
public:
    explicit Restore(T& member) : member_(member), saved_(member) {}
    Restore(T& member, T now) : Restore(member) { member_ = now; }
    ~Restore() { member_ = saved_; }
    Restore(const Restore&) = delete;
    Restore& operator=(const Restore&) = delete;

private:
    T& member_;
    T saved_;
};

class Parser {
public:
    /// `diags` null: nothing is reported and the first error ends the parse (`#insert`).
    Parser(const SourceManager&, FileId, AstContext&, Diagnostics* diags, std::vector<Token> tokens);

    // ---- the cursor

    const Token& cur() const { return tokens[pos]; }
    const Token& peek(uint32_t distance = 1) const { return tokens[std::min(pos + distance, eof)]; }
    const Token& previous() const { return tokens[pos == 0 ? 0 : pos - 1]; }
    bool at(K kind) const { return cur().kind == kind; }
    bool atIdent() const { return isIdentLike(cur().kind); }
    bool atWord(KnownName word) const { return at(K::Ident) && !cur().raw && cur().name() == word; }
    void advance() {
        if (pos != eof) ++pos;
    }
    bool accept(K kind) {
        if (!at(kind)) return false;
        advance();
        return true;
    }
    SourcePos here() const { return cur().begin; }
    /// From `begin` to the end of the token before the cursor.
    Span from(SourcePos begin) const { return {begin, std::max(begin, previous().end)}; }
    Span from(Span first) const { return from(first.begin); }

    // ---- nodes

    template <typename T> T* make(Span span) {
        T* node = new (context.arena.Allocate<T>()) T();
        node->span = span;
        return node;
    }
    template <typename T> T* makeDecl(ast::Ident name, Span span) {
        T* node = make<T>(span);
        node->name = name;
        node->file = file;
        return node;
    }
    template <typename T> ArrayRef<T> keep(const SmallVectorImpl<T>& list) {
        if (list.empty()) return {};
        T* copy = context.arena.Allocate<T>(list.size());
        std::uninitialized_copy(list.begin(), list.end(), copy);
        return {copy, list.size()};
    }
    /// A node that is one token.
    template <typename T> ast::Expr* parseAtom() {
        ast::Expr* node = make<T>(cur().span());
        advance();
        return node;
    }
    StringRef textBetween(SourcePos begin, SourcePos end) const;
    /// Stands where an expression could not be parsed.
    ast::Expr* missingExpr();

    // ---- errors (Parser.cpp, SyntaxHelp.cpp)

    Diagnostic& fail(std::string message);
    Diagnostic& failAt(uint32_t token, std::string message);
    /// "expected WHAT, found TOKEN" at the cursor.
    Diagnostic& failExpected(std::string_view what);
    Diagnostic& error(Span at, std::string message);
    Diagnostic& report(Span at, std::string message);
    /// The rest of the file cannot be parsed sensibly.
    void giveUp();
    bool enterNested();
    void checkHeight(uint32_t token);
    bool expect(K kind, std::string_view what = {});
    /// Expects the partner of the bracket at token `open`.
    bool expectClosing(uint32_t open, std::string_view expected);
    std::string describe(const Token&) const;
    bool adjacent(uint32_t token) const;
    bool sameLine(SourcePos a, SourcePos b) const;
    std::string_view text(const Token& token) const { return sources.textOf(token.span()); }

    // ---- recovery (ParserRecovery.cpp)

    /// After a failure in the construct that began at token `start`: goes on after it, at the latest at
    /// `limit` (the closer of the enclosing group). False if there is nothing to go on with.
    bool recover(uint32_t start, uint32_t limit, StartTest startsAnother);
    uint32_t closerOf(uint32_t open) const { return tokens[open].value == noMatch ? eof : tokens[open].value; }

    // ---- lookahead (ParserLookahead.cpp)

    /// Index of the token after the group that opens at `open`; `eof` if it is never closed.
    uint32_t afterGroup(uint32_t open) const;
    /// The innermost bracket that is open at a token; `noMatch`: none is.
    uint32_t openerAround(uint32_t token) const;

    const SourceManager& sources;
    const FileId file;
    AstContext& context;
    Diagnostics* const diags;
    Diagnostic dropped; ///< what the builders of notes write to while nothing is reported

    std::vector<Token> tokens;
    uint32_t eof = 0;
    uint32_t pos = 0;

    bool failed = false;
    bool gaveUp = false;
    uint32_t failedAt = 0;
    uint32_t errors = 0;
    SourcePos reportedAt; ///< the last error

    uint32_t nesting = 0;
    uint32_t height = 0;
    bool commaMentioned = false; ///< in the type declaration that is read
    Mode mode;
    Function function;
};

/// One level of recursion. `ok()` is false if that is one too many (reported).
class Nested {
public:
    explicit Nested(Parser& parser) : parser_(parser), ok_(parser.enterNested()) {}
    ~Nested() { --parser_.nesting; }
    bool ok() const { return ok_; }

private:
    Parser& parser_;
    bool ok_;
};

/// Height of a node with several children: call `add` after each child was parsed.
class Height {
public:
    explicit Height(Parser& parser) : parser_(parser) {}
    ~Height() { parser_.height = highest_ + 1; }
    void add() { highest_ = std::max(highest_, parser_.height); }

private:
    Parser& parser_;
    uint32_t highest_ = 0;
};

} // namespace sx
