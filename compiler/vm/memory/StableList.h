// A list that only grows and whose elements never move: one thread may add to it (under the program's lock) while
// others read elements that were there when they learned of them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace sx::vm {

template <typename T> class StableList {
public:
    T& operator[](uint32_t i) { return chunks_[chunkOf(i)][offsetOf(i)]; }
    const T& operator[](uint32_t i) const { return chunks_[chunkOf(i)][offsetOf(i)]; }
    uint32_t size() const { return size_; }

    /// The index of the new element.
    uint32_t add(T value) {
        uint32_t chunk = chunkOf(size_);
        if (chunk == Chunks) std::abort(); // a million signatures, call sites or messages
        if (!chunks_[chunk]) chunks_[chunk] = std::make_unique<T[]>(First << chunk);
        (*this)[size_] = std::move(value);
        return size_++;
    }

private:
    // Each chunk is twice as long as the one before.
    static constexpr uint32_t First = 16, Chunks = 16;
    static uint32_t chunkOf(uint32_t i) { return static_cast<uint32_t>(std::bit_width(i / First + 1)) - 1; }
    static uint32_t offsetOf(uint32_t i) { return i - First * ((1u << chunkOf(i)) - 1); }

    std::array<std::unique_ptr<T[]>, Chunks> chunks_;
    uint32_t size_ = 0;
};

} // namespace sx::vm
