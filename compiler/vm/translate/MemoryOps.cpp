// Translation of loads, stores, block operations and addresses.
#include "vm/translate/Translator.h"

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

void Translator::emitLoad(const Instr& i, ValueId v) {
    const ValuePlan& plan = analysis_.plan(v);
    Reg d = dest(v);
    SlotId promoted = analysis_.promotedSlot(operand(i, 0));
    if (promoted != SlotId::None) return move(d, slotRegister(promoted));
    ScalarKind k = kindOf(v);
    bool zero = plan.zeroExtended || k.cls != ValueClass::Int;
    unsigned w = widthLog(k);
    Address a = addressOf(operand(i, 0));
    switch (a.kind) {
    case Address::Kind::Frame:
        if (auto word = frameWord(a, storageBytes(k))) {
            move(d, *word);
            break;
        }
        code_.emitWide((zero ? FrameLoadsZero : FrameLoads)[w], d, static_cast<int32_t>(a.offset));
        break;
    case Address::Kind::Indexed: code_.emit((zero ? IndexedLoadsZero : IndexedLoads)[w], d, a.reg, a.index); break;
    case Address::Kind::Register:
        if (a.offset > UINT16_MAX) a = {Address::Kind::Register, addressRegister(a), 0, 0};
        code_.emit((zero ? LoadsZero : Loads)[w], d, a.reg, static_cast<uint16_t>(a.offset));
        break;
    }
    if (k.cls == ValueClass::Int && !isStandardWidth(k)) normalize(d, k);
}

void Translator::emitStore(const Instr& i) {
    ValueId value = operand(i, 1);
    SlotId promoted = analysis_.promotedSlot(operand(i, 0));
    if (promoted != SlotId::None) {
        std::erase(checkedSlots_, promoted);
        if (!isInPlace(value, ValuePlan::Target::Slot, static_cast<uint32_t>(promoted)))
            useInto(value, slotRegister(promoted));
        return;
    }
    if (rejectGlobalWrite(operand(i, 0))) return;
    ScalarKind k = kindOf(value);
    unsigned w = widthLog(k);
    Address a = addressOf(operand(i, 0));
    std::optional<Reg> word = frameWord(a, storageBytes(k));
    // In memory a number of an odd width fills its bytes by its own signedness, not in the canonical form.
    bool isOddUnsigned = k.cls == ValueClass::Int && !isStandardWidth(k) && types_.isInteger(instr(value).type) &&
                         !types_.isSigned(instr(value).type);
    if (word && isOddUnsigned) return move(*word, zeroExtended(value));
    if (word) return putInFrame(value, *word);
    Reg from = isOddUnsigned ? zeroExtended(value) : use(value);
    switch (a.kind) {
    case Address::Kind::Frame: return code_.emitWide(FrameStores[w], from, static_cast<int32_t>(a.offset));
    case Address::Kind::Indexed: return code_.emit(IndexedStores[w], a.reg, from, a.index);
    case Address::Kind::Register: break;
    }
    if (a.offset > UINT16_MAX) a = {Address::Kind::Register, addressRegister(a), 0, 0};
    code_.emit(Stores[w], a.reg, from, static_cast<uint16_t>(a.offset));
}

/// The register that whole words of the frame are.
std::optional<Reg> Translator::frameWord(const Address& a, uint64_t bytes) const {
    if (a.kind != Address::Kind::Frame || a.offset % 8 != 0 || bytes % 8 != 0 ||
        a.offset + bytes > uint64_t{frameEnd_} * 8)
        return std::nullopt;
    return static_cast<Reg>(a.offset / 8);
}

/// Stores a value in a word of the frame. What was computed just now, for nothing else, is computed there instead.
void Translator::putInFrame(ValueId value, Reg word) {
    ValueId v = analysis_.resolve(value);
    const ValuePlan& p = analysis_.plan(v);
    bool isTemporary = v == value && p.home == ValuePlan::Home::Register && p.target == ValuePlan::Target::Own &&
                       !p.crossBlock && p.uses == 1;
    Insn* last = code_.last();
    if (isTemporary && last && infoOf(last->opcode()).format[0] == 'w' && last->a == use(v)) last->a = word;
    else useInto(v, word);
}

void Translator::copyBytes(Reg to, Reg from, uint64_t bytes) {
    if (bytes == 8) return code_.emit(Opcode::Copy8, to, from);
    if (bytes == 16) return code_.emit(Opcode::Copy16, to, from);
    if (bytes == 24) return code_.emit(Opcode::Copy24, to, from);
    if (bytes <= UINT16_MAX) return code_.emit(Opcode::Copy, to, from, static_cast<uint16_t>(bytes));
    if (bytes > INT32_MAX) return fail("a value of more than 2 GiB is copied");
    code_.emit(Opcode::CopyW, to, from);
    code_.extraWide(static_cast<int32_t>(bytes));
}

void Translator::emitCopy(const Instr& i) {
    if (rejectGlobalWrite(operand(i, 0))) return;
    Address to = addressOf(operand(i, 0)), from = addressOf(operand(i, 1));
    std::optional<Reg> toWord = frameWord(to, i.imm), fromWord = frameWord(from, i.imm);
    uint16_t words = static_cast<uint16_t>(i.imm / 8);
    if (i.imm / 8 > UINT16_MAX) toWord = fromWord = std::nullopt;
    if (toWord && fromWord)
        return i.imm == 8 ? move(*toWord, *fromWord) : code_.emit(Opcode::MovN, *toWord, *fromWord, words);
    if (toWord) return code_.emit(Opcode::LoadN, *toWord, addressRegister(from), words);
    if (fromWord) return code_.emit(Opcode::StoreN, addressRegister(to), *fromWord, words);
    copyBytes(addressRegister(to), addressRegister(from), i.imm);
}

void Translator::emitZero(const Instr& i) {
    constexpr uint64_t FewBytes = 32;
    if (rejectGlobalWrite(operand(i, 0))) return;
    if (i.imm > INT32_MAX) return fail("a value of more than 2 GiB is cleared");
    Address to = addressOf(operand(i, 0));
    if (auto word = frameWord(to, i.imm); word && i.imm <= FewBytes) {
        for (uint64_t n = 0; n < i.imm / 8; ++n) code_.emitWide(Opcode::LoadImm, static_cast<Reg>(*word + n), 0);
        return;
    }
    code_.emitWide(Opcode::Zero, addressRegister(to), static_cast<int32_t>(i.imm));
}

void Translator::emitOffset(const Instr& i, ValueId v) {
    Reg d = dest(v);
    addOffset(d, use(operand(i, 0)), i.imm);
}

void Translator::emitIndex(const Instr& i, ValueId v) {
    Reg d = dest(v), base = use(operand(i, 0)), index = use(operand(i, 1));
    switch (i.imm) {
    case 1: return code_.emit(Opcode::Index1, d, base, index);
    case 2: return code_.emit(Opcode::Index2, d, base, index);
    case 4: return code_.emit(Opcode::Index4, d, base, index);
    case 8: return code_.emit(Opcode::Index8, d, base, index);
    }
    if (i.imm <= INT32_MAX) {
        code_.emit(Opcode::IndexN, d, base, index);
        return code_.extraWide(static_cast<int32_t>(i.imm));
    }
    Reg scaled = scratch();
    loadConstant(scaled, i.imm);
    code_.emit(Opcode::Mul, scaled, scaled, index);
    code_.emit(Opcode::Add, d, base, scaled);
}

void Translator::emitMemEq(const Instr& i, ValueId v) {
    Reg d = dest(v), a = use(operand(i, 0)), b = use(operand(i, 1)), count = use(operand(i, 2));
    code_.emit(Opcode::MemEq, d, a, b);
    code_.extra(count);
}

void Translator::emitNullCheck(const Instr& i) {
    ValueId pointer = analysis_.resolve(operand(i, 0));
    if (analysis_.plan(pointer).home == ValuePlan::Home::SlotRead) {
        SlotId slot = analysis_.promotedSlot(operand(instr(pointer), 0));
        if (std::find(checkedSlots_.begin(), checkedSlots_.end(), slot) != checkedSlots_.end()) return;
        checkedSlots_.push_back(slot);
    }
    code_.emit(Opcode::NullCheck, use(pointer));
}

/// Every order is carried out as sequentially consistent.
void Translator::emitAtomic(const Instr& i, ValueId v) {
    if (i.op == Op::Fence) return code_.emit(Opcode::Fence);
    Reg pointer = use(operand(i, 0));
    if (i.op == Op::AtomicStore) {
        Reg value = use(operand(i, 1));
        return code_.emit(Opcode::AtomicStore, pointer, value, static_cast<uint16_t>(widthLog(kindOf(operand(i, 1)))));
    }
    ScalarKind k = kindOf(v);
    uint16_t w = static_cast<uint16_t>(widthLog(k));
    Reg d = dest(v);
    if (i.op == Op::AtomicLoad) {
        code_.emit(Opcode::AtomicLoad, d, pointer, w);
    } else if (i.op == Op::AtomicRmw) {
        code_.emit(Opcode::AtomicRmw, d, pointer, use(operand(i, 1)));
        bool isSigned = types_.isInteger(i.type) && types_.isSigned(i.type);
        code_.extra(static_cast<uint16_t>(i.imm), w, isSigned);
    } else {
        Reg expected = use(operand(i, 1)), desired = use(operand(i, 2));
        code_.emit(Opcode::AtomicCmpXchg, d, pointer, expected);
        code_.extra(desired, w);
    }
    if (k.bits != 64) normalize(d, k);
}

// ---- what compile-time code may not do

void Translator::fail(std::string message) {
    code_.emitWide(Opcode::Fail, 0, static_cast<int32_t>(environment_.addFailure(std::move(message))));
}

/// Constants would not see an assignment that another evaluation made to a global, so there is none. Writes through
/// pointers pass: allocators count in the object they are.
bool Translator::rejectGlobalWrite(ValueId pointer) {
    if (!environment_.isComptime()) return false;
    ValueId v = analysis_.resolve(pointer);
    while (instr(v).op == Op::Offset || instr(v).op == Op::Index) v = analysis_.resolve(operand(instr(v), 0));
    if (instr(v).op != Op::GlobalAddr) return false;
    fail("the module global `" + environment_.module().global(static_cast<ir::GlobalId>(instr(v).imm)).name +
         "` is assigned to");
    return true;
}

} // namespace sx::vm
