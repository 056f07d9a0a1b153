// What a caller does wrong is defined: calls with nothing to work on, snapshots that no capture made, frames that make
// no sense.
#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "support.hpp"

using Frames = std::vector<uint64_t>;

namespace {

std::string renderSnapshot(const sx_trace_snapshot& snapshot, uint32_t style) {
    sx_trace_resolver resolver = {[](uint64_t, sx_frame*, void*) { return false; }, nullptr, nullptr};
    sx_trace_options options = {};
    options.style = style;
    options.error = {"E", 1};
    options.resolver = &resolver;
    std::string text(sx_trace_format(nullptr, 0, &snapshot, &options), '\0');
    sx_trace_format(text.data(), text.size() + 1, &snapshot, &options);
    return text;
}

const std::string EMPTY_JSON = "{\"error\":\"E\",\"frames\":[],\"omitted\":0}\n";

bool isConsistent() {
    uint64_t frames = 0, omitted = 0;
    for (uint32_t i = 0; i < sx_trace_chains(); ++i) {
        sx_trace_chain chain = chainAt(i);
        if (chain.first != frames || chain.errors == 0 || chain.link > SX_TRACE_ATTEMPT) return false;
        frames += chain.surviving;
        omitted += chain.omitted;
    }
    return sx_trace_chains() <= SX_TRACE_CHAINS && frames == sx_trace_len() && frames <= SX_TRACE_FRAMES &&
           sx_trace_omitted() == std::min<uint64_t>(omitted, UINT32_MAX);
}

// Three chains, the first with losses, the last two tied.
sx_trace_snapshot goodSnapshot() {
    raiseChain(10, 20), raiseChain(100, 15), raiseChain(200, 5);
    sx_trace_link(SX_TRACE_CAUSE);
    sx_trace_snapshot snapshot;
    sx_trace_capture(&snapshot);
    sx_trace_clear();
    return snapshot;
}

} // namespace

TEST_CASE("misuse: calls that find nothing to work on") {
    CleanTrace clean;
    sx_trace_absorb();
    sx_trace_clear();
    sx_trace_link(SX_TRACE_CAUSE);
    CHECK(sx_trace_chains() == 0);
    sx_trace_push(1);
    CHECK(framesInFlight() == Frames{1});
    sx_trace_link(SX_TRACE_ATTEMPT); // there is no chain below
    CHECK(chainAt(0).link == SX_TRACE_UNLINKED);
    CHECK(sx_trace_frame_at(1) == 0);
    CHECK(sx_trace_frame_at(UINT32_MAX) == 0);
    CHECK_FALSE(sx_trace_chain_at(1, nullptr));
    CHECK_FALSE(sx_trace_chain_at(UINT32_MAX, nullptr));
}

TEST_CASE("misuse: a link of no kind changes nothing") {
    CleanTrace clean;
    sx_trace_raise(1), sx_trace_raise(2);
    for (uint32_t kind : {0u, 3u, 255u, 257u, UINT32_MAX}) sx_trace_link(kind);
    CHECK(chainAt(1).link == SX_TRACE_UNLINKED);
    sx_trace_absorb();
    CHECK(framesInFlight() == Frames{1});
}

TEST_CASE("misuse: swapping with a zeroed state takes everything away, with a spoiled one too") {
    CleanTrace clean;
    raiseChain(1, 3);
    sx_trace_state state = {};
    sx_trace_swap(&state);
    CHECK(sx_trace_chains() == 0);
    CHECK(state.trace.end == 3);
    sx_trace_swap(&state);
    CHECK(framesInFlight() == Frames{1, 2, 3});
    std::memset(&state, 0xA5, sizeof state);
    sx_trace_swap(&state);
    CHECK(sx_trace_chains() == 0);
    sx_trace_swap(&state);
    CHECK(framesInFlight() == Frames{1, 2, 3});
}

TEST_CASE("misuse: a snapshot can be used again and again, whatever has happened since") {
    CleanTrace clean;
    raiseChain(10, 2);
    sx_trace_snapshot old;
    sx_trace_capture(&old);
    sx_trace_absorb();
    raiseChain(50, 40);
    sx_trace_absorb();
    for (int i = 0; i < 3; ++i) {
        sx_trace_restore(&old);
        CHECK(framesInFlight() == Frames{10, 11});
    }
    CHECK(sx_trace_resume(&old));
    CHECK(framesInFlight() == Frames{10, 11, 10, 11});
}

TEST_CASE("misuse: a snapshot that no capture made counts as empty") {
    CleanTrace clean;
    using Spoil = void (*)(sx_trace_snapshot&);
    const Spoil spoils[] = {
        [](sx_trace_snapshot& s) { s.trace.stack |= uint64_t(12) << 24; },
        [](sx_trace_snapshot& s) { s.trace.stack = UINT64_MAX; },
        [](sx_trace_snapshot& s) { s.trace.stack = 0; },
        [](sx_trace_snapshot& s) { s.trace.stack += 1; },
        [](sx_trace_snapshot& s) { s.trace.end = UINT64_MAX; },
        [](sx_trace_snapshot& s) { s.trace.end = 0; },
        [](sx_trace_snapshot& s) { s.trace.lost = 1; },
        [](sx_trace_snapshot& s) { s.trace.end = 33; },
        [](sx_trace_snapshot& s) { s.trace.end = 3; },
        [](sx_trace_snapshot& s) { s.trace.starts[0] = 1; },
        [](sx_trace_snapshot& s) { s.trace.starts[2] = 0; },
        [](sx_trace_snapshot& s) { s.trace.starts[1] = s.trace.starts[2] + 1; },
        [](sx_trace_snapshot& s) { s.trace.starts[1] = UINT64_MAX; },
        [](sx_trace_snapshot& s) { s.trace.links[1] = 3; },
        [](sx_trace_snapshot& s) { s.trace.links[2] = 16; },
        [](sx_trace_snapshot& s) { s.trace.counts[1] = 0; },
        [](sx_trace_snapshot& s) { s.trace.notes_used = 8; },
        [](sx_trace_snapshot& s) { s.trace.notes_used = 12, s.notes[9] = 1; },
        [](sx_trace_snapshot& s) { s.trace.notes_used = 260; },
        [](sx_trace_snapshot& s) { std::memset(&s, 0xFF, sizeof s); },
    };
    const sx_trace_snapshot good = goodSnapshot();
    for (std::size_t i = 0; i < std::size(spoils); ++i) {
        INFO("spoil " << i);
        sx_trace_snapshot bad = good;
        spoils[i](bad);
        CHECK(renderSnapshot(bad, SX_TRACE_STYLE_TEXT).empty());
        CHECK(renderSnapshot(bad, SX_TRACE_STYLE_JSON) == EMPTY_JSON);
        raiseChain(1, 2);
        CHECK_FALSE(sx_trace_resume(&bad));
        CHECK(framesInFlight() == Frames{1, 2});
        sx_trace_restore(&bad);
        CHECK(sx_trace_chains() == 0);
    }
    CHECK(sx_trace_resume(&good));
    CHECK(sx_trace_chains() == 3);
}

TEST_CASE("misuse: random bytes and flipped bits as snapshots leave the thread consistent") {
    CleanTrace clean;
    std::mt19937_64 random(7);
    const sx_trace_snapshot good = goodSnapshot();
    bool sound = true;
    for (int i = 0; i < 20000 && sound; ++i) {
        sx_trace_snapshot bad = good;
        unsigned char* bytes = reinterpret_cast<unsigned char*>(&bad);
        int changes = 1 + random() % 3;
        while (changes-- > 0) bytes[random() % sizeof bad] ^= 1u << random() % 8;
        // The numbers at the end decide most: spoil them with small values as well.
        if (i % 3 == 0) bad.trace.end = random() % 34, bad.trace.stack = uint64_t(random() % 10) << 24;
        renderSnapshot(bad, i % 2 ? SX_TRACE_STYLE_TEXT : SX_TRACE_STYLE_JSON);
        sx_trace_resume(&bad);
        sound = isConsistent();
        sx_trace_push(1), sx_trace_raise(2);
        sound = sound && isConsistent();
        if (i % 10 == 0) sx_trace_restore(&bad);
        if (i % 4 == 0) sx_trace_absorb();
        sound = sound && isConsistent();
    }
    CHECK(sound);
}

TEST_CASE("misuse: losses that no program can have had are cut, and nothing overflows") {
    CleanTrace clean;
    raiseChain(1, 40);
    sx_trace_snapshot huge;
    sx_trace_capture(&huge);
    huge.trace.skipped[0] = UINT32_MAX;
    huge.trace.counts[0] = UINT32_MAX;
    for (int i = 0; i < 20; ++i) {
        REQUIRE(sx_trace_resume(&huge));
        REQUIRE(isConsistent());
    }
    CHECK(sx_trace_omitted() == UINT32_MAX);
    for (uint64_t i = 1; i <= 100; ++i) sx_trace_push(1000 + i);
    CHECK(sx_trace_frame_at(31) == 1100);
    sx_trace_snapshot again;
    sx_trace_capture(&again);
    sx_trace_restore(&again);
    CHECK(sx_trace_frame_at(31) == 1100);
}

TEST_CASE("misuse: text of an impossible length is not read") {
    CleanTrace clean;
    // A text that ends with a page, before one that cannot be read.
    std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    char* pages =
        static_cast<char*>(mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(pages != MAP_FAILED);
    REQUIRE(mprotect(pages + page, page, PROT_NONE) == 0);
    const char* text = pages + page - 4;
    std::memcpy(pages + page - 4, "ab\xE6\xBC", 4); // the last character is cut
    for (int64_t length : {INT64_MIN, int64_t(-1), int64_t(SX_TRACE_TEXT_MAX) + 1, INT64_MAX}) {
        sx_frame frame = {{text, length}, 7, 3, {text, length}, {text, length}};
        sx_trace_raise(reinterpret_cast<uint64_t>(&frame));
        CHECK(render() == "error return trace (most recent call last):\n  (unknown function) at (unknown file):7:3\n");
        CHECK(render(SX_TRACE_STYLE_JSON).find("\"text\":\"\"") != std::string::npos);
        sx_trace_clear();
    }
    sx_frame frame = {{text, 4}, 7, 3, {text, 2}, {text, 4}};
    sx_trace_raise(reinterpret_cast<uint64_t>(&frame));
    CHECK(render() == "error return trace (most recent call last):\n  ab at ab\xE6\xBC:7:3\n    ab\xE6\xBC\n      ^\n");
    sx_trace_clear();
    munmap(pages, 2 * page);

    std::string longest(SX_TRACE_TEXT_MAX, 'x');
    Frame whole("f", "a.sx", 1, 1, longest);
    sx_trace_raise(whole.value());
    CHECK(render().find("\n    " + longest + "\n    ^\n") != std::string::npos);
}

TEST_CASE("misuse: wild lines and columns") {
    CleanTrace clean;
    for (int32_t col : {INT32_MIN, -1, 0, INT32_MAX}) {
        Frame frame("f", "a.sx", INT32_MAX, col, "\xE2\x80\xA6 text");
        sx_trace_raise(frame.value());
        std::string place = col == INT32_MAX ? ":2147483647" : "";
        CHECK(render(SX_TRACE_STYLE_SHORT).find("  f at a.sx:2147483647" + place + "\n") != std::string::npos);
        // A column far behind an ellipsis reads as a window's, and its caret stays in the text or at its end.
        CHECK(render().size() < 200);
        sx_trace_clear();
    }
    Frame frame("f", "a.sx", INT32_MIN, 5);
    sx_trace_raise(frame.value());
    CHECK(render() == "error return trace (most recent call last):\n  f at a.sx\n");
    CHECK(sx_trace_line_window({nullptr, 10}, 5, nullptr, 0) == 0);
    CHECK(sx_trace_line_window({"text", -1}, INT32_MIN, nullptr, 0) == 0);
}
