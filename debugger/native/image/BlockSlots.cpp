#include "debugger/native/image/BlockSlots.h"

#include "llvm/ADT/STLExtras.h"

namespace sx::debugger::native {

namespace {

using Declaration = std::pair<std::string, uint32_t>; ///< name and line

bool contains(const ImageBlock& block, uint64_t address) {
    return llvm::any_of(block.ranges, [address](const AddressRange& r) { return r.contains(address); });
}

/// Those of one copy.
class CopySlots {
public:
    CopySlots(const ir::Module& module, const CodeCopy& code)
        : fn_(module.fn(code.func)), code_(code), found_(code.blocks.size(), ir::SlotId::None) {
        for (uint32_t i = 0; i < code.blocks.size(); ++i)
            if (const ImageBlock& block = code.blocks[i]; !block.variable.empty())
                blocks_[{block.variable, block.line}].push_back(i);
        for (uint32_t i = 0; !blocks_.empty() && i < fn_.slots.size(); ++i) {
            const ir::Slot& slot = fn_.slots[i];
            if (!slot.isVariable || slot.paramIndex >= 0 || !slot.span.isValid()) continue;
            Declaration declared{std::string(module.types.names().text(slot.name)),
                                 module.sources.resolve(slot.span.begin).line};
            if (blocks_.count(declared) != 0) slots_[declared].push_back(i);
        }
        for (auto& [declared, slots] : slots_) {
            if (slots.size() == 1) found_[blocks_[declared].front()] = static_cast<ir::SlotId>(slots.front());
            else
                for (uint32_t slot : slots) unclear_.emplace(fn_.slots[slot].scope, std::pair(declared, slot));
        }
    }

    bool isClear() const { return unclear_.empty(); }

    /// A statement begins at the address: it sees what the scopes around it declare.
    void see(uint32_t statement, uint64_t address) {
        for (ir::ScopeId scope = fn_.scopeOf(fn_.statements[statement]);; scope = fn_.scopes[scope].parent) {
            auto [first, last] = unclear_.equal_range(scope);
            for (auto at = first; at != last; ++at) give(at->second.second, blocks_[at->second.first], address);
            if (scope == 0 || scope >= fn_.scopes.size()) return;
        }
    }

    std::vector<ir::SlotId> take() { return std::move(found_); }

private:
    /// Scopes come from the inside out: each has the innermost block around the address that no other one has.
    void give(uint32_t slot, const std::vector<uint32_t>& blocks, uint64_t address) {
        if (llvm::is_contained(found_, static_cast<ir::SlotId>(slot))) return;
        std::optional<uint32_t> inner;
        for (uint32_t i : blocks)
            if (found_[i] == ir::SlotId::None && contains(code_.blocks[i], address)) inner = i;
        if (inner) found_[*inner] = static_cast<ir::SlotId>(slot);
    }

    const ir::Function& fn_;
    const CodeCopy& code_;
    std::vector<ir::SlotId> found_;
    std::map<Declaration, std::vector<uint32_t>> blocks_, slots_;
    std::multimap<ir::ScopeId, std::pair<Declaration, uint32_t>> unclear_; ///< by the scope of the slot
};

} // namespace

llvm::ArrayRef<ir::SlotId> BlockSlots::of(uint32_t copy) const {
    const CodeCopy& code = image_.copies()[copy];
    if (code.func == ir::FuncId::None || image_.isForeign(code.func)) return {};
    auto [known, isNew] = known_.try_emplace(copy);
    if (!isNew) return known->second;
    CopySlots slots(module_, code);
    for (const StatementStart& start : image_.startsOf(code.func)) {
        if (slots.isClear()) break;
        if (start.copy != copy) continue;
        for (uint32_t statement : image_.statementsAt(start.address)) slots.see(statement, start.address);
    }
    known->second = slots.take();
    return known->second;
}

const ImageBlock* BlockSlots::blockOf(uint32_t copy, ir::SlotId slot) const {
    llvm::ArrayRef<ir::SlotId> slots = of(copy);
    const auto* found = llvm::find(slots, slot);
    return found == slots.end() ? nullptr : &image_.copies()[copy].blocks[static_cast<size_t>(found - slots.begin())];
}

} // namespace sx::debugger::native
