// What is known of optionals at a place: which are proven present, and what ends that (types.md 11.5).
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// What a condition proves of optionals on its two sides.
struct Facts {
    llvm::SmallVector<Symbol*, 2> presentIfTrue, presentIfFalse;
    void forget(llvm::ArrayRef<Symbol*> assigned) {
        auto isAssigned = [&](Symbol* s) { return llvm::is_contained(assigned, s); };
        llvm::erase_if(presentIfTrue, isAssigned);
        llvm::erase_if(presentIfFalse, isAssigned);
    }
};

/// Adds the facts of one side to `narrowed`.
void narrow(Body&, const Facts&, bool ifTrue);
/// The local that an assignment to `target` changes; null: none by name.
Symbol* localTarget(Body&, const ast::Expr* target);
/// Ends the narrowing of the local that an assignment to `target` changes.
void endNarrowing(Body&, const ast::Expr* target);
/// Ends the narrowing of every variable that `reassigned` lists from that index on.
void forgetReassigned(Body&, size_t from);
/// Whether the name that an assignment goes to is known to be present.
bool isNarrowed(Body&, const ast::Expr* target);
/// Ends the narrowing of what a loop's body or condition assigns.
void forgetAssigned(Body&, const ast::Expr* repeated);

} // namespace sx::lower
