// A million random operations against the model.
#include <catch2/catch.hpp>
#include <random>

#include "support.hpp"
#include "walk.hpp"

#ifndef WALK_STEPS // an emulated processor takes fewer
#define WALK_STEPS 300000
#endif

TEST_CASE("random operations agree with the model") {
    CleanTrace clean;
    uint32_t seed = GENERATE(1u, 2u, 3u, 4u);
    Walk walk{std::mt19937(seed)};
    for (int i = 0; i < WALK_STEPS; ++i) {
        walk.step();
        if (!walk.returnedRight() || !same(walk.model)) FAIL("seed " << seed << ", step " << i);
    }
    SUCCEED();
}
