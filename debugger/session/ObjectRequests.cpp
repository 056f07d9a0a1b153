// Requests about the objects on the heap and who keeps them.
#include "debugger/objects/GraphFile.h"
#include "debugger/session/Evaluation.h"
#include "debugger/session/Frames.h"
#include "debugger/session/Heap.h"
#include "debugger/session/LongWork.h"
#include "debugger/session/Requests.h"
#include "source/Installation.h"
#include "source/Paths.h"
#include "types/Layout.h"

#include "llvm/Support/FileSystem.h"

#include "heap.h"

#include <algorithm>
#include <unordered_map>

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;
using objects::Edge;
using objects::HeapGraph;
using objects::NoNode;

namespace {

constexpr uint32_t MostObjects = 1000; ///< of one answer
constexpr size_t MostEdges = 20'000;   ///< of one answer
constexpr size_t MostSnapshots = 32;
constexpr size_t MostContent = 32 << 20; ///< bytes of an export in an answer

int64_t number(uint64_t n) { return static_cast<int64_t>(n); }

// ---- nodes

llvm::json::Value siteJson(const objects::Site& site) {
    if (site.file.empty() && site.func.empty()) return nullptr;
    return Object{{"func", asUtf8(site.func)}, {"file", asUtf8(site.file)}, {"line", site.line}, {"col", site.column}};
}

std::string summaryOf(Session& s, uint32_t node) {
    const objects::Block& block = s.heap->index->block(node);
    const objects::BlockView& view = s.heap->index->view(node);
    const TypeTable& types = s.program->types;
    if (view.captures) return "captures";
    uint64_t size = view.type == TypeId::None ? 0 : sizeOf(types, view.type);
    if (size == 0 || size > block.size) return std::to_string(block.size) + " bytes";
    Values values = valuesOf(s);
    if (!view.isRow) return values.text(Datum::at(view.type, block.address));
    uint64_t count = view.count == 0 ? block.size / size : view.count;
    if (view.type != TypeId::U8) return "len " + std::to_string(count);
    uint64_t text[2] = {block.address, std::min<uint64_t>(count, 60)};
    return values.text(Datum::held(TypeId::String, {reinterpret_cast<const uint8_t*>(text), sizeof text}));
}

Object nodeJson(Session& s, const HeapGraph& h, uint32_t i) {
    const objects::Node& n = h.nodes[i];
    Object o{{"id", number(n.id)},           {"type", asUtf8(h.texts.text(n.type))},
             {"kind", h.texts.text(n.kind)}, {"summary", asUtf8(summaryOf(s, i))},
             {"shallow", number(n.shallow)}, {"owner", h.texts.text(n.owner)},
             {"serial", number(n.id)},       {"provenance", h.texts.text(n.provenance)},
             {"backend", "alloc"},           {"validity", h.texts.text(n.validity)}};
    o["site"] = n.site == UINT32_MAX ? llvm::json::Value(nullptr) : siteJson(h.sites[n.site]);
    bool isKnown = h.dominators().reachable[i];
    if (isKnown) o["retained"] = number(h.dominators().retained[i]);
    else o["retained"] = "unavailable";
    if (isKnown && !h.approximation.empty()) o["approximate"] = true;
    return o;
}

/// A root as a node: its id is negative, and no other request takes it.
int64_t rootId(size_t root) { return -1 - number(root); }

Object rootJson(const HeapGraph& h, const objects::Root& r) {
    Object o{{"kind", h.texts.text(r.kind)},
             {"name", asUtf8(h.texts.text(r.name))},
             {"label", asUtf8(h.texts.text(r.label))}};
    if (r.thread != 0) o["threadId"] = r.thread;
    if (r.isApproximate) o["approximate"] = true;
    return o;
}

Object rootNodeJson(const HeapGraph& h, size_t root) {
    const objects::Root& r = h.roots[root];
    std::string kind = h.texts.text(r.kind);
    const char* provenance = kind == "global" ? "global" : "stack";
    Object o{{"id", rootId(root)},
             {"type", ""},
             {"kind", "root"},
             {"summary", asUtf8(h.texts.text(r.name))},
             {"shallow", 0},
             {"retained", "unavailable"},
             {"site", nullptr},
             {"serial", 0},
             {"owner", r.thread ? "thread " + std::to_string(r.thread) : std::string("program")},
             {"provenance", provenance},
             {"backend", "custom"},
             {"validity", "live"}};
    if (r.isApproximate) o["approximate"] = true;
    return o;
}

Object edgeJson(const HeapGraph& h, const Edge& e) {
    return Object{{"from", number(h.nodes[e.from].id)},
                  {"to", number(h.nodes[e.to].id)},
                  {"kind", objects::nameOf(e.kind)},
                  {"label", asUtf8(h.labelOf(e))}};
}

Reply noObject(int64_t id) { return Reply::failure("there is no object " + std::to_string(id) + " on the heap"); }

/// A block that the graph does not have: it was freed.
Reply freedObject(Session& s, int64_t id) {
    Result<const objects::Registry*> registry = registryOf(s);
    const objects::Block* block = registry && id > 0 ? (*registry)->withSerial(static_cast<uint64_t>(id)) : nullptr;
    if (!block) return noObject(id);
    return Object{{"id", id},
                  {"type", ""},
                  {"kind", "unknown"},
                  {"summary", std::to_string(block->size) + " bytes"},
                  {"shallow", number(block->size)},
                  {"retained", "unavailable"},
                  {"site", siteJson(siteOf(s, **registry, block->site))},
                  {"freedSite", siteJson(siteOf(s, **registry, block->freedSite))},
                  {"owner", ownerOf(s, *block)},
                  {"serial", id},
                  {"provenance", "heap"},
                  {"backend", "alloc"},
                  {"validity", "freed"}};
}

/// `start` and `count` of an answer in pages.
struct PageOf {
    uint32_t start = 0, count = 0;
};
PageOf pageOf(Arguments& a, uint32_t otherwise) {
    PageOf p;
    p.start = a.optionalIndex("start").value_or(0);
    p.count = a.optionalIndex("count").value_or(otherwise);
    if (p.count == 0) p.count = otherwise;
    p.count = std::min(p.count, MostObjects);
    return p;
}

} // namespace

Reply object(Session& s, Arguments& a) {
    int64_t id = a.integer("id");
    if (!a.ok()) return {};
    Result<std::shared_ptr<HeapGraph>> heap = heapGraphOf(s);
    if (!heap) return Reply::failure(heap.error());
    std::optional<uint32_t> node = id > 0 ? (*heap)->find(static_cast<uint64_t>(id)) : std::nullopt;
    if (!node) return freedObject(s, id);
    return nodeJson(s, **heap, *node);
}

// ---- around an object

namespace {

/// Objects around one, the nearest first, and the roots that lead to them.
class Neighbourhood {
public:
    Neighbourhood(const HeapGraph& h, bool isOut, bool isIn) : heap_(h), isOut_(isOut), isIn_(isIn) {
        places_.resize(h.nodes.size() + h.roots.size(), NoNode);
        if (isIn)
            for (size_t i = 0; i < h.roots.size(); ++i) rootsOf_[h.roots[i].node].push_back(i);
    }

    /// `stop` is asked now and then, and ends it.
    void walk(uint32_t from, uint32_t depth, const std::function<bool()>& stop) {
        add(from);
        size_t begin = 0;
        for (uint32_t d = 0; d < depth && begin < items.size(); ++d) {
            size_t end = items.size();
            for (size_t i = begin; i < end; ++i) {
                if (i % 4096 == 4095 && stop()) return;
                if (items[i] >= 0) extend(static_cast<uint32_t>(items[i]));
            }
            begin = end;
        }
    }
    /// Where an item stands in `items`; NoNode where it is not around.
    uint32_t placeOf(int64_t item) const { return places_[slot(item)]; }

    std::vector<int64_t> items; ///< nodes; -1 - N for root N

private:
    size_t slot(int64_t item) const {
        return item >= 0 ? static_cast<size_t>(item) : heap_.nodes.size() + static_cast<size_t>(-1 - item);
    }
    void add(int64_t item) {
        uint32_t& place = places_[slot(item)];
        if (place != NoNode) return;
        place = static_cast<uint32_t>(items.size());
        items.push_back(item);
    }
    void extend(uint32_t node) {
        if (isOut_)
            for (const Edge& e : heap_.graph.out(node)) add(e.to);
        if (!isIn_) return;
        if (auto roots = rootsOf_.find(node); roots != rootsOf_.end())
            for (size_t root : roots->second) add(rootId(root));
        for (uint32_t edge : heap_.graph.in(node)) add(heap_.graph.edges()[edge].from);
    }

    const HeapGraph& heap_;
    bool isOut_, isIn_;
    std::unordered_map<uint32_t, std::vector<size_t>> rootsOf_;
    std::vector<uint32_t> places_; ///< by node, then by root
};

Object neighbourhoodJson(Session& s, const HeapGraph& h, const Neighbourhood& around, PageOf page) {
    size_t first = std::min<size_t>(page.start, around.items.size());
    size_t end = std::min<size_t>(first + page.count, around.items.size());
    auto isShown = [&](int64_t item) { return around.placeOf(item) < end; };
    auto isOfPage = [&](int64_t item) { return isShown(item) && around.placeOf(item) >= first; };
    Array nodes, edges;
    for (size_t i = first; i < end; ++i) {
        int64_t item = around.items[i];
        if (item < 0) nodes.push_back(rootNodeJson(h, static_cast<size_t>(-1 - item)));
        else nodes.push_back(nodeJson(s, h, static_cast<uint32_t>(item)));
    }
    // An edge comes with the later one of its ends.
    size_t hiddenEdges = 0;
    auto isRoom = [&] { return edges.size() < MostEdges || (++hiddenEdges, false); };
    for (size_t i = 0; i < end && first < end; ++i) {
        int64_t item = around.items[i];
        if (item < 0) {
            const objects::Root& r = h.roots[static_cast<size_t>(-1 - item)];
            if (isShown(r.node) && (isOfPage(item) || isOfPage(r.node)) && isRoom())
                edges.push_back(Object{{"from", item},
                                       {"to", number(h.nodes[r.node].id)},
                                       {"kind", "root"},
                                       {"label", asUtf8(h.texts.text(r.label))}});
            continue;
        }
        for (const Edge& e : h.graph.out(static_cast<uint32_t>(item)))
            if (isShown(e.to) && (isOfPage(item) || isOfPage(e.to)) && isRoom()) edges.push_back(edgeJson(h, e));
    }
    Object o{{"nodes", std::move(nodes)}, {"edges", std::move(edges)}, {"hidden", number(around.items.size() - end)}};
    if (hiddenEdges > 0) o["hiddenEdges"] = number(hiddenEdges);
    return o;
}

} // namespace

Reply neighbourhood(Session& s, Arguments& a) {
    int64_t id = a.integer("id");
    std::string direction = a.optionalText("direction").value_or("both");
    uint32_t depth = a.optionalIndex("depth").value_or(1);
    PageOf page = pageOf(a, 100);
    if (direction != "out" && direction != "in" && direction != "both")
        a.reject("`direction` has to be `out`, `in` or `both`");
    if (!a.ok()) return {};
    Result<std::shared_ptr<HeapGraph>> heap = heapGraphOf(s);
    if (!heap) return Reply::failure(heap.error());
    std::optional<uint32_t> node = id > 0 ? (*heap)->find(static_cast<uint64_t>(id)) : std::nullopt;
    if (!node) return noObject(id);
    bool wasCancelled = false;
    Neighbourhood around(**heap, direction != "in", direction != "out");
    around.walk(*node, depth, [&] { return wasCancelled = s.cancelled(); });
    if (wasCancelled) return Reply::failure(Cancelled);
    return neighbourhoodJson(s, **heap, around, page);
}

Reply pathsToRoots(Session& s, Arguments& a) {
    int64_t id = a.integer("id");
    uint32_t max = std::min(a.optionalIndex("max").value_or(10), MostObjects);
    if (!a.ok()) return {};
    Result<std::shared_ptr<HeapGraph>> found = heapGraphOf(s);
    if (!found) return Reply::failure(found.error());
    const HeapGraph& h = **found;
    std::optional<uint32_t> node = id > 0 ? h.find(static_cast<uint64_t>(id)) : std::nullopt;
    if (!node) return noObject(id);
    bool wasCancelled = false;
    auto stop = [&] { return wasCancelled = wasCancelled || s.cancelled(); };
    Array paths;
    for (const objects::Path& path : objects::pathsToRoots(h.graph, h.rootNodes(), *node, max, 2'000'000, stop)) {
        Array nodes, edges;
        // Of a long way both ends are shown.
        size_t omitted = path.nodes.size() - std::min<size_t>(path.nodes.size(), MostObjects);
        auto isShown = [&](size_t i) { return i < MostObjects / 2 || i >= MostObjects / 2 + omitted; };
        for (size_t i = 0; i < path.nodes.size(); ++i)
            if (isShown(i)) nodes.push_back(nodeJson(s, h, path.nodes[i]));
        for (size_t i = 0; i < path.edges.size(); ++i)
            if (isShown(i) && isShown(i + 1)) edges.push_back(edgeJson(h, h.graph.edges()[path.edges[i]]));
        auto root = std::find_if(h.roots.begin(), h.roots.end(),
                                 [&](const objects::Root& r) { return r.node == path.nodes.front(); });
        Object shown{{"nodes", std::move(nodes)}, {"edges", std::move(edges)}, {"root", rootJson(h, *root)}};
        if (omitted > 0) shown["omitted"] = number(omitted);
        paths.push_back(std::move(shown));
    }
    if (wasCancelled) return Reply::failure(Cancelled);
    return Object{{"paths", std::move(paths)}};
}

// ---- groups

namespace {

objects::GroupBy readGroupBy(Arguments& a, bool& isWatch, const char* otherwise) {
    std::string word = a.optionalText("groupBy").value_or(otherwise);
    isWatch = word == "watch";
    std::optional<objects::GroupBy> by = objects::groupByOf(word);
    if (!by && !isWatch) a.reject("`groupBy` has to be `type`, `site`, `owner`, `module`, `kind`, `watch` or `none`");
    return by.value_or(objects::GroupBy::None);
}

/// What is kept by some objects together: what would be free if they were.
void addKept(const HeapGraph& h, const objects::Dominators& d, const std::vector<uint32_t>& by,
             objects::GroupRow& row) {
    std::vector<uint8_t> isFree(h.nodes.size());
    for (uint32_t node : by) isFree[node] = 1;
    row.isUnreached = std::none_of(by.begin(), by.end(), [&](uint32_t node) { return d.reachable[node] != 0; });
    std::vector<uint32_t> staying;
    std::vector<uint8_t> stays(h.nodes.size());
    auto keep = [&](uint32_t node) {
        if (!isFree[node] && !std::exchange(stays[node], 1)) staying.push_back(node);
    };
    for (uint32_t root : h.rootNodes()) keep(root);
    for (size_t i = 0; i < staying.size(); ++i)
        for (const Edge& e : h.graph.out(staying[i])) keep(e.to);
    for (uint32_t node = 0; node < h.nodes.size(); ++node) {
        if (!isFree[node] && (stays[node] || !d.reachable[node])) continue;
        ++row.count, row.shallow += number(h.nodes[node].shallow);
        if (d.reachable[node]) row.retained += number(h.nodes[node].shallow);
    }
}

/// The objects that each expression refers to, and what they keep.
Result<std::vector<objects::GroupRow>> watchRows(Session& s, const HeapGraph& h, Arguments& a) {
    std::vector<std::string> watches = a.texts("watches");
    std::optional<uint32_t> frameId = a.optionalIndex("frameId");
    if (!a.ok()) return Failure{a.problem()};
    Result<const FrameHandle*> frame = frameOf(s, frameId);
    if (!frame) return frame.failure();
    const objects::Dominators& d = h.dominators();
    std::vector<objects::GroupRow> rows;
    for (const std::string& text : watches) {
        Result<Datum> value = evaluateIn(s, text, *frame, Unset::Refused);
        std::optional<uint64_t> at;
        if (value) at = valuesOf(s).row(*value).memoryReference;
        uint32_t node = at ? s.heap->index->nodeAt(*at).value_or(NoNode) : NoNode;
        objects::GroupRow row;
        row.group = text;
        std::vector<uint32_t> kept;
        if (node != NoNode) kept = {node}, row.id = h.nodes[node].id;
        else if (value) kept = s.heap->index->referredTo(rootOf(s, *value));
        if (!value) row.problem = value.error();
        else if (kept.empty()) row.problem = "it refers to no object on the heap";
        else addKept(h, d, kept, row);
        rows.push_back(std::move(row));
    }
    return rows;
}

Array rowsJson(const std::vector<objects::GroupRow>& rows, PageOf page, bool isDifference) {
    Array out;
    for (size_t i = page.start; i < rows.size() && out.size() < page.count; ++i) {
        const objects::GroupRow& r = rows[i];
        Object o{{"group", asUtf8(r.group)}, {"count", r.count}, {"shallow", r.shallow}, {"retained", r.retained}};
        if (!r.problem.empty()) o["error"] = asUtf8(r.problem);
        if (r.isUnreached) o["retained"] = "unavailable";
        if (r.id) o["id"] = number(*r.id);
        if (isDifference)
            o["kept_by"] = r.keptBy.empty() ? llvm::json::Value(nullptr) : llvm::json::Value(asUtf8(r.keptBy));
        out.push_back(std::move(o));
    }
    return out;
}

void addApproximation(Object& o, const HeapGraph& h) {
    o["approximate"] = !h.approximation.empty();
    if (!h.approximation.empty()) o["reason"] = h.approximation;
}

} // namespace

Reply dominators(Session& s, Arguments& a) {
    PageOf page = pageOf(a, 50);
    bool isWatch = false;
    objects::GroupBy by = readGroupBy(a, isWatch, "none");
    if (!a.ok()) return {};
    Result<std::shared_ptr<HeapGraph>> heap = heapGraphOf(s);
    if (!heap) return Reply::failure(heap.error());
    if (by == objects::GroupBy::None && !isWatch) {
        Object o{{"rows", rowsJson(objects::objectsBySize(**heap, page.start, page.count), {0, page.count}, false)},
                 {"total", number((*heap)->nodes.size())}};
        addApproximation(o, **heap);
        return o;
    }
    if (isWatch) {
        Result<std::vector<objects::GroupRow>> watched = watchRows(s, **heap, a);
        if (!watched) return Reply::failure(watched.error());
        s.heap->rows[by] = std::move(*watched);
    } else if (!s.heap->rows.count(by)) {
        s.heap->rows[by] = objects::groups(**heap, by);
    }
    const std::vector<objects::GroupRow>& rows = s.heap->rows[by];
    Object o{{"rows", rowsJson(rows, page, false)}, {"total", number(rows.size())}};
    if (isWatch) s.heap->rows.erase(by);
    addApproximation(o, **heap);
    return o;
}

// ---- snapshots

namespace {

Result<std::shared_ptr<HeapGraph>> snapshotOf(Session& s, const std::string& name) {
    auto found = s.heap->snapshots.find(name);
    if (found == s.heap->snapshots.end()) return Failure{"there is no snapshot " + code(asUtf8(name))};
    return found->second;
}

} // namespace

Reply snapshot(Session& s, Arguments& a) {
    std::string name = a.text("name");
    if (!a.ok()) return {};
    auto& all = s.heap->snapshots;
    if (all.size() >= MostSnapshots && !all.count(name))
        return Reply::failure("there are " + std::to_string(MostSnapshots) + " snapshots already: use a name again");
    Result<std::shared_ptr<HeapGraph>> heap = heapGraphOf(s);
    if (!heap) return Reply::failure(heap.error());
    (*heap)->name = name;
    all[name] = *heap;
    uint64_t bytes = 0;
    for (const objects::Node& n : (*heap)->nodes) bytes += n.shallow;
    return Object{{"name", asUtf8(name)},
                  {"count", number((*heap)->nodes.size())},
                  {"shallow", number(bytes)},
                  {"timestamp", number((*heap)->takenAt)}};
}

Reply snapshotDiff(Session& s, Arguments& a) {
    std::string from = a.text("from"), to = a.text("to");
    PageOf page = pageOf(a, 100);
    bool isWatch = false;
    objects::GroupBy by = readGroupBy(a, isWatch, "type");
    if (isWatch) a.reject("`groupBy` `watch` is for `sxDominators`: expressions have no value in a snapshot");
    if (!a.ok()) return {};
    Result<std::shared_ptr<HeapGraph>> before = snapshotOf(s, from), after = snapshotOf(s, to);
    if (!before) return Reply::failure(before.error());
    if (!after) return Reply::failure(after.error());
    std::vector<objects::GroupRow> rows = objects::difference(**before, **after, by);
    Object o{{"rows", rowsJson(rows, page, true)}, {"total", number(rows.size())}};
    addApproximation(o, **after);
    return o;
}

Reply exportHeap(Session& s, Arguments& a) {
    std::optional<std::string> name = a.optionalText("snapshot"), file = a.optionalText("file");
    std::string format = a.optionalText("format").value_or("json");
    if (format != "json" && format != "dot") a.reject("`format` has to be `json` or `dot`");
    if (!a.ok()) return {};
    Result<std::shared_ptr<HeapGraph>> heap = name ? snapshotOf(s, *name) : heapGraphOf(s);
    if (!heap) return Reply::failure(heap.error());
    LongWork work(s, "writing the heap");
    auto write = [&](llvm::raw_ostream& out) {
        auto goesOn = [&](uint64_t done, uint64_t total) { return work.goesOn(done, total); };
        return format == "json" ? objects::writeJson(**heap, out, goesOn) : objects::writeDot(**heap, out, goesOn);
    };
    if (file) {
        std::error_code error;
        std::string path = joinPath(workingDirectory(), *file);
        llvm::raw_fd_ostream out(path, error);
        bool isWhole = true;
        if (!error) isWhole = write(out), out.close(), error = out.error();
        out.clear_error();
        if (!isWhole) {
            if (llvm::sys::fs::is_regular_file(path)) llvm::sys::fs::remove(path);
            return Reply::failure(Cancelled);
        }
        if (error) return Reply::failure("cannot write " + code(asUtf8(path)) + ": " + error.message());
        return Object{{"file", asUtf8(path)}, {"count", number((*heap)->nodes.size())}};
    }
    std::string content;
    llvm::raw_string_ostream out(content);
    if (!write(out)) return Reply::failure(Cancelled);
    if (content.size() > MostContent) return Reply::failure("the heap is too large for an answer: give a `file`");
    return Object{{"content", asUtf8(content)}, {"count", number((*heap)->nodes.size())}};
}

} // namespace sx::debugger
