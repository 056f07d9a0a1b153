// A slow interpreter of IR, to compare the real one with: it walks the instructions and keeps every value in a table.
#pragma once

#include "ir/Folding.h"
#include "ir/Ir.h"
#include "ir/Ops.h"
#include "types/Layout.h"

#include <cstring>
#include <vector>

class Reference {
public:
    explicit Reference(const sx::ir::Module& m) : module_(m) {}

    /// Values are the bits of their width, zero-extended; addresses are host addresses.
    uint64_t call(sx::ir::FuncId, const std::vector<uint64_t>& args);

private:
    struct Frame;
    uint64_t compute(Frame&, const sx::ir::Instr&);
    void access(Frame&, const sx::ir::Instr&);
    sx::ir::BlockId leave(Frame&, const sx::ir::Instr&);
    unsigned bits(sx::TypeId t) const { return sx::ir::valueBits(module_.types, t); }
    unsigned bytes(sx::TypeId t) const { return static_cast<unsigned>(sizeOf(module_.types, t)); }

    const sx::ir::Module& module_;
};
