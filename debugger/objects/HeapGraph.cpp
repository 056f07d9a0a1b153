#include "debugger/objects/HeapGraph.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <unordered_map>

namespace sx::debugger::objects {

std::string Site::text() const {
    std::string place = file + ":" + std::to_string(line) + (column ? ":" + std::to_string(column) : "");
    return func.empty() ? place : func + " at " + place;
}

bool HeapGraph::finish() {
    byId_.resize(nodes.size());
    std::iota(byId_.begin(), byId_.end(), 0);
    auto isLess = [this](uint32_t a, uint32_t b) { return nodes[a].id < nodes[b].id; };
    if (!std::is_sorted(byId_.begin(), byId_.end(), isLess)) std::sort(byId_.begin(), byId_.end(), isLess);
    auto isSame = [this](uint32_t a, uint32_t b) { return nodes[a].id == nodes[b].id; };
    return std::adjacent_find(byId_.begin(), byId_.end(), isSame) == byId_.end();
}

std::optional<uint32_t> HeapGraph::find(uint64_t id) const {
    auto at =
        std::lower_bound(byId_.begin(), byId_.end(), id, [this](uint32_t n, uint64_t i) { return nodes[n].id < i; });
    return at == byId_.end() || nodes[*at].id != id ? std::nullopt : std::optional(*at);
}

std::vector<uint32_t> HeapGraph::rootNodes() const {
    std::vector<uint32_t> all;
    for (const Root& r : roots) all.push_back(r.node);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

std::vector<uint64_t> HeapGraph::sizes() const {
    std::vector<uint64_t> all;
    all.reserve(nodes.size());
    for (const Node& n : nodes) all.push_back(n.shallow);
    return all;
}

const Dominators& HeapGraph::dominators() const {
    if (!dominators_) dominators_ = std::make_unique<Dominators>(objects::dominators(graph, rootNodes(), sizes()));
    return *dominators_;
}

std::string HeapGraph::nameOf(uint32_t node) const {
    const std::string& type = texts.text(nodes[node].type);
    return (type.empty() ? "?" : type) + " #" + std::to_string(nodes[node].id);
}

std::string HeapGraph::labelOf(const Edge& e) const {
    std::string index = e.index == UINT32_MAX ? "" : "[" + std::to_string(e.index) + "]";
    return index + texts.text(e.label);
}

std::optional<GroupBy> groupByOf(std::string_view word) {
    static constexpr std::pair<const char*, GroupBy> Words[] = {{"none", GroupBy::None},     {"type", GroupBy::Type},
                                                                {"site", GroupBy::Site},     {"owner", GroupBy::Owner},
                                                                {"module", GroupBy::Module}, {"kind", GroupBy::Kind}};
    for (auto [name, by] : Words)
        if (word == name) return by;
    return std::nullopt;
}

namespace {

std::string groupName(const HeapGraph& h, uint32_t node, GroupBy by) {
    const Node& n = h.nodes[node];
    const Site* site = n.site == UINT32_MAX ? nullptr : &h.sites[n.site];
    switch (by) {
    case GroupBy::None: return h.nameOf(node);
    case GroupBy::Type: return h.texts.text(n.type).empty() ? "?" : h.texts.text(n.type);
    case GroupBy::Site: return site ? site->text() : "?";
    case GroupBy::Owner: return h.texts.text(n.owner);
    case GroupBy::Module: return site && !site->file.empty() ? site->file : "?";
    case GroupBy::Kind: return h.texts.text(n.kind);
    }
    return "?";
}

/// What a group is known by, so that names are made once.
uint64_t groupKey(const Node& n, uint32_t node, GroupBy by) {
    switch (by) {
    case GroupBy::None: return node;
    case GroupBy::Type: return n.type;
    case GroupBy::Site:
    case GroupBy::Module: return n.site;
    case GroupBy::Owner: return n.owner;
    case GroupBy::Kind: return n.kind;
    }
    return 0;
}

struct Grouping {
    std::vector<uint32_t> of; ///< by node
    std::vector<std::string> names;
};

Grouping grouping(const HeapGraph& h, GroupBy by) {
    Grouping g;
    std::unordered_map<uint64_t, uint32_t> known;
    std::unordered_map<std::string, uint32_t> byName; // several sites are one module
    for (uint32_t i = 0; i < h.nodes.size(); ++i) {
        auto [at, isNew] = known.try_emplace(groupKey(h.nodes[i], i, by));
        if (isNew) {
            std::string name = groupName(h, i, by);
            auto [named, isNewName] = byName.try_emplace(name, static_cast<uint32_t>(g.names.size()));
            if (isNewName) g.names.push_back(std::move(name));
            at->second = named->second;
        }
        g.of.push_back(at->second);
    }
    return g;
}

} // namespace

namespace {

int64_t keptBy(const HeapGraph& h, uint32_t node) { return static_cast<int64_t>(h.dominators().retained[node]); }

} // namespace

std::vector<GroupRow> objectsBySize(const HeapGraph& h, size_t start, size_t count) {
    std::vector<uint32_t> order(h.nodes.size());
    std::iota(order.begin(), order.end(), 0);
    auto isBefore = [&](uint32_t a, uint32_t b) {
        int64_t keptA = keptBy(h, a), keptB = keptBy(h, b);
        if (keptA != keptB) return keptA > keptB;
        return h.nodes[a].shallow != h.nodes[b].shallow ? h.nodes[a].shallow > h.nodes[b].shallow : a < b;
    };
    auto first = order.begin() + static_cast<ptrdiff_t>(std::min(start, order.size()));
    auto last = first + static_cast<ptrdiff_t>(std::min<size_t>(count, static_cast<size_t>(order.end() - first)));
    if (first != order.begin() && first != order.end()) std::nth_element(order.begin(), first, order.end(), isBefore);
    std::partial_sort(first, last, order.end(), isBefore);
    std::vector<GroupRow> rows;
    for (auto at = first; at != last; ++at) {
        GroupRow row;
        row.group = h.nameOf(*at);
        row.count = 1;
        row.shallow = static_cast<int64_t>(h.nodes[*at].shallow);
        row.retained = keptBy(h, *at);
        row.id = h.nodes[*at].id;
        row.isUnreached = !h.dominators().reachable[*at];
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<GroupRow> groups(const HeapGraph& h, GroupBy by) {
    if (by == GroupBy::None) return objectsBySize(h, 0, h.nodes.size());
    Grouping g = grouping(h, by);
    std::vector<GroupRow> rows(g.names.size());
    std::vector<uint64_t> kept = retainedByGroup(h.dominators(), g.of, static_cast<uint32_t>(rows.size()));
    for (size_t i = 0; i < rows.size(); ++i) {
        rows[i].group = std::move(g.names[i]);
        rows[i].retained = static_cast<int64_t>(kept[i]);
    }
    for (uint32_t i = 0; i < h.nodes.size(); ++i) {
        GroupRow& row = rows[g.of[i]];
        ++row.count;
        row.shallow += static_cast<int64_t>(h.nodes[i].shallow);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const GroupRow& a, const GroupRow& b) {
        return a.retained != b.retained ? a.retained > b.retained : a.shallow > b.shallow;
    });
    return rows;
}

namespace {

/// What keeps a new object: the nearest dominator that is not new, or a root.
std::string keeperOf(const HeapGraph& from, const HeapGraph& to, uint32_t node, const std::vector<uint32_t>& rootOf) {
    const Dominators& d = to.dominators();
    if (!d.reachable[node]) return "nothing";
    uint32_t top = node;
    for (uint32_t up = d.parent[node]; up != NoNode; up = d.parent[up]) {
        if (from.find(to.nodes[up].id)) return to.nameOf(up);
        top = up;
    }
    if (rootOf[top] != NoNode) return to.texts.text(to.roots[rootOf[top]].name);
    return "several";
}

} // namespace

std::vector<GroupRow> difference(const HeapGraph& from, const HeapGraph& to, GroupBy by) {
    std::map<std::string, GroupRow> changes;
    for (const GroupRow& row : groups(from, by)) {
        GroupRow& change = changes[row.group];
        change.count -= row.count, change.shallow -= row.shallow, change.retained -= row.retained;
    }
    for (const GroupRow& row : groups(to, by)) {
        GroupRow& change = changes[row.group];
        change.count += row.count, change.shallow += row.shallow, change.retained += row.retained;
        change.id = row.id;
    }
    std::vector<uint32_t> rootOf(to.nodes.size(), NoNode);
    for (uint32_t i = 0; i < to.roots.size(); ++i)
        if (rootOf[to.roots[i].node] == NoNode) rootOf[to.roots[i].node] = i;
    Grouping g = grouping(to, by);
    std::vector<std::map<std::string, size_t>> keepers(g.names.size());
    for (uint32_t i = 0; i < to.nodes.size(); ++i)
        if (!from.find(to.nodes[i].id)) ++keepers[g.of[i]][keeperOf(from, to, i, rootOf)];
    for (size_t i = 0; i < keepers.size(); ++i) {
        auto most = std::max_element(keepers[i].begin(), keepers[i].end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
        if (most != keepers[i].end()) changes[g.names[i]].keptBy = most->first;
    }
    std::vector<GroupRow> rows;
    for (auto& [name, change] : changes) {
        change.group = name;
        if (change.count != 0 || change.shallow != 0 || change.retained != 0 || !change.keptBy.empty())
            rows.push_back(std::move(change));
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const GroupRow& a, const GroupRow& b) { return std::abs(a.shallow) > std::abs(b.shallow); });
    return rows;
}

} // namespace sx::debugger::objects
