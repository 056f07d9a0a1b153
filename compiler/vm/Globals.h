// Module globals in host memory, made when code that names them is translated, with their relocations.
#pragma once

#include "ir/Ir.h"
#include "vm/memory/ConstantMemory.h"

#include <map>

namespace sx::vm {

class Program;

class Globals {
public:
    /// Constants lie at the address `constants`, if that is not 0.
    explicit Globals(Program& program, uint64_t constants = 0) : program_(program), constants_(constants) {}

    uint64_t address(ir::GlobalId);

    struct Found {
        ir::GlobalId global = ir::GlobalId::None;
        uint64_t offset = 0;
    };
    /// The global that contains the address (or ends there); None if there is none.
    Found find(uint64_t address) const;

    /// A global has its data at an address given.
    void place(ir::GlobalId, uint64_t address);

    /// Before an evaluation: variables get their initial values back (C code, or writes through pointers, may have
    /// changed them), and the table of error names is brought up to date.
    void reset();
    /// Adds the names of error tags that appeared since. The table keeps its address.
    void updateErrorNames();

    /// Makes constants read-only that were made since; outside of compile time, where accesses are not checked.
    void sealConstants() { constants_.seal(); }

    /// Writes constant data to memory, addresses included.
    void fill(std::byte* memory, const ir::ConstData&);

private:
    void* allocate(const ir::Global&);
    uint64_t externAddress(const ir::Global&);
    uint64_t makeErrorNames(ir::GlobalId);
    uint64_t resolve(const ir::Reloc&);

    Program& program_;
    ConstantMemory constants_;
    std::vector<uint64_t> addresses_; ///< indexed by GlobalId; 0: not made yet
    std::map<uint64_t, ir::GlobalId> byAddress_;
    uint64_t errorNames_ = 0;                         ///< table of strings indexed by tag id
    uint32_t errorNameCount_ = 0, errorNameRoom_ = 0; ///< without tag 0
};

} // namespace sx::vm
