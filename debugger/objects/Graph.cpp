#include "debugger/objects/Graph.h"

#include <algorithm>
#include <queue>
#include <set>

namespace sx::debugger::objects {

const char* nameOf(EdgeKind kind) {
    static constexpr const char* Names[] = {"field",   "tuple", "index", "key",    "value",  "payload",    "capture",
                                            "element", "frame", "root",  "shared", "handle", "bookkeeping"};
    return Names[static_cast<size_t>(kind)];
}

Graph::Graph(uint32_t nodes, std::vector<Edge> edges) : nodes_(nodes), first_(nodes + 1), firstIn_(nodes + 1) {
    for (const Edge& e : edges) ++first_[e.from + 1], ++firstIn_[e.to + 1];
    for (uint32_t i = 0; i < nodes; ++i) first_[i + 1] += first_[i], firstIn_[i + 1] += firstIn_[i];
    std::vector<uint32_t> at(first_.begin(), first_.end() - 1), atIn(firstIn_.begin(), firstIn_.end() - 1);
    if (std::is_sorted(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.from < b.from; })) {
        edges_ = std::move(edges);
    } else {
        edges_.resize(edges.size());
        for (const Edge& e : edges) edges_[at[e.from]++] = e;
    }
    incoming_.resize(edges_.size());
    for (uint32_t i = 0; i < edges_.size(); ++i) incoming_[atIn[edges_[i].to]++] = i;
}

std::vector<uint32_t> distances(const Graph& graph, llvm::ArrayRef<uint32_t> roots) {
    std::vector<uint32_t> far(graph.nodeCount(), NoNode), queue;
    for (uint32_t root : roots)
        if (far[root] == NoNode) far[root] = 0, queue.push_back(root);
    for (size_t i = 0; i < queue.size(); ++i)
        for (const Edge& e : graph.out(queue[i]))
            if (far[e.to] == NoNode) far[e.to] = far[queue[i]] + 1, queue.push_back(e.to);
    return far;
}

namespace {

/// A way from some node to the target, as a list that shares its end with others.
struct Partial {
    uint32_t node, edge, rest; ///< the node where it begins, the edge that it leaves by, and what follows
    uint32_t length;
};

class PathSearch {
public:
    PathSearch(const Graph& graph, llvm::ArrayRef<uint32_t> roots, uint32_t target)
        : graph_(graph), far_(distances(graph, roots)), isRoot_(graph.nodeCount()), target_(target) {
        for (uint32_t root : roots) isRoot_[root] = 1;
        if (far_[target] != NoNode) push({target, NoNode, NoNode, 0});
    }

    std::vector<Path> run(size_t max, size_t steps, const std::function<bool()>& stop) {
        std::vector<Path> found;
        if (max > 0 && !queue_.empty()) keep(shortest(), found);
        while (!queue_.empty() && found.size() < max && steps > 0) {
            if (stop && steps % 4096 == 0 && stop()) break;
            Entry entry = queue_.top();
            queue_.pop();
            if (entry.isWhole) {
                keep(pathOf(entry.partial), found);
                continue;
            }
            extend(entry.partial, steps);
        }
        return found;
    }

private:
    /// Ordered by the least length that the whole way can have; whole ones first, then by age.
    struct Entry {
        uint32_t bound, partial;
        bool isWhole;
        bool operator<(const Entry& other) const {
            if (bound != other.bound) return bound > other.bound;
            if (isWhole != other.isWhole) return other.isWhole;
            return partial > other.partial;
        }
    };

    void push(Partial p) {
        partials_.push_back(p);
        queue_.push({p.length + far_[p.node], static_cast<uint32_t>(partials_.size() - 1), false});
    }

    void keep(Path path, std::vector<Path>& found) {
        std::vector<uint32_t> nodes = path.nodes;
        std::sort(nodes.begin(), nodes.end());
        if (seen_.insert(std::move(nodes)).second) found.push_back(std::move(path));
    }

    /// One that is found however long it is: each node is nearer to a root than the one after it.
    Path shortest() const {
        Path path;
        path.nodes.push_back(target_);
        for (uint32_t node = target_; far_[node] != 0;)
            for (uint32_t edge : graph_.in(node))
                if (uint32_t from = graph_.edges()[edge].from; far_[from] + 1 == far_[node]) {
                    path.nodes.push_back(node = from);
                    path.edges.push_back(edge);
                    break;
                }
        std::reverse(path.nodes.begin(), path.nodes.end());
        std::reverse(path.edges.begin(), path.edges.end());
        return path;
    }

    /// Each node of the way that is looked at is paid for.
    bool contains(uint32_t partial, uint32_t node, size_t& steps) const {
        for (; partial != NoNode; partial = partials_[partial].rest) {
            if (partials_[partial].node == node) return true;
            if (steps > 1) --steps;
        }
        return false;
    }

    void extend(uint32_t number, size_t& steps) {
        Partial p = partials_[number];
        if (isRoot_[p.node]) queue_.push({p.length, number, true});
        uint32_t before = NoNode; // several edges from one node make one way
        for (uint32_t edge : graph_.in(p.node)) {
            uint32_t from = graph_.edges()[edge].from;
            if (from == before || far_[from] == NoNode || contains(number, from, steps)) continue;
            before = from;
            push({from, edge, number, p.length + 1});
            if (--steps == 0) return;
        }
        if (steps > 0) --steps;
    }

    Path pathOf(uint32_t partial) const {
        Path path;
        for (; partial != NoNode; partial = partials_[partial].rest) {
            path.nodes.push_back(partials_[partial].node);
            if (partials_[partial].edge != NoNode) path.edges.push_back(partials_[partial].edge);
        }
        return path;
    }

    const Graph& graph_;
    std::vector<uint32_t> far_;
    std::vector<uint8_t> isRoot_;
    uint32_t target_;
    std::vector<Partial> partials_;
    std::priority_queue<Entry> queue_;
    std::set<std::vector<uint32_t>> seen_;
};

} // namespace

std::vector<Path> pathsToRoots(const Graph& graph, llvm::ArrayRef<uint32_t> roots, uint32_t target, size_t max,
                               size_t steps, const std::function<bool()>& stop) {
    return PathSearch(graph, roots, target).run(max, steps, stop);
}

} // namespace sx::debugger::objects
