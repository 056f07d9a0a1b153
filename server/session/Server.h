// One client: its messages, the texts that it holds, and who answers.
#pragma once

#include "debugger/protocol/Connection.h"
#include "server/session/Workers.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace sx::server {

class Server {
public:
    /// `connection` has to live as long.
    explicit Server(debugger::Connection& connection);
    ~Server();
    Server(const Server&) = delete;

    /// Serves until the client leaves. Returns the exit status: 0 if it has said `shutdown` before.
    int serve();

private:
    using Params = const json::Object&;
    struct Tokens {
        int64_t id = 0;
        std::vector<int64_t> data;
    };

    // ---- messages (Server.cpp)
    void take(const std::string& body);
    void request(json::Value id, const std::string& method, Params);
    void notification(const std::string& method, Params);
    void ask(json::Value id, const std::string& method, Params);
    void reply(const json::Value& id, Reply);
    void notify(llvm::StringRef method, json::Object params);
    void demand(llvm::StringRef method, json::Value params); ///< a request to the client
    void wait();

    // ---- the beginning (Lifecycle.cpp)
    Reply initialize(Params);
    void readCapabilities(const json::Object& client);
    void readRoots(Params);
    void addRoot(const std::string& uri);
    void watchParent(Params);
    void initialized();

    // ---- texts (Texts.cpp)
    void opened(Params);
    void changed(Params);
    void closed(Params);
    void foldersChanged(Params);
    void filesChanged(Params);
    void textChanged(const std::string& path);
    void fileSetChanged();

    // ---- diagnostics (Push.cpp)
    void diagnoseNext();
    void publish(const std::string& path, json::Value diagnostics);
    void refresh();

    // ---- semantic tokens (TokenDeltas.cpp)
    Reply keepTokens(const std::string& path, Reply full);
    Reply tokenDelta(const std::string& path, int64_t previous, Reply full);

    debugger::Connection& connection_;
    Settings settings_;
    Documents documents_;
    Workers workers_;
    std::set<std::string> undiagnosed_; ///< open documents whose diagnostics are to be pushed
    std::map<std::string, Tokens> tokens_;
    bool initialized_ = false, shutDown_ = false;
    std::optional<int> exit_;
    int parent_ = -1; ///< becomes readable when the process that started the server has ended; -1: it is not known
    bool refreshing_ = false, refreshWanted_ = false;
    int64_t demands_ = 0;
    std::string refreshId_; ///< of the demand that is on its way
    int64_t tokenIds_ = 0;
};

} // namespace sx::server
