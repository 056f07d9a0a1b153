// Which part of a program its functions and data belong to when it is compiled in several.
#include "Fixture.h"

#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/Partition.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::ir;

namespace {

/// An entry that calls `first`; each function calls the next, and names data.
struct Chain {
    static constexpr uint32_t Length = 9, Parts = 3;
    Ir ir;
    FuncId entry = ir.declare("main");
    std::vector<FuncId> functions;

    Chain() {
        for (uint32_t i = 0; i < Length; ++i) functions.push_back(ir.declare("f" + std::to_string(i)));
        ir.module.entry = entry;
        Builder b(ir.module, ir.module.fn(entry));
        emitCall(b, functions[0], {});
        emitRet(b);
    }
    /// Function `i` names these; the last one may not be followed by a call.
    void build(uint32_t i, std::vector<GlobalId> named = {}) {
        Builder b(ir.module, ir.module.fn(functions[i]));
        for (GlobalId g : named) globalAddr(b, g, ir.pointer());
        while (ir.module.fn(functions[i]).instrs.size() < 8) globalAddr(b, everywhere, ir.pointer());
        if (i + 1 < Length) emitCall(b, functions[i + 1], {});
        emitRet(b);
    }
    GlobalId everywhere = ir.global("everywhere");
};

template <class Id> uint32_t partOf(const Partition& partition, Id id) {
    uint32_t found = Partition::MostParts;
    for (uint32_t part = 0; part < Partition::MostParts; ++part)
        if (partition.isIn(id, part)) {
            CHECK(found == Partition::MostParts);
            found = part;
        }
    return found;
}

} // namespace

TEST_CASE("every function that is reached is in one part, and no part is empty") {
    Chain chain;
    for (uint32_t i = 0; i < Chain::Length; ++i) chain.build(i);
    FuncId unused = chain.ir.declare("unused");
    Partition partition(chain.ir.module, Chain::Parts);
    CHECK(partOf(partition, chain.entry) == 0);
    CHECK(partOf(partition, chain.functions[0]) == 0);
    CHECK(partOf(partition, unused) == Partition::MostParts);
    std::vector<uint32_t> sizes(Chain::Parts);
    for (FuncId f : chain.functions) ++sizes.at(partOf(partition, f));
    for (uint32_t size : sizes) CHECK(size >= 2);
    for (uint32_t i = 1; i < Chain::Length; ++i) {
        bool isCrossed = partOf(partition, chain.functions[i - 1]) != partOf(partition, chain.functions[i]);
        CHECK(partition.isShared(chain.functions[i]) == isCrossed);
    }
    CHECK(partOf(partition, chain.everywhere) == 0);
    CHECK(partition.isShared(chain.everywhere));
}

TEST_CASE("data is where the only part is that names it") {
    Chain chain;
    GlobalId own = chain.ir.global("own"), behind = chain.ir.global("behind"), both = chain.ir.global("both"),
             behindBoth = chain.ir.global("behind_both");
    chain.ir.module.global(own).init.relocs = {{Reloc::Kind::Global, 0, static_cast<uint32_t>(behind), 0}};
    chain.ir.module.global(both).init.relocs = {
        {Reloc::Kind::Global, 0, static_cast<uint32_t>(behindBoth), 0},
        {Reloc::Kind::Function, 0, static_cast<uint32_t>(chain.functions.back()), 0}};
    for (uint32_t i = 0; i < Chain::Length; ++i) {
        std::vector<GlobalId> named;
        if (i == Chain::Length - 1) named = {own, both};
        if (i == 4) named = {both};
        chain.build(i, named);
    }
    Partition partition(chain.ir.module, Chain::Parts);
    uint32_t last = partOf(partition, chain.functions.back());
    CHECK(last == Chain::Parts - 1);
    CHECK(partOf(partition, own) == last);
    CHECK_FALSE(partition.isShared(own));
    CHECK(partOf(partition, behind) == last);
    CHECK_FALSE(partition.isShared(behind));
    CHECK(partOf(partition, both) == 0);
    CHECK(partition.isShared(both));
    CHECK(partOf(partition, behindBoth) == 0);
    CHECK(partition.isShared(chain.functions.back())); // named by data of part 0
}

TEST_CASE("a module without an entry, or with assembly, is one part") {
    Chain chain;
    CHECK(partsOf(chain.ir.module, 3) == 3);
    CHECK(partsOf(chain.ir.module, 1000) == Partition::MostParts);
    CHECK(partsOf(chain.ir.module, 0) == 1);
    chain.ir.module.assembly.push_back({"nop", {}});
    CHECK(partsOf(chain.ir.module, 3) == 1);
    Ir empty;
    CHECK(partsOf(empty.module, 3) == 1);
}
