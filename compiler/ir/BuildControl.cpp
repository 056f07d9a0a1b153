#include "ir/BuildControl.h"

#include "ir/Folding.h"
#include "ir/Ops.h"

namespace sx::ir {

namespace {

using Cases = llvm::ArrayRef<std::pair<uint64_t, BlockId>>;

unsigned widthOf(Builder& b, ValueId v) { return valueBits(b.module().types, b.typeOf(v)); }

/// A switch whose targets fit into one terminator.
void switchOnFew(Builder& b, ValueId value, BlockId otherwise, Cases cases) {
    unsigned width = widthOf(b, value);
    llvm::SmallVector<Builder::BranchTo, 16> targets{{otherwise, {}}};
    SwitchCases values;
    for (const auto& [v, block] : cases) {
        values.values.push_back(lowBits(width, v));
        targets.push_back({block, {}});
    }
    List<SwitchCases>& switches = b.function().switches;
    switches.push_back(std::move(values));
    b.terminate(Op::Switch, {value}, targets, switches.size() - 1);
}

} // namespace

void emitBr(Builder& b, BlockId block, llvm::ArrayRef<ValueId> args) { b.terminate(Op::Br, {}, {{block, args}}); }

void emitCondBr(Builder& b, ValueId cond, BlockId ifTrue, BlockId ifFalse, bool trueIsUnlikely) {
    bool isLive = !b.terminated();
    emitCondBr(b, cond, ifTrue, {}, ifFalse, {});
    if (!isLive || !trueIsUnlikely) return;
    Function& fn = b.function();
    ValueId branch = fn.blocks[static_cast<uint32_t>(b.block())].instrs.back();
    fn.instrs[static_cast<uint32_t>(branch)].unlikely = true;
}

void emitCondBr(Builder& b, ValueId cond, BlockId ifTrue, llvm::ArrayRef<ValueId> trueArgs, BlockId ifFalse,
                llvm::ArrayRef<ValueId> falseArgs) {
    uint64_t bits = 0;
    if (b.isConst(cond, bits)) return bits != 0 ? emitBr(b, ifTrue, trueArgs) : emitBr(b, ifFalse, falseArgs);
    b.terminate(Op::CondBr, {cond}, {{ifTrue, trueArgs}, {ifFalse, falseArgs}});
}

void emitSwitch(Builder& b, ValueId value, BlockId otherwise, Cases cases) {
    if (b.terminated()) return;
    uint64_t bits = 0;
    if (b.isConst(value, bits)) {
        for (const auto& [v, block] : cases)
            if (lowBits(widthOf(b, value), v) == bits) return emitBr(b, block);
        return emitBr(b, otherwise);
    }
    // A terminator counts its targets in a byte: a longer list goes on in further switches.
    constexpr size_t MostCases = Builder::MaxTargets - 1;
    BlockId first = b.block();
    while (cases.size() > MostCases) {
        BlockId rest = b.newBlock();
        switchOnFew(b, value, rest, cases.take_front(MostCases));
        cases = cases.drop_front(MostCases);
        b.setBlock(rest);
    }
    switchOnFew(b, value, otherwise, cases);
    b.setBlock(first);
}

void emitRet(Builder& b) { b.terminate(Op::Ret, {}, {}); }
void emitRet(Builder& b, ValueId v) { b.terminate(Op::Ret, {v}, {}); }

void emitPanic(Builder& b, PanicKind kind, Span at, llvm::ArrayRef<ValueId> operands) {
    Span before = b.span();
    b.setSpan(at);
    b.terminate(Op::Panic, operands, {}, static_cast<uint64_t>(kind));
    b.setSpan(before);
}

void emitUnreachable(Builder& b) { b.terminate(Op::Unreachable, {}, {}); }

} // namespace sx::ir
