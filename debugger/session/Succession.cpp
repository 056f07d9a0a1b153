// A session that goes on in another process after a crash.
#include "debugger/engine/ExitStatus.h"
#include "debugger/session/Session.h"

#include "llvm/ADT/STLExtras.h"

#include <csignal>
#include <cstring>

namespace sx::debugger {

using llvm::json::Object;

static void add(SessionRecord& record, int64_t seq, const std::string& command) {
    if (record.openCount == SessionRecord::MostOpen) return;
    SessionRecord::Open& open = record.open[record.openCount++];
    open.seq = seq;
    size_t length = std::min(command.size(), SessionRecord::MostName - 1);
    std::memcpy(open.command, command.data(), length);
    open.command[length] = 0;
}

void Session::describe(SessionRecord& record) const {
    record.lastSeq = seq_;
    record.isInitialized = phase != Phase::Fresh;
    record.linesStartAt1 = client.linesStartAt1;
    record.columnsStartAt1 = client.columnsStartAt1;
    record.hasProgram = phase == Phase::Loaded || phase == Phase::Running || phase == Phase::Stopped;
    record.isAttached = attached;
    record.process = process;
    record.openCount = 0;
    if (current_ >= 0) add(record, current_, currentCommand_);
    for (const ParsedRequest& waiting : requests_) add(record, waiting.request.seq, waiting.request.command);
}

/// The server of lldb lets go of a program by itself.
void Session::succeed(const SessionRecord& record, const std::string& why) {
    client.linesStartAt1 = record.linesStartAt1;
    client.columnsStartAt1 = record.columnsStartAt1;
    seq_ = record.lastSeq;
    options.log(why);
    if (record.hasProgram && !record.isAttached && record.process > 0) ::kill(record.process, SIGKILL);
    for (const SessionRecord::Open& open : llvm::ArrayRef(record.open, record.openCount)) {
        Request request;
        request.seq = open.seq;
        request.command = open.command;
        respond(request, Reply::failure(why));
    }
    if (!record.isInitialized) return;
    phase = record.hasProgram ? Phase::Ended : Phase::Ready;
    note(why, "important");
    if (!record.hasProgram) return;
    if (!record.isAttached) event("exited", Object{{"exitCode", 128 + SIGKILL}});
    event("terminated", Object{});
}

} // namespace sx::debugger
