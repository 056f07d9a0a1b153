// The objects of a heap at one moment: what they are, what they refer to, and what keeps them. It stands for itself:
// neither the program nor its types are needed to read it.
#pragma once

#include "debugger/objects/Graph.h"

#include "llvm/ADT/StringMap.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sx::debugger::objects {

/// Texts that many things have, each kept once. Number 0 is the empty one.
class Texts {
public:
    Texts() { number(""); }
    uint32_t number(llvm::StringRef text) {
        auto [at, isNew] = numbers_.try_emplace(text, static_cast<uint32_t>(all_.size()));
        if (isNew) all_.push_back(text.str());
        return at->second;
    }
    const std::string& text(uint32_t number) const { return all_[number]; }
    size_t size() const { return all_.size(); }

private:
    std::vector<std::string> all_;
    llvm::StringMap<uint32_t> numbers_;
};

/// A place in the program that allocated.
struct Site {
    std::string func, file;
    uint32_t line = 0, column = 0; ///< 1-based, bytes; 0: not known
    /// `main at main.sx:3:5`.
    std::string text() const;
};

/// Fields are numbers of texts where nothing else is said.
struct Node {
    uint64_t id = 0; ///< it stays for the process, and is no address
    uint64_t shallow = 0;
    uint32_t type = 0, kind = 0, owner = 0, provenance = 0, validity = 0;
    uint32_t site = UINT32_MAX; ///< of `sites`; UINT32_MAX: not known
};

/// What leads into the heap from outside.
struct Root {
    uint32_t node = 0;
    uint32_t name = 0;   ///< `xs in main`
    uint32_t label = 0;  ///< the part of it that leads to the node: `.items`
    uint32_t kind = 0;   ///< `local`, `global`, `stack`, `register`, `fiber`
    uint32_t thread = 0; ///< its id; 0: none
    bool isApproximate = false;
};

struct HeapGraph {
    std::string name;
    uint64_t takenAt = 0; ///< milliseconds since the epoch
    Texts texts;
    std::vector<Site> sites;
    std::vector<Node> nodes;
    Graph graph;
    std::vector<Root> roots;
    std::string approximation; ///< why retained sizes may be wrong; empty: they are right

    /// To be called when the nodes are there. False: two have the same id.
    bool finish();
    /// The number of a node; nothing where there is none of this id.
    std::optional<uint32_t> find(uint64_t id) const;
    std::vector<uint32_t> rootNodes() const;
    std::vector<uint64_t> sizes() const;
    /// What it has of it, computed when it is first asked for.
    const Dominators& dominators() const;
    /// `Node #5`.
    std::string nameOf(uint32_t node) const;
    /// How an edge is written: `[3].next`.
    std::string labelOf(const Edge&) const;

private:
    std::vector<uint32_t> byId_; ///< nodes in the order of their ids
    mutable std::unique_ptr<Dominators> dominators_;
};

enum class GroupBy : uint8_t { None, Type, Site, Owner, Module, Kind };
/// Nothing for another word.
std::optional<GroupBy> groupByOf(std::string_view word);

struct GroupRow {
    std::string group;
    int64_t count = 0, shallow = 0, retained = 0;
    std::string keptBy;         ///< of a difference
    std::optional<uint64_t> id; ///< of one object
    std::string problem;        ///< of an expression: why it has no value
    bool isUnreached = false;   ///< of one object: no root leads to it, and it has no retained size
};
/// Ordered by retained size, the largest first. Objects that no root leads to add nothing to it.
std::vector<GroupRow> groups(const HeapGraph&, GroupBy);
/// `count` rows from `start` on of what `groups` gives for GroupBy::None, without making the others.
std::vector<GroupRow> objectsBySize(const HeapGraph&, size_t start, size_t count);
/// What has changed from one to the other; groups without a change are left out. `keptBy` says what keeps the new
/// objects: the nearest object that was there before, or a root.
std::vector<GroupRow> difference(const HeapGraph& from, const HeapGraph& to, GroupBy);

} // namespace sx::debugger::objects
