#include "server/session/WorkerProcess.h"

#include "debugger/protocol/Body.h"
#include "debugger/protocol/Connection.h"
#include "server/features/Features.h"
#include "source/AddressSpace.h"
#include "source/Heap.h"
#include "source/StackDepth.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace sx::server {

namespace {

/// What code of the program does while it is compiled must not reach the protocol.
void leaveStreams() {
    int null = open("/dev/null", O_RDWR);
    if (null < 0) return;
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    if (null > STDERR_FILENO) close(null);
}

/// Bytes of the heap that the check of a text takes, and of the library.
constexpr uint64_t HeapForByte = 96, HeapForLibrary = 4 << 20;

/// Memory for checking the texts, asked for at once.
void claimMemory(const Documents& documents) {
    uint64_t longest = 0;
    for (const auto& [path, document] : documents) longest = std::max<uint64_t>(longest, document.text.size());
    growForkedHeap(shareOfAddressSpace(HeapForLibrary + longest * HeapForByte));
    mapCode();
}

std::string answer(Workspace& workspace, const UriSpelling& spelling, const std::string& body) {
    Result<json::Object> message = debugger::parseBody(body);
    if (!message) return {};
    int64_t number = message->getInteger("number").value_or(0);
    const Feature* feature = findFeature(message->getString("method").value_or(""));
    static const json::Object none;
    const json::Object* params = message->getObject("params");
    Reply reply = feature ? feature->answer(workspace, params ? *params : none)
                          : Reply::failure(ErrorCode::MethodNotFound, "there is no such method");
    if (!spelling.isUsual()) respell(reply.result, spelling);
    json::Object text = toMessage(nullptr, std::move(reply));
    text["number"] = number;
    json::Array files;
    for (const std::string& file : workspace.filesUsed()) files.push_back(json::fixUTF8(file));
    text["files"] = std::move(files);
    return textOf(std::move(text));
}

void serve(debugger::Connection& connection, Workspace& workspace, const UriSpelling& spelling) {
    for (;;) {
        while (std::optional<std::string> body = connection.next()) {
            connection.send(answer(workspace, spelling, *body));
            while (connection.queued() > 0) {
                pollfd p{connection.outDescriptor(), POLLOUT, 0};
                ::poll(&p, 1, -1);
                if (p.revents & (POLLERR | POLLNVAL)) return;
                connection.flush();
            }
        }
        pollfd p{connection.inDescriptor(), POLLIN, 0};
        ::poll(&p, 1, -1);
        if (!connection.receive()) return;
    }
}

} // namespace

void answerRequests(int descriptor, const Documents& documents, const Settings& settings) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    leaveStreams();
    claimMemory(documents);
    EditorTexts::Map texts;
    UriSpelling spelling = settings.spelling;
    for (const auto& [path, document] : documents) {
        texts[path] = document.text;
        spelling.learn(document.uri);
    }
    debugger::Connection connection(descriptor, descriptor);
    withLargeStack([&] {
        EditorTexts scope(texts);
        Workspace workspace(settings, texts);
        serve(connection, workspace, spelling);
    });
    _exit(0);
}

} // namespace sx::server
