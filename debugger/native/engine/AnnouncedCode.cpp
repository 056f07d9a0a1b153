#include "debugger/native/engine/AnnouncedCode.h"

#include "llvm/ADT/STLExtras.h"

namespace sx::debugger::native {

namespace {

constexpr const char* Descriptor = "__jit_debug_descriptor";
constexpr uint64_t LastInDescriptor = 8, FirstInDescriptor = 16; ///< entries
constexpr uint64_t ObjectInEntry = 16, SizeInEntry = 24;         ///< the next entry comes first
constexpr uint64_t MostBytes = uint64_t{1} << 30;
constexpr size_t MostObjects = 100'000; ///< a list that is damaged may have no end

AnnouncedObject objectIn(Native& n, uint64_t entry) {
    return {entry, n.memory.word(entry + ObjectInEntry).value_or(0), n.memory.word(entry + SizeInEntry).value_or(0)};
}

std::vector<uint8_t> bytesOf(Native& n, const AnnouncedObject& object) {
    if (object.entry == 0 || object.address == 0 || object.size > MostBytes) return {};
    std::vector<uint8_t> bytes(object.size);
    bytes.resize(n.target->readMemory(object.address, bytes.data(), bytes.size()));
    return bytes;
}

std::set<AnnouncedObject> announcedNow(Native& n) {
    std::set<AnnouncedObject> all;
    uint64_t descriptor = n.target->symbolAddress(Descriptor);
    uint64_t entry = descriptor == 0 ? 0 : n.memory.word(descriptor + FirstInDescriptor).value_or(0);
    while (entry != 0 && all.size() < MostObjects && all.insert(objectIn(n, entry)).second)
        entry = n.memory.word(entry).value_or(0);
    return all;
}

/// Returns whether there is or was code in what has changed.
bool readChanges(Native& n) {
    n.memory.forget();
    std::set<AnnouncedObject> now = announcedNow(n);
    bool hasChanged = false;
    for (auto at = n.announced.begin(); at != n.announced.end();) {
        auto [first, end] = at->second;
        if (now.count(at->first) != 0) {
            ++at;
            continue;
        }
        if (first < end) n.program.forgetC(first, end);
        hasChanged |= first < end;
        at = n.announced.erase(at);
    }
    for (const AnnouncedObject& object : now) {
        auto [at, isNew] = n.announced.try_emplace(object);
        if (!isNew) continue;
        auto first = static_cast<uint32_t>(n.image.copies().size());
        if (std::vector<uint8_t> bytes = bytesOf(n, object); !bytes.empty())
            n.program.readC({{}, bytes}, uint64_t{0} - n.slide, CCode::OfLibrary);
        at->second = {first, static_cast<uint32_t>(n.image.copies().size())};
        hasChanged |= at->second.first < at->second.second;
    }
    if (hasChanged) n.afterWrites.clear();
    return hasChanged;
}

} // namespace

std::vector<uint8_t> announcedObject(Native& n) {
    uint64_t descriptor = n.target->symbolAddress(Descriptor);
    n.memory.forget();
    uint64_t entry = descriptor == 0 ? 0 : n.memory.word(descriptor + LastInDescriptor).value_or(0);
    return bytesOf(n, objectIn(n, entry));
}

bool watchAnnouncements(Native& n) {
    if (!n.program.readC || n.announcement != 0) return false;
    n.announcement = n.target->symbolAddress(Announcement);
    return n.announcement != 0 && readChanges(n);
}

bool hasAnnounced(Native& n, const std::vector<ThreadStop>& stops) {
    bool isThere = llvm::any_of(stops, [&](const ThreadStop& stop) { return stop.pc == n.announcement; });
    return n.announcement != 0 && isThere && readChanges(n);
}

} // namespace sx::debugger::native
