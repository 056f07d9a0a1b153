#include "debugger/vm/VmMachine.h"

#include <algorithm>

namespace sx::debugger {

/// Conditions add functions in the program's process that the session does not have.
std::string VmMachine::nameOf(ir::FuncId f) const {
    return static_cast<size_t>(f) < program_.module.functions.size() ? program_.module.fn(f).name : "";
}

MachineStack VmMachine::stack(uint32_t thread, uint32_t most) {
    std::string reply = agent_.ask(AgentConnection::message(Command::MachineStack).put(thread).put(most));
    WireReader r(reply);
    MachineStack out;
    out.damage = r.text();
    for (auto n = r.get<uint32_t>(); n > 0; --n) {
        MachineFrame f;
        f.pc = r.get<uint64_t>();
        f.sp = r.get<uint64_t>();
        f.fp = r.get<uint64_t>();
        auto func = r.get<ir::FuncId>();
        std::string foreign = r.text();
        f.symbol = func == ir::FuncId::None ? (foreign.empty() ? "(C code)" : foreign) : nameOf(func);
        f.at.raw = r.get<uint32_t>();
        out.frames.push_back(std::move(f));
    }
    return out;
}

std::vector<ProgramSymbol> VmMachine::symbols() {
    std::string reply = agent_.ask(AgentConnection::message(Command::Symbols));
    WireReader r(reply);
    auto functions = r.get<uint32_t>(), globals = r.get<uint32_t>();
    std::vector<ProgramSymbol> out;
    for (uint32_t i = 0; i < functions + globals; ++i) {
        auto id = r.get<uint32_t>();
        ProgramSymbol s;
        s.address = r.get<uint64_t>();
        s.size = r.get<uint64_t>();
        s.isFunction = i < functions;
        if (id >= (s.isFunction ? program_.module.functions.size() : program_.module.globals.size())) continue;
        s.name = s.isFunction ? program_.module.functions[id]->name : program_.module.globals[id].name;
        s.declared = (s.isFunction ? program_.module.functions[id]->span : program_.module.globals[id].span).begin;
        out.push_back(std::move(s));
    }
    std::stable_sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.address < b.address; });
    return out;
}

void VmMachine::tracePlaces(const std::vector<TracedPlace>& places) {
    WireWriter w = AgentConnection::message(Command::TracePlaces);
    w.put(static_cast<uint32_t>(places.size()));
    for (const TracedPlace& p : places)
        w.put(p.id).put(p.address).put(llvm::ArrayRef<uint8_t>(p.bytes)).put(p.thread).put(p.frame);
    agent_.ask(w);
}

std::optional<uint64_t> VmMachine::heapBytes() {
    std::string reply = agent_.ask(AgentConnection::message(Command::HeapBytes));
    return WireReader(reply).get<uint64_t>();
}

TracedInstructions VmMachine::recorded(uint64_t seen) {
    std::string reply = agent_.ask(AgentConnection::message(Command::Recorded).put(seen));
    WireReader r(reply);
    TracedInstructions out;
    out.total = r.get<uint64_t>();
    for (auto n = r.get<uint32_t>(); n > 0; --n) {
        TracedInstruction i;
        i.pc = r.get<uint64_t>();
        i.opcode = r.get<uint32_t>();
        i.mnemonic = r.text();
        i.symbol = nameOf(r.get<ir::FuncId>());
        i.at.raw = r.get<uint32_t>();
        for (auto changed = r.get<uint32_t>(); changed > 0; --changed) {
            auto reg = r.get<uint32_t>();
            i.changed.push_back({reg, r.get<uint64_t>()});
        }
        for (auto writes = r.get<uint32_t>(); writes > 0; --writes) {
            auto id = r.get<uint32_t>();
            i.written.push_back({id, r.data()});
        }
        out.last.push_back(std::move(i));
    }
    return out;
}

std::vector<Instruction> VmMachine::disassemble(uint64_t address, int32_t offset, uint32_t count) {
    std::string reply = agent_.ask(AgentConnection::message(Command::Disassemble).put(address).put(offset).put(count));
    WireReader r(reply);
    std::vector<Instruction> all;
    for (auto n = r.get<uint32_t>(); n > 0; --n) {
        Instruction i;
        i.address = r.get<uint64_t>();
        i.bytes = r.data();
        i.mnemonic = r.text();
        i.operands = r.text();
        i.symbol = r.text();
        i.func = r.get<ir::FuncId>();
        i.at.raw = r.get<uint32_t>();
        all.push_back(std::move(i));
    }
    return all;
}

} // namespace sx::debugger
