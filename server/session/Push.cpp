// Diagnostics that nobody asks for, and telling the client to ask again.
#include "server/session/Server.h"

namespace sx::server {

namespace {

constexpr size_t MostAtOnce = 2;

} // namespace

void Server::diagnoseNext() {
    while (!undiagnosed_.empty() && workers_.ownPending() < MostAtOnce) {
        std::string path = *undiagnosed_.begin();
        undiagnosed_.erase(undiagnosed_.begin());
        auto document = documents_.find(path);
        if (document == documents_.end()) continue;
        json::Object params{{"textDocument", json::Object{{"uri", document->second.uri}}}};
        // If a text changes before the answer is there, the process ends without one, and the document is due again.
        workers_.ask(path, "", "sx/diagnose", std::move(params), [this, path](Reply&& reply) {
            if (!reply.error) publish(path, std::move(reply.result));
        });
    }
}

void Server::publish(const std::string& path, json::Value diagnostics) {
    auto document = documents_.find(path);
    if (document == documents_.end() || undiagnosed_.count(path)) return;
    notify("textDocument/publishDiagnostics", json::Object{{"uri", document->second.uri},
                                                           {"version", document->second.version},
                                                           {"diagnostics", std::move(diagnostics)}});
}

void Server::refresh() {
    if (refreshing_) {
        refreshWanted_ = true;
        return;
    }
    refreshWanted_ = false;
    if (settings_.refreshesTokens) demand("workspace/semanticTokens/refresh", nullptr);
    if (settings_.refreshesHints) demand("workspace/inlayHint/refresh", nullptr);
    if (!settings_.refreshesDiagnostics || !settings_.pullsDiagnostics) return;
    demand("workspace/diagnostic/refresh", nullptr);
    refreshing_ = true;
    refreshId_ = textOf("sx-" + std::to_string(demands_));
}

} // namespace sx::server
