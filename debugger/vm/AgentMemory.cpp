#include "debugger/vm/AgentMemory.h"

#include "debugger/engine/ProcessMemory.h"

#include <algorithm>
#include <cstring>

namespace sx::debugger {

void AgentMemory::begin(int child) {
    child_ = child;
    types_ = program_.types.size();
    globals_ = program_.module.globals.size();
    functions_ = program_.module.functions.size();
}

size_t AgentMemory::read(uint64_t address, llvm::MutableArrayRef<uint8_t> into) {
    std::string bytes =
        agent_.ask(AgentConnection::message(Command::ReadMemory).put(address).put(static_cast<uint64_t>(into.size())));
    size_t n = std::min(bytes.size(), into.size());
    std::memcpy(into.data(), bytes.data(), n);
    return n;
}

size_t AgentMemory::readData(uint64_t address, llvm::MutableArrayRef<uint8_t> into) {
    size_t n = readProcessMemory(child_, address, into.data(), into.size());
    return n == into.size() ? n : read(address, into);
}

bool AgentMemory::write(uint64_t address, llvm::ArrayRef<uint8_t> bytes) {
    return static_cast<bool>(agent_.askResult(AgentConnection::message(Command::WriteMemory).put(address).put(bytes)));
}

AgentMemory::Code AgentMemory::codeOf(uint64_t address) {
    auto known = codeAt_.find(address);
    if (known != codeAt_.end()) return known->second;
    std::string reply = agent_.ask(AgentConnection::message(Command::CodeAt).put(address));
    if (reply.empty()) return {};
    WireReader r(reply);
    Code code;
    code.func = r.get<ir::FuncId>();
    code.symbol = r.text();
    if (code.func != ir::FuncId::None || !code.symbol.empty()) codeAt_[address] = code;
    return code;
}

std::optional<ir::FuncId> AgentMemory::functionAt(uint64_t address) {
    ir::FuncId func = codeOf(address).func;
    return func == ir::FuncId::None ? std::nullopt : std::optional(func);
}

std::optional<CodeName> AgentMemory::codeAt(uint64_t address) {
    Code code = codeOf(address);
    if (code.func == ir::FuncId::None && code.symbol.empty()) return std::nullopt;
    if (code.func == ir::FuncId::None) return CodeName{std::move(code.symbol), {}};
    const ir::Function& fn = program_.module.fn(code.func);
    return CodeName{fn.name, fn.captures};
}

TypeId AgentMemory::typeAt(uint64_t descriptor) {
    std::string reply = agent_.ask(AgentConnection::message(Command::TypeAt).put(descriptor));
    return WireReader(reply).get<TypeId>();
}

// What was made since the process began, for expressions, is here alone.
std::optional<uint64_t> AgentMemory::descriptorOf(TypeId t) {
    if (!knows(t)) return std::nullopt;
    return agent_.askAddress(AgentConnection::message(Command::DescriptorOf).put(t));
}
std::optional<uint64_t> AgentMemory::addressOf(ir::GlobalId g) {
    if (static_cast<size_t>(g) >= globals_) return std::nullopt;
    return agent_.askAddress(AgentConnection::message(Command::GlobalAddress).put(g));
}
std::optional<uint64_t> AgentMemory::addressOf(ir::FuncId f) {
    if (static_cast<size_t>(f) >= functions_) return std::nullopt;
    return agent_.askAddress(AgentConnection::message(Command::FunctionAddress).put(f));
}
uint64_t AgentMemory::fiberRecords() {
    return agent_.askAddress(AgentConnection::message(Command::FiberRecords)).value_or(0);
}

uint32_t AgentMemory::threadOfFiber(uint32_t number) {
    auto known = threadsOfFibers_.find(number);
    if (known != threadsOfFibers_.end()) return known->second;
    std::string reply = agent_.ask(AgentConnection::message(Command::ThreadOfFiber).put(number));
    auto thread = reply.empty() ? 0 : WireReader(reply).get<uint32_t>();
    if (thread != 0) threadsOfFibers_[number] = thread;
    return thread;
}

uint64_t AgentMemory::heapTables() {
    return agent_.askAddress(AgentConnection::message(Command::HeapTables)).value_or(0);
}

} // namespace sx::debugger
