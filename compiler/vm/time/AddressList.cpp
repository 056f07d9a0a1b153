#include "vm/time/AddressList.h"

#include <cstring>
#include <netdb.h>

namespace sx::vm {

namespace {

/// A pointer as a distance from the beginning of the piece. Where it is 0 there is nothing.
template <typename T> T* distance(uint64_t n) { return reinterpret_cast<T*>(n); }

/// Makes an address of a distance. False: that is outside of the piece.
template <typename T> bool rebase(T*& pointer, uint64_t base, uint64_t size) {
    auto at = reinterpret_cast<uint64_t>(pointer);
    if (at == 0) return true;
    if (at >= size) return false;
    pointer = reinterpret_cast<T*>(base + at);
    return true;
}

} // namespace

std::string flattenAddressList(uint64_t list) {
    std::string out;
    auto append = [&](const void* bytes, size_t size) {
        out.resize((out.size() + 15) / 16 * 16);
        uint64_t at = out.size();
        out.append(static_cast<const char*>(bytes), size);
        return at;
    };
    for (auto* from = reinterpret_cast<const addrinfo*>(list); from; from = from->ai_next) {
        addrinfo entry = *from;
        uint64_t at = append(&entry, sizeof entry);
        if (from->ai_addr) entry.ai_addr = distance<sockaddr>(append(from->ai_addr, from->ai_addrlen));
        if (from->ai_canonname)
            entry.ai_canonname = distance<char>(append(from->ai_canonname, std::strlen(from->ai_canonname) + 1));
        if (from->ai_next) entry.ai_next = distance<addrinfo>((out.size() + 15) / 16 * 16);
        std::memcpy(out.data() + at, &entry, sizeof entry);
    }
    return out;
}

bool placeAddressList(uint64_t copy, uint64_t size) {
    for (uint64_t at = 0;;) {
        if (size < sizeof(addrinfo) || at > size - sizeof(addrinfo)) return false;
        auto* entry = reinterpret_cast<addrinfo*>(copy + at);
        auto next = reinterpret_cast<uint64_t>(entry->ai_next);
        bool isInside = rebase(entry->ai_addr, copy, size) && rebase(entry->ai_canonname, copy, size) &&
                        rebase(entry->ai_next, copy, size);
        if (!isInside || next <= at) return isInside && next == 0; // the list goes forward
        at = next;
    }
}

} // namespace sx::vm
