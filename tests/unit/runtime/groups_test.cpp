// A report is one error; links name both, and what else is in flight follows.
#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "support.hpp"

namespace {

// Tags of a program, as its resolver names them.
bool nameOf(uint64_t error, sx_string* out, void*) {
    static const char* const names[] = {"", "NotFound", "DiskFull", "Lost"};
    if (error == 0 || error > 3) return false;
    *out = {names[error], static_cast<int64_t>(std::strlen(names[error]))};
    return true;
}

class Names {
public:
    Names() { before_ = sx_trace_set_resolver(&resolver_); }
    ~Names() { sx_trace_set_resolver(before_); }

private:
    static constexpr sx_trace_resolver resolver_ = {nullptr, nullptr, nameOf};
    const sx_trace_resolver* before_;
};

enum Error { NotFound = 1, DiskFull, Lost };

Frame a("a", "a.sx", 1, 1), b("b", "a.sx", 2, 1), c("c", "a.sx", 3, 1);
const std::string LINE_A = "  a at a.sx:1:1\n", LINE_B = "  b at a.sx:2:1\n", LINE_C = "  c at a.sx:3:1\n";

std::string also(const std::string& what) { return "\nalso in flight: " + what + " (most recent call last):\n"; }

std::string report(uint32_t tag, const char* name) {
    return runInChild([=] { sx_trace_report_unhandled(tag, name, std::strlen(name)); }).err;
}

} // namespace

TEST_CASE("links name the error above and the one that followed") {
    CleanTrace clean;
    Names names;
    sx_trace_raise_error(a.value(), NotFound);
    sx_trace_raise_error(b.value(), DiskFull);
    sx_trace_link(SX_TRACE_CAUSE);
    sx_trace_raise_error(c.value(), Lost);
    sx_trace_link(SX_TRACE_ATTEMPT);
    CHECK(render() == HEAD + LINE_A + "\nwhile handling error.NotFound above, error.DiskFull was raised:\n" + LINE_B +
                          "\nafter error.DiskFull above, the next attempt failed with error.Lost:\n" + LINE_C);
    sx_trace_rename(0);
    CHECK(render().find("after error.DiskFull above, the next attempt failed with another error:\n") !=
          std::string::npos);
}

TEST_CASE("what is not linked is told apart, newest first, two in full") {
    CleanTrace clean;
    Names names;
    sx_trace_raise_error(a.value(), NotFound);
    CHECK(render() == HEAD + LINE_A);
    sx_trace_raise_error(b.value(), DiskFull);
    CHECK(render() == HEAD + LINE_B + also("error.NotFound") + LINE_A);
    sx_trace_raise(c.value());
    CHECK(render() == HEAD + LINE_C + also("error.DiskFull") + LINE_B + also("error.NotFound") + LINE_A);
    sx_trace_raise_error(a.value(), Lost);
    CHECK(render() == HEAD + LINE_A + also("another error") + LINE_C + also("error.DiskFull") + LINE_B +
                          "\nalso in flight: 1 more error\n");
    for (int i = 0; i < 96; ++i) sx_trace_raise_error(a.value(), Lost);
    CHECK(render() == HEAD + LINE_A + also("error.Lost") + LINE_A + also("error.Lost") + LINE_A +
                          "\nalso in flight: 97 more errors\n");
}

TEST_CASE("an error without frames is not shown, but counted") {
    CleanTrace clean;
    Names names;
    sx_trace_raise_error(0, NotFound);
    CHECK(render().empty());
    sx_trace_raise_error(b.value(), DiskFull);
    CHECK(render() == HEAD + LINE_B + "\nalso in flight: 1 more error\n");
    sx_trace_link(SX_TRACE_CAUSE);
    CHECK(render() == HEAD + LINE_B);
}

TEST_CASE("an origin that nobody recorded is told") {
    CleanTrace clean;
    Names names;
    sx_trace_push(a.value());
    CHECK(render() == HEAD + "  (came from code that records no trace)\n" + LINE_A);
    CHECK(render(SX_TRACE_STYLE_JSON).find(",\"origin\":\"unknown\"}],\"omitted\":0}\n") != std::string::npos);
}

TEST_CASE("equal values cannot be told apart, and the report says so") {
    CleanTrace clean;
    const uint64_t value = uint64_t(7) | uint64_t(1) << 63;
    sx_trace_raise_error(a.value(), value);
    sx_trace_raise_error(b.value(), value);
    CHECK(render() == HEAD + "  (one of 2 errors of this value in flight)\n" + LINE_B + also("another error") + LINE_A);
}

TEST_CASE("the reporter shows the group of its error") {
    CleanTrace clean;
    Names names;
    Environment plain("SX_TRACE", nullptr), color("SX_TRACE_COLOR", "never");
    sx_trace_raise_error(a.value(), NotFound);
    sx_trace_raise_error(b.value(), DiskFull);
    const std::string header = "error: unhandled error reached main: error.";
    CHECK(report(NotFound, "NotFound") == header + "NotFound\n" + HEAD + LINE_A + also("error.DiskFull") + LINE_B);
    CHECK(report(Lost, "Lost") == header + "Lost\n" + HEAD + LINE_B + also("error.NotFound") + LINE_A);
    Environment json("SX_TRACE", "json");
    std::string text = report(NotFound, "NotFound");
    CHECK(text.find("{\"error\":\"NotFound\",\"frames\":[{\"func\":\"a\"") == 0);
    CHECK(text.find("\"error\":\"NotFound\"}],\"omitted\":0,\"in_flight\":[{\"error\":\"DiskFull\",\"frames\":[{"
                    "\"func\":\"b\"") != std::string::npos);
}

TEST_CASE("one omitted frame is one frame") {
    CleanTrace clean;
    sx_trace_raise(a.value());
    for (int i = 0; i < 33; ++i) sx_trace_push(b.value());
    CHECK(render() == HEAD + LINE_A + "  ... 1 frame omitted\n  b at a.sx:2:1 (32 times)\n");
}

TEST_CASE("equal frames fold whatever their address, and unknown ones of one number") {
    CleanTrace clean;
    Frame again("a", "a.sx", 1, 1), elsewhere("a", "a.sx", 1, 2);
    sx_trace_raise(a.value());
    sx_trace_push(again.value());
    sx_trace_push(elsewhere.value());
    sx_trace_push(5), sx_trace_push(5), sx_trace_push(6);
    CHECK(render() ==
          HEAD +
              "  a at a.sx:1:1 (2 times)\n  a at a.sx:1:2\n  (unknown frame 0x5) (2 times)\n  (unknown frame 0x6)\n");
}

TEST_CASE("text that reverses its direction is shown escaped, with the caret behind it") {
    CleanTrace clean;
    Frame odd("f\xE2\x80\xAE", "a.sx", 1, 8,
              "ab\xE2\x81\xA6"
              "cd");
    sx_trace_raise(odd.value());
    CHECK(render() == HEAD + "  f\\u202e at a.sx:1:8\n    ab\\u2066cd\n              ^\n");
}

TEST_CASE("frames whose memory is gone are told, and nothing is read there") {
    CleanTrace clean;
    std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* memory = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    std::memcpy(memory, &a.frame, sizeof a.frame);
    sx_trace_raise(reinterpret_cast<uint64_t>(memory));
    sx_trace_push(b.value());
    CHECK(render() == HEAD + LINE_A + LINE_B);
    munmap(memory, page);
    CHECK(render() == HEAD + "  (frame of a library that is gone)\n" + LINE_B);
    CHECK(render(SX_TRACE_STYLE_JSON).find("{\"func\":\"\",\"file\":\"\",\"line\":0") != std::string::npos);
}
