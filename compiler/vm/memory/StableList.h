// A list that only grows and whose elements never move: one thread may add to it (under the program's lock) while
// others read elements that were there when they learned of them.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace sx::vm {

template <typename T> class StableList {
public:
    T& operator[](uint32_t i) { return (*chunks_[i / ChunkSize])[i % ChunkSize]; }
    const T& operator[](uint32_t i) const { return (*chunks_[i / ChunkSize])[i % ChunkSize]; }
    uint32_t size() const { return size_; }

    /// The index of the new element.
    uint32_t add(T value) {
        if (size_ == ChunkSize * chunks_.size()) std::abort(); // a million signatures, call sites or messages
        if (!chunks_[size_ / ChunkSize]) chunks_[size_ / ChunkSize] = std::make_unique<std::array<T, ChunkSize>>();
        (*this)[size_] = std::move(value);
        return size_++;
    }

private:
    static constexpr uint32_t ChunkSize = 256;
    std::array<std::unique_ptr<std::array<T, ChunkSize>>, 4096> chunks_;
    uint32_t size_ = 0;
};

} // namespace sx::vm
