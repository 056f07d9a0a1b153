// The texts that the client holds, and what it says of files.
#include "server/session/Server.h"
#include "server/text/Uri.h"
#include "source/Files.h"

#include <algorithm>

namespace sx::server {

/// Whoever shows something about the program of this text has to look again.
void Server::textChanged(const std::string& path) {
    bool othersDepend = false;
    for (const auto& [open, document] : documents_) {
        const std::set<std::string>* files = workers_.filesOf(open);
        bool depends = open == path || (files && files->count(path));
        othersDepend |= depends && open != path;
        if (depends && !settings_.pullsDiagnostics) undiagnosed_.insert(open);
    }
    for (const std::string& givenUp : workers_.changed({path}))
        if (documents_.count(givenUp)) undiagnosed_.insert(givenUp);
    if (othersDepend) refresh();
}

void Server::opened(Params params) {
    const json::Object* given = params.getObject("textDocument");
    if (!given || !given->getString("uri")) return;
    std::string uri = given->getString("uri")->str(), path = pathOfUri(uri);
    bool isNew = !documents_.count(path) && !isFile(path);
    Document& document = documents_[path];
    document.uri = uri;
    document.version = given->getInteger("version").value_or(0);
    document.text = given->getString("text").value_or("").str();
    if (isNew) fileSetChanged();
    else textChanged(path);
}

void Server::changed(Params params) {
    std::string path = documentPath(params);
    auto found = documents_.find(path);
    const json::Array* changes = params.getArray("contentChanges");
    if (found == documents_.end() || !changes) return;
    const json::Value* version = memberAt(params, {"textDocument", "version"});
    if (version) found->second.version = version->getAsInteger().value_or(found->second.version);
    for (const json::Value& v : *changes) {
        const json::Object* o = v.getAsObject();
        if (!o || !o->getString("text")) continue;
        Change change{std::nullopt, o->getString("text")->str()};
        if (o->getObject("range")) {
            change.range = readRange(o->getObject("range"));
            if (!change.range) continue;
        }
        applyChange(found->second.text, change, settings_.encoding);
    }
    textChanged(path);
}

void Server::closed(Params params) {
    std::string path = documentPath(params);
    auto found = documents_.find(path);
    if (found == documents_.end()) return;
    std::string uri = found->second.uri;
    documents_.erase(found);
    undiagnosed_.erase(path);
    tokens_.erase(path);
    if (isFile(path)) textChanged(path);
    else fileSetChanged();
    if (!settings_.pullsDiagnostics)
        notify("textDocument/publishDiagnostics", json::Object{{"uri", uri}, {"diagnostics", json::Array{}}});
}

void Server::foldersChanged(Params params) {
    static const json::Object none;
    const json::Object* event = params.getObject("event");
    auto each = [&](llvm::StringRef list, auto act) {
        if (const json::Array* folders = event ? event->getArray(list) : nullptr)
            for (const json::Value& folder : *folders)
                if (const json::Object* o = folder.getAsObject())
                    if (auto uri = o->getString("uri")) act(uri->str());
    };
    std::vector<std::string>& roots = settings_.roots;
    each("removed", [&](const std::string& uri) {
        roots.erase(std::remove(roots.begin(), roots.end(), pathOfUri(uri)), roots.end());
    });
    each("added", [&](const std::string& uri) { addRoot(uri); });
    fileSetChanged();
}

/// A file that was not there before may be what an import means: everything is asked again.
void Server::fileSetChanged() {
    workers_.changed({});
    if (!settings_.pullsDiagnostics)
        for (const auto& [path, document] : documents_) undiagnosed_.insert(path);
    refresh();
}

void Server::filesChanged(Params params) {
    const json::Array* changes = params.getArray("changes");
    if (!changes) return;
    bool any = false;
    for (const json::Value& v : *changes) {
        const json::Object* o = v.getAsObject();
        if (!o || !o->getString("uri")) continue;
        any |= !documents_.count(pathOfUri(*o->getString("uri"))); // of an open one the editor's text counts
    }
    if (any) fileSetChanged();
}

} // namespace sx::server
