#include "debugger/session/Console.h"

#include "debugger/session/Evaluation.h"
#include "syntax/Lexer.h"
#include "syntax/Parser.h"
#include "types/Layout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace sx::debugger {

uint64_t Console::allocate(Engine& engine, uint64_t bytes) {
    constexpr uint64_t Block = uint64_t{64} << 10, Align = 16;
    bytes = (std::max<uint64_t>(bytes, 1) + Align - 1) / Align * Align;
    if (bytes > left_) {
        uint64_t size = std::max(bytes, Block), at = engine.allocate(size);
        if (at == 0 || size == bytes) return at;
        at_ = at;
        left_ = size;
    }
    left_ -= bytes;
    return std::exchange(at_, at_ + bytes);
}

// ---- reading

namespace {

/// A text as tokens.
struct Tokens {
    explicit Tokens(const std::string& text) {
        FileId file = sources.addFile("(console)", "(console)", text);
        start = sources.start(file);
        all = lexFile(sources, file, names);
    }
    size_t offset(const Token& t) const { return t.begin.raw - start.raw; }

    SourceManager sources;
    NameTable names{knownNames()};
    SourcePos start;
    std::vector<Token> all;
};

/// A name as long as `$` and the digits that no name in the text is.
std::string freeName(const Tokens& tokens, llvm::StringRef digits) {
    for (char first : llvm::StringRef("_abcdefghijklmnopqrstuvwxyz")) {
        std::string name = first + digits.str();
        if (llvm::none_of(tokens.all, [&](const Token& t) {
                return t.kind == TokenKind::Ident && tokens.names.text(t.name()) == name;
            }))
            return name;
    }
    return "_" + digits.str();
}

} // namespace

Result<ConsoleText> readAtConsole(const Console& console, const std::string& text) {
    ConsoleText read{text, console.variables};
    if (text.find('$') == std::string::npos) return read;
    Tokens tokens(text);
    for (const Token& t : tokens.all) {
        if (t.kind != TokenKind::Dollar) continue;
        size_t at = tokens.offset(t);
        llvm::StringRef digits = llvm::StringRef(text).drop_front(at + 1).take_while(llvm::isDigit);
        if (digits.empty()) continue;
        size_t number = 0;
        if (digits.getAsInteger(10, number) || number == 0 || number > console.results.size())
            return Failure{"there is no result " + code("$" + digits.str())};
        Engine::GivenPlace result = console.results[number - 1];
        result.name = freeName(tokens, digits);
        result.isInnermost = true;
        read.text.replace(at, result.name.size(), result.name);
        read.given.push_back(std::move(result));
    }
    return read;
}

std::string ConsoleText::told(std::string message) const {
    for (const Engine::GivenPlace& g : given) {
        if (!g.isInnermost) continue;
        std::string from = code(g.name), to = code("$" + g.name.substr(1));
        for (size_t at = 0; (at = message.find(from, at)) != std::string::npos; at += to.size())
            message.replace(at, from.size(), to);
    }
    return message;
}

namespace {

/// Statements as a tree, which may be null. `end`: of the last one.
struct Statements {
    explicit Statements(llvm::StringRef text, const char* end = ";") {
        text = text.rtrim("; \t\n");
        Diagnostics diags;
        FileId file = sources.addFile("(console)", "(console)", "{ " + text.str() + "\n" + end + " }");
        const ast::Expr* tree = parseExpression(sources, file, ast, diags);
        if (!diags.hasErrors()) block = llvm::dyn_cast_or_null<ast::BlockExpr>(tree);
    }
    SourceManager sources;
    AstContext ast;
    const ast::BlockExpr* block = nullptr;
};

} // namespace

static bool assignsNothing(const ast::BlockExpr& block) {
    return llvm::any_of(block.stmts, [](const ast::Stmt* s) {
        const auto* assign = llvm::dyn_cast<ast::Assign>(s);
        const auto* expression = llvm::dyn_cast<ast::ExprStmt>(s);
        const auto* inner = expression ? llvm::dyn_cast<ast::BlockExpr>(expression->expr) : nullptr;
        return (assign && llvm::isa<ast::UndefLit>(ast::withoutParens(assign->value))) ||
               (inner && assignsNothing(*inner));
    });
}

bool assignsNothing(const std::string& text) {
    if (text.find("---") == std::string::npos) return false;
    Statements statements(text);
    return statements.block && assignsNothing(*statements.block);
}

bool endsInDeclaration(const std::string& text) {
    for (const char* end : {";", ""}) { // a body in braces ends it, too
        Statements statements(text, end);
        if (!statements.block || statements.block->stmts.empty()) continue;
        const auto* last = llvm::dyn_cast<ast::LocalDecl>(statements.block->stmts.back());
        return last && !llvm::isa<ast::ConstDecl, ast::VarDecl>(last->decl);
    }
    return false;
}

/// Code takes the number of an error that has to fit nothing. At the console the error is meant.
static bool isErrorTag(const ast::Expr* type, const ast::Expr* value) {
    return !type && value && llvm::isa<ast::ErrorTag>(ast::withoutParens(value));
}

std::vector<Declared> declarationsIn(const std::string& text) {
    Statements statements(text);
    std::vector<Declared> found;
    if (!statements.block) return found;
    auto add = [&](const ast::Ident& name, bool isConstant, bool isError) {
        std::string text(statements.ast.names.text(name.name));
        bool isNew = llvm::none_of(found, [&](const Declared& d) { return d.name == text; });
        if (text != "_" && isNew) found.push_back({std::move(text), isConstant, isError});
    };
    for (const ast::Stmt* s : statements.block->stmts) {
        if (const auto* variable = llvm::dyn_cast<ast::VarStmt>(s))
            add(variable->name, false, isErrorTag(variable->type, variable->init));
        if (const auto* several = llvm::dyn_cast<ast::Destructure>(s))
            for (const ast::Ident& name : several->names) add(name, false, false);
        const auto* local = llvm::dyn_cast<ast::LocalDecl>(s);
        const auto* constant = local ? llvm::dyn_cast<ast::ConstDecl>(local->decl) : nullptr;
        if (constant) add(constant->name, true, isErrorTag(constant->type, constant->value));
    }
    return found;
}

// ---- keeping

Result<Engine::GivenPlace> keepValue(Session& s, const Datum& value) {
    Result<std::vector<uint8_t>> bytes = bytesOf(s, value);
    if (!bytes) return bytes.failure();
    SessionHost host(s);
    if (Result<void> settled = Transfer(s.evaluator->memory(), s.evaluator->addresses(), &host).settle(*bytes);
        !settled)
        return settled.failure();
    Engine::GivenPlace place;
    place.type = value.type;
    place.address = s.console.allocate(*s.engine, bytes->size());
    if (place.address == 0) return Failure{"the program has no room for it"};
    if (!bytes->empty() && !s.evaluator->memory().program.writeApart(place.address, *bytes))
        return Failure{"the program's memory cannot be written"};
    return place;
}

/// Neither nothing, nor a type that no variable has.
static bool canBeKept(const Session& s, const Datum& value) {
    return value.place != Datum::Place::Nowhere && value.missing.empty() && value.type != TypeId::Void &&
           value.type != TypeId::NoReturn && value.type != TypeId::InferredErrors &&
           sizeOf(s.program->types, value.type) > 0;
}

/// The number of an error, as the error.
static void readAsError(Datum& number) {
    if (number.type == TypeId::U32) number.type = TypeId::InferredErrors;
}

void keepResult(Session& s, Datum& value, std::shared_ptr<const Engine::Reading> reading) {
    constexpr uint64_t MostBytes = uint64_t{1} << 20;
    if (!s.evaluator || !canBeKept(s, value) || sizeOf(s.program->types, value.type) > MostBytes) return;
    Result<Engine::GivenPlace> place = keepValue(s, value);
    if (!place) return;
    if (value.place == Datum::Place::Hand && Transfer::refersToOwn(value.bytes))
        if (Result<std::vector<uint8_t>> kept = bytesOf(s, Datum::at(place->type, place->address)))
            value.bytes.assign(kept->begin(), kept->end());
    place->reading = std::move(reading);
    s.console.results.push_back(std::move(*place));
}

Result<Datum> declareVariables(Session& s, const std::vector<Declared>& all, const Datum& value,
                               const std::vector<std::shared_ptr<const Engine::Reading>>& readings) {
    std::vector<Child> parts;
    if (all.size() == 1) parts.push_back({all.front().name, value, ""});
    else parts = valuesOf(s).children(value, "", {0, all.size()});
    if (parts.size() != all.size()) return Failure{"the declaration has failed: " + valuesOf(s).text(value)};
    for (size_t i = 0; i < all.size(); ++i) {
        const Declared& d = all[i];
        if (!canBeKept(s, parts[i].datum)) return Failure{code(d.name) + " has no value that could be kept"};
        if (d.isError) readAsError(parts[i].datum);
        Result<Engine::GivenPlace> place = keepValue(s, parts[i].datum);
        if (!place) return place.failure();
        place->name = d.name;
        place->isConstant = d.isConstant;
        place->reading = readings[i];
        llvm::erase_if(s.console.variables, [&](const Engine::GivenPlace& old) { return old.name == d.name; });
        s.console.variables.push_back(*place);
    }
    const Engine::GivenPlace& last = s.console.variables.back();
    return all.size() == 1 ? Datum::at(last.type, last.address) : Datum::held(TypeId::Void, {});
}

} // namespace sx::debugger
