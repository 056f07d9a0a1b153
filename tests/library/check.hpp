// What the tests of sx/trace.hpp share. Each is a program of its own without a test framework, so that it is quickly
// built with every compiler, without exceptions and RTTI too.
#pragma once

#include <cstdio>
#include <string>

#include "sx/trace.h"

inline int failures = 0;

inline void report(bool ok, const char* what, int line) {
    if (ok) return;
    ++failures;
    std::fprintf(stderr, "line %d: failed: %s\n", line, what);
}

inline void reportEqual(const std::string& is, const std::string& expected, int line) {
    if (is == expected) return;
    ++failures;
    std::fprintf(stderr, "line %d:\n        is: %s\n  expected: %s\n", line, is.c_str(), expected.c_str());
}

#define CHECK(...) report(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __LINE__)
#define CHECK_EQUAL(is, expected) reportEqual(is, expected, __LINE__)

inline std::string text(sx_string s) { return std::string(s.ptr, static_cast<size_t>(s.len)); }

inline const sx_frame& frameAt(uint32_t i) {
    return *reinterpret_cast<const sx_frame*>(static_cast<uintptr_t>(sx_trace_frame_at(i)));
}

// The functions of the frames in flight, oldest first. A chain that another one follows ends in a bar, or in "=>" where
// the next was raised because of it.
inline std::string flight() {
    std::string out;
    for (uint32_t c = 0; c < sx_trace_chains(); ++c) {
        sx_trace_chain chain = {};
        sx_trace_chain_at(c, &chain);
        if (c > 0) out += chain.link == SX_TRACE_CAUSE ? " => " : " | ";
        for (uint32_t i = 0; i < chain.surviving; ++i) {
            if (i > 0) out += ' ';
            out += text(frameAt(chain.first + i).func);
        }
    }
    return out;
}

// The same, and nothing is in flight after it.
inline std::string landed() {
    std::string out = flight();
    sx_trace_clear();
    return out;
}
