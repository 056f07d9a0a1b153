#include "server/session/Workers.h"

#include "debugger/protocol/Body.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sx::server {

namespace {

constexpr size_t MostWorkers = 8;

} // namespace

Workers::~Workers() {
    for (auto& w : workers_) end(*w);
}

void Workers::start(Worker& w) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    w.pid = fork();
    if (w.pid == 0) {
        // The ends of others must not be held open here: they end when the server closes them.
        for (auto& other : workers_)
            if (other->connection) close(other->connection->inDescriptor());
        close(ends[0]);
        main_(ends[1]);
        _exit(0);
    }
    close(ends[1]);
    if (w.pid < 0) close(ends[0]);
    else w.connection = std::make_unique<debugger::Connection>(ends[0], ends[0]);
}

Worker& Workers::workerFor(const std::string& path) {
    for (auto& w : workers_)
        if (w->path == path && !w->stale && w->pid > 0) return *w;
    retire();
    Worker& w = *workers_.emplace_back(std::make_unique<Worker>());
    w.path = path;
    start(w);
    return w;
}

/// Ends the process that was not asked for the longest time, if there are many.
void Workers::retire() {
    while (workers_.size() >= MostWorkers) {
        auto idle = workers_.end();
        for (auto w = workers_.begin(); w != workers_.end(); ++w)
            if ((*w)->pending.empty() && (idle == workers_.end() || (*w)->lastAsked < (*idle)->lastAsked)) idle = w;
        if (idle == workers_.end()) return;
        end(**idle);
        workers_.erase(idle);
    }
}

void Workers::ask(const std::string& path, std::string key, llvm::StringRef method, json::Object params,
                  std::function<void(Reply&&)> done) {
    Worker& w = workerFor(path);
    if (!w.connection) {
        w.stale = true;
        if (!key.empty()) done(Reply::failure(ErrorCode::InternalError, "no process can be started to answer this"));
        return;
    }
    w.lastAsked = ++clock_;
    w.pending.push_back({++number_, std::move(key), std::move(done)});
    w.connection->send(
        textOf(json::Object{{"number", number_}, {"method", method.str()}, {"params", std::move(params)}}));
}

std::vector<std::string> Workers::changed(const std::vector<std::string>& files) {
    std::vector<std::string> givenUp;
    for (auto& w : workers_) {
        bool touched = files.empty();
        for (const std::string& file : files) touched |= w->dependsOn(file);
        if (!touched) continue;
        w->stale = true;
        bool isAwaited = false;
        for (const Pending& p : w->pending) isAwaited |= !p.key.empty();
        if (isAwaited) continue;
        if (!w->pending.empty()) givenUp.push_back(w->path);
        end(*w);
    }
    removeEnded();
    return givenUp;
}

bool Workers::cancel(const std::string& key) {
    for (auto& w : workers_) {
        auto found = std::find_if(w->pending.begin(), w->pending.end(), [&](const Pending& p) { return p.key == key; });
        if (found == w->pending.end()) continue;
        auto done = std::move(found->done);
        bool isNext = found == w->pending.begin();
        w->pending.erase(found);
        if (w->pending.empty() && isNext) end(*w);
        removeEnded();
        done(Reply::failure(ErrorCode::RequestCancelled, "the request was cancelled"));
        return true;
    }
    return false;
}

void Workers::end(Worker& w) {
    if (w.pid > 0) {
        kill(w.pid, SIGKILL);
        while (waitpid(w.pid, nullptr, 0) < 0 && errno == EINTR) {}
    }
    w.pid = -1;
    w.connection.reset();
}

void Workers::removeEnded() {
    workers_.erase(std::remove_if(workers_.begin(), workers_.end(), [](auto& w) { return !w->connection; }),
                   workers_.end());
}

void Workers::take(Worker& w, const std::string& body) {
    Result<json::Object> message = debugger::parseBody(body);
    if (!message) { // an answer that cannot be read is to the first request
        if (w.pending.empty()) return;
        auto done = std::move(w.pending.front().done);
        w.pending.pop_front();
        return done(Reply::failure(ErrorCode::InternalError, message.error()));
    }
    if (const json::Array* files = message->getArray("files")) {
        for (const json::Value& file : *files)
            if (auto path = file.getAsString()) w.files.insert(path->str());
        w.filesKnown = true;
        knownFiles_[w.path] = w.files;
    }
    int64_t number = message->getInteger("number").value_or(0);
    auto found = std::find_if(w.pending.begin(), w.pending.end(), [&](const Pending& p) { return p.number == number; });
    if (found == w.pending.end()) return; // cancelled
    auto done = std::move(found->done);
    w.pending.erase(found);
    Reply reply;
    if (const json::Object* error = message->getObject("error"))
        reply = Reply::failure(static_cast<ErrorCode>(error->getInteger("code").value_or(-32603)),
                               error->getString("message").value_or("").str());
    else if (json::Value* result = message->get("result")) reply.result = std::move(*result);
    done(std::move(reply));
}

void Workers::receive() {
    for (size_t i = 0; i < workers_.size(); ++i) {
        Worker& w = *workers_[i];
        if (!w.connection) continue;
        w.connection->flush();
        bool open = w.connection->receive();
        while (std::optional<std::string> body = w.connection->next()) take(w, *body);
        if (!open) {
            std::deque<Pending> lost = std::move(w.pending);
            end(w);
            for (Pending& p : lost)
                p.done(Reply::failure(ErrorCode::InternalError, "the compiler ended unexpectedly on this text"));
        } else if (w.stale && w.pending.empty()) {
            end(w);
        }
    }
    removeEnded();
}

void Workers::descriptors(std::vector<int>& in, std::vector<int>& out) const {
    for (auto& w : workers_) {
        if (!w->connection) continue;
        in.push_back(w->connection->inDescriptor());
        if (w->connection->queued() > 0) out.push_back(w->connection->outDescriptor());
    }
}

const std::set<std::string>* Workers::filesOf(const std::string& path) const {
    auto found = knownFiles_.find(path);
    return found == knownFiles_.end() ? nullptr : &found->second;
}

size_t Workers::ownPending() const {
    size_t count = 0;
    for (auto& w : workers_)
        for (const Pending& p : w->pending) count += p.key.empty();
    return count;
}

} // namespace sx::server
