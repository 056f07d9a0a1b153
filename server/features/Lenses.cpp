// What can be run, and links in a text.
#include "server/features/Features.h"
#include "server/features/Syntax.h"
#include "server/text/Uri.h"
#include "source/Files.h"
#include "source/Paths.h"
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

/// The headers and C sources that a file names: those beside it or in its open folder, not those of the system.
static void addHeaders(View& view, const std::string& root, const sema::SourceFile& file, json::Array& all) {
    for (const ast::Decl* d : file.tree.items) {
        const auto* c = llvm::dyn_cast_or_null<ast::ImportCDecl>(d);
        if (!c) continue;
        for (const ast::ImportCDecl::Entry& e : c->entries) {
            bool isPath = e.kind == ast::ImportCDecl::Kind::Include || e.kind == ast::ImportCDecl::Kind::Source;
            std::string path = joinPath(directoryOf(view.path()), std::string(e.text));
            if (!isFile(path)) path = joinPath(root, std::string(e.text));
            if (!isPath || e.span.end.raw < e.span.begin.raw + 2 || !isFile(path)) continue;
            Span inside{e.span.begin + 1, SourcePos{e.span.end.raw - 1}};
            all.push_back(
                json::Object{{"range", toJson(view.range(inside))}, {"target", json::fixUTF8(uriOfPath(path))}});
        }
    }
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
        addHeaders(*view, workspace.rootOf(view->path()), *file, all);
    }
    return {std::move(all)};
}

} // namespace sx::server
