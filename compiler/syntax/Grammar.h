// The grammar: free functions over the parser's cursor, by the source that defines them.
#pragma once

#include "syntax/ParserCursor.h"

namespace sx {

// ---- kinds of answers

/// A loop header as C writes it.
struct CLoop {
    bool isOne = false, isInclusive = false;
    std::string name, from, to;
    uint32_t body = 0;
};
/// Where a type is read: result lists and error channels stand in results only.
enum class Place : uint8_t { Ordinary, Result };
/// Levels of binary operators that the grammar names, as in syntax/Operators.h.
inline constexpr int levelOr = 3, levelCompare = 8, levelShift = 9;
/// An operator between the ends of a range.
struct RangeOp {
    bool isRange = false;
    bool startExclusive = false, endInclusive = false;
    bool needsEnd = false; ///< the end is marked, so it must be written
};

// ---- Parser.cpp

ast::File parseFile(Parser&);
ArrayRef<ast::Stmt*> parseInserted(Parser&);
const ast::Expr* parseAlone(Parser&);
bool failOpenString(Parser&);
bool failUnclosed(Parser&, uint32_t open, bool isCertain = false);
ast::Ident takeIdent(Parser&);
ast::Ident expectIdent(Parser&, std::string_view what);
Diagnostic& failTypeKeyword(Parser&, std::string_view what);
bool atMemberName(const Parser&);
ast::Ident expectMemberName(Parser&, std::string_view what);
ast::Ident expectDotName(Parser&);
StringRef expectString(Parser&, std::string_view what);
bool expectSemicolon(Parser&, std::string_view after);

// ---- TokenText.cpp

std::string lexErrorMessage(const Parser&, const Token&);

// ---- SyntaxHelp.cpp

void addHelp(Parser&, Diagnostic&, uint32_t token);
bool addKeywordHelp(Parser&, Diagnostic&, uint32_t token);
bool addWordHelp(Parser&, Diagnostic&, uint32_t token);
bool addStatementHelp(Parser&, Diagnostic&, uint32_t token);
bool addOperatorHelp(Parser&, Diagnostic&, uint32_t token);
bool addItemHelp(Parser&, Diagnostic&, uint32_t token);
void addLexHelp(Parser&, Diagnostic&, const Token&);
void noteUnclosed(Parser&, Diagnostic&, uint32_t open);
uint32_t suspiciousBrace(const Parser&, uint32_t open);

// ---- PhraseHelp.cpp

bool addPhraseHelp(Parser&, Diagnostic&, uint32_t token);
bool isMissingSemicolon(const Parser&);

// ---- ForeignHelp.cpp

bool addFallbackHelp(Parser&, Diagnostic&, uint32_t token);
bool addLambdaHelp(Parser&, Diagnostic&, uint32_t token);
std::string operandBefore(const Parser&, uint32_t token);
bool isForHead(const Parser&, uint32_t token);
CLoop foreignLoop(const Parser&, uint32_t token);
bool addCLoopHelp(Parser&, Diagnostic&, uint32_t token);
bool addForeignHelp(Parser&, Diagnostic&, uint32_t token);
bool addTypeFormHelp(Parser&, Diagnostic&, uint32_t token);
bool addLiteralFormHelp(Parser&, Diagnostic&, uint32_t token);
bool addHeadHelp(Parser&, Diagnostic&, uint32_t token);
bool addHabitHelp(Parser&, Diagnostic&, uint32_t token);
bool isAfterTypeMark(const Parser&, uint32_t token);

// ---- ParserRecovery.cpp

bool startsArmOrStatement(const Parser&, uint32_t token);
bool startsMember(const Parser&, uint32_t token);
bool startsArm(const Parser&, uint32_t token);
bool startsItem(const Parser&, uint32_t token);
bool recoverItem(Parser&, uint32_t start, uint32_t limit);
uint32_t afterSpareBrace(const Parser&, uint32_t from, uint32_t limit);
uint32_t outOfBrokenGroups(const Parser&, uint32_t start);
uint32_t endOfBlockComment(const Parser&, uint32_t token);
bool recoverArm(Parser&, uint32_t start, uint32_t limit);

// ---- ParserLookahead.cpp

bool startsFunction(const Parser&, uint32_t paren);
bool startsLambda(const Parser&, uint32_t paren);
bool isFunctionType(const Parser&, uint32_t paren);
bool isCaptureGroup(const Parser&, uint32_t paren);
bool isSingleNameGroup(const Parser&, uint32_t paren);
bool hasTopLevelComma(const Parser&, uint32_t open);
bool startsExpr(const Token&);
bool atTypeForm(const Parser&);
bool mayOmitSemicolon(const ast::Expr*);

// ---- ParserItems.cpp

ast::Decl* parseItem(Parser&);
void parseItems(Parser&, SmallVectorImpl<ast::Decl*>&, uint32_t open, bool inArm);
ArrayRef<ast::Decl*> parseItemBlock(Parser&);
ast::Decl* parsePrivateItem(Parser&);
bool atImplBlock(const Parser&);
ast::Decl* parseNamedItem(Parser&);
ast::Decl* parseConst(Parser&, ast::Ident name);
ast::Decl* parseConstRest(Parser&, ast::Ident name);
ast::Decl* parseConstExpr(Parser&, ast::Ident name);
ast::Decl* parseTyped(Parser&, ast::Ident name);
ast::Decl* parseUfcs(Parser&, ast::Ident name);
ast::Decl* parseInlineIfItem(Parser&);
void parseItemMatch(Parser&, ast::InlineIfDecl*);

// ---- ParserAsm.cpp

ast::Decl* parseAsmItem(Parser&);
ast::Expr* parseAsmExpr(Parser&);
StringRef parseAsmTemplate(Parser&, uint32_t open, Span&);
ast::AsmOperand parseAsmOperand(Parser&);
ArrayRef<ast::Ident> parseClobbers(Parser&);

// ---- ParserDirectives.cpp

ast::Decl* parseImport(Parser&, ast::Ident name, SourcePos begin);
ast::Decl* parseImportC(Parser&, ast::Ident name, SourcePos begin, SourcePos directive);
ast::Decl* parseLibrary(Parser&, ast::Ident name);
ast::Decl* parseFramework(Parser&);
ast::Decl* parseRunItem(Parser&);
ast::Decl* parseErrorItem(Parser&);
StringRef parseErrorDirective(Parser&);
ast::Decl* parseContextExtend(Parser&);
bool atRuntimeClass(const Parser&);
ast::Decl* parseRuntimeClass(Parser&, ast::Ident name);
bool parseRuntimeMember(Parser&, ast::RuntimeMember&);
void parseRuntimeMethod(Parser&, ast::RuntimeMember&);

// ---- ParserFunctions.cpp

ast::FunctionDecl* parseFunction(Parser&, ast::Ident name);
ast::FunctionDecl* parseBlockFunction(Parser&, ast::Ident name);
void parseFunctionTail(Parser&, ast::FunctionDecl*);
void parseFunctionBody(Parser&, ast::FunctionDecl*);
void parseLinkage(Parser&, ast::FunctionDecl*);
ast::Abi parseAbi(Parser&);
ast::Expr* parseLambda(Parser&);
ast::FunctionDecl* parseTrailingBlock(Parser&);
ArrayRef<ast::Param> parseParams(Parser&, Span& list, bool plain = false);
ast::Param parseParam(Parser&, bool plain);
ArrayRef<ast::Ident> parseConstraints(Parser&);

// ---- ParserTypeDecls.cpp

ast::StructDecl* parseStruct(Parser&, ast::Ident name, SourcePos begin);
ast::EnumDecl* parseEnum(Parser&, ast::Ident name, SourcePos begin);
ast::UnionDecl* parseUnion(Parser&, ast::Ident name, SourcePos begin);
ast::ErrorSetDecl* parseErrorSet(Parser&, ast::Ident name, SourcePos begin);
ast::ProtocolDecl* parseProtocol(Parser&, ast::Ident name, SourcePos begin);
ast::ImplDecl* parseImpl(Parser&);
ArrayRef<ast::TypeParamDecl> parseTypeParams(Parser&);
ArrayRef<ast::TypeParamDecl> parseProtocolParams(Parser&);
void parseMember(Parser&, SmallVectorImpl<ast::MemberDecl>&);
void parseUsing(Parser&, SmallVectorImpl<ast::MemberDecl>&);
void parseConstMember(Parser&, ast::Ident name, SmallVectorImpl<ast::MemberDecl>&);
void parseFields(Parser&, ast::Ident first, SmallVectorImpl<ast::MemberDecl>&);
ast::VariantDecl parseVariant(Parser&);
ast::UnionMemberDecl parseUnionMember(Parser&);
void endMember(Parser&, const char* what, const char* help);
ast::ProtocolMethod parseProtocolMethod(Parser&);
void checkReceiver(Parser&, const ast::FunctionDecl*);
ArrayRef<ast::Ident> freshParams(Parser&, const ast::Expr* target);

// ---- ParserTypes.cpp

ast::Expr* parseResultType(Parser&);
ast::Expr* parseTypeIn(Parser&, Place);
ast::Expr* parseNamedType(Parser&);
ast::Expr* parseTypeArgs(Parser&, ast::Expr* head);
ast::Arg parseTypeArg(Parser&);
ast::Expr* parseErrorChannel(Parser&, Place);
ast::Expr* parsePointerType(Parser&);
ast::Expr* parseOptionalType(Parser&);
ast::Expr* parseBracketType(Parser&);
ast::Expr* parseParenType(Parser&, Place);
ast::Expr* finishFunctionType(Parser&, SourcePos begin, ArrayRef<ast::TypeElem>);
ast::Expr* classifyTypeList(Parser&, Place, Span list, ArrayRef<ast::TypeElem>);
ArrayRef<ast::TypeElem> parseTypeElems(Parser&, bool inResult);
ast::TypeElem parseTypeElem(Parser&, bool inResult);
ast::Expr* parseTypeParam(Parser&);
ast::Expr* parseTupleType(Parser&);
ast::Expr* parseClosureType(Parser&);
ast::Expr* parseInlineType(Parser&);

// ---- ParserExprs.cpp

ast::Expr* parseExpr(Parser&);
ast::Expr* parseCoalesce(Parser&);
ast::Expr* parseBinary(Parser&, int minLevel);
ast::Expr* parseBinaryRest(Parser&, ast::Expr* lhs, int minLevel);
ast::Expr* parseCompareRest(Parser&, ast::Expr* first);
ast::Expr* finishCompare(Parser&, ArrayRef<ast::Expr*>, ArrayRef<ast::BinaryOp>, ArrayRef<Span>);
ast::Expr* makeBinary(Parser&, ast::BinaryOp, Span opSpan, ast::Expr* lhs, ast::Expr* rhs);
ast::Expr* parseUnary(Parser&);
ast::Expr* parsePrefix(Parser&, ast::UnaryOp);
ast::Expr* pipeInto(Parser&, ast::Expr* value, ast::Expr* target);

// ---- ParserPostfix.cpp

ast::Expr* parsePostfix(Parser&);
ast::Expr* parseSuffixes(Parser&, ast::Expr* base);
ast::Expr* parseSuffix(Parser&, ast::Expr* base, bool& ends);
ast::Expr* parseCall(Parser&, ast::Expr* callee, bool& ends);
void failColonInCall(Parser&, uint32_t open);
ArrayRef<ast::Arg> parseArgs(Parser&, uint32_t open);
ast::Arg parseArg(Parser&);
ast::Expr* parseIndex(Parser&, ast::Expr* base);
RangeOp rangeOp(K kind);
ast::Expr* parseRangeEnd(Parser&, const RangeOp&, bool absent);
ast::Expr* parseDotSuffix(Parser&, ast::Expr* base);
ast::Expr* parseOptionalDot(Parser&, ast::Expr* base);
ast::Expr* parseMemberName(Parser&, ast::Expr* base, bool optional);
ast::Expr* parseCastTail(Parser&, ast::Expr* base, bool optional);
ast::Expr* parseCatch(Parser&, ast::Expr* operand);
ast::Expr* parseCatchBody(Parser&, ast::Catch*);
bool atOldCatchBinding(const Parser&);

// ---- ParserPrimary.cpp

ast::Expr* parsePrimary(Parser&);
ast::Expr* parseName(Parser&);
ast::Expr* parseInt(Parser&);
ast::Expr* parseFloat(Parser&);
ast::Expr* parseChar(Parser&);
ast::Expr* parseString(Parser&);
ast::Expr* parseBool(Parser&);
ast::Expr* parseDotPrimary(Parser&);
ast::Expr* parseStructLit(Parser&, ast::Expr* type, SourcePos begin);
ast::Init parseInit(Parser&);
ast::Expr* parseArrayLit(Parser&, ast::Expr* type, SourcePos begin);
ast::Expr* parseParen(Parser&);
ast::Expr* parseGrouping(Parser&);
ast::Expr* parseErrorTag(Parser&);
ast::Expr* parseRun(Parser&);
ast::Expr* parseJumpExpr(Parser&);
ast::Expr* parseReturnExpr(Parser&);
ast::Expr* failNoExpression(Parser&);
ast::Expr* parseMisplacedJump(Parser&);

// ---- ParserControl.cpp

ast::BlockExpr* parseBlock(Parser&);
void repairMatch(Parser&);
void parseStmtList(Parser&, SmallVectorImpl<ast::Stmt*>&, uint32_t limit, bool inArm);
ast::Expr* parseInline(Parser&, bool isStmt);
ast::Expr* parseIf(Parser&, bool isStmt, bool isInline);
ast::Expr* parseIfLink(Parser&, bool isStmt, bool isInline, SourcePos begin, bool isReported);
ast::Expr* parseIfBinding(Parser&, ast::If*);
ast::Expr* parseCondition(Parser&, bool& isMatch);
void parseThen(Parser&, ast::If*, bool isStmt);
void parseIfBody(Parser&, ast::If*, bool isStmt, bool isReported);
bool atJump(const Parser&);
bool atElse(const Parser&);
ast::Expr* parseGuardBody(Parser&);
ast::Expr* repairAssignment(Parser&, ast::Expr* condition);
ast::Expr* parseWhile(Parser&);
ast::Expr* parsePush(Parser&);
/// A statement where a block may stand.
ast::BlockExpr* parseStmtAsBlock(Parser&);
ast::BlockExpr* parseBodyBlock(Parser&, std::string_view header);
ast::BlockExpr* parseBareBody(Parser&, std::string_view expected, bool isReported = false);

// ---- ParserMatch.cpp

ast::Match* parseMatch(Parser&, ast::Expr* subject, SourcePos begin);
ast::MatchArm parseArm(Parser&, uint32_t limit);
ast::Expr* parsePattern(Parser&);
void parseArmBody(Parser&, ast::MatchArm&, uint32_t limit);

// ---- ParserFor.cpp

ast::Expr* parseFor(Parser&, bool isInline);
ast::ForIter parseIter(Parser&);
bool atOpenRangeEnd(const Parser&);
uint32_t closingPipe(const Parser&, uint32_t token);
bool isPipedCaptures(const Parser&, uint32_t token);
void parseForHeader(Parser&, SmallVectorImpl<ast::ForIter>&, SmallVectorImpl<ast::ForCapture>&);
void parseCaptures(Parser&, SmallVectorImpl<ast::ForCapture>&);
void checkForeignLoop(Parser&, ArrayRef<ast::ForIter>);
void checkForHeader(Parser&, ArrayRef<ast::ForIter>, ArrayRef<ast::ForCapture>);
ast::BlockExpr* parseForBody(Parser&, bool isInline);

// ---- ParserStmts.cpp

ast::Stmt* parseStmt(Parser&);
bool startsStatement(const Parser&, uint32_t token);
ast::Stmt* parseNamedStmt(Parser&);
ast::Stmt* parseTypeKeywordStmt(Parser&);
ast::Stmt* parseVarStmt(Parser&);
ast::Stmt* parseTypedStmt(Parser&);
ast::Stmt* parseLocalDecl(Parser&);
ast::Stmt* parseBlockLike(Parser&);
ast::Stmt* parseExprStmt(Parser&);
ast::Stmt* parseMultiTarget(Parser&, ast::Expr* first);
ast::Stmt* parseDestructure(Parser&, ArrayRef<ast::Expr*> targets);
ast::Stmt* parseAssign(Parser&, ast::Expr* target);
ast::Stmt* parseReturnStmt(Parser&);
ArrayRef<ast::ReturnElem> parseReturnElems(Parser&);
ast::Stmt* parseRaise(Parser&);
ast::Stmt* parseDefer(Parser&);
ast::Stmt* parseOnFail(Parser&);
ast::Expr* parseCleanupBody(Parser&, const char* keyword);
ast::Expr* parseMisplacedCleanup(Parser&);
ast::Stmt* parseBreak(Parser&);
ast::Stmt* parseContinue(Parser&);
ast::Stmt* parseInsert(Parser&);
ast::Stmt* parseErrorStmt(Parser&);
ast::Stmt* parseImportStmt(Parser&);
ast::Stmt* parseFrameworkStmt(Parser&);
ast::Stmt* parseMisplacedItem(Parser&, const char* what);
ast::Stmt* finishExprStmt(Parser&, ast::Expr*);
void checkJump(Parser&, const Token& keyword);
/// "a `defer` body", for messages inside one.
std::string cleanupBody(const Parser&);
bool isAssignOp(K kind);
void endInitializer(Parser&, const ast::Expr* init);

// ---- short forms

inline bool atExprStart(const Parser& p) { return startsExpr(p.cur()); }
inline bool atNamedArg(const Parser& p) { return p.atIdent() && p.peek().kind == K::Equal; }
inline ast::Expr* parseType(Parser& p) { return parseTypeIn(p, Place::Ordinary); }

} // namespace sx
