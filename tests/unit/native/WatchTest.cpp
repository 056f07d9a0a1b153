#include "Debugged.h"
#include "debugger/native/engine/HardwareWatch.h"

#include <algorithm>

using namespace sx::debugger;
using namespace sx::debugger::native;

TEST_CASE("A watched variable stops after each write, and the watch ends with its frame") {
    if (!hasEngine()) return;
    Debugged d("watches", "count := 1;\nadd :: (n: i64) -> i64 {\n    sum := n;\n    sum += 2;\n    return sum;\n}\n"
                          "main :: () {\n    a := add(5);\n    count += a;\n}\n");
    d.breakAt(1, 4);
    d.begin();
    const sx::ir::Function& fn = d.program.module.fn(d.engine.frames(1, 0, 1).frames.at(0).func);
    uint32_t slot = 0;
    while (d.program.types.names().text(fn.slots[slot].name) != "sum") ++slot;
    REQUIRE(d.engine.setWatchSlot(9, 1, 0, sx::ir::SlotId(slot)));
    Event written = d.go();
    REQUIRE(written.kind == Event::Kind::Stopped);
    CHECK(written.stop.reason == Stop::Reason::Watch);
    CHECK(written.stop.breakpoints == std::vector<uint32_t>{9});
    CHECK(written.stop.before[0] == 5);
    CHECK(written.stop.after[0] == 7);
    CHECK(d.go().kind == Event::Kind::Exited);
    CHECK(std::count_if(d.others.begin(), d.others.end(), [](auto& e) { return e.kind == Event::Kind::WatchEnded; }) ==
          1);
    CHECK(std::count_if(d.others.begin(), d.others.end(),
                        [](auto& e) { return e.text == "watching by single steps"; }) == (hardwareWatches() ? 0 : 1));
}

TEST_CASE("The hardware watches pieces of 1, 2, 4 and 8 bytes at multiples of their sizes") {
    auto sizes = [](uint64_t address, uint64_t size) {
        std::vector<uint64_t> found;
        for (const AddressPiece& piece : alignedPieces(address, size)) {
            CHECK(piece.address == address);
            CHECK(piece.address % piece.size == 0);
            address += piece.size;
            found.push_back(piece.size);
        }
        return found;
    };
    CHECK(sizes(0x1000, 8) == std::vector<uint64_t>{8});
    CHECK(sizes(0x1000, 24) == std::vector<uint64_t>{8, 8, 8});
    CHECK(sizes(0x1001, 10) == std::vector<uint64_t>{1, 2, 4, 2, 1});
    CHECK(sizes(0x1004, 4) == std::vector<uint64_t>{4});
}
