// A directed graph with many nodes, and what follows from its edges alone: who keeps whom. Nodes and edges are numbers
// from 0 on.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace sx::debugger::objects {

constexpr uint32_t NoNode = UINT32_MAX;

/// What leads from one object to another.
enum class EdgeKind : uint8_t {
    Field,
    Tuple,
    Index,
    Key,
    Value,
    Payload,
    Capture,
    Element, ///< of a channel
    Frame,   ///< of a fiber
    Root,
    Shared,
    Handle,
    Bookkeeping,
};
const char* nameOf(EdgeKind);

struct Edge {
    uint32_t from = 0, to = 0;
    uint32_t label = 0;          ///< a text of the graph's owner
    uint32_t index = UINT32_MAX; ///< of the element of `from` that it leaves; UINT32_MAX: `from` is one value
    EdgeKind kind = EdgeKind::Field;
};

class Graph {
public:
    Graph() = default;
    Graph(uint32_t nodes, std::vector<Edge> edges);

    uint32_t nodeCount() const { return nodes_; }
    const std::vector<Edge>& edges() const { return edges_; } ///< by `from`, otherwise in the order in which they came
    llvm::ArrayRef<Edge> out(uint32_t node) const {
        return llvm::ArrayRef(edges_).slice(first_[node], first_[node + 1] - first_[node]);
    }
    /// Numbers of the edges that lead to a node.
    llvm::ArrayRef<uint32_t> in(uint32_t node) const {
        return llvm::ArrayRef(incoming_).slice(firstIn_[node], firstIn_[node + 1] - firstIn_[node]);
    }

private:
    uint32_t nodes_ = 0;
    std::vector<Edge> edges_;
    std::vector<uint32_t> first_, firstIn_, incoming_;
};

/// Who keeps whom alive, where some nodes are roots.
struct Dominators {
    /// The nearest node that every way from a root goes through; NoNode where there is none, or no way at all.
    std::vector<uint32_t> parent;
    std::vector<uint32_t> order;    ///< of the nodes that roots lead to: a parent comes before its children
    std::vector<uint8_t> reachable; ///< by node
    std::vector<uint64_t> retained; ///< the sizes of a node and of all that it alone keeps; 0 where nothing leads
};

/// By the algorithm of Lengauer and Tarjan ("A fast algorithm for finding dominators in a flowgraph", TOPLAS 1979) in
/// its simple form, with a node above all roots.
Dominators dominators(const Graph&, llvm::ArrayRef<uint32_t> roots, llvm::ArrayRef<uint64_t> sizes);

/// What groups keep: the retained sizes of a group's nodes, but of those that another node of the group dominates.
/// `groupOf` has a number below `groups` for each node.
std::vector<uint64_t> retainedByGroup(const Dominators&, llvm::ArrayRef<uint32_t> groupOf, uint32_t groups);

/// A way from a root to a node.
struct Path {
    std::vector<uint32_t> nodes; ///< the first is one that a root leads to, the last is the node itself
    std::vector<uint32_t> edges; ///< numbers of edges between them
};

/// Ways from roots to `target`, the shortest first, each without a node twice and with other nodes than those before.
/// At most `max`. The search ends after it has looked at `steps` nodes, but where there is a way one is found. `stop`
/// is asked now and then, and ends it as well.
std::vector<Path> pathsToRoots(const Graph&, llvm::ArrayRef<uint32_t> roots, uint32_t target, size_t max,
                               size_t steps = 2'000'000, const std::function<bool()>& stop = {});

/// How many edges lie between the nearest root and each node; NoNode where no root leads to it.
std::vector<uint32_t> distances(const Graph&, llvm::ArrayRef<uint32_t> roots);

} // namespace sx::debugger::objects
