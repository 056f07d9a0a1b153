#include "debugger/evaluate/LocalAddresses.h"

#include <cstring>

namespace sx::debugger {

std::optional<ir::FuncId> LocalAddresses::functionAt(uint64_t address) {
    uint64_t offset = address - EvaluationMemory::CodeBase;
    if (offset / CodeSize < module_.functions.size() && offset % CodeSize == 0)
        return static_cast<ir::FuncId>(offset / CodeSize);
    return program_.functionAt(address);
}

std::optional<CodeName> LocalAddresses::codeAt(uint64_t address) {
    if (address < EvaluationMemory::CodeBase) return program_.codeAt(address);
    std::optional<ir::FuncId> function = functionAt(address);
    if (!function) return std::nullopt;
    return CodeName{module_.fn(*function).name, module_.fn(*function).captures};
}

TypeId LocalAddresses::typeAt(uint64_t descriptor) {
    auto own = types_.find(descriptor);
    if (own != types_.end()) return own->second;
    auto copy = copies_.find(descriptor);
    return copy != copies_.end() ? copy->second : program_.typeAt(descriptor);
}

/// The program may have made it just now, in memory that has been read before.
std::optional<uint64_t> LocalAddresses::ofProgram(std::optional<uint64_t> address) {
    if (address && asked_.insert(*address).second) memory_.program.readAgain();
    return address;
}

std::optional<uint64_t> LocalAddresses::descriptorOf(TypeId type) {
    if (std::optional<uint64_t> known = ofProgram(program_.descriptorOf(type))) return known;
    auto global = module_.typeDescriptors.find(type);
    if (global == module_.typeDescriptors.end()) return std::nullopt;
    std::optional<uint64_t> made = make(global->second);
    if (made) types_[*made] = type;
    return made;
}

std::optional<uint64_t> LocalAddresses::addressOf(ir::GlobalId global) {
    if (std::optional<uint64_t> known = ofProgram(program_.addressOf(global))) return known;
    const ir::Global& g = module_.global(global);
    bool isKnown = g.isConst || g.dead || g.size == 0 || global == context_; // what it holds, without the program
    return isKnown && !g.isExtern ? make(global) : std::nullopt;
}

const ir::Global* LocalAddresses::madeVariableAt(uint64_t address) const {
    for (ir::GlobalId id : variables_) {
        const ir::Global& g = module_.global(id);
        if (address - globals_.lookup(static_cast<uint32_t>(id)) < std::max<uint64_t>(g.size, 1)) return &g;
    }
    return nullptr;
}

const ir::Global* LocalAddresses::unusedVariableAt(uint64_t address) const {
    const ir::Global* made = EvaluationMemory::isOwn(address) ? madeVariableAt(address) : nullptr;
    return made && made->dead ? made : nullptr;
}

const ir::Function* LocalAddresses::unusedFunctionAt(uint64_t address) {
    std::optional<ir::FuncId> function = EvaluationMemory::isOwnCode(address) ? functionAt(address) : std::nullopt;
    if (!function) return nullptr;
    const ir::Function& fn = module_.fn(*function);
    if (!fn.span.isValid() || fn.compilerMade) return nullptr;
    const SourceManager& sources = module_.sources;
    return sources.path(sources.fileOf(fn.span.begin)) == "(expression)" ? nullptr : &fn;
}

void LocalAddresses::noteCopy(uint64_t from, uint64_t size, uint64_t to) {
    for (const auto& [descriptor, type] : types_)
        if (descriptor - from < size) copies_[to + (descriptor - from)] = type;
}

std::optional<uint64_t> LocalAddresses::addressOf(ir::FuncId function) {
    if (std::optional<uint64_t> known = program_.addressOf(function)) return known;
    return EvaluationMemory::CodeBase + static_cast<uint64_t>(function) * CodeSize;
}

std::optional<uint64_t> LocalAddresses::make(ir::GlobalId id) {
    auto known = globals_.find(static_cast<uint32_t>(id));
    if (known != globals_.end()) return known->second;
    const ir::Global& g = module_.global(id);
    uint64_t size = std::max<uint64_t>(g.size, g.init.bytes.size()), at = memory_.allocate(size);
    if (at == 0) return std::nullopt;
    globals_[static_cast<uint32_t>(id)] = at; // data may refer to itself
    if (!g.isConst) variables_.push_back(id);
    memory_.write(at, g.init.bytes);
    for (const ir::Reloc& reloc : g.init.relocs) {
        uint64_t word = target(reloc).value_or(0);
        if (uint8_t* to = memory_.own(at + reloc.offset, sizeof word)) std::memcpy(to, &word, sizeof word);
    }
    return at;
}

std::optional<uint64_t> LocalAddresses::target(const ir::Reloc& reloc) {
    std::optional<uint64_t> base;
    switch (reloc.kind) {
    case ir::Reloc::Kind::Function: base = addressOf(static_cast<ir::FuncId>(reloc.id)); break;
    case ir::Reloc::Kind::Global: base = addressOf(static_cast<ir::GlobalId>(reloc.id)); break;
    case ir::Reloc::Kind::TypeHandle: base = descriptorOf(static_cast<TypeId>(reloc.id)); break;
    }
    if (base) *base += static_cast<uint64_t>(reloc.addend);
    return base;
}

} // namespace sx::debugger
