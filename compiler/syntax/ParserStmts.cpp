// Statements (8.2).
#include "syntax/ParserImpl.h"

namespace sx {

using namespace ast;

Stmt* Parser::parseStmt() {
    height_ = 0;
    switch (cur().kind) {
    case K::Ident:
    case K::KwProtocol:
    case K::KwImpl:
    case K::KwUfcs: return parseNamedStmt();
    case K::KwF32:
    case K::KwF64: return parseTypeKeywordStmt();
    case K::KwIf:
    case K::KwWhile:
    case K::KwFor:
    case K::KwPush:
    case K::KwInline:
    case K::LBrace: return parseBlockLike();
    case K::KwReturn: return parseReturnStmt();
    case K::KwBreak: return parseBreak();
    case K::KwContinue: return parseContinue();
    case K::KwDefer: return parseDefer();
    case K::KwOnFail: return parseOnFail();
    case K::KwRaise: return parseRaise();
    case K::DirInsert: return parseInsert();
    case K::DirError: return parseErrorStmt();
    case K::DirImport: return parseImportStmt();
    case K::DirFramework: return parseFrameworkStmt();
    case K::KwPrivate: return parseMisplacedItem("`private`");
    case K::DirContextExtend: return parseMisplacedItem("`#context_extend`");
    case K::KwElse: fail("this `else` belongs to no `if`"); return nullptr;
    case K::KwCase: fail("`case` stands only in a match: `if VALUE == { case … }`"); return nullptr;
    case K::Semicolon: fail("there is no empty statement").help("remove this `;`"); return nullptr;
    default: return parseExprStmt();
    }
}

/// IDENT …: the next token decides (8.6 k).
Stmt* Parser::parseNamedStmt() {
    switch (peek().kind) {
    case K::ColonColon: return parseLocalDecl();
    case K::ColonEqual: return parseVarStmt();
    case K::Colon: return parseTypedStmt();
    default: return parseExprStmt();
    }
}

/// `f64.max …`, or a declaration that such a name may not have.
Stmt* Parser::parseTypeKeywordStmt() {
    const K next = peek().kind;
    if (next != K::ColonEqual && next != K::ColonColon && next != K::Colon) return parseExprStmt();
    failTypeKeyword("variable or constant");
    return nullptr;
}

/// `x := e` ends with `;` unless its value ends in a block (8.6 g).
void Parser::endInitializer(const Expr* init) {
    if (accept(K::Semicolon) || failed_ || mayOmitSemicolon(init)) return;
    expectSemicolon("this declaration");
}

Stmt* Parser::parseVarStmt() {
    const Ident name = takeIdent();
    advance();
    Expr* init = parseExpr();
    endInitializer(init);
    auto* stmt = make<VarStmt>(from(name.span));
    stmt->name = name;
    stmt->init = init;
    return stmt;
}

Stmt* Parser::parseLocalDecl() {
    const Ident name = takeIdent();
    advance();
    Decl* decl = parseConst(name);
    auto* stmt = make<LocalDecl>(from(name.span));
    stmt->decl = decl;
    return stmt;
}

/// `x : T …`
Stmt* Parser::parseTypedStmt() {
    const Ident name = takeIdent();
    Decl* decl = parseTyped(name);
    if (failed_) return nullptr;
    if (auto* var = llvm::dyn_cast<VarDecl>(decl); var && !var->isExtern) {
        auto* stmt = make<VarStmt>(decl->span);
        stmt->name = name;
        stmt->type = var->type;
        stmt->init = var->init;
        return stmt;
    }
    auto* stmt = make<LocalDecl>(decl->span);
    stmt->decl = decl;
    return stmt;
}

/// Statements that end with a block: no operator or suffix continues them, and they need no `;`.
Stmt* Parser::parseBlockLike() {
    Expr* expr = nullptr;
    switch (cur().kind) {
    case K::KwIf: expr = parseIf(true, false); break;
    case K::KwWhile: expr = parseWhile(); break;
    case K::KwFor: expr = parseFor(false); break;
    case K::KwPush: expr = parsePush(); break;
    case K::KwInline: expr = parseInline(true); break;
    default: expr = parseBlock(); break;
    }
    if (failed_) return nullptr;
    if (const auto* choice = llvm::dyn_cast<If>(expr); choice && choice->thenForm) return finishExprStmt(expr);
    auto* stmt = make<ExprStmt>(expr->span);
    stmt->expr = expr;
    if (at(K::Semicolon)) {
        stmt->semicolon = true;
        stmt->semi = cur().span();
        advance();
        stmt->span = from(expr->span);
    }
    return stmt;
}

/// An expression, or an assignment to it.
Stmt* Parser::parseExprStmt() {
    Expr* expr = parseExpr();
    if (failed_) return nullptr;
    if (at(K::Comma)) return parseMultiTarget(expr);
    if (isAssignOp(cur().kind)) return parseAssign(expr);
    if (at(K::ColonEqual) || at(K::ColonColon) || at(K::Colon)) {
        fail("only a name can be declared, not " + std::string(llvm::isa<Member>(expr) ? "a member" : "an expression"))
            .help("`=` assigns to what exists");
        return nullptr;
    }
    return finishExprStmt(expr);
}

/// The end of an expression statement: `;`, or nothing before `}` and after a block (8.6 g).
Stmt* Parser::finishExprStmt(Expr* expr) {
    auto* stmt = make<ExprStmt>(expr->span);
    stmt->expr = expr;
    if (at(K::Semicolon)) {
        stmt->semicolon = true;
        stmt->semi = cur().span();
        advance();
        stmt->span = from(expr->span);
    } else if (!at(K::RBrace) && !(at(K::Eof) && !diags_) && !mayOmitSemicolon(expr)) {
        expectSemicolon("this expression");
    }
    return stmt;
}

/// At the first `,` of `a, b := e` or `a, b = e, f;`
Stmt* Parser::parseMultiTarget(Expr* first) {
    SmallVector<Expr*, 4> targets{first};
    Height height(*this);
    height.add();
    while (accept(K::Comma)) {
        targets.push_back(parseExpr());
        height.add();
    }
    if (at(K::ColonEqual)) return parseDestructure(targets);
    if (!at(K::Equal)) {
        if (isAssignOp(cur().kind))
            fail("several targets take `=` or `:=`, not `" + std::string(spelling(cur().kind)) + "`");
        else failExpected("`:=` or `=` after the targets");
        return nullptr;
    }
    advance();
    SmallVector<Expr*, 4> values;
    do {
        values.push_back(parseExpr());
        height.add();
    } while (accept(K::Comma));
    if (values.size() != targets.size() && !failed_) {
        Diagnostic& made = fail(std::to_string(targets.size()) + " targets are assigned " +
                                std::to_string(values.size()) + (values.size() == 1 ? " value" : " values"));
        if (values.size() == 1) made.help("to take a result apart into new variables, write `:=`");
        return nullptr;
    }
    expectSemicolon("this assignment");
    auto* stmt = make<MultiAssign>(from(first->span));
    stmt->targets = keep(targets);
    stmt->values = keep(values);
    return stmt;
}

/// At the `:=` behind several targets.
Stmt* Parser::parseDestructure(ArrayRef<Expr*> targets) {
    SmallVector<Ident, 4> names;
    for (const Expr* target : targets) {
        if (const auto* name = llvm::dyn_cast<NameRef>(target)) {
            names.push_back(name->id);
            continue;
        }
        fail("`:=` declares new variables, so every target must be a name").note(target->span, "this target is none");
        return nullptr;
    }
    advance();
    Expr* init = parseExpr();
    if (at(K::Comma) && !failed_) {
        fail("`:=` takes one value apart, and this gives several")
            .help("put them into a tuple, `.{ a, b }`, or declare each variable by itself");
        return nullptr;
    }
    endInitializer(init);
    auto* stmt = make<Destructure>(from(targets[0]->span));
    stmt->names = keep(names);
    stmt->init = init;
    return stmt;
}

bool Parser::isAssignOp(K kind) { return kind == K::Equal || compoundOperator(kind); }

/// At the operator.
Stmt* Parser::parseAssign(Expr* target) {
    auto* stmt = make<Assign>(target->span);
    stmt->target = target;
    stmt->compound = !at(K::Equal);
    if (stmt->compound) stmt->op = *compoundOperator(cur().kind);
    stmt->opSpan = cur().span();
    Height height(*this);
    height.add();
    advance();
    stmt->value = parseExpr();
    height.add();
    expectSemicolon("this assignment");
    stmt->span = from(target->span);
    return stmt;
}

// ---- jumps

std::string Parser::cleanupBody() const {
    return std::string_view(function_.cleanup) == "defer" ? "a `defer` body" : "an `onfail` body";
}

/// `return`, `break` and `continue`, as statements or expressions.
void Parser::checkJump(const Token& keyword) {
    const std::string word(spelling(keyword.kind));
    if (function_.cleanup)
        error(keyword.span(),
              "`" + word + "` may not stand in " + cleanupBody() + ": the function is already being left");
    else if (keyword.kind != K::KwReturn && function_.loops == 0 && function_.knowsLoops)
        error(keyword.span(), "`" + word + "` stands outside of a loop");
}

Stmt* Parser::parseReturnStmt() {
    const Token& keyword = cur();
    checkJump(keyword);
    advance();
    const ArrayRef<ReturnElem> elems = at(K::Semicolon) ? ArrayRef<ReturnElem>() : parseReturnElems();
    expectSemicolon(elems.empty() ? "`return`" : "the returned value");
    auto* stmt = make<ReturnStmt>(from(keyword.begin));
    stmt->elems = elems;
    stmt->keyword = keyword.span();
    return stmt;
}

/// [ NAME '=' ] expr { ',' … }
ArrayRef<ReturnElem> Parser::parseReturnElems() {
    SmallVector<ReturnElem, 4> elems;
    Height height(*this);
    do {
        ReturnElem elem;
        if (atNamedArg()) {
            elem.name = takeIdent();
            advance();
        }
        elem.value = parseExpr();
        height.add();
        elems.push_back(elem);
    } while (accept(K::Comma));
    return keep(elems);
}

Stmt* Parser::parseBreak() {
    const Token& keyword = cur();
    checkJump(keyword);
    advance();
    expectSemicolon("`break`");
    return make<BreakStmt>(from(keyword.begin));
}

Stmt* Parser::parseContinue() {
    const Token& keyword = cur();
    checkJump(keyword);
    advance();
    expectSemicolon("`continue`");
    return make<ContinueStmt>(from(keyword.begin));
}

Stmt* Parser::parseRaise() {
    const Token& keyword = cur();
    if (function_.cleanup)
        error(keyword.span(), "`raise` may not stand in " + cleanupBody() + ": the function is already being left");
    advance();
    Expr* value = parseExpr();
    expectSemicolon("the raised error");
    auto* stmt = make<RaiseStmt>(from(keyword.begin));
    stmt->value = value;
    stmt->keyword = keyword.span();
    return stmt;
}

// ---- cleanup

Stmt* Parser::parseDefer() {
    const SourcePos begin = here();
    advance();
    Expr* body = parseCleanupBody("defer");
    auto* stmt = make<DeferStmt>(from(begin));
    stmt->body = body;
    return stmt;
}

/// `onfail { … }`, `onfail (e) { … }`, `onfail e { … }`, `onfail expr;` (8.6 j)
Stmt* Parser::parseOnFail() {
    const SourcePos begin = here();
    advance();
    Ident binding;
    if (isSingleNameGroup(pos_) && peek(3).kind == K::LBrace) {
        advance();
        binding = takeIdent();
        advance();
    } else if (atIdent() && peek().kind == K::LBrace) {
        binding = takeIdent();
    }
    Expr* body = parseCleanupBody("onfail");
    auto* stmt = make<OnFailStmt>(from(begin));
    stmt->binding = binding;
    stmt->body = body;
    return stmt;
}

/// A block, or an expression and its `;`.
Expr* Parser::parseCleanupBody(const char* keyword) {
    const Restore function(function_);
    function_.cleanup = keyword;
    if (at(K::LBrace)) {
        Expr* block = parseBlock();
        accept(K::Semicolon);
        return block;
    }
    if (atJump()) return parseMisplacedCleanup();
    Expr* expr = parseExpr();
    if (isAssignOp(cur().kind)) {
        failExpected("`;`").help("put a statement in braces: `" + std::string(keyword) + " { … }`");
        return expr;
    }
    if (!accept(K::Semicolon) && !failed_ && !mayOmitSemicolon(expr)) expectSemicolon("this expression");
    return expr;
}

/// `defer return;`: the jump is reported, its statement read and dropped.
Expr* Parser::parseMisplacedCleanup() {
    parseStmt();
    return missingExpr();
}

// ---- directives

Stmt* Parser::parseInsert() {
    const SourcePos begin = here();
    advance();
    Expr* value = parseExpr();
    expectSemicolon("this directive");
    auto* stmt = make<InsertStmt>(from(begin));
    stmt->value = value;
    return stmt;
}

Stmt* Parser::parseErrorStmt() {
    const SourcePos begin = here();
    const StringRef message = parseErrorDirective();
    auto* stmt = make<ErrorStmt>(from(begin));
    stmt->message = message;
    return stmt;
}

Stmt* Parser::parseImportStmt() {
    const SourcePos begin = here();
    advance();
    const StringRef path = expectString("the path of a file in quotes");
    expectSemicolon("this import");
    auto* stmt = make<ImportStmt>(from(begin));
    stmt->path = path;
    return stmt;
}

Stmt* Parser::parseFrameworkStmt() {
    Decl* decl = parseFramework();
    auto* stmt = make<LocalDecl>(decl->span);
    stmt->decl = decl;
    return stmt;
}

/// What stands at the top level only. It is read like there, so that one message is enough.
Stmt* Parser::parseMisplacedItem(const char* what) {
    error(cur().span(), std::string(what) + " stands only at the top level");
    const SourcePos begin = here();
    Decl* decl = at(K::KwPrivate) ? (advance(), nullptr) : parseItem();
    if (!decl && !failed_) return parseStmt();
    auto* stmt = make<LocalDecl>(from(begin));
    stmt->decl = decl;
    return stmt;
}

} // namespace sx
