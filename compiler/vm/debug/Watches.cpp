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

/// It calls or ends something, or a debugger may be told of it: what a statement has written is told before.
static bool isEvent(Opcode op) { return op > Opcode::SwitchSparse; }

static bool isJump(Opcode op) { return op == Opcode::Jmp || op == Opcode::JmpL; }

bool Flow::leadsToRound(uint32_t index, uint32_t own) {
    constexpr unsigned Most = 64; ///< instructions: where jumps alone lead around nothing comes
    for (unsigned i = 0; i < Most && index < code_.instructionCount; ++i) {
        if (code_.startsStatement(index))
            return own != FunctionCode::None && order_.comesAfter(code_.func, fn_, own, code_.statementOf[index]);
        Opcode op = opcodeAt(code_, index);
        if (op > Opcode::Fence && !isJump(op)) return false;
        if (isJump(op)) index += static_cast<uint32_t>(code_.words[index].wide());
        else index += infoOf(op).extraFormat ? 2 : 1;
    }
    return false;
}

bool Flow::isWithinStatement(const Insn* before, const Insn* now) {
    if (now->opcode() == Opcode::Break) return false;
    uint32_t index = code_.indexOf(now);
    if (code_.startsStatement(index) || isEvent(now->opcode())) return false;
    return !isJump(now->opcode()) || !leadsToRound(index, statementOf(before));
}

bool Flow::beginsRound(const Insn* before, const Insn* now) {
    uint32_t index = code_.indexOf(now);
    bool isAgain = std::binary_search(code_.loopTests.begin(), code_.loopTests.end(), index);
    bool isThere = isAgain || (!code_.startsStatement(index) && isJump(opcodeAt(code_, index)));
    return isThere && leadsToRound(index, statementOf(before));
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
