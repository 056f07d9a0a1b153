// Statements (8.2).
#include "syntax/Grammar.h"

namespace sx {

using namespace ast;

Stmt* parseStmt(Parser& p) {
    p.height = 0;
    switch (p.cur().kind) {
    case K::Ident:
    case K::KwProtocol:
    case K::KwImpl:
    case K::KwUfcs: return parseNamedStmt(p);
    case K::KwF32:
    case K::KwF64: return parseTypeKeywordStmt(p);
    case K::KwIf:
    case K::KwWhile:
    case K::KwFor:
    case K::KwPush:
    case K::KwInline:
    case K::LBrace: return parseBlockLike(p);
    case K::KwReturn: return parseReturnStmt(p);
    case K::KwBreak: return parseBreak(p);
    case K::KwContinue: return parseContinue(p);
    case K::KwDefer: return parseDefer(p);
    case K::KwOnFail: return parseOnFail(p);
    case K::KwRaise: return parseRaise(p);
    case K::DirInsert: return parseInsert(p);
    case K::DirError: return parseErrorStmt(p);
    case K::DirImport: return parseImportStmt(p);
    case K::DirFramework: return parseFrameworkStmt(p);
    case K::KwPrivate: return parseMisplacedItem(p, "`private`");
    case K::DirContextExtend: return parseMisplacedItem(p, "`#context_extend`");
    case K::KwElse: p.fail("this `else` belongs to no `if`"); return nullptr;
    case K::KwCase: p.fail("`case` stands only in a match: `if VALUE == { case … }`"); return nullptr;
    case K::Semicolon: p.fail("there is no empty statement").help("remove this `;`"); return nullptr;
    default: return parseExprStmt(p);
    }
}

/// Whether a list of statements goes on at a token after a mistake.
bool startsStatement(const Parser& p, uint32_t i) {
    const K kind = p.tokens[i].kind;
    if (isIdentLike(kind)) return true;
    switch (kind) {
    case K::KwIf:
    case K::KwWhile:
    case K::KwFor:
    case K::KwBreak:
    case K::KwContinue:
    case K::KwReturn:
    case K::KwDefer:
    case K::KwPush:
    case K::KwInline:
    case K::KwRaise:
    case K::KwTry:
    case K::KwOnFail:
    case K::DirInsert:
    case K::DirRun:
    case K::DirError: return true;
    default: return false;
    }
}

/// IDENT …: the next token decides (8.6 k).
Stmt* parseNamedStmt(Parser& p) {
    switch (p.peek().kind) {
    case K::ColonColon: return parseLocalDecl(p);
    case K::ColonEqual: return parseVarStmt(p);
    case K::Colon: return parseTypedStmt(p);
    default: return parseExprStmt(p);
    }
}

/// `f64.max …`, or a declaration that such a name may not have.
Stmt* parseTypeKeywordStmt(Parser& p) {
    const K next = p.peek().kind;
    if (next != K::ColonEqual && next != K::ColonColon && next != K::Colon) return parseExprStmt(p);
    failTypeKeyword(p, "variable or constant");
    return nullptr;
}

/// `x := e` ends with `;` unless its value ends in a block (8.6 g).
void endInitializer(Parser& p, const Expr* init) {
    if (p.accept(K::Semicolon) || p.failed || mayOmitSemicolon(init)) return;
    expectSemicolon(p, "this declaration");
}

Stmt* parseVarStmt(Parser& p) {
    const Ident name = takeIdent(p);
    p.advance();
    Expr* init = parseExpr(p);
    endInitializer(p, init);
    auto* stmt = p.make<VarStmt>(p.from(name.span));
    stmt->name = name;
    stmt->init = init;
    return stmt;
}

Stmt* parseLocalDecl(Parser& p) {
    const Ident name = takeIdent(p);
    p.advance();
    Decl* decl = parseConst(p, name);
    auto* stmt = p.make<LocalDecl>(p.from(name.span));
    stmt->decl = decl;
    return stmt;
}

/// `x : T …`
Stmt* parseTypedStmt(Parser& p) {
    const Ident name = takeIdent(p);
    Decl* decl = parseTyped(p, name);
    if (p.failed) return nullptr;
    if (auto* var = llvm::dyn_cast<VarDecl>(decl); var && !var->isExtern) {
        auto* stmt = p.make<VarStmt>(decl->span);
        stmt->name = name;
        stmt->type = var->type;
        stmt->init = var->init;
        return stmt;
    }
    auto* stmt = p.make<LocalDecl>(decl->span);
    stmt->decl = decl;
    return stmt;
}

/// Statements that end with a block: no operator or suffix continues them, and they need no `;`.
Stmt* parseBlockLike(Parser& p) {
    Expr* expr = nullptr;
    switch (p.cur().kind) {
    case K::KwIf: expr = parseIf(p, true, false); break;
    case K::KwWhile: expr = parseWhile(p); break;
    case K::KwFor: expr = parseFor(p, false); break;
    case K::KwPush: expr = parsePush(p); break;
    case K::KwInline: expr = parseInline(p, true); break;
    default: expr = parseBlock(p); break;
    }
    if (p.failed) return nullptr;
    if (const auto* choice = llvm::dyn_cast<If>(expr); choice && choice->thenForm) return finishExprStmt(p, expr);
    auto* stmt = p.make<ExprStmt>(expr->span);
    stmt->expr = expr;
    if (p.at(K::Semicolon)) {
        stmt->semicolon = true;
        stmt->semi = p.cur().span();
        p.advance();
        stmt->span = p.from(expr->span);
    }
    return stmt;
}

/// An expression, or an assignment to it.
Stmt* parseExprStmt(Parser& p) {
    Expr* expr = parseExpr(p);
    if (p.failed) return nullptr;
    if (p.at(K::Comma)) return parseMultiTarget(p, expr);
    if (isAssignOp(p.cur().kind)) return parseAssign(p, expr);
    if (p.at(K::ColonEqual) || p.at(K::ColonColon) || p.at(K::Colon)) {
        const uint32_t token = p.pos;
        Diagnostic& made = p.fail("only a name can be declared, not " +
                                  std::string(llvm::isa<Member>(expr) ? "a member" : "an expression"));
        if (!p.diags || !addPhraseHelp(p, made, token)) made.help("`=` assigns to what exists");
        return nullptr;
    }
    return finishExprStmt(p, expr);
}

/// The end of an expression statement: `;`, or nothing before `}` and after a block (8.6 g).
Stmt* finishExprStmt(Parser& p, Expr* expr) {
    auto* stmt = p.make<ExprStmt>(expr->span);
    stmt->expr = expr;
    if (p.at(K::Semicolon)) {
        stmt->semicolon = true;
        stmt->semi = p.cur().span();
        p.advance();
        stmt->span = p.from(expr->span);
    } else if (!p.at(K::RBrace) && !(p.at(K::Eof) && !p.diags) && !mayOmitSemicolon(expr)) {
        expectSemicolon(p, "this expression");
    }
    return stmt;
}

/// At the first `,` of `a, b := e` or `a, b = e, f;`
Stmt* parseMultiTarget(Parser& p, Expr* first) {
    SmallVector<Expr*, 4> targets{first};
    Height height(p);
    height.add();
    while (p.accept(K::Comma)) {
        targets.push_back(parseExpr(p));
        height.add();
    }
    if (p.at(K::ColonEqual)) return parseDestructure(p, targets);
    if (!p.at(K::Equal)) {
        if (isAssignOp(p.cur().kind)) p.fail("several targets take `=` or `:=`, not " + code(spelling(p.cur().kind)));
        else p.failExpected("`:=` or `=` after the targets");
        return nullptr;
    }
    p.advance();
    SmallVector<Expr*, 4> values;
    do {
        values.push_back(parseExpr(p));
        height.add();
    } while (p.accept(K::Comma));
    if (values.size() != targets.size() && !p.failed) {
        Diagnostic& made = p.fail(std::to_string(targets.size()) + " targets are assigned " +
                                  std::to_string(values.size()) + (values.size() == 1 ? " value" : " values"));
        if (values.size() == 1) made.help("to take a result apart into new variables, write `:=`");
        return nullptr;
    }
    expectSemicolon(p, "this assignment");
    auto* stmt = p.make<MultiAssign>(p.from(first->span));
    stmt->targets = p.keep(targets);
    stmt->values = p.keep(values);
    return stmt;
}

/// At the `:=` after several targets.
Stmt* parseDestructure(Parser& p, ArrayRef<Expr*> targets) {
    SmallVector<Ident, 4> names;
    for (const Expr* target : targets) {
        if (const auto* name = llvm::dyn_cast<NameRef>(target)) {
            names.push_back(name->id);
            continue;
        }
        p.fail("`:=` declares new variables, so every target must be a name").note(target->span, "this target is none");
        return nullptr;
    }
    p.advance();
    Expr* init = parseExpr(p);
    if (p.at(K::Comma) && !p.failed) {
        p.fail("`:=` takes one value apart, and this gives several")
            .help("put them into a tuple, `.{ a, b }`, or declare each variable by itself");
        return nullptr;
    }
    endInitializer(p, init);
    auto* stmt = p.make<Destructure>(p.from(targets[0]->span));
    stmt->names = p.keep(names);
    stmt->init = init;
    return stmt;
}

bool isAssignOp(K kind) { return kind == K::Equal || compoundOperator(kind); }

/// At the operator.
Stmt* parseAssign(Parser& p, Expr* target) {
    auto* stmt = p.make<Assign>(target->span);
    stmt->target = target;
    stmt->compound = !p.at(K::Equal);
    if (stmt->compound) stmt->op = *compoundOperator(p.cur().kind);
    stmt->opSpan = p.cur().span();
    Height height(p);
    height.add();
    p.advance();
    stmt->value = parseExpr(p);
    height.add();
    expectSemicolon(p, "this assignment");
    stmt->span = p.from(target->span);
    return stmt;
}

// ---- jumps

std::string cleanupBody(const Parser& p) {
    return std::string_view(p.function.cleanup) == "defer" ? "a `defer` body" : "an `onfail` body";
}

/// A `break` may be one that ends an arm of a match elsewhere.
static void rejectOutsideLoop(Parser& p, const Token& keyword) {
    Diagnostic& made = p.error(keyword.span(), code(spelling(keyword.kind)) + " stands outside of a loop");
    if (p.function.arms == 0 || keyword.kind != K::KwBreak) return;
    if (p.tokens[p.pos - 1].kind == K::Colon) made.help("an arm without code is written `else: {}`");
    else made.help("an arm ends by itself and never falls through: leave the `break` out");
}

/// `return`, `break` and `continue`, as statements or expressions.
void checkJump(Parser& p, const Token& keyword) {
    const std::string word(spelling(keyword.kind));
    if (p.function.cleanup)
        p.error(keyword.span(),
                code(word) + " may not stand in " + cleanupBody(p) + ": the function is already being left");
    else if (keyword.kind != K::KwReturn && p.function.loops == 0 && p.function.knowsLoops)
        rejectOutsideLoop(p, keyword);
}

Stmt* parseReturnStmt(Parser& p) {
    const Token& keyword = p.cur();
    checkJump(p, keyword);
    p.advance();
    const ArrayRef<ReturnElem> elems = p.at(K::Semicolon) ? ArrayRef<ReturnElem>() : parseReturnElems(p);
    expectSemicolon(p, elems.empty() ? "`return`" : "the returned value");
    auto* stmt = p.make<ReturnStmt>(p.from(keyword.begin));
    stmt->elems = elems;
    stmt->keyword = keyword.span();
    return stmt;
}

/// [ NAME '=' ] expr { ',' … }
ArrayRef<ReturnElem> parseReturnElems(Parser& p) {
    SmallVector<ReturnElem, 4> elems;
    Height height(p);
    do {
        ReturnElem elem;
        if (atNamedArg(p)) {
            elem.name = takeIdent(p);
            p.advance();
        }
        elem.value = parseExpr(p);
        height.add();
        elems.push_back(elem);
    } while (p.accept(K::Comma));
    return p.keep(elems);
}

Stmt* parseBreak(Parser& p) {
    const Token& keyword = p.cur();
    checkJump(p, keyword);
    p.advance();
    expectSemicolon(p, "`break`");
    return p.make<BreakStmt>(p.from(keyword.begin));
}

Stmt* parseContinue(Parser& p) {
    const Token& keyword = p.cur();
    checkJump(p, keyword);
    p.advance();
    expectSemicolon(p, "`continue`");
    return p.make<ContinueStmt>(p.from(keyword.begin));
}

Stmt* parseRaise(Parser& p) {
    const Token& keyword = p.cur();
    if (p.function.cleanup)
        p.error(keyword.span(), "`raise` may not stand in " + cleanupBody(p) + ": the function is already being left");
    p.advance();
    Expr* value = parseExpr(p);
    expectSemicolon(p, "the raised error");
    auto* stmt = p.make<RaiseStmt>(p.from(keyword.begin));
    stmt->value = value;
    stmt->keyword = keyword.span();
    return stmt;
}

// ---- cleanup

Stmt* parseDefer(Parser& p) {
    const SourcePos begin = p.here();
    p.advance();
    Expr* body = parseCleanupBody(p, "defer");
    auto* stmt = p.make<DeferStmt>(p.from(begin));
    stmt->body = body;
    return stmt;
}

/// `onfail { … }`, `onfail (e) { … }`, `onfail e { … }`, `onfail expr;` (8.6 j)
Stmt* parseOnFail(Parser& p) {
    const SourcePos begin = p.here();
    p.advance();
    Ident binding;
    if (isSingleNameGroup(p, p.pos) && p.peek(3).kind == K::LBrace) {
        p.advance();
        binding = takeIdent(p);
        p.advance();
    } else if (p.atIdent() && p.peek().kind == K::LBrace) {
        binding = takeIdent(p);
    }
    Expr* body = parseCleanupBody(p, "onfail");
    auto* stmt = p.make<OnFailStmt>(p.from(begin));
    stmt->binding = binding;
    stmt->body = body;
    return stmt;
}

/// A block, or an expression and its `;`.
Expr* parseCleanupBody(Parser& p, const char* keyword) {
    const Restore function(p.function);
    p.function.cleanup = keyword;
    if (p.at(K::LBrace)) {
        Expr* block = parseBlock(p);
        p.accept(K::Semicolon);
        return block;
    }
    if (atJump(p)) return parseMisplacedCleanup(p);
    Expr* expr = parseExpr(p);
    if (isAssignOp(p.cur().kind)) {
        p.failExpected("`;`").help("put a statement in braces: `" + std::string(keyword) + " { … }`");
        return expr;
    }
    if (!p.accept(K::Semicolon) && !p.failed && !mayOmitSemicolon(expr)) expectSemicolon(p, "this expression");
    return expr;
}

/// `defer return;`: the jump is reported, its statement read and dropped.
Expr* parseMisplacedCleanup(Parser& p) {
    parseStmt(p);
    return p.missingExpr();
}

// ---- directives

Stmt* parseInsert(Parser& p) {
    const SourcePos begin = p.here();
    p.advance();
    Expr* value = parseExpr(p);
    expectSemicolon(p, "this directive");
    auto* stmt = p.make<InsertStmt>(p.from(begin));
    stmt->value = value;
    return stmt;
}

Stmt* parseErrorStmt(Parser& p) {
    const SourcePos begin = p.here();
    const StringRef message = parseErrorDirective(p);
    auto* stmt = p.make<ErrorStmt>(p.from(begin));
    stmt->message = message;
    return stmt;
}

Stmt* parseImportStmt(Parser& p) {
    const SourcePos begin = p.here();
    p.advance();
    const StringRef path = expectString(p, "the path of a file in quotes");
    expectSemicolon(p, "this import");
    auto* stmt = p.make<ImportStmt>(p.from(begin));
    stmt->path = path;
    return stmt;
}

Stmt* parseFrameworkStmt(Parser& p) {
    Decl* decl = parseFramework(p);
    auto* stmt = p.make<LocalDecl>(decl->span);
    stmt->decl = decl;
    return stmt;
}

/// What stands at the top level only. It is read like there, so that one message is enough.
Stmt* parseMisplacedItem(Parser& p, const char* what) {
    p.error(p.cur().span(), std::string(what) + " stands only at the top level");
    const SourcePos begin = p.here();
    Decl* decl = p.at(K::KwPrivate) ? (p.advance(), nullptr) : parseItem(p);
    if (!decl && !p.failed) return parseStmt(p);
    auto* stmt = p.make<LocalDecl>(p.from(begin));
    stmt->decl = decl;
    return stmt;
}

} // namespace sx
