// The source of all choices: a generator whose numbers follow from its seed alone, on every platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fuzz {

/// splitmix64: small, fast, and good enough to choose shapes of programs.
class Random {
public:
    explicit Random(uint64_t seed) : state_(seed) {}
    /// A stream of its own for part `index` of what `seed` describes.
    static Random of(uint64_t seed, uint64_t index) {
        Random mix(seed * 0x9e3779b97f4a7c15ull + index * 0xbf58476d1ce4e5b9ull + 1);
        return Random(mix.next());
    }

    uint64_t next() {
        uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    /// 0 … n - 1.
    int below(int n) { return n <= 1 ? 0 : static_cast<int>(next() % static_cast<uint64_t>(n)); }
    /// low … high, both included.
    int range(int low, int high) { return low + below(high - low + 1); }
    /// True in `percent` of 100 cases.
    bool chance(int percent) { return below(100) < percent; }
    template <class T> const T& pick(const std::vector<T>& from) {
        return from[static_cast<size_t>(below(static_cast<int>(from.size())))];
    }
    /// One of the words.
    std::string word(std::initializer_list<const char*> words) {
        return words.begin()[below(static_cast<int>(words.size()))];
    }

private:
    uint64_t state_;
};

} // namespace fuzz
