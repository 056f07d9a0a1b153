// What the runtime's tests share: frames, the trace as text, output captured from a child.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sx/trace.h"

// The first line of every report.
inline const std::string HEAD = "error return trace (most recent call last):\n";

// Every test begins with nothing in flight and leaves nothing behind.
struct CleanTrace {
    CleanTrace() { sx_trace_clear(); }
    ~CleanTrace() { sx_trace_clear(); }
};

// A view of a string that outlives it.
inline sx_string str(const std::string& text) { return {text.data(), static_cast<int64_t>(text.size())}; }

// Texts and frame in one object: its address is a frame value.
class Frame {
public:
    Frame(std::string func, std::string file, int32_t line, int32_t col, std::string text = "");
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    uint64_t value() const { return reinterpret_cast<uint64_t>(&frame); }

    sx_frame frame;

private:
    std::string file_, func_, text_;
};

// The frames in flight, oldest first, and those of one chain.
std::vector<uint64_t> framesInFlight();
std::vector<uint64_t> framesOfChain(uint32_t chain);
sx_trace_chain chainAt(uint32_t chain);

// Raises `first` and pushes `first` + 1, ... : `count` frames in all.
void raiseChain(uint64_t first, uint64_t count);

// sx_trace_format of what is in flight.
std::string render(uint32_t style = SX_TRACE_STYLE_TEXT, bool color = false);

// Sets a variable of the environment, or unsets it, while it lives.
class Environment {
public:
    Environment(const char* name, const char* value);
    ~Environment();

private:
    std::string name_, before_;
    bool wasSet_;
};

struct Outcome {
    std::string err; // what it wrote to stderr
    int status;      // as waitpid gives it
};

// Runs `body` in a child process with stderr going to a pipe; the child exits 0 after it.
Outcome runInChild(const std::function<void()>& body);
