#include "debugger/native/image/ProgramImage.h"

#include <algorithm>

namespace sx::debugger::native {

bool CodeCopy::contains(uint64_t address) const {
    return std::any_of(ranges.begin(), ranges.end(), [&](const AddressRange& r) { return r.contains(address); });
}

std::vector<uint32_t> ProgramImage::copiesAt(uint64_t address) const {
    auto next = functions_.upper_bound(address);
    if (next == functions_.begin()) return {};
    uint32_t at = std::prev(next)->second;
    if (!copies_[at].contains(address)) return {};
    std::vector<uint32_t> found{at};
    for (bool isDeeper = true; isDeeper;) {
        isDeeper = false;
        auto inlined = inlinedIn_.find(found.back());
        if (inlined == inlinedIn_.end()) break;
        for (uint32_t copy : inlined->second) {
            if (!copies_[copy].contains(address)) continue;
            found.push_back(copy);
            isDeeper = true;
            break;
        }
    }
    std::reverse(found.begin(), found.end());
    return found;
}

const ImageRow* ProgramImage::rowAt(uint64_t address) const {
    auto next = std::upper_bound(rows_.begin(), rows_.end(), address,
                                 [](uint64_t a, const ImageRow& row) { return a < row.address; });
    if (next == rows_.begin() || std::prev(next)->ends) return nullptr;
    return &*std::prev(next);
}

const ImageRow* ProgramImage::rowAfter(uint64_t address) const {
    const ImageRow* row = rowAt(address);
    if (!row) return nullptr;
    for (const ImageRow* next = row + 1; next < rows_.data() + rows_.size(); ++next)
        if (next->marks != row->marks || next->ends) return next;
    return nullptr;
}

std::vector<uint32_t> ProgramImage::copiesOf(ir::FuncId func) const {
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < copies_.size(); ++i)
        if (copies_[i].func == func) found.push_back(i);
    return found;
}

const std::vector<StatementStart>& ProgramImage::startsOf(ir::FuncId func) const {
    static const std::vector<StatementStart> none;
    auto found = starts_.find(func);
    return found == starts_.end() ? none : found->second;
}

const StatementStart* ProgramImage::startAt(uint64_t address) const {
    auto found = startAt_.find(address);
    return found == startAt_.end() ? nullptr : &found->second;
}

const StatementStart* ProgramImage::startBefore(uint64_t address, uint32_t copy) const {
    const StatementStart* last = nullptr;
    for (const StatementStart& start : startsOf(copies_[copy].func)) {
        if (start.address > address) break;
        if (start.copy == copy) last = &start;
    }
    return last;
}

std::vector<uint64_t> ProgramImage::addressesOf(ir::FuncId func, uint32_t statement) const {
    // Several statements may begin at one instruction; the line table has the first of them.
    const auto& statements = module_.fn(func).statements;
    if (statement >= statements.size()) return {};
    while (statement > 0 && statements[statement - 1].first == statements[statement].first) --statement;
    std::vector<uint64_t> found;
    for (const StatementStart& start : startsOf(func))
        if (start.statement == statement) found.push_back(start.address);
    return found;
}

ir::FuncId ProgramImage::functionAtEntry(uint64_t address) const {
    auto found = functions_.find(address);
    if (found == functions_.end() || copies_[found->second].entry != address) return ir::FuncId::None;
    return copies_[found->second].func;
}

uint64_t ProgramImage::symbol(const std::string& name) const {
    auto found = symbols_.find(name);
    return found == symbols_.end() ? 0 : found->second;
}

std::string ProgramImage::symbolAt(uint64_t address) const {
    auto found = symbolNames_.find(address);
    return found == symbolNames_.end() ? "" : found->second;
}

void ProgramImage::addStart(uint64_t address, uint32_t statement, uint32_t copy) {
    StatementStart start{address, statement, copy};
    startAt_.emplace(address, start);
    starts_[copies_[copy].func].push_back(start);
}

/// The statement chooses among several ways on. LLVM makes several blocks of that, and each has the statement's mark.
static bool endsInSwitch(const ir::Function& fn, uint32_t statement) {
    ir::ValueId first = fn.statements[statement].first;
    for (const ir::Block& block : fn.blocks) {
        if (std::find(block.instrs.begin(), block.instrs.end(), first) == block.instrs.end()) continue;
        return fn.instr(block.instrs.back()).op == ir::Op::Switch;
    }
    return false;
}

/// The marks of a row hold for the rows that follow it as long as they have the same.
void ProgramImage::collectMarks() {
    ir::CodeMarks before;
    uint32_t copyBefore = UINT32_MAX;
    std::pair<uint32_t, uint32_t> last{UINT32_MAX, 0}; // the copy and the statement that began last
    for (const ImageRow& row : rows_) {
        ir::CodeMarks marks;
        uint32_t copy = UINT32_MAX;
        if (row.marks != 0 && !row.ends)
            if (std::vector<uint32_t> at = copiesAt(row.address); !at.empty()) copy = at.front();
        if (copy != UINT32_MAX && copies_[copy].func != ir::FuncId::None) {
            ir::FuncId func = copies_[copy].func;
            marks = ir::CodeMarks::decode(row.marks, module_.fn(func));
            bool sameCopy = copy == copyBefore;
            bool begins = marks.statement != ir::CodeMarks::None && !(sameCopy && before.statement == marks.statement);
            if (begins && last == std::pair(copy, marks.statement))
                begins = !endsInSwitch(module_.fn(func), marks.statement);
            if (begins) addStart(row.address, marks.statement, copy);
            if (begins) last = {copy, marks.statement};
            if (marks.errorEvent != ir::CodeMarks::None && !(sameCopy && before.errorEvent == marks.errorEvent))
                errorPlaces_.push_back({row.address, func, marks.errorEvent});
        }
        before = marks;
        copyBefore = copy;
    }
}

} // namespace sx::debugger::native
