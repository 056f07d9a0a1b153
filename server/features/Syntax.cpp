#include "server/features/Syntax.h"

namespace sx::server {

std::unique_ptr<Syntax> readSyntax(Workspace& workspace, const std::string& path) {
    const std::string* text = workspace.text(path);
    if (!text) return nullptr;
    auto made = std::make_unique<Syntax>();
    made->file = made->sources.addFile(path, path, *text);
    made->tree = parseFile(made->sources, made->file, made->ast, made->diags);
    made->tokens = lexFile(made->sources, made->file, made->ast.names);
    made->lines = std::make_unique<LineTable>(made->text(), workspace.settings().encoding);
    return made;
}

} // namespace sx::server
