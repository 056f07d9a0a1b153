#include "syntax/Grammar.h"

#include "syntax/Lexer.h"
#include "syntax/Literals.h"

namespace sx {

using namespace ast;

Parser::Parser(const SourceManager& sources, FileId file, AstContext& context, Diagnostics* diags,
               std::vector<Token> lexed)
    : sources(sources), file(file), context(context), diags(diags), tokens(std::move(lexed)),
      eof(static_cast<uint32_t>(tokens.size() - 1)) {}

File parseFile(Parser& p) {
    SmallVector<Decl*, 64> items;
    parseItems(p, items, noMatch, false);
    return {p.file, p.keep(items)};
}

ArrayRef<Stmt*> parseInserted(Parser& p) {
    p.function.knowsLoops = false;
    SmallVector<Stmt*, 16> stmts;
    while (!p.at(K::Eof)) {
        Stmt* stmt = parseStmt(p);
        if (p.failed) break;
        stmts.push_back(stmt);
    }
    return p.keep(stmts);
}

const Expr* parseAlone(Parser& p) {
    const Expr* e = parseExpr(p);
    if (!p.failed) p.expect(K::Eof, "the end of the expression");
    return p.failed ? nullptr : e;
}

StringRef Parser::textBetween(SourcePos begin, SourcePos end) const {
    const std::string_view text = sources.textOf({begin, end});
    return {text.data(), text.size()};
}

Expr* Parser::missingExpr() { return make<UndefLit>({here(), here()}); }

// ---- errors

Diagnostic& Parser::report(Span at, std::string message) {
    if (!diags) {
        giveUp();
        dropped = {};
        return dropped;
    }
    if (at.begin == reportedAt) { // what could not go on here cannot begin anything either
        dropped = {};
        return dropped;
    }
    reportedAt = at.begin;
    if (++errors >= maxSyntaxErrors) giveUp();
    return diags->error(at, std::move(message));
}

Diagnostic& Parser::error(Span at, std::string message) {
    if (failed) {
        dropped = {};
        return dropped;
    }
    return report(at, std::move(message));
}

Diagnostic& Parser::failAt(uint32_t token, std::string message) {
    if (failed) {
        dropped = {};
        return dropped;
    }
    const Token& culprit = tokens[token];
    const bool invalid = culprit.kind == K::Invalid;
    Diagnostic& made = report(culprit.span(), invalid ? lexErrorMessage(*this, culprit) : std::move(message));
    if (invalid) addLexHelp(*this, made, culprit);
    failed = true;
    failedAt = token;
    pos = eof;
    // Such a token swallowed the rest of the file; and at its end nothing is left to go on with.
    if (culprit.error == LexError::UnterminatedHeredoc || culprit.kind == K::Eof) giveUp();
    return made;
}

Diagnostic& Parser::fail(std::string message) { return failAt(pos, std::move(message)); }

/// Behind a string over several lines that nothing can follow: its quote closes what was meant to be another string.
/// What stands after it is text and code in exchanged roles.
bool failOpenString(Parser& p) {
    if (p.failed || p.pos == 0 || p.previous().kind != K::String || p.sameLine(p.previous().begin, p.previous().end))
        return false;
    const uint32_t token = p.pos - 1;
    const Span quote{p.previous().begin, p.previous().begin + 1};
    const bool isFollowed = p.adjacent(token) || p.cur().kind == K::Invalid;
    if (!isFollowed) return false;
    p.report(quote, "this string has no closing `\"` on its line, and goes on to line " +
                        std::to_string(p.sources.resolve(p.previous().end).line));
    p.giveUp();
    return true;
}

/// A bracket whose partner is missing is the mistake, wherever that shows.
bool failUnclosed(Parser& p, uint32_t open, bool isCertain) {
    const bool atEnd = p.at(K::Eof);
    const bool isLost =
        isCertain || atEnd || (p.tokens[open].value == noMatch && !p.sameLine(p.tokens[open].begin, p.here()));
    if (p.failed || !isLost || p.cur().kind == K::Invalid) return false;
    const uint32_t culprit = p.tokens[open].kind == K::LBrace ? suspiciousBrace(p, open) : open;
    const SourcePos end = p.previous().end;
    const uint32_t found = p.pos;
    const std::string bracket(spelling(p.tokens[open].kind));
    Diagnostic& made =
        p.report(p.tokens[culprit].span(), culprit == open ? "this " + code(bracket) + " is never closed"
                                                           : "this " + code(bracket) + " seems to have no partner");
    if (!atEnd && !isCertain && p.diags)
        made.help({end, end + 1}, "add a `" + std::string(bracket == "(" ? ")" : "]") + "` here");
    p.failed = true;
    p.failedAt = found;
    p.pos = p.eof;
    if (atEnd) p.giveUp();
    return true;
}

Diagnostic& Parser::failExpected(std::string_view what) {
    if (failOpenString(*this)) {
        dropped = {};
        return dropped;
    }
    const uint32_t token = pos;
    const bool report = !failed && cur().kind != K::Invalid;
    Diagnostic& made = fail("expected " + std::string(what) + ", found " + describe(cur()));
    if (report && diags) addHelp(*this, made, token);
    return made;
}

void Parser::giveUp() {
    failed = true;
    gaveUp = true;
    pos = eof;
}

bool Parser::enterNested() {
    if (++nesting <= maxNesting) return true;
    if (!failed) {
        fail("this is nested too deeply: more than " + std::to_string(maxNesting) + " levels");
        giveUp();
    }
    return false;
}

void Parser::checkHeight(uint32_t token) {
    if (height <= maxTreeHeight || failed) return;
    failAt(token, "this expression is too long: more than " + std::to_string(maxTreeHeight) + " operations in a chain")
        .help("split it with a local variable");
    giveUp();
}

bool Parser::expect(K kind, std::string_view what) {
    if (accept(kind)) return true;
    failExpected(what.empty() ? code(spelling(kind)) : std::string(what));
    return false;
}

bool Parser::expectClosing(uint32_t open, std::string_view expected) {
    const K opener = tokens[open].kind;
    const K closer = opener == K::LParen ? K::RParen : opener == K::LBracket ? K::RBracket : K::RBrace;
    if (accept(closer)) return true;
    if (failed || failOpenString(*this) || failUnclosed(*this, open)) return false;
    const bool isFar = !sameLine(tokens[open].begin, here());
    Diagnostic& made = failExpected(expected);
    if (isFar) noteUnclosed(*this, made, open);
    return false;
}

bool Parser::sameLine(SourcePos a, SourcePos b) const { return sources.resolve(a).line == sources.resolve(b).line; }

// ---- names

Ident takeIdent(Parser& p) {
    const Token& token = p.cur();
    Ident ident{token.name(), token.span(), token.raw};
    p.advance();
    return ident;
}

/// The token is a keyword that names a type, where something else is to be named.
Diagnostic& failTypeKeyword(Parser& p, std::string_view what) {
    const std::string word(p.text(p.cur()));
    return p.fail(code(word) + " is a type name and cannot name a " + std::string(what))
        .help("write it as `` `" + word + " `` to use it as a plain name");
}

Ident expectIdent(Parser& p, std::string_view what) {
    if (p.atIdent()) return takeIdent(p);
    if ((p.at(K::KwF32) || p.at(K::KwF64)) && what.starts_with("the name of a ")) {
        failTypeKeyword(p, what.substr(std::string_view("the name of a ").size()));
        return {};
    }
    p.failExpected(what);
    return {};
}

bool atMemberName(const Parser& p) { return p.at(K::Ident) || isKeyword(p.cur().kind); }

Ident expectMemberName(Parser& p, std::string_view what) {
    if (p.at(K::KwInline)) {
        const Span name = p.cur().span();
        p.fail("`inline` cannot name a member without a backtick").help(name, "write", "`inline");
        return {};
    }
    if (atMemberName(p)) return takeIdent(p);
    p.failExpected(what);
    return {};
}

Ident expectDotName(Parser& p) {
    if (p.at(K::Ident) || isKeyword(p.cur().kind)) return takeIdent(p);
    const bool assignsThrough = p.at(K::StarEqual);
    Diagnostic& made = p.failExpected("a name after the dot");
    if (assignsThrough) made.help("`*=` is one token: put a space between, as in `p.* = value`");
    return {};
}

StringRef expectString(Parser& p, std::string_view what) {
    const Token& token = p.cur();
    if (p.accept(K::String)) return decodeString(p.text(token), p.context.arena);
    if (p.accept(K::Heredoc)) return decodeHeredoc(p.text(token));
    p.failExpected(what);
    return {};
}

bool expectSemicolon(Parser& p, std::string_view after) {
    if (p.accept(K::Semicolon)) return true;
    if (p.failed || failOpenString(p)) return false;
    const uint32_t token = p.pos;
    // The text before is complete. If the next line begins something new, nothing has to be skipped.
    const bool resumable = p.cur().lineStart || p.at(K::RBrace) || p.at(K::Eof);
    const bool isSpare = isMissingSemicolon(p);
    const std::string message = "expected `;` after " + std::string(after) + ", found " + p.describe(p.cur());
    const SourcePos end = p.previous().end;
    const bool valid = p.cur().kind != K::Invalid;
    Diagnostic& made = resumable && valid ? p.error(p.cur().span(), message) : p.fail(message);
    if (!valid || !p.diags) return false;
    const size_t before = made.notes.size();
    addHelp(p, made, token);
    if (made.notes.size() == before && isSpare) made.help({end, end + 1}, "add a `;` here");
    return false;
}

// ---- entry points

namespace {

class DeferredBodies : public BodyReader {
public:
    DeferredBodies(const SourceManager& sources, AstContext& context, Diagnostics& diags)
        : sources_(sources), context_(context), diags_(diags) {}

    Expr* read(const FunctionDecl& fn, Span at) override {
        Diagnostics found;
        Parser p(sources_, fn.file, context_, &found, lexBlock(sources_, at, context_.names));
        Expr* block = parseBlock(p);
        if (p.errors == 0) return block;
        for (const Diagnostic& d : found.all()) {
            diags_.add(d);
            context_.lateErrors.add(d);
        }
        return p.make<BlockExpr>(at); // a broken tree is for nobody
    }

private:
    const SourceManager& sources_;
    AstContext& context_;
    Diagnostics& diags_;
};

} // namespace

File parseFile(const SourceManager& sources, FileId file, AstContext& context, Diagnostics& diags) {
    Parser p(sources, file, context, &diags, lexFile(sources, file, context.names));
    return parseFile(p);
}

File parseOutline(const SourceManager& sources, FileId file, AstContext& context, Diagnostics& diags) {
    if (!context.bodies) context.bodies = std::make_unique<DeferredBodies>(sources, context, diags);
    Parser p(sources, file, context, nullptr, lexOutline(sources, file, context.names));
    const File outline = parseFile(p);
    return p.failed ? parseFile(sources, file, context, diags) : outline;
}

ArrayRef<Stmt*> parseStatements(const SourceManager& sources, FileId file, AstContext& context) {
    Parser p(sources, file, context, nullptr, lexFile(sources, file, context.names));
    return parseInserted(p);
}

const Expr* parseExpression(const SourceManager& sources, FileId file, AstContext& context, Diagnostics& diags) {
    Parser p(sources, file, context, &diags, lexFile(sources, file, context.names));
    return parseAlone(p);
}

} // namespace sx
