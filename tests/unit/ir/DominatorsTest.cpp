// Dominance compared with its definition: a block dominates another if no path avoids it.
#include "Fixture.h"

#include "ir/BuildControl.h"
#include "ir/Dominators.h"

#include <catch2/catch.hpp>

#include <random>

using namespace sx;
using namespace sx::ir;

namespace {

using Graph = std::vector<std::vector<uint32_t>>;

/// Blocks reachable from the entry without going through `avoided`.
std::vector<bool> reachableAvoiding(const Graph& graph, uint32_t avoided) {
    std::vector<bool> seen(graph.size());
    std::vector<uint32_t> work;
    if (avoided != 0) {
        seen[0] = true;
        work.push_back(0);
    }
    while (!work.empty()) {
        uint32_t b = work.back();
        work.pop_back();
        for (uint32_t to : graph[b])
            if (to != avoided && !seen[to]) {
                seen[to] = true;
                work.push_back(to);
            }
    }
    return seen;
}

void build(Ir& ir, Function& fn, const Graph& graph) {
    Builder b(ir.module, fn);
    while (fn.blocks.size() < graph.size()) b.newBlock();
    ValueId flag = b.param(0);
    for (uint32_t i = 0; i < graph.size(); ++i) {
        b.setBlock(BlockId{i});
        if (graph[i].empty()) emitRet(b);
        else if (graph[i].size() == 1) emitBr(b, BlockId{graph[i][0]});
        else emitCondBr(b, flag, BlockId{graph[i][0]}, BlockId{graph[i][1]});
    }
}

} // namespace

TEST_CASE("dominators of random graphs") {
    std::mt19937 random(12345);
    size_t wrong = 0;
    for (int round = 0; round < 300; ++round) {
        uint32_t n = 1 + random() % 12;
        Graph graph(n);
        for (uint32_t i = 0; i < n && n > 1; ++i)
            for (uint32_t k = random() % 3; k > 0; --k) graph[i].push_back(1 + random() % (n - 1));
        Ir ir;
        Function& fn = ir.function("f", {TypeId::Bool});
        build(ir, fn, graph);
        Dominators dominators(fn);
        std::vector<bool> reachable = reachableAvoiding(graph, n);
        for (uint32_t a = 0; a < n; ++a) {
            wrong += dominators.isReachable(a) != reachable[a];
            if (!reachable[a]) continue;
            std::vector<bool> avoiding = reachableAvoiding(graph, a);
            for (uint32_t b = 0; b < n; ++b)
                if (reachable[b]) wrong += dominators.dominates(a, b) != !avoiding[b];
        }
    }
    CHECK(wrong == 0);
}
