// The arms of a match: each is lowered in a scope of its own, and their values are joined.
#pragma once

#include "lower/values/Join.h"

namespace sx::lower {

class MatchArms {
public:
    /// The value of the match is asked for as in `lower`, unless `valueNeeded` is false.
    MatchArms(Body&, const ast::Match&, TypeId target, ValueId dest, bool valueNeeded);

    /// Lowers an arm where the builder stands. `bind` declares what its pattern binds, in the scope of the arm.
    void add(
        const ast::MatchArm&, llvm::function_ref<void()> bind = [] {});
    /// Where the builder stands no arm is taken, and the match goes on after it.
    void addNothing();
    /// An arm was rejected.
    void fail() { join_.failed = true; }
    bool failed() const { return join_.failed; }
    /// No arm so far comes to its end.
    bool allLeave() const { return join_.branches.empty(); }
    /// No arm so far has a value, and none needs one.
    bool yieldNothing() const { return join_.yieldsNothing(); }
    /// The value of the whole; the builder goes on after the match.
    Value finish();

private:
    Body& f_;
    const ast::Match& m_;
    TypeId target_;
    ValueId dest_;
    bool valueNeeded_;
    llvm::SmallPtrSet<Symbol*, 4> narrowedBefore_;
    Join join_;
};

/// The value of an arm's statements.
Value lowerArm(Body&, const ast::MatchArm&, TypeId target, ValueId dest, bool valueNeeded);

} // namespace sx::lower
