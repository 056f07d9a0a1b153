// Going on and stopping.
#include "debugger/session/Fibers.h"
#include "debugger/session/Frames.h"
#include "debugger/session/Jumps.h"
#include "debugger/session/Machine.h"
#include "debugger/session/Positions.h"
#include "debugger/session/Requests.h"
#include "debugger/session/SourceMap.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;

void goesOn(Session& s) {
    forgetState(s);
    tellTaskGoesOn(s);
    s.goesBack.reset();
    s.passedOutput = false;
    s.steps = 0;
    s.phase = Phase::Running;
}

namespace {

bool isCoreFile(const Session& s) { return s.attached && s.launchArguments.get("core"); }

Reply step(Session& s, Arguments& a, StepRequest::Kind kind) {
    StepRequest request;
    request.thread = a.index("threadId");
    std::string granularity = a.optionalText("granularity").value_or("statement");
    std::optional<uint32_t> target = a.optionalIndex("targetId");
    bool intoCalls = kind == StepRequest::Kind::Back && a.flag("intoCalls", false);
    a.flag("singleThread", false);
    if (!a.ok()) return {};
    if (std::optional<Reply> missing = missingThread(s, request.thread)) return *missing;
    if (isCoreFile(s)) return Reply::failure("a core file does not run");
    if (std::optional<std::string> why = whyNoStep(s, request.thread)) return Reply::failure(*why);
    if (granularity != "statement" && granularity != "line" && granularity != "instruction")
        return Reply::failure("`granularity` has to be `statement`, `line` or `instruction`");
    bool isForward = kind == StepRequest::Kind::Over || kind == StepRequest::Kind::Into;
    request.byInstruction = granularity == "instruction";
    request.kind = request.byInstruction && isForward ? StepRequest::Kind::Instruction : kind;
    request.byLine = granularity == "line";
    request.intoCalls = intoCalls;
    request.intoLibrary = s.stepIntoLibrary;
    if (target && kind == StepRequest::Kind::Into) {
        const StepTarget* known = s.handles.stepTarget(*target);
        if (!known) return Reply::failure("there is no step-in target " + std::to_string(*target));
        request.target = *known;
        request.byLine = true; // it may be of another statement of the line
    }
    if (Result<void> r = s.engine->step(request); !r) return Reply::failure(r.error());
    goesOn(s);
    s.steps = request.thread;
    if (kind == StepRequest::Kind::Back || kind == StepRequest::Kind::Reverse) s.goesBack = request;
    return {};
}

} // namespace

Reply continueAll(Session& s, Arguments& a) {
    uint32_t thread = a.index("threadId");
    a.flag("singleThread", false);
    if (!a.ok()) return {};
    if (s.phase == Phase::Loaded) return Reply::failure("the program has not begun: send `configurationDone`");
    if (s.phase == Phase::Running) return Reply::failure("the program is running already");
    if (std::optional<Reply> missing = missingThread(s, thread)) return *missing;
    if (isCoreFile(s)) return Reply::failure("a core file does not run");
    if (Result<void> r = s.engine->resume(); !r) return Reply::failure(r.error());
    goesOn(s);
    return Object{{"allThreadsContinued", true}};
}

Reply next(Session& s, Arguments& a) { return step(s, a, StepRequest::Kind::Over); }
Reply stepIn(Session& s, Arguments& a) { return step(s, a, StepRequest::Kind::Into); }
Reply stepOut(Session& s, Arguments& a) { return step(s, a, StepRequest::Kind::Out); }

namespace {

Reply goBack(Session& s, Arguments& a, StepRequest::Kind kind) {
    if (a.index("threadId"); !a.ok()) return {};
    if (!s.engine->capabilities().getBoolean("supportsStepBack").value_or(false)) {
        std::string how = "launch with `record`: true to go back";
        return Reply::failure(s.engine->evaluatesConditions() ? how : how + ", and with `engine`: \"vm\"");
    }
    return step(s, a, kind);
}

} // namespace

Reply stepBack(Session& s, Arguments& a) { return goBack(s, a, StepRequest::Kind::Back); }
Reply reverseContinue(Session& s, Arguments& a) { return goBack(s, a, StepRequest::Kind::Reverse); }

Reply pause(Session& s, Arguments& a) {
    a.index("threadId");
    if (!a.ok()) return {};
    if (s.phase == Phase::Stopped) return Reply::failure("the program is stopped already");
    if (s.phase == Phase::Loaded) return Reply::failure("the program has not begun: send `configurationDone`");
    if (Result<void> r = s.engine->pause(); !r) return Reply::failure(r.error());
    return {};
}

namespace {

/// A call of the user's program or the library that has statements to stop at.
bool isStepTarget(const ir::Module& module, const ir::Instr& i) {
    if (i.op == ir::Op::CallIndirect) return true;
    if (i.op != ir::Op::Call) return false;
    const ir::Function& fn = module.fn(static_cast<ir::FuncId>(i.imm));
    return !fn.isExtern && !fn.compilerMade && !fn.statements.empty();
}

/// The functions whose addresses a function takes, also by way of adapters.
std::set<ir::FuncId> addressesTaken(const ir::Module& module, const ir::Function& fn) {
    std::set<ir::FuncId> taken;
    for (const ir::Instr& i : fn.instrs) {
        if (i.op != ir::Op::FuncAddr) continue;
        auto id = static_cast<ir::FuncId>(i.imm);
        taken.insert(id);
        if (!module.fn(id).compilerMade) continue;
        for (const ir::Instr& inner : module.fn(id).instrs)
            if (inner.op == ir::Op::Call) taken.insert(static_cast<ir::FuncId>(inner.imm));
    }
    return taken;
}

/// The lambdas among the arguments of a call that begin on its line: they can be stepped into, whoever calls them.
void addGiven(const Program& program, const std::set<ir::FuncId>& taken, Span call, const Location& here,
              std::vector<StepTarget>& targets) {
    for (ir::FuncId id : taken) {
        const ir::Function& lambda = program.module.fn(id);
        bool isInside = lambda.span.isValid() && call.begin <= lambda.span.begin && lambda.span.end <= call.end;
        if (!isInside || lambda.compilerMade || lambda.isExtern || lambda.statements.empty()) continue;
        Location at = program.sources.resolve(lambda.span.begin);
        bool isKnown = llvm::any_of(targets, [&](const StepTarget& t) { return t.isGiven && t.callee == id; });
        if (!isKnown && at.file == here.file && at.line == here.line) targets.push_back({id, lambda.span, true});
    }
}

/// The calls of the line on which a frame stands, in the order in which they are made.
std::vector<StepTarget> callsOfLine(const Program& program, const Frame& frame) {
    std::vector<StepTarget> calls;
    Location here = program.sources.resolve(frame.at);
    const ir::Function& fn = program.module.fn(frame.func);
    std::set<ir::FuncId> taken = addressesTaken(program.module, fn);
    auto makesClosure = [&](const ir::Instr& i) { // it asks for memory
        return llvm::any_of(taken, [&](ir::FuncId f) { return program.module.fn(f).span == i.span; });
    };
    for (const ir::Block& block : fn.blocks) {
        for (ir::ValueId v : block.instrs) {
            const ir::Instr& i = fn.instr(v);
            if (!i.span.isValid() || !isStepTarget(program.module, i) || makesClosure(i)) continue;
            Location at = program.sources.resolve(i.span.begin);
            if (at.line != here.line || at.file != here.file) continue;
            StepTarget call{i.op == ir::Op::Call ? static_cast<ir::FuncId>(i.imm) : ir::FuncId::None, i.span};
            // What runs at several ends of a block has its code more than once.
            bool isKnown = std::any_of(calls.begin(), calls.end(), [&](const StepTarget& other) {
                return other.span == call.span && other.callee == call.callee;
            });
            if (isKnown) continue;
            calls.push_back(call);
            addGiven(program, taken, call.span, here, calls);
        }
    }
    return calls;
}

} // namespace

Reply stepInTargets(Session& s, Arguments& a) {
    uint32_t id = a.index("frameId");
    if (!a.ok()) return {};
    const FrameHandle* frame = s.handles.frame(id);
    if (!frame) return staleFrame(id);
    Array targets;
    if (frame->frame.func != ir::FuncId::None && frame->frame.at.isValid()) {
        std::vector<StepTarget> calls = callsOfLine(*s.program, frame->frame);
        for (const StepTarget& call : calls) {
            Location at = s.program->sources.resolve(call.span.begin);
            std::string label = call.callee != ir::FuncId::None ? s.program->module.fn(call.callee).name
                                                                : std::string(s.program->sources.textOf(call.span));
            targets.push_back(Object{{"id", s.handles.addStepTarget(call)},
                                     {"label", asUtf8(label)},
                                     {"line", lineToClient(s, at.line)},
                                     {"column", columnToClient(s, at)}});
        }
    }
    return Object{{"targets", std::move(targets)}};
}

/// Between the two scopes one is entered whose code uses what was prepared before it.
static bool skipsEntry(const ir::Function& fn, ir::ScopeId from, ir::ScopeId to) {
    std::set<ir::ScopeId> around{0};
    for (; from != 0 && from < fn.scopes.size(); from = fn.scopes[from].parent) around.insert(from);
    for (; around.count(to) == 0; to = fn.scopes[to].parent)
        if (fn.scopes[to].needsEntry) return true;
    return false;
}

Reply gotoTargets(Session& s, Arguments& a) {
    const Object* source = a.object("source");
    if (!source) a.reject("`source` has to be given");
    uint32_t line = lineFromClient(s, a.integer("line"));
    if (!a.ok()) return {};
    Arguments where(*source, "source.");
    std::string path = where.text("path");
    if (!where.ok()) return Reply::failure(where.problem());
    Array targets;
    std::optional<FileId> file = s.places ? fileOfClient(s, path) : std::nullopt;
    Frames top = s.engine->frames(s.stop.thread, 0, 1);
    if (file && !top.frames.empty()) {
        for (SourcePos p : s.places->inLines(*file, line, line)) {
            for (CodePoint point : s.places->at(p)) {
                if (point.func != top.frames[0].func) continue;
                const ir::Function& fn = s.program->module.fn(point.func);
                ir::ScopeId within = fn.scopeOf(fn.statements[point.statement]);
                if (skipsEntry(fn, top.frames[0].scope, within)) continue;
                Location at = s.program->sources.resolve(p);
                std::string row = std::to_string(at.line) + ":" + std::to_string(unitsBefore(s, at) + 1);
                targets.push_back(Object{{"id", s.handles.addTarget(point)},
                                         {"label", asUtf8(std::string(s.program->sources.path(at.file))) + ":" + row},
                                         {"line", lineToClient(s, at.line)},
                                         {"column", columnToClient(s, at)}});
            }
        }
    }
    return Object{{"targets", std::move(targets)}};
}

Reply goTo(Session& s, Arguments& a) {
    uint32_t thread = a.index("threadId");
    uint32_t target = a.index("targetId");
    if (!a.ok()) return {};
    if (std::optional<Reply> missing = missingThread(s, thread)) return *missing;
    const CodePoint* point = s.handles.target(target);
    if (!point) return Reply::failure("there is no goto target " + std::to_string(target));
    std::set<ir::SlotId> before = variablesWithValues(s, thread);
    if (Result<void> r = s.engine->goTo(thread, *point); !r) return Reply::failure(r.error());
    forgetState(s);
    noteJump(s, thread, before);
    s.stop.reason = Stop::Reason::Goto;
    s.event("stopped", Object{{"reason", "goto"}, {"threadId", thread}, {"allThreadsStopped", true}});
    return {};
}

/// The innermost frame stands where its function prepares what its statements use.
static bool standsBeforeStatements(Session& s, ThreadId thread) {
    Frames top = s.engine->frames(thread, 0, 1);
    if (top.frames.empty() || top.frames[0].func == ir::FuncId::None) return false;
    const ir::Function& fn = s.program->module.fn(top.frames[0].func);
    auto isHere = [&](const ir::Statement& statement) { return statement.begin == top.frames[0].at; };
    return !fn.statements.empty() && llvm::none_of(fn.statements, isHere);
}

Reply restartFrame(Session& s, Arguments& a) {
    uint32_t id = a.index("frameId");
    if (!a.ok()) return {};
    const FrameHandle* frame = s.handles.frame(id);
    if (!frame) return staleFrame(id);
    if (frame->index == UINT32_MAX) return Reply::failure("a line of the error return trace is no frame");
    ThreadId thread = frame->thread;
    if (Result<void> r = s.engine->restartFrame(thread, frame->index); !r) return Reply::failure(r.error());
    forgetState(s);
    s.jumps.clear();
    StepRequest toStatement;
    toStatement.thread = thread;
    toStatement.kind = StepRequest::Kind::Over;
    if (standsBeforeStatements(s, thread) && s.engine->step(toStatement)) {
        goesOn(s);
        s.restartsFrame = true;
        return {};
    }
    s.stop.reason = Stop::Reason::Goto;
    s.event("stopped", Object{{"reason", "restart"}, {"threadId", thread}, {"allThreadsStopped", true}});
    return {};
}

} // namespace sx::debugger
