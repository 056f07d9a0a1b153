// What can be run, and links in a text.
#include "server/features/Features.h"
#include "server/features/Syntax.h"
#include "server/text/Uri.h"
#include "syntax/Tests.h"

#include "llvm/ADT/STLExtras.h"

namespace sx::server {

Reply codeLenses(Workspace& workspace, const json::Object& params) {
    std::string path = documentPath(params);
    std::unique_ptr<Syntax> s = readSyntax(workspace, path);
    if (!s || !workspace.settings().lenses) return {json::Array{}};
    json::Array all;
    const std::vector<const ast::FunctionDecl*> tests = testsOf(s->tree, s->ast.names).tests;
    for (const ast::Decl* d : s->tree.items) {
        const auto* f = llvm::dyn_cast_or_null<ast::FunctionDecl>(d);
        if (!f || !f->name) continue;
        std::string name(s->ast.names.text(f->name.name));
        if (name != "main" && !llvm::is_contained(tests, f)) continue;
        for (auto [title, command] : {std::pair("Run", "sx.run"), std::pair("Debug", "sx.debug")}) {
            json::Object argument{{"uri", json::fixUTF8(uriOfPath(path))}, {"name", name}};
            json::Object action{
                {"title", title}, {"command", command}, {"arguments", json::Array{std::move(argument)}}};
            all.push_back(json::Object{{"range", toJson(s->range(f->name.span))}, {"command", std::move(action)}});
        }
    }
    return {std::move(all)};
}

Reply documentLinks(Workspace& workspace, const json::Object& params) {
    View* view = workspace.view(documentPath(params));
    if (!view || !view->program().fileOf(view->path())) return {json::Array{}};
    json::Array all;
    for (const auto& file : view->program().sema->program.files) {
        if (file->id != view->file()) continue;
        for (const ImportUse& import : view->names(file->id).imports) {
            const sema::ModuleUnit* unit = nullptr;
            for (const sema::ImportEdge& edge : file->flatImports)
                if (edge.decl == import.decl) unit = edge.module;
            for (const sema::Symbol* symbol : file->order)
                if (symbol->decl == import.decl) unit = symbol->module;
            if (!unit || unit->files.empty() || unit->isDirectory) continue;
            all.push_back(
                json::Object{{"range", toJson(view->range(import.at))},
                             {"target", json::fixUTF8(uriOfPath(view->program().pathOf(unit->files.front()->id)))}});
        }
    }
    return {std::move(all)};
}

} // namespace sx::server
