// What messages add about other places: which argument or field it was, where it is declared, what there is to choose
// from.
#pragma once

#include "sema/Lowering.h"

#include <string>

namespace sx::sema {

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
Value lowerWithPurpose(FunctionLowering&, const ast::Expr*, TypeId, ValueId dest, llvm::function_ref<Purpose()> why);

/// "this is a `string`".
std::string whatItIs(FunctionLowering&, const Value&);

/// Where a field, variant, union member or error tag of a type is declared; invalid: not by itself.
Span memberSpan(Sema&, TypeId, Name);
/// A note at the declaration of a nominal type. `offers`: with the names of its fields, variants or tags, if they are
/// few.
void noteType(Sema&, Diagnostic&, TypeId, bool offers = false);
/// A note at the declaration of a function.
void noteFunction(Diagnostic&, const FunctionTemplate&);
/// Tells of the errors after the first `before` diagnostics which instance of a generic body they are in.
void noteInstance(FunctionLowering&, size_t before);
/// Adds to the errors about a value after the first `before` diagnostics that it is several results at once. Of a
/// variable that holds them, that is its mistake: later uses are silent.
void explainResults(FunctionLowering&, size_t before, const Value&);
/// `list := List(i64);` makes a variable of a type. Where it is used like a value of that type, the declaration is the
/// mistake: it is reported there, and later uses are silent. False: the value is no such variable.
bool rejectTypeVariable(FunctionLowering&, const Value&);
/// A help with the nearest of the candidates, if there is one near enough. `prefix` is put in front of it. False: none.
bool suggest(Diagnostic&, std::string_view name, llvm::ArrayRef<std::string_view> candidates,
             std::string_view prefix = {});

/// What stands here for a name that people bring along from another language; "": it is none of them.
std::string_view foreignType(std::string_view name);
std::string_view foreignValue(std::string_view name);
std::string_view foreignMember(std::string_view name);

/// An error has been reported at a place inside `span`: what follows from it is not said again.
bool rejectedWithin(const Diagnostics&, Span);

/// Code whose result nobody wants, because what it belongs to was rejected: checked for errors of its own, thrown away.
void checkAside(FunctionLowering&, llvm::function_ref<void()> lower);
/// The same for an expression, unless it has no meaning without the type that the rejected part would have given.
void checkOrphan(FunctionLowering&, const ast::Expr*);

/// The function being lowered, as messages call it: "`f`", "this lambda".
std::string functionTitle(const FunctionLowering&);

/// Whether an expression has no meaning without the type that is expected of it: `.a`, `.{ … }`, `---`, `(x) => x`.
bool needsTarget(const ast::Expr*);

} // namespace sx::sema
