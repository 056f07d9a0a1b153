// What messages add about other places: which argument or field it was, where it is declared, what there is to choose
// from.
#pragma once

#include "lower/body/Body.h"

#include <string>

namespace sx::lower {

/// What a value that does not fit was for.
struct Purpose {
    std::string subject;  ///< in front of the message: "argument 2 of `f`, `b`"
    Span value;           ///< where the value stands
    std::string actual;   ///< what it is, for the note there
    Span declaration;     ///< of the parameter, field or variable; invalid: none
    std::string declared; ///< for the note there
};

/// Adds a purpose to the errors reported after the first `before` diagnostics. One that knows its purpose keeps it.
void explain(Diagnostics&, size_t before, const Purpose&);

/// `lowerTo` for a value with a purpose.
Value lowerWithPurpose(Body&, const ast::Expr*, TypeId, ValueId dest, llvm::function_ref<Purpose()> why);

/// What a value is, as a note says it: "this is a `string`".
std::string describeValue(Body&, const Value&);

/// Tells of the errors after the first `before` diagnostics which instance of a generic body they are in.
void noteInstance(Body&, size_t before);
/// Adds to the errors about a value after the first `before` diagnostics that it is several results at once. Of a
/// variable that holds them, that is its mistake: later uses are silent.
void explainResults(Body&, size_t before, const Value&);
/// `list := List(i64);` makes a variable of a type. Where it is used like a value of that type, the declaration is the
/// mistake: it is reported there, and later uses are silent. False: the value is no such variable.
bool rejectTypeVariable(Body&, const Value&);

/// Checks code for errors of its own and discards what it emits, because the construct that it belongs to was rejected.
void checkDiscarded(Body&, llvm::function_ref<void()> lower);
/// The same for an expression, unless it has no meaning without the type that the rejected part would have given.
void checkDiscarded(Body&, const ast::Expr*);

/// The function being lowered, as messages call it: "`f`", "this lambda".
std::string functionTitle(const Body&);

/// Whether an expression has no meaning without the type that is expected of it: `.a`, `.{ … }`, `---`, `(x) => x`.
bool needsTarget(const ast::Expr*);

} // namespace sx::lower
