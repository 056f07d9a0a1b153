#include "debugger/session/ErrorTrace.h"
#include "debugger/session/Frames.h"
#include "debugger/session/Requests.h"
#include "source/Signals.h"
#include "types/Predicates.h"
#include "types/TypeNames.h"

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;

namespace {

std::string tagName(const Session& s, uint64_t tag) { return s.program ? s.program->tagName(tag) : ""; }

Object traceBody(const Session& s, const ErrorTrace& trace) {
    Object body = trace.json;
    body["error"] = trace.error.empty() ? llvm::json::Value(nullptr) : llvm::json::Value(trace.error);
    std::string set = trace.error.empty() ? "" : setOf(s, trace.error);
    body["set"] = set.empty() ? llvm::json::Value(nullptr) : llvm::json::Value(set);
    body["rendered"] = asUtf8(trace.rendered);
    return body;
}

} // namespace

std::string setOf(const Session& s, const std::string& tag) {
    if (!s.program) return "";
    const TypeTable& types = s.program->types;
    std::string found;
    for (uint32_t t = 1; t < types.size(); ++t) {
        auto id = static_cast<TypeId>(t);
        if (!isErrorSet(types, id) || types.errorSetInfo(id).name.empty()) continue;
        for (Name n : types.errorSetInfo(id).tags) {
            if (types.names().text(n) != tag) continue;
            if (!found.empty()) return ""; // several sets have it
            found = writtenName(types, id);
        }
    }
    return found;
}

Reply exceptionInfo(Session& s, Arguments& a) {
    ThreadId thread = a.index("threadId");
    if (!a.ok()) return {};
    bool isError = s.stop.reason == Stop::Reason::Error, isSignal = s.stop.reason == Stop::Reason::Signal;
    if ((!isError && !isSignal) || s.stop.thread != thread)
        return Reply::failure("thread " + std::to_string(thread) + " has not stopped at an error");
    ErrorTrace trace = errorTraceOf(s, thread);
    bool isPanic = isError && s.stop.event == ErrorEvent::Panic;
    bool ends = isPanic || (isError && s.stop.event == ErrorEvent::Unhandled);
    std::string tag = isError && !isPanic ? tagName(s, s.stop.tag) : "";
    std::string id = isSignal ? signalName(s.stop.signal) : isPanic ? "panic" : tag.empty() ? "error" : "error." + tag;
    Object details{{"message", asUtf8(s.stop.text)}, {"typeName", id}, {"stackTrace", asUtf8(trace.rendered)}};
    details["sxTrace"] = traceBody(s, trace);
    std::string set = tag.empty() ? "" : setOf(s, tag);
    if (!set.empty()) details["fullTypeName"] = set + "." + tag;
    return Object{{"exceptionId", id},
                  {"description", asUtf8(s.stop.text.empty() ? id : s.stop.text)},
                  {"breakMode", ends ? "unhandled" : "always"},
                  {"details", std::move(details)}};
}

Reply errorTrace(Session& s, Arguments& a) {
    std::optional<uint32_t> reference = a.optionalIndex("variablesReference");
    ThreadId thread = reference ? a.optionalIndex("threadId").value_or(s.stop.thread) : a.index("threadId");
    if (!a.ok()) return {};
    if (std::optional<Reply> missing = missingThread(s, thread)) return *missing;
    if (reference && *reference > 0) {
        const VariablesHandle* variable = s.handles.variables(*reference);
        if (!variable) return staleVariables(*reference);
        if (!variable->trace) return Reply::failure("this variable carries no trace");
        return traceBody(s, errorTraceAt(s, *variable->trace));
    }
    return traceBody(s, errorTraceOf(s, thread));
}

} // namespace sx::debugger
