// From the registry's blocks and the types of what refers to them to the graph of the heap.
#pragma once

#include "debugger/objects/Registry.h"
#include "debugger/objects/Scan.h"

#include <functional>
#include <unordered_map>

namespace sx::debugger::objects {

/// A variable of the program, or words that may be anything, outside of the heap.
struct RootPlace {
    TypeId type{};              ///< None: untyped words
    std::vector<uint8_t> bytes; ///< its value, laid out as in memory
    const std::vector<ir::Capture>* captures = nullptr;
    std::string name; ///< `xs in main`
    const char* kind = "local";
    uint32_t thread = 0;
};

/// What is known of a block.
struct BlockView {
    TypeId type{};      ///< None: not known
    uint64_t count = 1; ///< of values in a row
    bool isRow = false;
    const std::vector<ir::Capture>* captures = nullptr;
    uint64_t mask = 0;
    bool isReached = false, isRing = false;
    EdgeKind within = EdgeKind::Index; ///< of a row: what leads on from its values
};

class HeapIndex {
public:
    /// How what a block's numbers stand for is told.
    struct Names {
        std::function<Site(uint32_t site)> site; ///< called once for each
        std::function<std::string(const Block&)> owner;
        std::function<bool()> isCancelled;
    };

    HeapIndex(const TypeTable&, Memory&, Addresses&, const Registry&);

    /// False: it was cancelled.
    bool build(const std::vector<RootPlace>&, const Names&);
    /// What was built.
    std::unique_ptr<HeapGraph> take() { return std::move(heap_); }

    /// By node of the graph.
    const Block& block(uint32_t node) const { return *live_[node]; }
    const BlockView& view(uint32_t node) const { return views_[node]; }
    std::optional<uint32_t> nodeAt(uint64_t address) const;
    /// The objects that a value refers to, each once.
    std::vector<uint32_t> referredTo(const RootPlace&);

private:
    void trace(const std::vector<RootPlace>&, const Names&);
    void traceUnreached();
    void inferFromSites(const Names&);
    /// The number of the place that a block comes from; UINT32_MAX: not known.
    uint32_t siteOf(const Block&, const Names&);
    void scanRoot(const RootPlace&, Scanner::Visit);
    void scanNode(uint32_t node, llvm::function_ref<void(const Reference&, uint32_t index)>);
    void scanWords(uint32_t node, llvm::function_ref<void(const Reference&, uint32_t index)>);
    void assign(const Reference&);
    void drain();
    void addEdges();
    void addRoots(const std::vector<RootPlace>&);
    void describe(const Names&);
    std::string typeText(const BlockView&) const;
    const char* kindText(const BlockView&);
    void number(const std::vector<const Block*>& byAddress);
    void indexAddresses();
    bool isArenaChunk(const BlockView&);
    bool cancelled();

    const TypeTable& types_;
    Memory& memory_;
    std::unique_ptr<HeapGraph> heap_ = std::make_unique<HeapGraph>();
    Scanner scanner_;
    std::vector<const Block*> live_; ///< by node
    std::vector<uint64_t> starts_;   ///< their addresses, in this order
    std::vector<uint32_t> nodes_;    ///< by place in `starts_`
    std::vector<uint32_t> firstIn_;  ///< of each stretch of addresses, 1 << `stretch_` long: its first block
    unsigned stretch_ = 0;
    std::vector<BlockView> views_;
    std::map<uint32_t, uint32_t> sites_;     ///< places by the registry's numbers
    std::map<std::string, uint32_t> places_; ///< by their text
    std::vector<uint8_t> waits_;             ///< by node: it is in `queue_`
    std::vector<uint32_t> queue_;
    std::unordered_map<uint32_t, Ring> rings_; ///< by node
    std::vector<uint8_t> bytes_, used_;        ///< of the block that is scanned
    std::map<TypeId, bool> chunks_;            ///< types that were asked for: it is that of an arena's chunk
    size_t references_ = 0;
    uint64_t lowest_ = 1, highest_ = 0; ///< nothing lies between them where no block lives
    size_t untyped_ = 0, guessedRoots_ = 0;
    std::function<bool()> isCancelled_;
    size_t steps_ = 0;
    bool wasCancelled_ = false;
};

} // namespace sx::debugger::objects
