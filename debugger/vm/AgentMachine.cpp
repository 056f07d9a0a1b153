#include "debugger/vm/AgentMachine.h"

#include "vm/History.h"
#include "vm/Program.h"
#include "vm/code/Disassemble.h"

#include "debug_fiber.h"

#include <algorithm>
#include <malloc.h>

namespace sx::debugger {

/// In all of the process.
static uint64_t allocatedBytes() {
    struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

AgentMachine::AgentMachine(Program& program, vm::Debugger& debugger)
    : program_(program), debugger_(debugger), bytesBefore_(allocatedBytes()) {}

std::string AgentMachine::answer(Command command, WireReader& r) {
    switch (command) {
    case Command::Record: record(r.get<bool>()); return WireWriter().put(true).bytes();
    case Command::Recorded: {
        WireWriter w;
        trace_.put(w, r.get<uint64_t>());
        return w.bytes();
    }
    case Command::TracePlaces: trace_.watch(r); return WireWriter().put(true).bytes();
    case Command::LogFibers: sx_debug_fiber_log(r.get<bool>()); return WireWriter().put(true).bytes();
    case Command::MachineStack: return stack(r);
    case Command::Symbols: return symbols();
    case Command::HeapBytes: return WireWriter().put(heapBytes()).bytes();
    case Command::Disassemble: return disassembly(r);
    default: return "";
    }
}

void AgentMachine::record(bool on) {
    std::vector<vm::DebugFrame> innermost;
    for (const vm::Debugger::ThreadInfo& t : debugger_.threads())
        for (const vm::DebugFrame& f : debugger_.frames(t.id, 0, 1)) innermost.push_back(f);
    if (on) trace_.begin(innermost);
    vm::traceInstructions(debugger_, on);
}

std::string AgentMachine::stack(WireReader& r) const {
    auto thread = r.get<uint32_t>();
    auto most = r.get<uint32_t>();
    std::string damage;
    std::vector<vm::DebugFrame> frames = debugger_.frames(thread, 0, size_t{most} + 1, &damage);
    auto isStart = [&](const vm::DebugFrame& f) { return f.code && f.func == program_.module.entry; };
    while (!frames.empty() && isStart(frames.back())) frames.pop_back();
    if (frames.size() > most) frames.resize(most), damage.clear();
    WireWriter w;
    w.put(damage).put(static_cast<uint32_t>(frames.size()));
    for (const vm::DebugFrame& f : frames) {
        auto fp = reinterpret_cast<uint64_t>(f.regs);
        w.put(f.code ? reinterpret_cast<uint64_t>(f.code->words.data() + f.index) : uint64_t{0});
        w.put(f.code ? fp + f.code->frameWords * sizeof(uint64_t) : uint64_t{0}).put(fp);
        w.put(f.func).put(f.foreignName).put(f.span.begin.raw);
    }
    return w.bytes();
}

/// Functions get their code here if they have none yet: nobody would find them before they are called.
std::string AgentMachine::symbols() {
    vm::Program* running = debugger_.program();
    WireWriter functions, globals;
    uint32_t functionCount = 0, globalCount = 0;
    for (uint32_t i = 0; running && i < program_.module.functions.size(); ++i) {
        const ir::Function& fn = *program_.module.functions[i];
        if (fn.isExtern || fn.dead || fn.compilerMade || fn.blocks.empty()) continue;
        if (!running->prepare(running->callees.at(ir::FuncId{i}))) continue;
        const vm::FunctionCode* code = running->codeOf(ir::FuncId{i});
        functions.put(i).put(reinterpret_cast<uint64_t>(code->words.data()));
        functions.put(uint64_t{code->words.size() * sizeof(vm::Insn)});
        ++functionCount;
    }
    for (uint32_t i = 0; running && i < program_.module.globals.size(); ++i) {
        const ir::Global& g = program_.module.globals[i];
        if (g.isExtern || g.type == TypeId::None || !g.span.isValid()) continue;
        std::lock_guard lock(running->lock);
        globals.put(i).put(running->globals.address(ir::GlobalId{i})).put(g.size);
        ++globalCount;
    }
    WireWriter w;
    w.put(functionCount).put(globalCount);
    return w.bytes() + functions.bytes() + globals.bytes();
}

/// The interpreter's own needs since the program began, which are small, are in it.
uint64_t AgentMachine::heapBytes() const {
    vm::Program* running = debugger_.program();
    if (running && running->options.recording) return running->options.recording->heap.extent();
    return std::max(allocatedBytes(), bytesBefore_) - bytesBefore_;
}

/// While the program runs, too: code that is made meanwhile waits.
std::string AgentMachine::disassembly(WireReader& r) const {
    auto address = r.get<uint64_t>();
    auto offset = r.get<int32_t>();
    auto count = r.get<uint32_t>();
    vm::Program* running = debugger_.program();
    std::unique_lock<std::recursive_mutex> lock;
    if (running) lock = std::unique_lock(running->lock);
    const vm::FunctionCode* code = running ? running->codeAt(reinterpret_cast<const vm::Insn*>(address)) : nullptr;
    std::vector<uint32_t> starts; // of instructions: some have two words
    int64_t here = 0;
    if (code) {
        uint32_t at = code->indexOf(reinterpret_cast<const vm::Insn*>(address));
        for (uint32_t i = 0; i < code->instructionCount; i += vm::instructionText(*code, i).words) {
            if (i <= at) here = static_cast<int64_t>(starts.size());
            starts.push_back(i);
        }
    }
    WireWriter w;
    w.put(count);
    for (uint32_t n = 0; n < count; ++n) {
        int64_t row = here + offset + n;
        bool there = code && row >= 0 && row < static_cast<int64_t>(starts.size());
        if (!there) {
            w.put(address + static_cast<uint64_t>((int64_t{offset} + n) * 8)).put("").put("").put("").put("");
            w.put(ir::FuncId::None).put(uint32_t{0});
            continue;
        }
        uint32_t i = starts[static_cast<size_t>(row)];
        vm::InstructionText text = vm::instructionText(*code, i);
        auto* bytes = reinterpret_cast<const uint8_t*>(code->words.data() + i);
        w.put(reinterpret_cast<uint64_t>(bytes)).put(llvm::ArrayRef<uint8_t>(bytes, text.words * sizeof(vm::Insn)));
        w.put(text.name).put(text.operands).put(program_.module.fn(code->func).name).put(code->func);
        w.put(code->spans[i].begin.raw);
    }
    return w.bytes();
}

} // namespace sx::debugger
