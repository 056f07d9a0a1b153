#include "vm/debug/Watches.h"

#include <algorithm>
#include <cstring>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>

namespace sx::vm {

std::vector<uint8_t> bytesAt(uint64_t address, uint64_t size) {
    std::vector<uint8_t> out(size);
    iovec to{out.data(), size}, from{reinterpret_cast<void*>(address), size};
    if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != static_cast<ssize_t>(size)) out.clear();
    return out;
}

/// It goes on with the next one, touches no frame but its own, and cannot fail but by a fault.
static bool isStraight(Opcode op) {
    switch (op) {
    case Opcode::SDiv:
    case Opcode::UDiv:
    case Opcode::SRem:
    case Opcode::URem:
    case Opcode::NullCheck:
    case Opcode::Index1:
    case Opcode::Index2:
    case Opcode::Index4:
    case Opcode::Index8:
    case Opcode::IndexN: return false;
    default: return op <= Opcode::Fence; // then come branches, calls and traces
    }
}

static bool isLoopTest(const FunctionCode& code, uint32_t index) {
    return std::binary_search(code.loopTests.begin(), code.loopTests.end(), index);
}

/// It is nobody's beginning: what ends a branch, or stands where such branches meet.
static bool isJump(const FunctionCode& code, uint32_t index) {
    return opcodeAt(code, index) == Opcode::Jmp && !code.startsStatement(index);
}

/// Where jumps alone, all of them forward, lead to a statement that comes next.
static bool leadsToStatement(const FunctionCode& code, uint32_t index) {
    while (isJump(code, index)) index += static_cast<uint32_t>(code.words[index].wide());
    return code.startsStatement(index) && !isLoopTest(code, index);
}

bool isWithinStatement(const FunctionCode& code, const Insn* before, const Insn* now) {
    if (!before || !code.contains(before) || !code.contains(now) || now <= before) return false;
    if (now->opcode() == Opcode::Break) return false;
    uint32_t index = code.indexOf(now), statement = code.statementOf[index];
    if (isJump(code, index)) return leadsToStatement(code, index);
    bool isSame = statement != FunctionCode::None && statement == code.statementOf[code.indexOf(before)];
    return isSame && !code.startsStatement(index) && isStraight(now->opcode());
}

bool endsBody(const FunctionCode& code, const Insn* now) {
    uint32_t index = code.indexOf(now);
    bool isBack = opcodeAt(code, index) == Opcode::JmpL && !code.startsStatement(index);
    return isLoopTest(code, index) || isBack || (isJump(code, index) && !leadsToStatement(code, index));
}

void Watches::add(int id, uint64_t address, uint64_t size, const DebugFrame* frame, bool onStack) {
    remove(id);
    Watch w{id, address, size, 0, nullptr, onStack, bytesAt(address, size)};
    if (frame) {
        w.thread = frame->thread;
        w.frame = frame->regs;
    }
    watches_.push_back(std::move(w));
}

void Watches::remove(int id) {
    std::erase_if(watches_, [&](const Watch& w) { return w.id == id; });
}

uint32_t Watches::effects() const {
    uint32_t effects = 0;
    for (const Watch& w : watches_) {
        effects |= DebugHooks::WritesMemory;
        if (w.onStack) effects |= DebugHooks::WritesFrame;
        if (w.frame) effects |= DebugHooks::Frames;
    }
    return effects;
}

bool Watches::mayHaveChanged() const {
    return std::any_of(watches_.begin(), watches_.end(), [](const Watch& w) {
        return std::memcmp(w.bytes.data(), reinterpret_cast<void*>(w.address), w.bytes.size()) != 0;
    });
}

std::optional<Watches::Change> Watches::findChange(DebugThreadId thread, const uint64_t* regs) {
    std::optional<Change> change;
    for (Watch& w : watches_) {
        std::vector<uint8_t> now = bytesAt(w.address, w.size);
        if (now.empty() || now == w.bytes) continue;
        std::vector<uint8_t> before = std::exchange(w.bytes, now);
        if (w.isLeft(thread, regs)) continue;
        if (!change) change = Change{{}, std::move(before), std::move(now)};
        change->ids.push_back(w.id);
    }
    return change;
}

void Watches::forFrames(llvm::function_ref<void(DebugThreadId, const uint64_t* frame)> each) const {
    for (const Watch& w : watches_)
        if (w.frame) each(w.thread, w.frame);
}

const uint64_t* Watches::frameOf(int id) const {
    for (const Watch& w : watches_)
        if (w.id == id) return w.frame;
    return nullptr;
}

bool Watches::has(int id) const {
    return std::any_of(watches_.begin(), watches_.end(), [&](const Watch& w) { return w.id == id; });
}

std::vector<int> Watches::takeFrame(const uint64_t* frame) {
    std::vector<int> taken;
    for (const Watch& w : watches_)
        if (w.frame == frame) taken.push_back(w.id);
    for (int id : taken) remove(id);
    return taken;
}

std::vector<int> Watches::takeEnded(DebugThreadId thread, const uint64_t* regs) {
    std::vector<int> ended;
    for (const Watch& w : watches_)
        if (w.isLeft(thread, regs)) ended.push_back(w.id);
    for (int id : ended) remove(id);
    return ended;
}

void Watches::settle(const uint64_t* frame) {
    for (Watch& w : watches_) {
        if (frame && w.frame != frame) continue;
        if (std::vector<uint8_t> now = bytesAt(w.address, w.size); !now.empty()) w.bytes = std::move(now);
    }
}

} // namespace sx::vm
