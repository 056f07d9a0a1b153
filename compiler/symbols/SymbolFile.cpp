#include "symbols/SymbolFile.h"

#include <algorithm>

namespace sx::symbols {

namespace {

template <typename Rows, typename Key> void sortRows(Rows& rows, Key key) {
    std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return a.*key < b.*key; });
}

/// The last row at or before an address.
template <typename Row> const Row* rowBefore(const std::vector<Row>& rows, uint64_t Row::*key, uint64_t address) {
    auto after =
        std::upper_bound(rows.begin(), rows.end(), address, [&](uint64_t a, const Row& row) { return a < row.*key; });
    return after == rows.begin() ? nullptr : &*std::prev(after);
}

} // namespace

void addLabels(SymbolFile& f, const std::string& function, const std::set<uint64_t>& addresses) {
    size_t number = 0;
    for (uint64_t address : addresses) f.labels.push_back({address, function + "." + std::to_string(++number)});
}

void sortByAddress(SymbolFile& f) {
    sortRows(f.functions, &FunctionSymbol::address);
    sortRows(f.variables, &VariableSymbol::address);
    sortRows(f.labels, &Label::address);
    sortRows(f.instructions, &InstructionRow::pc);
    sortRows(f.lines, &LineRow::pc);
    sortRows(f.regions, &Region::start);
    std::vector<LineRow> lines;
    for (LineRow& row : f.lines) {
        if (!lines.empty() && lines.back().pc == row.pc) lines.back() = std::move(row);
        else lines.push_back(std::move(row));
    }
    f.lines = std::move(lines);
}

const FunctionSymbol* functionAt(const SymbolFile& f, uint64_t address) {
    const FunctionSymbol* found = rowBefore(f.functions, &FunctionSymbol::address, address);
    return found && address - found->address < found->size ? found : nullptr;
}

const LineRow* lineAt(const SymbolFile& f, uint64_t address) { return rowBefore(f.lines, &LineRow::pc, address); }

const LineRow* lineIn(const SymbolFile& f, const FunctionSymbol& function, uint64_t address) {
    const LineRow* line = lineAt(f, address);
    return line && line->pc >= function.address ? line : nullptr;
}

} // namespace sx::symbols
