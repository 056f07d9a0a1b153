// A signal handler with errors of its own.
#pragma once

#include <csignal>

#include "support.hpp"

struct Intruder {
    // Its frames are numbers from here up, and no frame of what it interrupts is. Below any
    // address, so that nothing is looked up there when it renders.
    static constexpr uint64_t FRAME = 3000;

    static inline volatile sig_atomic_t runs = 0;
    static inline volatile sig_atomic_t seenWrong = 0; // it read frames that were not in flight
    static inline int chains = 1;
    static inline uint64_t frames = 1;

    // Says how many chains of how many frames it raises each time.
    static void become(int newChains, uint64_t newFrames) {
        chains = newChains;
        frames = newFrames;
        runs = 0;
        seenWrong = 0;
    }

    // Reads what it interrupted, then raises, renders and absorbs.
    static void handle(int) {
        for (uint32_t i = 0; i < sx_trace_len(); ++i) {
            if (sx_trace_frame_at(i) >= FRAME) seenWrong = 1;
        }
        for (int i = 0; i < chains; ++i) raiseChain(FRAME, frames);
        char text[16];
        sx_trace_format(text, sizeof text, nullptr, nullptr);
        for (int i = 0; i < chains; ++i) sx_trace_absorb();
        runs = runs + 1;
    }
};
