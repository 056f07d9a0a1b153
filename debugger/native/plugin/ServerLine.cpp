#include "debugger/native/plugin/ServerLine.h"

#include "debugger/engine/SendAll.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <poll.h>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace sx::debugger::native {

namespace {

std::set<int> socketsHere() {
    std::set<int> out;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", failed)) {
        int descriptor = std::atoi(entry.path().filename().c_str()), type = 0;
        socklen_t size = sizeof type;
        bool isSocket = getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
        if (isSocket && type == SOCK_STREAM) out.insert(descriptor);
    }
    return out;
}

constexpr std::string_view Digits = "0123456789abcdef";

std::string framed(const std::string& content) {
    uint8_t sum = 0;
    for (char c : content) sum = static_cast<uint8_t>(sum + static_cast<uint8_t>(c));
    return "$" + content + "#" + Digits[sum >> 4] + Digits[sum & 15];
}

/// Bytes in their order in memory.
std::string inMemoryOrder(uint64_t value) {
    std::string out;
    for (size_t i = 0; i < sizeof value; ++i, value >>= 8) out += {Digits[value >> 4 & 15], Digits[value & 15]};
    return out;
}

uint64_t fromMemoryOrder(std::string_view hex) {
    uint64_t value = 0;
    for (size_t i = std::min<size_t>(hex.size(), 16) / 2; i-- > 0;)
        value = value << 8 | std::strtoull(std::string(hex.substr(2 * i, 2)).c_str(), nullptr, 16);
    return value;
}

/// Where one packet ends in bytes that begin with it; npos: the rest is still to come.
size_t endOfPacket(std::string_view bytes) {
    if (bytes.front() != '$' && bytes.front() != '%') return 1; // an acknowledgement, or an interrupt
    size_t sum = bytes.find('#');
    return sum == std::string_view::npos || sum + 3 > bytes.size() ? std::string_view::npos : sum + 3;
}

/// Takes the first packet out of what has come so far; empty: there is no whole one.
std::string takePacket(std::string& bytes) {
    size_t end = bytes.empty() ? std::string::npos : endOfPacket(bytes);
    if (end == std::string::npos) return {};
    std::string packet = bytes.substr(0, end);
    bytes.erase(0, end);
    return packet;
}

constexpr std::string_view Interrupt = "\x03";

/// All threads go on, and nothing else.
bool isContinue(const std::string& packet) {
    std::string_view content = std::string_view(packet).substr(0, packet.find('#'));
    if (content == "$c" || content == "$vCont;c") return true;
    return content.starts_with("$vCont;c:p") && content.ends_with(".-1") &&
           content.find(';', 7) == std::string_view::npos;
}

} // namespace

namespace {

/// A report's fields, `KEY:VALUE;` each.
std::map<std::string_view, std::string_view> fieldsOf(std::string_view left) {
    std::map<std::string_view, std::string_view> all;
    while (!left.empty()) {
        std::string_view field = left.substr(0, left.find(';'));
        left.remove_prefix(std::min(left.size(), field.size() + 1));
        if (size_t colon = field.find(':'); colon != std::string_view::npos)
            all.emplace(field.substr(0, colon), field.substr(colon + 1));
    }
    return all;
}

/// Numbers in hexadecimal digits, with commas in between.
std::vector<uint64_t> numbersIn(std::string_view list) {
    std::vector<uint64_t> all;
    while (!list.empty()) {
        std::string_view one = list.substr(0, list.find(','));
        list.remove_prefix(std::min(list.size(), one.size() + 1));
        all.push_back(std::strtoull(std::string(one).c_str(), nullptr, 16));
    }
    return all;
}

std::string fromHex(std::string_view digits) {
    std::string out;
    for (size_t i = 0; i + 1 < digits.size(); i += 2)
        out += static_cast<char>(std::strtoul(std::string(digits.substr(i, 2)).c_str(), nullptr, 16));
    return out;
}

/// `text` is JSON of all threads, in which quotes within names have a backslash. The number of a thread comes last.
/// Nothing: one has stopped for something else than a breakpoint.
std::optional<std::set<SystemThread>> atBreakpoints(const std::string& text) {
    constexpr std::string_view Reason = "\"reason\":\"", Number = "\"tid\":";
    std::set<SystemThread> all;
    size_t reason = text.find(Reason);
    for (size_t at = text.find(Number); at != std::string::npos; at = text.find(Number, at + 1)) {
        if (reason > at) continue; // that is of a later one
        if (text.compare(reason + Reason.size(), 11, "breakpoint\"") != 0) return std::nullopt;
        all.insert(std::strtoull(text.c_str() + at + Number.size(), nullptr, 10));
        reason = text.find(Reason, reason + 1);
    }
    return all;
}

} // namespace

/// Registers have the numbers that lldb gives them on x86-64.
std::optional<StopReport> breakpointIn(const std::string& packet) {
    constexpr std::string_view FramePointer = "06", Pc = "10";
    if (!packet.starts_with("$T05")) return std::nullopt;
    auto fields = fieldsOf(std::string_view(packet).substr(4, packet.find('#') - 4));
    std::string_view thread = fields["thread"];
    StopReport report;
    report.thread = thread.substr(thread.find('.') + 1); // behind the process
    report.number = std::strtoull(report.thread.c_str(), nullptr, 16);
    report.pc = fromMemoryOrder(fields[Pc]);
    report.framePointer = fromMemoryOrder(fields[FramePointer]);
    if (fields["reason"] != "breakpoint" || report.number == 0 || report.pc == 0) return std::nullopt;
    std::optional<std::set<SystemThread>> stopped = atBreakpoints(fromHex(fields["jstopinfo"]));
    std::vector<uint64_t> threads = numbersIn(fields["threads"]), places = numbersIn(fields["thread-pcs"]);
    if (!stopped || threads.size() != places.size()) return std::nullopt;
    for (size_t i = 0; i < threads.size(); ++i)
        if (threads[i] != report.number && stopped->count(threads[i]) != 0) report.others.push_back(places[i]);
    return report;
}

struct ServerLine::State {
    int lldb = -1, server = -1;

    std::mutex mutex; ///< of all that follows, and of what is sent to the server
    std::function<void(TargetEvent)> tell;
    std::map<uint64_t, uint64_t> ways;
    std::string request;        ///< by which lldb has let the program go on; empty: it does not run by that
    bool isInterrupted = false; ///< lldb has asked for a stop since then
    bool acknowledges = false;  ///< packets are, one by one: nothing is held back then
    unsigned ownAnswers = 0;    ///< those to come that lldb has not asked for
    std::string held;           ///< what the server has said
    StopReport hit;             ///< the same

    bool takeFromLldb(const std::string& packet);
    bool takeFromServer(const std::string& packet);
    bool giveToLldb(const std::string& packet);
    bool isHit(const std::string& packet);
    bool release();
};

/// lldb hears of the stop now.
bool ServerLine::State::release() {
    request.clear();
    ways.clear();
    return sendAll(lldb, std::exchange(held, {}));
}

bool ServerLine::State::takeFromLldb(const std::string& packet) {
    if (!held.empty()) { // an interrupt: there is the stop
        if (!release()) return false;
        if (packet == Interrupt) return true;
    }
    acknowledges |= packet == "+";
    isInterrupted = packet == Interrupt;
    if (packet.front() == '$') request = isContinue(packet) ? packet : std::string();
    return sendAll(server, packet);
}

bool ServerLine::State::isHit(const std::string& packet) {
    if (request.empty() || isInterrupted || acknowledges || !tell || ways.empty()) return false;
    std::optional<StopReport> report = breakpointIn(packet);
    auto isFiltered = [&](uint64_t pc) { return ways.count(pc) != 0; };
    if (!report || !isFiltered(report->pc)) return false;
    // Those that are at such places, too, come to them once more.
    if (!std::all_of(report->others.begin(), report->others.end(), isFiltered)) return false;
    hit = std::move(*report);
    return true;
}

/// The program has stopped or ended, if it ran.
bool ServerLine::State::giveToLldb(const std::string& packet) {
    bool isStop = packet.front() == '$' && packet.size() > 1 &&
                  std::string_view("TSWX").find(packet[1]) != std::string_view::npos;
    if (isStop) request.clear(), ways.clear();
    return sendAll(lldb, packet);
}

bool ServerLine::State::takeFromServer(const std::string& packet) {
    if (ownAnswers > 0 && packet.front() == '$') {
        --ownAnswers;
        if (!packet.starts_with("$OK#")) ways.clear(); // it comes to the breakpoint again, and that is told
        return true;
    }
    if (!isHit(packet)) return giveToLldb(packet);
    held = packet;
    TargetEvent event;
    event.kind = TargetEvent::Kind::Hit;
    ThreadStop& stop = event.stops.emplace_back();
    stop.kind = ThreadStop::Kind::Breakpoint;
    stop.thread = hit.number;
    stop.pc = hit.pc;
    event.framePointer = hit.framePointer;
    tell(std::move(event));
    return true;
}

/// Until one of the ends is closed: then the other one is.
void ServerLine::carry(const std::shared_ptr<State>& state) {
    pthread_setname_np(pthread_self(), "lldb-line");
    std::string fromLldb, fromServer;
    std::vector<char> buffer(size_t{1} << 16);
    auto take = [&](int descriptor, std::string& bytes, bool (State::*handle)(const std::string&)) {
        ssize_t size = read(descriptor, buffer.data(), buffer.size());
        if (size <= 0) return size < 0 && errno == EINTR;
        bytes.append(buffer.data(), static_cast<size_t>(size));
        std::lock_guard lock(state->mutex);
        for (std::string packet = takePacket(bytes); !packet.empty(); packet = takePacket(bytes))
            if (!(state.get()->*handle)(packet)) return false;
        return true;
    };
    for (bool goesOn = true; goesOn;) {
        pollfd ends[] = {{state->lldb, POLLIN, 0}, {state->server, POLLIN, 0}};
        if (poll(ends, std::size(ends), -1) < 0 && errno != EINTR) break;
        if (ends[0].revents != 0) goesOn = take(state->lldb, fromLldb, &State::takeFromLldb);
        if (goesOn && ends[1].revents != 0) goesOn = take(state->server, fromServer, &State::takeFromServer);
    }
    std::lock_guard lock(state->mutex);
    state->held.clear();
    close(std::exchange(state->lldb, -1));
    close(std::exchange(state->server, -1));
}

void ServerLine::noteBefore() { before_ = socketsHere(); }

void ServerLine::noteAfter() {
    std::set<int> now = socketsHere();
    std::erase_if(now, [&](int descriptor) { return before_.count(descriptor) != 0; });
    descriptor_ = now.size() == 1 ? *now.begin() : -1;
}

/// The socket that lldb has stays, by its number: it leads here now, and what it was leads on to the server.
bool ServerLine::begin(std::function<void(TargetEvent)> tell) {
    if (descriptor_ < 0) return false;
    int ends[2] = {-1, -1}, server = dup(descriptor_);
    bool isMade = server >= 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
    if (isMade && dup3(ends[1], descriptor_, O_CLOEXEC) >= 0) {
        close(ends[1]);
        state_ = std::make_shared<State>();
        state_->lldb = ends[0];
        state_->server = server;
        state_->tell = std::move(tell);
        std::thread([state = state_] { carry(state); }).detach();
        return true;
    }
    for (int descriptor : {ends[0], ends[1], server})
        if (descriptor >= 0) close(descriptor);
    descriptor_ = -1;
    return false;
}

void ServerLine::filter(std::map<uint64_t, uint64_t> ways) {
    if (!state_) return;
    std::lock_guard lock(state_->mutex);
    state_->ways = std::move(ways);
}

bool ServerLine::isHolding() const {
    if (!state_) return false;
    std::lock_guard lock(state_->mutex);
    return !state_->held.empty();
}

void ServerLine::pass() {
    if (!state_) return;
    std::lock_guard lock(state_->mutex);
    if (state_->held.empty()) return;
    auto way = state_->ways.find(state_->hit.pc);
    if (way == state_->ways.end()) { // not any more
        state_->release();
        return;
    }
    state_->held.clear();
    const StopReport& hit = state_->hit;
    ++state_->ownAnswers;
    sendAll(state_->server,
            framed("P10=" + inMemoryOrder(way->second) + ";thread:" + hit.thread + ";") + state_->request);
}

void ServerLine::report() {
    if (!state_) return;
    std::lock_guard lock(state_->mutex);
    if (!state_->held.empty()) state_->release();
}

void ServerLine::letGo() {
    if (!state_) return;
    std::lock_guard lock(state_->mutex);
    state_->tell = nullptr;
    state_->ways.clear();
    if (!state_->held.empty()) state_->release();
}

} // namespace sx::debugger::native
