#include "Reference.h"

using namespace sx;
using namespace sx::ir;

struct Reference::Frame {
    const Function& fn;
    const std::vector<uint64_t>& args;
    std::vector<uint64_t> values;
    std::vector<std::vector<uint64_t>> slots;
    uint64_t get(ValueId v) const { return values[static_cast<uint32_t>(v)]; }
    uint64_t operand(const Instr& i, unsigned n) const { return get(fn.operandsOf(i)[n]); }
    TypeId typeOf(const Instr& i, unsigned n) const { return fn.instr(fn.operandsOf(i)[n]).type; }
};

uint64_t Reference::compute(Frame& f, const Instr& i) {
    auto operand = [&](unsigned n) { return f.operand(i, n); };
    switch (i.op) {
    case Op::Const: return i.imm;
    case Op::Undef: return 0;
    case Op::SlotAddr: return reinterpret_cast<uint64_t>(f.slots[i.imm].data());
    case Op::Param: return f.args[i.imm];
    case Op::Load: {
        uint64_t v = 0;
        std::memcpy(&v, reinterpret_cast<const void*>(operand(0)), bytes(i.type));
        return lowBits(bits(i.type), v);
    }
    case Op::Offset: return operand(0) + i.imm;
    case Op::Index: return operand(0) + operand(1) * i.imm;
    case Op::MemEq:
        return std::memcmp(reinterpret_cast<const void*>(operand(0)), reinterpret_cast<const void*>(operand(1)),
                           operand(2)) == 0;
    case Op::ICmp: return foldICmp(static_cast<ICmpPred>(i.pred), bits(f.typeOf(i, 0)), operand(0), operand(1));
    case Op::FCmp: return foldFCmp(static_cast<FCmpPred>(i.pred), bits(f.typeOf(i, 0)), operand(0), operand(1));
    case Op::Select: return operand(0) ? operand(1) : operand(2);
    case Op::Call: {
        std::vector<uint64_t> args;
        for (unsigned n = 0; n < i.operandCount; ++n) args.push_back(operand(n));
        return call(static_cast<FuncId>(i.imm), args);
    }
    case Op::FNeg: return *foldUnary(i.op, bits(i.type), operand(0));
    default: break;
    }
    if (i.op >= Op::Add && i.op <= Op::FRem) return *foldBinary(i.op, bits(i.type), operand(0), operand(1));
    return *foldCast(i.op, bits(f.typeOf(i, 0)), bits(i.type), operand(0));
}

void Reference::access(Frame& f, const Instr& i) {
    auto* to = reinterpret_cast<void*>(f.operand(i, 0));
    if (i.op == Op::Zero) {
        std::memset(to, 0, i.imm);
    } else if (i.op == Op::Copy) {
        std::memmove(to, reinterpret_cast<const void*>(f.operand(i, 1)), i.imm);
    } else {
        uint64_t v = f.operand(i, 1);
        std::memcpy(to, &v, bytes(f.typeOf(i, 1)));
    }
}

BlockId Reference::leave(Frame& f, const Instr& i) {
    unsigned taken = 0;
    if (i.op == Op::CondBr) taken = f.operand(i, 0) ? 0 : 1;
    if (i.op == Op::Switch) {
        const std::vector<uint64_t>& cases = f.fn.switches[i.imm].values;
        for (unsigned n = 0; n < cases.size(); ++n)
            if (cases[n] == f.operand(i, 0)) taken = n + 1;
    }
    const Target& t = f.fn.targetsOf(i)[taken];
    std::vector<uint64_t> args;
    for (ValueId v : f.fn.argsOf(t)) args.push_back(f.get(v));
    const Block& block = f.fn.blocks[static_cast<uint32_t>(t.block)];
    for (size_t n = 0; n < args.size(); ++n) f.values[static_cast<uint32_t>(block.params[n])] = args[n];
    return t.block;
}

uint64_t Reference::call(FuncId id, const std::vector<uint64_t>& args) {
    const Function& fn = module_.fn(id);
    Frame f{fn, args, std::vector<uint64_t>(fn.instrs.size()), {}};
    for (const Slot& s : fn.slots) f.slots.emplace_back((s.size + 7) / 8);
    BlockId b{0};
    for (;;) {
        for (ValueId v : fn.blocks[static_cast<uint32_t>(b)].instrs) {
            const Instr& i = fn.instr(v);
            if (i.op == Op::Ret) return i.operandCount ? f.operand(i, 0) : 0;
            if (isTerminator(i.op)) {
                b = leave(f, i);
                break;
            }
            if (i.op == Op::BlockParam) continue;
            if (i.op == Op::Store || i.op == Op::Copy || i.op == Op::Zero) access(f, i);
            else f.values[static_cast<uint32_t>(v)] = compute(f, i);
        }
    }
}
