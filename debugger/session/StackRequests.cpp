#include "debugger/session/ErrorTrace.h"
#include "debugger/session/Fibers.h"
#include "debugger/session/Frames.h"
#include "debugger/session/LongWork.h"
#include "debugger/session/Positions.h"
#include "debugger/session/Requests.h"
#include "debugger/session/SourceMap.h"

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;

namespace {

Object describe(Session& s, ThreadId thread, uint32_t index, const Frame& f) {
    Object o{{"id", s.handles.addFrame({thread, index, f})}, {"name", asUtf8(f.name)}, {"line", 0}, {"column", 0}};
    bool isUser = false;
    if (f.at.isValid() && s.program) {
        Location at = s.program->sources.resolve(f.at);
        o["source"] = sourceOf(s, at.file);
        o["line"] = lineToClient(s, at.line);
        o["column"] = columnToClient(s, at);
        isUser = !s.program->isLibrary(at.file);
    } else if (!f.file.empty()) {
        o["source"] = sourceOf(pathForClient(s, f.file));
        o["line"] = lineToClient(s, f.line);
        o["column"] = f.column;
    }
    if (!isUser) o["presentationHint"] = "subtle";
    o["instructionPointerReference"] = hexText(f.pc);
    bool canRestart = s.engine->capabilities().getBoolean("supportsRestartFrame").value_or(false);
    o["canRestart"] = canRestart && f.func != ir::FuncId::None;
    return o;
}

/// A line of the error return trace as a frame: it has no variables.
Object describe(Session& s, ThreadId thread, const TraceLine& line) {
    Frame f;
    f.name = line.text;
    Object o{
        {"id", s.handles.addFrame({thread, UINT32_MAX, f})}, {"name", asUtf8(line.text)}, {"line", 0}, {"column", 0}};
    o["presentationHint"] = line.isLabel ? "label" : "subtle";
    if (line.isLabel) return o;
    std::optional<FileId> file = fileOfTrace(s, line.file);
    if (file && line.line > 0) {
        Location at{*file, line.line, line.column};
        o["source"] = sourceOf(s, *file);
        o["line"] = lineToClient(s, line.line);
        o["column"] = columnToClient(s, at);
    } else if (line.line > 0) {
        o["source"] = sourceOf(pathForClient(s, line.file));
        o["line"] = lineToClient(s, line.line);
        o["column"] = line.column;
    }
    return o;
}

/// How many live frames one answer has: a client without pages asks for all of a stack that may be as deep as memory is
/// large.
constexpr uint32_t MostFrames = 20'000;
constexpr uint32_t FewestFrames = 32; ///< are looked at

/// The number of live frames, of which there are more than `known`. Nothing: it was cancelled.
std::optional<uint32_t> countFrames(Session& s, ThreadId thread, uint32_t known) {
    LongWork work(s, "counting frames");
    for (uint32_t beyond = known; beyond != UINT32_MAX - 1 && work.goesOn();) {
        beyond = beyond < UINT32_MAX / 2 ? beyond + beyond / 2 + 1 : UINT32_MAX - 1; // all before are walked each time
        if (std::optional<uint32_t> total = s.engine->frames(thread, beyond, 1).total) return total;
    }
    return std::nullopt;
}

} // namespace

Reply staleFrame(uint32_t id) {
    return Reply::failure("there is no frame " + std::to_string(id) +
                          ": the program has gone on since, or it never was");
}

Reply staleVariables(uint32_t id) {
    return Reply::failure("there is no variables reference " + std::to_string(id) +
                          ": the program has gone on since, or it never was");
}

bool hasThreads(const Session& s) {
    return s.phase == Phase::Running || s.phase == Phase::Stopped || (s.phase == Phase::Loaded && s.attached);
}

std::optional<Reply> missingThread(Session& s, ThreadId id) {
    if (!hasThreads(s)) return Reply::failure("the program has not begun: send `configurationDone`");
    for (const ThreadInfo& t : s.engine->threads())
        if (t.id == id) return std::nullopt;
    return Reply::failure("there is no thread " + std::to_string(id));
}

Reply stackTrace(Session& s, Arguments& a) {
    ThreadId thread = a.index("threadId");
    uint32_t start = a.optionalIndex("startFrame").value_or(0);
    uint32_t levels = a.optionalIndex("levels").value_or(0);
    a.object("format");
    if (!a.ok()) return {};
    if (std::optional<Reply> missing = missingThread(s, thread)) return *missing;

    uint32_t wanted = levels == 0 ? UINT32_MAX - start : levels;
    // Beyond what is wanted, so that of most stacks it is known where they end.
    Frames live = framesOf(s, thread, start, std::clamp(wanted, FewestFrames, MostFrames - 1) + 1);
    if (live.total) s.frameTotals[thread] = *live.total;
    else if (auto known = s.frameTotals.find(thread); known != s.frameTotals.end()) live.total = known->second;
    if (!live.total && live.frames.size() == MostFrames && wanted > MostFrames) {
        live.total = countFrames(s, thread, start + MostFrames);
        if (!live.total) return Reply::failure(Cancelled);
        s.frameTotals[thread] = *live.total;
    }
    if (live.frames.size() > wanted) live.frames.resize(wanted);
    Array frames;
    for (uint32_t i = 0; i < live.frames.size(); ++i) frames.push_back(describe(s, thread, start + i, live.frames[i]));
    if (!live.total) return Object{{"stackFrames", std::move(frames)}, {"totalFrames", int64_t{start} + levels + 1}};

    uint32_t total = *live.total;
    auto add = [&](auto&& row) {
        if (total++ >= start && frames.size() < wanted) frames.push_back(row());
    };
    if (uint64_t end = uint64_t{start} + live.frames.size(); end < total && wanted > MostFrames) {
        std::string rest = "… " + std::to_string(total - end) + " more frames";
        frames.push_back(describe(s, thread, TraceLine{true, rest, "", 0, 0}));
    }
    for (const AwaitingStack& stack : awaitingStacks(s, thread)) {
        add([&] { return describe(s, stack.thread, TraceLine{true, "awaited by " + stack.name, "", 0, 0}); });
        for (uint32_t i = 0; i < stack.frames.size(); ++i)
            add([&] { return describe(s, stack.thread, i, stack.frames[i]); });
    }
    for (const TraceLine& line : errorTraceOf(s, thread).lines) add([&] { return describe(s, thread, line); });
    return Object{{"stackFrames", std::move(frames)}, {"totalFrames", total}};
}

Reply scopes(Session& s, Arguments& a) {
    uint32_t id = a.index("frameId");
    if (!a.ok()) return {};
    const FrameHandle* frame = s.handles.frame(id);
    if (!frame) return staleFrame(id);
    Array all;
    if (frame->index == UINT32_MAX) return Object{{"scopes", std::move(all)}};
    using Kind = VariablesHandle::Kind;
    auto add = [&](const char* name, Kind kind, bool expensive, const char* hint) {
        VariablesHandle h;
        h.kind = kind;
        h.frameId = id;
        Object o{
            {"name", name}, {"variablesReference", s.handles.addVariables(std::move(h))}, {"expensive", expensive}};
        if (hint) o["presentationHint"] = hint;
        all.push_back(std::move(o));
    };
    FrameHandle held = *frame;
    if (held.frame.func != ir::FuncId::None) {
        add("Parameters and locals", Kind::Locals, false, "locals");
        if (!s.program->module.fn(held.frame.func).captures.empty()) add("Captures", Kind::Captures, false, nullptr);
        add("Globals", Kind::Globals, true, "globals");
    }
    if (errorTraceOf(s, held.thread).inFlight) add("Error trace", Kind::Trace, false, nullptr);
    add("Registers", Kind::Registers, true, "registers");
    return Object{{"scopes", std::move(all)}};
}

} // namespace sx::debugger
