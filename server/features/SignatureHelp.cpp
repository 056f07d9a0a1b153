// The parameters of the call around a place.
#include "server/features/CallAround.h"
#include "server/features/Describe.h"
#include "server/features/Features.h"
#include "types/TypeNames.h"

namespace sx::server {

namespace {

/// What is called, as a client shows it: `label`, and in it the texts of the parameters.
struct Signature {
    std::string label{}, comment{};
    std::vector<std::string> parameters{};
    int64_t active = 0;
};

Signature ofFunction(View& view, const Syntax& s, const CallAround& call, const Declaration& d) {
    const ast::FunctionDecl& f = *d.function;
    Signature made{signatureOf(view, d), commentOf(view, d)};
    made.active = call.argument + (takesReceiver(view, s, call, d) ? 1 : 0);
    for (size_t i = 0; i < f.params.size(); ++i) {
        std::string written = inOneLine(view.textOf(f.params[i].span));
        if (made.label.find('`') == std::string::npos) std::erase(written, '`'); // as in a function of C
        made.parameters.push_back(std::move(written));
        if (!call.named.empty() && view.program().ast.names.text(f.params[i].name.name) == call.named)
            made.active = static_cast<int64_t>(i);
    }
    if (!f.params.empty() && made.active >= static_cast<int64_t>(f.params.size()) && f.params.back().variadic)
        made.active = static_cast<int64_t>(f.params.size()) - 1;
    return made;
}

/// A generic struct, which is called with types; a variant, with its payload.
std::optional<Signature> ofType(View& view, const CallAround& call, const Declaration& d) {
    std::string name(view.program().ast.names.text(d.name));
    Signature made{name + "(", commentOf(view, d)};
    made.active = call.argument;
    if (const auto* s = llvm::dyn_cast_or_null<ast::StructDecl>(d.decl)) {
        for (const ast::TypeParamDecl& p : s->typeParams) made.parameters.push_back(inOneLine(view.textOf(p.span)));
    } else if (d.kind == DeclaredKind::Variant && d.type) {
        made.label = "." + made.label;
        made.parameters.push_back(inOneLine(view.textOf(d.type->span)));
    }
    if (made.parameters.empty()) return std::nullopt;
    for (const std::string& p : made.parameters) made.label += (made.label.back() == '(' ? "" : ", ") + p;
    made.label += ")";
    return made;
}

/// A variable that holds a function or a closure.
std::optional<Signature> ofValue(View& view, const CallAround& call, const Declaration& d) {
    const sema::Symbol* symbol = view.symbolOf(d);
    const TypeTable& types = view.program().types;
    TypeKind kind = symbol ? types.kind(symbol->type) : TypeKind::Void;
    if (kind != TypeKind::Closure && kind != TypeKind::Function) return std::nullopt;
    Signature made{signatureOf(view, d), commentOf(view, d)};
    made.active = call.argument;
    for (TypeId p : types.functionInfo(symbol->type).params) made.parameters.push_back(writtenName(types, p));
    return made;
}

std::optional<Signature> signatureFor(View& view, const Syntax& s, const CallAround& call) {
    const Declaration* d = calledFunction(view, s, call);
    if (!d) return std::nullopt;
    if (d->function && d->kind != DeclaredKind::Parameter) return ofFunction(view, s, call, *d);
    if (std::optional<Signature> type = ofType(view, call, *d)) return type;
    return ofValue(view, call, *d);
}

} // namespace

Reply signatureHelp(Workspace& workspace, const json::Object& params) {
    View* view = workspace.view(documentPath(params));
    std::optional<Position> position = readPosition(params.getObject("position"));
    std::unique_ptr<Syntax> s = readSyntax(workspace, documentPath(params));
    if (!view || !position || !s || !view->program().fileOf(view->path())) return {};
    std::optional<CallAround> call = callAround(*s, s->lines->offset(*position));
    std::optional<Signature> found = call ? signatureFor(*view, *s, *call) : std::nullopt;
    if (!found) return {};
    json::Array parameters;
    for (const std::string& p : found->parameters) parameters.push_back(json::Object{{"label", json::fixUTF8(p)}});
    json::Object signature{{"label", json::fixUTF8(found->label)}, {"parameters", std::move(parameters)}};
    if (!found->comment.empty()) signature["documentation"] = json::fixUTF8(found->comment);
    json::Object help{{"signatures", json::Array{std::move(signature)}}, {"activeSignature", 0}};
    if (found->active < static_cast<int64_t>(found->parameters.size())) help["activeParameter"] = found->active;
    return {std::move(help)};
}

} // namespace sx::server
