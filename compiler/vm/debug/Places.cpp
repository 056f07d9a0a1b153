#include "vm/debug/Places.h"

#include "vm/debug/Stack.h"

#include "llvm/ADT/SmallVector.h"

namespace sx::vm {

bool Breakpoint::countHit() {
    uint64_t n = hits.fetch_add(1, std::memory_order_relaxed) + 1;
    const HitCount& rule = options.hits;
    switch (rule.rule) {
    case HitCount::Rule::Always: return true;
    case HitCount::Rule::Equal: return n == rule.count;
    case HitCount::Rule::AtLeast: return n >= rule.count;
    case HitCount::Rule::MoreThan: return n > rule.count;
    case HitCount::Rule::EachMultiple: return rule.count != 0 && n % rule.count == 0;
    }
    return true;
}

namespace {

/// Other threads may be about to run it: they read the old opcode or the new one.
void setOpcode(const FunctionCode& code, uint32_t index, uint16_t op) {
    auto& insn = const_cast<Insn&>(code.words[index]); // made by the translation, which is over
    std::atomic_ref(insn.op).store(op, std::memory_order_relaxed);
}

/// Tells threads that may be about to get there whether the breakpoint is more than a mark of a step.
void tellBreakpoint(const FunctionCode& code, uint32_t index, bool isThere) {
    auto& told = const_cast<uint8_t&>(code.breakpoints[index]);
    std::atomic_ref(told).store(isThere, std::memory_order_relaxed);
}

} // namespace

bool Places::isOnlyMarked(const FunctionCode& code, uint32_t index) {
    auto& told = const_cast<uint8_t&>(code.breakpoints[index]);
    return std::atomic_ref(told).load(std::memory_order_relaxed) == 0;
}

Places::Place& Places::place(const FunctionCode& code, uint32_t index) {
    Place& p = places_[&code.words[index]];
    if (!p.isEmpty()) return p;
    p.code = &code;
    p.index = index;
    setOpcode(code, index, static_cast<uint16_t>(Opcode::Break));
    return p;
}

void Places::release(std::unordered_map<const Insn*, Place>::iterator it) {
    if (!it->second.isEmpty()) return;
    const Place& p = it->second;
    setOpcode(*p.code, p.index, p.code->opcodes[p.index]);
    places_.erase(it);
}

/// The instruction that it stands at; UINT32_MAX if there is none in the code.
static uint32_t indexOf(const Breakpoint& b, const FunctionCode& code) {
    uint32_t index = b.where;
    if (!b.isInstruction && index == Breakpoint::First) index = firstStatement(code);
    else if (!b.isInstruction) index = index < code.statements.size() ? code.statements[index] : UINT32_MAX;
    bool isThere = index < code.instructionCount && opcodeAt(code, index) != Opcode::Extra;
    return isThere ? index : UINT32_MAX;
}

/// These, where its statement begins at more than one.
static llvm::SmallVector<uint32_t, 2> indicesOf(const Breakpoint& b, const FunctionCode& code) {
    llvm::SmallVector<uint32_t, 2> all;
    uint32_t first = indexOf(b, code);
    if (first == UINT32_MAX) return all;
    all.push_back(first);
    for (uint32_t again : code.loopTests)
        if (!b.isInstruction && code.statementOf[again] == code.statementOf[first]) all.push_back(again);
    return all;
}

void Places::put(const std::shared_ptr<Breakpoint>& b, const FunctionCode& code) {
    for (uint32_t index : indicesOf(*b, code)) {
        tellBreakpoint(code, index, true); // before it can be met
        place(code, index).breakpoints.push_back(b);
    }
}

void Places::takeOut(const std::shared_ptr<Breakpoint>& b, const FunctionCode& code) {
    for (uint32_t index : indicesOf(*b, code)) {
        auto it = places_.find(&code.words[index]);
        if (it == places_.end()) continue;
        std::erase(it->second.breakpoints, b);
        if (it->second.breakpoints.empty()) tellBreakpoint(code, index, false);
        release(it);
    }
}

void Places::add(std::shared_ptr<Breakpoint> b, const CodeOf& codeOf) {
    if (const FunctionCode* code = codeOf(b->func)) put(b, *code);
    std::shared_ptr<Breakpoint>& known = byId_[b->id];
    if (const FunctionCode* code = known ? codeOf(known->func) : nullptr) takeOut(known, *code);
    known = std::move(b);
}

void Places::remove(int id, const CodeOf& codeOf) {
    auto known = byId_.find(id);
    if (known == byId_.end()) return;
    std::shared_ptr<Breakpoint> b = known->second;
    byId_.erase(known);
    if (const FunctionCode* code = codeOf(b->func)) takeOut(b, *code);
}

void Places::translated(const FunctionCode& code) {
    for (const auto& [id, b] : byId_)
        if (b->func == code.func) put(b, code);
}

void Places::mark(const FunctionCode& code, uint32_t index) { ++place(code, index).marks; }

void Places::unmark(const Insn* at) {
    auto it = places_.find(at);
    if (it == places_.end() || it->second.marks == 0) return;
    --it->second.marks;
    release(it);
}

} // namespace sx::vm
