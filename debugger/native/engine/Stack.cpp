#include "debugger/native/engine/Stack.h"

#include "debugger/native/engine/Positions.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <sys/syscall.h>
#include <utility>

namespace sx::debugger::native {

namespace {

/// So many frames are asked for at once.
constexpr uint32_t Batch = 32;

/// Of the runtime (runtime/program/fault.c): it reports faults.
constexpr std::string_view SignalHandler = "sxi_on_fault";

/// What such a function of the C library or the runtime calls to end the program is none of the user's business.
bool endsProgram(std::string_view symbol) {
    for (std::string_view name : {std::string_view("abort"), std::string_view("raise"), SignalHandler})
        if (symbol == name) return true;
    return symbol.starts_with("sx_panic");
}

/// What has come out of `main`, or of a test.
bool reportsError(std::string_view symbol) {
    return symbol == "sx_trace_report_unhandled" || symbol == "sx_test_failed";
}

bool startsWithOne(std::string_view symbol, llvm::ArrayRef<std::string_view> prefixes) {
    return llvm::any_of(prefixes, [&](std::string_view prefix) { return symbol.starts_with(prefix); });
}

} // namespace

bool isRuntime(std::string_view symbol) {
    if (startsWithOne(symbol,
                      {"sx_trace", "sx_panic", "sx_stack_overflow", "sx_program", "sx_fiber", "sx_thread", "sx_test",
                       "sx_heap", "sx_output", "sx_value", "sx_debug_fiber", "sxi_", "__libc_start"}))
        return true;
    for (std::string_view start : {"_start", "start_thread", "clone", "__clone", "clone3", "__clone3"})
        if (symbol == start) return true;
    return false;
}

bool isRuntimeWork(std::string_view symbol) {
    return startsWithOne(symbol, {"sx_trace", "sx_heap", "sxi_heap", "sx_output", "sx_value"});
}

bool Stack::isHidden(const StackFrame& f, const TargetFrame& from) const {
    if (f.frame.func != ir::FuncId::None && !image_.isForeign(f.frame.func))
        return program_.module.fn(f.frame.func).compilerMade;
    return isRuntime(from.symbol);
}

/// It makes room for its variables.
bool Stack::hasNotBegun(const StackFrame& f) const {
    bool isKnown = f.copy != UINT32_MAX && f.frame.func != ir::FuncId::None && !image_.isForeign(f.frame.func);
    return isKnown && image_.copies()[f.copy].depth == 0 && !image_.startBefore(f.frame.pc - slide_, f.copy);
}

/// The innermost block of debug information that declares a variable is the scope of that variable.
ir::ScopeId Stack::scopeAt(uint64_t address, uint32_t copy) const {
    const CodeCopy& code = image_.copies()[copy];
    const ir::Function& fn = program_.module.fn(code.func);
    const ImageBlock* inner = nullptr;
    for (const ImageBlock& block : code.blocks) // parents come first
        if (!block.variable.empty() && std::any_of(block.ranges.begin(), block.ranges.end(),
                                                   [&](const AddressRange& r) { return r.contains(address); }))
            inner = &block;
    if (!inner) return 0;
    llvm::ArrayRef<ir::SlotId> slots = slots_.of(copy);
    ir::SlotId known = slots.empty() ? ir::SlotId::None : slots[static_cast<size_t>(inner - code.blocks.data())];
    if (known != ir::SlotId::None) return fn.slots[static_cast<uint32_t>(known)].scope;
    for (const ir::Slot& slot : fn.slots) {
        if (!slot.isVariable || program_.module.types.names().text(slot.name) != inner->variable) continue;
        if (slot.span.isValid() && program_.module.sources.resolve(slot.span.begin).line == inner->line)
            return slot.paramIndex >= 0 ? 0 : slot.scope;
    }
    return 0;
}

/// The scope of the statement that begins there, or of the call, if the program has it. What is cleaned up at several
/// ends of a block has its code more than once: the call of the block in which the statement begins counts.
static std::optional<ir::ScopeId> knownScope(const ir::Function& fn, const Frame& f) {
    ir::ValueId first = f.statement < fn.statements.size() ? fn.statements[f.statement].first : ir::ValueId::None;
    if (f.atStatement) return fn.instr(first).scope;
    std::optional<ir::ScopeId> found;
    bool isOne = true;
    for (const ir::Block& block : fn.blocks) {
        bool isHere = false; // from where the statement begins: rounds of an `inline for` may be one block
        for (ir::ValueId v : block.instrs) {
            const ir::Instr& i = fn.instr(v);
            isHere |= v == first;
            if ((i.op != ir::Op::Call && i.op != ir::Op::CallIndirect) || !(i.span.begin == f.at)) continue;
            if (isHere) return i.scope;
            isOne &= !found || *found == i.scope;
            found = i.scope;
        }
    }
    return isOne ? found : std::nullopt;
}

/// The scope of what does something to an error in the code of that row, which a handler's own begins after.
static std::optional<ir::ScopeId> errorScope(const ProgramImage& image, ir::FuncId func, const ir::Function& fn,
                                             uint64_t address) {
    const ImageRow* row = image.rowAt(address);
    if (!row) return std::nullopt;
    for (const ErrorPlace& place : errorPlacesAt(image, row->address))
        if (place.func == func) return fn.instr(fn.errorEvents[place.event].at).scope;
    return std::nullopt;
}

static bool isAround(const ir::Function& fn, ir::ScopeId outer, ir::ScopeId inner) {
    while (inner != outer && inner != 0 && inner < fn.scopes.size()) inner = fn.scopes[inner].parent;
    return inner == outer;
}

/// The scope of the statement that a frame is in, or else of the last one that begins before its position. Nothing
/// where several begin there, in scopes of their own.
static std::optional<ir::ScopeId> statementScope(const ir::Function& fn, const Frame& f) {
    if (f.statement < fn.statements.size()) return fn.scopeOf(fn.statements[f.statement]);
    const ir::Statement* last = nullptr;
    bool isOne = true;
    for (const ir::Statement& s : fn.statements) {
        if (!f.at.isValid() || s.begin > f.at || s.begin < fn.span.begin) continue;
        if (last && s.begin < last->begin) continue;
        isOne = !last || !(s.begin == last->begin) || (isOne && fn.scopeOf(s) == fn.scopeOf(*last));
        last = &s;
    }
    return last && isOne ? std::optional(fn.scopeOf(*last)) : std::nullopt;
}

/// Optimized code may have no block left for what a statement sees: its variables are gone, and the list says so.
ir::ScopeId Stack::scopeWithin(const StackFrame& f, uint64_t lookup) const {
    const ir::Function& fn = program_.module.fn(f.frame.func);
    ir::ScopeId there = scopeAt(lookup, f.copy);
    std::optional<ir::ScopeId> inner = image_.isOptimized() ? statementScope(fn, f.frame) : std::nullopt;
    return inner && isAround(fn, there, *inner) ? *inner : there;
}

/// `lookup` lies in the instruction, or in the call that a caller is in. `isExact`: execution stands at `lookup`.
void Stack::describe(StackFrame& f, uint64_t lookup, bool isExact, SystemThread thread) {
    const ir::Function& fn = program_.module.fn(f.frame.func);
    f.frame.name = fn.name;
    const StatementStart* start = isExact ? image_.startAt(lookup) : nullptr;
    f.frame.atStatement = start && start->copy == f.copy;
    if (!f.frame.atStatement) start = image_.startBefore(lookup, f.copy);
    if (start) f.frame.statement = start->statement;
    bool isPlaced = place_.statementThread == thread && !f.isInterrupted;
    if (f.frame.atStatement && isPlaced) f.frame.statement = place_.statement;
    if (f.frame.atStatement) {
        f.frame.at = fn.statements[f.frame.statement].begin;
    } else if (f.frame.line != 0 && f.isInlinedIn) {
        // The row has a place in the callee: lldb knows where it was called.
        FileId file = program_.module.sources.fileOf(fn.span.begin);
        f.frame.at = positionAt(program_.module.sources, file, f.frame.line, f.frame.column);
    } else if (const ImageRow* row = image_.rowAt(lookup); row && row->hasFile && row->line != 0) {
        f.frame.at = positionAt(program_.module.sources, row->file, row->line, row->column);
    }
    bool isForeign = image_.isForeign(f.frame.func);
    std::optional<ir::ScopeId> known = isForeign ? std::nullopt : knownScope(fn, f.frame);
    if (!known && !isForeign) known = errorScope(image_, f.frame.func, fn, lookup);
    f.frame.scope = known ? *known : isForeign ? scopeAt(lookup, f.copy) : scopeWithin(f, lookup);
}

/// The outermost frame of a thread that has not come to `main`: the dynamic linker's, or what calls `main`.
static bool isStartUp(const TargetFrame& outermost) {
    std::string_view file = outermost.module;
    file.remove_prefix(file.rfind('/') + 1); // or nothing
    return outermost.symbol == "_start" || file.starts_with("ld-linux") || file.starts_with("ld-musl");
}

/// The code that a handler of a signal returns to: mov $SYS_rt_sigreturn, %rax; syscall.
bool Stack::isSignalReturn(const TargetFrame& from) const {
    constexpr std::array<uint8_t, 9> Code = {0x48, 0xc7, 0xc0, SYS_rt_sigreturn, 0, 0, 0, 0x0f, 0x05};
    std::array<uint8_t, Code.size()> there{};
    return target_->readMemory(from.pc, there.data(), there.size()) == there.size() && there == Code;
}

/// The next frame is of code that a signal of the runtime's has interrupted.
static bool isFaulted(const std::deque<StackFrame>& before) {
    return before.size() >= 2 && before.back().goesBack && before[before.size() - 2].frame.name == SignalHandler;
}

uint64_t insideCall(const ProgramImage& image, uint64_t pc, uint64_t slide) {
    return image.symbolAt(pc - slide).empty() ? pc - 1 : pc;
}

uint64_t behindCall(const ProgramImage& image, uint64_t pc, uint64_t slide) {
    return image.symbolAt(pc - slide).empty() ? pc + 1 : pc;
}

StackFrame Stack::make(SystemThread thread, const Walk& walk, const TargetFrame& from) {
    auto number = static_cast<uint32_t>(walk.frames.size());
    const StackFrame* inner = walk.frames.empty() ? nullptr : &walk.frames.back();
    StackFrame f;
    f.number = number;
    f.cfa = from.cfa;
    f.frame.name = from.name.empty() ? from.symbol : from.name;
    f.frame.inlined = from.inlined;
    f.frame.line = from.line;
    f.frame.column = from.column;
    // Inlined calls share the frame of the function that they are inlined in.
    bool sharesFrame = inner && inner->frame.inlined;
    uint32_t depth = sharesFrame ? static_cast<uint32_t>(inner->cfa - inner->frame.address) + 1 : 0;
    f.frame.address = from.cfa - depth;
    f.isInlinedIn = sharesFrame;
    // Where an inlined call begins is what lldb has for the function around it.
    f.frame.pc = sharesFrame ? inner->frame.pc : from.pc;
    if (number == 0 && place_.parked == thread) f.frame.pc = behindCall(image_, from.pc, slide_);
    f.isInnermost = number == 0 || (sharesFrame && inner->isInnermost);
    f.isInterrupted = inner && (inner->goesBack || (sharesFrame && inner->isInterrupted));
    // Right after a call execution is still at the call.
    bool isAfterCall = place_.parked == thread || place_.afterCall == thread;
    bool isExact = (number == 0 && !isAfterCall) || (f.isInterrupted && !sharesFrame);
    bool isThere = (f.isInnermost && !isAfterCall) || f.isInterrupted;
    uint64_t at = f.frame.pc - slide_, lookup = at - (isThere ? 0 : 1);
    std::vector<uint32_t> copies = image_.copiesAt(lookup);
    // lldb takes it for the instruction that is there: of another inlined call, or of none.
    bool isOther = f.isInnermost && place_.parked != thread && copies != image_.copiesAt(at);
    if (isOther) copies = image_.copiesAt(lookup = at);
    if (depth < copies.size()) f.copy = copies[depth];
    if (f.copy != UINT32_MAX) f.frame.func = image_.copies()[f.copy].func;
    if (f.frame.func != ir::FuncId::None) {
        describe(f, lookup, isExact, thread);
        f.frame.line = f.frame.column = 0;
        // The call has no place; a row before it may be of code that the optimizer has put there.
        if (inner && reportsError(inner->frame.name)) f.frame.at = {};
    } else {
        f.frame.file = from.file;
        f.goesBack = number > 0 && isSignalReturn(from);
        f.isNameless = isMadeUp(f.frame.name);
        if (f.isNameless) f.frame.name = "code of " + from.module.substr(from.module.rfind('/') + 1);
    }
    f.isHidden = f.goesBack || isHidden(f, from);
    return f;
}

bool Stack::isCode(uint64_t address) {
    if (regions_.empty()) regions_ = target_->regions();
    return llvm::any_of(regions_,
                        [&](const MemoryRegion& r) { return r.executable && address >= r.start && address < r.end; });
}

/// A frame does not say any more that `outer` has called it.
bool Stack::isTorn(const TargetFrame& inner, const TargetFrame& outer) {
    if (inner.inlined || inner.fp == 0 || inner.cfa != inner.fp + 2 * sizeof(uint64_t)) return false;
    uint64_t saved[2] = {0, 0};
    if (target_->readMemory(inner.fp, saved, sizeof saved) != sizeof saved || saved[1] != outer.pc) return true;
    return !isCode(outer.pc) ||
           (!outer.inlined && outer.fp != 0 && saved[0] != outer.fp && saved[0] != outer.cfa - 2 * sizeof(uint64_t));
}

/// Adds more frames; false: there are none. Where the innermost is the program's code it is the first, alone: a
/// condition needs no other one, and callers take a debugger longer than all else at a hit.
bool Stack::extend(SystemThread thread, Walk& walk) {
    if (walk.isWhole || !target_) return false;
    if (!walk.frames.empty()) return extend(thread, walk, Batch);
    bool isThere = extend(thread, walk, 1);
    if (isThere && !walk.hasCode && !walk.isWhole) extend(thread, walk, Batch);
    return isThere;
}

bool Stack::extend(SystemThread thread, Walk& walk, uint32_t count) {
    auto have = static_cast<uint32_t>(walk.frames.size());
    std::vector<TargetFrame> more = target_->frames(thread, have, count);
    for (const TargetFrame& from : more) {
        // Where a program begins nobody has called, and lldb takes what lies there for a caller.
        bool isNobody = have != 0 && from.module.empty() && from.symbol.empty() && !isCode(from.pc);
        if (isNobody || (wasWritten_ && have != 0 && isTorn(walk.last, from))) {
            walk.isWhole = true;
            break;
        }
        walk.last = from, ++have;
        StackFrame made = make(thread, walk, from);
        bool isFault = isFaulted(walk.frames);
        bool isAtFault = made.number == 0 || isFault;
        made.isHidden |= walk.isPastMain || (place_.overflowed == thread && isAtFault && hasNotBegun(made));
        if (isFault) hideCalled(walk); // how the system has called the handler
        // What called `main` is start-up.
        bool isMain = from.symbol == "main" || (image_.isForeign() && made.frame.name == "main");
        if (isMain && !from.inlined) walk.isPastMain = true;
        // A `main` with large variables is a function of its own, which the C `main` calls.
        made.isHidden |= isMain && made.frame.func == ir::FuncId::None && !from.inlined && !image_.isForeign() &&
                         program_.module.entry != ir::FuncId::None;
        if (made.frame.func != ir::FuncId::None && !walk.frames.empty()) showCalled(walk, made);
        bool isOfLibrary = made.frame.func == ir::FuncId::None || made.isHidden;
        if (isOfLibrary && !walk.hasCode && (endsProgram(from.symbol) || isRuntimeWork(from.symbol))) hideCalled(walk);
        walk.hasCode |= !isOfLibrary;
        if (!made.isHidden && !made.isNameless) walk.shown.push_back(static_cast<uint32_t>(walk.frames.size()));
        walk.frames.push_back(std::move(made));
    }
    if (!more.empty() && !walk.isWhole) walk.isStartUp = isStartUp(more.back()) && !image_.isForeign();
    // Some of what called `main` is wanted, for where it returns to.
    walk.isWhole |= (walk.isPastMain && count > 1) || more.size() < count;
    bool isOfStartUp = walk.isWhole && !walk.isPastMain && walk.isStartUp;
    if (isOfStartUp && !walk.hasCode) hideCalled(walk);
    else if (isOfStartUp) hideCallers(walk);
    else if (walk.isWhole && walk.shown.empty()) // a thread of a library's own
        for (uint32_t i = 0; i < walk.frames.size(); ++i)
            if (!walk.frames[i].isHidden) walk.shown.push_back(i);
    return !more.empty();
}

/// The frames so far are none that the user wants to see.
void Stack::hideCalled(Walk& walk) {
    for (StackFrame& f : walk.frames) f.isHidden = true;
    walk.shown.clear();
}

/// What start-up has called to come to code of the program, as `exit` for what `atexit` has been given.
void Stack::hideCallers(Walk& walk) {
    while (!walk.shown.empty() && walk.frames[walk.shown.back()].frame.func == ir::FuncId::None) {
        walk.frames[walk.shown.back()].isHidden = true;
        walk.shown.pop_back();
    }
}

/// Of nameless functions of a library the one that the program has called is shown, by the name in the call.
void Stack::showCalled(Walk& walk, const StackFrame& caller) const {
    StackFrame& called = walk.frames.back();
    if (!called.isNameless || called.isHidden) return;
    for (const ir::Instr& i : program_.module.fn(caller.frame.func).instrs) {
        if (i.op != ir::Op::Call || !i.span.isValid() || i.span.begin != caller.frame.at) continue;
        const ir::Function& callee = program_.module.fn(static_cast<ir::FuncId>(i.imm));
        if (callee.isExtern) called.frame.name = callee.symbol;
    }
    walk.shown.push_back(static_cast<uint32_t>(walk.frames.size() - 1));
}

Stack::Walk& Stack::walkOf(SystemThread thread) {
    if (std::exchange(isStale_, false)) {
        threads_.clear();
        regions_.clear();
    }
    return threads_[thread];
}

const StackFrame* Stack::shown(SystemThread thread, uint32_t index) {
    Walk& walk = walkOf(thread);
    while (walk.shown.size() <= index)
        if (!extend(thread, walk)) return nullptr;
    return &walk.frames[walk.shown[index]];
}

const StackFrame* Stack::frame(SystemThread thread, uint32_t number) {
    Walk& walk = walkOf(thread);
    while (walk.frames.size() <= number)
        if (!extend(thread, walk)) return nullptr;
    return &walk.frames[number];
}

std::optional<uint32_t> Stack::total(SystemThread thread) const {
    auto walk = threads_.find(thread);
    if (walk == threads_.end() || !walk->second.isWhole) return std::nullopt;
    return static_cast<uint32_t>(walk->second.shown.size());
}

} // namespace sx::debugger::native
