#include "ir/StraightLine.h"

#include "ir/Folding.h"
#include "ir/Ops.h"
#include "types/Layout.h"
#include "types/Predicates.h"

#include <algorithm>
#include <cstring>

namespace sx::ir {

namespace {

constexpr unsigned MaxSteps = 1 << 20; ///< a literal has as many as it has parts

/// A scalar: bits (zero-extended), or an address.
struct Scalar {
    enum class Kind : uint8_t { Unknown, Bits, Slot, Global, Function, Type } kind = Kind::Unknown;
    uint64_t bits = 0; ///< of an address: the byte offset
    uint32_t id = 0;   ///< SlotId, GlobalId, FuncId, TypeId
    static Scalar ofBits(uint64_t b) { return {Kind::Bits, b, 0}; }
    bool isBits() const { return kind == Kind::Bits; }
};

/// The memory of a slot: its bytes, and the addresses that lie in it.
struct Memory {
    std::vector<uint8_t> bytes;
    std::vector<std::pair<uint64_t, Scalar>> addresses; ///< by offset

    bool holds(uint64_t at, uint64_t size) const { return at <= bytes.size() && size <= bytes.size() - at; }
    /// False: an address would be cut.
    bool clear(uint64_t at, uint64_t size) {
        for (const auto& [offset, address] : addresses)
            if (offset < at + size && at < offset + 8 && !(at <= offset && offset + 8 <= at + size)) return false;
        std::erase_if(addresses, [&](const auto& a) { return a.first >= at && a.first < at + size; });
        std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(at), size, 0);
        return true;
    }
};

class Evaluation {
public:
    Evaluation(Module& m, const Function& fn)
        : m_(m), types_(m.types), fn_(fn), values_(fn.instrs.size()), slots_(fn.slots.size()) {}

    std::optional<ConstData> run() {
        if (fn_.blocks.empty()) return std::nullopt;
        BlockId block{0};
        for (;;) {
            for (ValueId v : fn_.blocks[static_cast<uint32_t>(block)].instrs) {
                if (++steps_ > MaxSteps) return std::nullopt;
                const Instr& i = fn_.instr(v);
                if (i.op == Op::Ret) return result(i);
                if (i.op == Op::Br || i.op == Op::CondBr) {
                    std::optional<Target> next = target(i);
                    if (!next || !enter(*next)) return std::nullopt;
                    block = next->block;
                    break;
                }
                if (!execute(i, values_[static_cast<uint32_t>(v)])) return std::nullopt;
            }
        }
    }

private:
    const Scalar& value(ValueId v) const { return values_[static_cast<uint32_t>(v)]; }
    const Scalar& operand(const Instr& i, unsigned k) const { return value(fn_.operandsOf(i)[k]); }
    TypeId operandType(const Instr& i, unsigned k) const { return fn_.instr(fn_.operandsOf(i)[k]).type; }

    // ---- branches

    std::optional<Target> target(const Instr& i) const {
        if (i.op == Op::Br) return fn_.targetsOf(i)[0];
        const Scalar& condition = operand(i, 0);
        if (!condition.isBits()) return std::nullopt;
        return fn_.targetsOf(i)[condition.bits & 1 ? 0 : 1];
    }

    bool enter(const Target& t) {
        std::vector<Scalar> args;
        for (ValueId v : fn_.argsOf(t)) args.push_back(value(v));
        llvm::ArrayRef<ValueId> params = fn_.blocks[static_cast<uint32_t>(t.block)].params;
        for (size_t k = 0; k < params.size(); ++k) values_[static_cast<uint32_t>(params[k])] = args[k];
        return true;
    }

    // ---- instructions

// clang-format off
#define IR_CAST_OP(name, ...) case Op::name: return cast(i, out);
#define IR_INT_OP(name, ...) case Op::name: return arithmetic(i, out);
#define IR_BIT_OP IR_INT_OP
#define IR_FLOAT_OP IR_INT_OP
#define IR_FLOAT_SIGN_OP IR_INT_OP
    // clang-format on
    bool execute(const Instr& i, Scalar& out) {
        switch (i.op) {
        case Op::Const: out = Scalar::ofBits(i.imm); return true;
        case Op::Undef: out = Scalar::ofBits(0); return true;
        case Op::FuncAddr: out = {Scalar::Kind::Function, 0, static_cast<uint32_t>(i.imm)}; return true;
        case Op::GlobalAddr: out = {Scalar::Kind::Global, 0, static_cast<uint32_t>(i.imm)}; return true;
        case Op::TypeHandle: out = {Scalar::Kind::Type, 0, static_cast<uint32_t>(i.imm)}; return true;
        case Op::SlotAddr: out = {Scalar::Kind::Slot, 0, static_cast<uint32_t>(i.imm)}; return true;
        case Op::BlockParam: return true; // set on entry
        case Op::Offset: return moved(operand(i, 0), i.imm, out);
        case Op::Index: return operand(i, 1).isBits() && moved(operand(i, 0), operand(i, 1).bits * i.imm, out);
        case Op::Load: return load(i, out);
        case Op::Store: return store(operand(i, 0), operand(i, 1), operandType(i, 1));
        case Op::Copy: return copy(operand(i, 0), operand(i, 1), i.imm);
        case Op::CopyN: return operand(i, 2).isBits() && copy(operand(i, 0), operand(i, 1), operand(i, 2).bits);
        case Op::Zero: return zero(operand(i, 0), i.imm);
        case Op::Select:
            if (!operand(i, 0).isBits()) return false;
            out = operand(i, 0).bits & 1 ? operand(i, 1) : operand(i, 2);
            return true;
        case Op::ICmp: return compare(i, out);
#include "ir/Ops.def"
        default: return false; // whatever does more than put a constant together is the interpreter's
        }
    }

    static bool moved(const Scalar& base, uint64_t by, Scalar& out) {
        if (base.kind != Scalar::Kind::Slot && base.kind != Scalar::Kind::Global) return false;
        out = base;
        out.bits += by;
        return true;
    }

    bool arithmetic(const Instr& i, Scalar& out) {
        unsigned bits = valueBits(types_, i.type);
        for (unsigned k = 0; k < i.operandCount; ++k)
            if (!operand(i, k).isBits()) return false;
        std::optional<uint64_t> folded = i.operandCount == 1
                                             ? foldUnary(i.op, bits, operand(i, 0).bits)
                                             : foldBinary(i.op, bits, operand(i, 0).bits, operand(i, 1).bits);
        if (folded) out = Scalar::ofBits(*folded);
        return folded.has_value();
    }

    bool compare(const Instr& i, Scalar& out) {
        if (!operand(i, 0).isBits() || !operand(i, 1).isBits()) return false;
        out = Scalar::ofBits(foldICmp(static_cast<ICmpPred>(i.pred), valueBits(types_, operandType(i, 0)),
                                      operand(i, 0).bits, operand(i, 1).bits));
        return true;
    }

    bool cast(const Instr& i, Scalar& out) {
        const Scalar& from = operand(i, 0);
        if (i.op == Op::Reinterpret && !from.isBits()) { // one pointer type for another
            out = from;
            return from.kind != Scalar::Kind::Unknown && classOf(types_, i.type) == ValueClass::Pointer;
        }
        if (!from.isBits()) return false;
        std::optional<uint64_t> folded =
            foldCast(i.op, valueBits(types_, operandType(i, 0)), valueBits(types_, i.type), from.bits);
        if (folded) out = Scalar::ofBits(*folded);
        return folded.has_value();
    }

    // ---- memory

    /// The slot behind an address, made on first use; null if the address is not that of `size` bytes in one.
    Memory* slotAt(const Scalar& address, uint64_t size) {
        if (address.kind != Scalar::Kind::Slot) return nullptr;
        Memory& m = slots_[address.id];
        const Slot& slot = fn_.slots[address.id];
        if (m.bytes.empty())
            m.bytes.resize(slot.size != 0 || slot.type == TypeId::None ? slot.size : sizeOf(types_, slot.type));
        return m.holds(address.bits, size) ? &m : nullptr;
    }

    bool store(const Scalar& to, const Scalar& v, TypeId type) {
        uint64_t size = sizeOf(types_, type);
        Memory* m = slotAt(to, size);
        if (!m || v.kind == Scalar::Kind::Unknown || !m->clear(to.bits, size)) return false;
        if (!v.isBits()) {
            m->addresses.emplace_back(to.bits, v);
            return size == 8;
        }
        // Odd widths are kept extended to their container.
        unsigned bits = valueBits(types_, type);
        bool extends = isInteger(types_, type) && types_.isSigned(type) && bits < 64;
        uint64_t raw = extends ? static_cast<uint64_t>(signExtended(bits, v.bits)) : v.bits;
        std::memcpy(m->bytes.data() + to.bits, &raw, std::min<uint64_t>(size, 8));
        return true;
    }

    bool load(const Instr& i, Scalar& out) {
        uint64_t size = sizeOf(types_, i.type);
        Memory part;
        if (size > 8 || !read(operand(i, 0), size, part)) return false;
        if (!part.addresses.empty()) {
            out = part.addresses.front().second;
            return part.addresses.size() == 1 && part.addresses.front().first == 0 && size == 8;
        }
        uint64_t raw = 0;
        std::memcpy(&raw, part.bytes.data(), size);
        out = Scalar::ofBits(lowBits(valueBits(types_, i.type), raw));
        return true;
    }

    /// Copies what lies at an address: in a slot, or in a constant of the program.
    bool read(const Scalar& from, uint64_t size, Memory& out) {
        out.bytes.assign(size, 0);
        if (Memory* m = slotAt(from, size)) {
            std::copy_n(m->bytes.begin() + static_cast<ptrdiff_t>(from.bits), size, out.bytes.begin());
            for (const auto& [offset, address] : m->addresses)
                if (!take(offset, address, from.bits, size, out)) return false;
            return true;
        }
        if (from.kind != Scalar::Kind::Global) return false;
        const Global& g = m_.global(static_cast<GlobalId>(from.id));
        if (!g.isConst || g.isExtern || static_cast<GlobalId>(from.id) == m_.errorNames || from.bits > g.size ||
            size > g.size - from.bits)
            return false;
        for (uint64_t k = 0; k < size && from.bits + k < g.init.bytes.size(); ++k)
            out.bytes[k] = g.init.bytes[from.bits + k];
        for (const Reloc& r : g.init.relocs) {
            Scalar address;
            switch (r.kind) {
            case Reloc::Kind::Function: address.kind = Scalar::Kind::Function; break;
            case Reloc::Kind::Global: address.kind = Scalar::Kind::Global; break;
            case Reloc::Kind::TypeHandle: address.kind = Scalar::Kind::Type; break;
            }
            address.id = r.id;
            address.bits = static_cast<uint64_t>(r.addend);
            if (!take(r.offset, address, from.bits, size, out)) return false;
        }
        return true;
    }

    /// An address at `offset` belongs to the part from `begin`, of `size` bytes. False: it is cut.
    static bool take(uint64_t offset, const Scalar& address, uint64_t begin, uint64_t size, Memory& out) {
        if (offset + 8 <= begin || offset >= begin + size) return true;
        if (offset < begin || offset + 8 > begin + size) return false;
        out.addresses.emplace_back(offset - begin, address);
        return true;
    }

    bool copy(const Scalar& to, const Scalar& from, uint64_t size) {
        if (size == 0) return true;
        Memory part;
        if (!read(from, size, part)) return false;
        Memory* m = slotAt(to, size);
        if (!m || !m->clear(to.bits, size)) return false;
        std::copy(part.bytes.begin(), part.bytes.end(), m->bytes.begin() + static_cast<ptrdiff_t>(to.bits));
        for (const auto& [offset, address] : part.addresses) m->addresses.emplace_back(to.bits + offset, address);
        return true;
    }

    bool zero(const Scalar& at, uint64_t size) {
        if (size == 0) return true;
        Memory* m = slotAt(at, size);
        return m && m->clear(at.bits, size);
    }

    // ---- the result

    std::optional<ConstData> result(const Instr& ret) {
        Memory whole;
        if (ret.operandCount != 0) {
            const Scalar& v = operand(ret, 0);
            uint64_t size = sizeOf(types_, fn_.result);
            if (returnsInMemory(types_, fn_.result)) {
                if (!read(v, size, whole)) return std::nullopt;
            } else {
                whole.bytes.assign(std::max<uint64_t>(size, 8), 0);
                if (v.kind == Scalar::Kind::Unknown) return std::nullopt;
                if (v.isBits()) std::memcpy(whole.bytes.data(), &v.bits, 8);
                else whole.addresses.emplace_back(0, v);
                whole.bytes.resize(size);
            }
        }
        if (!canKeep(whole)) return std::nullopt;
        return keep(whole);
    }

    /// Before anything is made: what the result refers to are slots that end, too.
    bool canKeep(const Memory& m) {
        for (const auto& [offset, address] : m.addresses) {
            if (address.kind != Scalar::Kind::Slot) continue;
            Memory* slot = slotAt(address, 0);
            if (!slot || fn_.slots[address.id].type == TypeId::None) return false;
            if (std::find(visited_.begin(), visited_.end(), address.id) != visited_.end()) continue;
            visited_.push_back(address.id);
            if (!canKeep(*slot)) return false;
        }
        return true;
    }

    ConstData keep(const Memory& m) {
        ConstData data;
        data.bytes = m.bytes;
        for (const auto& [offset, address] : m.addresses) {
            auto addend = static_cast<int64_t>(address.bits);
            switch (address.kind) {
            case Scalar::Kind::Function: data.relocs.push_back({Reloc::Kind::Function, offset, address.id, 0}); break;
            case Scalar::Kind::Type: data.relocs.push_back({Reloc::Kind::TypeHandle, offset, address.id, 0}); break;
            case Scalar::Kind::Global: data.relocs.push_back({Reloc::Kind::Global, offset, address.id, addend}); break;
            case Scalar::Kind::Slot:
                data.relocs.push_back(
                    {Reloc::Kind::Global, offset, static_cast<uint32_t>(globalOf(address.id)), addend});
                break;
            case Scalar::Kind::Unknown:
            case Scalar::Kind::Bits: break;
            }
        }
        std::sort(data.relocs.begin(), data.relocs.end(),
                  [](const Reloc& a, const Reloc& b) { return a.offset < b.offset; });
        return data;
    }

    /// A local that outlives the evaluation.
    GlobalId globalOf(uint32_t slot) {
        for (auto [known, global] : globals_)
            if (known == slot) return global;
        auto id = static_cast<GlobalId>(m_.globals.size());
        globals_.emplace_back(slot, id);
        TypeId type = fn_.slots[slot].type;
        Global g;
        g.name = "compile-time data";
        g.symbol = "sx.data." + std::to_string(m_.globals.size());
        g.type = type;
        g.size = sizeOf(types_, type);
        g.align = static_cast<uint32_t>(alignOf(types_, type));
        g.isConst = true;
        m_.globals.push_back(std::move(g));
        ConstData data = keep(slots_[slot]);
        m_.global(id).init = std::move(data);
        return id;
    }

    Module& m_;
    const TypeTable& types_;
    const Function& fn_;
    std::vector<Scalar> values_;
    std::vector<Memory> slots_;
    std::vector<uint32_t> visited_;
    std::vector<std::pair<uint32_t, GlobalId>> globals_;
    unsigned steps_ = 0;
};

} // namespace

std::optional<ConstData> evaluateStraightLine(Module& m, const Function& fn) { return Evaluation(m, fn).run(); }

} // namespace sx::ir
