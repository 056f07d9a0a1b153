// Error return traces of interpreted code: packed frames, and what turns them into places.
#pragma once

#include "ir/Ir.h"

#include "sx/trace.h"

#include <unordered_map>

namespace sx::vm {

static_assert(sizeof(sx_trace_snapshot) <= ir::TraceSnapshotBytes);
static_assert(offsetof(sx_trace_snapshot, trace.stack) == ir::TraceSnapshotStack);

class Program;

class Traces {
public:
    explicit Traces(Program&);

    /// False for a frame that is none. What `out` points to lives as long as the program.
    bool resolve(uint64_t frame, sx_frame& out);
    /// The name of the tag `error`; false where there is none. It lives as long as the program.
    bool name(uint64_t error, sx_string& out) const;
    /// The op: an unknown frame becomes an empty one.
    void write(sx_frame* out, uint64_t frame);
    const sx_trace_resolver* resolver() const { return &resolver_; }

    /// What is in flight, rendered.
    std::string render();

private:
    sx_string keep(std::string_view text);

    Program& program_;
    sx_trace_resolver resolver_;
    std::unordered_map<uint64_t, sx_frame> frames_;
    std::unordered_map<std::string, sx_string> texts_;
};

/// While it lives, the thread's trace is an empty one of its own, resolved as interpreted frames.
class TraceScope {
public:
    explicit TraceScope(const Traces&);
    ~TraceScope();
    TraceScope(const TraceScope&) = delete;

private:
    sx_trace_state state_{};
    const sx_trace_resolver* resolver_;
};

} // namespace sx::vm
