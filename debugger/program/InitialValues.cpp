#include "debugger/program/InitialValues.h"

#include "ir/Dominators.h"
#include "ir/Ops.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

namespace sx::debugger {

namespace {

using ir::Op;

constexpr uint32_t None = UINT32_MAX;

/// Only computes an address from another one.
bool isAddressOf(Op op) { return op == Op::Offset || op == Op::Index || op == Op::Reinterpret; }

bool onlyReads(Op op, size_t operand) {
    if (isAddressOf(op) || op == Op::Load || op == Op::MemEq || op == Op::NullCheck || op == Op::ICmp) return true;
    return (op == Op::Copy || op == Op::CopyN) && operand == 1;
}

/// The slot that an address lies in, and how far from its beginning; nothing where it is no part of one.
std::optional<std::pair<ir::SlotId, uint64_t>> placeIn(const ir::Function& fn, ir::ValueId address) {
    for (uint64_t offset = 0;; address = fn.operandsOf(fn.instr(address))[0]) {
        const ir::Instr& i = fn.instr(address);
        if (i.op == Op::SlotAddr) return std::pair(static_cast<ir::SlotId>(i.imm), offset);
        if (i.op == Op::Offset) offset += i.imm;
        else if (i.op != Op::Reinterpret) return std::nullopt;
    }
}

/// What an instruction copies from one slot to the beginning of another.
struct Move {
    ir::SlotId to, from;
    uint64_t offset;
    ir::ValueId write;
};

std::optional<Move> moveOf(const ir::Function& fn, ir::ValueId v) {
    const ir::Instr& i = fn.instr(v);
    if (i.op != Op::Store && i.op != Op::Copy) return std::nullopt;
    ir::ValueId from = fn.operandsOf(i)[1];
    if (i.op == Op::Store) {
        const ir::Instr& load = fn.instr(from);
        if (load.op != Op::Load) return std::nullopt;
        from = fn.operandsOf(load)[0];
    }
    auto target = placeIn(fn, fn.operandsOf(i)[0]), source = placeIn(fn, from);
    if (!target || !source || target->second != 0) return std::nullopt;
    return Move{target->first, source->first, source->second, v};
}

} // namespace

InitialValues::InitialValues(const ir::Function& fn) {
    places_.resize(fn.instrs.size(), {None, 0});
    before_.resize(fn.blocks.size());
    for (uint32_t b = 0; b < fn.blocks.size(); ++b) {
        llvm::ArrayRef<ir::ValueId> instrs = fn.blocks[b].instrs;
        for (uint32_t n = 0; n < instrs.size(); ++n) {
            places_[static_cast<uint32_t>(instrs[n])] = {b, n};
            SourcePos at = fn.instr(instrs[n]).span.begin;
            if (at.isValid()) bySpan_.emplace_back(at, instrs[n]);
        }
        if (!instrs.empty())
            for (const ir::Target& t : fn.targetsOf(fn.instr(instrs.back())))
                before_[static_cast<uint32_t>(t.block)].push_back(b);
    }
    std::stable_sort(bySpan_.begin(), bySpan_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    findRoots(fn);
    findEvents(fn);
    findParts(fn);
    findOrder(fn);
}

void InitialValues::findRoots(const ir::Function& fn) {
    constexpr uint32_t Unknown = None - 1;
    root_.resize(fn.instrs.size(), Unknown);
    std::vector<uint32_t> way;
    for (uint32_t v = 0; v < fn.instrs.size(); ++v) {
        uint32_t at = v;
        way.clear();
        while (root_[at] == Unknown && places_[at].first != None && isAddressOf(fn.instrs[at].op)) {
            way.push_back(at);
            at = static_cast<uint32_t>(fn.operandsOf(fn.instrs[at])[0]);
        }
        if (root_[at] == Unknown) {
            const ir::Instr& i = fn.instrs[at];
            root_[at] = i.op == Op::SlotAddr && places_[at].first != None ? static_cast<uint32_t>(i.imm) : None;
        }
        for (uint32_t passed : way) root_[passed] = root_[at];
    }
}

void InitialValues::findEvents(const ir::Function& fn) {
    std::vector<uint32_t> declarations(fn.slots.size(), None); // the first instruction that has the address
    for (uint32_t v = 0; v < fn.instrs.size(); ++v)
        if (fn.instrs[v].op == Op::SlotAddr && places_[v].first != None)
            if (uint32_t& d = declarations[static_cast<uint32_t>(fn.instrs[v].imm)]; d == None) d = v;
    for (uint32_t slot = 0; slot < declarations.size(); ++slot)
        if (declarations[slot] != None) {
            auto [block, index] = places_[declarations[slot]];
            events_.push_back({slot, block, index, false});
        }
    llvm::SmallVector<uint32_t, 4> given;
    for (uint32_t b = 0; b < fn.blocks.size(); ++b)
        for (uint32_t n = 0; n < fn.blocks[b].instrs.size(); ++n) {
            const ir::Instr& i = fn.instr(fn.blocks[b].instrs[n]);
            given.clear();
            auto give = [&](ir::ValueId address) {
                uint32_t slot = root_[static_cast<uint32_t>(address)];
                if (slot != None && !llvm::is_contained(given, slot)) given.push_back(slot);
            };
            llvm::ArrayRef<ir::ValueId> operands = fn.operandsOf(i);
            for (size_t k = 0; k < operands.size(); ++k)
                if (!onlyReads(i.op, k)) give(operands[k]);
            for (const ir::Target& target : fn.targetsOf(i))
                for (ir::ValueId arg : fn.argsOf(target)) give(arg);
            for (uint32_t slot : given) events_.push_back({slot, b, n, true});
        }
    std::sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
        return std::tie(a.slot, a.block, a.index) < std::tie(b.slot, b.block, b.index);
    });
    firstEvent_.resize(fn.slots.size() + 1);
    for (uint32_t slot = 0, n = 0; slot <= fn.slots.size(); ++slot) {
        while (n < events_.size() && events_[n].slot < slot) ++n;
        firstEvent_[slot] = n;
    }
}

void InitialValues::findParts(const ir::Function& fn) {
    for (const ir::Block& block : fn.blocks) {
        std::map<ir::SlotId, std::vector<Move>> moves; // by the result
        for (ir::ValueId v : block.instrs)
            if (std::optional<Move> m = moveOf(fn, v))
                if (!fn.slots[static_cast<uint32_t>(m->from)].isVariable) moves[m->from].push_back(*m);
        for (auto& [result, all] : moves) {
            auto last = std::max_element(all.begin(), all.end(),
                                         [](const Move& a, const Move& b) { return a.offset < b.offset; });
            if (!isWrittenOnce(last->to)) continue;
            for (const Move& m : all)
                if (m.to != last->to) parts_[m.to].push_back({m.write, result, last->to});
        }
    }
}

bool InitialValues::isWrittenOnce(ir::SlotId slot) const {
    return llvm::count_if(eventsOf(static_cast<uint32_t>(slot)), [](const Event& e) { return e.gives; }) == 1;
}

/// Reverse postorder from the entry, then what nothing leads to.
void InitialValues::findOrder(const ir::Function& fn) {
    ir::Dominators dominators(fn);
    order_ = dominators.reversePostorder();
    for (uint32_t b = 0; b < fn.blocks.size(); ++b)
        if (!dominators.isReachable(b)) order_.push_back(b);
}

llvm::ArrayRef<InitialValues::Event> InitialValues::eventsOf(uint32_t slot) const {
    return llvm::ArrayRef(events_).slice(firstEvent_[slot], firstEvent_[slot + 1] - firstEvent_[slot]);
}

llvm::ArrayRef<InitialValues::Event> InitialValues::eventsOf(uint32_t slot, uint32_t block) const {
    llvm::ArrayRef<Event> all = eventsOf(slot);
    const Event* from = llvm::lower_bound(all, block, [](const Event& e, uint32_t b) { return e.block < b; });
    const Event* to = from;
    while (to != all.end() && to->block == block) ++to;
    return {from, to};
}

/// What the first `count` instructions of a block leave a variable with: a value, none, or what it came with.
std::optional<bool> InitialValues::lastOf(uint32_t slot, uint32_t block, uint32_t count,
                                          llvm::ArrayRef<ir::ValueId> taking) const {
    std::optional<bool> last;
    uint32_t index = 0;
    for (const Event& e : eventsOf(slot, block)) {
        if (e.index >= count) break;
        last = e.gives;
        index = e.index;
    }
    for (ir::ValueId v : taking) {
        auto [at, n] = places_[static_cast<uint32_t>(v)];
        if (at == block && n < count && (!last || n >= index)) last = false, index = n;
    }
    return last;
}

/// Whether a way to the beginning of a block gives the variable a value.
bool InitialValues::walkBack(uint32_t slot, uint32_t block, llvm::ArrayRef<ir::ValueId> taking) const {
    std::vector<bool> seen(before_.size());
    std::vector<uint32_t> open{block};
    while (!open.empty()) {
        uint32_t at = open.back();
        open.pop_back();
        for (uint32_t b : before_[at]) {
            if (seen[b]) continue;
            seen[b] = true;
            std::optional<bool> last = lastOf(slot, b, None, taking);
            if (last && *last) return true;
            if (!last) open.push_back(b);
        }
    }
    return false;
}

/// Fills `entry_` for 64 variables at once: what leads to a block is united until nothing changes any more.
void InitialValues::solve(uint32_t group) {
    if (group_ == group) return;
    group_ = group;
    std::vector<Bits> gives(before_.size()), takes(before_.size());
    for (uint32_t n = 0, slot = group * 64; n < 64 && slot + 1 < firstEvent_.size(); ++n, ++slot)
        for (const Event& e : eventsOf(slot)) { // the last one of a block holds
            Bits bit = Bits(1) << n;
            (e.gives ? gives : takes)[e.block] |= bit;
            (e.gives ? takes : gives)[e.block] &= ~bit;
        }
    entry_.assign(before_.size(), 0);
    for (bool changes = true; changes;) {
        changes = false;
        for (uint32_t b : order_) {
            Bits bits = entry_[b];
            for (uint32_t p : before_[b]) bits |= gives[p] | (entry_[p] & ~takes[p]);
            changes |= bits != entry_[b];
            entry_[b] = bits;
        }
    }
}

llvm::ArrayRef<ResultPart> InitialValues::partsOf(ir::SlotId variable) const {
    auto found = parts_.find(variable);
    return found == parts_.end() ? llvm::ArrayRef<ResultPart>() : llvm::ArrayRef(found->second);
}

std::vector<ir::ValueId> InitialValues::instructionsAt(SourcePos at) const {
    std::vector<ir::ValueId> all;
    auto from = llvm::lower_bound(bySpan_, at, [](const auto& entry, SourcePos p) { return entry.first < p; });
    for (; from != bySpan_.end() && from->first == at; ++from) all.push_back(from->second);
    return all;
}

/// The blocks that a way from the end of a block leads to.
std::vector<bool> InitialValues::blocksAfter(const ir::Function& fn, uint32_t block) const {
    std::vector<bool> reached(fn.blocks.size());
    std::vector<uint32_t> open{block};
    while (!open.empty()) {
        llvm::ArrayRef<ir::ValueId> instrs = fn.blocks[open.back()].instrs;
        open.pop_back();
        if (instrs.empty()) continue;
        for (const ir::Target& t : fn.targetsOf(fn.instr(instrs.back())))
            if (auto to = static_cast<uint32_t>(t.block); !reached[to]) {
                reached[to] = true;
                open.push_back(to);
            }
    }
    return reached;
}

bool InitialValues::mayGetValue(const ir::Function& fn, ir::SlotId variable, ir::ValueId from, ir::ValueId point,
                                bool isDone) const {
    auto [first, begin] = places_[static_cast<uint32_t>(from)];
    auto [last, end] = places_[static_cast<uint32_t>(point)];
    if (first == None || last == None) return true;
    end += isDone ? 1 : 0;
    const std::vector<bool> after = blocksAfter(fn, first);
    for (const Event& e : eventsOf(static_cast<uint32_t>(variable))) {
        bool follows = after[e.block] || (e.block == first && e.index >= begin);
        if (!e.gives || !follows) continue;
        if ((e.block == last && e.index < end && (first != last || e.index >= begin)) || blocksAfter(fn, e.block)[last])
            return true;
    }
    return false;
}

bool InitialValues::mayHaveValue(const ir::Function& fn, ir::SlotId variable, ir::ValueId point, bool isDone,
                                 llvm::ArrayRef<ir::ValueId> taking) {
    auto slot = static_cast<uint32_t>(variable);
    if (fn.slots[slot].paramIndex >= 0 || point == ir::ValueId::None) return true;
    bool isDeclared = llvm::any_of(eventsOf(slot), [](const Event& e) { return !e.gives; });
    auto [block, index] = places_[static_cast<uint32_t>(point)];
    if (!isDeclared || block == None) return true; // it lives elsewhere
    if (std::optional<bool> last = lastOf(slot, block, index + (isDone ? 1 : 0), taking)) return *last;
    if (!taking.empty()) return walkBack(slot, block, taking);
    solve(slot / 64);
    return (entry_[block] >> (slot % 64) & 1) != 0;
}

} // namespace sx::debugger
