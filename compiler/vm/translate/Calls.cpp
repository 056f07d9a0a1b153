// Translation of calls, returns and trace operations.
#include "vm/translate/Translator.h"

namespace sx::vm {

using ir::Op;

/// Arguments that were not computed in the outgoing area are moved there.
void Translator::passArguments(const Instr& i) {
    for (unsigned o = 0; o < i.operandCount; ++o) {
        int32_t word = analysis_.outgoingWord(i, o);
        if (word < 0 || isInPlace(operand(i, o), ValuePlan::Target::Outgoing, static_cast<uint32_t>(word))) continue;
        useInto(operand(i, o), static_cast<Reg>(OutgoingBase + word));
    }
}

void Translator::emitCall(const Instr& i, ValueId v) {
    auto target = static_cast<ir::FuncId>(i.imm);
    const ir::Function& callee = environment_.module().fn(target);
    if (callee.isExtern) return emitForeignCall(i, v, callee);
    passArguments(i);
    Reg d = kindOf(v).cls != ir::ValueClass::None ? dest(v) : 0;
    environment_.willCall(target);
    if (i.imm <= UINT16_MAX) return code_.emit(Opcode::Call, d, OutgoingBase, static_cast<uint16_t>(i.imm));
    code_.emitWide(Opcode::CallW, 0, static_cast<int32_t>(i.imm));
    code_.extra(d, OutgoingBase);
}

void Translator::emitIndirectCall(const Instr& i, ValueId v) {
    auto type = static_cast<TypeId>(i.imm);
    const FunctionInfo& info = types_.functionInfo(type);
    std::vector<TypeId> extra;
    unsigned first = ir::returnsInMemory(types_, info.result) ? 2 : 1;
    for (unsigned o = first + static_cast<unsigned>(info.params.size()); o < i.operandCount; ++o)
        extra.push_back(instr(operand(i, o)).type);
    passArguments(i);
    Reg callee = use(operand(i, 0));
    Reg d = kindOf(v).cls != ir::ValueClass::None ? dest(v) : 0;
    code_.emitWide(Opcode::CallInd, callee, static_cast<int32_t>(environment_.indirectSite(type, extra)));
    code_.extra(d, OutgoingBase);
}

void Translator::emitForeignCall(const Instr& i, ValueId v, const ir::Function& callee) {
    std::vector<TypeId> types = callee.params;
    unsigned first = ir::returnsInMemory(types_, callee.result) ? 1 : 0;
    for (unsigned o = first + static_cast<unsigned>(callee.params.size()); o < i.operandCount; ++o)
        types.push_back(instr(operand(i, o)).type);
    passArguments(i);
    Reg d = kindOf(v).cls != ir::ValueClass::None ? dest(v) : scratch();
    code_.emitWide(Opcode::CallForeign, 0, static_cast<int32_t>(environment_.foreignSite(callee, types)));
    code_.extra(d, OutgoingBase);
}

void Translator::emitReturn(const Instr& i) {
    bool inMemory = ir::returnsInMemory(types_, fn_.result);
    Reg value = i.operandCount != 0 ? use(operand(i, 0)) : 0;
    uint64_t size = inMemory ? types_.sizeOf(fn_.result) : 0;
    if (size != 0) copyBytes(static_cast<Reg>(fn_.params.size()), value, size);
    if (farBytes_ != 0) code_.emit(Opcode::LeaveFar, farRegister_);
    if (i.operandCount == 0 || inMemory) code_.emit(Opcode::RetVoid);
    else code_.emit(Opcode::Ret, value);
}

void Translator::emitTrace(const Instr& i, ValueId v) {
    switch (i.op) {
    case Op::TraceRaise: {
        Reg frame = use(operand(i, 0)), tag = use(operand(i, 1));
        return code_.emit(Opcode::TraceRaise, frame, tag);
    }
    case Op::TracePush: return code_.emit(Opcode::TracePush, use(operand(i, 0)));
    case Op::TraceLink: return code_.emit(Opcode::TraceLink, static_cast<Reg>(i.imm));
    case Op::TraceCapture: return code_.emit(Opcode::TraceCapture, use(operand(i, 0)), static_cast<Reg>(i.imm));
    case Op::TraceCopy: {
        Reg to = use(operand(i, 0)), from = use(operand(i, 1));
        return code_.emit(Opcode::TraceCopy, to, from);
    }
    case Op::TraceForget: return code_.emit(Opcode::TraceForget, use(operand(i, 0)));
    case Op::TraceValues: passArguments(i); return code_.emit(Opcode::TraceValues, OutgoingBase);
    case Op::TraceResolve: {
        Reg to = use(operand(i, 0)), frame = use(operand(i, 1));
        return code_.emit(Opcode::TraceResolve, to, frame);
    }
    case Op::TraceResume: {
        Reg d = dest(v);
        return code_.emit(Opcode::TraceResume, d, use(operand(i, 0)));
    }
    default: return code_.emit(Opcode::TraceAbsorb);
    }
}

} // namespace sx::vm
