#include "debugger/vm/BreakpointPlaces.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

namespace sx::debugger {

BreakpointPlaces::Hits BreakpointPlaces::begin(uint32_t id, std::string request, size_t count) {
    Asked& asked = asked_[id];
    const bool isSame = asked.hits && asked.request == request;
    if (isSame && asked.places.size() == count) return nullptr;
    if (!isSame) asked.hits = std::make_shared<std::atomic<uint64_t>>(0);
    asked.request = std::move(request);
    asked.before = std::exchange(asked.places, {});
    return asked.hits;
}

int BreakpointPlaces::add(uint32_t id, Place place) {
    Asked& asked = asked_[id];
    auto known = llvm::find_if(asked.before, [&](const Place& p) {
        return p.func == place.func && p.where == place.where && p.isInstruction == place.isInstruction;
    });
    place.number = known != asked.before.end() ? known->number : next_++;
    if (known != asked.before.end()) asked.before.erase(known);
    asked.places.push_back(place);
    std::scoped_lock lock(mutex_);
    ids_[place.number] = id;
    return place.number;
}

void BreakpointPlaces::end(uint32_t id) { takeAway(std::exchange(asked_[id].before, {})); }

void BreakpointPlaces::remove(uint32_t id) {
    auto known = asked_.find(id);
    if (known == asked_.end()) return;
    std::vector<Place> gone = std::move(known->second.places);
    asked_.erase(known);
    takeAway(gone);
}

void BreakpointPlaces::removeAll() {
    while (!asked_.empty()) remove(asked_.begin()->first);
}

void BreakpointPlaces::takeAway(llvm::ArrayRef<Place> gone) {
    {
        std::scoped_lock lock(mutex_);
        for (const Place& place : gone) ids_.erase(place.number);
    }
    for (const Place& place : gone) debugger_.removeBreakpoint(place.number);
}

std::vector<uint32_t> BreakpointPlaces::breakpointsAt(llvm::ArrayRef<int> numbers) {
    std::vector<uint32_t> all;
    std::scoped_lock lock(mutex_);
    for (int number : numbers)
        if (auto found = ids_.find(number); found != ids_.end() && !llvm::is_contained(all, found->second))
            all.push_back(found->second);
    return all;
}

} // namespace sx::debugger
