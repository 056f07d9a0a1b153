#include "ir/BuildCalls.h"

#include "ir/Ops.h"
#include "types/Predicates.h"

#include <cassert>

namespace sx::ir {

namespace {

Instr& instr(Builder& b, ValueId v) { return b.function().instrs[static_cast<uint32_t>(v)]; }

ValueId emitCallOp(Builder& b, Op op, uint64_t imm, TypeId result, llvm::ArrayRef<ValueId> head,
                   llvm::ArrayRef<ValueId> args) {
    llvm::SmallVector<ValueId, 12> operands(head);
    operands.append(args.begin(), args.end());
    return b.emit(op, isScalar(b.module().types, result) ? result : TypeId::Void, operands, imm);
}

} // namespace

ValueId emitCall(Builder& b, FuncId f, llvm::ArrayRef<ValueId> args) {
    const Function& callee = b.module().fn(f);
    assert(!returnsInMemory(b.module().types, callee.result));
    ValueId v = emitCallOp(b, Op::Call, static_cast<uint32_t>(f), callee.result, {}, args);
    instr(b, v).unlikely = callee.cold;
    return v;
}

void emitCallInto(Builder& b, FuncId f, ValueId dest, llvm::ArrayRef<ValueId> args) {
    const Function& callee = b.module().fn(f);
    assert(returnsInMemory(b.module().types, callee.result));
    ValueId v = emitCallOp(b, Op::Call, static_cast<uint32_t>(f), TypeId::Void, {dest}, args);
    instr(b, v).unlikely = callee.cold;
}

ValueId emitCallIndirect(Builder& b, ValueId callee, TypeId fnType, llvm::ArrayRef<ValueId> args, ValueId dest) {
    TypeId result = b.module().types.functionInfo(fnType).result;
    assert(returnsInMemory(b.module().types, result) == (dest != ValueId::None));
    llvm::SmallVector<ValueId, 2> head{callee};
    if (dest != ValueId::None) head.push_back(dest);
    return emitCallOp(b, Op::CallIndirect, static_cast<uint32_t>(fnType), result, head, args);
}

ValueId emitTraceFrame(Builder& b, Span at) {
    ValueId v = b.emit(Op::TraceFrame, TypeId::U64, {});
    instr(b, v).span = at;
    return v;
}

} // namespace sx::ir
