#include "vm/Globals.h"

#include "vm/Program.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>

namespace sx::vm {

using ir::GlobalId;

namespace {
constexpr uint32_t RoomForNewNames = 1 << 16; ///< of text that the program makes while it compiles
constexpr uint64_t StringBytes = 16;
} // namespace

uint64_t Globals::address(GlobalId g) {
    uint32_t index = static_cast<uint32_t>(g);
    if (index >= addresses_.size()) addresses_.resize(program_.module.globals.size());
    if (addresses_[index] != 0) return addresses_[index];

    const ir::Global& global = program_.module.global(g);
    uint64_t at;
    if (global.isExtern) {
        at = externAddress(global);
    } else if (g == program_.module.errorNames) {
        at = makeErrorNames(g);
    } else {
        // In the map before its data is written: relocations may lead back here.
        at = reinterpret_cast<uint64_t>(allocate(global));
        place(g, at);
        ir::ConstData init = global.init; // filling may add globals to the module
        fill(reinterpret_cast<std::byte*>(at), init);
    }
    place(g, at);
    return at;
}

void* Globals::allocate(const ir::Global& global) {
    if (global.isConst && !program_.options.comptime)
        if (void* memory = constants_.allocate(global.size, global.align)) return memory;
    return program_.arena.allocateStatic(global.size, global.align, !global.isConst);
}

void Globals::place(GlobalId g, uint64_t address) {
    uint32_t index = static_cast<uint32_t>(g);
    if (index >= addresses_.size()) addresses_.resize(program_.module.globals.size());
    addresses_[index] = address;
    byAddress_[address] = g;
}

void Globals::fill(std::byte* memory, const ir::ConstData& data) {
    if (!data.bytes.empty()) std::memcpy(memory, data.bytes.data(), data.bytes.size());
    for (const ir::Reloc& r : data.relocs) {
        uint64_t value = resolve(r) + static_cast<uint64_t>(r.addend);
        std::memcpy(memory + r.offset, &value, sizeof value);
    }
}

uint64_t Globals::resolve(const ir::Reloc& r) {
    switch (r.kind) {
    case ir::Reloc::Kind::Function: return program_.functionAddress(static_cast<ir::FuncId>(r.id));
    case ir::Reloc::Kind::Global: return address(static_cast<GlobalId>(r.id));
    case ir::Reloc::Kind::TypeHandle: return program_.descriptors.handle(static_cast<TypeId>(r.id));
    }
    return 0;
}

/// A missing symbol is zeroed memory of the right size: reading it cannot fail, and calls report theirs.
uint64_t Globals::externAddress(const ir::Global& global) {
    if (void* p = program_.foreign.symbol(global.symbol)) return reinterpret_cast<uint64_t>(p);
    return reinterpret_cast<uint64_t>(
        program_.arena.allocateStatic(std::max<uint64_t>(global.size, 16), global.align, true));
}

Globals::Found Globals::find(uint64_t address) const {
    auto it = byAddress_.upper_bound(address);
    if (it == byAddress_.begin()) return {};
    --it;
    uint64_t offset = address - it->first;
    if (offset > program_.module.global(it->second).size) return {};
    return {it->second, offset};
}

void Globals::reset() {
    for (uint32_t i = 0; i < addresses_.size(); ++i) {
        const ir::Global& g = program_.module.globals[i];
        if (addresses_[i] == 0 || g.isConst || g.isExtern || g.size == 0 || GlobalId{i} == program_.module.errorNames)
            continue;
        auto* memory = reinterpret_cast<std::byte*>(addresses_[i]);
        std::memset(memory, 0, g.size);
        ir::ConstData init = g.init;
        fill(memory, init);
    }
    updateErrorNames();
}

// ---- error names

/// ir::finish has not filled the table yet while code is still being added. Translated code holds its address, so that
/// it cannot grow: there is room for every name that the sources have, of which tags are some.
uint64_t Globals::makeErrorNames(GlobalId) {
    errorNameRoom_ = static_cast<uint32_t>(program_.module.types.names().size()) + RoomForNewNames;
    uint64_t bytes = ir::Module::ErrorNamesHeader + (errorNameRoom_ + uint64_t{1}) * StringBytes;
    errorNames_ = reinterpret_cast<uint64_t>(program_.arena.allocateStatic(bytes, 8, false));
    updateErrorNames();
    return errorNames_;
}

void Globals::updateErrorNames() {
    if (errorNames_ == 0) return;
    llvm::ArrayRef<Name> tags = program_.module.types.tags();
    for (; errorNameCount_ < std::min<size_t>(tags.size(), errorNameRoom_); ++errorNameCount_) {
        std::string_view text = program_.module.types.names().text(tags[errorNameCount_]);
        // A copy in the arena, so that a result may refer to it.
        void* copy = program_.arena.allocateStatic(text.size() + 1, 1, false);
        std::memcpy(copy, text.data(), text.size());
        uint64_t entry[2] = {reinterpret_cast<uint64_t>(copy), text.size()};
        uint64_t known = errorNameCount_ + 2; // with tag 0
        std::memcpy(reinterpret_cast<void*>(errorNames_), &known, sizeof known);
        std::memcpy(
            reinterpret_cast<void*>(errorNames_ + ir::Module::ErrorNamesHeader + (errorNameCount_ + 1) * StringBytes),
            entry, sizeof entry);
    }
}

} // namespace sx::vm
