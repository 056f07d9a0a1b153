#include "ir/Builder.h"

#include "ir/Folding.h"
#include "ir/Ops.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/Predicates.h"

#include <cassert>

namespace sx::ir {

namespace {

constexpr uint32_t raw(ValueId v) { return static_cast<uint32_t>(v); }
constexpr uint32_t raw(BlockId b) { return static_cast<uint32_t>(b); }
constexpr uint32_t raw(SlotId s) { return static_cast<uint32_t>(s); }

void makeVariable(Slot& slot, Name name, Span span, ScopeId scope) {
    slot.isVariable = true;
    slot.name = name;
    slot.span = span;
    slot.scope = scope;
}

bool isNarrowFloatToInt(Op op, unsigned bits) { return (op == Op::FloatToSInt || op == Op::FloatToUInt) && bits < 64; }
bool isWidthChange(Op op) { return op == Op::Trunc || op == Op::ZExt || op == Op::SExt || op == Op::FloatResize; }

} // namespace

Builder::Builder(Module& module, Function& fn) : module_(module), fn_(fn), span_(fn.span) {
    if (fn.scopes.empty()) fn.scopes.push_back({0, fn.span, {}});
    if (fn.blocks.empty()) setBlock(newBlock());
}

// ---- where

BlockId Builder::newBlock(bool cold) {
    fn_.blocks.emplace_back().cold = cold;
    return static_cast<BlockId>(fn_.blocks.size() - 1);
}

void Builder::setBlock(BlockId b) {
    assert(raw(b) < fn_.blocks.size());
    block_ = b;
}

bool Builder::terminated() const {
    if (block_ == BlockId::None) return true;
    const std::vector<ValueId>& instrs = fn_.blocks[raw(block_)].instrs;
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
    fn_.scopes.push_back({scope_, span, fn_.scopes[scope_].shownAt});
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

// ---- constants

ValueId Builder::constInt(TypeId type, uint64_t bits) {
    return emit(Op::Const, type, {}, lowBits(valueBits(module_.types, type), bits));
}

ValueId Builder::constFloat(TypeId type, double value) {
    return emit(Op::Const, type, {}, floatBits(bitsOf(module_.types, type), value));
}

ValueId Builder::constBool(bool value) { return emit(Op::Const, TypeId::Bool, {}, value); }
ValueId Builder::null(TypeId pointer) { return emit(Op::Const, pointer, {}, 0); }
ValueId Builder::undef(TypeId type) { return emit(Op::Undef, type, {}); }
ValueId Builder::funcAddr(FuncId f, TypeId type) { return emit(Op::FuncAddr, type, {}, static_cast<uint32_t>(f)); }
ValueId Builder::globalAddr(GlobalId g, TypeId type) {
    return emit(Op::GlobalAddr, type, {}, static_cast<uint32_t>(g));
}
ValueId Builder::typeHandle(TypeId t) { return emit(Op::TypeHandle, TypeId::Type, {}, static_cast<uint32_t>(t)); }

ValueId Builder::slotAddr(SlotId s) {
    TypeId type = fn_.slots[raw(s)].type;
    return emit(Op::SlotAddr, pointerTo(module_.types, type == TypeId::None ? TypeId::U8 : type), {}, raw(s));
}

ValueId Builder::param(uint32_t i) {
    // Params stand together at the head of the entry block, so that they dominate every use.
    std::vector<ValueId>& entry = fn_.blocks.front().instrs;
    size_t at = 0;
    for (; at < entry.size() && fn_.instr(entry[at]).op == Op::Param; ++at)
        if (fn_.instr(entry[at]).imm == i) return entry[at];
    TypeId type = fn_.params[i];
    ValueId v = addInstr(Op::Param, isScalar(module_.types, type) ? type : pointerTo(module_.types, type), {}, i, 0);
    entry.insert(entry.begin() + static_cast<ptrdiff_t>(at), v);
    return v;
}

// ---- memory

ValueId Builder::load(TypeId type, ValueId ptr) { return emit(Op::Load, type, {ptr}); }
void Builder::store(ValueId ptr, ValueId value) { emit(Op::Store, TypeId::Void, {ptr, value}); }

void Builder::copy(ValueId dst, ValueId src, uint64_t bytes) {
    if (bytes != 0 && dst != src) emit(Op::Copy, TypeId::Void, {dst, src}, bytes);
}
void Builder::copy(ValueId dst, ValueId src, TypeId type) { copy(dst, src, sizeOf(module_.types, type)); }

void Builder::zero(ValueId dst, TypeId type) { zeroBytes(dst, sizeOf(module_.types, type)); }
void Builder::zeroBytes(ValueId dst, uint64_t bytes) {
    if (bytes != 0) emit(Op::Zero, TypeId::Void, {dst}, bytes);
}

void Builder::copyN(ValueId dst, ValueId src, ValueId byteCount) {
    emit(Op::CopyN, TypeId::Void, {dst, src, byteCount});
}

ValueId Builder::offset(ValueId ptr, uint64_t bytes, TypeId resultPointer) {
    if (bytes == 0) return cast(Op::Reinterpret, ptr, resultPointer);
    const Instr& base = fn_.instr(ptr);
    if (base.op == Op::Offset) { // field of a field
        ValueId inner = fn_.operandsOf(base)[0];
        return emit(Op::Offset, resultPointer, {inner}, base.imm + bytes);
    }
    return emit(Op::Offset, resultPointer, {ptr}, bytes);
}

ValueId Builder::index(ValueId ptr, ValueId i, uint64_t elemSize, TypeId resultPointer) {
    constexpr uint64_t LargestOffset = INT64_MAX;
    uint64_t bits = 0;
    if (isConst(i, bits) && (bits == 0 || elemSize == 0 || bits <= LargestOffset / elemSize))
        return offset(ptr, bits * elemSize, resultPointer);
    return emit(Op::Index, resultPointer, {ptr, i}, elemSize);
}

ValueId Builder::memEq(ValueId a, ValueId b, ValueId byteCount) {
    uint64_t bits = 1;
    if (isConst(byteCount, bits) && bits == 0) return constBool(true);
    return emit(Op::MemEq, TypeId::Bool, {a, b, byteCount});
}

void Builder::nullCheck(ValueId ptr, Span at) {
    Span before = span_;
    span_ = at;
    emit(Op::NullCheck, TypeId::Void, {ptr});
    span_ = before;
}

// ---- values

ValueId Builder::binary(Op op, ValueId a, ValueId b) {
    TypeId type = typeOf(a);
    uint64_t x = 0, y = 0;
    if (isConst(a, x) && isConst(b, y))
        if (auto folded = foldBinary(op, valueBits(module_.types, type), x, y))
            return emit(Op::Const, type, {}, *folded);
    return emit(op, type, {a, b});
}

ValueId Builder::unary(Op op, ValueId a) {
    TypeId type = typeOf(a);
    uint64_t x = 0;
    if (isConst(a, x))
        if (auto folded = foldUnary(op, valueBits(module_.types, type), x)) return emit(Op::Const, type, {}, *folded);
    return emit(op, type, {a});
}

ValueId Builder::icmp(ICmpPred pred, ValueId a, ValueId b) {
    uint64_t x = 0, y = 0;
    if (isConst(a, x) && isConst(b, y)) return constBool(foldICmp(pred, valueBits(module_.types, typeOf(a)), x, y));
    return emit(Op::ICmp, TypeId::Bool, {a, b}, 0, static_cast<uint8_t>(pred));
}

ValueId Builder::fcmp(FCmpPred pred, ValueId a, ValueId b) {
    uint64_t x = 0, y = 0;
    if (isConst(a, x) && isConst(b, y)) return constBool(foldFCmp(pred, valueBits(module_.types, typeOf(a)), x, y));
    return emit(Op::FCmp, TypeId::Bool, {a, b}, 0, static_cast<uint8_t>(pred));
}

ValueId Builder::select(ValueId cond, ValueId a, ValueId b) {
    uint64_t bits = 0;
    if (a == b) return a;
    if (isConst(cond, bits)) return bits != 0 ? a : b;
    return emit(Op::Select, typeOf(a), {cond, a, b});
}

ValueId Builder::notBool(ValueId v) {
    uint64_t bits = 0;
    if (isConst(v, bits)) return constBool(bits == 0);
    return emit(Op::Xor, TypeId::Bool, {v, constBool(true)});
}

ValueId Builder::cast(Op op, ValueId v, TypeId to) {
    TypeId from = typeOf(v);
    unsigned fromBits = valueBits(module_.types, from), toBits = valueBits(module_.types, to);
    if (isWidthChange(op) && fromBits == toBits) op = Op::Reinterpret;
    if (op == Op::Reinterpret && from == to) return v;
    if (isNarrowFloatToInt(op, toBits)) return cast(Op::Trunc, cast(Op::FloatToSInt, v, TypeId::I64), to);
    uint64_t bits = 0;
    if (isConst(v, bits))
        if (auto folded = foldCast(op, fromBits, toBits, bits)) return emit(Op::Const, to, {}, *folded);
    return emit(op, to, {v});
}

// ---- calls

ValueId Builder::emitCall(Op op, uint64_t imm, TypeId result, llvm::ArrayRef<ValueId> head,
                          llvm::ArrayRef<ValueId> args) {
    llvm::SmallVector<ValueId, 12> operands(head);
    operands.append(args.begin(), args.end());
    return emit(op, isScalar(module_.types, result) ? result : TypeId::Void, operands, imm);
}

ValueId Builder::call(FuncId f, llvm::ArrayRef<ValueId> args) {
    const Function& callee = module_.fn(f);
    assert(!returnsInMemory(module_.types, callee.result));
    ValueId v = emitCall(Op::Call, static_cast<uint32_t>(f), callee.result, {}, args);
    fn_.instrs[raw(v)].unlikely = callee.cold;
    return v;
}

void Builder::callInto(FuncId f, ValueId dest, llvm::ArrayRef<ValueId> args) {
    const Function& callee = module_.fn(f);
    assert(returnsInMemory(module_.types, callee.result));
    ValueId v = emitCall(Op::Call, static_cast<uint32_t>(f), TypeId::Void, {dest}, args);
    fn_.instrs[raw(v)].unlikely = callee.cold;
}

ValueId Builder::callIndirect(ValueId callee, TypeId fnType, llvm::ArrayRef<ValueId> args, ValueId dest) {
    TypeId result = module_.types.functionInfo(fnType).result;
    assert(returnsInMemory(module_.types, result) == (dest != ValueId::None));
    llvm::SmallVector<ValueId, 2> head{callee};
    if (dest != ValueId::None) head.push_back(dest);
    return emitCall(Op::CallIndirect, static_cast<uint32_t>(fnType), result, head, args);
}

ValueId Builder::traceFrame(Span at) {
    ValueId v = emit(Op::TraceFrame, TypeId::U64, {});
    fn_.instrs[raw(v)].span = at;
    return v;
}

// ---- terminators

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

void Builder::br(BlockId block, llvm::ArrayRef<ValueId> args) { terminate(Op::Br, {}, {{block, args}}); }

void Builder::condBr(ValueId cond, BlockId ifTrue, BlockId ifFalse, bool trueIsUnlikely) {
    bool isLive = !terminated();
    condBr(cond, ifTrue, {}, ifFalse, {});
    if (isLive && trueIsUnlikely) fn_.instrs[raw(fn_.blocks[raw(block_)].instrs.back())].unlikely = true;
}

void Builder::condBr(ValueId cond, BlockId ifTrue, llvm::ArrayRef<ValueId> trueArgs, BlockId ifFalse,
                     llvm::ArrayRef<ValueId> falseArgs) {
    uint64_t bits = 0;
    if (isConst(cond, bits)) return bits != 0 ? br(ifTrue, trueArgs) : br(ifFalse, falseArgs);
    terminate(Op::CondBr, {cond}, {{ifTrue, trueArgs}, {ifFalse, falseArgs}});
}

void Builder::switchOn(ValueId value, BlockId otherwise, llvm::ArrayRef<std::pair<uint64_t, BlockId>> cases) {
    if (terminated()) return;
    uint64_t bits = 0;
    if (isConst(value, bits)) {
        for (const auto& [v, block] : cases)
            if (lowBits(valueBits(module_.types, typeOf(value)), v) == bits) return br(block);
        return br(otherwise);
    }
    // A terminator counts its targets in a byte: a longer list goes on in further switches.
    BlockId first = block_;
    while (cases.size() > MaxTargets - 1) {
        BlockId rest = newBlock();
        switchOnFew(value, rest, cases.take_front(MaxTargets - 1));
        cases = cases.drop_front(MaxTargets - 1);
        setBlock(rest);
    }
    switchOnFew(value, otherwise, cases);
    setBlock(first);
}

void Builder::switchOnFew(ValueId value, BlockId otherwise, llvm::ArrayRef<std::pair<uint64_t, BlockId>> cases) {
    unsigned width = valueBits(module_.types, typeOf(value));
    llvm::SmallVector<BranchTo, 16> targets{{otherwise, {}}};
    SwitchCases values;
    for (const auto& [v, block] : cases) {
        values.values.push_back(lowBits(width, v));
        targets.push_back({block, {}});
    }
    fn_.switches.push_back(std::move(values));
    terminate(Op::Switch, {value}, targets, fn_.switches.size() - 1);
}

void Builder::ret() { terminate(Op::Ret, {}, {}); }
void Builder::ret(ValueId v) { terminate(Op::Ret, {v}, {}); }

void Builder::panic(PanicKind kind, Span at, llvm::ArrayRef<ValueId> operands) {
    Span before = span_;
    span_ = at;
    terminate(Op::Panic, operands, {}, static_cast<uint64_t>(kind));
    span_ = before;
}

void Builder::unreachable() { terminate(Op::Unreachable, {}, {}); }

// ---- asking

TypeId Builder::typeOf(ValueId v) const { return fn_.instr(v).type; }

bool Builder::isConst(ValueId v, uint64_t& bits) const {
    const Instr& i = fn_.instr(v);
    if (i.op != Op::Const) return false;
    bits = i.imm;
    return true;
}

} // namespace sx::ir
