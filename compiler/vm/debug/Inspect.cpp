// What is seen of threads that stand still, and where they go on.
#include "vm/debug/World.h"

#include "vm/Thread.h"

#include "llvm/ADT/ArrayRef.h"

#include "debug_fiber.h"

#include <algorithm>

namespace sx::vm {

using Run = Debugger::ThreadState::Run;

std::vector<Debugger::ThreadInfo> Debugger::threads() const {
    std::scoped_lock lock(state_->mutex);
    std::vector<ThreadInfo> out;
    for (const auto& t : state_->threads) {
        ThreadInfo info;
        info.id = t->id;
        info.system = t->system;
        info.fiber = t->fiber;
        const std::string* foreign = t->thread->foreign;
        info.inForeign = foreign != nullptr;
        if (foreign) info.foreignName = bareName(*foreign);
        out.push_back(std::move(info));
    }
    state_->seeFibers();
    // Each record lies on another page: they are gone through once, unless there are more than were guessed.
    std::vector<sx_debug_fiber>& records = state_->fiberRecords;
    size_t there = 0;
    while ((there = sx_debug_fiber_copy(records.data(), records.size())) > records.size())
        records.resize(there + there / 8 + 16);
    for (const sx_debug_fiber& r : llvm::ArrayRef(records).take_front(there)) {
        DebugThreadId id = state_->fiberIds.of(r.id);
        if (id == 0 || r.state == SX_DEBUG_DONE || state_->find(id)) continue;
        ThreadInfo info;
        info.id = id;
        info.fiber = r.id;
        out.push_back(std::move(info));
    }
    std::sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.id < b.id; });
    return out;
}

DebugThreadId threadOfFiber(const Debugger& debugger, uint32_t number) {
    std::scoped_lock lock(debugger.state_->mutex);
    debugger.state_->seeFibers();
    return debugger.state_->fiberIds.of(number);
}

DebugThreadId threadWithStackAt(const Debugger& debugger, uint64_t address) {
    std::scoped_lock lock(debugger.state_->mutex);
    for (const auto& t : debugger.state_->threads)
        if (t->thread->onStack(address, 1)) return t->id;
    return 0;
}

void Debugger::State::seeFibers() { fiberIds.see(sx_debug_fiber_records()->created, lastThread); }

// ---- frames

namespace {

/// What the compiler has put between two functions of the program. What it begins with stays.
bool isHidden(const Thread& t, const DebugFrame& f) {
    if (!f.code) return false;
    const ir::Module& module = t.program.module;
    return f.func != module.entry && module.fn(f.func).compilerMade;
}

/// Execution is shown at another instruction of the same code than it stands at.
void placeAt(DebugFrame& f, uint32_t index) {
    f.span = f.code->spans[index];
    f.atStatement = false;
    if (index >= f.code->scopes.size()) return;
    f.scope = f.code->scopes[index];
    f.statement = f.code->statementOf[index];
}

/// The next statement begins where the call returns to, but execution is shown at the call.
void placeAtCall(DebugFrame& f) {
    for (uint32_t words = 1; words <= 2 && words <= f.index; ++words) {
        uint32_t call = f.index - words;
        if (opcodeAt(*f.code, call) == Opcode::Extra || indexAfterCall(*f.code, call) != f.index) continue;
        return placeAt(f, call);
    }
}

} // namespace

std::vector<DebugFrame> Debugger::frames(DebugThreadId id, size_t start, size_t count, std::string* damage) const {
    std::scoped_lock lock(state_->mutex);
    std::vector<DebugFrame> out;
    const ThreadState* t = state_->find(id);
    if (!t || !state_->isStopped || count == 0) return out;
    size_t at = 0;
    const char* problem = walkFrames(*t->thread, [&](const DebugFrame& f) {
        if (isHidden(*t->thread, f) || at++ < start) return true;
        out.push_back(f);
        out.back().thread = id;
        if (at == 1 && f.code && t->afterCall && f.code->words.data() + f.index == t->afterCall)
            t->wrote ? placeAt(out.back(), f.code->indexOf(t->wrote)) : placeAtCall(out.back());
        return out.size() < count;
    });
    if (damage && problem) *damage = problem;
    return out;
}

size_t frameCount(const Debugger& debugger, DebugThreadId id) {
    const Debugger::State& state = *debugger.state_;
    std::scoped_lock lock(state.mutex);
    const DebuggedThread* t = state.find(id);
    return t && state.isStopped ? countFrames(*t->thread) : 0;
}

size_t framesWithin(const Debugger& debugger, DebugThreadId id, ir::FuncId outer) {
    const Debugger::State& state = *debugger.state_;
    std::scoped_lock lock(state.mutex);
    const DebuggedThread* t = state.find(id);
    size_t count = 0, within = 0;
    if (!t || !state.isStopped) return 0;
    walkFrames(*t->thread, [&](const DebugFrame& f) {
        if (isHidden(*t->thread, f)) return true;
        ++count;
        if (f.func != outer || outer == ir::FuncId::None) within = count;
        return true;
    });
    return within;
}

std::string damagedFrame(const Debugger& debugger) {
    const Debugger::State& state = *debugger.state_;
    std::scoped_lock lock(state.mutex);
    for (const auto& t : state.threads)
        if (const char* problem = walkFrames(*t->thread, [](const DebugFrame&) { return true; }))
            return "thread " + std::to_string(t->id) + " cannot go on: a frame was written over: " + problem;
    return "";
}

std::vector<CallSite> callsOfFunction(const Debugger& debugger, DebugThreadId id) {
    std::vector<CallSite> calls;
    std::vector<DebugFrame> top = debugger.frames(id, 0, 1);
    if (top.empty() || !top[0].code) return calls;
    const FunctionCode& code = *top[0].code;
    for (uint32_t i = 0; i < code.instructionCount; ++i) {
        CallSite call;
        call.index = i;
        call.span = code.spans[i];
        switch (opcodeAt(code, i)) {
        case Opcode::Call: call.callee = ir::FuncId(code.words[i].c); break;
        case Opcode::CallW: call.callee = ir::FuncId(code.words[i].wide()); break;
        case Opcode::CallInd: break;
        default: continue;
        }
        calls.push_back(call);
    }
    return calls;
}

// ---- where a thread goes on

namespace {
constexpr const char* ProgramEnds = "the program ends here: after a panic or a fault there is no way on";
}

Result<void> Debugger::goTo(DebugThreadId id, uint32_t statement) {
    std::scoped_lock lock(state_->mutex);
    Result<ThreadState*> found = state_->standing(id);
    if (!found) return found.failure();
    Thread& t = *(*found)->thread;
    if ((*found)->isEnding) return Failure{ProgramEnds};
    DebugFrame f = innermostFrame(t);
    if (!f.code || f.regs != t.regs) return Failure{"the thread is between two functions"};
    bool exists = statement < f.code->statements.size() && f.code->statements[statement] < f.code->instructionCount;
    if (!exists) return Failure{"the function has no code for this statement"};
    state_->steps.end(**found);
    t.pc = &f.code->words[f.code->statements[statement]];
    return {};
}

Result<void> Debugger::restartFrame(DebugThreadId id, size_t frame) {
    std::scoped_lock lock(state_->mutex);
    Result<ThreadState*> found = state_->standing(id);
    if (!found) return found.failure();
    Thread& t = *(*found)->thread;
    if ((*found)->isEnding) return Failure{ProgramEnds};
    std::vector<DebugFrame> left; // up to the one that is called again
    size_t shown = 0;             // among those that are left
    walkFrames(t, [&](const DebugFrame& f) {
        left.push_back(f);
        if (!isHidden(t, f)) ++shown;
        return shown <= frame;
    });
    if (shown <= frame) return Failure{"there is no such frame"};
    for (const DebugFrame& f : left)
        if (f.isForeign) return Failure{"a C function would have to be left in its midst"};
    for (const DebugFrame& f : left)
        if (f.code->farBytes != 0 && f.index != 0) t.leaveFar(f.regs[f.code->farRegister]);
    state_->steps.end(**found);
    t.regs = left.back().regs;
    t.pc = left.back().code->words.data();
    return {};
}

} // namespace sx::vm
