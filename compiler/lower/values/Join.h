// Joins the values of several branches into one result (`if`, match, `catch`, `or`, blocks with several ways out).
//
// Branches are lowered first and left open at their ends; only when all are known is the common type decided
// (types.md 15) and each branch closed with its conversion and a jump to the join.
#pragma once

#include "lower/body/Body.h"

namespace sx::lower {

/// At the end of a block: what was known before it, without what it assigned. What it proved ends with it.
void keepKnown(llvm::SmallPtrSet<Symbol*, 4>& narrowed, const llvm::SmallPtrSet<Symbol*, 4>& before);

struct Join {
    struct Branch {
        Value value;
        BlockId end;              ///< open block in which the value is available
        Span at;                  ///< for a mismatch
        ir::Builder::Marks marks; ///< of a statement that is no more than a constant so far
    };

    explicit Join(Body& lowering, const ast::Expr* whole = nullptr)
        : l(lowering), mayYieldNothing(lowering.result.mayYieldNothing.contains(whole)),
          known(lowering.narrowing.present) {}

    /// Call at the end of a branch. A branch that does not get here (`reachable()` is false) takes no part.
    void add(const Value& v, Span at);

    /// The branches have no value: continues after all of them; unreachable code if none gets here.
    Value finishVoid();

    /// No branch so far has a value, and none needs one.
    bool yieldsNothing() const;

    /// Decides the common type; None after a report (or when nothing is known).
    TypeId decide(TypeId target);

    /// `target` as in lower(); `dest` is used only when the result has exactly that type.
    Value finish(TypeId target, ValueId dest, Span at);

    Value finishAs(TypeId type, ValueId dest);

    /// Where the tags of a joined error come from: every branch.
    ErrorNode* errorsOf(TypeId type);

    /// What a branch that gets here has assigned is not known to be present after it (types.md 11.5).
    void forget();

    Body& l;
    std::vector<Branch> branches;
    bool failed = false;
    bool mayYieldNothing; ///< either all branches have a value, or none has
    Span whole;
    llvm::SmallPtrSet<Symbol*, 4> known;    ///< optionals known to be present before the branches
    llvm::SmallPtrSet<Symbol*, 4> assigned; ///< those of them that are not any more
};

} // namespace sx::lower
