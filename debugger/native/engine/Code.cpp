// What addresses of the program mean, and its instructions.
#include "debugger/native/engine/NativeEngine.h"

#include "debugger/native/engine/Positions.h"

#include <algorithm>

namespace sx::debugger::native {

std::optional<ir::FuncId> NativeEngine::functionAt(uint64_t address) {
    ir::FuncId func = image_.functionAtEntry(toFile(address));
    return func == ir::FuncId::None ? std::nullopt : std::optional(func);
}

std::optional<CodeName> NativeEngine::codeAt(uint64_t address) {
    ir::FuncId func = image_.functionAtEntry(toFile(address));
    if (func != ir::FuncId::None) return CodeName{program_.module.fn(func).name, program_.module.fn(func).captures};
    if (!target_) return std::nullopt;
    std::optional<TargetSymbol> symbol = target_->symbolAt(address);
    if (!symbol || symbol->address != address) return std::nullopt;
    return CodeName{symbol->name, {}};
}

/// A descriptor is a global of its own, with a symbol.
TypeId NativeEngine::typeAt(uint64_t descriptor) {
    if (descriptors_.empty())
        for (auto& [type, global] : program_.module.typeDescriptors)
            descriptors_[program_.module.global(global).symbol] = type;
    auto found = descriptors_.find(image_.symbolAt(toFile(descriptor)));
    return found == descriptors_.end() ? TypeId::None : found->second;
}

std::optional<uint64_t> NativeEngine::descriptorOf(TypeId type) {
    auto found = program_.module.typeDescriptors.find(type);
    return found == program_.module.typeDescriptors.end() ? std::nullopt : addressOf(found->second);
}

std::optional<uint64_t> NativeEngine::addressOf(ir::GlobalId id) {
    const ir::Global& global = program_.module.global(id);
    if (uint64_t address = image_.symbol(global.symbol)) return toRun(address);
    uint64_t elsewhere = global.isExtern && target_ ? target_->symbolAddress(global.symbol) : 0;
    return elsewhere != 0 ? std::optional(elsewhere) : std::nullopt;
}

std::optional<uint64_t> NativeEngine::addressOf(ir::FuncId func) {
    for (uint32_t copy : image_.copiesOf(func))
        if (image_.copies()[copy].depth == 0) return toRun(image_.copies()[copy].entry);
    const ir::Function& fn = program_.module.fn(func);
    if (uint64_t address = image_.symbol(fn.symbol)) return toRun(address);
    uint64_t elsewhere = fn.isExtern && target_ ? target_->symbolAddress(fn.symbol) : 0;
    return elsewhere != 0 ? std::optional(elsewhere) : std::nullopt;
}

/// Instructions before an address are found by decoding their function from its beginning.
std::vector<Instruction> NativeEngine::disassemble(uint64_t address, int32_t offset, uint32_t count) {
    std::vector<Instruction> out;
    if (!target_ || state_ == State::Running) return out;
    std::vector<TargetInstruction> rows;
    size_t first = 0;
    std::optional<TargetSymbol> symbol = target_->symbolAt(address);
    if (offset < 0 && symbol && symbol->address < address) {
        rows = target_->disassemble(symbol->address, static_cast<uint32_t>(address - symbol->address) + 1);
        auto at = std::find_if(rows.begin(), rows.end(), [&](auto& row) { return row.address >= address; });
        rows.erase(at, rows.end());
        first = rows.size() - std::min<size_t>(rows.size(), static_cast<size_t>(-static_cast<int64_t>(offset)));
    }
    std::vector<TargetInstruction> after =
        target_->disassemble(address, count + static_cast<uint32_t>(std::max(offset, 0)));
    if (offset > 0) first = std::min<size_t>(after.size(), static_cast<size_t>(offset));
    rows.insert(rows.end(), after.begin(), after.end());
    for (size_t i = first; i < rows.size() && out.size() < count; ++i) {
        TargetInstruction& row = rows[i];
        Instruction made{row.address, row.bytes, row.mnemonic, row.operands, row.symbol,
                         {},          row.file,  row.line,     row.column};
        if (const ImageRow* at = image_.rowAt(toFile(row.address)); at && at->hasFile && at->line != 0)
            made.at = positionAt(program_.module.sources, at->file, at->line, at->column);
        out.push_back(std::move(made));
    }
    return out;
}

} // namespace sx::debugger::native
