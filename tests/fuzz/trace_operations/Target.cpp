// Random sequences of operations on a thread's trace, beside the model of the unit tests.
#include "../../unit/runtime/walk.hpp"
#include "../trace_input/Input.h"

namespace {

// Choices are made with numbers of 16 bits. Where the input ends, so does the walk.
struct Numbers {
    Input* input;
    uint32_t operator()() { return input->number<uint16_t>(); }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, std::size_t len) {
    sx_trace_clear();
    Input input(bytes, len);
    Walk<Numbers> walk{Numbers{&input}};
    while (!input.atEnd()) {
        walk.step();
        HOLDS(walk.returnedRight());
        HOLDS(same(walk.model));
    }
    return 0;
}
