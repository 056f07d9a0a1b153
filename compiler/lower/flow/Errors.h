// raise, try, catch: leaving with an error and stopping one (errors.md 3, 4, 6; frames: traces.md 3).
#pragma once

#include "lower/body/Body.h"
#include "lower/body/Failable.h"

namespace sx::lower {

void lowerRaise(Body&, const ast::RaiseStmt&);
Value lowerCatch(Body&, const ast::Catch&, TypeId target, ValueId dest);
Failable lowerFailable(Body&, const ast::Expr*, TypeId target);
/// The value slots, valid where the tag is 0.
Value successOf(Body&, const Failable&);
/// Branches on `f`. `onError` emits the failing path (in a cold block) and returns its value, or diverges;
/// the result is the success value joined with it.
Value branchOnFailure(Body&, const Failable&, ValueId dest, Span at, llvm::function_ref<Value()> onError);
/// Records that errors of this kind leave the function here; checks them against its named set.
void noteEscaping(Body&, TypeId set, ErrorNode* errors, Span at);
void noteTag(Body&, const ast::ErrorTag&);
bool requireFailableFunction(Body&, Span at, std::string_view what);

} // namespace sx::lower
