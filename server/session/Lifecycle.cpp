// How a client and the server come to terms.
#include "server/features/Features.h"
#include "server/session/Server.h"
#include "server/text/Uri.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sx::server {

namespace {

/// The first of the client's encodings that is known; without a list UTF-16, as the protocol has it.
Encoding chooseEncoding(const json::Object& client) {
    const json::Value* list = memberAt(client, {"general", "positionEncodings"});
    if (!list || !list->getAsArray()) return Encoding::Utf16;
    for (const json::Value& v : *list->getAsArray()) {
        llvm::StringRef name = v.getAsString().value_or("");
        if (name == "utf-8") return Encoding::Utf8;
        if (name == "utf-16") return Encoding::Utf16;
        if (name == "utf-32") return Encoding::Utf32;
    }
    return Encoding::Utf16;
}

/// Whether a list of texts has no `word`, although it is there.
bool lacks(const json::Value* list, llvm::StringRef word) {
    if (!list || !list->getAsArray()) return false;
    for (const json::Value& v : *list->getAsArray())
        if (v.getAsString() == std::optional<llvm::StringRef>(word)) return false;
    return true;
}

} // namespace

void Server::readCapabilities(const json::Object& client) {
    settings_.encoding = chooseEncoding(client);
    settings_.pullsDiagnostics = memberAt(client, {"textDocument", "diagnostic"}) != nullptr;
    settings_.refreshesDiagnostics = flagAt(client, {"workspace", "diagnostics", "refreshSupport"}) ||
                                     flagAt(client, {"workspace", "diagnostic", "refreshSupport"});
    settings_.refreshesTokens = flagAt(client, {"workspace", "semanticTokens", "refreshSupport"});
    settings_.refreshesHints = flagAt(client, {"workspace", "inlayHint", "refreshSupport"});
    settings_.watchesFiles = flagAt(client, {"workspace", "didChangeWatchedFiles", "dynamicRegistration"});
    settings_.nestsSymbols = flagAt(client, {"textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport"});
    settings_.markdown = !lacks(memberAt(client, {"textDocument", "hover", "contentFormat"}), "markdown");
}

void Server::readRoots(Params params) {
    if (const json::Array* folders = params.getArray("workspaceFolders")) {
        for (const json::Value& folder : *folders)
            if (const json::Object* o = folder.getAsObject())
                if (auto uri = o->getString("uri")) addRoot(uri->str());
    }
    if (!settings_.roots.empty()) return;
    if (auto uri = params.getString("rootUri")) addRoot(uri->str());
    else if (auto path = params.getString("rootPath")) addRoot(uriOfPath(*path));
}

void Server::addRoot(const std::string& uri) {
    settings_.roots.push_back(pathOfUri(uri));
    settings_.spelling.learn(uri);
}

/// The process that started the server may end without closing the pipes, if others hold them, too.
void Server::watchParent(Params params) {
    std::optional<int64_t> pid = params.getInteger("processId");
    if (!pid || *pid <= 0) return;
    parent_ = static_cast<int>(syscall(SYS_pidfd_open, static_cast<pid_t>(*pid), 0));
    if (parent_ >= 0) fcntl(parent_, F_SETFD, FD_CLOEXEC);
}

Reply Server::initialize(Params params) {
    static const json::Object none;
    const json::Object* client = params.getObject("capabilities");
    readCapabilities(client ? *client : none);
    readRoots(params);
    watchParent(params);
    settings_.lenses = flagAt(params, {"initializationOptions", "lenses"});
    initialized_ = true;
    return {json::Object{{"capabilities", capabilities(settings_)},
                         {"serverInfo", json::Object{{"name", "sx"}, {"version", SX_VERSION}}}}};
}

void Server::initialized() {
    if (!settings_.watchesFiles) return;
    json::Object options{{"watchers", json::Array{json::Object{{"globPattern", "**/*.{sx,h}"}}}}};
    json::Object registration{
        {"id", "sx-files"}, {"method", "workspace/didChangeWatchedFiles"}, {"registerOptions", std::move(options)}};
    demand("client/registerCapability", json::Object{{"registrations", json::Array{std::move(registration)}}});
}

} // namespace sx::server
