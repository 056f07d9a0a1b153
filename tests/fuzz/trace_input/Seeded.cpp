// Runs a target without libFuzzer, on inputs from a seeded generator: `target COUNT [SEED]`. Prints the seed of each
// thousandth input, so that a crash can be narrowed down with a COUNT of 1 and the printed seed.
#include <cstdio>
#include <random>
#include <vector>

#include "Input.h"

namespace {

// Characters that decide something in a trace, more often than chance would have them.
const char* const TELLING[] = {
    "\t",        "\n",           "\x1b[31m",     "\"",           "\\",
    "\x7f",      "\xC2\x9B",     "\xE2\x80\xA6", "\xE6\xBC\xA2", "\xF0\x9F\x98\x80",
    "e\xCC\x81", "\xE2\x80\x8B", "\xED\xA0\x80", "\xC0\x80",     "\xF4\x90\x80\x80",
    "\xFF",      "    ",         "try f();",
};

std::vector<uint8_t> makeInput(uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<uint8_t> input;
    std::size_t wanted = random() % (random() % 16 == 0 ? 4000 : 300);
    while (input.size() < wanted) {
        switch (random() % 4) {
        case 0: input.push_back(random() & 0xFF); break;
        case 1: input.push_back(random() % 8); break;
        case 2: input.insert(input.end(), random() % 20, static_cast<uint8_t>(' ' + random() % 95)); break;
        case 3: {
            const char* text = TELLING[random() % (sizeof TELLING / sizeof *TELLING)];
            input.insert(input.end(), text, text + std::strlen(text));
            break;
        }
        }
    }
    return input;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3) {
        std::fprintf(stderr, "usage: %s COUNT [SEED]\n", argv[0]);
        return 2;
    }
    uint64_t count = std::strtoull(argv[1], nullptr, 10);
    uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    for (uint64_t i = 0; i < count; ++i) {
        if (i % 1000 == 0) std::printf("seed %llu\n", static_cast<unsigned long long>(seed + i)), std::fflush(stdout);
        std::vector<uint8_t> input = makeInput(seed + i);
        LLVMFuzzerTestOneInput(input.data(), input.size());
    }
    return 0;
}
