// The recursive-descent parser. One class; its parts are defined in Parser*.cpp, a part of the grammar each.
//
// Errors: `fail` reports and poisons the cursor, which from then on stands at the end of the file. So nothing
// matches any more, every loop ends, and no function has to check for failure after each step. The lists that
// can go on after a mistake (statements, items, members, arms) look at `failed_` and call `recover`, which
// puts the cursor back behind the broken part. Between the two nothing is reported: one mistake, one message.
// `error` only reports; it is for mistakes after which the text is still understood.
#pragma once

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

/// Names of types that the language has by itself, and those of other languages.
bool isBuiltinTypeName(std::string_view);
/// What to write instead of a word that would begin a statement or an item in another language; "": it is none.
std::string_view otherWord(std::string_view word);

class Parser {
public:
    /// `diags` null: nothing is reported and the first error ends the parse (`#insert`).
    Parser(const SourceManager&, FileId, AstContext&, Diagnostics* diags);

    ast::File parseFile();
    ArrayRef<ast::Stmt*> parseInserted();
    const ast::Expr* parseAlone();

private:
    using K = TokenKind;

    // ---- state that depends on where in the program the parser is

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
    /// One level of recursion. `ok()` is false if that is one too many (reported).
    class Nested {
    public:
        explicit Nested(Parser& parser) : parser_(parser), ok_(parser.enterNested()) {}
        ~Nested() { --parser_.nesting_; }
        bool ok() const { return ok_; }

    private:
        Parser& parser_;
        bool ok_;
    };
    /// Height of a node with several children: call `add` after each child was parsed.
    class Height {
    public:
        explicit Height(Parser& parser) : parser_(parser) {}
        ~Height() { parser_.height_ = highest_ + 1; }
        void add() { highest_ = std::max(highest_, parser_.height_); }

    private:
        Parser& parser_;
        uint32_t highest_ = 0;
    };

    // ---- cursor (inline below)

    const Token& cur() const { return tokens_[pos_]; }
    const Token& peek(uint32_t distance = 1) const { return tokens_[std::min(pos_ + distance, eof_)]; }
    const Token& previous() const { return tokens_[pos_ == 0 ? 0 : pos_ - 1]; }
    bool at(K kind) const { return cur().kind == kind; }
    bool atIdent() const { return isIdentLike(cur().kind); }
    bool atWord(KnownName word) const { return at(K::Ident) && !cur().raw && cur().name() == word; }
    void advance() {
        if (pos_ != eof_) ++pos_;
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
        T* node = new (context_.arena.Allocate<T>()) T();
        node->span = span;
        return node;
    }
    template <typename T> T* makeDecl(ast::Ident name, Span span) {
        T* node = make<T>(span);
        node->name = name;
        node->file = file_;
        return node;
    }
    template <typename T> ArrayRef<T> keep(const SmallVectorImpl<T>& list) {
        if (list.empty()) return {};
        T* copy = context_.arena.Allocate<T>(list.size());
        std::uninitialized_copy(list.begin(), list.end(), copy);
        return {copy, list.size()};
    }
    StringRef textBetween(SourcePos begin, SourcePos end) const;
    /// Stands where an expression could not be parsed.
    ast::Expr* missingExpr();

    // ---- errors (Parser.cpp, SyntaxHelp.cpp)

    Diagnostic& fail(std::string message);
    Diagnostic& failAt(uint32_t token, std::string message);
    /// "expected WHAT, found TOKEN" at the cursor.
    Diagnostic& failExpected(std::string_view what);
    bool failOpenString();
    bool failUnclosed(uint32_t open, bool isCertain = false);
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
    std::string lexErrorMessage(const Token&) const;
    void addHelp(Diagnostic&, uint32_t token);
    bool addWordHelp(Diagnostic&, uint32_t token);
    bool addFallbackHelp(Diagnostic&, uint32_t token);
    bool addLambdaHelp(Diagnostic&, uint32_t token);
    std::string operandBefore(uint32_t token) const;
    bool addStatementHelp(Diagnostic&, uint32_t token);
    bool addOperatorHelp(Diagnostic&, uint32_t token);
    bool isForHead(uint32_t token) const;
    struct CLoop {
        bool isOne = false, isInclusive = false;
        std::string name, from, to;
        uint32_t body = 0;
    };
    CLoop foreignLoop(uint32_t token) const;
    bool addCLoopHelp(Diagnostic&, uint32_t token);
    bool addItemHelp(Diagnostic&, uint32_t token);
    // ForeignHelp.cpp
    bool addForeignHelp(Diagnostic&, uint32_t token);
    bool addTypeFormHelp(Diagnostic&, uint32_t token);
    bool addLiteralFormHelp(Diagnostic&, uint32_t token);
    bool addHeadHelp(Diagnostic&, uint32_t token);
    bool isAfterTypeMark(uint32_t token) const;
    void addLexHelp(Diagnostic&, const Token&);
    void noteUnclosed(Diagnostic&, uint32_t open);
    uint32_t suspiciousBrace(uint32_t open) const;
    bool adjacent(uint32_t token) const;
    bool sameLine(SourcePos a, SourcePos b) const;
    std::string_view text(const Token& token) const { return sources_.textOf(token.span()); }

    // ---- recovery (ParserRecovery.cpp)

    using StartTest = bool (Parser::*)(uint32_t token) const;
    /// After a failure in the construct that began at token `start`: goes on behind it, at the latest at
    /// `limit` (the closer of the enclosing group). False if there is nothing to go on with.
    bool recover(uint32_t start, uint32_t limit, StartTest startsAnother);
    bool startsStatement(uint32_t token) const;
    bool startsArmOrStatement(uint32_t token) const;
    bool startsMember(uint32_t token) const;
    bool startsArm(uint32_t token) const;
    bool startsItem(uint32_t token) const;
    bool recoverItem(uint32_t start, uint32_t limit);
    uint32_t afterSpareBrace(uint32_t from, uint32_t limit) const;
    uint32_t outOfBrokenGroups(uint32_t start) const;
    uint32_t closerOf(uint32_t open) const { return tokens_[open].value == noMatch ? eof_ : tokens_[open].value; }
    uint32_t endOfBlockComment(uint32_t token) const;

    // ---- lookahead (ParserLookahead.cpp)

    /// Index of the token after the group that opens at `open`; `eof_` if it is never closed.
    uint32_t afterGroup(uint32_t open) const;
    bool startsFunction(uint32_t paren) const;
    bool startsLambda(uint32_t paren) const;
    bool isFunctionType(uint32_t paren) const;
    bool isCaptureGroup(uint32_t paren) const;
    bool isSingleNameGroup(uint32_t paren) const;
    bool hasTopLevelComma(uint32_t open) const;
    bool atExprStart() const { return startsExpr(cur()); }
    bool startsExpr(const Token&) const;
    bool atTypeForm() const;
    bool mayOmitSemicolon(const ast::Expr*) const;

    // ---- names (Parser.cpp)

    ast::Ident takeIdent();
    ast::Ident expectIdent(std::string_view what);
    Diagnostic& failTypeKeyword(std::string_view what);
    bool atMemberName() const;
    ast::Ident expectMemberName(std::string_view what);
    ast::Ident expectDotName();
    StringRef expectString(std::string_view what);
    bool expectSemicolon(std::string_view after);
    bool atNamedArg() const { return atIdent() && peek().kind == K::Equal; }

    // ---- items (ParserItems.cpp)

    ast::Decl* parseItem();
    void parseItems(SmallVectorImpl<ast::Decl*>&, uint32_t open, bool inArm);
    ArrayRef<ast::Decl*> parseItemBlock();
    ast::Decl* parsePrivateItem();
    bool atImplBlock() const;
    ast::Decl* parseNamedItem();
    ast::Decl* parseConst(ast::Ident name);
    ast::Decl* parseConstRest(ast::Ident name);
    ast::Decl* parseConstExpr(ast::Ident name);
    ast::Decl* parseTyped(ast::Ident name);
    ast::Decl* parseUfcs(ast::Ident name);
    ast::Decl* parseInlineIfItem();
    void parseItemMatch(ast::InlineIfDecl*);

    // ---- assembly (ParserAsm.cpp)

    ast::Decl* parseAsmItem();
    ast::Expr* parseAsmExpr();
    StringRef parseAsmTemplate(uint32_t open, Span&);
    ast::AsmOperand parseAsmOperand();
    ArrayRef<ast::Ident> parseClobbers();

    // ---- directives (ParserDirectives.cpp)

    ast::Decl* parseImport(ast::Ident name, SourcePos begin);
    ast::Decl* parseImportC(ast::Ident name, SourcePos begin, SourcePos directive);
    ast::Decl* parseLibrary(ast::Ident name);
    ast::Decl* parseFramework();
    ast::Decl* parseRunItem();
    ast::Decl* parseErrorItem();
    StringRef parseErrorDirective();
    ast::Decl* parseContextExtend();
    bool atRuntimeClass() const;
    ast::Decl* parseRuntimeClass(ast::Ident name);
    bool parseRuntimeMember(ast::RuntimeMember&);
    void parseRuntimeMethod(ast::RuntimeMember&);

    // ---- functions (ParserFunctions.cpp)

    ast::FunctionDecl* parseFunction(ast::Ident name);
    ast::FunctionDecl* parseBlockFunction(ast::Ident name);
    void parseFunctionTail(ast::FunctionDecl*);
    void parseFunctionBody(ast::FunctionDecl*);
    void parseLinkage(ast::FunctionDecl*);
    ast::Abi parseAbi();
    ast::Expr* parseLambda();
    ast::FunctionDecl* parseTrailingBlock();
    ArrayRef<ast::Param> parseParams(Span& list, bool plain = false);
    ast::Param parseParam(bool plain);
    ArrayRef<ast::Ident> parseConstraints();

    // ---- type declarations (ParserTypeDecls.cpp)

    ast::StructDecl* parseStruct(ast::Ident name, SourcePos begin);
    ast::EnumDecl* parseEnum(ast::Ident name, SourcePos begin);
    ast::UnionDecl* parseUnion(ast::Ident name, SourcePos begin);
    ast::ErrorSetDecl* parseErrorSet(ast::Ident name, SourcePos begin);
    ast::ProtocolDecl* parseProtocol(ast::Ident name, SourcePos begin);
    ast::ImplDecl* parseImpl();
    ArrayRef<ast::TypeParamDecl> parseTypeParams();
    ArrayRef<ast::TypeParamDecl> parseProtocolParams();
    void parseMember(SmallVectorImpl<ast::MemberDecl>&);
    void parseUsing(SmallVectorImpl<ast::MemberDecl>&);
    void parseConstMember(ast::Ident name, SmallVectorImpl<ast::MemberDecl>&);
    void parseFields(ast::Ident first, SmallVectorImpl<ast::MemberDecl>&);
    ast::VariantDecl parseVariant();
    ast::UnionMemberDecl parseUnionMember();
    void endMember(const char* what, const char* help);
    ast::ProtocolMethod parseProtocolMethod();
    void checkReceiver(const ast::FunctionDecl*);
    ArrayRef<ast::Ident> freshParams(const ast::Expr* target);

    // ---- types (ParserTypes.cpp)

    enum class Place : uint8_t { Ordinary, Result };
    ast::Expr* parseType() { return parseTypeIn(Place::Ordinary); }
    ast::Expr* parseResultType();
    ast::Expr* parseTypeIn(Place);
    ast::Expr* parseNamedType();
    ast::Expr* parseTypeArgs(ast::Expr* head);
    ast::Arg parseTypeArg();
    ast::Expr* parseErrorChannel(Place);
    ast::Expr* parsePointerType();
    ast::Expr* parseOptionalType();
    ast::Expr* parseBracketType();
    ast::Expr* parseParenType(Place);
    ast::Expr* finishFunctionType(SourcePos begin, ArrayRef<ast::TypeElem>);
    ast::Expr* classifyTypeList(Place, Span list, ArrayRef<ast::TypeElem>);
    ArrayRef<ast::TypeElem> parseTypeElems(bool inResult);
    ast::TypeElem parseTypeElem(bool inResult);
    ast::Expr* parseTypeParam();
    ast::Expr* parseTupleType();
    ast::Expr* parseClosureType();
    ast::Expr* parseInlineType();

    // ---- expressions (ParserExprs.cpp)

    static constexpr int levelOr = 3, levelCompare = 8, levelShift = 9;
    ast::Expr* parseExpr();
    ast::Expr* parseCoalesce();
    ast::Expr* parseBinary(int minLevel);
    ast::Expr* parseBinaryRest(ast::Expr* lhs, int minLevel);
    ast::Expr* parseCompareRest(ast::Expr* first);
    ast::Expr* finishCompare(ArrayRef<ast::Expr*>, ArrayRef<ast::BinaryOp>, ArrayRef<Span>);
    ast::Expr* makeBinary(ast::BinaryOp, Span opSpan, ast::Expr* lhs, ast::Expr* rhs);
    ast::Expr* parseUnary();
    ast::Expr* parsePrefix(ast::UnaryOp);
    ast::Expr* pipeInto(ast::Expr* value, ast::Expr* target);

    // ---- suffixes (ParserPostfix.cpp)

    ast::Expr* parsePostfix();
    ast::Expr* parseSuffixes(ast::Expr* base);
    ast::Expr* parseSuffix(ast::Expr* base, bool& ends);
    ast::Expr* parseCall(ast::Expr* callee, bool& ends);
    void failColonInCall(uint32_t open);
    ArrayRef<ast::Arg> parseArgs(uint32_t open);
    ast::Arg parseArg();
    ast::Expr* parseIndex(ast::Expr* base);
    struct RangeOp {
        bool isRange = false;
        bool startExclusive = false, endInclusive = false;
        bool needsEnd = false; ///< the end is marked, so it must be written
    };
    static RangeOp rangeOp(K kind);
    ast::Expr* parseRangeEnd(const RangeOp&, bool absent);
    ast::Expr* parseDotSuffix(ast::Expr* base);
    ast::Expr* parseOptionalDot(ast::Expr* base);
    ast::Expr* parseMemberName(ast::Expr* base, bool optional);
    ast::Expr* parseCastTail(ast::Expr* base, bool optional);
    ast::Expr* parseCatch(ast::Expr* operand);
    ast::Expr* parseCatchBody(ast::Catch*);
    bool atOldCatchBinding() const;

    // ---- primaries (ParserPrimary.cpp)

    ast::Expr* parsePrimary();
    ast::Expr* parseName();
    ast::Expr* parseInt();
    ast::Expr* parseFloat();
    ast::Expr* parseChar();
    ast::Expr* parseString();
    ast::Expr* parseBool();
    template <typename T> ast::Expr* parseAtom() {
        ast::Expr* node = make<T>(cur().span());
        advance();
        return node;
    }
    ast::Expr* parseDotPrimary();
    ast::Expr* parseStructLit(ast::Expr* type, SourcePos begin);
    ast::Init parseInit();
    ast::Expr* parseArrayLit(ast::Expr* type, SourcePos begin);
    ast::Expr* parseParen();
    ast::Expr* parseGrouping();
    ast::Expr* parseErrorTag();
    ast::Expr* parseRun();
    ast::Expr* parseJumpExpr();
    ast::Expr* parseReturnExpr();
    ast::Expr* failNoExpression();
    ast::Expr* parseMisplacedJump();

    // ---- control flow (ParserControl.cpp)

    ast::BlockExpr* parseBlock();
    void repairMatch();
    void parseStmtList(SmallVectorImpl<ast::Stmt*>&, uint32_t limit, bool inArm);
    ast::Expr* parseInline(bool isStmt);
    ast::Expr* parseIf(bool isStmt, bool isInline);
    ast::Expr* parseIfLink(bool isStmt, bool isInline, SourcePos begin, bool isReported);
    ast::Expr* parseIfBinding(ast::If*);
    ast::Expr* parseCondition(bool& isMatch);
    void parseThen(ast::If*, bool isStmt);
    void parseIfBody(ast::If*, bool isStmt, bool isReported);
    bool atJump() const;
    bool atElse() const;
    ast::Expr* parseGuardBody();
    ast::Expr* repairAssignment(ast::Expr* condition);
    ast::Match* parseMatch(ast::Expr* subject, SourcePos begin);
    ast::MatchArm parseArm(uint32_t limit);
    ast::Expr* parsePattern();
    void parseArmBody(ast::MatchArm&, uint32_t limit);
    bool recoverArm(uint32_t start, uint32_t limit);
    ast::Expr* parseWhile();
    ast::Expr* parseFor(bool isInline);
    ast::ForIter parseIter();
    bool atOpenRangeEnd() const;
    uint32_t closingPipe(uint32_t token) const;
    bool isPipedCaptures(uint32_t token) const;
    void parseForHeader(SmallVectorImpl<ast::ForIter>&, SmallVectorImpl<ast::ForCapture>&);
    void parseCaptures(SmallVectorImpl<ast::ForCapture>&);
    void checkForeignLoop(ArrayRef<ast::ForIter>);
    void checkForHeader(ArrayRef<ast::ForIter>, ArrayRef<ast::ForCapture>);
    ast::BlockExpr* parseForBody(bool isInline);
    ast::Expr* parsePush();
    ast::BlockExpr* parseStmtAsBlock(); ///< a statement where a block may stand
    ast::BlockExpr* parseBodyBlock(std::string_view header);
    ast::BlockExpr* parseBareBody(std::string_view expected, bool isReported = false);

    // ---- statements (ParserStmts.cpp)

    ast::Stmt* parseStmt();
    ast::Stmt* parseNamedStmt();
    ast::Stmt* parseTypeKeywordStmt();
    ast::Stmt* parseVarStmt();
    ast::Stmt* parseTypedStmt();
    ast::Stmt* parseLocalDecl();
    ast::Stmt* parseBlockLike();
    ast::Stmt* parseExprStmt();
    ast::Stmt* parseMultiTarget(ast::Expr* first);
    ast::Stmt* parseDestructure(ArrayRef<ast::Expr*> targets);
    ast::Stmt* parseAssign(ast::Expr* target);
    ast::Stmt* parseReturnStmt();
    ArrayRef<ast::ReturnElem> parseReturnElems();
    ast::Stmt* parseRaise();
    ast::Stmt* parseDefer();
    ast::Stmt* parseOnFail();
    ast::Expr* parseCleanupBody(const char* keyword);
    ast::Expr* parseMisplacedCleanup();
    ast::Stmt* parseBreak();
    ast::Stmt* parseContinue();
    ast::Stmt* parseInsert();
    ast::Stmt* parseErrorStmt();
    ast::Stmt* parseImportStmt();
    ast::Stmt* parseFrameworkStmt();
    ast::Stmt* parseMisplacedItem(const char* what);
    ast::Stmt* finishExprStmt(ast::Expr*);
    void checkJump(const Token& keyword);
    std::string cleanupBody() const; ///< "a `defer` body", for messages inside one
    static bool isAssignOp(K kind);
    void endInitializer(const ast::Expr* init);

    const SourceManager& sources_;
    const FileId file_;
    AstContext& context_;
    Diagnostics* const diags_;
    Diagnostic dropped_; ///< what the builders of notes write to while nothing is reported

    std::vector<Token> tokens_;
    uint32_t eof_ = 0;
    uint32_t pos_ = 0;

    bool failed_ = false;
    bool gaveUp_ = false;
    uint32_t failedAt_ = 0;
    uint32_t errors_ = 0;
    SourcePos reportedAt_; ///< the last error

    uint32_t nesting_ = 0;
    uint32_t height_ = 0;
    bool commaMentioned_ = false; ///< in the type declaration that is read
    Mode mode_;
    Function function_;
};

} // namespace sx
