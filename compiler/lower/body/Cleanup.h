// The rules for cleanup bodies that other parts ask about.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Code of a cleanup in which a failable call must be absorbed on the spot, a pure one whose error is bound or tested
/// included (errors.md 9.1): in the top-level functions of the entry file and their lambdas.
bool mustAbsorb(const Body&);

/// Leaves the function with an error: frames already pushed. Runs defers and onfails, sets the error slot.
void emitErrorExit(Body&, ValueId tag);
/// Rejects a failable value that nothing marks (errors.md 8.1); `at`: the call.
Value rejectUnmarked(Body&, const Value&, Span at);
/// A pure failable used as an error value: drops the chain on the failing path.
Value errorOperand(Body&, const Value& failable);
/// Emits the pending cleanups from the innermost down to that depth; they stay registered.
void runCleanups(Body&, size_t downTo, bool errorExit, ValueId tag = ValueId::None);
void popCleanups(Body&, size_t downTo);
void registerCleanup(Body&, const ast::Stmt&);
/// Whether code after that place in the body assigns the variable, by its name.
bool isAssignedAfter(Body&, const Symbol*, Span);

} // namespace sx::lower
