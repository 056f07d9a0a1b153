// What a session knows of the program's heap, where that is tracked (docs/heap.md).
#pragma once

#include "debugger/objects/HeapIndex.h"
#include "debugger/session/Session.h"

namespace sx::debugger {

/// Of one stop but for snapshots: everything is read when it is first asked for.
struct HeapState {
    uint64_t tables = 0; ///< the address of the registry's tables; 0: not known
    std::unique_ptr<Memory> memory;
    std::optional<objects::Registry> registry;
    std::string problem; ///< why there is no registry
    std::unique_ptr<objects::HeapIndex> index;
    std::shared_ptr<objects::HeapGraph> graph;
    std::map<objects::GroupBy, std::vector<objects::GroupRow>> rows; ///< of `graph`, for the next page
    std::map<std::string, std::shared_ptr<objects::HeapGraph>> snapshots;
    std::map<uint64_t, objects::Site> places; ///< by frame
    /// Of threads by the system's numbers, also of those that have ended.
    std::map<uint64_t, ThreadId> threads;

    void forget();
};

/// The registry as it is now, or why there is none: it is not tracked, or the program does not stand.
Result<const objects::Registry*> registryOf(Session&);
/// The graph of the heap as it is now; built with progress told, and given up where the client cancels.
Result<std::shared_ptr<objects::HeapGraph>> heapGraphOf(Session&);
/// The place in the program that a site is shown as: the innermost frame that is not the library's.
objects::Site siteOf(Session&, const objects::Registry&, uint32_t site);
/// `thread 1`, `fiber 3`.
std::string ownerOf(Session&, const objects::Block&);
/// A value as something that leads into the heap.
objects::RootPlace rootOf(Session&, const Datum&);
/// The values that lead into the heap from outside.
std::vector<objects::RootPlace> heapRoots(Session&);

/// What a value says of the heap, beside its text.
struct HeapRemark {
    std::optional<uint64_t> id; ///< of the live object that it refers to
    std::string instead;        ///< a text in place of the value: `<dangling: freed at cache.sx:40>`
};
HeapRemark heapRemark(Session&, const Datum&, std::optional<uint64_t> reference);
/// Without ` #5` at its end, which is no part of a value.
std::string withoutObjectId(std::string text);

/// A piece of the program's address space.
struct Mapping {
    uint64_t start = 0, end = 0;
    std::string permissions; ///< `r-x`
    std::string path;        ///< or `[heap]`, or ""
    const char* type = "";   ///< `text`, `data`, `stack`, `heap`, `jit`, `file`
};
std::vector<Mapping> mappingsOf(Session&);

} // namespace sx::debugger
