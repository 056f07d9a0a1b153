// A session that goes on in another process after a crash.
#include "debugger/engine/ExitStatus.h"
#include "debugger/session/Session.h"

#include "llvm/ADT/STLExtras.h"

#include <csignal>
#include <cstring>

namespace sx::debugger {

using llvm::json::Object;

static OpenRequest openRequest(int64_t seq, const std::string& command) {
    OpenRequest open;
    open.seq = seq;
    std::memcpy(open.command, command.data(), std::min(command.size(), OpenRequest::MostName - 1));
    return open;
}

SessionRecord Session::record() const {
    SessionRecord record;
    record.lastSeq = seq_;
    record.isInitialized = phase != Phase::Fresh;
    record.linesStartAt1 = client.linesStartAt1;
    record.columnsStartAt1 = client.columnsStartAt1;
    record.hasProgram = hasProgram();
    record.isAttached = attached;
    record.process = process;
    return record;
}

void Session::listOpen(llvm::function_ref<void(const OpenRequest&)> each) const {
    if (current_ >= 0) each(openRequest(current_, currentCommand_));
    for (const ParsedRequest& waiting : requests_) each(openRequest(waiting.request.seq, waiting.request.command));
}

void Session::succeed(const SessionRecord& record, llvm::ArrayRef<OpenRequest> open, const std::string& why) {
    client.linesStartAt1 = record.linesStartAt1;
    client.columnsStartAt1 = record.columnsStartAt1;
    seq_ = record.lastSeq;
    options.log(why);
    if (record.hasProgram && !record.isAttached && record.process > 0) ::kill(record.process, SIGKILL);
    for (const OpenRequest& one : open) {
        Request request;
        request.seq = one.seq;
        request.command = one.command;
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
