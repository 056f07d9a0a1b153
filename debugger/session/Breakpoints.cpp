#include "debugger/session/Breakpoints.h"

#include "debugger/engine/MachineView.h"
#include "debugger/session/Evaluation.h"
#include "debugger/session/Foreign.h"
#include "debugger/session/Frames.h"
#include "debugger/session/Heap.h"
#include "debugger/session/Positions.h"
#include "debugger/session/Session.h"
#include "debugger/session/SourceMap.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>
#include <utility>

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;

namespace {

/// Why there is no place for a breakpoint in C code.
std::string noCCode(const Session& s, const std::string& what) {
    return what + (s.foreign ? " without debug information" : ", which the engine `native` debugs");
}

/// A function of C that the program declares by this name, or that C calls so; empty: there is none.
std::string symbolOfC(const Session& s, const std::string& name) {
    std::string own = name.substr(name.rfind('.') + 1); // without the module: npos + 1 is 0
    for (const auto& fn : s.program->module.functions)
        if (fn->isExtern && !fn->dead && (fn->symbol == name || fn->name == own)) return fn->symbol;
    return s.program->hasFunctionOfC(own) ? own : "";
}

Resolved ofFunction(const Session& s, const std::string& name) {
    Resolved found = s.places->ofFunction(name);
    std::string symbol = found.points.empty() ? symbolOfC(s, name) : "";
    if (symbol.empty() && found.points.empty() && s.engine->machine().mayLoadCode())
        found = {{}, {}, "no function " + code(name) + " is loaded yet", true};
    if (symbol.empty()) return found;
    if (symbol != name) found = s.places->ofFunction(symbol);
    if (found.points.empty()) found.why = noCCode(s, code(name) + " is C code");
    return found;
}

/// The file is one of C that the program is made of, or may be.
bool isOfC(const Session& s, const std::string& path) {
    llvm::StringRef name = path;
    static constexpr const char* Ends[] = {".c", ".h", ".cc", ".cpp", ".cxx", ".hpp"};
    bool isKind = llvm::any_of(Ends, [&](const char* end) { return name.ends_with(end); });
    return isKind && s.program->mayHaveCCode();
}

Resolved resolve(const Session& s, const Breakpoint& b) {
    if (b.kind == Breakpoint::Kind::Function) return ofFunction(s, b.function);
    std::optional<FileId> file = fileOfClient(s, b.path);
    bool mayCome = s.engine->machine().mayLoadCode();
    if (!file && !s.foreign && isOfC(s, b.path)) return {{}, {}, noCCode(s, "this is C code")};
    if (!file && mayCome) return {{}, {}, "no code of this file is loaded yet", true};
    if (!file) return {{}, {}, "this file is no part of the program"};
    Resolved found = s.places->atLine(*file, b.line, b.column);
    bool isElsewhere = s.program->sema && llvm::is_contained(s.program->foreignFiles, *file);
    if (found.points.empty() && mayCome && isElsewhere && s.places->isEmpty(*file))
        return {{}, {}, "no code of this file is loaded now", true};
    return found;
}

std::string checkHitText(const Breakpoint& b) {
    if (b.hitText.empty() || b.hitCondition) return "";
    return "the hit condition has to be of the form `5`, `== 5`, `>= 5`, `> 5` or `% 5`";
}

/// Of the statements of a function the one that `at` lies in.
CodePoint statementAt(const ir::Function& fn, ir::FuncId func, SourcePos at) {
    CodePoint found{func, 0};
    SourcePos begin;
    for (uint32_t i = 0; i < fn.statements.size(); ++i) {
        SourcePos here = fn.statements[i].begin;
        if (at < here || here <= begin) continue;
        begin = here;
        found.statement = i;
    }
    return found;
}

/// The statement where the program stands when it stops for this one: the optimizer may have moved its code.
CodePoint standsAt(const Session& s, CodePoint point) {
    std::optional<SourcePos> at = s.engine->machine().stopsAt(point);
    const ir::Function& fn = s.program->module.fn(point.func);
    if (!at || !at->isValid() || point.statement >= fn.statements.size()) return point;
    return *at == fn.statements[point.statement].begin ? point : statementAt(fn, point.func, *at);
}

using Check = std::string (*)(Session&, const std::string&, CodePoint);

/// The places where a text can be used: a generic function has instances where it may mean nothing. `why` is set where
/// it means nothing in any.
std::vector<CodePoint> placesOf(Session& s, const std::string& text, const std::vector<CodePoint>& points, Check check,
                                std::string& why) {
    std::map<ir::FuncId, std::string> problems;
    std::vector<CodePoint> good;
    for (CodePoint p : points) {
        auto [known, isNew] = problems.try_emplace(p.func);
        if (isNew) known->second = check(s, text, standsAt(s, p));
        if (known->second.empty()) good.push_back(p);
    }
    if (good.empty()) why = problems.at(points.front().func);
    return good;
}

/// Puts the breakpoint where the program's code lets it stop.
void moveToCode(const Session& s, Breakpoint& b) {
    SourcePos wanted = b.at;
    std::optional<SourcePos> first;
    llvm::erase_if(b.points, [&](const CodePoint& point) {
        std::optional<SourcePos> at = s.engine->machine().stopsAt(point);
        if (at && !at->isValid()) at = wanted;
        if (at && (!first || *at == wanted || (*first != wanted && *at < *first))) first = at;
        return !at;
    });
    if (first) b.at = *first;
    else b.message = "the optimizer has left no code of this";
}

/// Whether the texts of a breakpoint can be used where it is; `message` says why not. Returns the places where it
/// stops.
std::vector<CodePoint> checkTexts(Session& s, Breakpoint& b) {
    std::vector<CodePoint> points = b.points;
    if (b.within) points = {*b.within};
    b.message = checkHitText(b);
    bool hasTexts = !b.condition.empty() || !b.logMessage.empty();
    if (b.message.empty() && points.empty() && hasTexts && b.kind == Breakpoint::Kind::Instruction)
        b.message = "this is no code of the program, in which names would have a meaning";
    if (!b.message.empty() || points.empty()) return points;
    if (!b.logMessage.empty()) placesOf(s, b.logMessage, points, checkLogMessage, b.message);
    if (b.message.empty() && !b.condition.empty()) points = placesOf(s, b.condition, points, checkCondition, b.message);
    return points;
}

bool isExecutable(Session& s, uint64_t address) {
    std::vector<Mapping> all = mappingsOf(s);
    auto has = [&](const Mapping& m) { return address >= m.start && address < m.end; };
    return all.empty() ||
           llvm::any_of(all, [&](const Mapping& m) { return has(m) && llvm::StringRef(m.permissions).contains('x'); });
}

/// Finds out what the instruction is of; `message` says why none begins there.
void resolveInstruction(Session& s, Breakpoint& b) {
    b.within.reset();
    b.at = {};
    b.message = b.refused;
    if (!b.message.empty()) return;
    bool isMachineCode = llvm::StringRef(s.engine->machine().variant()) == "native";
    std::vector<Instruction> rows;
    if (!isMachineCode || isExecutable(s, b.address)) rows = s.engine->machine().disassemble(b.address, -1, 2);
    if (rows.empty() && isMachineCode && s.phase == Phase::Running && isExecutable(s, b.address)) return;
    bool isCode = rows.size() == 2 && !rows[1].mnemonic.empty();
    bool isWithin = isCode && !rows[0].mnemonic.empty() && rows[0].address < b.address &&
                    rows[0].address + rows[0].bytes.size() > b.address;
    if (!isCode) b.message = "no instruction is at " + hexText(b.address);
    else if (isWithin || rows[1].address != b.address)
        b.message = hexText(b.address) + " is in the middle of the instruction at " +
                    hexText(isWithin ? rows[0].address : rows[1].address);
    else if (rows[1].func != ir::FuncId::None && !s.program->module.fn(rows[1].func).statements.empty())
        b.within = statementAt(s.program->module.fn(rows[1].func), rows[1].func, rows[1].at), b.at = rows[1].at;
}

} // namespace

void settle(Session& s, Breakpoint& b) {
    if (!s.hasProgram()) {
        b.verified = false;
        b.isPending = s.phase != Phase::Ended;
        b.message = b.isPending ? "pending" : "the program has ended";
        return;
    }
    b.points.clear();
    b.message.clear();
    b.isPending = false;
    if (b.kind == Breakpoint::Kind::Line || b.kind == Breakpoint::Kind::Function) {
        if (!s.places) {
            b.message = "the program's sources are not known";
        } else {
            Resolved found = resolve(s, b);
            b.points = std::move(found.points);
            b.at = found.at;
            b.message = std::move(found.why);
            b.isPending = found.isPending;
            if (!b.points.empty()) moveToCode(s, b);
        }
    }
    if (b.kind == Breakpoint::Kind::Instruction) resolveInstruction(s, b);
    std::vector<CodePoint> stopsAt;
    if (b.message.empty()) stopsAt = checkTexts(s, b);
    b.verified = b.message.empty();
    if (!b.verified) return s.engine->removeBreakpoint(b.id);
    if (b.kind == Breakpoint::Kind::Data) return;
    BreakpointRequest request;
    request.id = b.id;
    if (b.kind == Breakpoint::Kind::Instruction) request.addresses = {b.address};
    else request.points = std::move(stopsAt);
    request.within = b.within.value_or(CodePoint());
    request.condition = b.condition;
    request.hitCondition = b.hitText;
    request.logMessage = b.logMessage;
    s.engine->setBreakpoint(request);
}

Object describe(Session& s, const Breakpoint& b) {
    Object o{{"id", b.id}, {"verified", b.verified}};
    if (!b.message.empty()) {
        o["message"] = b.message;
        o["reason"] = b.isPending ? "pending" : "failed";
    }
    if (b.kind == Breakpoint::Kind::Instruction) o["instructionReference"] = hexText(b.address);
    if ((!b.points.empty() || b.within) && b.at.isValid()) {
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
    Array answers = applyFilters(s);
    for (size_t i = 0; i < answers.size(); ++i) {
        std::optional<llvm::StringRef> why = answers[i].getAsObject()->getString("message");
        const Breakpoints::Filter& f = s.breakpoints.filters[i];
        if (why && answers[i].getAsObject()->getBoolean("verified").value_or(false))
            s.note("the filter " + code(asUtf8(f.name)) + ": " + why->str());
        else if (why && !f.expression.empty())
            s.note("the condition " + code(asUtf8(f.expression)) + " of the filter " + code(asUtf8(f.name)) +
                   " cannot be used: " + why->str());
    }
}

void settleLoaded(Session& s) {
    showCCode(s);
    for (auto& [id, b] : s.breakpoints.all) {
        if (b.kind != Breakpoint::Kind::Line && b.kind != Breakpoint::Kind::Function) continue;
        std::vector<CodePoint> before = b.points;
        settle(s, b);
        if (b.points != before) s.event("breakpoint", Object{{"reason", "changed"}, {"breakpoint", describe(s, b)}});
    }
}

/// After what the program has written before.
static void tellLog(Session& s, const std::string& text) {
    s.streams.pump();
    s.note(text);
}

static FrameHandle topFrame(Session& s, const Stop& stop) {
    Frames top = framesOf(s, stop.thread, 0, 1);
    return {stop.thread, 0, top.frames.empty() ? Frame() : top.frames.front()};
}

bool wantStop(Session& s, Stop& stop) {
    if (s.engine->evaluatesConditions()) return true;
    std::vector<uint32_t> wanted;
    for (uint32_t id : stop.breakpoints) {
        auto found = s.breakpoints.all.find(id);
        if (found == s.breakpoints.all.end()) continue; // removed meanwhile
        Breakpoint& b = found->second;
        if (!b.condition.empty() && !conditionHolds(s, b.condition, topFrame(s, stop))) continue;
        ++b.hits;
        if (b.hitCondition && !b.hitCondition->holds(b.hits)) continue;
        if (b.logMessage.empty()) wanted.push_back(id);
        else tellLog(s, logText(s, b.logMessage, stop.thread));
    }
    stop.breakpoints = std::move(wanted);
    return !stop.breakpoints.empty();
}

bool passesBy(Session& s, const Stop& stop) {
    const FrameHandle top = topFrame(s, stop);
    bool passes = top.frame.func != ir::FuncId::None;
    for (uint32_t id : stop.breakpoints) {
        auto found = s.breakpoints.all.find(id);
        passes = passes && found != s.breakpoints.all.end() && isFalse(s, found->second.condition, top);
    }
    s.evaluator->resumed(); // what it has read changes now
    return passes;
}

namespace {

constexpr uint32_t MostSearched = 100; ///< that are looked at for the scope of a condition

/// The condition of a data breakpoint, with the names that it had when it was set: in the innermost frame of its
/// function, or in none, if it can do without. Where it cannot, it fails.
bool watchConditionHolds(Session& s, const Breakpoint& b, ThreadId thread) {
    FrameHandle scope{thread, 0, {}};
    if (b.scope == ir::FuncId::None) {
        if (Result<FrameHandle> outside = scopeOf(s, nullptr)) scope.frame = outside->frame;
        return conditionHolds(s, b.condition, scope);
    }
    for (uint32_t start = 0, most = MostSearched; start < 100 * MostSearched; start += most, most = 10 * MostSearched) {
        std::vector<Frame> stack = framesOf(s, thread, start, most).frames;
        auto found = llvm::find_if(stack, [&](const Frame& f) { return f.func == b.scope; });
        auto index = start + static_cast<uint32_t>(found - stack.begin());
        if (found != stack.end()) return conditionHolds(s, b.condition, {thread, index, *found});
        if (stack.size() < most) break;
    }
    scope.frame.func = b.scope;
    scope.frame.at = b.scopeAt;
    if (!usesFrame(s, b.condition, scope)) return conditionHolds(s, b.condition, scope);
    s.note("the condition " + code(asUtf8(b.condition)) + " failed: it names variables of " +
           code(asUtf8(b.scopeName)) + ", which is not running");
    return true;
}

} // namespace

void settleData(Session& s, Breakpoint& b) {
    b.message = checkHitText(b);
    b.scope = ir::FuncId::None;
    b.scopeName.clear();
    if (!b.message.empty() || b.condition.empty()) return;
    // The names are those of the frame whose variable is watched, or of the innermost one in which all have a meaning.
    bool isSlot = b.frame.has_value();
    ThreadId thread = s.phase == Phase::Stopped ? s.stop.thread : 0;
    uint32_t first = 0;
    if (isSlot) std::tie(thread, first) = *b.frame;
    Frames stack;
    if (s.phase == Phase::Stopped) stack = framesOf(s, thread, first, isSlot ? 1 : MostSearched);
    for (uint32_t i = 0; i < stack.frames.size(); ++i) {
        if (stack.frames[i].func == ir::FuncId::None) continue;
        FrameHandle frame{thread, first + i, stack.frames[i]};
        std::string why = conditionProblem(s, b.condition, &frame);
        if (why.empty()) b.message = conditionEffect(s, b.condition, &frame);
        if (why.empty() && !b.message.empty()) return;
        if (why.empty()) {
            b.scope = frame.frame.func;
            b.scopeAt = frame.frame.at;
            b.scopeName = s.program->module.fn(b.scope).name;
        }
        if (b.message.empty() || why.empty()) b.message = why;
        if (why.empty()) return;
    }
    if (stack.frames.empty()) b.message = conditionProblem(s, b.condition, nullptr);
    if (stack.frames.empty() && b.message.empty()) b.message = conditionEffect(s, b.condition, nullptr);
}

bool wantWatchStop(Session& s, Stop& stop) {
    std::vector<uint32_t> wanted;
    for (uint32_t id : stop.breakpoints) {
        auto found = s.breakpoints.all.find(id);
        if (found == s.breakpoints.all.end()) continue; // removed meanwhile
        Breakpoint& b = found->second;
        if (!b.condition.empty() && !watchConditionHolds(s, b, stop.thread)) continue;
        if (s.goesBack) { // hits are counted the first time
            wanted.push_back(id);
            continue;
        }
        ++b.hits;
        if (!b.hitCondition || b.hitCondition->holds(b.hits)) wanted.push_back(id);
    }
    // What was read is of the first one.
    if (!wanted.empty() && wanted.front() != stop.breakpoints.front()) stop.before.clear(), stop.after.clear();
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
    for (Breakpoints::Filter& f : s.breakpoints.filters) {
        if (f.isRefused || eventOf(f.name) != stop.event) continue;
        asked = true; // another one of the same name may have brought the engine to stop
        if (!f.tags.empty() && !llvm::is_contained(f.tags, stop.tag)) continue;
        if (f.expression.empty()) return true;
        FrameHandle frame = topFrame(s, stop);
        std::string why = conditionProblem(s, f.expression, &frame);
        if (why.empty() && conditionHolds(s, f.expression, frame)) return true;
        if (!why.empty() && !std::exchange(f.isTold, true))
            s.note("the condition " + code(asUtf8(f.expression)) + " means nothing in " +
                   code(asUtf8(frame.frame.name)) + ": " + why);
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
        f.tags.clear();
        if (why.empty() && !f.condition.empty() && !isListOfErrors(f.condition)) {
            why = syntaxProblem(f.condition);
            if (why.empty()) why = unknownName(s, f.condition);
            if (why.empty()) why = conditionEffect(s, f.condition, nullptr);
            f.expression = f.condition;
            f.isTold = false;
        } else if (why.empty() && !f.condition.empty() && s.program) {
            Result<std::vector<uint64_t>> tags = tagsOf(*s.program, f.condition);
            if (tags) filter.tags = f.tags = *tags;
            else why = tags.error();
        }
        FilterScope scope = why.empty() && s.hasProgram() ? s.engine->filterScope(filter.event) : FilterScope();
        if (why.empty()) why = scope.problem;
        f.isRefused = !why.empty();
        if (why.empty()) filters.push_back(filter);
        Object answer{{"verified", why.empty()}};
        if (why.empty()) why = scope.limit;
        if (!why.empty()) answer["message"] = why;
        answers.push_back(std::move(answer));
    }
    if (s.hasProgram()) s.engine->setErrorFilters(filters);
    return answers;
}

} // namespace sx::debugger
