// Where the translator finds and puts values.
#include "vm/translate/Emit.h"

#include <algorithm>

namespace sx::vm {

using ir::Op;
using Home = ValuePlan::Home;
using Target = ValuePlan::Target;

// ---- registers

Reg Translator::takeTemp() {
    if (!temps.free.empty()) {
        Reg r = temps.free.back();
        temps.free.pop_back();
        return r;
    }
    if (temps.end + 1 >= OutgoingBase) {
        tooLarge = true;
        return 0;
    }
    Reg r = static_cast<Reg>(temps.end++);
    maxTemp = std::max(maxTemp, temps.end);
    return r;
}

Reg Translator::scratch() {
    Reg r = takeTemp();
    temps.scratch.push_back(r);
    return r;
}

Reg Translator::dest(ValueId v) {
    const ValuePlan& p = analysis.plan(v);
    switch (p.target) {
    case Target::Slot: return slotRegister(static_cast<ir::SlotId>(p.targetIndex));
    case Target::BlockParam: return registers[p.targetIndex];
    case Target::Outgoing: return static_cast<Reg>(OutgoingBase + p.targetIndex);
    case Target::Own: break;
    }
    if (p.crossBlock) return registers[raw(v)];
    Reg r = takeTemp();
    registers[raw(v)] = r;
    temps.live.push_back({r, p.lastUse});
    return r;
}

bool Translator::isInPlace(ValueId v, Target target, uint32_t index) const {
    const ValuePlan& p = analysis.plan(v);
    return p.home == Home::Register && p.target == target && p.targetIndex == index;
}

// ---- constants

std::optional<uint64_t> Translator::constant(ValueId v) {
    const Instr& i = instr(v);
    if (i.op == Op::Const) return canonical(kindOf(v), i.imm);
    if (i.op == Op::Undef) return 0;
    if (i.op == Op::FuncAddr) return environment.functionAddress(static_cast<ir::FuncId>(i.imm));
    if (i.op == Op::GlobalAddr) return environment.globalAddress(static_cast<ir::GlobalId>(i.imm));
    if (i.op == Op::TypeHandle) return environment.typeHandle(static_cast<TypeId>(i.imm));
    if (i.op == Op::TraceFrame) return packFrame(func, i.span.begin);
    if (i.op == Op::IsComptime) return environment.isComptime();
    return std::nullopt;
}

bool Translator::smallConstant(ValueId v, int16_t& out) {
    v = analysis.resolve(v);
    if (instr(v).op != Op::Const) return false;
    int64_t value = static_cast<int64_t>(canonical(kindOf(v), instr(v).imm));
    out = static_cast<int16_t>(value);
    return out == value;
}

void Translator::loadConstant(Reg to, uint64_t value) {
    int64_t v = static_cast<int64_t>(value);
    if (v == static_cast<int32_t>(v)) code.emitWide(Opcode::LoadImm, to, static_cast<int32_t>(v));
    else code.emitPool(Opcode::LoadK, to, {value});
}

/// The register that holds a constant all the time, if the plan gave it one, else one that is loaded now.
Reg Translator::constantRegister(uint64_t value) {
    constexpr size_t MostConstants = 16;
    for (size_t i = 0; i < plan.constants.size(); ++i)
        if (plan.constants[i] == value) return constantRegisters[i];
    bool isNew = std::find(wanted.begin(), wanted.end(), value) == wanted.end();
    if (blockLoops && isNew && wanted.size() < MostConstants) wanted.push_back(value);
    Reg r = scratch();
    loadConstant(r, value);
    return r;
}

// ---- values

void Translator::move(Reg to, Reg from) {
    if (to != from) code.emit(Opcode::Mov, to, from);
}

Reg Translator::use(ValueId v) {
    v = analysis.resolve(v);
    const ValuePlan& p = analysis.plan(v);
    if (p.home == Home::SlotRead) return slotRegister(analysis.promotedSlot(operand(instr(v), 0)));
    if (p.home != Home::Folded) return registers[raw(v)];
    if (auto value = constant(v)) return constantRegister(*value);
    Reg r = scratch();
    useInto(v, r);
    return r;
}

void Translator::useInto(ValueId v, Reg to) {
    v = analysis.resolve(v);
    if (analysis.plan(v).home != Home::Folded) return move(to, use(v));
    if (auto value = constant(v)) return loadConstant(to, *value);
    addressInto(addressOf(v), to);
}

// ---- addresses

Address Translator::addressOf(ValueId pointer) {
    ValueId v = analysis.resolve(pointer);
    const Instr& i = instr(v);
    if (analysis.plan(v).home != Home::Folded) return {Address::Kind::Register, use(v), 0, 0};
    if (i.op == Op::SlotAddr) {
        const SlotPlace& place = places[i.imm];
        if (place.kind == SlotPlace::Kind::Far) return {Address::Kind::Register, farRegister, 0, place.index};
        return {Address::Kind::Frame, 0, 0, place.index};
    }
    if (i.op == Op::Index) return {Address::Kind::Indexed, use(operand(i, 0)), use(operand(i, 1)), 0};
    if (i.op != Op::Offset) return {Address::Kind::Register, use(v), 0, 0}; // a constant address
    if (auto base = constant(analysis.resolve(operand(i, 0)))) {
        Reg r = scratch();
        loadConstant(r, *base + i.imm);
        return {Address::Kind::Register, r, 0, 0};
    }
    Address a = addressOf(operand(i, 0));
    a.offset += i.imm;
    return a;
}

void Translator::addOffset(Reg to, Reg from, uint64_t offset) {
    if (offset == 0) return move(to, from);
    if (offset <= INT16_MAX) return code.emit(Opcode::AddI, to, from, static_cast<uint16_t>(offset));
    Reg r = scratch();
    loadConstant(r, offset);
    code.emit(Opcode::Add, to, from, r);
}

void Translator::addressInto(const Address& a, Reg to) {
    switch (a.kind) {
    case Address::Kind::Frame: return code.emitWide(Opcode::FrameAddr, to, static_cast<int32_t>(a.offset));
    case Address::Kind::Register: return addOffset(to, a.reg, a.offset);
    case Address::Kind::Indexed: return; // only ever folded into a load or store
    }
}

Reg Translator::addressRegister(const Address& a) {
    if (a.kind == Address::Kind::Register && a.offset == 0) return a.reg;
    Reg r = scratch();
    addressInto(a, r);
    return r;
}

} // namespace sx::vm
