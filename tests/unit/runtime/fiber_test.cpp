// The records of fibers that debuggers read: who is in the list, what they say, changes of states.
#include "debug_fiber.h"
#include "fiber.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <thread>
#include <vector>

namespace {

std::vector<sx_debug_fiber> records() {
    std::vector<sx_debug_fiber> all(sx_debug_fiber_copy(nullptr, 0));
    sx_debug_fiber_copy(all.data(), all.size());
    return all;
}

const sx_debug_fiber& recordOf(const sx_fiber* f) { return *static_cast<const sx_debug_fiber*>(sx_fiber_record(f)); }

constexpr size_t StackBytes = 64 << 10;

void waitTwice(void* what) {
    sx_debug_fiber_wait(SX_DEBUG_CHANNEL, *static_cast<uint64_t*>(what));
    sx_debug_fiber_wait(SX_DEBUG_WAKE, 0); // leaves the reason
    sx_fiber_pause();
    sx_fiber_pause();
}

} // namespace

TEST_CASE("a fiber is in the list from its creation to its release") {
    size_t before = records().size();
    uint32_t created = sx_debug_fiber_records()->created;
    uint64_t channel = 7;
    sx_debug_fiber_next(reinterpret_cast<const void*>(&waitTwice), &channel);
    sx_fiber* f = sx_fiber_create(waitTwice, &channel, StackBytes);
    REQUIRE(f);
    const sx_debug_fiber& r = recordOf(f);
    CHECK(records().size() == before + 1);
    CHECK(r.id == created + 1);
    CHECK((r.code == reinterpret_cast<const void*>(&waitTwice) && r.task == &channel));
    CHECK((r.state == SX_DEBUG_READY && r.thread == 0 && r.saved && *r.saved > r.low && *r.saved < r.high));
    CHECK(sx_fiber_resume(f));
    CHECK((r.state == SX_DEBUG_WAITING && r.reason == SX_DEBUG_CHANNEL && r.object == 7 && r.thread != 0));
    sx_fiber_ready(f);
    CHECK((r.state == SX_DEBUG_READY && r.reason == SX_DEBUG_NO_REASON));
    CHECK(sx_fiber_resume(f)); // without a reason it may go on at any time
    CHECK(r.state == SX_DEBUG_READY);
    CHECK_FALSE(sx_fiber_resume(f));
    CHECK(r.state == SX_DEBUG_DONE);
    sx_fiber_release(f);
    CHECK(records().size() == before);
    sx_fiber* next = sx_fiber_create(waitTwice, &channel, StackBytes);
    CHECK((recordOf(next).id == created + 2 && !recordOf(next).code));
    sx_fiber_release(next);
}

TEST_CASE("changes of states are remembered where somebody wants to know") {
    uint64_t channel = 9, before = sx_debug_fiber_records()->change_count;
    auto run = [&] {
        sx_fiber* f = sx_fiber_create(waitTwice, &channel, StackBytes);
        uint32_t id = recordOf(f).id;
        sx_fiber_resume(f);
        sx_fiber_ready(f);
        sx_fiber_release(f);
        return id;
    };
    run();
    CHECK(sx_debug_fiber_records()->change_count == before);
    sx_debug_fiber_log(1);
    uint32_t id = run();
    sx_debug_fiber_log(0);
    const sx_debug_fiber_list& list = *sx_debug_fiber_records();
    REQUIRE(list.change_count == before + 4);
    constexpr uint8_t Expected[][2] = {{SX_DEBUG_READY, SX_DEBUG_RUNNING},
                                       {SX_DEBUG_RUNNING, SX_DEBUG_WAITING},
                                       {SX_DEBUG_WAITING, SX_DEBUG_READY},
                                       {SX_DEBUG_READY, SX_DEBUG_DONE}};
    for (auto& [from, to] : Expected) {
        const sx_debug_change& c = list.changes[before++ % SX_DEBUG_CHANGES];
        CHECK((c.id == id && c.from == from && c.to == to));
        CHECK(c.reason == (to == SX_DEBUG_WAITING ? SX_DEBUG_CHANNEL : SX_DEBUG_NO_REASON));
    }
}

TEST_CASE("a thread that waits outside of fibers is in the list until it ends") {
    size_t before = records().size(), during = 0;
    std::thread([&] {
        sx_debug_fiber_wait(SX_DEBUG_SLEEP, 3);
        std::vector<sx_debug_fiber> all = records();
        during = all.size();
        CHECK((all[0].id == 0 && all[0].thread != 0 && all[0].reason == SX_DEBUG_SLEEP));
        sx_debug_fiber_go();
        CHECK(records()[0].reason == SX_DEBUG_NO_REASON);
    }).join();
    CHECK(during == before + 1);
    CHECK(records().size() == before);
}

TEST_CASE("others announce what they have") {
    sx_debug_fiber mine{};
    mine.state = SX_DEBUG_WAITING;
    sx_debug_fiber_begin(&mine);
    std::vector<sx_debug_fiber> all = records();
    CHECK((mine.id != 0 && all.front().id == mine.id));
    sx_debug_fiber_end(&mine);
    CHECK(mine.state == SX_DEBUG_DONE);
    CHECK(records().size() == all.size() - 1);
    uint32_t number = sx_debug_number();
    CHECK(sx_debug_number() == number + 1);
}
