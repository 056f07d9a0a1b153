// Recordings: the file, what is refused of it, and descriptions of functions.
#include "vm/replay/RecordSpec.h"
#include "vm/replay/RecordingFile.h"
#include "vm/replay/Tape.h"
#include "vm/time/AddressList.h"

#include "source/Files.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <unistd.h>

using namespace sx;
using namespace sx::vm;

namespace {

/// A file that is gone afterwards.
struct Scratch {
    Scratch() {
        char name[] = "/tmp/sx-recording-XXXXXX";
        close(mkstemp(name));
        path = name;
    }
    ~Scratch() { unlink(path.c_str()); }
    std::string path;
};

RecordingHead someHead() {
    RecordingHead head;
    head.version = "1.0";
    head.target = "here";
    head.hash = "0123456789abcdef";
    head.file = "a b.sx";
    head.folder = "/work";
    head.options = "-O0";
    head.arguments = {"one", "", "t\nwo"};
    head.environment = {"A=1", "B=="};
    head.spec = {"{}"};
    return head;
}

RecordingEvent call(const std::string& function, uint64_t value, int error, std::string memory = "") {
    RecordingEvent e;
    e.kind = RecordingEvent::Kind::Call;
    e.function = function;
    e.result = {value, error, std::move(memory)};
    return e;
}

std::string bytesOf(const std::string& path) {
    std::string bytes(1 << 16, 0);
    int file = open(path.c_str(), O_RDONLY);
    bytes.resize(static_cast<size_t>(read(file, bytes.data(), bytes.size())));
    close(file);
    return bytes;
}

std::string write(const std::string& path) {
    auto writer = RecordingWriter::create(path, someHead());
    REQUIRE(writer);
    REQUIRE((*writer)->append(call("read", 3, 0, std::string("\0x\xff", 3))));
    RecordingEvent back;
    back.kind = RecordingEvent::Kind::Callback;
    back.callee = 300;
    back.words = {1, UINT64_MAX};
    REQUIRE((*writer)->append(back));
    REQUIRE((*writer)->append(call("", UINT64_MAX, 4)));
    REQUIRE((*writer)->append(call("read", 0, 0)));
    RecordingEvent turn;
    turn.kind = RecordingEvent::Kind::Turn;
    turn.thread = 2;
    turn.slices = 1000;
    REQUIRE((*writer)->append(turn));
    RecordingEvent signal;
    signal.kind = RecordingEvent::Kind::Signal;
    signal.signal = 15;
    signal.nanoseconds = 123456789;
    REQUIRE((*writer)->append(signal));
    return bytesOf(path);
}

std::string problemOf(const std::string& bytes) {
    Scratch file;
    REQUIRE(writeFile(file.path, bytes));
    auto reader = RecordingReader::open(file.path);
    return reader ? "" : reader.error();
}

} // namespace

TEST_CASE("what was written to a recording is read again") {
    Scratch file;
    write(file.path);
    auto opened = RecordingReader::open(file.path);
    REQUIRE(opened);
    RecordingReader& r = **opened;
    CHECK(r.head().arguments == someHead().arguments);
    CHECK(r.head().environment == someHead().environment);
    CHECK(r.head().spec == someHead().spec);
    CHECK(r.head().file == "a b.sx");
    CHECK(!r.isIncomplete());
    REQUIRE(r.peek());
    CHECK(r.peek()->function == "read");
    CHECK(r.peek()->result.value == 3);
    CHECK(r.peek()->result.memory == std::string("\0x\xff", 3));
    r.skip();
    CHECK(r.peek()->kind == RecordingEvent::Kind::Callback);
    CHECK(r.peek()->callee == 300);
    CHECK(r.peek()->words == std::vector<uint64_t>{1, UINT64_MAX});
    r.skip();
    CHECK(r.peek()->function.empty());
    CHECK(r.peek()->result.error == 4);
    r.skip();
    CHECK(r.peek()->function == "read");
    r.skip();
    CHECK(r.peek()->kind == RecordingEvent::Kind::Turn);
    CHECK(r.peek()->thread == 2);
    CHECK(r.peek()->slices == 1000);
    r.skip();
    CHECK(r.peek()->signal == 15);
    CHECK(r.peek()->nanoseconds == 123456789);
    r.skip();
    CHECK(!r.peek());
}

TEST_CASE("events can be taken back while they are recorded") {
    Scratch file;
    {
        auto writer = RecordingWriter::create(file.path, someHead());
        REQUIRE(writer);
        (*writer)->allowDropping();
        for (const char* name : {"a", "b", "c"}) REQUIRE((*writer)->append(call(name, 1, 0)));
        REQUIRE((*writer)->dropEvents(2));
        REQUIRE((*writer)->append(call("c", 2, 0)));
        REQUIRE((*writer)->markIncomplete());
    }
    auto r = RecordingReader::open(file.path);
    REQUIRE(r);
    CHECK((*r)->isIncomplete());
    CHECK((*r)->peek()->function == "a");
    (*r)->skip();
    CHECK((*r)->peek()->function == "c");
    CHECK((*r)->peek()->result.value == 2);
    (*r)->skip();
    CHECK(!(*r)->peek());
}

TEST_CASE("every recording that is cut off or changed is refused") {
    Scratch file;
    std::string bytes = write(file.path);
    REQUIRE(problemOf(bytes).empty());
    for (size_t n = 0; n < bytes.size(); ++n) {
        INFO(n);
        CHECK(!problemOf(bytes.substr(0, n)).empty());
        std::string changed = bytes;
        changed[n] = static_cast<char>(changed[n] ^ 0x10);
        CHECK(!problemOf(changed).empty());
    }
    CHECK(problemOf(bytes + "x").find("was changed") != std::string::npos);
    CHECK(problemOf("").find("is no recording") != std::string::npos);
}

TEST_CASE("descriptions of functions") {
    KnownCalls known;
    REQUIRE(parseRecordSpec(R"({"functions": [{"name": "f",
        "arguments": [{"argument": 0, "direction": "in"},
                      {"argument": 1, "direction": "inout", "length": {"argument": 2, "times": 4, "limit": "result"}},
                      {"argument": 3, "direction": "out", "length": 16}],
        "result": {"length": "text"}}]})",
                            known));
    const KnownCall* f = known.find("f");
    REQUIRE(f);
    CHECK(f->kind == KnownCall::Kind::Outside);
    REQUIRE(f->writes.size() == 3);
    CHECK((f->writes[0].argument == 1 && f->writes[0].countArgument == 2 && f->writes[0].bytes == 4));
    CHECK(f->writes[0].byResult);
    CHECK(f->writes[1].bytes == 16);
    CHECK((f->writes[2].argument == Written::ReturnedAddress && f->writes[2].bytes == 0));
    for (const char* wrong :
         {"", "[]", "{}", R"({"functions": 1})", R"({"functions": [1]})", R"({"functions": [{"name": ""}]})",
          R"({"functions": [], "more": 1})", R"({"functions": [{"name": "f", "arguments": 1}]})",
          R"({"functions": [{"name": "f", "arguments": [1]}]})",
          R"({"functions": [{"name": "f", "arguments": [{"argument": -1, "direction": "in"}]}]})",
          R"({"functions": [{"name": "f", "arguments": [{"argument": 0, "direction": "out", "length": 0}]}]})",
          R"({"functions": [{"name": "f", "result": {}}]})"}) {
        INFO(wrong);
        CHECK(!parseRecordSpec(wrong, known));
    }
}

TEST_CASE("each function that is known stands in the documents") {
    Result<std::string> page = readTextFile(SX_SOURCE_DIR "/docs/recording.md");
    REQUIRE(page);
    for (const std::string& name : KnownCalls().names()) {
        INFO(name);
        CHECK(page->find("`" + name + "`") != std::string::npos);
    }
}

TEST_CASE("streams of output are followed through their copies") {
    OutputStreams streams;
    uint64_t one[] = {1, 7}, seven[] = {7, 1}, nine[] = {9, 1};
    streams.note("dup", one, 1, 7);
    CHECK(streams.streamOf(7) == 1);
    streams.note("dup2", nine, 2, 1);
    CHECK(streams.streamOf(1) == 0);
    streams.note("dup2", seven, 2, 1);
    CHECK(streams.streamOf(1) == 1);
    streams.note("close", seven, 1, 0);
    CHECK(streams.streamOf(7) == 0);
    streams.note("close", one, 1, -1);
    CHECK(streams.streamOf(1) == 1);
}

TEST_CASE("a list of addresses is kept in one piece") {
    sockaddr_in address{};
    address.sin_port = 99;
    char name[] = "name";
    addrinfo second{}, first{};
    second.ai_addr = first.ai_addr = reinterpret_cast<sockaddr*>(&address);
    second.ai_addrlen = first.ai_addrlen = sizeof address;
    first.ai_canonname = name;
    first.ai_next = &second;
    std::string flat = flattenAddressList(reinterpret_cast<uint64_t>(&first));
    std::vector<uint64_t> memory(flat.size() / 8 + 1);
    std::memcpy(memory.data(), flat.data(), flat.size());
    REQUIRE(placeAddressList(reinterpret_cast<uint64_t>(memory.data()), flat.size()));
    auto* copy = reinterpret_cast<addrinfo*>(memory.data());
    CHECK(std::string(copy->ai_canonname) == "name");
    REQUIRE(copy->ai_next);
    CHECK(reinterpret_cast<sockaddr_in*>(copy->ai_next->ai_addr)->sin_port == 99);
    CHECK(!copy->ai_next->ai_next);
    CHECK(flattenAddressList(0).empty());
}
