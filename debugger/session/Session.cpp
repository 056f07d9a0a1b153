#include "debugger/session/Session.h"
#include "debugger/session/Foreign.h"
#include "debugger/session/Heap.h"
#include "debugger/session/LongWork.h"
#include "debugger/session/Machine.h"
#include "debugger/session/Terminal.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <poll.h>
#include <utility>

namespace sx::debugger {

Session::Session(Connection& connection, SessionOptions options)
    : connection(connection), options(std::move(options)), heap(std::make_unique<HeapState>()),
      machine(std::make_unique<MachineState>()) {
    streams.onOutput = [this](const char* category, const std::string& text) {
        eventNow("output", llvm::json::Object{{"category", category}, {"output", text}});
    };
}

Session::~Session() {
    if (engine && phase != Phase::Ended) engine->kill();
}

void Session::write(llvm::json::Object message) {
    message["seq"] = ++seq_;
    connection.send(toText(std::move(message)));
}

void Session::eventNow(std::string name, llvm::json::Object body) {
    write(llvm::json::Object{{"type", "event"}, {"event", std::move(name)}, {"body", std::move(body)}});
}

void Session::event(std::string name, llvm::json::Object body) {
    if (current_ < 0) return eventNow(std::move(name), std::move(body));
    later_.emplace_back(std::move(name), std::move(body));
}

void Session::note(const std::string& text, const char* category) {
    eventNow("output", llvm::json::Object{{"category", category}, {"output", asUtf8(text) + "\n"}});
}

bool Session::receive() {
    bool goesOn = connection.receive();
    while (std::optional<std::string> body = connection.next()) {
        Result<ParsedRequest> parsed = parseRequest(*body);
        if (!parsed) {
            options.log(parsed.error());
            continue;
        }
        if (parsed->answers) {
            answers_[*parsed->answers] = std::move(*parsed);
            continue;
        }
        // `cancel` overtakes: the request that it means may be under way, or wait in the queue.
        if (parsed->request.command == "cancel" && parsed->problem.empty()) {
            hasCancel_ = true;
            const llvm::json::Object& what = parsed->request.arguments;
            if (std::optional<int64_t> id = what.getInteger("requestId")) cancelledRequests_.insert(*id);
            std::optional<llvm::StringRef> progress = what.getString("progressId");
            if (progress && !progress->empty() && *progress == cancellableProgress && current_ >= 0)
                cancelledRequests_.insert(current_);
        }
        requests_.push_back(std::move(*parsed));
    }
    return goesOn;
}

bool Session::takesLong() const {
    constexpr std::chrono::milliseconds Long{250}; // a client may send all that it wants at once
    return std::chrono::steady_clock::now() - begun_ >= Long;
}

bool Session::cancelled() {
    receive();
    if (current_ < 0) return false;
    if (std::exchange(hasCancel_, false)) answerCancelled();
    if (cancelledRequests_.count(current_) != 0) return true;
    if (!endsEarly_ || !takesLong()) return false;
    auto isWaiting = [this](const char* command) {
        return std::any_of(requests_.begin(), requests_.end(),
                           [command](const ParsedRequest& r) { return r.request.command == command; });
    };
    endedStart = isWaiting("terminate");
    bool hasEnded = connection.ended() || !connection.framingError().empty();
    return hasEnded || endedStart || isWaiting("disconnect");
}

Waited Session::waitFor(LongWork& work, int descriptor, std::optional<std::chrono::seconds> patience) {
    auto begun = std::chrono::steady_clock::now();
    for (;;) {
        pollfd p{descriptor, POLLIN, 0};
        if (::poll(&p, 1, 0) > 0) return Waited::Ready;
        if (!goesOnStarting(work)) return Waited::Cancelled;
        if (patience && std::chrono::steady_clock::now() - begun >= *patience) return Waited::Late;
        waitForEither(descriptor);
    }
}

bool Session::goesOnStarting(LongWork& work) {
    if (!work.goesOn()) return false;
    if (takesLong()) answerMeanwhile();
    return true;
}

void Session::waitForEither(int descriptor) {
    constexpr int BetweenLooks = 100; // milliseconds
    bool ended = connection.ended();
    pollfd all[] = {{descriptor, POLLIN, 0},
                    {ended ? -1 : connection.inDescriptor(), POLLIN, 0},
                    {ended ? -1 : connection.lifeDescriptor(), 0, 0},
                    {connection.queued() > 0 ? connection.outDescriptor() : -1, POLLOUT, 0}};
    ::poll(all, std::size(all), BetweenLooks);
    connection.flush();
}

Result<void> Session::askClient(std::string command, llvm::json::Object arguments) {
    constexpr std::chrono::seconds Patience{30}; // a person may be asked first
    LongWork work(*this, "waiting for the client");
    write(
        llvm::json::Object{{"type", "request"}, {"command", std::move(command)}, {"arguments", std::move(arguments)}});
    int64_t seq = seq_;
    connection.flush();
    auto end = std::chrono::steady_clock::now() + Patience;
    while (std::chrono::steady_clock::now() < end) {
        bool isCancelled = !goesOnStarting(work);
        if (auto answer = answers_.extract(seq); !answer.empty()) {
            if (answer.mapped().succeeded) return {};
            return Failure{"the client refused: " + asUtf8(answer.mapped().message)};
        }
        if (isCancelled) return Failure{Cancelled};
        if (connection.ended() || !connection.framingError().empty()) break;
        waitForEither(-1);
    }
    return Failure{"the client does not answer"};
}

/// Waits until something has to be done.
void Session::wait() {
    std::vector<pollfd> all;
    auto add = [&](int descriptor, short events) {
        if (descriptor >= 0) all.push_back({descriptor, events, 0});
    };
    add(connection.ended() ? -1 : connection.inDescriptor(), POLLIN);
    add(connection.ended() ? -1 : connection.lifeDescriptor(), 0);
    if (connection.queued() > 0) add(connection.outDescriptor(), POLLOUT);
    if (connection.queued() < Streams::MostHeld)
        for (int d : streams.descriptors()) add(d, POLLIN);
    if (engine && phase != Phase::Ended) add(engine->eventDescriptor(), POLLIN);
    if (terminal) add(terminal->descriptor(), POLLIN);
    ::poll(all.data(), all.size(), 1000);
}

void Session::loop() {
    bool goesOn = true;
    while (!finished) {
        if (requests_.empty()) {
            if (!goesOn || connection.ended()) return;
            wait();
        }
        goesOn = receive();
        connection.flush();
        if (connection.queued() < Streams::MostHeld) streams.pump();
        handleTerminal(*this);
        if (engine && phase != Phase::Ended) handleEngineEvents(*this);
        if (phase == Phase::Running && connection.queued() < Streams::MostHeld) tellTracedInstructions(*this);
        if (requests_.empty()) continue;
        ParsedRequest request = std::move(requests_.front());
        requests_.pop_front();
        dispatch(*this, std::move(request));
    }
}

int Session::serve() {
    loop();
    if (engine && phase != Phase::Ended) {
        if (attached) letRunOn(*this); // as after `disconnect`
        else if (terminal) terminal->close(/*ended=*/false);
        endProgram(*this);
    }
    connection.flushAll();
    if (!connection.framingError().empty()) options.log("the client sent " + connection.framingError());
    return connection.framingError().empty() ? 0 : 2;
}

} // namespace sx::debugger
