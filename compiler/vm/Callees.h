// The run-time identity of functions: one record each, in a reserved array indexed by FuncId, so that the address of a
// record, which is the value of a function pointer, says which function it is.
#pragma once

#include "vm/code/Bytecode.h"

#include <memory>

namespace sx::vm {

struct alignas(64) Callee {
    const Insn* entry = nullptr; ///< first instruction; the Translate stub until the first call; null: no record yet
    const FunctionCode* code = nullptr;
    ir::FuncId func{};
    uint32_t signature = 0; ///< see Signatures
    void* native = nullptr; ///< code that C may call, made on demand
};

class Signatures;

class Callees {
public:
    /// The records lie at the address `wanted`, if that is not 0 and nothing is there.
    Callees(ir::Module&, Signatures&, uint64_t wanted = 0);
    ~Callees();
    Callees(const Callees&) = delete;

    /// The record of a function, made on first use.
    Callee& at(ir::FuncId);
    Callee* base() const { return records_; }
    /// The record that an address is, or null.
    Callee* find(uint64_t address) const {
        uint64_t offset = address - reinterpret_cast<uint64_t>(records_);
        if (offset >= bytes_ || offset % sizeof(Callee) != 0) return nullptr;
        Callee* c = records_ + offset / sizeof(Callee);
        return c->entry ? c : nullptr;
    }

private:
    static constexpr uint64_t Most = uint64_t{1} << 22;
    ir::Module& module_;
    Signatures& signatures_;
    Callee* records_ = nullptr;
    uint64_t bytes_ = 0;
};

} // namespace sx::vm
