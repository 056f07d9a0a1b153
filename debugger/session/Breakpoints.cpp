#include "debugger/session/Breakpoints.h"

#include "debugger/session/Evaluation.h"
#include "debugger/session/Positions.h"
#include "debugger/session/Session.h"
#include "debugger/session/SourceMap.h"

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;

namespace {

bool isLive(const Session& s) {
    return s.phase == Phase::Loaded || s.phase == Phase::Running || s.phase == Phase::Stopped;
}

Resolved resolve(const Session& s, const Breakpoint& b) {
    if (b.kind == Breakpoint::Kind::Function) return s.places->ofFunction(b.function);
    std::optional<FileId> file = fileOfClient(s, b.path);
    if (!file) return {{}, {}, "this file is no part of the program"};
    return s.places->atLine(*file, b.line, b.column);
}

/// Why the texts of a breakpoint cannot be used where it is; empty: they can.
std::string checkTexts(Session& s, const Breakpoint& b) {
    if (!b.hitText.empty() && !b.hitCondition)
        return "the hit condition has to be of the form `5`, `== 5`, `>= 5`, `> 5` or `% 5`";
    if (!b.points.empty() && !b.condition.empty())
        if (std::string why = checkCondition(s, b.condition, b.points.front()); !why.empty()) return why;
    if (!b.points.empty() && !b.logMessage.empty())
        if (std::string why = checkLogMessage(s, b.logMessage, b.points.front()); !why.empty()) return why;
    return "";
}

} // namespace

void settle(Session& s, Breakpoint& b) {
    if (!isLive(s)) {
        b.verified = false;
        b.message = s.phase == Phase::Ended ? "the program has ended" : "pending";
        return;
    }
    b.points.clear();
    b.message.clear();
    if (b.kind == Breakpoint::Kind::Line || b.kind == Breakpoint::Kind::Function) {
        if (!s.places) {
            b.message = "the program's sources are not known";
        } else {
            Resolved found = resolve(s, b);
            b.points = std::move(found.points);
            b.at = found.at;
            b.message = std::move(found.why);
        }
    }
    if (b.message.empty()) b.message = checkTexts(s, b);
    b.verified = b.message.empty();
    if (!b.verified) return s.engine->removeBreakpoint(b.id);
    if (b.kind == Breakpoint::Kind::Data) return;
    BreakpointRequest request;
    request.id = b.id;
    request.points = b.points;
    if (b.kind == Breakpoint::Kind::Instruction) request.addresses = {b.address};
    request.condition = b.condition;
    request.hitCondition = b.hitText;
    request.logMessage = b.logMessage;
    s.engine->setBreakpoint(request);
}

Object describe(Session& s, const Breakpoint& b) {
    Object o{{"id", b.id}, {"verified", b.verified}};
    if (!b.message.empty()) {
        o["message"] = b.message;
        o["reason"] = b.message == "pending" ? "pending" : "failed";
    }
    if (b.kind == Breakpoint::Kind::Instruction) o["instructionReference"] = hexText(b.address);
    if (!b.points.empty() && b.at.isValid()) {
        Location at = s.program->sources.resolve(b.at);
        o["source"] = sourceOf(s, at.file);
        o["line"] = lineToClient(s, at.line);
        o["column"] = columnToClient(s, at);
    } else if (b.kind == Breakpoint::Kind::Line) {
        o["line"] = lineToClient(s, b.line);
    }
    return o;
}

void settleAll(Session& s) {
    for (auto& [id, b] : s.breakpoints.all) {
        b.hits = 0;
        if (b.kind == Breakpoint::Kind::Data) continue;
        settle(s, b);
        s.event("breakpoint", Object{{"reason", "changed"}, {"breakpoint", describe(s, b)}});
    }
    applyFilters(s);
}

bool wantStop(Session& s, Stop& stop) {
    if (s.engine->evaluatesConditions()) return true;
    std::vector<uint32_t> wanted;
    for (uint32_t id : stop.breakpoints) {
        auto found = s.breakpoints.all.find(id);
        if (found == s.breakpoints.all.end()) continue; // removed meanwhile
        Breakpoint& b = found->second;
        if (!b.condition.empty() && !conditionHolds(s, b.condition, stop.thread)) continue;
        ++b.hits;
        if (b.hitCondition && !b.hitCondition->holds(b.hits)) continue;
        if (b.logMessage.empty()) wanted.push_back(id);
        else s.note(logText(s, b.logMessage, stop.thread));
    }
    stop.breakpoints = std::move(wanted);
    return !stop.breakpoints.empty();
}

namespace {

std::optional<ErrorEvent> eventOf(llvm::StringRef filter) {
    if (filter == "raise") return ErrorEvent::Raise;
    if (filter == "propagate") return ErrorEvent::Propagate;
    if (filter == "absorb") return ErrorEvent::Absorb;
    if (filter == "unhandled") return ErrorEvent::Unhandled;
    if (filter == "panic") return ErrorEvent::Panic;
    return std::nullopt;
}

} // namespace

bool wantErrorStop(Session& s, const Stop& stop) {
    bool asked = false;
    for (const Breakpoints::Filter& f : s.breakpoints.filters) {
        if (eventOf(f.name) != stop.event) continue;
        if (f.expression.empty() || conditionHolds(s, f.expression, stop.thread)) return true;
        asked = true;
    }
    return !asked;
}

Array applyFilters(Session& s) {
    Array answers;
    std::vector<ErrorFilter> filters;
    for (Breakpoints::Filter& f : s.breakpoints.filters) {
        ErrorFilter filter;
        std::string why;
        if (std::optional<ErrorEvent> event = eventOf(f.name)) filter.event = *event;
        else why = "there is no exception filter " + code(asUtf8(f.name));
        f.expression.clear();
        if (why.empty() && !f.condition.empty() && !isListOfErrors(f.condition)) {
            why = syntaxProblem(f.condition);
            f.expression = f.condition;
        } else if (why.empty() && !f.condition.empty() && s.program) {
            Result<std::vector<uint64_t>> tags = tagsOf(*s.program, f.condition);
            if (tags) filter.tags = *tags;
            else why = tags.error();
        }
        if (why.empty() && isLive(s)) why = s.engine->filterProblem(filter.event);
        if (why.empty()) filters.push_back(filter);
        Object answer{{"verified", why.empty()}};
        if (!why.empty()) answer["message"] = why;
        answers.push_back(std::move(answer));
    }
    if (isLive(s)) s.engine->setErrorFilters(filters);
    return answers;
}

} // namespace sx::debugger
