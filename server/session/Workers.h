// The processes that answer requests: one for each file that is asked about, made for the texts as they are.
//
// A process is forked with the texts that the editor holds. It checks the file's program when it is first asked, and
// keeps it. When a text of that program changes, the process has served its time; the next request makes another. So
// typing never waits for a check, what is cancelled is killed, nothing that a check leaves behind stays, and no defect
// of the compiler takes the server along.
#pragma once

#include "debugger/protocol/Connection.h"
#include "server/program/Settings.h"
#include "server/protocol/Json.h"
#include "server/text/Documents.h"

#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sx::server {

/// A request that a process has not answered yet.
struct Pending {
    int64_t number = 0;                  ///< between server and process
    std::string key;                     ///< of the client's id; "": the server's own
    std::function<void(Reply&&)> done{}; ///< called once
};

struct Worker {
    int pid = -1;
    std::string path; ///< what it is for; "": the whole workspace
    std::unique_ptr<debugger::Connection> connection;
    std::deque<Pending> pending;
    std::set<std::string> files; ///< whose texts went into its answers
    bool filesKnown = false;
    bool stale = false; ///< a text has changed since: it answers what it was asked, nothing new
    uint64_t lastAsked = 0;

    bool dependsOn(const std::string& file) const {
        return file == path || path.empty() || !filesKnown || files.count(file);
    }
};

class Workers {
public:
    /// What a process does with its end of the connection; it does not return.
    using Main = std::function<void(int descriptor)>;
    explicit Workers(Main main) : main_(std::move(main)) {}
    ~Workers();

    /// Has a request answered by the process for `path`. `done` is called from `receive` or `cancel`, or not at all if
    /// it is the server's own and the texts change before.
    void ask(const std::string& path, std::string key, llvm::StringRef method, json::Object params,
             std::function<void(Reply&&)> done);
    /// The texts of these files have changed; empty: any may have. Returns the paths of requests of the server's own
    /// that will not be answered because of it.
    std::vector<std::string> changed(const std::vector<std::string>& files);
    /// Gives a request of the client up. False: it is not pending.
    bool cancel(const std::string& key);
    /// Takes what the processes have sent. To be called when one of the `descriptors` is ready.
    void receive();
    /// Adds the descriptors to wait for.
    void descriptors(std::vector<int>& in, std::vector<int>& out) const;
    /// The files that went into the last check of a file; null: it was not checked yet.
    const std::set<std::string>* filesOf(const std::string& path) const;
    /// How many checks of the server's own are on their way.
    size_t ownPending() const;

private:
    Worker& workerFor(const std::string& path);
    void start(Worker&);
    void take(Worker&, const std::string& body);
    void end(Worker&);
    void retire();
    void removeEnded();

    Main main_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::map<std::string, std::set<std::string>> knownFiles_;
    int64_t number_ = 0;
    uint64_t clock_ = 0;
};

} // namespace sx::server
