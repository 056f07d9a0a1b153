// The bytes of one fuzzing input, read as numbers and texts. Past the end everything is zero or empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

class Input {
public:
    Input(const uint8_t* bytes, std::size_t len) : bytes_(bytes), len_(len) {}

    bool atEnd() const { return at_ >= len_; }
    uint8_t byte() { return atEnd() ? 0 : bytes_[at_++]; }

    template <typename Number> Number number() {
        Number out = 0;
        fill(&out, sizeof out);
        return out;
    }

    void fill(void* out, std::size_t len) {
        for (std::size_t i = 0; i < len; ++i) static_cast<uint8_t*>(out)[i] = byte();
    }

    // The next bytes, at most `len` of them: `*taken` says how many.
    const uint8_t* take(std::size_t len, std::size_t* taken) {
        const uint8_t* start = bytes_ + at_;
        *taken = len < len_ - at_ ? len : len_ - at_;
        at_ += *taken;
        return start;
    }

private:
    const uint8_t* bytes_;
    std::size_t len_;
    std::size_t at_ = 0;
};

// Ends the process where a property does not hold: both fuzzers and the seeded run take that for a finding.
#define HOLDS(condition) \
    do { \
        if (!(condition)) fuzzFailed(#condition, __FILE__, __LINE__); \
    } while (false)

[[noreturn]] void fuzzFailed(const char* condition, const char* file, int line);

// A target: checks one input.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t len);
