#include "debugger/vm/OwnProcess.h"

#include "debugger/engine/ProcessMemory.h"
#include "debugger/vm/Registers.h"
#include "vm/Program.h"

#include "debug_fiber.h"

#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>

namespace sx::debugger {

/// Asks the system, so that memory which is not there does no harm.
size_t OwnProcess::read(uint64_t address, llvm::MutableArrayRef<uint8_t> into) {
    return readProcessMemory(getpid(), address, into.data(), into.size());
}

bool OwnProcess::write(uint64_t address, llvm::ArrayRef<uint8_t> bytes) {
    std::vector<uint8_t> before(bytes.size());
    if (read(address, before) != bytes.size()) return false;
    auto put = [&](const uint8_t* what, size_t size) {
        iovec from{const_cast<uint8_t*>(what), size}, to{reinterpret_cast<void*>(address), size};
        ssize_t n = process_vm_writev(getpid(), &from, 1, &to, 1, 0);
        return n < 0 ? size_t{0} : static_cast<size_t>(n);
    };
    size_t n = put(bytes.data(), bytes.size());
    if (n == bytes.size()) settleRegistersAt(program_, debugger_, address, bytes.size());
    if (n == bytes.size()) return true;
    put(before.data(), n); // it stops where a page cannot be written
    return false;
}

std::optional<ir::FuncId> OwnProcess::functionAt(uint64_t address) {
    vm::Program* running = debugger_.program();
    ir::FuncId f = running ? running->functionAt(address) : ir::FuncId::None;
    return f == ir::FuncId::None ? std::nullopt : std::optional(f);
}

std::optional<CodeName> OwnProcess::codeAt(uint64_t address) {
    if (std::optional<ir::FuncId> f = functionAt(address)) {
        const ir::Function& fn = program_.module.fn(*f);
        return CodeName{fn.name, fn.captures};
    }
    std::string name = symbolAt(address);
    return name.empty() ? std::nullopt : std::optional(CodeName{std::move(name), {}});
}

std::string OwnProcess::symbolAt(uint64_t address) {
    vm::Program* running = debugger_.program();
    if (!running || address == 0) return "";
    std::lock_guard lock(running->lock);
    // Of several names for one function that which the program has.
    for (const auto& fn : program_.module.functions)
        if (fn && fn->isExtern && !fn->dead &&
            reinterpret_cast<uint64_t>(running->foreign.symbol(fn->symbol)) == address)
            return fn->symbol;
    Dl_info found{};
    if (dladdr(reinterpret_cast<void*>(address), &found) == 0 || !found.dli_sname) return "";
    return reinterpret_cast<uint64_t>(found.dli_saddr) == address ? found.dli_sname : "";
}

TypeId OwnProcess::typeAt(uint64_t descriptor) {
    vm::Program* running = debugger_.program();
    if (!running) return TypeId::None;
    std::lock_guard lock(running->lock);
    return running->descriptors.typeOf(descriptor);
}

std::optional<uint64_t> OwnProcess::descriptorOf(TypeId type) {
    vm::Program* running = debugger_.program();
    if (!running) return std::nullopt;
    std::lock_guard lock(running->lock);
    return running->descriptors.handle(type);
}

std::optional<uint64_t> OwnProcess::addressOf(ir::GlobalId global) {
    vm::Program* running = debugger_.program();
    if (!running) return std::nullopt;
    std::lock_guard lock(running->lock);
    return running->globals.address(global);
}

std::optional<uint64_t> OwnProcess::addressOf(ir::FuncId function) {
    vm::Program* running = debugger_.program();
    if (!running) return std::nullopt;
    std::lock_guard lock(running->lock);
    return running->functionAddress(function);
}

uint64_t OwnProcess::fiberRecords() { return reinterpret_cast<uint64_t>(sx_debug_fiber_records()); }

} // namespace sx::debugger
