// What the session asks of the agent about a program that stands still: frames, values, memory.
#include "debugger/inspect/Datum.h"
#include "debugger/vm/ProgramAgent.h"
#include "debugger/vm/Registers.h"
#include "types/Layout.h"
#include "vm/Program.h"
#include "vm/Thread.h"
#include "vm/code/Disassemble.h"

#include "debug_fiber.h"
#include "heap.h"
#include "sx/trace.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>
#include <sys/socket.h>

namespace sx::debugger {

static constexpr const char* ChangeOfValue = "a change that the debugger made";
static constexpr uint64_t MostBytes = uint64_t{16} << 20; ///< that are read at once

/// Where a step has come back from a call: the place of the call. nullopt: execution does not stand right after one.
static std::optional<SourcePos> afterCall(const vm::DebugFrame& f) {
    for (uint32_t words = 1; f.code && words <= 2 && words <= f.index; ++words) {
        uint32_t before = f.index - words;
        vm::InstructionText text = vm::instructionText(*f.code, before);
        if (text.words == words && llvm::StringRef(text.name).starts_with("Call")) return f.code->spans[before].begin;
    }
    return std::nullopt;
}

/// Where execution is shown to be in a frame.
SourcePos ProgramAgent::shownAt(const vm::DebugFrame& f, bool isInnermost) const {
    if (f.func == ir::FuncId::None) return f.span.begin;
    const ir::Function& fn = program_.module.fn(f.func);
    bool begins = f.atStatement && f.statement != vm::DebugFrame::NoStatement;
    if (begins) return fn.statements[f.statement].begin;
    if (isInnermost && vm::isUnhandled(f)) return f.span.begin; // the cleanups before it are over
    // Defaults and inserted text are shown where they are used.
    if (Span shown = f.scope < fn.scopes.size() ? fn.scopes[f.scope].shownAt : Span(); shown.isValid())
        return shown.begin;
    if (isInnermost && !f.atStatement && !f.fails) return afterCall(f).value_or(f.span.begin);
    return f.span.begin;
}

std::string ProgramAgent::answerAboutState(Command command, WireReader& r) {
    if (command == Command::Threads) return threads();
    if (command == Command::Record || command == Command::Recorded || command == Command::TracePlaces ||
        command == Command::LogFibers || command == Command::Disassemble)
        return machine_.answer(command, r);
    if (!debugger_.isStopped()) return "";
    switch (command) {
    case Command::Frames: return frames(r);
    case Command::Slot: return slot(r);
    case Command::WriteSlot: return done(writeSlot(r));
    case Command::Registers: return registers(r);
    case Command::Trace: return trace(r);
    case Command::Returned: return returned(r);
    default: return answerAboutCode(command, r);
    }
}

std::optional<vm::DebugFrame> ProgramAgent::frame(ThreadId thread, uint32_t index) {
    std::vector<vm::DebugFrame> found = debugger_.frames(thread, index, 1);
    if (found.empty()) return std::nullopt;
    return found.front();
}

std::string ProgramAgent::threads() {
    std::vector<vm::Debugger::ThreadInfo> all = debugger_.threads();
    WireWriter w;
    w.put(static_cast<uint32_t>(all.size()));
    for (const vm::Debugger::ThreadInfo& t : all) {
        std::string name = (t.id == 1 ? "main (" : "thread (") + std::to_string(t.system) + ")";
        w.put(t.id).put(t.fiber != 0 ? "fiber " + std::to_string(t.id) : name);
        w.put(t.fiber).put(static_cast<uint64_t>(t.fiber != 0 ? 0 : t.system));
    }
    return w.bytes();
}

/// What a statement declares is visible after it, whatever code it has.
ir::ScopeId ProgramAgent::scopeOf(const vm::DebugFrame& f) const {
    if (!f.atStatement || f.statement == vm::DebugFrame::NoStatement) return f.scope;
    const ir::Function& fn = program_.module.fn(f.func);
    return fn.scopeOf(fn.statements[f.statement]);
}

/// The frames of a thread but for those of start-up.
std::string ProgramAgent::frames(WireReader& r) {
    auto thread = r.get<ThreadId>();
    auto start = r.get<uint32_t>();
    auto count = r.get<uint32_t>();
    std::vector<vm::DebugFrame> all = debugger_.frames(thread, start, size_t{count} + 1);
    auto isStart = [&](const vm::DebugFrame& f) {
        return f.func == program_.module.entry && f.func != ir::FuncId::None;
    };
    bool whole = all.size() <= count || isStart(all[count]);
    if (all.size() > count) all.resize(count);
    while (!all.empty() && isStart(all.back())) all.pop_back();
    size_t total = start + all.size();
    if (all.empty()) total = framesWithin(debugger_, thread, program_.module.entry); // beyond the end
    WireWriter w;
    w.put(whole).put(static_cast<uint32_t>(total)).put(static_cast<uint32_t>(all.size()));
    for (size_t i = 0; i < all.size(); ++i) {
        const vm::DebugFrame& f = all[i];
        bool isInnermost = i == 0 && start == 0;
        w.put(f.func).put(f.statement).put(f.atStatement).put(isInnermost && vm::isUnhandled(f));
        w.put(scopeOf(f)).put(shownAt(f, isInnermost).raw);
        w.put(f.code ? reinterpret_cast<uint64_t>(f.code->words.data() + f.index) : uint64_t{0});
        w.put(reinterpret_cast<uint64_t>(f.regs)).put(f.foreignName.empty() ? std::string("(C code)") : f.foreignName);
    }
    return w.bytes();
}

void ProgramAgent::putPlace(WireWriter& w, const SlotPlace& p) {
    w.put(p.kind).put(p.address).put(llvm::ArrayRef<uint8_t>(p.bytes)).put(p.why);
}

SlotPlace ProgramAgent::placeOf(const vm::SlotLocation& l, TypeId type) const {
    SlotPlace p;
    if (!l.isRegister) {
        p.kind = SlotPlace::Kind::Memory;
        p.address = l.address;
        return p;
    }
    p.kind = SlotPlace::Kind::Register;
    p.address = l.address;
    Datum d = fromRegister(program_.types, type, *l.word);
    p.bytes.assign(d.bytes.begin(), d.bytes.end());
    return p;
}

std::string ProgramAgent::slot(WireReader& r) {
    auto thread = r.get<ThreadId>();
    std::optional<vm::DebugFrame> f = frame(thread, r.get<uint32_t>());
    auto slot = r.get<ir::SlotId>();
    WireWriter w;
    SlotPlace p;
    if (f && f->code && static_cast<size_t>(slot) < program_.module.fn(f->func).slots.size())
        p = placeOf(vm::slotLocation(*f, slot), program_.module.fn(f->func).slots[static_cast<size_t>(slot)].type);
    if (f && f->code && !hasVariables(*f)) p = {SlotPlace::Kind::Unavailable, 0, {}, "not set"};
    putPlace(w, p);
    return w.bytes();
}

Result<void> ProgramAgent::writeSlot(WireReader& r) {
    auto thread = r.get<ThreadId>();
    std::optional<vm::DebugFrame> f = frame(thread, r.get<uint32_t>());
    auto slot = r.get<ir::SlotId>();
    std::vector<uint8_t> bytes = r.data();
    if (!f || !f->code || static_cast<size_t>(slot) >= program_.module.fn(f->func).slots.size())
        return Failure{"there is no such variable"};
    TypeId type = program_.module.fn(f->func).slots[static_cast<size_t>(slot)].type;
    if (bytes.size() != sizeOf(program_.types, type)) return Failure{"the value has another size than the variable"};
    vm::SlotLocation l = vm::slotLocation(*f, slot);
    if (l.isRegister) *l.word = toRegister(program_.types, type, bytes);
    else if (!own_.write(l.address, bytes)) return Failure{"the memory of the variable cannot be written"};
    kept_.noteWrite(l.address, bytes);
    time_.forget(ChangeOfValue);
    return {};
}

std::string ProgramAgent::registers(WireReader& r) {
    constexpr uint32_t Most = 1000;
    auto thread = r.get<ThreadId>();
    std::optional<vm::DebugFrame> f = frame(thread, r.get<uint32_t>());
    WireWriter w;
    uint32_t n = f && f->code ? std::min(f->code->frameWords, Most) : 0;
    w.put(n);
    for (uint32_t i = 0; i < n; ++i) w.put("r" + std::to_string(i)).put("0x" + llvm::utohexstr(f->regs[i], true));
    return w.bytes();
}

std::string ProgramAgent::trace(WireReader& r) {
    auto thread = r.get<ThreadId>();
    sx_trace_state state{};
    std::vector<uint8_t> bytes;
    debugger_.runOn(thread, [&](vm::Thread&) {
        // There and back: what lies in between is a copy of what is in flight.
        sx_trace_swap(&state);
        sx_trace_state copy = state;
        sx_trace_swap(&state);
        auto* from = reinterpret_cast<const uint8_t*>(&copy);
        bytes.assign(from, from + sizeof copy);
    });
    return WireWriter().put(llvm::ArrayRef<uint8_t>(bytes)).bytes();
}

std::string ProgramAgent::returned(WireReader& r) {
    std::optional<vm::StepResult> result = vm::stepResult(debugger_, r.get<ThreadId>());
    WireWriter w;
    w.put(result.has_value());
    if (!result) return w.bytes();
    SlotPlace p;
    TypeId type = program_.module.fn(result->func).result;
    if (result->inMemory) {
        p.kind = SlotPlace::Kind::Memory;
        p.address = result->word;
    } else if (type != TypeId::Void && type != TypeId::NoReturn) {
        p.kind = SlotPlace::Kind::Register;
        Datum d = fromRegister(program_.types, type, result->word);
        p.bytes.assign(d.bytes.begin(), d.bytes.end());
    }
    w.put(result->func);
    putPlace(w, p);
    return w.bytes();
}

// ---- memory and code

std::string ProgramAgent::answerAboutCode(Command command, WireReader& r) {
    WireWriter w;
    switch (command) {
    case Command::ReadMemory: {
        auto address = r.get<uint64_t>();
        std::string bytes(std::min<uint64_t>(r.get<uint64_t>(), MostBytes), '\0');
        bytes.resize(own_.read(address, {reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()}));
        return bytes;
    }
    case Command::WriteMemory: {
        auto address = r.get<uint64_t>();
        std::vector<uint8_t> bytes = r.data();
        bool written = own_.write(address, bytes), isChange = written && kept_.noteWrite(address, bytes);
        if (isChange) time_.forget(ChangeOfValue);
        hasWritten_ |= isChange;
        return done(written ? Result<void>() : Failure{"this memory cannot be written"});
    }
    case Command::Allocate: return w.put(kept_.allocate(r.get<uint64_t>())).bytes();
    case Command::CodeAt: {
        auto address = r.get<uint64_t>();
        ir::FuncId func = own_.functionAt(address).value_or(ir::FuncId::None);
        return w.put(func).put(func == ir::FuncId::None ? own_.symbolAt(address) : std::string()).bytes();
    }
    case Command::TypeAt: return w.put(own_.typeAt(r.get<uint64_t>())).bytes();
    case Command::DescriptorOf: return w.put(own_.descriptorOf(r.get<TypeId>()).value_or(0)).bytes();
    case Command::GlobalAddress: return w.put(own_.addressOf(r.get<ir::GlobalId>()).value_or(0)).bytes();
    case Command::HeapTables: return w.put(reinterpret_cast<uint64_t>(sx_heap_tables())).bytes();
    case Command::FiberRecords: return w.put(reinterpret_cast<uint64_t>(sx_debug_fiber_records())).bytes();
    case Command::ThreadOfFiber: return w.put(vm::threadOfFiber(debugger_, r.get<uint32_t>())).bytes();
    case Command::FunctionAddress: return w.put(own_.addressOf(r.get<ir::FuncId>()).value_or(0)).bytes();
    case Command::RunExpression: return runExpression(r);
    case Command::LearnType: {
        std::unique_lock<std::recursive_mutex> lock;
        if (debugger_.program()) lock = std::unique_lock(debugger_.program()->lock);
        return done(types_.learn(r));
    }
    case Command::MachineStack:
    case Command::HeapBytes:
    case Command::Symbols: return machine_.answer(command, r);
    default: return done(Failure{"unknown command"});
    }
}

/// Whether the session has cancelled what it has asked for.
static bool takeCancel(int control) {
    char next[sizeof(uint64_t) + sizeof(Command)];
    if (recv(control, next, sizeof next, MSG_PEEK | MSG_DONTWAIT) != sizeof next) return false;
    auto command = static_cast<Command>(next[sizeof(uint64_t)]);
    return command == Command::CancelExpression && receiveMessage(control).has_value();
}

std::string ProgramAgent::runExpression(WireReader& r) {
    auto thread = r.get<ThreadId>();
    std::optional<vm::DebugFrame> f = frame(thread, r.get<uint32_t>());
    std::string text = r.text();
    std::vector<Engine::GivenPlace> given = types_.given(r);
    if (!f) return done(Failure{"there is no such frame"});
    if (!f->code) return done(Failure{"the thread is still inside a C function that an evaluation has called"});
    const ir::Function& fn = program_.module.fn(f->func);
    SourcePos at = f->atStatement ? fn.statements[f->statement].begin : f->span.begin;
    std::optional<PlacedExpression> expression;
    {
        std::unique_lock<std::recursive_mutex> lock;
        if (debugger_.program()) lock = std::unique_lock(debugger_.program()->lock);
        expression.emplace(compiler_, program_, text, sema::CodePlace{at, fn, scopeOf(*f)}, false, given);
    }
    Result<TypeId> type = TypeId::None;
    if (expression->type() != TypeId::None) type = types_.result(r, expression->type());
    if (!type) return done(type.failure());
    vm::CallLimits limits;
    limits.isCancelled = [this, isCancelled = false]() mutable { return isCancelled |= takeCancel(control_); };
    auto call = [&](ir::FuncId function, llvm::ArrayRef<uint64_t> args) {
        return debugger_.callFunction(thread, function, args, limits);
    };
    results_.emplace_back();
    kept_.share();
    Result<Datum> value = expression->run(call, *f, results_.back());
    settleRegistersOf(program_, debugger_, thread);
    time_.forget("an expression that the debugger had the program run");
    if (!value) return done(value.failure());
    if (value->place == Datum::Place::Hand) { // an error, or nothing
        auto& room = results_.emplace_back(1 + value->bytes.size() / sizeof(uint64_t));
        std::memcpy(room.data(), value->bytes.data(), value->bytes.size());
        value->address = reinterpret_cast<uint64_t>(room.data());
    }
    const bool isError = value->type != expression->type();
    return WireWriter().put(true).put(isError ? value->type : *type).put(value->address).put(value->isResult).bytes();
}

} // namespace sx::debugger
