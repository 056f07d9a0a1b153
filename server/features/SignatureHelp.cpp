// The parameters of the call around a place.
#include "server/features/Describe.h"
#include "server/features/Features.h"
#include "server/features/Syntax.h"

namespace sx::server {

namespace {

/// The call that a place stands in, by tokens.
struct CallAround {
    size_t name = 0;       ///< the token with the name
    unsigned argument = 0; ///< commas before the place
    std::string named{};   ///< `name =` of the argument
    bool isPiped = false;
};

std::optional<CallAround> callAround(const Syntax& s, uint32_t offset) {
    struct Open {
        size_t token;
        unsigned commas = 0;
        size_t argument = 0;
    };
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
    while (!stack.empty()) {
        Open open = stack.back();
        stack.pop_back();
        if (s.tokens[open.token].kind == TokenKind::LBrace) return std::nullopt;
        if (s.tokens[open.token].kind != TokenKind::LParen || open.token == 0) continue;
        size_t name = open.token - 1;
        if (!isIdentLike(s.tokens[name].kind)) continue;
        CallAround call{name, open.commas};
        if (open.argument + 1 < s.tokens.size() && s.tokens[open.argument + 1].kind == TokenKind::Equal)
            call.named = std::string(s.textOf(s.tokens[open.argument].span()));
        return call;
    }
    return std::nullopt;
}

/// A declaration that the name of a call may mean, where the code around could not be checked.
const Declaration* byName(View& view, std::string_view name) {
    Name wanted = view.program().ast.names.intern(name);
    for (const auto& file : view.program().sema->program.files)
        for (const Declaration& d : view.names(file->id).declarations)
            if (d.name == wanted && d.function && d.kind != DeclaredKind::Parameter) return &d;
    return nullptr;
}

} // namespace

Reply signatureHelp(Workspace& workspace, const json::Object& params) {
    View* view = workspace.view(documentPath(params));
    std::optional<Position> position = readPosition(params.getObject("position"));
    std::unique_ptr<Syntax> s = readSyntax(workspace, documentPath(params));
    if (!view || !position || !s || !view->program().fileOf(view->path())) return {};
    std::optional<CallAround> call = callAround(*s, s->lines->offset(*position));
    if (!call) return {};
    const Token& name = s->tokens[call->name];
    const Named* named = view->nameAt(view->posOf(s->offset(name.begin)));
    const Declaration* d = named && named->target.isValid() ? view->declarationAt(named->target) : nullptr;
    if (!d) d = byName(*view, s->textOf(name.span()));
    if (!d || !d->function) return {};
    const ast::FunctionDecl& f = *d->function;
    bool isMethodCall = call->name > 0 && s->tokens[call->name - 1].kind == TokenKind::Dot;
    bool takesReceiver = isMethodCall && !f.params.empty() &&
                         (f.isUfcs || (d->kind == DeclaredKind::Method &&
                                       view->program().ast.names.text(f.params.front().name.name) == "self"));
    json::Array parameters;
    int64_t active = call->argument + (takesReceiver ? 1 : 0);
    for (size_t i = 0; i < f.params.size(); ++i) {
        const ast::Param& p = f.params[i];
        parameters.push_back(json::Object{{"label", json::fixUTF8(inOneLine(view->textOf(p.span)))}});
        if (!call->named.empty() && view->program().ast.names.text(p.name.name) == call->named)
            active = static_cast<int64_t>(i);
    }
    if (!f.params.empty() && active >= static_cast<int64_t>(f.params.size()) && f.params.back().variadic)
        active = static_cast<int64_t>(f.params.size()) - 1;
    json::Object signature{{"label", json::fixUTF8(signatureOf(*view, *d))}, {"parameters", std::move(parameters)}};
    if (std::string comment = commentOf(*view, *d); !comment.empty())
        signature["documentation"] = json::fixUTF8(comment);
    return {json::Object{
        {"signatures", json::Array{std::move(signature)}}, {"activeSignature", 0}, {"activeParameter", active}}};
}

} // namespace sx::server
