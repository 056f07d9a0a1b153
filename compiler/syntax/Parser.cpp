#include "syntax/ParserImpl.h"

#include "syntax/Lexer.h"
#include "syntax/Literals.h"

namespace sx {

using namespace ast;

Parser::Parser(const SourceManager& sources, FileId file, AstContext& context, Diagnostics* diags)
    : sources_(sources), file_(file), context_(context), diags_(diags), tokens_(lexFile(sources, file, context.names)),
      eof_(static_cast<uint32_t>(tokens_.size() - 1)) {}

File Parser::parseFile() {
    SmallVector<Decl*, 64> items;
    parseItems(items, noMatch, false);
    return {file_, keep(items)};
}

ArrayRef<Stmt*> Parser::parseInserted() {
    function_.knowsLoops = false;
    SmallVector<Stmt*, 16> stmts;
    while (!at(K::Eof)) {
        Stmt* stmt = parseStmt();
        if (failed_) break;
        stmts.push_back(stmt);
    }
    return keep(stmts);
}

const Expr* Parser::parseAlone() {
    const Expr* e = parseExpr();
    if (!failed_) expect(K::Eof, "the end of the expression");
    return failed_ ? nullptr : e;
}

StringRef Parser::textBetween(SourcePos begin, SourcePos end) const {
    const std::string_view text = sources_.textOf({begin, end});
    return {text.data(), text.size()};
}

Expr* Parser::missingExpr() { return make<UndefLit>({here(), here()}); }

// ---- errors

Diagnostic& Parser::report(Span at, std::string message) {
    if (!diags_) {
        giveUp();
        dropped_ = {};
        return dropped_;
    }
    if (at.begin == reportedAt_) { // what could not go on here cannot begin anything either
        dropped_ = {};
        return dropped_;
    }
    reportedAt_ = at.begin;
    if (++errors_ >= maxSyntaxErrors) giveUp();
    return diags_->error(at, std::move(message));
}

Diagnostic& Parser::error(Span at, std::string message) {
    if (failed_) {
        dropped_ = {};
        return dropped_;
    }
    return report(at, std::move(message));
}

Diagnostic& Parser::failAt(uint32_t token, std::string message) {
    if (failed_) {
        dropped_ = {};
        return dropped_;
    }
    const Token& culprit = tokens_[token];
    const bool invalid = culprit.kind == K::Invalid;
    Diagnostic& made = report(culprit.span(), invalid ? lexErrorMessage(culprit) : std::move(message));
    if (invalid) addLexHelp(made, culprit);
    failed_ = true;
    failedAt_ = token;
    pos_ = eof_;
    // Such a token swallowed the rest of the file; and at its end nothing is left to go on with.
    if (culprit.error == LexError::UnterminatedHeredoc || culprit.kind == K::Eof) giveUp();
    return made;
}

Diagnostic& Parser::fail(std::string message) { return failAt(pos_, std::move(message)); }

/// Behind a string over several lines that nothing can follow: its quote closes what was meant to be another string.
/// What stands behind it is text and code in exchanged roles.
bool Parser::failOpenString() {
    if (failed_ || pos_ == 0 || previous().kind != K::String || sameLine(previous().begin, previous().end))
        return false;
    const uint32_t token = pos_ - 1;
    const Span quote{previous().begin, previous().begin + 1};
    const bool isFollowed = adjacent(token) || cur().kind == K::Invalid;
    if (!isFollowed) return false;
    report(quote, "this string has no closing `\"` on its line, and goes on to line " +
                      std::to_string(sources_.resolve(previous().end).line));
    giveUp();
    return true;
}

/// A bracket whose partner is missing is the mistake, wherever that shows.
bool Parser::failUnclosed(uint32_t open, bool isCertain) {
    const bool atEnd = at(K::Eof);
    const bool isLost =
        isCertain || atEnd || (tokens_[open].value == noMatch && !sameLine(tokens_[open].begin, here()));
    if (failed_ || !isLost || cur().kind == K::Invalid) return false;
    const uint32_t culprit = tokens_[open].kind == K::LBrace ? suspiciousBrace(open) : open;
    const SourcePos end = previous().end;
    const uint32_t found = pos_;
    const std::string bracket(spelling(tokens_[open].kind));
    Diagnostic& made =
        report(tokens_[culprit].span(), culprit == open ? "this `" + bracket + "` is never closed"
                                                        : "this `" + bracket + "` seems to have no partner");
    if (!atEnd && !isCertain && diags_)
        made.help({end, end + 1}, "add a `" + std::string(bracket == "(" ? ")" : "]") + "` here");
    failed_ = true;
    failedAt_ = found;
    pos_ = eof_;
    if (atEnd) giveUp();
    return true;
}

Diagnostic& Parser::failExpected(std::string_view what) {
    if (failOpenString()) {
        dropped_ = {};
        return dropped_;
    }
    const uint32_t token = pos_;
    const bool report = !failed_ && cur().kind != K::Invalid;
    Diagnostic& made = fail("expected " + std::string(what) + ", found " + describe(cur()));
    if (report && diags_) addHelp(made, token);
    return made;
}

void Parser::giveUp() {
    failed_ = true;
    gaveUp_ = true;
    pos_ = eof_;
}

bool Parser::enterNested() {
    if (++nesting_ <= maxNesting) return true;
    if (!failed_) {
        fail("this is nested too deeply: more than " + std::to_string(maxNesting) + " levels");
        giveUp();
    }
    return false;
}

void Parser::checkHeight(uint32_t token) {
    if (height_ <= maxTreeHeight || failed_) return;
    failAt(token, "this expression is too long: more than " + std::to_string(maxTreeHeight) + " operations in a chain")
        .help("split it with a local variable");
    giveUp();
}

bool Parser::expect(K kind, std::string_view what) {
    if (accept(kind)) return true;
    failExpected(what.empty() ? "`" + std::string(spelling(kind)) + "`" : std::string(what));
    return false;
}

bool Parser::expectClosing(uint32_t open, std::string_view expected) {
    const K opener = tokens_[open].kind;
    const K closer = opener == K::LParen ? K::RParen : opener == K::LBracket ? K::RBracket : K::RBrace;
    if (accept(closer)) return true;
    if (failed_ || failOpenString() || failUnclosed(open)) return false;
    const bool isFar = !sameLine(tokens_[open].begin, here());
    Diagnostic& made = failExpected(expected);
    if (isFar) noteUnclosed(made, open);
    return false;
}

bool Parser::sameLine(SourcePos a, SourcePos b) const { return sources_.resolve(a).line == sources_.resolve(b).line; }

// ---- names

Ident Parser::takeIdent() {
    const Token& token = cur();
    Ident ident{token.name(), token.span(), token.raw};
    advance();
    return ident;
}

/// The token is a keyword that names a type, where something else is to be named.
Diagnostic& Parser::failTypeKeyword(std::string_view what) {
    const std::string word(text(cur()));
    return fail("`" + word + "` is a type name and cannot name a " + std::string(what))
        .help("write it as `` `" + word + " `` to use it as a plain name");
}

Ident Parser::expectIdent(std::string_view what) {
    if (atIdent()) return takeIdent();
    if ((at(K::KwF32) || at(K::KwF64)) && what.starts_with("the name of a ")) {
        failTypeKeyword(what.substr(std::string_view("the name of a ").size()));
        return {};
    }
    failExpected(what);
    return {};
}

bool Parser::atMemberName() const { return at(K::Ident) || isKeyword(cur().kind); }

Ident Parser::expectMemberName(std::string_view what) {
    if (at(K::KwInline)) {
        const Span name = cur().span();
        fail("`inline` cannot name a member without a backtick").help(name, "write", "`inline");
        return {};
    }
    if (atMemberName()) return takeIdent();
    failExpected(what);
    return {};
}

Ident Parser::expectDotName() {
    if (at(K::Ident) || isKeyword(cur().kind)) return takeIdent();
    const bool assignsThrough = at(K::StarEqual);
    Diagnostic& made = failExpected("a name after the dot");
    if (assignsThrough) made.help("`*=` is one token: put a space between, as in `p.* = value`");
    return {};
}

StringRef Parser::expectString(std::string_view what) {
    const Token& token = cur();
    if (accept(K::String)) return decodeString(text(token), context_.arena);
    if (accept(K::Heredoc)) return decodeHeredoc(text(token));
    failExpected(what);
    return {};
}

bool Parser::expectSemicolon(std::string_view after) {
    if (accept(K::Semicolon)) return true;
    if (failed_ || failOpenString()) return false;
    const uint32_t token = pos_;
    // The text before is complete. If the next line begins something new, nothing has to be skipped.
    const bool resumable = cur().lineStart || at(K::RBrace) || at(K::Eof);
    const std::string message = "expected `;` after " + std::string(after) + ", found " + describe(cur());
    const SourcePos end = previous().end;
    const bool valid = cur().kind != K::Invalid;
    Diagnostic& made = resumable && valid ? error(cur().span(), message) : fail(message);
    if (!valid || !diags_) return false;
    const size_t before = made.notes.size();
    addHelp(made, token);
    if (made.notes.size() == before) made.help({end, end + 1}, "add a `;` here");
    return false;
}

// ---- entry points

File parseFile(const SourceManager& sources, FileId file, AstContext& context, Diagnostics& diags) {
    return Parser(sources, file, context, &diags).parseFile();
}

ArrayRef<Stmt*> parseStatements(const SourceManager& sources, FileId file, AstContext& context) {
    return Parser(sources, file, context, nullptr).parseInserted();
}

const Expr* parseExpression(const SourceManager& sources, FileId file, AstContext& context, Diagnostics& diags) {
    return Parser(sources, file, context, &diags).parseAlone();
}

} // namespace sx
