// Steps: breakpoints where the frame may go on, and what to do at each.
//
// A step runs at full speed to the next of its breakpoints: the statements of the frame that it began in, the place
// where the frame's caller goes on, and, if it may enter calls, the functions that may be reached from here. What is
// reached by an inner call of the same function is passed over; then only the return of that call is waited for.
#include "debugger/native/engine/Step.h"

#include "debugger/native/engine/CodeFlow.h"
#include "debugger/native/engine/Events.h"
#include "debugger/native/engine/NativeEngine.h"
#include "debugger/native/engine/ResultAddress.h"
#include "debugger/native/engine/Running.h"
#include "ir/CodeMarks.h"
#include "types/Layout.h"
#include "types/Predicates.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <utility>

namespace sx::debugger::native {

static bool staysHere(Native& n, const StepPlan& plan);
static Result<void> beginStep(Native& n, StepPlan plan);
static std::optional<uint32_t> followingStatement(Native& n, SystemThread thread, bool byLine);
static bool isOtherLine(Native& n, SourcePos from, SourcePos to);
static void planFrame(Native& n, StepPlan& plan, const StackFrame& at, bool stopsWithin);
static void planReturn(Native& n, StepPlan& plan, uint32_t number);
static void planEntries(Native& n, StepPlan& plan);
static void addEntries(Native& n, StepPlan& plan, ir::FuncId caller, std::set<ir::FuncId>& seen, bool& indirect);
static void planForeignEntries(Native& n, StepPlan& plan);
static uint32_t callsBefore(Native& n, ir::FuncId caller, const StepTarget& target);
static bool enters(Native& n, uint64_t pc);
static const StackFrame* firstFrame(Native& n, const StepPlan& plan);
static bool isStepStop(Native& n, ir::FuncId func, const StepPlan& plan);
static bool leave(Native& n);
static void keepResult(Native& n, ir::FuncId func, SystemThread thread);

Result<void> NativeEngine::step(const StepRequest& request) {
    if (n_.state != RunState::Stopped) return Failure{"the program is not stopped"};
    Result<SystemThread> thread = systemThread(n_, request.thread);
    if (!thread) return thread.failure();
    if (request.kind == StepRequest::Kind::Back || request.kind == StepRequest::Kind::Reverse)
        return Failure{"machine code does not run backwards"};
    n_.pauseWanted = false;
    n_.returned.reset();
    n_.ignoredStep.reset();
    dropSeen(n_);
    StepPlan plan;
    plan.request = request;
    plan.thread = *thread;
    if (const FiberRecord* fiber = fiberOfThread(n_, request.thread)) plan.fiber = fiber->number;
    bool isWaiting = n_.fibers.borrowed.has_value();
    if (isWaiting && request.kind == StepRequest::Kind::Instruction) plan.request.kind = StepRequest::Kind::Over;
    bool mayStayHere = request.kind == StepRequest::Kind::Over || request.kind == StepRequest::Kind::Into;
    if (mayStayHere && staysHere(n_, plan)) return {};
    return beginStep(n_, std::move(plan));
}

/// A step to a statement that begins where the thread stands: the program does not run. Tells the end of the step, or
/// what the thread comes to before that.
static bool staysHere(Native& n, const StepPlan& plan) {
    std::optional<uint32_t> following = followingStatement(n, plan.thread, plan.request.byLine);
    if (!following) return false;
    auto isOther = [&](const WaitingStop& waiting) { return waiting.stop.thread != plan.request.thread; };
    auto behind = llvm::find_if(n.waiting, isOther);
    std::optional<WaitingStop> next = behind == n.waiting.begin() ? nextBreakpoint(n, plan.thread) : std::nullopt;
    n.stack.setAfterCall(0);
    n.stack.setStatement(plan.thread, *following);
    const Stack::Place place = n.stack.place();
    ThreadStop here;
    here.thread = plan.thread;
    here.pc = n.stack.frame(plan.thread, 0)->frame.pc;
    behind = n.waiting.insert(behind, {makeStop(n, Stop::Reason::Step, plan.thread), place});
    if (next && !beginsEarlier(n, here, place, *next->place)) n.waiting.insert(behind, std::move(*next));
    return tellsWaiting(n);
}

static Result<void> beginStep(Native& n, StepPlan plan) {
    n.stepsInstruction = plan.request.kind == StepRequest::Kind::Instruction;
    if (!n.stepsInstruction) {
        const StackFrame* top = firstFrame(n, plan);
        if (!top) return Failure{"the thread has no frame"};
        plan.from = top->frame.at;
        plan.isOfC = top->frame.func != ir::FuncId::None && n.image.isForeign(top->frame.func);
        bool isOfCall = plan.request.target.span.isValid() && !plan.request.target.isGiven;
        if (isOfCall && top->frame.func != ir::FuncId::None)
            plan.callsBefore = callsBefore(n, top->frame.func, plan.request.target);
        planFrame(n, plan, *top, plan.request.kind != StepRequest::Kind::Out);
        if (plan.request.kind == StepRequest::Kind::Into) planEntries(n, plan);
    }
    // A stop that has been made already comes first; who ignores it goes on with the step.
    n.ignoredStep = std::move(plan);
    if (tellsAnother(n)) return {};
    n.step = std::exchange(n.ignoredStep, std::nullopt);
    return go(n);
}

/// The frame in which a step begins. What a fiber has called to wait is the library's: it is the user's statement that
/// is stepped over.
static const StackFrame* firstFrame(Native& n, const StepPlan& plan) {
    const StackFrame* top = n.stack.shown(plan.thread, 0);
    if (!n.fibers.borrowed) return top;
    for (uint32_t i = 0; const StackFrame* f = n.stack.shown(plan.thread, i); ++i)
        if (isStepStop(n, f->frame.func, {})) return f;
    return top;
}

/// Of the statements that begin where the thread stands, the one that a step ends at: after the one that it is at, or
/// any if it has just come back from a call.
static std::optional<uint32_t> followingStatement(Native& n, SystemThread thread, bool byLine) {
    std::optional<uint32_t> at = currentStatement(n, thread);
    const StackFrame* top = n.stack.frame(thread, 0);
    if (!top || top->frame.func == ir::FuncId::None || (!at && n.stack.place().afterCall != thread))
        return std::nullopt;
    const StatementStart* start = n.image.startAt(n.toFile(top->frame.pc));
    if (!start || start->copy != top->copy) return std::nullopt;
    bool isPast = !at;
    for (uint32_t statement : n.image.statementsAt(start->address)) {
        SourcePos begin = n.program.module.fn(top->frame.func).statements[statement].begin;
        if (isPast && (!byLine || isOtherLine(n, top->frame.at, begin))) return statement;
        isPast |= at == statement;
    }
    return std::nullopt;
}

static bool isOtherLine(Native& n, SourcePos from, SourcePos to) {
    Location a = n.program.module.sources.resolve(from), b = n.program.module.sources.resolve(to);
    return a.file != b.file || a.line != b.line;
}

std::optional<uint32_t> currentStatement(Native& n, SystemThread thread) {
    const StackFrame* top = n.stack.frame(thread, 0);
    if (!top || !top->frame.atStatement) return std::nullopt;
    return top->frame.statement;
}

// ---- plans

/// C code counts as library code, but for steps that begin in it, wherever sx declares it.
static bool isStepStop(Native& n, ir::FuncId func, const StepPlan& plan) {
    if (func == ir::FuncId::None || n.program.module.fn(func).compilerMade) return false;
    bool isLibrary = n.program.module.fn(func).isExtern || n.program.isLibrary(func);
    if (plan.request.intoLibrary || !isLibrary) return true;
    return plan.isOfC && n.image.isForeign(func);
}

/// Of the statements that begin at an address of the file the first that a step may end at: by lines only one on
/// another line than that where it began.
static std::optional<uint32_t> statementThatEnds(Native& n, const StepPlan& plan, ir::FuncId func, uint64_t address) {
    bool any = !plan.request.byLine || !plan.from.isValid();
    for (uint32_t statement : n.image.statementsAt(address))
        if (any || isOtherLine(n, plan.from, n.program.module.fn(func).statements[statement].begin)) return statement;
    return std::nullopt;
}

/// The frame may go on at its statements, or at those of the functions that it is inlined in once it has returned to
/// them. Where it has no position it is left.
static void planFrame(Native& n, StepPlan& plan, const StackFrame& at, bool stopsWithin) {
    plan.cfa = at.cfa;
    plan.copy = at.copy;
    plan.starts.clear();
    plan.backTo = 0;
    uint32_t copy = at.copy;
    bool isOut = !stopsWithin;
    while (copy != UINT32_MAX) {
        const CodeCopy& code = n.image.copies()[copy];
        bool counts = copy == at.copy ? !isOut : isStepStop(n, code.func, plan);
        if (counts && code.func != ir::FuncId::None)
            for (const StatementStart& start : n.image.startsOf(code.func))
                if (start.copy == copy && (copy != at.copy || statementThatEnds(n, plan, code.func, start.address)))
                    plan.starts.insert(n.toRun(start.address));
        copy = code.parent;
    }
    planReturn(n, plan, at.number);
}

/// The next frame of another function call that a step may end in.
static void planReturn(Native& n, StepPlan& plan, uint32_t number) {
    plan.returnTo = plan.returnCfa = 0;
    plan.isInterrupted = false;
    plan.returning = ir::FuncId::None;
    ir::FuncId inside = plan.copy != UINT32_MAX ? n.image.copies()[plan.copy].func : ir::FuncId::None;
    for (uint32_t i = number + 1;; ++i) {
        const StackFrame* caller = n.stack.frame(plan.thread, i);
        if (!caller) return;
        bool isInlined = caller->cfa == plan.cfa; // the frame is inlined in this one
        if (isInlined || caller->isHidden || !isStepStop(n, caller->frame.func, plan)) {
            inside = caller->frame.func;
            continue;
        }
        plan.isInterrupted = caller->isInterrupted;
        plan.returnTo = caller->frame.pc;
        plan.returnCfa = caller->cfa;
        bool isPassed = inside != ir::FuncId::None && n.image.isForeign(inside) && !plan.isOfC;
        plan.returning = isPassed ? ir::FuncId::None : inside; // what C code in between gives back is not shown
        return;
    }
}

/// Of `x.next().next()` both calls begin at one place: which of them is wanted.
static uint32_t callsBefore(Native& n, ir::FuncId caller, const StepTarget& target) {
    std::set<SourcePos> ends;
    for (const ir::Instr& i : n.program.module.fn(caller).instrs) {
        bool isCall = target.callee == ir::FuncId::None ? i.op == ir::Op::CallIndirect
                                                        : i.op == ir::Op::Call && ir::FuncId(i.imm) == target.callee;
        if (isCall && i.span.begin == target.span.begin && i.span.end < target.span.end) ends.insert(i.span.end);
    }
    return static_cast<uint32_t>(ends.size());
}

/// The functions that may be entered: those that the code calls, directly or through code that steps pass through.
static void planEntries(Native& n, StepPlan& plan) {
    if (plan.request.target.isGiven) {
        ir::FuncId callee = plan.request.target.callee;
        if (std::optional<uint64_t> entry = n.addresses.addressOf(callee)) plan.entries.insert(*entry);
        return;
    }
    if (plan.copy != UINT32_MAX && n.image.isForeign(n.image.copies()[plan.copy].func))
        return planForeignEntries(n, plan);
    std::set<ir::FuncId> seen;
    bool indirect = false;
    std::vector<uint32_t> at;
    for (uint32_t copy = plan.copy; copy != UINT32_MAX; copy = n.image.copies()[copy].parent)
        if (n.image.copies()[copy].func != ir::FuncId::None)
            addEntries(n, plan, n.image.copies()[copy].func, seen, indirect);
    if (!indirect) return;
    // Functions whose address somebody has.
    auto add = [&](ir::FuncId func) {
        if (seen.insert(func).second) {
            if (isStepStop(n, func, plan)) {
                if (std::optional<uint64_t> entry = n.addresses.addressOf(func)) plan.entries.insert(*entry);
            } else {
                addEntries(n, plan, func, seen, indirect);
            }
        }
    };
    for (size_t f = 0; f < n.program.module.functions.size(); ++f) {
        const ir::Function& fn = *n.program.module.functions[f];
        if (fn.isExport && !fn.isExtern) add(ir::FuncId(f));
        for (const ir::Instr& instr : fn.instrs)
            if (instr.op == ir::Op::FuncAddr) add(ir::FuncId(instr.imm));
    }
    for (const ir::Global& global : n.program.module.globals)
        for (const ir::Reloc& reloc : global.init.relocs)
            if (reloc.kind == ir::Reloc::Kind::Function) add(ir::FuncId(reloc.id));
}

static void addEntries(Native& n, StepPlan& plan, ir::FuncId caller, std::set<ir::FuncId>& seen, bool& indirect) {
    std::vector<ir::FuncId> pending{caller};
    while (!pending.empty()) {
        ir::FuncId next = pending.back();
        pending.pop_back();
        for (const ir::Instr& instr : n.program.module.fn(next).instrs) {
            if (instr.op == ir::Op::CallIndirect) indirect = true;
            if (instr.op != ir::Op::Call) continue;
            auto callee = ir::FuncId(instr.imm);
            if (n.program.module.fn(callee).isExtern) indirect = true; // it may call back
            if (!seen.insert(callee).second) continue;
            bool isTarget = plan.request.target.span.isValid() && plan.request.target.callee == callee;
            if (!isTarget && !isStepStop(n, callee, plan)) {
                pending.push_back(callee);
                continue;
            }
            bool isWanted = isTarget || !plan.request.target.span.isValid();
            if (std::optional<uint64_t> entry = n.addresses.addressOf(callee); entry && isWanted)
                plan.entries.insert(*entry);
            // Where it was inlined its statements are in this frame.
            for (const StatementStart& start : n.image.startsOf(callee))
                if (n.image.copies()[start.copy].depth > 0 && isWanted) plan.starts.insert(n.toRun(start.address));
        }
    }
}

/// What a function's instructions call.
static const CalledCode& callsOf(Native& n, uint32_t copy) {
    constexpr uint64_t MostBytes = 1 << 16; ///< of a function
    auto [known, isNew] = n.calls.try_emplace(copy);
    if (!isNew) return known->second;
    for (const AddressRange& range : n.image.copies()[copy].ranges) {
        uint64_t end = n.toRun(range.end);
        auto most = static_cast<uint32_t>(std::min(range.end - range.begin, MostBytes));
        for (const TargetInstruction& i : n.target->disassemble(n.toRun(range.begin), most)) {
            if (i.address >= end) break;
            if (!i.mnemonic.starts_with("call")) continue;
            if (uint64_t target = targetOf(i)) known->second.targets.insert(target);
            else known->second.isIndirect = true;
        }
    }
    return known->second;
}

/// Without an IR the instructions tell what is called. Code that the program does not know may call back.
static void planForeignEntries(Native& n, StepPlan& plan) {
    constexpr size_t MostFunctions = 500;
    if (plan.copy == UINT32_MAX) return;
    uint32_t outermost = plan.copy;
    while (n.image.copies()[outermost].parent != UINT32_MAX) outermost = n.image.copies()[outermost].parent;
    const CalledCode& calls = callsOf(n, outermost);
    bool isOpen = calls.isIndirect;
    for (uint64_t target : calls.targets) {
        ir::FuncId callee = n.image.functionAtEntry(n.toFile(target));
        isOpen |= callee == ir::FuncId::None;
        if (isStepStop(n, callee, plan)) plan.entries.insert(target);
    }
    if (!isOpen || n.image.copies().size() > MostFunctions) return;
    for (const CodeCopy& copy : n.image.copies())
        if (copy.depth == 0 && isStepStop(n, copy.func, plan)) plan.entries.insert(n.toRun(copy.entry));
}

// ---- on the way

/// Without a frame (before the program has begun) every one of the places ends it.
bool stepEnds(Native& n, uint64_t pc) {
    if (n.step->cfa == 0) return n.step->starts.count(pc) != 0;
    bool isPlace =
        n.step->starts.count(pc) + n.step->entries.count(pc) != 0 || pc == n.step->backTo || pc == n.step->returnTo;
    const StackFrame* top = isPlace ? n.stack.frame(n.step->thread, 0) : nullptr;
    if (!top) return false;
    uint64_t cfa = top->cfa;
    if (fiberAt(n, cfa - 1) != n.step->fiber) return false; // another one runs meanwhile
    // The inner call is over; one whose result nobody takes comes back to where the next statement begins.
    if (n.step->backTo != 0 && pc == n.step->backTo && cfa == n.step->cfa) n.step->backTo = 0;
    if (pc == n.step->returnTo && cfa == n.step->returnCfa) { return leave(n); }
    if (n.step->entries.count(pc) != 0 && cfa < n.step->cfa && n.step->backTo == 0 && enters(n, pc)) {
        const StackFrame* entered = n.stack.frame(n.step->thread, 0);
        bool isOfC = entered && entered->frame.func != ir::FuncId::None && n.image.isForeign(entered->frame.func);
        return isOfC && n.step->starts.count(pc) != 0; // optimized: there is no prologue to be passed
    }
    if (n.step->starts.count(pc) == 0 || n.step->backTo != 0) return false;
    if (cfa > n.step->cfa) return true; // the frame is gone, in a way of its own
    if (cfa == n.step->cfa) {
        if (top->copy != n.step->copy) return true;
        std::optional<uint32_t> end = statementThatEnds(n, *n.step, top->frame.func, n.toFile(pc));
        if (end && *end != top->frame.statement) n.stack.setStatement(n.step->thread, *end);
        return end.has_value();
    }
    // An inner call of the same function: where does the frame go on after it?
    for (uint32_t i = 1; const StackFrame* f = n.stack.frame(n.step->thread, i); ++i)
        if (f->cfa == n.step->cfa) {
            n.step->backTo = f->frame.pc;
            break;
        }
    return false;
}

/// The thread has been called from where the step wants to enter a call, if it wants a certain one.
static bool isWantedCall(Native& n) {
    const StepTarget& target = n.step->request.target;
    if (!target.span.isValid() || target.isGiven) return true;
    for (uint32_t i = 1; const StackFrame* f = n.stack.frame(n.step->thread, i); ++i) {
        bool isCaller = f->cfa == n.step->cfa && f->copy == n.step->copy;
        if (!isCaller && f->isHidden) continue;
        if (!isCaller || f->frame.at != target.span.begin) return false;
        if (n.step->callsBefore == 0) return true;
        --n.step->callsBefore;
        return false;
    }
    return false;
}

/// The step goes on in the function whose entry the thread has reached; its frame is not complete yet.
static bool enters(Native& n, uint64_t pc) {
    if (!isWantedCall(n)) return false;
    n.step->request.target = {};
    const StackFrame* top = n.stack.frame(n.step->thread, 0);
    if (!top || top->copy == UINT32_MAX) return false;
    StackFrame entered = *top;
    uint32_t outermost = top->copy;
    while (n.image.copies()[outermost].parent != UINT32_MAX) outermost = n.image.copies()[outermost].parent;
    if (n.toRun(n.image.copies()[outermost].entry) != pc) return false;
    entered.copy = outermost;
    bool alsoCalls = n.image.startsOf(n.image.copies()[outermost].func).empty();
    n.step->from = {};
    planFrame(n, *n.step, entered, true);
    n.step->entries.clear();
    if (alsoCalls) planEntries(n, *n.step);
    return true;
}

/// The step goes on in a frame that it has come to.
static void goOnIn(Native& n, StepPlan& plan, const StackFrame& frame) {
    plan.request.target = {};
    planFrame(n, plan, frame, true);
    plan.entries.clear();
    if (plan.request.kind == StepRequest::Kind::Into) planEntries(n, plan);
}

/// A step that leaves the handler of a signal comes back to a breakpoint that has stopped its thread before the signal
/// has: it goes on from there.
void comeBack(Native& n, const ThreadStop& stop) {
    if (!n.step || n.step->thread != stop.thread || n.step->returnTo != stop.pc || !n.step->isInterrupted) return;
    const StackFrame* top = n.stack.frame(stop.thread, 0);
    if (!top || top->cfa != n.step->returnCfa) return;
    n.step->from = top->frame.at;
    goOnIn(n, *n.step, *top);
}

/// The frame has returned to one that a step may end in. After a call that gave something back it ends right there, so
/// that this is seen; else where the next statement begins.
static bool leave(Native& n) {
    StepPlan& plan = *n.step;
    bool isKnown = plan.returning != ir::FuncId::None;
    bool hasResult = !plan.isInterrupted && (!isKnown || n.program.module.fn(plan.returning).result != TypeId::Void);
    const StackFrame* top = n.stack.frame(plan.thread, 0);
    bool begins = top && top->frame.atStatement;
    bool isInC =
        !plan.isInterrupted && top && top->frame.func != ir::FuncId::None && n.image.isForeign(top->frame.func);
    if (!hasResult && !isInC && (begins || !top || top->copy == UINT32_MAX)) return true;
    if (hasResult || isInC) {
        n.stack.setAfterCall(plan.thread);
        n.stack.forget();
        if (isKnown) keepResult(n, plan.returning, plan.thread);
        return true;
    }
    plan.from = {};
    goOnIn(n, plan, *top);
    return false;
}

/// A number or an address, as calls of C return it.
static SlotPlace foreignResult(Native& n, TypeId type, SystemThread thread) {
    using Kind = ForeignType::Kind;
    const ForeignType& t = n.program.types->plain(type);
    SlotPlace place;
    bool isWhole = t.size > 0 && t.size <= sizeof(uint64_t);
    if (!isWhole || t.kind == Kind::Struct || t.kind == Kind::Union || t.kind == Kind::Array || t.kind == Kind::Other) {
        place.why = "it is returned as C has it";
        return place;
    }
    uint64_t word = n.target->readRegister(thread, 0, t.kind == Kind::Float ? "xmm0" : "rax").value_or(0);
    place.kind = SlotPlace::Kind::Register;
    for (uint64_t i = 0; i < t.size; ++i) place.bytes.push_back(static_cast<uint8_t>(word >> 8 * i));
    return place;
}

/// The optimizer may have changed what a function returns, as it leaves out what no caller wants. Aggregates of sx have
/// the mark always (codegen/DebugInfo.h).
static bool mayReturnOtherwise(const Native& n, ir::FuncId func) {
    const ir::Function& fn = n.program.module.fn(func);
    bool isMarkedAnyway = fn.conv == CallConv::Sx && !isScalar(n.program.module.types, fn.result);
    if (!n.image.isForeign(func) && isMarkedAnyway && !n.image.isOptimized()) return false;
    return llvm::any_of(n.image.copiesOf(func), [&](uint32_t copy) { return n.image.copies()[copy].changesCalls; });
}

/// Results of sx functions: a scalar in a register, an aggregate of up to three words in three (codegen/CallAbi.h).
static void keepResult(Native& n, ir::FuncId func, SystemThread thread) {
    const ir::Function& fn = n.program.module.fn(func);
    const TypeTable& types = n.program.module.types;
    if (fn.result == TypeId::Void || fn.noReturn) return;
    Engine::Returned made;
    made.func = func;
    if (mayReturnOtherwise(n, func)) {
        made.place.why = "it is returned as the optimizer has it";
        n.returned = std::move(made);
        n.returnedThread = thread;
        return;
    }
    if (n.image.isForeign(func)) {
        made.place = foreignResult(n, fn.result, thread);
        n.returned = std::move(made);
        n.returnedThread = thread;
        return;
    }
    uint64_t size = sizeOf(types, fn.result);
    bool inVector = isFloat(types, fn.result);
    if (fn.conv != CallConv::Sx && !isScalar(types, fn.result)) {
        made.place.why = "it is returned as C has it";
    } else if (size > 24) {
        made.place.address = resultAddress(n, thread);
        made.place.kind = made.place.address != 0 ? SlotPlace::Kind::Memory : SlotPlace::Kind::Unavailable;
        made.place.why = "it is too large for registers";
    } else {
        made.place.kind = SlotPlace::Kind::Register;
        for (const char* name : {inVector ? "xmm0" : "rax", "rdx", "rcx"}) {
            uint64_t word = n.target->readRegister(thread, 0, name).value_or(0);
            for (int i = 0; i < 8 && made.place.bytes.size() < size; ++i)
                made.place.bytes.push_back(static_cast<uint8_t>(word >> 8 * i));
        }
        // It is a bit, and nothing says what the others of its byte are. A C function gives a whole byte.
        bool isBit = types.kind(fn.result) == TypeKind::Bool && fn.conv == CallConv::Sx;
        if (isBit && !made.place.bytes.empty()) made.place.bytes.front() &= 1;
    }
    n.returned = std::move(made);
    n.returnedThread = thread;
}

std::optional<Engine::Returned> NativeEngine::returned(ThreadId id) {
    Result<SystemThread> thread = systemThread(n_, id);
    return thread && *thread == n_.returnedThread ? n_.returned : std::nullopt;
}

} // namespace sx::debugger::native
