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

/// Where the straight code of the statement ends that the instruction before `pc` is of; `pc`: right there.
uint64_t endOfStraightCode(Native& n, uint64_t pc) {
    constexpr uint64_t Most = 1024; ///< bytes: what a few hundred steps are for
    constexpr uint32_t Batch = 16;
    uint64_t writer = n.toFile(pc) - 1;
    std::vector<uint32_t> copies = n.image.copiesAt(writer);
    if (copies.empty()) return pc;
    uint64_t end = std::min(n.toRun(n.image.endOfStatement(writer, copies.front())), pc + Most);
    for (uint64_t at = pc; at < end;) {
        std::vector<TargetInstruction> code = n.target->disassemble(at, Batch);
        if (code.empty()) return at;
        for (const TargetInstruction& i : code) {
            uint64_t inFile = n.toFile(i.address);
            bool isOver = i.address >= end || n.image.copiesAt(inFile) != copies;
            if (isOver || leavesStraightCode(i)) return i.address;
            at = i.address + i.bytes.size();
        }
    }
    return end;
}

/// Adds the jumps, all of them forward, that alone lead from the end of the code to the beginning of a statement: so
/// the branches of an `if` end. None: something else comes, as another round of a loop.
void followJumps(Native& n, StraightCode& code) {
    constexpr size_t Most = 16;
    const std::vector<uint32_t> copies = n.image.copiesAt(n.toFile(code.end));
    std::set<uint64_t> jumps;
    uint64_t at = code.end;
    while (!n.image.startAt(n.toFile(at))) {
        std::vector<TargetInstruction> here = n.target->disassemble(at, 1);
        if (jumps.size() == Most || here.empty() || here.front().mnemonic != "jmp") return;
        uint64_t to = targetOf(here.front());
        if (to <= at || n.image.copiesAt(n.toFile(to)) != copies) return;
        jumps.insert(at);
        at = to;
    }
    code.jumps = std::move(jumps);
    code.next = at;
}

const StraightCode& straightCodeFrom(Native& n, uint64_t pc) {
    auto [at, isNew] = n.straightCode.try_emplace(pc);
    if (!isNew) return at->second;
    uint64_t end = endOfStraightCode(n, pc);
    at->second = {pc, end, end, {}};
    followJumps(n, at->second);
    return at->second;
}

} // namespace

WatchedBytes watchedBytes(const Native& n) {
    WatchedBytes bytes;
    for (const Watch& watch : n.watches) bytes[watch.id] = watch.bytes;
    return bytes;
}

uint64_t behindJumps(Native& n, uint64_t pc) {
    const StraightCode& code = straightCodeFrom(n, pc);
    return code.end == pc ? code.next : pc;
}

void holdWrites(Native& n, const std::vector<ThreadStop>& reasons, bool isDisturbed, const WatchedBytes& before,
                std::vector<Stop>& written) {
    std::optional<HeldWrite> held = std::exchange(n.held, std::nullopt);
    bool isCommand = n.runsByCommand || (n.stepsInstruction && n.step);
    if (written.size() != 1 || reasons.size() != 1 || isDisturbed || isCommand || n.pauseWanted || n.whenStill) return;
    const ThreadStop& stop = reasons.front();
    if (stop.kind == ThreadStop::Kind::Signal || n.endingThread != 0) return;
    uint64_t pc = n.target->readRegister(stop.thread, 0, "rip").value_or(0);
    if (!held) held = HeldWrite{stop.thread, straightCodeFrom(n, pc)};
    if (held->thread != stop.thread || !held->left.contains(pc)) return;
    for (Watch& watch : n.watches)
        if (auto was = before.find(watch.id); was != before.end()) watch.bytes = was->second;
    n.held = held;
    written.clear();
}

} // namespace sx::debugger::native
