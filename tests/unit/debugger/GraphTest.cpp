// The algorithms on graphs against slow and obvious ones.
#include "debugger/objects/GraphFile.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <set>

using namespace sx::debugger::objects;

namespace {

struct Heap {
    uint32_t nodes = 0;
    std::vector<Edge> edges;
    std::vector<uint32_t> roots;
    std::vector<uint64_t> sizes;
};

Heap randomHeap(unsigned seed) {
    std::mt19937 random(seed);
    Heap h;
    h.nodes = 1 + random() % 24;
    unsigned edges = random() % (h.nodes * 3);
    for (unsigned i = 0; i < edges; ++i) {
        uint32_t from = random() % h.nodes, to = random() % h.nodes;
        h.edges.push_back({from, to, i, UINT32_MAX, EdgeKind::Field});
    }
    for (unsigned i = 0, n = random() % 4; i < n; ++i) h.roots.push_back(random() % h.nodes);
    for (uint32_t i = 0; i < h.nodes; ++i) h.sizes.push_back(random() % 100);
    return h;
}

/// What roots lead to where `without` is taken out.
std::vector<bool> reached(const Heap& h, uint32_t without) {
    std::vector<bool> is(h.nodes);
    for (uint32_t root : h.roots)
        if (root != without) is[root] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (const Edge& e : h.edges)
            if (is[e.from] && !is[e.to] && e.to != without) is[e.to] = changed = true;
    }
    return is;
}

/// Every way from a root to `target` without a node twice, as sets of nodes with their lengths.
void allPaths(const Heap& h, uint32_t at, std::vector<uint32_t>& way, std::set<std::vector<uint32_t>>& found,
              size_t& left) {
    if (left == 0) return;
    --left;
    if (std::find(h.roots.begin(), h.roots.end(), at) != h.roots.end()) {
        std::vector<uint32_t> nodes = way;
        std::sort(nodes.begin(), nodes.end());
        found.insert(nodes);
    }
    for (const Edge& e : h.edges) {
        if (e.to != at || std::find(way.begin(), way.end(), e.from) != way.end()) continue;
        way.push_back(e.from);
        allPaths(h, e.from, way, found, left);
        way.pop_back();
    }
}

} // namespace

TEST_CASE("retained sizes are what goes when a node goes", "[objects]") {
    for (unsigned seed = 0; seed < 2000; ++seed) {
        Heap h = randomHeap(seed);
        Graph graph(h.nodes, h.edges);
        Dominators d = dominators(graph, h.roots, h.sizes);
        std::vector<bool> all = reached(h, NoNode);
        for (uint32_t n = 0; n < h.nodes; ++n) {
            CAPTURE(seed, n);
            REQUIRE((d.reachable[n] != 0) == all[n]);
            if (!all[n]) {
                REQUIRE((d.retained[n] == 0 && d.parent[n] == NoNode));
                continue;
            }
            std::vector<bool> rest = reached(h, n);
            uint64_t freed = 0;
            for (uint32_t m = 0; m < h.nodes; ++m)
                if (all[m] && !rest[m]) freed += h.sizes[m];
            REQUIRE(d.retained[n] == freed);
        }
    }
}

TEST_CASE("groups keep what their outermost nodes keep", "[objects]") {
    for (unsigned seed = 0; seed < 2000; ++seed) {
        Heap h = randomHeap(seed);
        Dominators d = dominators(Graph(h.nodes, h.edges), h.roots, h.sizes);
        std::vector<uint32_t> groupOf;
        for (uint32_t n = 0; n < h.nodes; ++n) groupOf.push_back(n * 7 % 3);
        std::vector<uint64_t> sums = retainedByGroup(d, groupOf, 3), expected(3);
        for (uint32_t n = 0; n < h.nodes; ++n) {
            bool isInner = d.reachable[n] == 0;
            for (uint32_t up = d.parent[n]; up != NoNode; up = d.parent[up]) isInner |= groupOf[up] == groupOf[n];
            if (!isInner) expected[groupOf[n]] += d.retained[n];
        }
        CAPTURE(seed);
        REQUIRE(sums == expected);
    }
}

TEST_CASE("paths to roots are all there are, the shortest first", "[objects]") {
    for (unsigned seed = 0; seed < 2000; ++seed) {
        Heap h = randomHeap(seed);
        Graph graph(h.nodes, h.edges);
        uint32_t target = seed % h.nodes;
        std::set<std::vector<uint32_t>> expected, found;
        std::vector<uint32_t> way{target};
        size_t left = 3000;
        allPaths(h, target, way, expected, left);
        if (left == 0) continue; // too many to list
        size_t before = 0;
        for (const Path& p : pathsToRoots(graph, h.roots, target, 1'000'000)) {
            CAPTURE(seed);
            REQUIRE(p.nodes.size() >= before);
            before = p.nodes.size();
            REQUIRE(p.nodes.back() == target);
            REQUIRE(std::find(h.roots.begin(), h.roots.end(), p.nodes.front()) != h.roots.end());
            REQUIRE(p.edges.size() + 1 == p.nodes.size());
            for (size_t i = 0; i < p.edges.size(); ++i) {
                const Edge& e = graph.edges()[p.edges[i]];
                REQUIRE((e.from == p.nodes[i] && e.to == p.nodes[i + 1]));
            }
            std::vector<uint32_t> nodes = p.nodes;
            std::sort(nodes.begin(), nodes.end());
            REQUIRE(found.insert(nodes).second);
        }
        CAPTURE(seed);
        REQUIRE(found == expected);
    }
}

TEST_CASE("a long chain and a wide star do no harm", "[objects]") {
    constexpr uint32_t Count = 1'000'000;
    std::vector<Edge> edges;
    for (uint32_t i = 0; i + 1 < Count; ++i) edges.push_back({i, i + 1, 0, UINT32_MAX, EdgeKind::Field});
    for (uint32_t i = 0; i < Count; i += 3) edges.push_back({0, i, 0, UINT32_MAX, EdgeKind::Field});
    Graph graph(Count, std::move(edges));
    std::vector<uint64_t> sizes(Count, 1);
    Dominators d = dominators(graph, {0}, sizes);
    CHECK(d.retained[0] == Count);
    CHECK(d.retained[Count - 1] == 1);
    CHECK(pathsToRoots(graph, {0}, Count - 2, 5).size() == 5);
    std::vector<Edge> chain;
    for (uint32_t i = 0; i + 1 < Count; ++i) chain.push_back({i, i + 1, 0, UINT32_MAX, EdgeKind::Field});
    std::vector<Path> only = pathsToRoots(Graph(Count, chain), {0}, Count - 1, 5);
    REQUIRE(only.size() == 1);
    CHECK(only.front().nodes.size() == Count);
}

TEST_CASE("a file is read as it was written", "[objects]") {
    HeapGraph h;
    h.name = "a \"b\"";
    h.sites.push_back({"f", "a.sx", 3, 5});
    for (uint64_t id : {9, 2, 5})
        h.nodes.push_back({id, 8, h.texts.number("T<é>"), 0, 0, 0, 0, id == 2 ? 0 : UINT32_MAX});
    REQUIRE(h.finish());
    std::vector<Edge> edges;
    uint32_t at = 0;
    for (uint32_t index : {0u, 1u, 10u, UINT32_MAX}) {
        edges.push_back({0, 1, h.texts.number(".next"), index, EdgeKind::Index});
        edges.push_back({0, 2, h.texts.number("[07]" + std::to_string(at++)), index, EdgeKind::Handle});
    }
    h.graph = Graph(3, edges);
    h.roots.push_back({0, h.texts.number("x"), 0, h.texts.number("local"), 4, true});
    std::string text;
    llvm::raw_string_ostream out(text);
    auto toTheEnd = [](uint64_t, uint64_t) { return true; };
    CHECK(writeJson(h, out, toTheEnd));
    sx::Result<std::unique_ptr<HeapGraph>> read = readJson(text);
    REQUIRE(read);
    std::string again;
    llvm::raw_string_ostream outAgain(again);
    CHECK(writeJson(**read, outAgain, toTheEnd));
    CHECK(again == text);
    REQUIRE((*read)->graph.edges().size() == edges.size());
    for (size_t i = 0; i < edges.size(); ++i) CHECK((*read)->graph.edges()[i].index == edges[i].index);
}
