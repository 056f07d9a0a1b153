// Error variables that carry their trace (traces.md 3): which local variables do, and where the trace of each is kept.
//
// A variable carries its trace if its value may reach a `raise` or a `return` of its function. It then has a hidden
// snapshot, filled on the failing path only. A snapshot means something only while its variable holds an error, so a
// success clears nothing, and a value that may be no error is tested before its snapshot is copied.
//
// Whoever declares a variable says so with `declareErrorVariable`, and whoever stores a value in it keeps or forgets
// the trace of that. A store through a pointer cannot: a variable whose address is taken begins with an empty snapshot
// (one store), and raising it compares the error that it holds with that of the snapshot.
//
// A variable may hold the error of a `catch` handler, which is still in flight while the handler runs: raising it there
// goes on with that path instead of a copy. What it holds is known while running only (`if c { kept = e; }`), and a
// handler that runs again has another error. So the runtime is asked: a snapshot knows the chain that it is a copy of.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// Finds out which variables carry their trace. Once, before the body is lowered.
void findErrorVariables(Body&, const ast::Expr* body);

/// An error set, or an optional of one.
bool isErrorOrOptional(const TypeTable&, TypeId);

/// A variable of the program is declared: from here on it carries the trace of what is stored in it, if it is to. What
/// it holds now is no error, or is told next. Returns it.
Symbol* declareErrorVariable(Body&, Symbol*);

bool carriesTrace(const Body&, const Symbol*);

/// An operand of this `??` is a variable that may leave the function, or a handler's binding.
bool mayCarryTrace(const Body&, const ast::Binary& coalesce);

/// A variable without a name, for an error on its way to one that carries its trace (None: to nothing).
Symbol* newErrorCarrier(Body&, Name variable);

/// On the failing path of a call whose error ends here: adds the hop at `at` and keeps the trace for `variable`, if
/// that carries one (may be null), then drops the chain.
void endFailure(Body&, ir::ValueId tag, Symbol* variable, Span at);

/// Where an error value that was there before is taken apart into `variable`: if that carries its trace, it begins at
/// `at`.
void beginAndKeep(Body&, ir::ValueId tag, Symbol* variable, Span at);

/// The trace of `value`, an error or an optional of one, becomes that of `variable`, if that carries one.
void keepTrace(Body&, Symbol* variable, const Value& value);

/// The variable or binding whose trace an error value has; null: none.
Symbol* traceSource(const Body&, const Value&);

/// The failing path of `raise v` and `return v`: `tag` is the error in `v`. Goes on with the path that `v` has, or
/// begins one, and ties it to the errors of the handlers that it leaves; `leave` ends the function, and may be called
/// for several ways there.
void continueTrace(Body&, const Value& v, ir::ValueId tag, Span at, llvm::function_ref<void()> leave);

/// If `value` has branches and goes to a variable that carries its trace, its ends are captured for `carrier` (null: a
/// new one). Returns the carrier; null: there is nothing to capture.
Symbol* markErrorEnds(Body&, Name variable, const ast::Expr* value, Symbol* carrier);

/// The value of such an end.
Value captureEnd(Body&, const Value&, Symbol* carrier, Span at);

/// A new variable takes over what was captured for it: instead of declareErrorVariable.
void adoptCarrier(Symbol& variable, const Symbol& carrier);

/// Stores a value in a variable, which lies at `place`: for an expression about another body (Place.h) its symbol does
/// not know. `captured`: the ends of its branches have filled the snapshot.
void storeErrorVariable(Body&, Symbol*, ir::ValueId place, const Value&, const ast::Expr* at, bool captured);
void noteVariableErrors(Body&, Symbol*, const Value&);
/// The tags that an error value may be.
void addErrors(Body&, ErrorNode&, const Value&);

} // namespace sx::lower
