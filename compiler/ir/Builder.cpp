#include "ir/Builder.h"

#include "ir/Folding.h"
#include "ir/Ops.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Predicates.h"

#include <cassert>

namespace sx::ir {

namespace {

constexpr size_t UsualInstrs = 60;  ///< of a function: room for them is made at once
constexpr size_t SmallestBlock = 6; ///< instructions; what the smallest piece of memory holds

void makeVariable(Slot& slot, Name name, Span span, ScopeId scope) {
    slot.isVariable = true;
    slot.name = name;
    slot.span = span;
    slot.scope = scope;
}

} // namespace

Builder::Builder(Module& module, Function& fn) : module_(module), fn_(fn), span_(fn.span) {
    if (fn.scopes.empty()) fn.scopes.push_back({0, fn.span, {}, false});
    if (!fn.blocks.empty()) return;
    fn.instrs.reserve(UsualInstrs);
    fn.operands.reserve(UsualInstrs);
    setBlock(newBlock());
}

// ---- where

BlockId Builder::newBlock(bool cold) {
    Block& block = fn_.blocks.emplace_back();
    block.cold = cold;
    block.instrs.reserve(SmallestBlock);
    return static_cast<BlockId>(fn_.blocks.size() - 1);
}

void Builder::setBlock(BlockId b) {
    assert(raw(b) < fn_.blocks.size());
    block_ = b;
}

bool Builder::terminated() const {
    if (block_ == BlockId::None) return true;
    const List<ValueId>& instrs = fn_.blocks[raw(block_)].instrs;
    return !instrs.empty() && isTerminator(fn_.instr(instrs.back()).op);
}

ValueId Builder::addInstr(Op op, TypeId type, llvm::ArrayRef<ValueId> operands, uint64_t imm, uint8_t pred) {
    Instr i;
    i.op = op;
    i.pred = pred;
    i.type = type;
    i.operandStart = static_cast<uint32_t>(fn_.operands.size());
    i.operandCount = static_cast<uint32_t>(operands.size());
    i.scope = scope_;
    i.imm = imm;
    i.span = span_;
    appendOperands(operands);
    fn_.instrs.push_back(i);
    return static_cast<ValueId>(fn_.instrs.size() - 1);
}

void Builder::appendOperands(llvm::ArrayRef<ValueId> values) {
    llvm::SmallVector<ValueId, 8> own(values); // they may be a part of the vector that grows
    fn_.operands.insert(fn_.operands.end(), own.begin(), own.end());
}

ValueId Builder::emit(Op op, TypeId type, llvm::ArrayRef<ValueId> operands, uint64_t imm, uint8_t pred) {
    if (terminated()) setBlock(newBlock()); // dead code
    ValueId v = addInstr(op, type, operands, imm, pred);
    fn_.blocks[raw(block_)].instrs.push_back(v);
    if (!marks_.statements.empty() || !marks_.errors.empty()) placeMarks(v);
    return v;
}

void Builder::placeMarks(ValueId v) {
    for (Statement& s : marks_.statements) {
        s.first = v;
        fn_.statements.push_back(s);
    }
    for (ErrorEvent& e : marks_.errors) {
        e.at = v;
        fn_.errorEvents.push_back(e);
    }
    marks_ = {};
}

void Builder::beginStatement(SourcePos begin, bool breakable) {
    if (fn_.scopes[scope_].shownAt.isValid() || !begin.isValid()) return;
    endStatement();
    marks_.statements.push_back({ValueId::None, begin, breakable});
}

void Builder::noteError(ErrorEventKind kind, ValueId tag) { marks_.errors.push_back({ValueId::None, kind, tag}); }

ValueId Builder::blockParam(BlockId b, TypeId type) {
    Block& block = fn_.blocks[raw(b)];
    ValueId v = addInstr(Op::BlockParam, type, {}, block.params.size(), 0);
    block.instrs.insert(block.instrs.begin() + static_cast<ptrdiff_t>(block.params.size()), v);
    block.params.push_back(v);
    return v;
}

ScopeId Builder::pushScope(Span span) {
    outerScopes_.push_back(scope_);
    openScope(span);
    return scope_;
}

void Builder::openScope(Span span) {
    fn_.scopes.push_back({scope_, span, fn_.scopes[scope_].shownAt, false});
    scope_ = static_cast<ScopeId>(fn_.scopes.size() - 1);
}

Span Builder::showAt(Span at) {
    Span before = fn_.scopes[scope_].shownAt;
    if (before.isValid() == at.isValid()) return before;
    openScope(at.isValid() ? at : span_);
    fn_.scopes.back().shownAt = at;
    return before;
}

void Builder::continueFrom(const Builder& other) {
    block_ = other.block_;
    span_ = other.span_;
    scope_ = other.scope_;
}

void Builder::enterScope(ScopeId scope) {
    outerScopes_.push_back(scope_);
    scope_ = scope;
}

void Builder::needEntry() { fn_.scopes[scope_].needsEntry = true; }

void Builder::popScope() {
    assert(!outerScopes_.empty());
    scope_ = outerScopes_.back();
    outerScopes_.pop_back();
}

/// The slot at `address`, if it is one that holds no variable of the program yet.
Slot* Builder::undeclaredSlot(ValueId address) {
    if (address == ValueId::None || fn_.instr(address).op != Op::SlotAddr) return nullptr;
    Slot& slot = fn_.slots[fn_.instr(address).imm];
    return slot.isVariable ? nullptr : &slot;
}

void Builder::declareVariable(ValueId address, Name name, Span span) {
    // Scopes of variables nest, and debug information takes time in their depth: a function with more variables
    // than anybody reads shows the rest from the start of their block.
    constexpr uint32_t MostVariableScopes = 500;
    Slot* slot = undeclaredSlot(address);
    if (!slot) return;
    if (variableScopes_ < MostVariableScopes) {
        ++variableScopes_;
        openScope(span);
    }
    makeVariable(*slot, name, span, scope_);
}

void Builder::declareEverywhere(ValueId address, Name name, Span span) {
    if (Slot* slot = undeclaredSlot(address)) makeVariable(*slot, name, span, 0);
}

SlotId Builder::newSlot(TypeId type, Name name, Span span) {
    Slot s;
    s.type = type;
    s.name = name;
    s.span = span;
    s.scope = scope_;
    s.size = sizeOf(module_.types, type);
    s.align = static_cast<uint32_t>(alignOf(module_.types, type));
    fn_.slots.push_back(s);
    return static_cast<SlotId>(fn_.slots.size() - 1);
}

SlotId Builder::newRawSlot(uint64_t size, uint32_t align) {
    Slot s;
    s.scope = scope_;
    s.size = size;
    s.align = align;
    fn_.slots.push_back(s);
    return static_cast<SlotId>(fn_.slots.size() - 1);
}

// ---- instructions

ValueId Builder::param(uint32_t i) {
    // Params stand together at the head of the entry block, so that they dominate every use.
    List<ValueId>& entry = fn_.blocks.front().instrs;
    size_t at = 0;
    for (; at < entry.size() && fn_.instr(entry[at]).op == Op::Param; ++at)
        if (fn_.instr(entry[at]).imm == i) return entry[at];
    TypeId type = fn_.params[i];
    ValueId v = addInstr(Op::Param, isScalar(module_.types, type) ? type : pointerTo(module_.types, type), {}, i, 0);
    entry.insert(entry.begin() + static_cast<ptrdiff_t>(at), v);
    return v;
}

void Builder::terminate(Op op, llvm::ArrayRef<ValueId> operands, llvm::ArrayRef<BranchTo> targets, uint64_t imm) {
    assert(targets.size() <= MaxTargets);
    if (terminated()) return;
    ValueId v = emit(op, TypeId::Void, operands, imm);
    Instr& i = fn_.instrs[raw(v)];
    i.targetStart = static_cast<uint32_t>(fn_.targets.size());
    i.targetCount = static_cast<uint8_t>(targets.size());
    for (const BranchTo& t : targets) {
        fn_.targets.push_back(
            {t.block, static_cast<uint32_t>(fn_.operands.size()), static_cast<uint32_t>(t.args.size())});
        appendOperands(t.args);
    }
}

// ---- asking

TypeId Builder::typeOf(ValueId v) const { return fn_.instr(v).type; }

bool Builder::isConst(ValueId v, uint64_t& bits) const {
    const Instr& i = fn_.instr(v);
    if (i.op != Op::Const) return false;
    bits = i.imm;
    return true;
}

} // namespace sx::ir
