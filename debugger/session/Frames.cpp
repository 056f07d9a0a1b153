#include "debugger/session/Frames.h"
#include "debugger/evaluate/Refusals.h"
#include "debugger/program/InitialValues.h"
#include "debugger/session/ErrorTrace.h"
#include "debugger/session/Evaluation.h"
#include "debugger/session/Foreign.h"
#include "debugger/session/Jumps.h"
#include "types/Failable.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace sx::debugger {

namespace {

/// How far out each scope stands from `inner`; nullopt: it is not around it.
std::vector<std::optional<unsigned>> distances(const ir::Function& fn, ir::ScopeId inner) {
    std::vector<std::optional<unsigned>> all(std::max<size_t>(fn.scopes.size(), 1));
    for (unsigned n = 0; inner < all.size() && !all[inner]; inner = fn.scopes[inner].parent) {
        all[inner] = n++;
        if (inner == 0) break;
    }
    return all;
}

/// A place in a function, and what is visible there.
struct Place {
    SourcePos at;
    ir::ScopeId scope = 0;
};

/// Of places that are one in the source, as the rounds of an `inline for` have them: in the scope around them all.
void join(const ir::Function& fn, std::optional<Place>& all, const ir::Instr& i) {
    if (!all) all = Place{i.span.begin, i.scope};
    std::vector<std::optional<unsigned>> around = distances(fn, i.scope);
    while (all->scope != 0 && !around[all->scope]) all->scope = fn.scopes[all->scope].parent;
}

/// Where `fn` adds this line to a trace.
std::optional<Place> placeOfHop(Session& s, const ir::Function& fn, const TraceLine& line) {
    std::optional<Place> found;
    std::optional<FileId> file = line.text == fn.name ? fileOfTrace(s, line.file) : std::nullopt;
    for (const ir::Instr& i : fn.instrs) {
        if (!file || i.op != ir::Op::TraceFrame || s.program->sources.fileOf(i.span.begin) != *file) continue;
        Location at = s.program->sources.resolve(i.span.begin);
        if (at.line == line.line && at.col == line.column) join(fn, found, i);
    }
    return found;
}

/// The only place where `fn` returns an error without a line in its trace, as `return parse(text)` does.
std::optional<Place> placeOfReturn(const ir::Function& fn) {
    std::optional<Place> found;
    for (const ir::ErrorEvent& e : fn.errorEvents) {
        const ir::Instr& i = fn.instr(e.at);
        auto isHop = [&](const ir::Instr& o) { return o.op == ir::Op::TraceFrame && o.span.begin == i.span.begin; };
        if (e.kind != ir::ErrorEventKind::Unhandled || llvm::any_of(fn.instrs, isHop)) continue;
        if (found && !(found->at == i.span.begin)) return std::nullopt;
        join(fn, found, i);
    }
    return found;
}

/// The place where the frame's function let go of the error in flight: the code that does is one for several places, or
/// is gone.
void placeWhereLeft(Session& s, ThreadId thread, Frame& f) {
    const ir::Function& fn = s.program->module.fn(f.func);
    ErrorTrace trace = errorTraceOf(s, thread);
    auto last = llvm::find_if(llvm::reverse(trace.lines), [](const TraceLine& line) { return !line.isLabel; });
    std::optional<Place> place;
    bool isKnown = f.at.isValid();
    if (last != trace.lines.rend()) place = placeOfHop(s, fn, *last);
    if (place && isKnown && place->at == f.at) return;
    if (!place && !isKnown && last != trace.lines.rend()) place = placeOfReturn(fn);
    if (place) {
        f.at = place->at;
        f.scope = place->scope;
    } else if (!isKnown) {
        f.at = fn.span.begin;
    }
}

} // namespace

Frames framesOf(Session& s, ThreadId thread, uint32_t start, uint32_t count) {
    Frames all = s.engine->frames(thread, start, count);
    if (start != 0 || all.frames.empty() || !s.program) return all;
    Frame& top = all.frames.front();
    if (isForeign(s, top.func)) return all;
    if (top.func != ir::FuncId::None && (top.isLeft || !top.at.isValid())) placeWhereLeft(s, thread, top);
    return all;
}

/// The length of an array of C may be known only where it is.
static TypeId countedType(Session& s, TypeId type, const SlotPlace& place) {
    bool isOpen = !place.counts.empty() && s.foreign && ForeignTypes::owns(type);
    return isOpen ? s.foreign->program->types.withCounts(type, place.counts) : type;
}

Datum slotDatum(Session& s, const FrameHandle& frame, ir::SlotId slot, TypeId type) {
    SlotPlace place = s.engine->slot(frame.thread, frame.index, slot);
    switch (place.kind) {
    case SlotPlace::Kind::Memory: return Datum::at(countedType(s, type, place), place.address);
    case SlotPlace::Kind::Register: {
        Datum held = Datum::held(type, place.bytes);
        held.missing.assign(place.missing.begin(), place.missing.end());
        held.address = place.address;
        return held;
    }
    case SlotPlace::Kind::Unavailable: break;
    }
    if (valuesOf(s).sizeOf(type) == 0) return Datum::held(type, {}); // all of it is there
    return Datum::nowhere(type, "<" + (place.why.empty() ? std::string("optimized out") : place.why) + ">");
}

namespace {

bool isCapture(const ir::Function& fn, const ir::Slot& slot) {
    if (slot.paramIndex >= 0 || slot.scope != 0) return false;
    return std::any_of(fn.captures.begin(), fn.captures.end(),
                       [&](const ir::Capture& c) { return c.name == slot.name; });
}

/// Debug information of other languages has blocks only: what the frame has not come to is not declared yet. At a line
/// to which execution has come back all of it is.
bool isDeclaredYet(const Session& s, const Frame& frame, const ir::Slot& slot) {
    if (!isForeign(s, frame.func) || slot.paramIndex >= 0 || !slot.span.isValid() || !frame.at.isValid()) return true;
    const SourceManager& sources = s.program->sources;
    Location declared = sources.resolve(slot.span.begin), here = sources.resolve(frame.at);
    if (declared.file != here.file || declared.line < here.line) return true;
    const auto& statements = s.program->module.fn(frame.func).statements;
    bool isBack = frame.atStatement && frame.statement < statements.size() && !statements[frame.statement].breakable;
    return declared.line == here.line && (isBack || slot.span.begin < frame.at);
}

} // namespace

namespace {

/// A variable that a frame sees.
struct Seen {
    Name name = Name::None;
    Span declared;
    TypeId type{};
    ir::SlotId slot = ir::SlotId::None;
    bool isParameter = false;
    unsigned distance = 0; ///< of the scope that it is declared in
    std::optional<RoundCapture> capture{};
};

/// In the order of their declaration, parameters first.
std::vector<Seen> seenBy(Session& s, const FrameHandle& frame) {
    const ir::Function& fn = s.program->module.fn(frame.frame.func);
    const std::vector<std::optional<unsigned>> away = distances(fn, frame.frame.scope);
    std::vector<Seen> all;
    for (uint32_t i = 0; i < fn.slots.size(); ++i) {
        const ir::Slot& slot = fn.slots[i];
        if (!slot.isVariable || slot.name == Name::None || isCapture(fn, slot)) continue;
        if (!isDeclaredYet(s, frame.frame, slot)) continue;
        if (slot.scope >= away.size() || !away[slot.scope]) continue;
        all.push_back(
            {slot.name, slot.span, slot.type, static_cast<ir::SlotId>(i), slot.paramIndex >= 0, *away[slot.scope]});
    }
    for (RoundCapture& c : roundCapturesOf(s, frame))
        if (c.scope < away.size() && away[c.scope])
            all.push_back({c.name, c.declared, c.type, c.slot, false, *away[c.scope], std::move(c)});
    std::stable_sort(all.begin(), all.end(), [](const Seen& a, const Seen& b) {
        if (a.isParameter != b.isParameter) return a.isParameter;
        return a.declared.begin < b.declared.begin;
    });
    return all;
}

/// Of the variables of one name the innermost one, the later one of a scope; by the name.
llvm::DenseMap<uint32_t, const Seen*> innermostOf(llvm::ArrayRef<Seen> all) {
    llvm::DenseMap<uint32_t, const Seen*> innermost;
    for (const Seen& seen : all) {
        const Seen*& known = innermost[static_cast<uint32_t>(seen.name)];
        if (!known || seen.distance <= known->distance) known = &seen;
    }
    return innermost;
}

} // namespace

std::vector<Variable> declaredLocals(Session& s, const FrameHandle& frame) {
    std::vector<Variable> all;
    if (frame.frame.func == ir::FuncId::None || !s.program) return all;
    std::vector<Seen> visible = seenBy(s, frame);
    llvm::DenseMap<uint32_t, const Seen*> innermost = innermostOf(visible);
    for (const Seen& v : visible) {
        Variable variable;
        variable.name = variable.evaluateName = std::string(s.program->types.names().text(v.name));
        if (innermost.lookup(static_cast<uint32_t>(v.name)) != &v) {
            variable.evaluateName.clear();
            if (v.declared.isValid())
                variable.name += " (line " + std::to_string(s.program->sources.resolve(v.declared.begin).line) + ")";
        }
        variable.slot = v.slot;
        // Where an error is absorbed its handler's variable is still to come.
        bool isAhead = !frame.frame.atStatement && v.declared.isValid() && frame.frame.at < v.declared.begin;
        if (isAhead && !hasValue(s, frame, variable)) continue;
        variable.datum.type = v.type;
        if (v.capture) {
            variable.fixed = v.capture->fixed;
            const auto* number = reinterpret_cast<const uint8_t*>(&v.capture->number);
            if (v.slot == ir::SlotId::None) variable.datum = Datum::held(v.type, {number, sizeof v.capture->number});
        }
        all.push_back(std::move(variable));
    }
    return all;
}

void readLocal(Session& s, const FrameHandle& frame, Variable& v) {
    if (v.slot != ir::SlotId::None) v.datum = slotDatum(s, frame, v.slot, v.datum.type);
}

std::vector<Variable> localsOf(Session& s, const FrameHandle& frame) {
    std::vector<Variable> all = declaredLocals(s, frame);
    for (Variable& v : all) readLocal(s, frame, v);
    return all;
}

/// The assignments that gave a variable no value, as the call whose result they took has failed.
static std::vector<ir::ValueId> failedWrites(Session& s, const FrameHandle& frame, const Variable& v) {
    const ir::Function& fn = s.program->module.fn(frame.frame.func);
    const TypeTable& types = s.program->types;
    std::vector<ir::ValueId> failed;
    for (const ResultPart& part : s.program->initialValues(frame.frame.func).partsOf(v.slot)) {
        const ir::Slot& error = fn.slots[static_cast<uint32_t>(part.last)];
        TypeId result = fn.slots[static_cast<uint32_t>(part.result)].type;
        if (!isFailable(types, result) || types.kind(error.type) != TypeKind::ErrorSet) continue;
        Result<std::vector<uint8_t>> tag = bytesOf(s, slotDatum(s, frame, part.last, error.type));
        if (tag && std::any_of(tag->begin(), tag->end(), [](uint8_t b) { return b != 0; }))
            failed.push_back(part.write);
    }
    return failed;
}

/// What a frame that is at no statement's beginning stands at: the call that begins there, in its scope where there are
/// several, or else what else does, of which one is as good as another.
static llvm::SmallVector<ir::ValueId, 8> instructionsAt(Session& s, const Frame& frame) {
    constexpr size_t Most = 8;
    llvm::SmallVector<ir::ValueId, 8> others;
    if (!frame.at.isValid()) return others;
    const ir::Function& fn = s.program->module.fn(frame.func);
    ir::ValueId call = ir::ValueId::None;
    for (ir::ValueId v : s.program->initialValues(frame.func).instructionsAt(frame.at)) {
        const ir::Instr& i = fn.instr(v);
        bool isCall = i.op == ir::Op::Call || i.op == ir::Op::CallIndirect;
        if (isCall && i.scope == frame.scope) return {v};
        if (isCall && call == ir::ValueId::None) call = v;
        if (others.size() < Most) others.push_back(v);
    }
    if (call != ir::ValueId::None) return {call};
    return others;
}

/// A caller stands at its call, which may have written what it was given the address of.
bool hasValue(Session& s, const FrameHandle& frame, const Variable& v) {
    if (v.slot == ir::SlotId::None || s.givenValues.count({frame.frame.address, v.slot}) != 0) return true;
    if (isForeign(s, frame.frame.func)) return true; // nobody knows
    const ir::Function& fn = s.program->module.fn(frame.frame.func);
    if (fn.slots[static_cast<uint32_t>(v.slot)].size == 0) return true; // there is but one
    InitialValues& values = s.program->initialValues(frame.frame.func);
    if (frame.frame.atStatement && frame.frame.statement < fn.statements.size()) {
        ir::ValueId point = fn.statements[frame.frame.statement].first;
        return !isPassedOver(s, frame, v.slot, point, false) &&
               values.mayHaveValue(fn, v.slot, point, false, failedWrites(s, frame, v));
    }
    llvm::SmallVector<ir::ValueId, 8> points = instructionsAt(s, frame.frame);
    if (points.empty()) return true;
    std::vector<ir::ValueId> failed = failedWrites(s, frame, v);
    return llvm::any_of(points, [&](ir::ValueId point) {
        return !isPassedOver(s, frame, v.slot, point, true) && values.mayHaveValue(fn, v.slot, point, true, failed);
    });
}

bool isUnset(Session& s, const FrameHandle& frame, ir::SlotId slot) {
    const ir::Function& fn = s.program->module.fn(frame.frame.func);
    const ir::Slot& known = fn.slots[static_cast<uint32_t>(slot)];
    if (!known.isVariable || isCapture(fn, known)) return false;
    Variable v;
    v.slot = slot;
    return !hasValue(s, frame, v);
}

std::vector<Variable> capturesOf(Session& s, const FrameHandle& frame) {
    std::vector<Variable> all;
    const ir::Function& fn = s.program->module.fn(frame.frame.func);
    for (uint32_t i = 0; i < fn.slots.size(); ++i) {
        if (!isCapture(fn, fn.slots[i])) continue;
        Variable variable;
        variable.name = variable.evaluateName = std::string(s.program->types.names().text(fn.slots[i].name));
        variable.slot = static_cast<ir::SlotId>(i);
        variable.datum = slotDatum(s, frame, variable.slot, fn.slots[i].type);
        all.push_back(std::move(variable));
    }
    return all;
}

std::optional<Datum> threadLocal(Session& s, const FrameHandle& frame, ir::GlobalId id) {
    std::optional<SlotPlace> place = s.engine->threadLocal(frame.thread, frame.index, id);
    if (!place) return std::nullopt;
    TypeId type = s.program->module.global(id).type;
    return place->kind == SlotPlace::Kind::Memory ? Datum::at(type, place->address)
                                                  : Datum::nowhere(type, "<" + place->why + ">");
}

/// Of a global that the program does not have, the value is that of its data where nothing can have changed it.
static void setGlobal(Session& s, const FrameHandle& frame, Variable& variable, ir::GlobalId id) {
    const ir::Global& g = s.program->module.global(id);
    if (std::optional<Datum> own = threadLocal(s, frame, id)) {
        variable.datum = *own;
        return;
    }
    Addresses& addresses = s.evaluator ? s.evaluator->addresses() : s.engine->addresses();
    std::optional<uint64_t> address = addresses.addressOf(id);
    variable.datum = address ? Datum::at(g.type, *address) : Datum::nowhere(g.type, "<optimized out>");
    if (!address || !EvaluationMemory::isOwn(*address)) return;
    variable.fixed = g.isConst ? "this is a constant, which cannot be changed" : refusals::isUnused(g.name);
    if (Result<std::vector<uint8_t>> bytes = bytesOf(s, variable.datum)) variable.datum = Datum::held(g.type, *bytes);
}

std::vector<Variable> globalsOf(Session& s, const FrameHandle& frame) {
    std::vector<Variable> all;
    const ir::Module& module = s.program->module;
    Span function = module.fn(frame.frame.func).span;
    if (!function.isValid()) return all;
    FileId file = s.program->sources.fileOf(function.begin);
    for (uint32_t i = 0; i < module.globals.size(); ++i) {
        const ir::Global& g = module.globals[i];
        // A symbol file does not say in which file a variable is.
        bool isHere = g.span.isValid() ? s.program->sources.fileOf(g.span.begin) == file : !s.program->sema;
        if (g.type == TypeId::None || !isHere) continue;
        Variable variable;
        variable.name = variable.evaluateName = g.name;
        setGlobal(s, frame, variable, static_cast<ir::GlobalId>(i));
        all.push_back(std::move(variable));
    }
    return all;
}

namespace {

/// Of a data id: the frame without which it means nothing. A frame with address 0 is none.
std::string frameWords(ThreadId thread, ir::FuncId func, uint64_t address) {
    return std::to_string(thread) + " " + std::to_string(static_cast<uint32_t>(func)) + " " + std::to_string(address) +
           " ";
}

/// A data id names a slot of a frame (`slot THREAD FUNCTION FRAME SLOT TYPE NAME`), memory (`memory ADDRESS SIZE TYPE
/// THREAD FUNCTION FRAME NAME`), which may be a part of a variable of a frame, or what is in a global variable of a
/// program that has not begun (`global EXPRESSION`).
std::string slotId(const FrameHandle& f, ir::SlotId slot, TypeId type, const std::string& name) {
    return "slot " + frameWords(f.thread, f.frame.func, f.frame.address) + std::to_string(static_cast<uint32_t>(slot)) +
           " " + std::to_string(static_cast<uint32_t>(type)) + " " + name;
}

/// A variable of the frame has the memory.
bool isOfFrame(Session& s, const FrameHandle& f, uint64_t address) {
    if (f.frame.func == ir::FuncId::None) return false;
    llvm::ArrayRef<ir::Slot> slots = s.program->module.fn(f.frame.func).slots;
    for (uint32_t i = 0; i < slots.size(); ++i) {
        if (!slots[i].isVariable) continue;
        SlotPlace place = s.engine->slot(f.thread, f.index, static_cast<ir::SlotId>(i));
        if (place.address != 0 && address - place.address < slots[i].size) return true;
    }
    return false;
}

std::string memoryId(Session& s, uint32_t frameId, const Datum& d, const std::string& name) {
    const FrameHandle* f = s.handles.frame(frameId);
    bool isPart = f && f->index != UINT32_MAX && isOfFrame(s, *f, d.address);
    return "memory " + std::to_string(d.address) + " " + std::to_string(valuesOf(s).sizeOf(d.type)) + " " +
           std::to_string(static_cast<uint32_t>(d.type)) + " " +
           (isPart ? frameWords(f->thread, f->frame.func, f->frame.address) : frameWords(0, ir::FuncId::None, 0)) +
           name;
}

} // namespace

std::optional<uint32_t> liveFrame(Session& s, ThreadId thread, ir::FuncId func, uint64_t address) {
    constexpr uint32_t AtOnce = 1000;
    for (uint32_t start = 0;; start += AtOnce) {
        std::vector<Frame> frames = s.engine->frames(thread, start, AtOnce).frames;
        auto found = llvm::find_if(frames, [&](const Frame& f) { return f.func == func && f.address == address; });
        if (found != frames.end()) return start + static_cast<uint32_t>(found - frames.begin());
        if (frames.size() < AtOnce) return std::nullopt;
    }
}

Result<Watched> findWatched(Session& s, const std::string& name, std::optional<uint32_t> variablesReference,
                            std::optional<uint32_t> frameId) {
    constexpr const char* NotInMemory = "is in no memory that could be watched";
    const VariablesHandle* parent = nullptr;
    if (variablesReference && *variablesReference > 0) {
        parent = s.handles.variables(*variablesReference);
        if (!parent) return Failure{staleVariables(*variablesReference).message};
    }
    uint32_t id = parent ? parent->frameId : frameId.value_or(0);
    auto fromDatum = [&](const Datum& d, const std::string& shown) -> Result<Watched> {
        if (d.place != Datum::Place::Memory) return Failure{code(shown) + " " + NotInMemory};
        if (valuesOf(s).sizeOf(d.type) == 0) return Failure{code(shown) + " takes no memory"};
        return Watched{memoryId(s, id, d, shown), shown};
    };
    if (parent && parent->kind == VariablesHandle::Kind::Value) {
        Values values = valuesOf(s);
        for (const Child& c : values.children(parent->datum, parent->expression))
            if (c.name == name) return fromDatum(c.datum, c.evaluateName.empty() ? name : c.evaluateName);
        return Failure{"there is no " + code(name) + " here"};
    }
    if (!parent && !frameId && s.phase == Phase::Loaded && s.evaluator) { // its memory is known when the program begins
        if (std::string why = watchProblem(s, name); !why.empty()) return Failure{why};
        return Watched{"global " + name, name};
    }
    const FrameHandle* frame = s.handles.frame(id);
    if (!frame || frame->index == UINT32_MAX) return Failure{"say in which frame or scope " + code(name) + " is"};
    FrameHandle held = *frame;
    for (auto list : {localsOf, capturesOf, globalsOf}) {
        if (held.frame.func == ir::FuncId::None) break;
        for (const Variable& v : list(s, held)) {
            if (v.name != name) continue;
            if (v.slot != ir::SlotId::None && v.datum.place != Datum::Place::Nowhere)
                return Watched{slotId(held, v.slot, v.datum.type, v.name), v.name};
            return fromDatum(v.datum, v.name);
        }
    }
    // No variable: an expression for a place.
    Result<Datum> place = evaluatePlace(s, name, &held, NotInMemory);
    if (!place) return place.failure();
    return fromDatum(*place, name);
}

Result<void> setWatch(Session& s, Breakpoint& b) {
    llvm::StringRef rest = b.key;
    rest = rest.split('\n').first;
    auto word = [&] {
        auto [first, others] = rest.split(' ');
        rest = others;
        return first;
    };
    auto number = [&] {
        uint64_t n = 0;
        word().getAsInteger(10, n);
        return n;
    };
    ThreadId thread = 0;
    bool isPart = false;
    auto ofFrame = [&] {
        thread = static_cast<ThreadId>(number());
        auto func = static_cast<ir::FuncId>(number());
        uint64_t address = number();
        isPart = address != 0;
        return isPart && s.phase != Phase::Running ? liveFrame(s, thread, func, address) : std::nullopt;
    };
    auto hasEnded = [&] { return Failure{"the call that had " + code(b.name) + " has ended"}; };
    llvm::StringRef kind = word();
    if (kind == "slot") {
        if (s.phase == Phase::Running) return Failure{"the program is running: `pause` it first"};
        std::optional<uint32_t> frame = ofFrame();
        auto slot = static_cast<ir::SlotId>(number());
        b.type = static_cast<TypeId>(number());
        b.name = rest.str();
        if (!frame) return hasEnded();
        b.frame = {thread, *frame};
        return s.engine->setWatchSlot(b.id, thread, *frame, slot);
    }
    if (kind == "global" && s.phase == Phase::Loaded) {
        b.name = rest.str();
        b.isPending = true;
        return Failure{"pending"};
    }
    if (kind != "memory") return Failure{"this is no data id that was given out"};
    b.address = number();
    b.size = number();
    b.type = static_cast<TypeId>(number());
    bool isLeft = !ofFrame() && isPart && s.phase == Phase::Stopped;
    b.name = rest.str();
    if (isLeft) return hasEnded();
    noteGlobal(s, b);
    return s.engine->setWatch(b.id, b.address, b.size);
}

std::optional<TypeId> watchedType(Session& s, const Stop& stop) {
    auto found = stop.breakpoints.empty() ? s.breakpoints.all.end() : s.breakpoints.all.find(stop.breakpoints.front());
    if (found == s.breakpoints.all.end() || !found->second.type || !s.program) return std::nullopt;
    TypeId type = *found->second.type;
    bool isKnown = ForeignTypes::owns(type) || static_cast<size_t>(type) < s.program->types.size();
    bool isWhole = isKnown && valuesOf(s).sizeOf(type) == stop.after.size();
    return isWhole ? std::optional(type) : std::nullopt;
}

} // namespace sx::debugger
