#include "lower/body/Traces.h"

#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "lower/body/Body.h"
#include "lower/body/Failable.h"

namespace sx::lower {

using namespace ast;

void tracePush(Body& f, Span at) {
    ValueId frame = emitTraceFrame(f.b, at);
    f.b.emit(ir::Op::TracePush, TypeId::Void, {frame});
    if (f.sema.options.traceValues) ir::recordParameters(f.b, f.parameters);
}

void traceRaise(Body& f, Span at, ValueId tag) {
    ValueId frame = at.isValid() ? emitTraceFrame(f.b, at) : constInt(f.b, TypeId::U64, 0);
    f.b.emit(ir::Op::TraceRaise, TypeId::Void, {frame, tag});
    if (f.sema.options.traceValues && at.isValid()) ir::recordParameters(f.b, f.parameters);
}

void traceFailure(Body& f, const Failable& operand, Span at) {
    if (operand.isFresh) tracePush(f, at);
    else traceRaise(f, at, operand.tag);
}

/// From the inside outwards: each ties the newest group of chains to the one below.
void linkHandlers(Body& f, size_t count) {
    for (size_t h = count; h > 0; --h)
        f.b.emit(ir::Op::TraceLink, TypeId::Void, {}, static_cast<uint32_t>(f.handlers[h - 1].link));
}

} // namespace sx::lower
