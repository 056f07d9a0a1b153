#include "server/program/Importers.h"

#include "source/Paths.h"

#include "llvm/ADT/StringRef.h"

#include <map>

namespace sx::server {

namespace {

/// What a path in an import may mean, as a folder or a file.
void addMeant(std::set<std::string>& out, const std::string& base, const std::string& path) {
    std::string whole = normalizePath(joinPath(base, path));
    out.insert(whole);
    out.insert(whole + ".sx");
}

std::set<std::string> importsOf(Workspace& workspace, const std::string& path, llvm::StringRef text) {
    std::set<std::string> found;
    constexpr llvm::StringLiteral Directive = "#import";
    for (size_t at = text.find(Directive); at != llvm::StringRef::npos; at = text.find(Directive, at + 1)) {
        llvm::StringRef rest = text.drop_front(at + Directive.size()).ltrim();
        if (!rest.consume_front("\"")) continue;
        std::string named = rest.take_until([](char c) { return c == '"' || c == '\n'; }).str();
        addMeant(found, directoryOf(path), named);
        addMeant(found, workspace.rootOf(path), named);
    }
    return found;
}

} // namespace

std::vector<std::string> programsWith(Workspace& workspace, const std::set<std::string>& files) {
    std::map<std::string, std::set<std::string>> imports;
    std::set<std::string> imported, reached = files;
    for (const std::string& path : workspace.files())
        if (const std::string* text = workspace.text(path)) imports[path] = importsOf(workspace, path, *text);
    auto hasOne = [](const std::set<std::string>& all, const std::string& path) {
        return all.count(path) || all.count(directoryOf(path));
    };
    for (bool grows = true; grows;) {
        grows = false;
        std::set<std::string> folders; // an import of a folder has all its files
        for (const std::string& path : reached) folders.insert(directoryOf(path));
        for (const auto& [path, all] : imports) {
            if (reached.count(path)) continue;
            for (const std::string& one : all)
                if (reached.count(one) || folders.count(one)) {
                    grows = reached.insert(path).second;
                    break;
                }
        }
    }
    for (const auto& [path, all] : imports)
        for (const std::string& one : all) imported.insert(one);
    std::vector<std::string> found;
    for (const std::string& path : reached)
        if (imports.count(path) && !hasOne(imported, path)) found.push_back(path);
    return found;
}

} // namespace sx::server
