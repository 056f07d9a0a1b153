// A checked program as if it were loaded, for tests that evaluate expressions in it.
#pragma once

#include "../CheckedProgram.h"
#include "Program.h"

namespace sx::test {

/// The globals, descriptors and functions of a program, as if it were loaded.
struct Image : debugger::Addresses {
    static constexpr uint64_t Code = 0x700000;
    const ir::Module& module;
    BlockMemory& memory;
    std::vector<uint64_t> globals;
    size_t functions;

    Image(const ir::Module& module, BlockMemory& memory)
        : module(module), memory(memory), functions(module.functions.size()) {
        for (const ir::Global& g : module.globals) globals.push_back(room(std::max<uint64_t>(g.size, 8)));
        for (size_t k = 0; k < globals.size(); ++k) {
            const ir::Global& g = module.globals[k];
            memory.write(globals[k], g.init.bytes);
            for (const ir::Reloc& r : g.init.relocs)
                putWord(globals[k] + r.offset, target(r) + static_cast<uint64_t>(r.addend));
        }
    }
    uint64_t target(const ir::Reloc& r) {
        switch (r.kind) {
        case ir::Reloc::Kind::Function: return Code + r.id * 16;
        case ir::Reloc::Kind::Global: return globals[r.id];
        case ir::Reloc::Kind::TypeHandle: return *descriptorOf(TypeId{r.id});
        }
        return 0;
    }
    uint64_t room(uint64_t size) {
        memory.bytes.resize((memory.bytes.size() + 15) / 16 * 16);
        uint64_t at = BlockMemory::Base + memory.bytes.size();
        memory.bytes.resize(memory.bytes.size() + size);
        return at;
    }
    void putWord(uint64_t at, uint64_t word) { memory.write(at, {reinterpret_cast<uint8_t*>(&word), sizeof word}); }

    std::optional<ir::FuncId> functionAt(uint64_t address) override {
        uint64_t id = (address - Code) / 16;
        return id < functions ? std::optional(static_cast<ir::FuncId>(id)) : std::nullopt;
    }
    std::optional<debugger::CodeName> codeAt(uint64_t address) override {
        std::optional<ir::FuncId> id = functionAt(address);
        return id ? std::optional(debugger::CodeName{module.fn(*id).name, module.fn(*id).captures}) : std::nullopt;
    }
    TypeId typeAt(uint64_t descriptor) override {
        for (auto [type, global] : module.typeDescriptors)
            if (addressOf(global) == descriptor) return type;
        return TypeId::None;
    }
    std::optional<uint64_t> descriptorOf(TypeId type) override {
        auto it = module.typeDescriptors.find(type);
        return it == module.typeDescriptors.end() ? std::nullopt : addressOf(it->second);
    }
    std::optional<uint64_t> addressOf(ir::GlobalId g) override {
        auto k = static_cast<size_t>(g);
        return k < globals.size() ? std::optional(globals[k]) : std::nullopt;
    }
    std::optional<uint64_t> addressOf(ir::FuncId f) override {
        auto k = static_cast<size_t>(f);
        return k < functions ? std::optional(Code + k * 16) : std::nullopt;
    }
};

} // namespace sx::test
