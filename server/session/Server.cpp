#include "server/session/Server.h"

#include "debugger/protocol/Body.h"
#include "server/features/Features.h"
#include "server/session/WorkerProcess.h"
#include "server/text/Uri.h"

#include <poll.h>
#include <unistd.h>

namespace sx::server {

namespace {

/// What tells ids apart: `1` and `"1"` are two.
std::string keyOf(const json::Value& id) { return textOf(id); }

/// The file whose program answers a request; "": the workspace.
std::string pathFor(const json::Object& params) {
    std::string path = documentPath(params);
    if (!path.empty()) return path;
    const json::Value* uri = memberAt(params, {"item", "uri"});
    std::optional<llvm::StringRef> text = uri ? uri->getAsString() : std::nullopt;
    return text ? pathOfUri(*text) : "";
}

} // namespace

Server::Server(debugger::Connection& connection)
    : connection_(connection), workers_([this](int descriptor) {
          close(connection_.inDescriptor());
          if (connection_.outDescriptor() != connection_.inDescriptor()) close(connection_.outDescriptor());
          answerRequests(descriptor, documents_, settings_);
      }) {}

Server::~Server() {
    if (parent_ >= 0) close(parent_);
}

int Server::serve() {
    while (!exit_) {
        bool open = connection_.receive();
        while (std::optional<std::string> body = exit_ ? std::nullopt : connection_.next()) take(*body);
        if (!connection_.framingError().empty()) { // nothing after it can be read
            reply(nullptr, Reply::failure(ErrorCode::ParseError, connection_.framingError()));
            break;
        }
        if (!open) break;
        if (exit_) break;
        workers_.receive();
        diagnoseNext();
        wait();
    }
    connection_.flushAll();
    return exit_.value_or(1);
}

void Server::wait() {
    std::vector<int> in{connection_.inDescriptor()}, out;
    if (connection_.queued() > 0) out.push_back(connection_.outDescriptor());
    workers_.descriptors(in, out);
    std::vector<pollfd> all;
    for (int d : in) all.push_back({d, POLLIN, 0});
    for (int d : out) all.push_back({d, POLLOUT, 0});
    all.push_back({parent_, POLLIN, 0}); // a negative one is ignored
    ::poll(all.data(), all.size(), -1);
    if (all.back().revents & POLLIN) exit_ = shutDown_ ? 0 : 1;
    connection_.flush();
}

void Server::take(const std::string& body) {
    Result<json::Object> message = debugger::parseBody(body);
    if (!message) {
        reply(nullptr, Reply::failure(ErrorCode::ParseError, message.error()));
        return;
    }
    static const json::Object none;
    const json::Object* params = message->getObject("params");
    std::optional<llvm::StringRef> method = message->getString("method");
    const json::Value* id = message->get("id");
    if (!method) {
        bool isAnswer = id && (message->get("result") || message->get("error"));
        if (!isAnswer)
            return reply(id ? *id : json::Value(nullptr),
                         Reply::failure(ErrorCode::InvalidRequest, "a message without a method"));
        if (keyOf(*id) == refreshId_) {
            refreshing_ = false;
            if (refreshWanted_) refresh();
        }
        return;
    }
    if (!id) return notification(method->str(), params ? *params : none);
    if (id->kind() != json::Value::Number && id->kind() != json::Value::String)
        return reply(nullptr, Reply::failure(ErrorCode::InvalidRequest, "an id is a number or a text"));
    request(*id, method->str(), params ? *params : none);
}

void Server::request(json::Value id, const std::string& method, Params params) {
    if (method == "initialize") {
        if (initialized_) return reply(id, Reply::failure(ErrorCode::InvalidRequest, "`initialize` was sent before"));
        return reply(id, initialize(params));
    }
    if (!initialized_) return reply(id, Reply::failure(ErrorCode::ServerNotInitialized, "`initialize` comes first"));
    if (shutDown_) return reply(id, Reply::failure(ErrorCode::InvalidRequest, "the server was shut down"));
    if (method == "shutdown") {
        shutDown_ = true;
        undiagnosed_.clear();
        return reply(id, {});
    }
    ask(std::move(id), method, params);
}

void Server::ask(json::Value id, const std::string& method, Params params) {
    bool isDelta = method == "textDocument/semanticTokens/full/delta";
    std::string asked = isDelta ? "textDocument/semanticTokens/full" : method;
    if (!findFeature(asked) || asked == "sx/diagnose")
        return reply(id, Reply::failure(ErrorCode::MethodNotFound, "there is no method `" + method + "`"));
    std::string path = pathFor(params);
    bool isOfDocument = llvm::StringRef(asked).starts_with("textDocument/") || asked == "sx/errorPaths";
    if (path.empty() && isOfDocument)
        return reply(id, Reply::failure(ErrorCode::InvalidParams, "`textDocument.uri` is missing"));
    bool isTokens = asked == "textDocument/semanticTokens/full";
    int64_t previous = -1;
    if (auto text = params.getString("previousResultId"); isDelta && text) text->getAsInteger(10, previous);
    std::string key = keyOf(id);
    workers_.ask(
        path, key, asked, params, [this, id = std::move(id), path, isTokens, isDelta, previous](Reply&& given) {
            if (given.error || !isTokens) return reply(id, std::move(given));
            reply(id, isDelta ? tokenDelta(path, previous, std::move(given)) : keepTokens(path, std::move(given)));
        });
}

void Server::notification(const std::string& method, Params params) {
    if (method == "exit") {
        exit_ = shutDown_ ? 0 : 1;
        return;
    }
    if (!initialized_ || shutDown_) return;
    if (method == "initialized") initialized();
    else if (method == "textDocument/didOpen") opened(params);
    else if (method == "textDocument/didChange") changed(params);
    else if (method == "textDocument/didClose") closed(params);
    else if (method == "textDocument/didSave" && !settings_.watchesFiles) fileSetChanged(); // nobody else tells
    else if (method == "workspace/didChangeWatchedFiles") filesChanged(params);
    else if (method == "workspace/didChangeWorkspaceFolders") foldersChanged(params);
    else if (method == "$/cancelRequest") {
        if (const json::Value* id = params.get("id")) workers_.cancel(keyOf(*id));
    }
}

void Server::reply(const json::Value& id, Reply given) { connection_.send(textOf(toMessage(id, std::move(given)))); }

void Server::notify(llvm::StringRef method, json::Object params) {
    connection_.send(textOf(json::Object{{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}}));
}

void Server::demand(llvm::StringRef method, json::Value params) {
    json::Object message{{"jsonrpc", "2.0"}, {"id", "sx-" + std::to_string(++demands_)}, {"method", method}};
    if (params.kind() != json::Value::Null) message["params"] = std::move(params);
    connection_.send(textOf(std::move(message)));
}

} // namespace sx::server
