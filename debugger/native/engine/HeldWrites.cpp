#include "debugger/native/engine/HeldWrites.h"

#include "debugger/native/engine/CodeFlow.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sx::debugger::native {

namespace {

/// Execution may go on elsewhere after it, or end.
bool leavesStraightCode(const TargetInstruction& i) {
    constexpr const char* Others[] = {"call", "ret", "ud2", "int", "syscall", "hlt", "loop"};
    llvm::StringRef name = i.mnemonic;
    return name.starts_with("j") || std::any_of(std::begin(Others), std::end(Others),
                                                [&](const char* other) { return name.starts_with(other); });
}

/// The statement that the instruction at an address of the file is of; null: that is not known.
const StatementStart* statementOf(const Native& n, uint64_t address, uint32_t copy) {
    const StatementStart* start = n.image.startBefore(address, copy);
    return start && start->copy == copy ? start : nullptr;
}

/// Where the machine code of a function keeps to its statements.
bool isPlain(const Native& n, uint32_t copy) {
    return !n.image.isOptimized() && !n.image.isForeign(n.image.copies()[copy].func);
}

bool isReturn(const TargetInstruction& i) { return llvm::StringRef(i.mnemonic).starts_with("ret"); }

/// Some instructions of a kind, one after the other, of which the last one returns.
template <class IsOfKind> bool leadsToReturn(Native& n, uint64_t pc, size_t most, IsOfKind isOfKind) {
    for (; most > 0; --most) {
        std::vector<TargetInstruction> here = n.target->disassemble(pc, 1);
        if (here.empty() || !isOfKind(here.front())) return false;
        if (isReturn(here.front())) return true;
        pc += here.front().bytes.size();
    }
    return false;
}

/// Straight code without a place of its own from `pc` to the end of a function: all that return share it.
bool isSharedEnd(Native& n, uint64_t pc) {
    constexpr size_t Most = 32;
    return leadsToReturn(n, pc, Most, [&](const TargetInstruction& i) {
        const ImageRow* row = n.image.rowAt(n.toFile(i.address));
        return row && row->line == 0 && (isReturn(i) || !leavesStraightCode(i));
    });
}

/// All that is left is to give up the frame, whose variables are seen before only.
bool isEpilogue(Native& n, uint64_t pc) {
    constexpr size_t Most = 16; // registers that are given back
    return leadsToReturn(n, pc, Most, [](const TargetInstruction& i) {
        llvm::StringRef name = i.mnemonic, operands = i.operands;
        return isReturn(i) || name.starts_with("pop") || name.starts_with("leave") || operands.ends_with("%rsp");
    });
}

/// The jump at `pc` leads, before any statement, to another round of a loop that the writer is in.
bool leadsToRound(Native& n, uint64_t writer, uint64_t pc) {
    constexpr size_t Most = 64;
    const std::vector<uint32_t> copies = n.image.copiesAt(writer);
    const bool plain = isPlain(n, copies.front());
    uint64_t at = pc;
    for (size_t i = 0; i < Most; ++i) {
        if (const StatementStart* next = n.image.startAt(n.toFile(at))) {
            const StatementStart* own = statementOf(n, writer, copies.front());
            if (!plain || (own && next->copy != own->copy)) return false;
            ir::FuncId func = n.image.copies()[copies.front()].func;
            return own && n.order.comesAfter(func, n.program.module.fn(func), own->statement, next->statement);
        }
        std::vector<TargetInstruction> here = n.target->disassemble(at, 1);
        if (here.empty() || n.image.copiesAt(n.toFile(at)) != copies) return true;
        bool isJump = here.front().mnemonic == "jmp";
        if (!isJump && (!plain || leavesStraightCode(here.front()))) return !plain;
        uint64_t to = isJump ? targetOf(here.front()) : at + here.front().bytes.size();
        if (to == 0 || (to <= at && !plain)) return true;
        at = to;
    }
    return true;
}

/// Of a thread that has written by the instruction at `writer`, an address of the file, and stands at `pc`.
AfterWrite afterWrite(Native& n, uint64_t writer, uint64_t pc) {
    const uint64_t at = n.toFile(pc);
    std::vector<uint32_t> copies = n.image.copiesAt(writer);
    if (copies.empty() || n.image.copiesAt(at) != copies || n.image.startAt(at)) return AfterWrite::Over;
    if (!errorPlacesAt(n.image, at).empty()) return AfterWrite::Over;
    std::vector<TargetInstruction> here = n.target->disassemble(pc, 1);
    if (here.empty()) return AfterWrite::Over;
    bool isJump = here.front().mnemonic == "jmp";
    if (isSharedEnd(n, pc)) return AfterWrite::Elsewhere;
    if (isEpilogue(n, pc)) return AfterWrite::Over;
    if (isJump && isSharedEnd(n, targetOf(here.front()))) return AfterWrite::Over;
    if (isJump) return leadsToRound(n, writer, pc) ? AfterWrite::Elsewhere : AfterWrite::Within;
    bool isBranch = here.front().mnemonic.front() == 'j', goesOn = !leavesStraightCode(here.front());
    if (isPlain(n, copies.front())) goesOn |= isBranch;
    else goesOn &= at > writer && at < n.image.endOfStatement(writer, copies.front());
    return goesOn ? AfterWrite::Within : AfterWrite::Over;
}

AfterWrite knownAfterWrite(Native& n, uint64_t writer, uint64_t pc) {
    auto [at, isNew] = n.afterWrites.try_emplace({writer, pc}, AfterWrite::Over);
    if (isNew) at->second = afterWrite(n, writer, pc);
    return at->second;
}

} // namespace

WatchedBytes watchedBytes(const Native& n) {
    WatchedBytes bytes;
    for (const Watch& watch : n.watches) bytes[watch.id] = watch.bytes;
    return bytes;
}

void holdWrites(Native& n, const std::vector<ThreadStop>& reasons, bool isDisturbed, const WatchedBytes& before,
                std::vector<Stop>& written, Stack::Place& place) {
    constexpr uint32_t MostSteps = 1024;
    std::optional<HeldWrite> held = std::exchange(n.held, std::nullopt);
    bool isCommand = n.runsByCommand || (n.stepsInstruction && n.step);
    if (written.size() != 1 || reasons.size() != 1 || isDisturbed || isCommand || n.pauseWanted || n.whenStill) return;
    const ThreadStop& stop = reasons.front();
    if (stop.kind == ThreadStop::Kind::Signal || n.endingThread != 0) return;
    uint64_t pc = n.target->readRegister(stop.thread, 0, "rip").value_or(0);
    if (!held) held = HeldWrite{stop.thread, n.toFile(pc) - 1};
    if (held->thread != stop.thread || ++held->steps > MostSteps) return;
    AfterWrite after = knownAfterWrite(n, held->writer, pc);
    if (after == AfterWrite::Elsewhere) place.afterCall = stop.thread; // still there
    if (after != AfterWrite::Within) return;
    for (Watch& watch : n.watches)
        if (auto was = before.find(watch.id); was != before.end()) watch.bytes = was->second;
    n.held = held;
    written.clear();
}

} // namespace sx::debugger::native
