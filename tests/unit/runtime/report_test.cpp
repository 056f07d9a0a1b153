// Traces on a file descriptor: settings, the reporter, and descriptors that make trouble.
#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "support.hpp"

namespace {

// No settings at all.
struct PlainEnvironment {
    Environment style{"SX_TRACE", nullptr}, color{"SX_TRACE_COLOR", nullptr};
    Environment noColor{"NO_COLOR", nullptr}, term{"TERM", "xterm"};
};

std::string reportOf(const char* name) {
    return runInChild([&] { sx_trace_report_unhandled(7, name, std::strlen(name)); }).err;
}

// What sx_trace_print writes to a terminal, without the terminal's carriage returns.
std::string printToTerminal() {
    int master, slave;
    REQUIRE(openpty(&master, &slave, nullptr, nullptr, nullptr) == 0);
    sx_trace_print(slave);
    char buffer[4096];
    ssize_t n = read(master, buffer, sizeof buffer);
    std::string text;
    for (ssize_t i = 0; i < n; ++i) {
        if (buffer[i] != '\r') text += buffer[i];
    }
    close(master);
    close(slave);
    return text;
}

} // namespace

TEST_CASE("the reporter names the error, then shows the trace") {
    CleanTrace clean;
    PlainEnvironment plain;
    const std::string header = "error: unhandled error reached main: error.Bad\n";
    CHECK(reportOf("Bad") == header);
    Frame frame("main", "a.sx", 3, 5, "try f();");
    sx_trace_raise(frame.value());
    const std::string place = "  main at a.sx:3:5\n", lines = "    try f();\n        ^\n";
    CHECK(reportOf("Bad") == header + HEAD + place + lines);
    {
        Environment style("SX_TRACE", "short");
        CHECK(reportOf("Bad") == header + HEAD + place);
    }
    {
        Environment style("SX_TRACE", "off");
        CHECK(reportOf("Bad") == header);
    }
    {
        Environment style("SX_TRACE", "json");
        CHECK(reportOf("Bad") == "{\"error\":\"Bad\",\"frames\":[{\"func\":\"main\",\"file\":\"a.sx\",\"line\":3,"
                                 "\"col\":5,\"text\":\"try f();\"}],\"omitted\":0}\n");
    }
    {
        Environment style("SX_TRACE", "nonsense");
        CHECK(reportOf("Bad") ==
              "warning: SX_TRACE is 'nonsense', which is none of off, short, json\n" + header + HEAD + place + lines);
    }
    CHECK(sx_trace_chains() == 1);
}

TEST_CASE("a report in words of one's own") {
    CleanTrace clean;
    PlainEnvironment plain;
    sx_trace_options words = {};
    words.title = {"fatal: no\x1b start", 16};
    words.heading = {"How it came to that:", 20};
    auto report = [&](const sx_trace_snapshot* snapshot = nullptr) {
        return runInChild([&] { sx_trace_report(STDERR_FILENO, snapshot, &words); }).err;
    };
    const std::string title = "fatal: no\\x1b start\n", heading = "How it came to that:\n";
    CHECK(report() == title);
    Frame first("first", "a.sx", 3, 5), second("second", "a.sx", 4, 5);
    sx_trace_raise_error(first.value(), 7), sx_trace_raise_error(second.value(), 8);
    const std::string placeFirst = "  first at a.sx:3:5\n", placeSecond = "  second at a.sx:4:5\n";
    const std::string also = "\nalso in flight: another error (most recent call last):\n";
    CHECK(report() == title + heading + placeSecond + also + placeFirst);
    sx_trace_snapshot snapshot;
    sx_trace_capture_newest(&snapshot);
    CHECK(report(&snapshot) == title + heading + placeSecond);
    words.reported = 7;
    CHECK(report() == title + heading + placeFirst + also + placeSecond);
    {
        Environment style("SX_TRACE", "off");
        CHECK(report() == title);
    }
    {
        Environment style("SX_TRACE", "json");
        CHECK(report(&snapshot) == "{\"error\":null,\"message\":\"fatal: no\\u001b start\",\"frames\":["
                                   "{\"func\":\"second\",\"file\":\"a.sx\",\"line\":4,\"col\":5,\"text\":\"\"}],"
                                   "\"omitted\":0}\n");
    }
    {
        Environment always("SX_TRACE_COLOR", "always");
        CHECK(report(&snapshot).find("\x1b[1msecond") != std::string::npos);
    }
    words = {};
    CHECK(report(&snapshot) == HEAD + placeSecond);
    CHECK(runInChild([] { sx_trace_report(STDERR_FILENO, nullptr, nullptr); }).err ==
          HEAD + placeSecond + also + placeFirst);
}

TEST_CASE("the reporter without a name, and with an evil one") {
    CleanTrace clean;
    PlainEnvironment plain;
    CHECK(reportOf("") == "error: unhandled error reached main: error tag 7\n");
    {
        Environment style("SX_TRACE", "json");
        CHECK(reportOf("") == "{\"error\":null,\"tag\":7,\"frames\":[],\"omitted\":0}\n");
    }
    CHECK(runInChild([] { sx_trace_report_unhandled(0, nullptr, 0); }).err ==
          "error: unhandled error reached main: error tag 0\n");
    CHECK(reportOf("A\x1b[2J") == "error: unhandled error reached main: error.A\\x1b[2J\n");
}

TEST_CASE("print shows nothing of nothing, and follows SX_TRACE") {
    CleanTrace clean;
    PlainEnvironment plain;
    auto print = [] { return runInChild([] { sx_trace_print(STDERR_FILENO); }).err; };
    CHECK(print().empty());
    Environment json("SX_TRACE", "json");
    CHECK(print().empty());
    Frame frame("main", "a.sx", 3, 5);
    sx_trace_raise(frame.value());
    CHECK(print() == "{\"error\":null,\"frames\":[{\"func\":\"main\",\"file\":\"a.sx\",\"line\":3,\"col\":5,"
                     "\"text\":\"\"}],\"omitted\":0}\n");
    Environment off("SX_TRACE", "off");
    CHECK(print().empty());
}

TEST_CASE("to_string, print and the reporter show the same text") {
    CleanTrace clean;
    PlainEnvironment plain;
    Frame frame("main", "a.sx", 3, 5, "try f();");
    sx_trace_raise(frame.value());
    std::string text(sx_trace_format(nullptr, 0, nullptr, nullptr), '\0');
    sx_trace_format(text.data(), text.size() + 1, nullptr, nullptr);
    CHECK(runInChild([] { sx_trace_print(STDERR_FILENO); }).err == text);
    CHECK(reportOf("E") == "error: unhandled error reached main: error.E\n" + text);
}

TEST_CASE("colour for terminals, unless the environment says otherwise") {
    CleanTrace clean;
    PlainEnvironment plain;
    Frame frame("main", "a.sx", 3, 5);
    sx_trace_raise(frame.value());
    const std::string bare = HEAD + "  main at a.sx:3:5\n";
    const std::string colored = HEAD + "  \x1b[1mmain\x1b[0m at a.sx:3:5\n";
    auto piped = [] { return runInChild([] { sx_trace_print(STDERR_FILENO); }).err; };
    CHECK(printToTerminal() == colored);
    CHECK(piped() == bare);
    {
        Environment always("SX_TRACE_COLOR", "always"), none("NO_COLOR", "1");
        CHECK(piped() == colored);
        CHECK(reportOf("E") == "\x1b[1;31merror:\x1b[0m unhandled error reached main: error.E\n" + colored);
    }
    {
        Environment never("SX_TRACE_COLOR", "never");
        CHECK(printToTerminal() == bare);
    }
    {
        Environment none("NO_COLOR", "1");
        CHECK(printToTerminal() == bare);
    }
    {
        Environment none("NO_COLOR", "");
        CHECK(printToTerminal() == colored);
    }
    {
        Environment dumb("TERM", "dumb");
        CHECK(printToTerminal() == bare);
    }
}

TEST_CASE("a closed descriptor breaks nothing, and errno is kept") {
    CleanTrace clean;
    Frame frame("main", "a.sx", 3, 5);
    sx_trace_raise(frame.value());
    Outcome outcome = runInChild([] {
        close(STDERR_FILENO);
        errno = 42;
        sx_trace_print(STDERR_FILENO);
        sx_trace_report_unhandled(1, "Bad", 3);
        sx_trace_print(-1);
        _exit(errno == 42 && sx_trace_chains() == 1 ? 9 : 1);
    });
    CHECK(WEXITSTATUS(outcome.status) == 9);
}

TEST_CASE("an empty environment is no trouble") {
    CleanTrace clean;
    Frame frame("main", "a.sx", 3, 5);
    sx_trace_raise(frame.value());
    Outcome outcome = runInChild([] {
        environ = nullptr;
        sx_trace_print(STDERR_FILENO);
    });
    CHECK(outcome.err == HEAD + "  main at a.sx:3:5\n");
}

namespace {

// A trace of some 150 KB, more than a pipe holds.
struct LongTrace {
    CleanTrace clean;
    PlainEnvironment plain;
    Frame frame{"f", "a.sx", 1, 1, std::string(5000, 'x')};
    std::string text;

    LongTrace() {
        for (int i = 0; i < 30; ++i) sx_trace_push(frame.value());
        text = render();
    }
};

// Prints into a pipe whose reader is slow, and returns what arrives.
std::string printToSlowReader(int flags, void (*whilePrinting)(pthread_t)) {
    int ends[2];
    REQUIRE(pipe2(ends, 0) == 0);
    fcntl(ends[1], F_SETFL, fcntl(ends[1], F_GETFL) | flags);
    pthread_t printer = pthread_self();
    std::string got;
    std::thread reader([&] {
        char buffer[1000];
        for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) {
            got.append(buffer, n);
            if (got.size() % 20000 < 1000) {
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                whilePrinting(printer);
            }
        }
    });
    sx_trace_print(ends[1]);
    close(ends[1]);
    reader.join();
    close(ends[0]);
    return got;
}

} // namespace

TEST_CASE("writes go on after EINTR and short writes") {
    LongTrace trace;
    struct sigaction action = {}, before;
    action.sa_handler = [](int) {}; // no SA_RESTART: write returns early
    sigaction(SIGUSR2, &action, &before);
    std::string got = printToSlowReader(0, [](pthread_t t) { pthread_kill(t, SIGUSR2); });
    sigaction(SIGUSR2, &before, nullptr);
    CHECK(got.size() == trace.text.size());
    CHECK((got == trace.text));
}

TEST_CASE("a descriptor that would block is waited for") {
    LongTrace trace;
    std::string got = printToSlowReader(O_NONBLOCK, [](pthread_t) {});
    CHECK(got.size() == trace.text.size());
    CHECK((got == trace.text));
}
