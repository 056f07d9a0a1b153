#include "server/features/CHeaders.h"

#include "server/features/References.h"
#include "source/Files.h"
#include "source/Paths.h"

#include <set>
#include <vector>

namespace sx::server {

namespace {

constexpr size_t MostHeaders = 200;

/// Visits what `#import c` names in the files of the program that are not the library's.
template <typename Visit> void forEachCFile(Workspace& workspace, View& view, Visit visit) {
    for (const auto& file : view.program().sema->program.files) {
        if (file->isForeign) continue;
        for (const ast::Decl* d : file->tree.items) {
            const auto* c = llvm::dyn_cast_or_null<ast::ImportCDecl>(d);
            if (!c) continue;
            const std::string importer = view.program().pathOf(file->id);
            for (const ast::ImportCDecl::Entry& e : c->entries) {
                bool isPath = e.kind == ast::ImportCDecl::Kind::Include || e.kind == ast::ImportCDecl::Kind::Source;
                std::string path = normalizePath(joinPath(directoryOf(importer), std::string(e.text)));
                if (!isFile(path)) path = normalizePath(joinPath(workspace.rootOf(importer), std::string(e.text)));
                if (isPath && isFile(path)) visit(e, path);
            }
        }
    }
}

/// The comment that ends on the line above an offset, or the lines of it.
std::string commentAbove(llvm::StringRef text, size_t offset) {
    size_t line = text.rfind('\n', offset);
    if (line == llvm::StringRef::npos) return "";
    llvm::StringRef above = text.take_front(line).rtrim(" \t\r");
    std::string comment;
    if (above.ends_with("*/")) {
        size_t begin = above.rfind("/*");
        if (begin == llvm::StringRef::npos) return "";
        llvm::SmallVector<llvm::StringRef> lines;
        above.drop_front(begin + 2).drop_back(2).split(lines, '\n');
        for (llvm::StringRef l : lines) {
            llvm::StringRef shown = l.trim().ltrim('*').trim();
            if (!shown.empty()) comment += (comment.empty() ? "" : "\n") + shown.str();
        }
        return comment;
    }
    while (!above.empty()) {
        auto [rest, last] = above.contains('\n') ? above.rsplit('\n') : std::pair(llvm::StringRef(), above);
        llvm::StringRef shown = last.trim();
        if (!shown.consume_front("//")) break;
        comment = shown.ltrim('/').trim().str() + (comment.empty() ? "" : "\n") + comment;
        above = rest;
    }
    return comment;
}

/// Where a header declares a name: before a parenthesis if it does so anywhere, else where it stands first.
size_t declaredIn(llvm::StringRef text, llvm::StringRef name) {
    size_t first = llvm::StringRef::npos;
    anyWord(text, name, [&](size_t at) {
        llvm::StringRef line = text.take_front(at).rsplit('\n').second;
        if (line.contains("//") || line.ltrim().starts_with("*") || line.ltrim().starts_with("/*")) return false;
        bool isCallable = text.drop_front(at + name.size()).ltrim().starts_with("(");
        if (isCallable || first == llvm::StringRef::npos) first = at;
        return isCallable;
    });
    return first;
}

/// The headers that a header includes by a path from its own folder.
void addIncluded(llvm::StringRef text, const std::string& path, std::vector<std::string>& out) {
    for (size_t at = text.find("#include \""); at != llvm::StringRef::npos; at = text.find("#include \"", at + 1)) {
        llvm::StringRef name = text.drop_front(at + 10).take_until([](char c) { return c == '"' || c == '\n'; });
        out.push_back(normalizePath(joinPath(directoryOf(path), name.str())));
    }
}

} // namespace

std::optional<HeaderPlace> headerPlace(Workspace& workspace, View& view, const Declaration& d) {
    const Analysis& program = view.program();
    const sema::SourceFile* file = program.sourceFile(program.sources.fileOf(d.nameSpan.begin));
    if (!file || !file->isForeign) return std::nullopt;
    std::vector<std::string> headers;
    forEachCFile(workspace, view, [&](const ast::ImportCDecl::Entry& e, const std::string& path) {
        if (e.kind == ast::ImportCDecl::Kind::Include) headers.push_back(path);
    });
    const std::string name(view.program().ast.names.text(d.name));
    std::set<std::string> seen;
    for (size_t i = 0; i < headers.size() && i < MostHeaders; ++i) {
        const std::string path = headers[i];
        const std::string* text = seen.insert(path).second ? workspace.text(path) : nullptr;
        if (!text) continue;
        addIncluded(*text, path, headers);
        size_t at = declaredIn(*text, name);
        if (at == llvm::StringRef::npos) continue;
        LineTable lines(*text, view.encoding());
        auto begin = static_cast<uint32_t>(at);
        return HeaderPlace{path, lines.range(begin, begin + static_cast<uint32_t>(name.size())),
                           commentAbove(*text, at)};
    }
    return std::nullopt;
}

std::optional<std::string> cFileAt(Workspace& workspace, View& view, SourcePos pos) {
    std::optional<std::string> found;
    forEachCFile(workspace, view, [&](const ast::ImportCDecl::Entry& e, const std::string& path) {
        if (e.span.begin <= pos && pos < e.span.end) found = path;
    });
    return found;
}

} // namespace sx::server
