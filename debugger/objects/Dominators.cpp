#include "debugger/objects/Graph.h"

#include <algorithm>
#include <utility>

namespace sx::debugger::objects {

namespace {

/// The names of the paper: `semi`, `vertex`, `bucket`, `ancestor`, `label`. Vertices are numbered by a depth-first
/// search; number 0 is the node above the roots.
class Flowgraph {
public:
    Flowgraph(const Graph& graph, llvm::ArrayRef<uint32_t> roots)
        : graph_(graph), number_(graph.nodeCount(), NoNode), isRoot_(graph.nodeCount()) {
        vertex_.reserve(graph.nodeCount() + 1);
        parent_.reserve(graph.nodeCount() + 1);
        vertex_.push_back(NoNode);
        parent_.push_back(0);
        for (uint32_t root : roots) isRoot_[root] = 1;
        for (uint32_t root : roots)
            if (number_[root] == NoNode) search(root);
    }

    /// The immediate dominator of each vertex, by number.
    std::vector<uint32_t> solve() {
        auto count = static_cast<uint32_t>(vertex_.size());
        std::vector<uint32_t> dom(count), bucket(count, NoNode), next(count, NoNode);
        semi_.resize(count), label_.resize(count), ancestor_.assign(count, NoNode);
        for (uint32_t i = 0; i < count; ++i) semi_[i] = label_[i] = i;
        for (uint32_t w = count - 1; w >= 1 && w != NoNode; --w) {
            uint32_t node = vertex_[w];
            if (isRoot_[node]) semi_[w] = 0;
            for (uint32_t edge : graph_.in(node)) {
                uint32_t v = number_[graph_.edges()[edge].from];
                if (v != NoNode) semi_[w] = std::min(semi_[w], semi_[eval(v)]);
            }
            next[w] = std::exchange(bucket[semi_[w]], w);
            uint32_t p = parent_[w];
            ancestor_[w] = p;
            for (uint32_t v = std::exchange(bucket[p], NoNode); v != NoNode; v = next[v]) {
                uint32_t u = eval(v);
                dom[v] = semi_[u] < semi_[v] ? u : p;
            }
        }
        for (uint32_t w = 1; w < count; ++w)
            if (dom[w] != semi_[w]) dom[w] = dom[dom[w]];
        return dom;
    }

    const std::vector<uint32_t>& vertices() const { return vertex_; }

private:
    void search(uint32_t root) {
        std::vector<std::pair<uint32_t, uint32_t>> stack; // a node, and how many of its edges were taken
        visit(root, 0);
        stack.emplace_back(root, 0);
        while (!stack.empty()) {
            auto& [node, taken] = stack.back();
            llvm::ArrayRef<Edge> out = graph_.out(node);
            if (taken == out.size()) {
                stack.pop_back();
                continue;
            }
            uint32_t to = out[taken++].to;
            if (number_[to] != NoNode) continue;
            visit(to, number_[node]);
            stack.emplace_back(to, 0);
        }
    }
    void visit(uint32_t node, uint32_t parent) {
        number_[node] = static_cast<uint32_t>(vertex_.size());
        vertex_.push_back(node);
        parent_.push_back(parent);
    }

    /// The vertex with the least semidominator on the way up in the forest of linked vertices; the way is compressed.
    uint32_t eval(uint32_t v) {
        if (ancestor_[v] == NoNode) return v;
        path_.clear();
        for (uint32_t u = v; ancestor_[ancestor_[u]] != NoNode; u = ancestor_[u]) path_.push_back(u);
        for (size_t i = path_.size(); i-- > 0;) {
            uint32_t u = path_[i], above = ancestor_[u];
            if (semi_[label_[above]] < semi_[label_[u]]) label_[u] = label_[above];
            ancestor_[u] = ancestor_[above];
        }
        return label_[v];
    }

    const Graph& graph_;
    std::vector<uint32_t> number_;
    std::vector<uint8_t> isRoot_;
    std::vector<uint32_t> vertex_, parent_, semi_, label_, ancestor_, path_;
};

} // namespace

Dominators dominators(const Graph& graph, llvm::ArrayRef<uint32_t> roots, llvm::ArrayRef<uint64_t> sizes) {
    Flowgraph flow(graph, roots);
    std::vector<uint32_t> dom = flow.solve();
    const std::vector<uint32_t>& vertex = flow.vertices();
    Dominators result;
    result.parent.assign(graph.nodeCount(), NoNode);
    result.order.reserve(vertex.size());
    result.reachable.assign(graph.nodeCount(), 0);
    result.retained.assign(graph.nodeCount(), 0);
    for (size_t i = 1; i < vertex.size(); ++i) {
        result.order.push_back(vertex[i]);
        result.reachable[vertex[i]] = 1;
        result.retained[vertex[i]] = sizes[vertex[i]];
        result.parent[vertex[i]] = vertex[dom[i]];
    }
    // A dominator has a lower number than what it dominates.
    for (size_t i = vertex.size(); i-- > 1;)
        if (uint32_t above = result.parent[vertex[i]]; above != NoNode)
            result.retained[above] += result.retained[vertex[i]];
    return result;
}

std::vector<uint64_t> retainedByGroup(const Dominators& d, llvm::ArrayRef<uint32_t> groupOf, uint32_t groups) {
    std::vector<uint64_t> sums(groups);
    std::vector<uint32_t> child(d.parent.size(), NoNode), sibling(d.parent.size(), NoNode);
    uint32_t top = NoNode;
    for (uint32_t node : d.order)
        sibling[node] = std::exchange(d.parent[node] == NoNode ? top : child[d.parent[node]], node);
    std::vector<uint32_t> above(groups); // how many nodes of a group the walk is below
    auto enter = [&](uint32_t node) {
        if (above[groupOf[node]]++ == 0) sums[groupOf[node]] += d.retained[node];
    };
    for (uint32_t node = top; node != NoNode;) {
        enter(node);
        if (child[node] != NoNode) {
            node = child[node];
            continue;
        }
        while (node != NoNode) {
            --above[groupOf[node]];
            if (sibling[node] != NoNode) break;
            node = d.parent[node];
        }
        if (node != NoNode) node = sibling[node];
    }
    return sums;
}

} // namespace sx::debugger::objects
