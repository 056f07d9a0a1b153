#include "debugger/native/engine/CodeFlow.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cstdlib>

namespace sx::debugger::native {

/// So far apart the parts of a statement may lie, in bytes, and so large its function may be: all of that is read.
constexpr uint64_t MostApart = 512, MostOfFunction = 1 << 18;

static bool startsWith(const std::string& text, const char* with) { return llvm::StringRef(text).starts_with(with); }

uint64_t targetOf(const TargetInstruction& i) {
    return startsWith(i.operands, "0x") ? std::strtoull(i.operands.c_str(), nullptr, 16) : 0;
}

/// The instructions from one address on that begin before another.
static std::vector<TargetInstruction> instructionsIn(Native& n, uint64_t begin, uint64_t end) {
    constexpr uint64_t Most = 4096, Size = 4; ///< that are read at once, and how long one is in most code
    std::vector<TargetInstruction> all;
    while (begin < end) {
        uint64_t at = begin;
        for (TargetInstruction& i :
             n.target->disassemble(begin, static_cast<uint32_t>(std::min(Most, (end - begin) / Size + 1)))) {
            if (i.address >= end || i.bytes.empty()) return all;
            at = i.address + i.bytes.size();
            all.push_back(std::move(i));
        }
        if (at == begin) break;
        begin = at;
    }
    return all;
}

/// Adds where the jumps between two addresses come from and lead to, as far as they say so.
static void addJumps(Native& n, uint64_t begin, uint64_t end, std::vector<CodeJump>& jumps) {
    for (const TargetInstruction& i : instructionsIn(n, begin, end))
        if (uint64_t to = startsWith(i.mnemonic, "j") ? targetOf(i) : 0)
            jumps.push_back({n.toFile(i.address), n.toFile(to)});
}

/// Nothing is left there but a jump to where several ways go on as one.
static bool leadsTo(Native& n, uint64_t place, const std::vector<uint64_t>& places) {
    std::vector<TargetInstruction> there = instructionsIn(n, n.toRun(place), n.toRun(place) + 1);
    std::vector<CodeJump> jumps;
    if (there.empty() || !startsWith(there.front().mnemonic, "jmp")) return false;
    addJumps(n, n.toRun(place), n.toRun(place) + 1, jumps);
    return !jumps.empty() && jumps.front().to != place && llvm::is_contained(places, jumps.front().to);
}

static const std::vector<CodeJump>& jumpsOf(Native& n, uint32_t copy) {
    auto [known, isNew] = n.jumps.try_emplace(copy);
    if (isNew)
        for (const AddressRange& range : n.image.copies()[copy].ranges)
            addJumps(n, n.toRun(range.begin), n.toRun(range.end), known->second);
    return known->second;
}

/// What stands at `to` is run whenever `from` has been left by its end, and never else.
static bool runsOn(Native& n, uint64_t from, uint64_t to) {
    std::vector<TargetInstruction> between = instructionsIn(n, n.toRun(from), n.toRun(to));
    bool isWhole = !between.empty() && between.back().address + between.back().bytes.size() == n.toRun(to);
    for (const TargetInstruction& i : between)
        if (startsWith(i.mnemonic, "call") || startsWith(i.mnemonic, "ret") || startsWith(i.mnemonic, "jmp"))
            return false;
    std::vector<uint32_t> copies = n.image.copiesAt(from);
    if (!isWhole || copies.empty() || copies.back() != n.image.copiesAt(to).back()) return false;
    const CodeCopy& function = n.image.copies()[copies.back()];
    uint64_t size = 0;
    for (const AddressRange& range : function.ranges) size += range.end - range.begin;
    auto leadsIn = [&](const CodeJump& jump) {
        bool isInside = jump.from >= from && jump.from < to;
        return !isInside && jump.to > from && jump.to <= to;
    };
    return size <= MostOfFunction && llvm::none_of(jumpsOf(n, copies.back()), leadsIn);
}

void leaveOutParts(Native& n, std::vector<uint64_t>& places) {
    if (!n.target || places.size() < 2) return;
    const std::vector<uint64_t> all = places;
    llvm::erase_if(places, [&](uint64_t place) { return leadsTo(n, place, all); });
    std::vector<uint64_t> kept;
    std::map<uint32_t, uint64_t> last; // by copy
    for (uint64_t place : places) {
        std::vector<uint32_t> copies = n.image.copiesAt(place);
        uint32_t copy = copies.empty() ? UINT32_MAX : copies.front();
        auto before = last.find(copy);
        bool isNear = before != last.end() && place - before->second <= MostApart;
        if (!isNear || !runsOn(n, before->second, place)) kept.push_back(place);
        last[copy] = place;
    }
    places = std::move(kept);
}

} // namespace sx::debugger::native
