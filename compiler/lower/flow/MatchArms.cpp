#include "lower/flow/MatchArms.h"

#include "lower/body/Cleanup.h"
#include "lower/body/Recursion.h"
#include "lower/body/Scopes.h"
#include "lower/body/Storage.h"
#include "lower/body/VoidValues.h"
#include "lower/flow/ControlFlow.h"
#include "types/Predicates.h"

namespace sx::lower {

using namespace ast;

MatchArms::MatchArms(Body& f, const Match& m, TypeId target, ValueId dest, bool valueNeeded)
    : f_(f), m_(m), target_(target), dest_(dest), valueNeeded_(valueNeeded), narrowedBefore_(f.narrowing.present),
      join_(f, &m) {}

void MatchArms::add(const MatchArm& arm, llvm::function_ref<void()> bind) {
    f_.narrowing.present = narrowedBefore_;
    Scope* saved = pushScope(f_, arm.span);
    bind();
    Value v = lowerArm(f_, arm, target_, dest_, valueNeeded_);
    Span at = arm.bodySpan.isValid() ? arm.bodySpan : arm.span;
    if (!addBranch(f_, join_, v, at, valueNeeded_))
        f_.diags.error(at, "this arm yields no value, and the match is used as one")
            .help("end the arm with a value, or leave with `return`, `break` or `continue`");
    popScope(f_, saved);
}

void MatchArms::addNothing() {
    f_.narrowing.present = narrowedBefore_;
    join_.add(Value::none(), m_.span);
}

Value MatchArms::finish() {
    f_.narrowing.present = narrowedBefore_;
    f_.b.setSpan(m_.span);
    return valueNeeded_ ? join_.finish(target_, dest_, m_.span) : join_.finishVoid();
}

Value lowerArm(Body& f, const MatchArm& arm, TypeId target, ValueId dest, bool valueNeeded) {
    if (arm.emptyBreak || arm.body.empty()) return Value::none();
    size_t cleanupDepth = f.cleanups.stack.size();
    auto narrowedBefore = f.narrowing.present;
    Value v;
    // One braced block is an ordinary block; otherwise the statements' last expression counts even with its `;`.
    const auto* only = arm.body.size() == 1 ? llvm::dyn_cast<ExprStmt>(arm.body[0]) : nullptr;
    if (only && llvm::isa<BlockExpr>(only->expr))
        v = lowerBlock(f, *llvm::cast<BlockExpr>(only->expr), target, dest, valueNeeded);
    else v = lowerStmtsValue(f, arm.body, target, dest, valueNeeded, true);
    if (f.reachable() && f.cleanups.stack.size() > cleanupDepth) {
        if (!v.isError() && !v.isVoid() && isScalar(f.types, v.type) && !v.isConst())
            v = Value::scalar(v.type, scalar(f, v));
        runCleanups(f, cleanupDepth, false);
    }
    popCleanups(f, cleanupDepth);
    keepKnown(f.narrowing.present, narrowedBefore);
    return v;
}

} // namespace sx::lower
