// Translation of loads, stores, block operations and addresses.
#include "types/Predicates.h"
#include "vm/translate/Emit.h"

#include <algorithm>

namespace sx::vm {

using ir::Op;
using ir::SlotId;
using ir::ValueClass;

namespace {

/// The variants of one access for the widths of memory, by log2 of the bytes.
using ByWidth = Opcode[4];
constexpr ByWidth Loads = {Opcode::Load8, Opcode::Load16, Opcode::Load32, Opcode::Load64};
constexpr ByWidth LoadsZero = {Opcode::Load8u, Opcode::Load16u, Opcode::Load32u, Opcode::Load64};
constexpr ByWidth FrameLoads = {Opcode::LoadF8, Opcode::LoadF16, Opcode::LoadF32, Opcode::LoadF64};
constexpr ByWidth FrameLoadsZero = {Opcode::LoadF8u, Opcode::LoadF16u, Opcode::LoadF32u, Opcode::LoadF64};
constexpr ByWidth IndexedLoads = {Opcode::LoadX8, Opcode::LoadX16, Opcode::LoadX32, Opcode::LoadX64};
constexpr ByWidth IndexedLoadsZero = {Opcode::LoadX8u, Opcode::LoadX16u, Opcode::LoadX32u, Opcode::LoadX64};
constexpr ByWidth Stores = {Opcode::Store8, Opcode::Store16, Opcode::Store32, Opcode::Store64};
constexpr ByWidth FrameStores = {Opcode::StoreF8, Opcode::StoreF16, Opcode::StoreF32, Opcode::StoreF64};
constexpr ByWidth IndexedStores = {Opcode::StoreX8, Opcode::StoreX16, Opcode::StoreX32, Opcode::StoreX64};

unsigned widthLog(ScalarKind k) { return static_cast<unsigned>(std::countr_zero(storageBytes(k))); }

bool isStandardWidth(ScalarKind k) { return k.bits == 8 || k.bits == 16 || k.bits == 32 || k.bits == 64; }

} // namespace

void emitLoad(Translator& t, const Instr& i, ValueId v) {
    const ValuePlan& plan = t.analysis.plan(v);
    Reg d = t.dest(v);
    SlotId promoted = t.analysis.promotedSlot(t.operand(i, 0));
    if (promoted != SlotId::None) return t.move(d, t.slotRegister(promoted));
    ScalarKind k = t.kindOf(v);
    bool zero = plan.zeroExtended || k.cls != ValueClass::Int;
    unsigned w = widthLog(k);
    Address a = t.addressOf(t.operand(i, 0));
    switch (a.kind) {
    case Address::Kind::Frame:
        if (auto word = frameWord(t, a, storageBytes(k))) {
            t.move(d, *word);
            break;
        }
        t.code.emitWide((zero ? FrameLoadsZero : FrameLoads)[w], d, static_cast<int32_t>(a.offset));
        break;
    case Address::Kind::Indexed: t.code.emit((zero ? IndexedLoadsZero : IndexedLoads)[w], d, a.reg, a.index); break;
    case Address::Kind::Register:
        if (a.offset > UINT16_MAX) a = {Address::Kind::Register, t.addressRegister(a), 0, 0};
        t.code.emit((zero ? LoadsZero : Loads)[w], d, a.reg, static_cast<uint16_t>(a.offset));
        break;
    }
    if (k.cls == ValueClass::Int && !isStandardWidth(k)) normalize(t, d, k);
}

void emitStore(Translator& t, const Instr& i) {
    ValueId value = t.operand(i, 1);
    SlotId promoted = t.analysis.promotedSlot(t.operand(i, 0));
    if (promoted != SlotId::None) {
        std::erase(t.checkedSlots, promoted);
        if (!t.isInPlace(value, ValuePlan::Target::Slot, static_cast<uint32_t>(promoted)))
            t.useInto(value, t.slotRegister(promoted));
        return;
    }
    if (rejectGlobalWrite(t, t.operand(i, 0))) return;
    ScalarKind k = t.kindOf(value);
    unsigned w = widthLog(k);
    Address a = t.addressOf(t.operand(i, 0));
    std::optional<Reg> word = frameWord(t, a, storageBytes(k));
    // In memory a number of an odd width fills its bytes by its own signedness, not in the canonical form.
    bool isOddUnsigned = k.cls == ValueClass::Int && !isStandardWidth(k) && isInteger(t.types, t.instr(value).type) &&
                         !t.types.isSigned(t.instr(value).type);
    if (word && isOddUnsigned) return t.move(*word, zeroExtended(t, value));
    if (word) return putInFrame(t, value, *word);
    Reg from = isOddUnsigned ? zeroExtended(t, value) : t.use(value);
    switch (a.kind) {
    case Address::Kind::Frame: return t.code.emitWide(FrameStores[w], from, static_cast<int32_t>(a.offset));
    case Address::Kind::Indexed: return t.code.emit(IndexedStores[w], a.reg, from, a.index);
    case Address::Kind::Register: break;
    }
    if (a.offset > UINT16_MAX) a = {Address::Kind::Register, t.addressRegister(a), 0, 0};
    t.code.emit(Stores[w], a.reg, from, static_cast<uint16_t>(a.offset));
}

/// The register that whole words of the frame are.
std::optional<Reg> frameWord(const Translator& t, const Address& a, uint64_t bytes) {
    if (a.kind != Address::Kind::Frame || a.offset % 8 != 0 || bytes % 8 != 0 ||
        a.offset + bytes > uint64_t{t.frameEnd} * 8)
        return std::nullopt;
    return static_cast<Reg>(a.offset / 8);
}

/// Stores a value in a word of the frame. What was computed just now, for nothing else, is computed there instead.
void putInFrame(Translator& t, ValueId value, Reg word) {
    ValueId v = t.analysis.resolve(value);
    const ValuePlan& p = t.analysis.plan(v);
    bool isTemporary = v == value && p.home == ValuePlan::Home::Register && p.target == ValuePlan::Target::Own &&
                       !p.crossBlock && p.uses == 1;
    Insn* last = t.code.last();
    if (isTemporary && !t.debugged && last && infoOf(last->opcode()).format[0] == 'w' && last->a == t.use(v))
        last->a = word;
    else t.useInto(v, word);
}

void copyBytes(Translator& t, Reg to, Reg from, uint64_t bytes) {
    if (bytes == 8) return t.code.emit(Opcode::Copy8, to, from);
    if (bytes == 16) return t.code.emit(Opcode::Copy16, to, from);
    if (bytes == 24) return t.code.emit(Opcode::Copy24, to, from);
    if (bytes <= UINT16_MAX) return t.code.emit(Opcode::Copy, to, from, static_cast<uint16_t>(bytes));
    if (bytes > INT32_MAX) return t.fail("a value of more than 2 GiB is copied");
    t.code.emit(Opcode::CopyW, to, from);
    t.code.extraWide(static_cast<int32_t>(bytes));
}

void emitCopy(Translator& t, const Instr& i) {
    if (rejectGlobalWrite(t, t.operand(i, 0))) return;
    Address to = t.addressOf(t.operand(i, 0)), from = t.addressOf(t.operand(i, 1));
    std::optional<Reg> toWord = frameWord(t, to, i.imm), fromWord = frameWord(t, from, i.imm);
    uint16_t words = static_cast<uint16_t>(i.imm / 8);
    if (i.imm / 8 > UINT16_MAX) toWord = fromWord = std::nullopt;
    if (toWord && fromWord)
        return i.imm == 8 ? t.move(*toWord, *fromWord) : t.code.emit(Opcode::MovN, *toWord, *fromWord, words);
    if (toWord) return t.code.emit(Opcode::LoadN, *toWord, t.addressRegister(from), words);
    if (fromWord) return t.code.emit(Opcode::StoreN, t.addressRegister(to), *fromWord, words);
    copyBytes(t, t.addressRegister(to), t.addressRegister(from), i.imm);
}

void emitZero(Translator& t, const Instr& i) {
    constexpr uint64_t FewBytes = 32;
    if (rejectGlobalWrite(t, t.operand(i, 0))) return;
    if (i.imm > INT32_MAX) return t.fail("a value of more than 2 GiB is cleared");
    Address to = t.addressOf(t.operand(i, 0));
    if (auto word = frameWord(t, to, i.imm); word && i.imm <= FewBytes) {
        for (uint64_t n = 0; n < i.imm / 8; ++n) t.code.emitWide(Opcode::LoadImm, static_cast<Reg>(*word + n), 0);
        return;
    }
    t.code.emitWide(Opcode::Zero, t.addressRegister(to), static_cast<int32_t>(i.imm));
}

void emitOffset(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v);
    t.addOffset(d, t.use(t.operand(i, 0)), i.imm);
}

void emitIndex(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v), base = t.use(t.operand(i, 0)), index = t.use(t.operand(i, 1));
    switch (i.imm) {
    case 1: return t.code.emit(Opcode::Index1, d, base, index);
    case 2: return t.code.emit(Opcode::Index2, d, base, index);
    case 4: return t.code.emit(Opcode::Index4, d, base, index);
    case 8: return t.code.emit(Opcode::Index8, d, base, index);
    }
    if (i.imm <= INT32_MAX) {
        t.code.emit(Opcode::IndexN, d, base, index);
        return t.code.extraWide(static_cast<int32_t>(i.imm));
    }
    Reg scaled = t.scratch();
    t.loadConstant(scaled, i.imm);
    t.code.emit(Opcode::Mul, scaled, scaled, index);
    t.code.emit(Opcode::Add, d, base, scaled);
}

void emitMemEq(Translator& t, const Instr& i, ValueId v) {
    Reg d = t.dest(v), a = t.use(t.operand(i, 0)), b = t.use(t.operand(i, 1)), count = t.use(t.operand(i, 2));
    t.code.emit(Opcode::MemEq, d, a, b);
    t.code.extra(count);
}

void emitNullCheck(Translator& t, const Instr& i) {
    ValueId pointer = t.analysis.resolve(t.operand(i, 0));
    if (t.analysis.plan(pointer).home == ValuePlan::Home::SlotRead) {
        SlotId slot = t.analysis.promotedSlot(t.operand(t.instr(pointer), 0));
        if (std::find(t.checkedSlots.begin(), t.checkedSlots.end(), slot) != t.checkedSlots.end()) return;
        t.checkedSlots.push_back(slot);
    }
    t.code.emit(Opcode::NullCheck, t.use(pointer));
}

/// Every order is carried out as sequentially consistent.
void emitAtomic(Translator& t, const Instr& i, ValueId v) {
    if (i.op == Op::Fence) return t.code.emit(Opcode::Fence);
    Reg pointer = t.use(t.operand(i, 0));
    if (i.op == Op::AtomicStore) {
        Reg value = t.use(t.operand(i, 1));
        return t.code.emit(Opcode::AtomicStore, pointer, value,
                           static_cast<uint16_t>(widthLog(t.kindOf(t.operand(i, 1)))));
    }
    ScalarKind k = t.kindOf(v);
    uint16_t w = static_cast<uint16_t>(widthLog(k));
    Reg d = t.dest(v);
    if (i.op == Op::AtomicLoad) {
        t.code.emit(Opcode::AtomicLoad, d, pointer, w);
    } else if (i.op == Op::AtomicRmw) {
        t.code.emit(Opcode::AtomicRmw, d, pointer, t.use(t.operand(i, 1)));
        bool isSigned = isInteger(t.types, i.type) && t.types.isSigned(i.type);
        t.code.extra(static_cast<uint16_t>(i.imm), w, isSigned);
    } else {
        Reg expected = t.use(t.operand(i, 1)), desired = t.use(t.operand(i, 2));
        t.code.emit(Opcode::AtomicCmpXchg, d, pointer, expected);
        t.code.extra(desired, w);
    }
    if (k.bits != 64) normalize(t, d, k);
}

// ---- what compile-time code may not do

void Translator::fail(std::string message) {
    code.emitWide(Opcode::Fail, 0, static_cast<int32_t>(environment.addFailure(std::move(message))));
}

/// Constants would not see an assignment that another evaluation made to a global, so there is none. Writes through
/// pointers pass: allocators count in the object they are.
bool rejectGlobalWrite(Translator& t, ValueId pointer) {
    if (!t.environment.isComptime()) return false;
    ValueId v = t.analysis.resolve(pointer);
    while (t.instr(v).op == Op::Offset || t.instr(v).op == Op::Index) v = t.analysis.resolve(t.operand(t.instr(v), 0));
    if (t.instr(v).op != Op::GlobalAddr) return false;
    t.fail("the module global `" + t.environment.module().global(static_cast<ir::GlobalId>(t.instr(v).imm)).name +
           "` is assigned to");
    return true;
}

} // namespace sx::vm
