#include "debugger/objects/HeapIndex.h"

#include "types/Layout.h"
#include "types/TypeNames.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <unordered_map>

namespace sx::debugger::objects {

namespace {

constexpr uint64_t MostBytes = 64 << 20; ///< of one block that are looked at

/// How well a reference says what is in a block; 0: not at all.
int trust(const TypeTable& types, const Reference& r, uint64_t blockSize) {
    if (r.captures) return 5;
    if (r.isApproximate || r.type == TypeId::None || r.type == TypeId::Void || !types.isComplete(r.type)) return 0;
    uint64_t size = sizeOf(types, r.type);
    if (size == 0 || size > blockSize || r.count > blockSize / size) return 0;
    if (size == 1) return 1;
    if (r.count == 0) return 2;
    return size * r.count == blockSize ? 4 : 3;
}

/// Of a row of `count` values number `i` is in use.
bool holds(const Ring& ring, uint64_t count, uint64_t i) {
    if (ring.first >= count || ring.used > count) return false;
    return (i >= ring.first ? i - ring.first : i + count - ring.first) < ring.used;
}

int trust(const TypeTable& types, const BlockView& v, uint64_t blockSize) {
    Reference r;
    r.type = v.type, r.count = v.count, r.captures = v.captures;
    return trust(types, r, blockSize);
}

} // namespace

HeapIndex::HeapIndex(const TypeTable& types, Memory& memory, Addresses& addresses, const Registry& registry)
    : types_(types), memory_(memory), scanner_(types, addresses, heap_->texts) {
    std::vector<const Block*> byAddress;
    for (const Block& b : registry.blocks())
        if (b.isLive()) byAddress.push_back(&b);
    views_.resize(byAddress.size());
    waits_.resize(byAddress.size());
    if (byAddress.empty()) return;
    lowest_ = byAddress.front()->address;
    highest_ = byAddress.back()->address + byAddress.back()->size;
    number(byAddress);
    indexAddresses();
}

/// Nodes are numbered by age, so that the graph does not depend on where the allocator has put them.
void HeapIndex::number(const std::vector<const Block*>& byAddress) {
    std::vector<uint32_t> byAge(byAddress.size());
    std::iota(byAge.begin(), byAge.end(), 0);
    auto isOlder = [&](uint32_t a, uint32_t b) { return byAddress[a]->serial < byAddress[b]->serial; };
    if (!std::is_sorted(byAge.begin(), byAge.end(), isOlder)) std::sort(byAge.begin(), byAge.end(), isOlder);
    nodes_.resize(byAddress.size());
    for (uint32_t node = 0; node < byAge.size(); ++node) {
        nodes_[byAge[node]] = node;
        live_.push_back(byAddress[byAge[node]]);
    }
    for (const Block* b : byAddress) starts_.push_back(b->address);
}

/// Blocks lie close to each other: with about one of them in a stretch there is little to search in.
void HeapIndex::indexAddresses() {
    while ((highest_ - lowest_) >> stretch_ > 2 * starts_.size()) ++stretch_;
    firstIn_.reserve(((highest_ - lowest_) >> stretch_) + 2);
    for (uint32_t i = 0; i < starts_.size(); ++i)
        while (firstIn_.size() <= (starts_[i] - lowest_) >> stretch_) firstIn_.push_back(i);
    firstIn_.resize(((highest_ - lowest_) >> stretch_) + 2, static_cast<uint32_t>(starts_.size()));
}

std::optional<uint32_t> HeapIndex::nodeAt(uint64_t address) const {
    if (address < lowest_ || address > highest_) return std::nullopt;
    uint64_t in = (address - lowest_) >> stretch_;
    auto after = std::upper_bound(starts_.begin() + firstIn_[in], starts_.begin() + firstIn_[in + 1], address);
    if (after == starts_.begin()) return std::nullopt;
    uint32_t node = nodes_[static_cast<size_t>(after - starts_.begin()) - 1];
    const Block& block = *live_[node];
    if (address - block.address >= std::max<uint64_t>(block.size, 1)) return std::nullopt;
    return node;
}

bool HeapIndex::cancelled() {
    if (++steps_ % 4096 == 0 && isCancelled_ && isCancelled_()) wasCancelled_ = true;
    return wasCancelled_;
}

// ---- what blocks are

void HeapIndex::assign(const Reference& r) {
    ++references_;
    std::optional<uint32_t> node = nodeAt(r.target);
    if (!node) return;
    const Block& block = *live_[*node];
    BlockView& view = views_[*node];
    bool isNew = !std::exchange(view.isReached, true);
    int now = trust(types_, r, block.size), before = trust(types_, view, block.size);
    bool isBetter = r.target == block.address && now > 0 &&
                    (now > before || (now == before && r.isRow && view.type == r.type && r.count > view.count));
    if (isBetter)
        view = {r.type, r.count, r.isRow || r.count != 1, r.captures, r.mask, true, r.ring.has_value(), r.within};
    if (isBetter && r.ring) rings_[*node] = *r.ring;
    if ((isNew || isBetter) && !waits_[*node]) {
        waits_[*node] = 1;
        queue_.push_back(*node);
    }
}

void HeapIndex::scanWords(uint32_t node, llvm::function_ref<void(const Reference&, uint32_t index)> visit) {
    const Block& block = *live_[node];
    std::vector<uint8_t> bytes(std::min(block.size, MostBytes) / 8 * 8);
    bytes.resize(memory_.read(block.address, bytes) / 8 * 8);
    for (size_t at = 0; at < bytes.size(); at += 8) {
        Reference r;
        std::memcpy(&r.target, bytes.data() + at, 8);
        if (r.target < lowest_ || r.target > highest_) continue;
        r.label = heap_->texts.number("+" + std::to_string(at));
        r.isApproximate = true;
        visit(r, UINT32_MAX);
    }
}

void HeapIndex::scanNode(uint32_t node, llvm::function_ref<void(const Reference&, uint32_t index)> visit) {
    const Block& block = *live_[node];
    const BlockView view = views_[node]; // what is visited may change it
    if (trust(types_, view, block.size) == 0 || isArenaChunk(view)) return scanWords(node, visit);
    if (!view.captures && !scanner_.refers(view.type)) return;
    uint64_t size = view.captures ? block.size : sizeOf(types_, view.type);
    uint64_t count = view.captures ? 1 : view.count == 0 ? block.size / size : view.count;
    bytes_.resize(std::min(size * count, std::max(MostBytes, size)));
    bytes_.resize(memory_.read(block.address, bytes_));
    used_.resize(view.mask ? count : 0);
    if (view.mask) used_.resize(memory_.read(view.mask, used_));
    if (view.captures)
        return scanner_.scanCaptures(*view.captures, bytes_, [&](const Reference& r) { visit(r, UINT32_MAX); });
    for (uint64_t i = 0; i < count && (i + 1) * size <= bytes_.size() && !cancelled(); ++i) {
        if (view.mask && (i >= used_.size() || used_[i] < MaskUsed)) continue;
        if (view.isRing && !holds(rings_[node], count, i)) continue;
        auto index = view.isRow ? static_cast<uint32_t>(i) : UINT32_MAX;
        scanner_.scan(view.type, llvm::ArrayRef(bytes_).slice(i * size, size),
                      [&](const Reference& r) { visit(r, index); });
    }
}

void HeapIndex::scanRoot(const RootPlace& root, Scanner::Visit visit) {
    if (root.captures) return scanner_.scanCaptures(*root.captures, root.bytes, visit);
    if (root.type != TypeId::None) return scanner_.scan(root.type, root.bytes, visit);
    for (size_t at = 0; at + 8 <= root.bytes.size(); at += 8) {
        Reference r;
        std::memcpy(&r.target, root.bytes.data() + at, 8);
        r.isApproximate = true;
        if (r.target >= lowest_ && r.target <= highest_) visit(r);
    }
}

void HeapIndex::drain() {
    while (!queue_.empty() && !cancelled()) {
        uint32_t node = queue_.back();
        queue_.pop_back();
        waits_[node] = 0;
        scanNode(node, [this](const Reference& r, uint32_t) { assign(r); });
    }
}

uint32_t HeapIndex::siteOf(const Block& block, const Names& names) {
    if (block.site == 0) return UINT32_MAX;
    auto [known, isNew] = sites_.try_emplace(block.site);
    if (!isNew) return known->second;
    Site site = names.site(block.site);
    auto [place, isNewPlace] = places_.try_emplace(site.text(), static_cast<uint32_t>(heap_->sites.size()));
    if (isNewPlace) heap_->sites.push_back(std::move(site));
    return known->second = place->second;
}

/// A place in the program that has allocated values of one type, as far as that is known, allocates no others.
void HeapIndex::inferFromSites(const Names& names) {
    struct Seen {
        BlockView view;
        uint64_t size = 0;
        bool isOne = true;
    };
    std::map<uint32_t, Seen> bySite;
    for (uint32_t i = 0; i < live_.size() && !cancelled(); ++i) {
        if (trust(types_, views_[i], live_[i]->size) < 3 || views_[i].captures) continue;
        Seen one{views_[i], live_[i]->size};
        auto [at, isNew] = bySite.try_emplace(siteOf(*live_[i], names), one);
        at->second.isOne &= at->second.view.type == one.view.type && at->second.view.isRow == one.view.isRow &&
                            (one.view.isRow || at->second.size == one.size);
    }
    for (uint32_t i = 0; i < live_.size() && !cancelled(); ++i) {
        if (trust(types_, views_[i], live_[i]->size) > 0) continue;
        auto at = bySite.find(siteOf(*live_[i], names));
        if (at == bySite.end() || at->first == UINT32_MAX || !at->second.isOne) continue;
        BlockView view = at->second.view;
        if (view.isRow ? view.mask != 0 || view.isRing : at->second.size != live_[i]->size) continue;
        view.isReached = views_[i].isReached;
        if (view.isRow) view.count = 0;
        views_[i] = view;
    }
}

/// What nothing leads to may lead to others all the same.
void HeapIndex::traceUnreached() {
    std::vector<uint8_t> wasReached;
    for (const BlockView& v : views_) wasReached.push_back(v.isReached);
    for (uint32_t i = 0; i < live_.size() && !cancelled(); ++i)
        if (!wasReached[i]) scanNode(i, [this](const Reference& r, uint32_t) { assign(r); });
    drain();
    for (size_t i = 0; i < views_.size(); ++i) views_[i].isReached = wasReached[i];
}

void HeapIndex::trace(const std::vector<RootPlace>& roots, const Names& names) {
    for (bool isTyped : {true, false}) {
        for (const RootPlace& root : roots)
            if ((root.type != TypeId::None || root.captures) == isTyped)
                scanRoot(root, [this](const Reference& r) { assign(r); });
        drain();
    }
    inferFromSites(names);
    traceUnreached();
}

// ---- the graph

void HeapIndex::addEdges() {
    std::vector<Edge> edges;
    edges.reserve(references_);
    for (uint32_t i = 0; i < live_.size() && !cancelled(); ++i) {
        if (trust(types_, views_[i], live_[i]->size) == 0) ++untyped_;
        EdgeKind within = views_[i].within;
        scanNode(i, [&](const Reference& r, uint32_t index) {
            std::optional<uint32_t> to = nodeAt(r.target);
            if (!to) return;
            bool isElement = index != UINT32_MAX && (r.label == 0 || within != EdgeKind::Index);
            edges.push_back({i, *to, r.label, index, isElement ? within : r.kind});
        });
    }
    heap_->graph = Graph(static_cast<uint32_t>(live_.size()), std::move(edges));
}

void HeapIndex::addRoots(const std::vector<RootPlace>& roots) {
    std::vector<uint8_t> isKept(live_.size()); // by a typed root
    auto add = [&](const RootPlace& root, const Reference& r) {
        std::optional<uint32_t> node = nodeAt(r.target);
        bool isGuess = root.type == TypeId::None && !root.captures;
        if (!node || (isGuess && isKept[*node])) return;
        heap_->roots.push_back({*node, heap_->texts.number(root.name), r.label, heap_->texts.number(root.kind),
                                root.thread, isGuess || r.isApproximate});
        if (isGuess) ++guessedRoots_, isKept[*node] = 1;
    };
    auto isTyped = [](const RootPlace& root) { return root.type != TypeId::None || root.captures; };
    for (const RootPlace& root : roots)
        if (isTyped(root)) scanRoot(root, [&](const Reference& r) { add(root, r); });
    std::vector<uint32_t> far = distances(heap_->graph, heap_->rootNodes());
    for (uint32_t i = 0; i < far.size(); ++i) isKept[i] = far[i] != NoNode;
    for (const RootPlace& root : roots)
        if (!isTyped(root)) scanRoot(root, [&](const Reference& r) { add(root, r); });
}

std::vector<uint32_t> HeapIndex::referredTo(const RootPlace& value) {
    std::vector<uint32_t> out;
    scanRoot(value, [&](const Reference& r) {
        if (std::optional<uint32_t> node = nodeAt(r.target)) out.push_back(*node);
    });
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

std::string HeapIndex::typeText(const BlockView& v) const {
    if (v.captures) return "captures";
    if (v.type == TypeId::None || v.type == TypeId::Void) return "";
    return (v.isRow ? "[]" : "") + writtenName(types_, v.type);
}

bool HeapIndex::isArenaChunk(const BlockView& v) {
    if (v.type == TypeId::None || v.isRow) return false;
    auto [known, isNew] = chunks_.try_emplace(v.type);
    if (isNew) known->second = types_.kind(v.type) == TypeKind::Struct && writtenName(types_, v.type) == "ArenaChunk";
    return known->second;
}

const char* HeapIndex::kindText(const BlockView& v) {
    if (v.captures) return "closure";
    if (v.type == TypeId::None || v.type == TypeId::Void) return "unknown";
    if (isArenaChunk(v)) return "chunk";
    if (v.isRow) return v.type == TypeId::U8 ? "bytes" : "array";
    switch (types_.kind(v.type)) {
    case TypeKind::Struct: return "struct";
    case TypeKind::Tuple: return "tuple";
    case TypeKind::Enum: return "enum";
    case TypeKind::Union: return "union";
    case TypeKind::Array: return "array";
    default: return "value";
    }
}

void HeapIndex::describe(const Names& names) {
    std::unordered_map<uint64_t, uint32_t> owners;
    Texts& texts = heap_->texts;
    uint32_t heap = texts.number("heap"), arena = texts.number("arena");
    uint32_t live = texts.number("live"), corrupt = texts.number("corrupt");
    std::map<std::pair<TypeId, int>, std::pair<uint32_t, uint32_t>> typeTexts; // and kinds
    heap_->nodes.reserve(live_.size());
    for (uint32_t i = 0; i < live_.size() && !cancelled(); ++i) {
        const Block& block = *live_[i];
        const BlockView& view = views_[i];
        Node n;
        n.id = block.serial;
        n.shallow = block.size;
        auto [type, isNewType] = typeTexts.try_emplace({view.type, view.captures ? 2 : view.isRow ? 1 : 0});
        if (isNewType) type->second = {texts.number(typeText(view)), texts.number(kindText(view))};
        n.type = type->second.first;
        n.kind = type->second.second;
        auto [owner, isNewOwner] = owners.try_emplace(uint64_t{block.thread} << 32 | block.fiber);
        if (isNewOwner) owner->second = texts.number(names.owner(block));
        n.owner = owner->second;
        n.provenance = isArenaChunk(view) ? arena : heap;
        uint8_t guard[32];
        bool isWhole = memory_.read(block.address + block.size, guard) != sizeof guard ||
                       std::all_of(guard, guard + sizeof guard, [](uint8_t b) { return b == 0xfd; });
        n.validity = isWhole ? live : corrupt;
        n.site = siteOf(block, names);
        heap_->nodes.push_back(n);
    }
}

bool HeapIndex::build(const std::vector<RootPlace>& roots, const Names& names) {
    isCancelled_ = names.isCancelled;
    trace(roots, names);
    addEdges();
    if (wasCancelled_) return false;
    describe(names);
    if (wasCancelled_) return false;
    heap_->finish();
    addRoots(roots);
    if (isCancelled_ && isCancelled_()) return false;
    heap_->dominators();
    auto several = [](size_t n, const char* one, const char* many) {
        return std::to_string(n) + (n == 1 ? one : many);
    };
    if (untyped_ > 0) heap_->approximation = several(untyped_, " object", " objects") + " of unknown type";
    if (guessedRoots_ > 0)
        heap_->approximation += (untyped_ > 0 ? "; " : "") + several(guessedRoots_, " root", " roots") +
                                " found in untyped words of stacks and registers";
    return !wasCancelled_;
}

} // namespace sx::debugger::objects
