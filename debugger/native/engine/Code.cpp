// What addresses of the program mean, and its instructions.
#include "debugger/native/engine/Machine.h"
#include "debugger/native/engine/NativeEngine.h"
#include "debugger/native/engine/Positions.h"
#include "debugger/native/engine/Running.h"

#include <algorithm>

namespace sx::debugger::native {

/// Of functions of C there is nothing that could be interpreted.
std::optional<ir::FuncId> NativeAddresses::functionAt(uint64_t address) {
    ir::FuncId func = n_.image.functionAtEntry(n_.toFile(address));
    return func == ir::FuncId::None || n_.image.isForeign(func) ? std::nullopt : std::optional(func);
}

std::optional<CodeName> NativeAddresses::codeAt(uint64_t address) {
    ir::FuncId func = n_.image.functionAtEntry(n_.toFile(address));
    if (func != ir::FuncId::None) return CodeName{n_.program.module.fn(func).name, n_.program.module.fn(func).captures};
    if (!n_.target) return std::nullopt;
    std::optional<TargetSymbol> symbol = n_.target->symbolAt(address);
    if (!symbol || symbol->address != address) return std::nullopt;
    return CodeName{symbol->name, {}};
}

/// A descriptor is a global of its own, with a symbol.
TypeId NativeAddresses::typeAt(uint64_t descriptor) {
    if (descriptors_.empty())
        for (auto& [type, global] : n_.program.module.typeDescriptors)
            descriptors_[n_.program.module.global(global).symbol] = type;
    auto found = descriptors_.find(n_.image.symbolAt(n_.toFile(descriptor)));
    return found == descriptors_.end() ? TypeId::None : found->second;
}

std::optional<uint64_t> NativeAddresses::descriptorOf(TypeId type) {
    auto found = n_.program.module.typeDescriptors.find(type);
    return found == n_.program.module.typeDescriptors.end() ? std::nullopt : addressOf(found->second);
}

std::optional<uint64_t> NativeAddresses::addressOf(ir::GlobalId id) {
    const ir::Global& global = n_.program.module.global(id);
    if (uint64_t address = n_.image.symbol(global.symbol)) return n_.toRun(address);
    uint64_t elsewhere = global.isExtern && n_.target ? n_.target->symbolAddress(global.symbol) : 0;
    return elsewhere != 0 ? std::optional(elsewhere) : std::nullopt;
}

std::optional<uint64_t> NativeAddresses::addressOf(ir::FuncId func) {
    for (uint32_t copy : n_.image.copiesOf(func))
        if (n_.image.copies()[copy].depth == 0) return n_.toRun(n_.image.copies()[copy].entry);
    const ir::Function& fn = n_.program.module.fn(func);
    if (uint64_t address = n_.image.symbol(fn.symbol)) return n_.toRun(address);
    uint64_t elsewhere = fn.isExtern && n_.target ? n_.target->symbolAddress(fn.symbol) : 0;
    return elsewhere != 0 ? std::optional(elsewhere) : std::nullopt;
}

uint64_t NativeAddresses::heapTables() {
    const char* const name = "sx_heap_registry";
    if (uint64_t address = n_.image.symbol(name)) return n_.toRun(address);
    return n_.target ? n_.target->symbolAddress(name) : 0;
}

uint64_t NativeAddresses::fiberRecords() {
    uint64_t address = n_.image.symbol("sx_debug_fibers");
    return address != 0 ? n_.toRun(address) : 0;
}

uint32_t NativeAddresses::threadOfFiber(uint32_t number) {
    fibersNow(n_);
    return n_.fibers.ids.of(number);
}

static Instruction noCode(uint64_t address) {
    Instruction row;
    row.address = address;
    return row;
}

/// Instructions before an address are found by decoding their function from its beginning.
std::vector<Instruction> NativeMachine::disassemble(uint64_t address, int32_t offset, uint32_t count) {
    std::vector<Instruction> out;
    if (!n_.target) return out;
    if (n_.state == RunState::Running) { // one that does not stop has none to show
        (void)whileStill(n_, [&] { out = disassemble(address, offset, count); });
        return out;
    }
    std::vector<TargetInstruction> rows;
    size_t first = 0;
    std::optional<TargetSymbol> symbol = n_.target->symbolAt(address);
    if (offset < 0 && symbol && symbol->address < address) {
        rows = n_.target->disassemble(symbol->address, static_cast<uint32_t>(address - symbol->address) + 1);
        auto at = std::find_if(rows.begin(), rows.end(), [&](auto& row) { return row.address >= address; });
        rows.erase(at, rows.end());
        first = rows.size() - std::min<size_t>(rows.size(), static_cast<size_t>(-static_cast<int64_t>(offset)));
    }
    size_t before = rows.size() - first;
    std::vector<TargetInstruction> after =
        n_.target->disassemble(address, count + static_cast<uint32_t>(std::max(offset, 0)));
    if (offset > 0) first = std::min<size_t>(after.size(), static_cast<size_t>(offset));
    rows.insert(rows.end(), after.begin(), after.end());
    // Where no code is there are rows all the same: they say so by having no mnemonic.
    size_t missing = offset < 0 ? static_cast<size_t>(-static_cast<int64_t>(offset)) - before : 0;
    uint64_t begin = missing != 0 && before != 0 ? rows[first].address : address;
    for (; missing > 0 && out.size() < count; --missing) out.push_back(noCode(begin - missing));
    for (size_t i = first; i < rows.size() && out.size() < count; ++i) {
        TargetInstruction& row = rows[i];
        std::vector<uint32_t> copies = n_.image.copiesAt(n_.toFile(row.address));
        ir::FuncId func = copies.empty() ? ir::FuncId::None : n_.image.copies()[copies.back()].func;
        Instruction made{row.address, row.bytes, row.mnemonic, row.operands, row.symbol,
                         func,        {},        row.file,     row.line,     row.column};
        if (isMadeUp(made.symbol)) made.symbol.clear();
        // The name that the program has for it, where lldb says that of the linker.
        if (func != ir::FuncId::None) made.symbol = n_.program.module.fn(func).name;
        if (const ImageRow* at = n_.image.rowAt(n_.toFile(row.address)); at && at->hasFile && at->line != 0)
            made.at = positionAt(n_.program.module.sources, at->file, at->line, at->column);
        out.push_back(std::move(made));
    }
    uint64_t end = rows.empty() ? address : rows.back().address + std::max<size_t>(rows.back().bytes.size(), 1);
    while (out.size() < count) out.push_back(noCode(end++));
    return out;
}

} // namespace sx::debugger::native
