#include "vm/Thread.h"

#include "ir/TypeDescriptor.h"

#include "vm/History.h"
#include "vm/replay/Tape.h"

#include "vm/memory/Reserve.h"
#include "vm/memory/Stacks.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace sx::vm {

namespace {

/// Frame of the host: the result, the frame and the instruction that were left for C, then the header of the first
/// callee.
constexpr uint32_t HostWords = 4;
enum HostWord { HostResult, HostRegs, HostPc };
/// Of a longer list of frames each end is kept.
constexpr size_t StackEnd = 10;
constexpr Insn HostCall[] = {{static_cast<uint16_t>(Opcode::Call), 0, HostWords + HeaderWords, 0},
                             {static_cast<uint16_t>(Opcode::Halt), 0, 0, 0}};

/// While compiling. A program that runs may use its stack, and its overflow is a panic as it is in machine code.
constexpr unsigned DeepestNesting = 500;

} // namespace

Thread::Thread(Program& p) : Thread(p, p.options.stackBytes) {}

Thread::Thread(Program& p, uint64_t stackBytes) : program(p), budget(static_cast<int64_t>(p.options.steps)) {
    std::unique_ptr<Stacks> stacks = std::move(Stacks::ofNewThread());
    // The spare also without a debugger: a replay under one is to have the same addresses.
    if (!stacks)
        stacks = Stacks::make(stackBytes, !p.options.comptime, [&](uint64_t bytes) { return p.placeFor(bytes); });
    if (!stacks) endWithoutMemory();
    stack_ = static_cast<uint64_t*>(std::exchange(stacks->frames, nullptr));
    stackBytes_ = stacks->frameBytes;
    frameLimit_ = stack_ + stacks->frameLimit / 8;
    far_ = reinterpret_cast<uint64_t>(std::exchange(stacks->far, nullptr));
    farBytes_ = stacks->farBytes;
    farLimit_ = stacks->farLimit;
    empty();
    if (p.options.keepsHistory) history = History::forThread(*p.options.recording, p.options.tape->turns);
}

void Thread::useSpare(bool uses) {
    frameLimit_ = uses ? frameLimit_ + SpareBytes / 8 : frameLimit_ - SpareBytes / 8;
    farLimit_ = uses ? farLimit_ + SpareBytes : farLimit_ - SpareBytes;
}

void Thread::empty() {
    pc = nullptr;
    regs = nullptr;
    top = stack_;
    farTop_ = far_;
    foreign = nullptr;
    ticket = 0;
    if (program.options.tape) budget = Turns::Slice - 1;
    alarm = static_cast<uint64_t>(budget); // nothing is done yet
}

Thread::~Thread() {
    release(stack_, stackBytes_);
    release(reinterpret_cast<void*>(far_), farBytes_);
}

Thread*& Thread::current() {
    static thread_local Thread* thread = nullptr;
    return thread;
}

Thread::Outcome Thread::call(Callee& callee, llvm::ArrayRef<uint64_t> args, uint64_t& result) {
    if ((depth_ == DeepestNesting && program.options.comptime) || top > frameLimit_) {
        fail("calls are nested too deeply");
        return outcome_;
    }
    uint64_t* savedTop = top;
    uint64_t* savedRegs = regs;
    const Insn* savedPc = pc;
    Thread* savedThread = std::exchange(current(), this);
    const std::string* savedForeign = std::exchange(foreign, nullptr);
    ++depth_;

    uint64_t* frame = hostFrame(callee, args);
    Outcome outcome = run(callee, frame);
    result = (frame - HeaderWords - HostWords)[HostResult];

    --depth_;
    current() = savedThread;
    top = savedTop;
    if (outcome == Outcome::Returned) { // else the position of the failure stays
        regs = savedRegs;
        pc = savedPc;
        foreign = savedForeign;
    }
    return outcome;
}

uint64_t* Thread::hostFrame(Callee& callee, llvm::ArrayRef<uint64_t> args) {
    auto* base = reinterpret_cast<uint64_t*>(llvm::alignTo(reinterpret_cast<uint64_t>(top), 16));
    base[HostRegs] = reinterpret_cast<uint64_t>(regs);
    base[HostPc] = reinterpret_cast<uint64_t>(pc);
    uint64_t* frame = base + HostWords + HeaderWords;
    std::copy(args.begin(), args.end(), frame);
    frame[HeaderCall] = reinterpret_cast<uint64_t>(HostCall);
    frame[HeaderCallee] = reinterpret_cast<uint64_t>(&callee);
    return frame;
}

Thread::Outcome Thread::run(Callee& callee, uint64_t* frame) {
    if (program.options.comptime) return interpret<Mode::Checked>(*this, callee.entry, frame);
    if (!program.options.debugger && program.options.tape) return interpret<Mode::Taped>(*this, callee.entry, frame);
    if (!program.options.debugger) return interpret<Mode::Plain>(*this, callee.entry, frame);
    if (undo) return interpret<Mode::Undo>(*this, callee.entry, frame);
    if (!history) return interpret<Mode::Debug>(*this, callee.entry, frame);
    return runRecorded(callee, frame);
}

Thread::Outcome Thread::runRecorded(Callee& callee, uint64_t* frame) {
    if (history->isSuspended()) return interpret<Mode::Record>(*this, callee.entry, frame);
    pc = callee.entry;
    regs = frame;
    if (!history->order.has(*this)) return runInTurns(frame);
    std::string why = history->breakReason(); // C has called, or will return to code whose history is not kept
    history->restart(*this, why);
    sigjmp_buf here;
    sigjmp_buf* before = std::exchange(landing, &here);
    Thread* outer = home->bottom;
    if (sigsetjmp(here, 1) != 0) history->settle(*home);
    Outcome outcome = history->run(*this);
    home->bottom = outer;
    landing = before;
    history->breakAt(why);
    return outcome;
}

/// The outermost code of a thread whose history is one with that of others. It comes back to its landing with its turn.
Thread::Outcome Thread::runInTurns(uint64_t* frame) {
    const bool isFirst = !history->order.current();
    sigjmp_buf here;
    landing = &here;
    history->join(*this);
    if (sigsetjmp(here, 1) != 0) history->settle(*this);
    Outcome outcome = history->run(*this);
    if (outcome == Outcome::Returned && !isFirst) {
        leftWith = (frame - HeaderWords - HostWords)[HostResult];
        history->leaveForGood(*this);
    }
    landing = nullptr;
    return outcome;
}

void Thread::fail(std::string message) {
    if (stopped()) return;
    outcome_ = Outcome::Failed;
    error = std::move(message);
    keepStack();
    errorAt = errorStack.empty() ? Span{} : errorStack.front().span;
}

void Thread::exit(int code) {
    if (stopped()) return;
    outcome_ = Outcome::Exited;
    exitCode = code;
    std::vector<Position> at = backtrace(1);
    errorAt = at.empty() ? Span{} : at.front().span;
}

bool Thread::leadsToC(const Insn* at, const uint64_t* frame) const {
    const Callee* callee = program.callees.find(frame[HeaderCallee]);
    const FunctionCode* code = callee ? callee->code : nullptr;
    if (!code || !code->contains(at)) return false;
    Opcode op = opcodeAt(*code, code->indexOf(at));
    bool isConverted = op == Opcode::CallInd && program.functionAt(frame[at->a]) != ir::FuncId::None;
    return (op == Opcode::CallForeign || op == Opcode::CallInd) && !isConverted;
}

std::string Thread::foreignCallee(const Insn* at, const uint64_t* frame) const {
    const FunctionCode* code = program.callees.find(frame[HeaderCallee])->code;
    bool isNamed = opcodeAt(*code, code->indexOf(at)) == Opcode::CallForeign;
    return isNamed ? program.foreign.nameOf(static_cast<uint32_t>(at->wide())) : std::string();
}

void Thread::standAt(const Standing& s) {
    pc = s.pc;
    regs = s.regs;
    top = s.top;
    budget = s.budget;
    farTop_ = s.farTop;
    depth_ = s.depth;
    foreign = s.foreign;
    escape = s.escape;
    ticket = s.ticket;
    current() = s.current;
    outcome_ = Outcome::Returned;
    error.clear();
    errorStack.clear();
}

void Thread::putBack(Standing to, uint64_t count) {
    to.current = current();
    to.escape = escape;
    standAt(to);
    alarm = count - side.shift + static_cast<uint64_t>(budget);
    wentBack = true;
}

/// Frames of code that is being translated have none yet: the call stands for them.
const char* Thread::walkFrames(VisitFrame visit, bool isChecked) const {
    const Insn* at = pc;
    uint64_t* frame = regs;
    const FunctionCode* callers[4] = {}; // that were met last: recursion is deep where functions are few
    size_t next = 0;
    auto isCall = [&](const Insn* i) {
        if (!isChecked || i == HostCall) return true;
        for (const FunctionCode* known : callers)
            if (known && known->contains(i)) return true;
        const FunctionCode* code = program.codeAt(i);
        if (code) callers[next++ % std::size(callers)] = code;
        return code != nullptr;
    };
    auto onWords = [&](const uint64_t* begin, uint64_t words) {
        auto address = reinterpret_cast<uint64_t>(begin);
        return !isChecked || (address % sizeof(uint64_t) == 0 && onStack(address, words * sizeof(uint64_t)));
    };
    auto isFrame = [&](const uint64_t* f) { return onWords(f - HeaderWords, HeaderWords); };
    while (frame && at) {
        if (!isFrame(frame)) return "it does not lie on the stack";
        const Callee* callee = program.callees.find(frame[HeaderCallee]);
        if (!callee) return "what it says of its function was written over";
        const FunctionCode* code = callee->code;
        if (code && code->contains(at) && !visit(code, at, frame)) return nullptr;
        at = reinterpret_cast<const Insn*>(frame[HeaderCall]);
        if (!isCall(at)) return "what it says of its caller was written over";
        const uint64_t* const inner = frame;
        frame -= at->b;
        // Callers lie below; else there would be no end.
        if (isChecked && frame >= inner) return "what it says of its caller was written over";
        if (at != HostCall) continue;
        if (!onWords(frame, HostWords)) return "it does not lie on the stack";
        at = reinterpret_cast<const Insn*>(frame[HostPc]);
        frame = reinterpret_cast<uint64_t*>(frame[HostRegs]);
        if (isChecked && frame >= inner) return "what it says of its caller was written over";
        if (at && frame && isFrame(frame) && isCall(at) && leadsToC(at, frame) && !visit(nullptr, at, frame))
            return nullptr;
    }
    return nullptr;
}

std::vector<Thread::Position> Thread::backtrace(size_t limit) const {
    std::vector<Position> out;
    if (limit > 0)
        walkFrames([&](const FunctionCode* code, const Insn* at, uint64_t*) {
            if (code) out.push_back({code->func, code->spans[code->indexOf(at)]});
            return out.size() < limit;
        });
    return out;
}

namespace {

sx_string stringOf(std::string_view text) { return {text.data(), static_cast<int64_t>(text.size())}; }

/// The position is found by reading the file, which a signal handler may do.
sx_frame frameAt(const SourceManager& sources, SourcePos pos) {
    sx_frame at{};
    if (!pos.isValid()) return at;
    FileId file = sources.fileOf(pos);
    std::string_view before = sources.text(file).substr(0, pos.raw - sources.start(file).raw);
    size_t lineStart = before.rfind('\n') + 1; // none: 0
    at.file = stringOf(sources.tracePath(file));
    at.line = static_cast<int32_t>(1 + std::count(before.begin(), before.end(), '\n'));
    at.col = static_cast<int32_t>(1 + before.size() - lineStart);
    return at;
}

} // namespace

sx_frame Thread::place() const {
    const FunctionCode* code = program.codeAt(pc);
    return code ? frameAt(program.module.sources, code->spans[code->indexOf(pc)].begin) : sx_frame{};
}

sx_frame Thread::functionPlace() const {
    const FunctionCode* code = program.codeAt(pc);
    if (!code) return {};
    const ir::Function& fn = program.module.fn(code->func);
    sx_frame at = frameAt(program.module.sources, fn.span.begin);
    at.func = stringOf(fn.name);
    return at;
}

/// Recursion that is too deep has a million frames: only the ends of the list are ever held.
void Thread::keepStack() {
    size_t count = 0;
    Position last[StackEnd];
    walkFrames([&](const FunctionCode* code, const Insn* at, uint64_t*) {
        if (!code) return true; // C
        Position p{code->func, code->spans[code->indexOf(at)]};
        if (count < StackEnd) errorStack.push_back(p);
        else last[count % StackEnd] = p;
        ++count;
        return true;
    });
    if (count <= StackEnd) return;
    size_t tail = std::min(count - StackEnd, StackEnd);
    errorStackOmitted = count - StackEnd - tail;
    for (size_t i = count - tail; i < count; ++i) errorStack.push_back(last[i % StackEnd]);
}

bool Thread::enterFar(uint64_t bytes, uint64_t align, uint64_t& address) {
    address = llvm::alignTo(farTop_, align);
    if (bytes > farLimit_ || address + bytes > far_ + farLimit_) return false;
    farTop_ = address + bytes;
    return true;
}

bool Thread::onStack(uint64_t address, uint64_t size) const {
    auto inside = [&](uint64_t start, uint64_t bytes) {
        return address - start < bytes && size <= bytes - (address - start);
    };
    return inside(reinterpret_cast<uint64_t>(stack_), stackBytes_) || inside(far_, farBytes_);
}

bool Thread::inFrameOf(const Callee& outermost, uint64_t address, uint64_t size) const {
    if (!outermost.code) return false;
    auto inside = [&](uint64_t start, uint64_t bytes) {
        return address - start < bytes && size <= bytes - (address - start);
    };
    return inside(reinterpret_cast<uint64_t>(stack_ + HostWords + HeaderWords),
                  uint64_t{outermost.code->frameWords} * 8) ||
           inside(far_, outermost.code->farBytes);
}

/// The name in a type's descriptor.
static std::string typeName(uint64_t descriptor) {
    const char* text = nullptr;
    int64_t length = 0;
    std::memcpy(&text, reinterpret_cast<const char*>(descriptor) + ir::desc::NamePtr, sizeof text);
    std::memcpy(&length, reinterpret_cast<const char*>(descriptor) + ir::desc::NameLen, sizeof length);
    return {text, static_cast<size_t>(length)};
}

std::string panicText(ir::PanicKind kind, const uint64_t operands[3]) {
    std::string text(ir::infoOf(kind).message);
    size_t at = 0;
    for (unsigned n = 0; n < ir::infoOf(kind).operandCount; ++n) {
        at = text.find("{}", at);
        std::string shown = kind == ir::PanicKind::TypeAssertion ? typeName(operands[n])
                                                                 : std::to_string(static_cast<int64_t>(operands[n]));
        text.replace(at, 2, shown);
        at += shown.size();
    }
    return text;
}

} // namespace sx::vm
