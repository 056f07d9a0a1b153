#include "lower/body/Probe.h"

#include "ir/BuildControl.h"
#include "lower/body/Recursion.h"

#include "llvm/ADT/ScopeExit.h"

namespace sx::lower {

Value probe(Body& f, llvm::function_ref<Value()> lower) {
    auto restore = llvm::make_scope_exit([&f, block = f.b.block(), span = f.b.span(), scope = f.scope,
                                          present = f.narrowing.present, assigned = f.narrowing.reassigned.size(),
                                          lambdas = f.lambdaCount, marks = f.b.takeMarks()]() mutable {
        f.b.putMarks(std::move(marks));
        f.b.setBlock(block);
        f.b.setSpan(span);
        f.scope = scope;
        f.narrowing.present = present;
        f.narrowing.reassigned.resize(assigned);
        f.lambdaCount = lambdas;
    });
    f.b.setBlock(f.b.newBlock(true));
    Value v = lower();
    if (f.reachable()) emitUnreachable(f.b);
    return v;
}

Value probeExpr(Body& f, const ast::Expr* e, TypeId target) {
    return probe(f, [&] { return lowerUnmarked(f, e, target); });
}

} // namespace sx::lower
