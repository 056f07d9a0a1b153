#include "vm/debug/Steps.h"

#include "vm/Thread.h"

#include <utility>

namespace sx::vm {

namespace {

/// The innermost frame of interpreted code that `accept` takes; one without code if there is none.
DebugFrame frameWhere(const Thread& t, const std::function<bool(const DebugFrame&)>& accept) {
    DebugFrame found;
    walkFrames(t, [&](const DebugFrame& f) {
        if (!f.code || !accept(f)) return true;
        found = f;
        return false;
    });
    return found;
}

/// Behind what tells of errors there: a stop at that is shown at the statement which begins behind it.
uint32_t afterEvents(const FunctionCode& code, uint32_t index) {
    while (index + 1 < code.instructionCount && opcodeAt(code, index) == Opcode::ErrorEvent) ++index;
    return index;
}

} // namespace

uint32_t indexAfterCall(const FunctionCode& code, uint32_t index) {
    bool hasExtra = infoOf(opcodeAt(code, index)).extraFormat != nullptr;
    return index + (hasExtra ? 2 : 1);
}

bool isReturn(const FunctionCode& code, uint32_t index) {
    Opcode op = opcodeAt(code, index);
    return op == Opcode::Ret || op == Opcode::RetVoid;
}

bool Steps::isUserCode(ir::FuncId f) const {
    if (program->module.fn(f).compilerMade) return false;
    return !debugger_.isUserCode || debugger_.isUserCode(f);
}

// ---- marks

void Steps::mark(StepPlan& plan, const FunctionCode& code, uint32_t index) {
    places_.mark(code, index);
    plan.marked.push_back(&code.words[index]);
}

void Steps::unmark(StepPlan& plan) {
    for (const Insn* at : plan.marked) places_.unmark(at);
    plan.marked.clear();
    plan.entries.clear();
}

void Steps::end(ThreadState& self) {
    unmark(self.step);
    self.step = {};
    drop(self);
}

void Steps::suspend(ThreadState& self) {
    drop(self);
    self.suspended = std::exchange(self.step, {});
}

void Steps::goOn(ThreadState& self) {
    if (self.suspended.isOn) self.step = std::exchange(self.suspended, {});
}

void Steps::drop(ThreadState& self) {
    unmark(self.suspended);
    self.suspended = {};
}

// ---- beginning

Result<void> Steps::begin(ThreadState& self, Debugger::Step kind, const StepOptions& options) {
    end(self);
    self.result.reset();
    self.afterCall = nullptr;
    // What a fiber has called to wait is the library's: it is the user's statement that is stepped over.
    bool isWaiting = isParked(*self.thread);
    DebugFrame f = frameWhere(*self.thread, [&](const DebugFrame& f) { return !isWaiting || isUserCode(f.func); });
    if (!f.code) return Failure{"the thread runs no code of the program"};
    self.step.isOn = true;
    self.step.number = ++last_;
    self.step.kind = kind;
    self.step.options = options;
    self.step.from = options.from;
    if (self.ahead == self.thread->pc) self.step.begin = self.ahead;
    else if (uint32_t next = afterEvents(*f.code, f.index);
             next != f.index && options.granularity != StepOptions::Granularity::Instruction)
        self.step.begin = &f.code->words[next];
    if (!self.step.from.isValid() && f.statement != DebugFrame::NoStatement)
        self.step.from = program->module.fn(f.func).statements[f.statement].begin;
    watchFrame(self, *f.code, f.regs, kind != Debugger::Step::Out);
    if (self.step.isOn && isReturn(*f.code, f.index)) beginReturn(self);
    return {};
}

bool Steps::isBeforeNext(const ThreadState& self) {
    const StepPlan& plan = self.step;
    return self.afterCall && self.afterCall == self.thread->pc &&
           plan.code->startsStatement(plan.code->indexOf(self.afterCall));
}

bool Steps::endsInPlace(ThreadState& self, Debugger::Step kind, const StepOptions& options) const {
    if (!self.afterCall || self.afterCall != self.thread->pc || kind == Debugger::Step::Out) return false;
    using Granularity = StepOptions::Granularity;
    DebugFrame f = frameWhere(*self.thread, [](const DebugFrame&) { return true; });
    if (!f.code || !f.code->startsStatement(f.index) || options.granularity == Granularity::Instruction) return false;
    StepPlan plan;
    plan.code = f.code;
    plan.from = options.from;
    return options.granularity != Granularity::Line || isOtherLine(plan, f.code->statementOf[f.index]);
}

/// Marks where the frame may go on: its statements, or all its instructions, and its returns.
void Steps::watchFrame(ThreadState& self, const FunctionCode& code, uint64_t* frame, bool stopsWithin) {
    StepPlan& plan = self.step;
    unmark(plan);
    plan.phase = StepPlan::Phase::Within;
    plan.frame = frame;
    plan.code = &code;
    plan.stopsWithin = stopsWithin;
    for (uint32_t i = 0; i < code.instructionCount; ++i)
        if (opcodeAt(code, i) != Opcode::Extra && (isReturn(code, i) || (stopsWithin && endsAt(plan, i))))
            mark(plan, code, i);
}

/// A place in the frame that the step began in where it may end.
bool Steps::endsAt(const StepPlan& plan, uint32_t index) const {
    if (!plan.stopsWithin) return false;
    if (plan.options.granularity == StepOptions::Granularity::Instruction) return true;
    return plan.code->startsStatement(index);
}

bool Steps::isOtherLine(const StepPlan& plan, uint32_t statement) const {
    if (!plan.from.isValid()) return true;
    llvm::ArrayRef<ir::Statement> statements = program->module.fn(plan.code->func).statements;
    const SourceManager& sources = program->module.sources;
    Location from = sources.resolve(plan.from);
    Location to = sources.resolve(statements[statement].begin);
    return from.file != to.file || from.line != to.line;
}

// ---- on the way

/// What the function gives back is in the register that its return names, or where the caller wants it.
void Steps::keepResult(ThreadState& self) {
    const FunctionCode& code = *self.step.code;
    const ir::Function& fn = program->module.fn(code.func);
    self.result.reset();
    self.step.hasResult = fn.result != TypeId::Void;
    if (!self.step.hasResult) return;
    bool inMemory = ir::returnsInMemory(program->module.types, fn.result);
    const Insn& at = *self.thread->pc;
    self.result = StepResult{code.func, self.step.frame[inMemory ? fn.params.size() : at.a], inMemory};
}

/// The frame is at its return: the step goes on where its caller does, C code between them left out.
void Steps::beginReturn(ThreadState& self) {
    keepResult(self);
    const uint64_t* leaving = self.step.frame;
    bool isByC = false; // it was called by C code, which gives its caller something of its own
    DebugFrame caller;
    walkFrames(*self.thread, [&](const DebugFrame& f) {
        isByC |= f.isForeign;
        if (!f.code || f.regs >= leaving) return true;
        caller = f;
        return false;
    });
    if (isByC) self.result.reset();
    self.step.hasResult |= isByC;
    self.step.begin = nullptr; // a caller may go on at the same return
    unmark(self.step);
    if (!caller.code) { // the thread ends
        self.step = {};
        return;
    }
    self.step.phase = StepPlan::Phase::Returning;
    self.step.frame = caller.regs;
    self.step.code = caller.code;
    mark(self.step, *caller.code, indexAfterCall(*caller.code, caller.index));
}

/// The caller goes on. Code that nobody wants to see is left at once. After a call that gave something back the step
/// ends right there, so that it is seen; else where the next statement begins.
bool Steps::arrives(ThreadState& self) {
    StepPlan& plan = self.step;
    uint32_t index = plan.code->indexOf(self.thread->pc);
    bool isWanted = plan.options.intoLibrary || isUserCode(plan.code->func);
    if (isWanted && plan.hasResult) self.afterCall = self.thread->pc;
    self.wrote = nullptr;
    bool byInstruction = plan.options.granularity == StepOptions::Granularity::Instruction;
    if (isWanted && (plan.hasResult || byInstruction || plan.code->startsStatement(index))) return true;
    plan.from = {};
    plan.options.call.reset();
    plan.options.function = ir::FuncId::None;
    watchFrame(self, *plan.code, plan.frame, isWanted);
    if (isReturn(*plan.code, index)) beginReturn(self);
    return false;
}

bool Steps::reaches(ThreadState& self) {
    StepPlan& plan = self.step;
    const Thread& t = *self.thread;
    if (std::exchange(plan.endsHere, false)) return true;
    if (std::exchange(plan.begin, nullptr) == t.pc && t.regs == plan.frame) {
        if (isReturn(*plan.code, plan.code->indexOf(t.pc))) beginReturn(self); // no statement is on the way to it
        return false;
    }
    for (const StepPlan::Entry& e : plan.entries)
        if (e.at == t.pc && e.frame == t.regs) return true;
    if (!plan.isOn || t.regs != plan.frame || !plan.code->contains(t.pc)) return false;
    uint32_t index = plan.code->indexOf(t.pc);
    if (plan.phase == StepPlan::Phase::Returning) return arrives(self);
    if (endsAt(plan, index)) {
        bool byLine = plan.options.granularity == StepOptions::Granularity::Line;
        if (!byLine || isOtherLine(plan, plan.code->statementOf[index])) return true;
    }
    if (isReturn(*plan.code, index)) beginReturn(self);
    return false;
}

bool Steps::leadsInto(const ThreadState& self, ir::FuncId callee) const {
    const StepPlan& plan = self.step;
    if (!plan.isOn || plan.kind != Debugger::Step::Into) return false;
    if (program->module.fn(callee).compilerMade) return false;
    if (plan.options.function != ir::FuncId::None) return callee == plan.options.function;
    if (plan.options.call) {
        const Thread& t = *self.thread;
        return t.regs == plan.frame && plan.code->contains(t.pc) && plan.code->indexOf(t.pc) == *plan.options.call;
    }
    return plan.options.intoLibrary || isUserCode(callee);
}

void Steps::enter(ThreadState& self, const FunctionCode& callee, uint64_t* frame) {
    bool byInstruction = self.step.options.granularity == StepOptions::Granularity::Instruction;
    uint32_t first = byInstruction ? 0 : firstStatement(callee);
    if (first >= callee.instructionCount) return;
    mark(self.step, callee, first);
    self.step.entries.push_back({&callee.words[first], frame});
}

} // namespace sx::vm
