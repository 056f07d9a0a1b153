// Ids that the client holds, each of a frame or of something with children. They are good until the program goes on,
// and never used twice, so a stale one is recognised.
#pragma once

#include "debugger/engine/Engine.h"
#include "debugger/inspect/Values.h"

#include <map>
#include <memory>
#include <set>
#include <string>

namespace sx::debugger {

struct FrameHandle {
    ThreadId thread = 0;
    uint32_t index = 0; ///< of the live frame; UINT32_MAX: a line of the error return trace
    Frame frame;
};

/// Where a `goto` has led in a frame, past declarations (Jumps.h).
struct Jump {
    ThreadId thread = 0;
    uint64_t frame = 0; ///< the address of the frame
    ir::FuncId func = ir::FuncId::None;
    ir::ValueId to = ir::ValueId::None;
    std::set<ir::SlotId> passed; ///< variables that had no value there
};

/// Where the trace of an error variable is.
struct TracePlace {
    uint64_t snapshot = 0; ///< the address of the copy that it keeps; 0: its error is in flight
    ThreadId thread = 0;   ///< in which it is
    uint32_t below = 0;    ///< and so many groups of errors newer than it
};

/// What a variablesReference stands for.
struct VariablesHandle {
    enum class Kind : uint8_t { Locals, Captures, Globals, Registers, Trace, Value } kind{};
    uint32_t frameId = 0;   ///< of Value: in which it was asked for; 0: in none
    Datum datum;            ///< Value
    std::string expression; ///< Value: an sx expression for it; empty: none
    /// Value: of an error that carries a trace, where that lies; Trace: the same, instead of all that is in flight.
    std::optional<TracePlace> trace;
};

class Handles {
public:
    uint32_t addFrame(FrameHandle h) {
        frames_[next_] = std::move(h);
        return next_++;
    }
    uint32_t addVariables(VariablesHandle h) {
        variables_[next_] = std::move(h);
        return next_++;
    }
    /// Null: it was never given out, or the program has gone on since.
    const FrameHandle* frame(uint32_t id) const { return find(frames_, id); }
    const VariablesHandle* variables(uint32_t id) const { return find(variables_, id); }
    uint32_t addTarget(CodePoint p) {
        targets_[next_] = p;
        return next_++;
    }
    const CodePoint* target(uint32_t id) const { return find(targets_, id); }
    uint32_t addStepTarget(const StepTarget& t) {
        stepTargets_[next_] = t;
        return next_++;
    }
    const StepTarget* stepTarget(uint32_t id) const { return find(stepTargets_, id); }
    void clear() {
        stepTargets_.clear();
        targets_.clear();
        frames_.clear();
        variables_.clear();
    }

private:
    template <typename T> static const T* find(const std::map<uint32_t, T>& all, uint32_t id) {
        auto it = all.find(id);
        return it == all.end() ? nullptr : &it->second;
    }
    std::map<uint32_t, FrameHandle> frames_;
    std::map<uint32_t, VariablesHandle> variables_;
    std::map<uint32_t, CodePoint> targets_;
    std::map<uint32_t, StepTarget> stepTargets_;
    uint32_t next_ = 1;
};

} // namespace sx::debugger
