// What an error leaves in the trace: frames, hops, and the ties between errors (the runtime is runtime/src).
#pragma once

#include "lower/body/Body.h"
#include "lower/body/Failable.h"

namespace sx::lower {

void tracePush(Body&, Span at);
/// Begins the chain of an error; invalid `at`: without an origin frame.
void traceRaise(Body&, Span at, ValueId tag);
/// The hop of a failable operand, on the failing path.
void traceFailure(Body&, const Failable&, Span at);
/// An error leaves the outermost `count` of the handlers around here (traces.md 3).
void linkHandlers(Body&, size_t count);

/// … of every handler around here.
inline void linkCauses(Body& f) { linkHandlers(f, f.handlers.size()); }

} // namespace sx::lower
