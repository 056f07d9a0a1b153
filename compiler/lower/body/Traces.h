// What an error leaves in the trace: frames, hops, and the ties between errors (the runtime is runtime/src).
#pragma once

#include "lower/body/Body.h"
#include "lower/body/Failable.h"

namespace sx::lower {

/// Adds a hop at `at` to the chain in flight.
void tracePush(Body&, Span at);
/// Begins the chain of an error. Where `at` is invalid it has no origin frame.
void traceRaise(Body&, Span at, ValueId tag);
/// Adds the hop of a failable operand, on its failing path.
void traceFailure(Body&, const Failable&, Span at);
/// Ties an error that leaves the outermost `count` of the handlers around here to the errors that they handle
/// (traces.md 3).
void linkHandlers(Body&, size_t count);

/// The same for an error that leaves every handler around here.
inline void linkCauses(Body& f) { linkHandlers(f, f.handlers.size()); }

} // namespace sx::lower
