// Steps: breakpoints where the frame may go on, and what to do at each.
//
// A step runs at full speed to the next of its breakpoints: the statements of the frame that it began in, the place
// where the frame's caller goes on, and, if it may enter calls, the functions that may be reached from here. What is
// reached by an inner call of the same function is passed over; then only the return of that call is waited for.
#include "debugger/native/engine/NativeEngine.h"

#include "ir/CodeMarks.h"
#include "types/Layout.h"
#include "types/Predicates.h"

#include <algorithm>

namespace sx::debugger::native {

Result<void> NativeEngine::step(const StepRequest& request) {
    if (state_ != State::Stopped) return Failure{"the program is not stopped"};
    Result<SystemThread> thread = systemThread(request.thread);
    if (!thread) return thread.failure();
    if (request.kind == StepRequest::Kind::Back) return Failure{"machine code does not run backwards"};
    returned_.reset();
    std::erase_if(waiting_, [](const Stop& stop) { return stop.reason == Stop::Reason::Step; });
    StepPlan plan;
    plan.request = request;
    plan.thread = *thread;
    bool mayStayHere = request.kind == StepRequest::Kind::Over || request.kind == StepRequest::Kind::Into;
    if (mayStayHere && !request.byLine) {
        if (std::optional<uint32_t> following = followingStatement(*thread)) {
            stack_.setStatement(*thread, *following);
            postStop(makeStop(Stop::Reason::Step, *thread));
            return {};
        }
    }
    return beginStep(std::move(plan));
}

Result<void> NativeEngine::beginStep(StepPlan plan) {
    stepsInstruction_ = plan.request.kind == StepRequest::Kind::Instruction;
    if (!stepsInstruction_) {
        const StackFrame* top = stack_.shown(plan.thread, 0);
        if (!top) return Failure{"the thread has no frame"};
        plan.startStatement = top->frame.statement;
        planFrame(plan, *top, plan.request.kind != StepRequest::Kind::Out);
        if (plan.request.kind == StepRequest::Kind::Into) planEntries(plan);
    }
    step_ = std::move(plan);
    return go();
}

/// Statements that begin where the thread stands, after the one that it is at.
std::optional<uint32_t> NativeEngine::followingStatement(SystemThread thread) {
    std::optional<uint32_t> at = currentStatement(thread);
    if (!at) return std::nullopt;
    const ir::Function& fn = program_.module.fn(stack_.frame(thread, 0)->frame.func);
    bool follows = *at + 1 < fn.statements.size() && fn.statements[*at + 1].first == fn.statements[*at].first;
    return follows ? std::optional(*at + 1) : std::nullopt;
}

std::optional<uint32_t> NativeEngine::currentStatement(SystemThread thread) {
    const StackFrame* top = stack_.frame(thread, 0);
    if (!top || !top->frame.atStatement) return std::nullopt;
    return top->frame.statement;
}

// ---- plans

bool NativeEngine::isStepStop(ir::FuncId func, bool intoLibrary) const {
    if (func == ir::FuncId::None || program_.module.fn(func).compilerMade) return false;
    return intoLibrary || !program_.isLibrary(func);
}

/// The frame may go on at its statements, or at those of the functions that it is inlined in once it has returned to
/// them. Where it has no position it is left.
void NativeEngine::planFrame(StepPlan& plan, const StackFrame& at, bool stopsWithin) {
    plan.cfa = at.cfa;
    plan.copy = at.copy;
    plan.starts.clear();
    plan.backTo = 0;
    uint32_t copy = at.copy;
    bool isOut = !stopsWithin;
    while (copy != UINT32_MAX) {
        const CodeCopy& code = image_.copies()[copy];
        bool counts = copy == at.copy ? !isOut : isStepStop(code.func, plan.request.intoLibrary);
        if (counts && code.func != ir::FuncId::None)
            for (const StatementStart& start : image_.startsOf(code.func))
                if (start.copy == copy) plan.starts.insert(toRun(start.address));
        copy = code.parent;
    }
    planReturn(plan, at.number);
}

/// The next frame of another function call that a step may end in.
void NativeEngine::planReturn(StepPlan& plan, uint32_t number) {
    plan.returnTo = plan.returnCfa = 0;
    plan.returning = ir::FuncId::None;
    bool isDirect = true;
    for (uint32_t i = number + 1;; ++i) {
        const StackFrame* caller = stack_.frame(plan.thread, i);
        if (!caller) return;
        if (caller->cfa == plan.cfa) { // it is inlined in this one
            isDirect = false;
            continue;
        }
        if (caller->isHidden || !isStepStop(caller->frame.func, plan.request.intoLibrary)) {
            isDirect = false;
            continue;
        }
        plan.returnTo = caller->frame.pc;
        plan.returnCfa = caller->cfa;
        if (isDirect && plan.copy != UINT32_MAX) plan.returning = image_.copies()[plan.copy].func;
        return;
    }
}

/// The functions that may be entered: those that the code calls, directly or through code that steps pass through.
void NativeEngine::planEntries(StepPlan& plan) {
    std::set<ir::FuncId> seen;
    bool indirect = false;
    std::vector<uint32_t> at;
    for (uint32_t copy = plan.copy; copy != UINT32_MAX; copy = image_.copies()[copy].parent)
        if (image_.copies()[copy].func != ir::FuncId::None)
            addEntries(plan, image_.copies()[copy].func, seen, indirect);
    if (!indirect) return;
    // Functions whose address somebody has.
    auto add = [&](ir::FuncId func) {
        if (seen.insert(func).second) {
            if (isStepStop(func, plan.request.intoLibrary)) {
                if (std::optional<uint64_t> entry = addressOf(func)) plan.entries.insert(*entry);
            } else {
                addEntries(plan, func, seen, indirect);
            }
        }
    };
    for (auto& fn : program_.module.functions)
        for (const ir::Instr& instr : fn->instrs)
            if (instr.op == ir::Op::FuncAddr) add(ir::FuncId(instr.imm));
    for (const ir::Global& global : program_.module.globals)
        for (const ir::Reloc& reloc : global.init.relocs)
            if (reloc.kind == ir::Reloc::Kind::Function) add(ir::FuncId(reloc.id));
}

void NativeEngine::addEntries(StepPlan& plan, ir::FuncId caller, std::set<ir::FuncId>& seen, bool& indirect) {
    std::vector<ir::FuncId> pending{caller};
    while (!pending.empty()) {
        ir::FuncId next = pending.back();
        pending.pop_back();
        for (const ir::Instr& instr : program_.module.fn(next).instrs) {
            if (instr.op == ir::Op::CallIndirect) indirect = true;
            if (instr.op != ir::Op::Call) continue;
            auto callee = ir::FuncId(instr.imm);
            if (program_.module.fn(callee).isExtern) indirect = true; // it may call back
            if (!seen.insert(callee).second) continue;
            if (!isStepStop(callee, plan.request.intoLibrary)) {
                pending.push_back(callee);
                continue;
            }
            bool isWanted = plan.request.target == ir::FuncId::None || plan.request.target == callee;
            if (std::optional<uint64_t> entry = addressOf(callee); entry && isWanted) plan.entries.insert(*entry);
            // Where it was inlined its statements are in this frame.
            for (const StatementStart& start : image_.startsOf(callee))
                if (image_.copies()[start.copy].depth > 0 && isWanted) plan.starts.insert(toRun(start.address));
        }
    }
}

// ---- on the way

/// Without a frame (before the program has begun) every one of the places ends it.
bool NativeEngine::stepEnds(uint64_t pc) {
    if (step_->cfa == 0) return step_->starts.count(pc) != 0;
    bool isPlace =
        step_->starts.count(pc) + step_->entries.count(pc) != 0 || pc == step_->backTo || pc == step_->returnTo;
    const StackFrame* top = isPlace ? stack_.frame(step_->thread, 0) : nullptr;
    if (!top) return false;
    uint64_t cfa = top->cfa;
    if (step_->backTo != 0 && pc == step_->backTo && cfa == step_->cfa) {
        step_->backTo = 0; // the inner call is over
        return false;
    }
    if (pc == step_->returnTo && cfa == step_->returnCfa) return returns(cfa);
    if (step_->entries.count(pc) != 0 && cfa < step_->cfa && step_->backTo == 0 && enters(pc)) return false;
    if (step_->starts.count(pc) == 0 || step_->backTo != 0) return false;
    if (cfa > step_->cfa) return true; // the frame is gone, in a way of its own
    if (cfa == step_->cfa) {
        if (!step_->request.byLine || top->copy != step_->copy || step_->startStatement == ir::CodeMarks::None)
            return true;
        const auto& statements = program_.module.fn(top->frame.func).statements;
        Location from = program_.module.sources.resolve(statements[step_->startStatement].begin);
        Location to = program_.module.sources.resolve(statements[top->frame.statement].begin);
        return from.file != to.file || from.line != to.line;
    }
    // An inner call of the same function: where does the frame go on after it?
    for (uint32_t i = 1; const StackFrame* f = stack_.frame(step_->thread, i); ++i)
        if (f->cfa == step_->cfa) {
            step_->backTo = f->frame.pc;
            break;
        }
    return false;
}

/// The step goes on in the function whose entry the thread has reached; its frame is not complete yet.
bool NativeEngine::enters(uint64_t pc) {
    const StackFrame* top = stack_.frame(step_->thread, 0);
    if (!top || top->copy == UINT32_MAX) return false;
    StackFrame entered = *top;
    uint32_t outermost = top->copy;
    while (image_.copies()[outermost].parent != UINT32_MAX) outermost = image_.copies()[outermost].parent;
    if (toRun(image_.copies()[outermost].entry) != pc) return false;
    entered.copy = outermost;
    bool alsoCalls = image_.startsOf(image_.copies()[outermost].func).empty();
    planFrame(*step_, entered, true);
    step_->entries.clear();
    step_->startStatement = ir::CodeMarks::None;
    if (alsoCalls) planEntries(*step_);
    return true;
}

/// The frame has returned to one that a step may end in.
bool NativeEngine::returns(uint64_t) {
    stack_.setAfterCall(step_->thread);
    stack_.forget();
    if (step_->returning != ir::FuncId::None) keepResult(step_->returning, step_->thread);
    return true;
}

/// Results of sx functions: a scalar in a register, an aggregate of up to three words in three (codegen/CallAbi.h).
void NativeEngine::keepResult(ir::FuncId func, SystemThread thread) {
    const ir::Function& fn = program_.module.fn(func);
    const TypeTable& types = program_.module.types;
    if (fn.result == TypeId::Void || fn.noReturn) return;
    Returned made;
    made.func = func;
    uint64_t size = sizeOf(types, fn.result);
    bool inVector = isFloat(types, fn.result);
    if (fn.conv != CallConv::Sx && !isScalar(types, fn.result)) {
        made.place.why = "it is returned as C has it";
    } else if (size > 24) {
        made.place.why = "it is too large for registers";
    } else {
        made.place.kind = SlotPlace::Kind::Register;
        for (const char* name : {inVector ? "xmm0" : "rax", "rdx", "rcx"}) {
            uint64_t word = target_->readRegister(thread, 0, name).value_or(0);
            for (int i = 0; i < 8 && made.place.bytes.size() < size; ++i)
                made.place.bytes.push_back(static_cast<uint8_t>(word >> 8 * i));
        }
    }
    returned_ = std::move(made);
    returnedThread_ = thread;
}

std::optional<Engine::Returned> NativeEngine::returned(ThreadId id) {
    Result<SystemThread> thread = systemThread(id);
    return thread && *thread == returnedThread_ ? returned_ : std::nullopt;
}

} // namespace sx::debugger::native
