#include "server/features/CallAround.h"

#include "server/features/Targets.h"

namespace sx::server {

namespace {

struct Open {
    size_t token;
    unsigned commas = 0;
    size_t argument = 0;
};

/// The brackets that are open at a place.
std::vector<Open> openAt(const Syntax& s, uint32_t offset) {
    std::vector<Open> stack;
    for (size_t i = 0; i < s.tokens.size() && s.offset(s.tokens[i].begin) < offset; ++i) {
        TokenKind kind = s.tokens[i].kind;
        if (kind == TokenKind::LParen || kind == TokenKind::LBracket || kind == TokenKind::LBrace)
            stack.push_back({i, 0, i + 1});
        else if (kind == TokenKind::RParen || kind == TokenKind::RBracket || kind == TokenKind::RBrace) {
            if (!stack.empty()) stack.pop_back();
        } else if (kind == TokenKind::Comma && !stack.empty()) {
            ++stack.back().commas;
            stack.back().argument = i + 1;
        } else if (kind == TokenKind::Semicolon) {
            while (!stack.empty() && s.tokens[stack.back().token].kind != TokenKind::LBrace) stack.pop_back();
        }
    }
    return stack;
}

/// The names of named arguments behind a parenthesis.
std::set<std::string> namesBehind(const Syntax& s, size_t open) {
    std::set<std::string> names;
    int depth = 0;
    for (size_t i = open; i + 1 < s.tokens.size(); ++i) {
        TokenKind kind = s.tokens[i].kind;
        if (kind == TokenKind::LParen || kind == TokenKind::LBracket || kind == TokenKind::LBrace) ++depth;
        if (kind == TokenKind::RParen || kind == TokenKind::RBracket || kind == TokenKind::RBrace) --depth;
        if (depth == 0 || kind == TokenKind::Semicolon) break;
        bool begins = s.tokens[i - 1].kind == TokenKind::Comma || i == open + 1;
        if (depth == 1 && begins && isIdentLike(kind) && s.tokens[i + 1].kind == TokenKind::Equal)
            names.insert(std::string(s.textOf(s.tokens[i].span())));
    }
    return names;
}

} // namespace

std::optional<CallAround> callAround(const Syntax& s, uint32_t offset) {
    std::vector<Open> stack = openAt(s, offset);
    while (!stack.empty()) {
        Open open = stack.back();
        stack.pop_back();
        if (s.tokens[open.token].kind == TokenKind::LBrace) return std::nullopt;
        if (s.tokens[open.token].kind != TokenKind::LParen || open.token == 0) continue;
        size_t name = open.token - 1;
        if (!isIdentLike(s.tokens[name].kind)) continue;
        CallAround call{name, open.token, open.commas};
        if (open.argument + 1 < s.tokens.size() && s.tokens[open.argument + 1].kind == TokenKind::Equal)
            call.named = std::string(s.textOf(s.tokens[open.argument].span()));
        call.before = namesBehind(s, open.token);
        return call;
    }
    return std::nullopt;
}

const Declaration* calledFunction(View& view, const Syntax& s, const CallAround& call) {
    const Token& name = s.tokens[call.name];
    const Named* named = view.nameAt(view.posOf(s.offset(name.begin)));
    if (named && named->target.isValid())
        if (const Declaration* d = view.declarationAt(throughAliases(view, named->target))) return d;
    Name wanted = view.program().ast.names.intern(s.textOf(name.span()));
    SourcePos at = view.posOf(s.offset(name.begin));
    const Declaration* other = nullptr;
    for (const auto& file : view.program().sema->program.files)
        for (const Declaration& d : view.names(file->id).declarations) {
            if (d.name != wanted) continue;
            if (d.function && d.kind != DeclaredKind::Parameter) return &d;
            bool isSeen = !d.scope.isValid() || (d.scope.begin <= at && at <= d.scope.end);
            if (isSeen) other = &d;
        }
    return other;
}

bool takesReceiver(View& view, const Syntax& s, const CallAround& call, const Declaration& d) {
    bool isMethodCall = call.name > 0 && s.tokens[call.name - 1].kind == TokenKind::Dot;
    if (!isMethodCall || !d.function || d.function->params.empty()) return false;
    return d.function->isUfcs || (d.kind == DeclaredKind::Method &&
                                  view.program().ast.names.text(d.function->params.front().name.name) == "self");
}

} // namespace sx::server
