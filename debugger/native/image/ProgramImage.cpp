#include "debugger/native/image/ProgramImage.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

namespace sx::debugger::native {

bool CodeCopy::contains(uint64_t address) const {
    return std::any_of(ranges.begin(), ranges.end(), [&](const AddressRange& r) { return r.contains(address); });
}

std::set<ir::FuncId> ProgramImage::forget(uint32_t first, uint32_t end) {
    std::set<ir::FuncId> gone;
    AddressRange all{UINT64_MAX, 0};
    for (CodeCopy& copy : llvm::MutableArrayRef(copies_).slice(first, end - first)) {
        gone.insert(copy.func);
        for (const AddressRange& range : copy.ranges)
            all = {std::min(all.begin, range.begin), std::max(all.end, range.end)};
        copy.ranges.clear();
        copy.func = ir::FuncId::None;
    }
    gone.erase(ir::FuncId::None);
    for (const CodeCopy& copy : copies_) gone.erase(copy.func); // it is elsewhere, too
    auto isGone = [&](const auto& entry) { return all.contains(entry.first); };
    std::erase_if(rows_, [&](const ImageRow& row) { return all.contains(row.address) || row.address == all.end; });
    std::erase_if(startAt_, isGone);
    std::erase_if(chains_, isGone);
    std::erase_if(functions_, isGone);
    for (ir::FuncId func : gone) starts_.erase(func);
    return gone;
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

/// In order of address.
static std::vector<const ImageRow*> rowsIn(const std::vector<ImageRow>& rows, const CodeCopy& copy) {
    std::vector<const ImageRow*> found;
    auto before = [](const ImageRow& row, uint64_t address) { return row.address < address; };
    std::vector<AddressRange> ranges = copy.ranges;
    llvm::sort(ranges, [](const AddressRange& a, const AddressRange& b) { return a.begin < b.begin; });
    for (const AddressRange& range : ranges)
        for (auto row = std::lower_bound(rows.begin(), rows.end(), range.begin, before);
             row != rows.end() && row->address < range.end; ++row)
            found.push_back(&*row);
    return found;
}

std::vector<const ImageRow*> ProgramImage::rowsOf(ir::FuncId func, const Location& from, uint32_t endColumn,
                                                  uint32_t most) const {
    std::vector<const ImageRow*> found;
    auto isWanted = [&](const ImageRow& row) {
        return row.isStatement && row.hasFile && row.file == from.file && row.line == from.line &&
               row.column >= from.col && row.column < endColumn;
    };
    for (uint32_t copy : copiesOf(func)) {
        std::vector<const ImageRow*> begins;
        bool isApart = true; // what comes before, of this copy, is none of the statement
        for (const ImageRow* row : rowsIn(rows_, copies_[copy])) {
            if (begins.size() == most) break;
            bool begin = isWanted(*row);
            if ((!begin && begins.empty()) || row != rowAt(row->address)) continue;
            if (std::vector<uint32_t> at = copiesAt(row->address); at.empty() || at.front() != copy) continue;
            if (begin && isApart && !startAt(row->address)) begins.push_back(row);
            isApart = begin ? false : isApart || row->line != 0;
        }
        // Another column is elsewhere in the statement.
        llvm::erase_if(begins, [&, column = begins.empty() ? 0 : begins.front()->column](const ImageRow* row) {
            return row->column != column;
        });
        found.insert(found.end(), begins.begin(), begins.end());
    }
    return found;
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

llvm::ArrayRef<uint32_t> ProgramImage::statementsAt(uint64_t address) const {
    if (auto chain = chains_.find(address); chain != chains_.end()) return chain->second;
    const StatementStart* start = startAt(address);
    return start ? llvm::ArrayRef<uint32_t>(start->statement) : llvm::ArrayRef<uint32_t>();
}

const StatementStart* ProgramImage::startBefore(uint64_t address, uint32_t copy) const {
    const StatementStart* last = nullptr;
    for (const StatementStart& start : startsOf(copies_[copy].func)) {
        if (start.address > address) break;
        if (start.copy == copy) last = &start;
    }
    return last;
}

/// The statement of a function that a place in its source lies in: the last one that begins there or before it.
static uint32_t statementAround(const ir::Module& module, const ir::Function& fn, const ImageRow& row) {
    std::pair<uint32_t, uint32_t> last;
    uint32_t found = ir::CodeMarks::None;
    for (uint32_t i = 0; i < fn.statements.size(); ++i) {
        Location begin = module.sources.resolve(fn.statements[i].begin);
        std::pair at(begin.line, begin.col);
        bool isBefore = begin.file == row.file && at <= std::pair(row.line, row.column);
        if (!isBefore || (found != ir::CodeMarks::None && at < last)) continue;
        found = i;
        last = at;
    }
    return found;
}

uint64_t ProgramImage::endOfStatement(uint64_t address, uint32_t copy) const {
    const ImageRow* row = rowAt(address);
    if (!row) return address;
    const ir::Function& fn = module_.fn(copies_[copy].func);
    std::optional<uint32_t> statement;
    for (; row < rows_.data() + rows_.size() && !row->ends; ++row) {
        bool isAfter = row->address > address;
        if (isAfter &&
            (startAt(row->address) || ir::CodeMarks::decode(row->marks, fn).errorEvent != ir::CodeMarks::None))
            break;
        if (!row->hasFile || row->line == 0) continue; // of what comes before it
        uint32_t around = statementAround(module_, fn, *row);
        if (isAfter && statement && *statement != around) break;
        statement = around;
    }
    return row < rows_.data() + rows_.size() ? row->address : address + 1;
}

std::vector<uint64_t> ProgramImage::addressesOf(ir::FuncId func, uint32_t statement) const {
    std::vector<uint64_t> found;
    for (const StatementStart& start : startsOf(func)) {
        bool isFirst = start.statement == statement;
        if (isFirst || llvm::is_contained(statementsAt(start.address), statement)) found.push_back(start.address);
    }
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

/// What begins there chooses among several ways on. LLVM makes several blocks of that, and each has its mark.
static bool endsInSwitch(const ir::Function& fn, ir::ValueId first) {
    for (const ir::Block& block : fn.blocks) {
        if (std::find(block.instrs.begin(), block.instrs.end(), first) == block.instrs.end()) continue;
        return fn.instr(block.instrs.back()).op == ir::Op::Switch;
    }
    return false;
}

namespace {

/// The places in the source of what functions are made of.
class Places {
public:
    explicit Places(const ir::Module& module) : module_(module) {}

    /// A call that was inlined, and has no code any more, may have left a row: it is none of the function around it.
    bool isOf(ir::FuncId func, const ImageRow& row) {
        if (row.line == 0 || !row.hasFile) return true; // it has several places
        auto [known, isNew] = known_.try_emplace(func);
        if (isNew) known->second = placesOf(module_.fn(func));
        return known->second.count({row.file, row.line, row.column}) != 0;
    }

private:
    using Place = std::tuple<FileId, uint32_t, uint32_t>;

    std::set<Place> placesOf(const ir::Function& fn) const {
        std::set<Place> all;
        auto add = [&](Span span) {
            if (!span.isValid()) return;
            Location at = module_.sources.resolve(span.begin);
            all.emplace(at.file, at.line, at.col);
        };
        for (const ir::Instr& instr : fn.instrs) add(instr.span);
        for (const ir::Scope& scope : fn.scopes) add(scope.shownAt);
        for (const ir::Statement& statement : fn.statements) add({statement.begin, statement.begin});
        return all;
    }

    const ir::Module& module_;
    std::map<ir::FuncId, std::set<Place>> known_;
};

} // namespace

/// The marks of a row hold for the rows that follow it as long as they have the same.
void ProgramImage::collectMarks() {
    Places places(module_);
    ir::CodeMarks before;
    uint32_t copyBefore = UINT32_MAX;
    std::pair<uint32_t, uint32_t> last{UINT32_MAX, 0};       // the copy and the statement that began last
    std::set<std::pair<uint32_t, uint32_t>> begun, happened; // each in a copy
    auto isNewEvent = [&](uint32_t copy, uint32_t event) {
        const ir::Function& fn = module_.fn(copies_[copy].func);
        bool isFirst = happened.emplace(copy, event).second;
        return isFirst || (isOptimized_ && !endsInSwitch(fn, fn.errorEvents[event].at));
    };
    for (const ImageRow& row : rows_) {
        ir::CodeMarks marks;
        uint32_t copy = UINT32_MAX;
        if (row.marks != 0 && !row.ends)
            if (std::vector<uint32_t> at = copiesAt(row.address); !at.empty()) copy = at.front();
        bool isKnown = copy != UINT32_MAX && copies_[copy].func != ir::FuncId::None;
        if (isKnown && (!isOptimized_ || places.isOf(copies_[copy].func, row))) {
            ir::FuncId func = copies_[copy].func;
            marks = ir::CodeMarks::decode(row.marks, module_.fn(func));
            bool sameCopy = copy == copyBefore;
            bool begins = marks.statement != ir::CodeMarks::None && !(sameCopy && before.statement == marks.statement);
            // What is not optimized is there once; its code may be in pieces, with that of failed checks in between.
            if (begins && !isOptimized_) begins = begun.emplace(copy, marks.statement).second;
            if (begins && last == std::pair(copy, marks.statement))
                begins = !endsInSwitch(module_.fn(func), module_.fn(func).statements[marks.statement].first);
            if (begins) addStart(row.address, marks.statement, copy);
            if (begins) last = {copy, marks.statement};
            if (marks.errorEvent != ir::CodeMarks::None && !(sameCopy && before.errorEvent == marks.errorEvent) &&
                isNewEvent(copy, marks.errorEvent))
                errorPlaces_.push_back({row.address, func, marks.errorEvent});
        }
        before = marks;
        copyBefore = copy;
    }
    collectChains();
}

void ProgramImage::collectChains() {
    for (auto& [func, starts] : starts_)
        if (!isForeign_ && (starts.size() != module_.fn(func).statements.size() || isOptimized_))
            addChains(func, starts);
}

namespace {

/// The statements of a block in the order in which they begin.
struct BlockStatement {
    uint32_t statement;
    bool isSame; ///< it begins where the one before does
};

std::vector<BlockStatement> statementsOf(const ir::Block& block, const std::multimap<ir::ValueId, uint32_t>& byFirst) {
    std::vector<BlockStatement> order;
    for (ir::ValueId v : block.instrs)
        for (auto [first, end] = byFirst.equal_range(v); first != end; ++first)
            order.push_back({first->second, first != byFirst.lower_bound(v)});
    return order;
}

/// The block that every way out of this one leads to, if no other leads there.
std::optional<uint32_t> onlyNext(const ir::Function& fn, const ir::Block& block) {
    if (block.instrs.empty() || fn.instr(block.instrs.back()).op != ir::Op::Br) return std::nullopt;
    auto target = fn.targetsOf(fn.instr(block.instrs.back()))[0].block;
    size_t ways = 0;
    for (const ir::Block& other : fn.blocks)
        if (!other.instrs.empty())
            for (const ir::Target& t : fn.targetsOf(fn.instr(other.instrs.back()))) ways += t.block == target;
    return ways == 1 ? std::optional(static_cast<uint32_t>(target)) : std::nullopt;
}

} // namespace

/// Several statements may begin at one instruction; the line table has the first of them. One without code of its own,
/// as a declaration without a value, begins where the next does.
void ProgramImage::addChains(ir::FuncId func, std::vector<StatementStart>& starts) {
    const ir::Function& fn = module_.fn(func);
    std::multimap<ir::ValueId, uint32_t> byFirst;
    for (uint32_t i = 0; i < fn.statements.size(); ++i) byFirst.emplace(fn.statements[i].first, i);
    std::map<std::pair<uint32_t, uint32_t>, StatementStart*> known; // by copy and statement
    std::set<uint32_t> copies;
    for (StatementStart& start : starts) {
        known.emplace(std::pair(start.copy, start.statement), &start);
        copies.insert(start.copy);
    }
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> carried; // by copy and block
    for (uint32_t b = 0; b < fn.blocks.size(); ++b) {
        std::vector<BlockStatement> order = statementsOf(fn.blocks[b], byFirst);
        for (uint32_t copy : copies) {
            std::vector<uint32_t> waiting = std::exchange(carried[{copy, b}], {});
            StatementStart* last = nullptr;
            for (auto [statement, isSame] : order) {
                auto found = known.find({copy, statement});
                if (found == known.end()) {
                    if (isSame && last && waiting.empty()) chains_[last->address].push_back(statement);
                    else if (!isOptimized_) waiting.push_back(statement);
                    else last = nullptr; // what follows begins where this one does, wherever that is
                    continue;
                }
                last = found->second;
                waiting.push_back(statement);
                startAt_[last->address].statement = last->statement = waiting.front();
                chains_[last->address] = std::exchange(waiting, {});
            }
            if (waiting.empty()) continue;
            if (std::optional<uint32_t> next = onlyNext(fn, fn.blocks[b])) carried[{copy, *next}] = std::move(waiting);
        }
    }
    for (const StatementStart& start : starts) // where the optimizer has doubled it
        if (auto found = known.find({start.copy, start.statement}); found != known.end())
            if (auto chain = chains_.find(found->second->address); chain != chains_.end())
                chains_.emplace(start.address, chain->second);
}

llvm::ArrayRef<ErrorPlace> errorPlacesAt(const ProgramImage& image, uint64_t address) {
    llvm::ArrayRef<ErrorPlace> from = image.errorPlaces();
    from = llvm::ArrayRef(llvm::partition_point(from, [&](const ErrorPlace& p) { return p.address < address; }),
                          from.end());
    return from.take_while([address](const ErrorPlace& place) { return place.address == address; });
}

} // namespace sx::debugger::native
