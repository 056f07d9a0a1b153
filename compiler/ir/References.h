// The functions and the data that code and data name.
#pragma once

#include "ir/Ir.h"

namespace sx::ir {

/// `function(id)` and `global(id)` are called each time that one is named; of a type handle, for the data behind it.
template <class OnFunction, class OnGlobal> class References {
public:
    References(const Module& module, OnFunction function, OnGlobal global)
        : module_(module), function_(function), global_(global) {}

    void of(const Function& fn) {
        for (const Block& block : fn.blocks)
            for (ValueId v : block.instrs) {
                const Instr& instr = fn.instr(v);
                if (instr.op == Op::Call || instr.op == Op::FuncAddr) function_(static_cast<uint32_t>(instr.imm));
                else if (instr.op == Op::GlobalAddr) global_(static_cast<uint32_t>(instr.imm));
                else if (instr.op == Op::TypeHandle) type(static_cast<TypeId>(instr.imm));
            }
    }
    void of(const ConstData& data) {
        for (const Reloc& reloc : data.relocs) switch (reloc.kind) {
            case Reloc::Kind::Function: function_(reloc.id); break;
            case Reloc::Kind::Global: global_(reloc.id); break;
            case Reloc::Kind::TypeHandle: type(static_cast<TypeId>(reloc.id)); break;
            }
    }

private:
    void type(TypeId type) {
        auto it = module_.typeDescriptors.find(type);
        if (it != module_.typeDescriptors.end()) global_(static_cast<uint32_t>(it->second));
    }

    const Module& module_;
    OnFunction function_;
    OnGlobal global_;
};

} // namespace sx::ir
