#include "ir/Partition.h"

#include "ir/Passes.h"
#include "ir/References.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <bit>

namespace sx::ir {

namespace {

uint64_t sizeOf(const Function& fn) { return fn.instrs.size(); }

} // namespace

Partition::Partition(const Module& module, uint32_t count)
    : functions_(module.functions.size()), globals_(module.globals.size()) {
    placeFunctions(module, count);
    placeGlobals(module);
}

void Partition::placeFunctions(const Module& module, uint32_t count) {
    std::vector<FuncId> reached = reachedFunctions(module);
    llvm::sort(reached);
    uint64_t total = 0, before = 0;
    for (FuncId f : reached) total += sizeOf(module.fn(f));
    for (FuncId f : reached) {
        functions_[static_cast<uint32_t>(f)].part =
            static_cast<uint32_t>(before * count / std::max<uint64_t>(total, 1));
        before += sizeOf(module.fn(f));
    }
    if (module.entry == FuncId::None) return;
    auto toFirst = [&](uint32_t f) { functions_[f].part = 0; };
    toFirst(static_cast<uint32_t>(module.entry));
    References(module, toFirst, [](uint32_t) {}).of(module.fn(module.entry));
}

/// Data goes where the only part is that names it, and is shared from part 0 otherwise; what data names is named where
/// that is.
void Partition::placeGlobals(const Module& module) {
    std::vector<uint32_t> namedIn(globals_.size()); // a bit for each part
    std::vector<uint32_t> changed;
    auto placeOf = [&](uint32_t g) { return std::has_single_bit(namedIn[g]) ? std::countr_zero(namedIn[g]) : 0; };
    uint32_t part = 0;
    auto nameFunction = [&](uint32_t f) { functions_[f].isShared |= functions_[f].part != part; };
    auto nameGlobal = [&](uint32_t g) {
        if (namedIn[g] >> part & 1) return;
        namedIn[g] |= 1U << part;
        changed.push_back(g);
    };
    References named(module, nameFunction, nameGlobal);
    for (uint32_t f = 0; f < functions_.size(); ++f) {
        part = functions_[f].part;
        if (part != NoPart) named.of(*module.functions[f]);
    }
    part = 0;
    if (module.errorNames != GlobalId::None) nameGlobal(static_cast<uint32_t>(module.errorNames));
    // Where data moves to part 0, what it names is named there, too; the trace of its first place does no harm.
    while (!changed.empty()) {
        uint32_t g = changed.back();
        changed.pop_back();
        part = static_cast<uint32_t>(placeOf(g));
        named.of(module.globals[g].init);
    }
    for (uint32_t g = 0; g < globals_.size(); ++g)
        if (namedIn[g] != 0) globals_[g] = {static_cast<uint32_t>(placeOf(g)), !std::has_single_bit(namedIn[g])};
}

uint64_t codeSize(const Module& module) {
    uint64_t total = 0;
    for (const auto& fn : module.functions) total += fn->dead ? 0 : sizeOf(*fn);
    return total;
}

uint32_t partsOf(const Module& module, uint32_t wanted) {
    constexpr uint64_t PartSize = 100'000; // instructions
    auto isRoot = [](const auto& fn) { return fn->isExport && !fn->isExtern; };
    if (!module.assembly.empty()) return 1;
    if (module.entry == FuncId::None && llvm::none_of(module.functions, isRoot)) return 1;
    if (wanted > 0) return std::min(wanted, Partition::MostParts);
    return static_cast<uint32_t>(std::clamp<uint64_t>(codeSize(module) / PartSize, 1, Partition::MostParts));
}

} // namespace sx::ir
