#include "vm/Descriptors.h"

#include "ir/TypeInfo.h"
#include "vm/Program.h"

#include <cstring>

namespace sx::vm {

/// The module's descriptor of `t`. Descriptors of incomplete types, which say nothing, are not left to the module.
ir::GlobalId Descriptors::describe(TypeId t) {
    ir::Module& m = program_.module;
    ir::GlobalId g = ir::describeType(m, t);
    std::vector<TypeId> unusable;
    for (const auto& [type, global] : m.typeDescriptors)
        if (!m.types.isComplete(type)) unusable.push_back(type);
    for (TypeId type : unusable) m.typeDescriptors.erase(type);
    return g;
}

uint64_t Descriptors::handle(TypeId t) {
    auto known = handles_.find(t);
    if (known != handles_.end()) return known->second;
    ir::GlobalId g = describe(t);
    // Relocations may ask for this type again, while its global is being made.
    auto* memory = static_cast<std::byte*>(program_.arena.allocateStatic(program_.module.global(g).size, 8, false));
    uint64_t at = reinterpret_cast<uint64_t>(memory);
    handles_[t] = at;
    types_[at] = t;
    if (!program_.module.types.isComplete(t)) incomplete_.push_back(t);
    program_.globals.place(g, at);
    ir::ConstData init = program_.module.global(g).init;
    program_.globals.fill(memory, init);
    return at;
}

TypeId Descriptors::typeOf(uint64_t handle) const {
    auto it = types_.find(handle);
    return it == types_.end() ? TypeId::None : it->second;
}

void Descriptors::update() {
    if (program_.module.infosInDescriptors && !withInfos_) referToInfos();
    for (size_t i = 0; i < incomplete_.size();) {
        TypeId t = incomplete_[i];
        if (!program_.module.types.isComplete(t)) {
            ++i;
            continue;
        }
        incomplete_.erase(incomplete_.begin() + static_cast<ptrdiff_t>(i));
        // The new descriptor has members, and no room at the old address: only its fixed part is copied there.
        uint64_t complete = program_.globals.address(describe(t));
        std::memcpy(reinterpret_cast<void*>(handles_[t]), reinterpret_cast<const void*>(complete), ir::desc::Total);
    }
}

/// Descriptors made before some code asked for descriptions refer to theirs from now on.
void Descriptors::referToInfos() {
    withInfos_ = true;
    std::vector<std::pair<TypeId, uint64_t>> known(handles_.begin(), handles_.end());
    for (auto [type, at] : known) {
        uint64_t info = program_.globals.address(ir::describeInfo(program_.module, type));
        std::memcpy(reinterpret_cast<void*>(at + ir::desc::Info), &info, sizeof info);
    }
}

} // namespace sx::vm
