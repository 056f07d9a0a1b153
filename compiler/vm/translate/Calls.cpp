// Translation of calls, returns and trace operations.
#include "types/Layout.h"
#include "vm/translate/Emit.h"

namespace sx::vm {

using ir::Op;

/// Arguments that were not computed in the outgoing area are moved there.
void passArguments(Translator& t, const Instr& i) {
    const ir::Module& module = t.environment.module();
    for (unsigned o = 0; o < i.operandCount; ++o) {
        int32_t word = outgoingWord(module, i, o);
        if (word < 0 || t.isInPlace(t.operand(i, o), ValuePlan::Target::Outgoing, static_cast<uint32_t>(word)))
            continue;
        t.useInto(t.operand(i, o), static_cast<Reg>(OutgoingBase + word));
    }
}

void emitCall(Translator& t, const Instr& i, ValueId v) {
    auto target = static_cast<ir::FuncId>(i.imm);
    const ir::Function& callee = t.environment.module().fn(target);
    if (callee.isExtern) return emitForeignCall(t, i, v, callee);
    passArguments(t, i);
    Reg d = t.kindOf(v).cls != ir::ValueClass::None ? t.dest(v) : 0;
    t.environment.willCall(target);
    if (i.imm <= UINT16_MAX) return t.code.emit(Opcode::Call, d, OutgoingBase, static_cast<uint16_t>(i.imm));
    t.code.emitWide(Opcode::CallW, 0, static_cast<int32_t>(i.imm));
    t.code.extra(d, OutgoingBase);
}

void emitIndirectCall(Translator& t, const Instr& i, ValueId v) {
    auto type = static_cast<TypeId>(i.imm);
    const FunctionInfo& info = t.types.functionInfo(type);
    std::vector<TypeId> extra;
    unsigned first = ir::returnsInMemory(t.types, info.result) ? 2 : 1;
    for (unsigned o = first + static_cast<unsigned>(info.params.size()); o < i.operandCount; ++o)
        extra.push_back(t.instr(t.operand(i, o)).type);
    passArguments(t, i);
    Reg callee = t.use(t.operand(i, 0));
    Reg d = t.kindOf(v).cls != ir::ValueClass::None ? t.dest(v) : 0;
    t.code.emitWide(Opcode::CallInd, callee, static_cast<int32_t>(t.environment.indirectSite(type, extra)));
    t.code.extra(d, OutgoingBase);
}

void emitForeignCall(Translator& t, const Instr& i, ValueId v, const ir::Function& callee) {
    std::vector<TypeId> types = callee.params;
    unsigned first = ir::returnsInMemory(t.types, callee.result) ? 1 : 0;
    for (unsigned o = first + static_cast<unsigned>(callee.params.size()); o < i.operandCount; ++o)
        types.push_back(t.instr(t.operand(i, o)).type);
    passArguments(t, i);
    Reg d = t.kindOf(v).cls != ir::ValueClass::None ? t.dest(v) : t.scratch();
    t.code.emitWide(Opcode::CallForeign, 0, static_cast<int32_t>(t.environment.foreignSite(callee, types)));
    t.code.extra(d, OutgoingBase);
}

void emitReturn(Translator& t, const Instr& i) {
    bool inMemory = ir::returnsInMemory(t.types, t.fn.result);
    Reg value = i.operandCount != 0 ? t.use(t.operand(i, 0)) : 0;
    uint64_t size = inMemory ? sizeOf(t.types, t.fn.result) : 0;
    if (size != 0) copyBytes(t, static_cast<Reg>(t.fn.params.size()), value, size);
    if (t.farBytes != 0) t.code.emit(Opcode::LeaveFar, t.farRegister);
    if (i.operandCount == 0 || inMemory) t.code.emit(Opcode::RetVoid);
    else t.code.emit(Opcode::Ret, value);
}

void emitTrace(Translator& t, const Instr& i, ValueId v) {
    if (!t.environment.recordsTraces() && i.op != Op::TraceResolve) {
        if (i.op == Op::TraceFind || i.op == Op::TraceResume) t.loadConstant(t.dest(v), 0); // nothing was kept
        return;
    }
    switch (i.op) {
    case Op::TraceRaise: {
        Reg frame = t.use(t.operand(i, 0)), tag = t.use(t.operand(i, 1));
        return t.code.emit(Opcode::TraceRaise, frame, tag);
    }
    case Op::TracePush: return t.code.emit(Opcode::TracePush, t.use(t.operand(i, 0)));
    case Op::TraceLink: return t.code.emit(Opcode::TraceLink, static_cast<Reg>(i.imm));
    case Op::TraceCapture: return t.code.emit(Opcode::TraceCapture, t.use(t.operand(i, 0)), static_cast<Reg>(i.imm));
    case Op::TraceCopy: {
        Reg to = t.use(t.operand(i, 0)), from = t.use(t.operand(i, 1));
        return t.code.emit(Opcode::TraceCopy, to, from);
    }
    case Op::TraceForget: return t.code.emit(Opcode::TraceForget, t.use(t.operand(i, 0)));
    case Op::TraceValues: passArguments(t, i); return t.code.emit(Opcode::TraceValues, OutgoingBase);
    case Op::TraceResolve: {
        Reg to = t.use(t.operand(i, 0)), frame = t.use(t.operand(i, 1));
        return t.code.emit(Opcode::TraceResolve, to, frame);
    }
    case Op::TraceFind:
    case Op::TraceResume: {
        Reg d = t.dest(v), snapshot = t.use(t.operand(i, 0)), tag = t.use(t.operand(i, 1));
        return t.code.emit(i.op == Op::TraceFind ? Opcode::TraceFind : Opcode::TraceResume, d, snapshot, tag);
    }
    default: return t.code.emit(Opcode::TraceAbsorb);
    }
}

} // namespace sx::vm
