// What the analysis of declarations asks of bodies, by the functions of this stage.
#include "lower/Lower.h"

#include "lower/ConstantBodies.h"
#include "lower/Entry.h"
#include "lower/FunctionBodies.h"
#include "lower/body/Body.h"
#include "lower/body/ComptimeCode.h"
#include "lower/body/Probe.h"
#include "lower/body/Recursion.h"

namespace sx::lower {

namespace {

class LoweredBodies final : public Bodies {
public:
    explicit LoweredBodies(Sema& sema) : sema_(sema) {}

    bool lower(FunctionInstance& inst, ir::Function& fn) override {
        Body body(sema_, fn, *inst.tmpl->file, inst.paramScope, &inst);
        return lowerFunction(body);
    }

    std::optional<Value> evaluateConstant(const ast::Expr* e, TypeId target, Scope* scope, uint32_t limit,
                                          SourceFile* file, bool isRun) override {
        return lower::evaluateConstant(sema_, e, target, scope, limit, file, isRun);
    }

    std::optional<__int128> evaluateCount(const ast::Expr* e, Scope* scope, uint32_t limit, SourceFile* file) override {
        return lower::evaluateCount(sema_, e, scope, limit, file);
    }

    void buildEntry() override { lower::buildEntry(sema_); }

    Scope* scopeOf(const Body& f) const override { return f.scope; }

    Value typeValue(Body& f, const ast::Expr* e) override {
        Value v = probeExpr(f, e, TypeId::Type);
        bool isKnown = v.isError() || v.isTypeName() || v.isConst() || v.type != TypeId::Type;
        if (isKnown || needsRunTime(f, e)) return v;
        TypeId built = buildType(f, e);
        return built == TypeId::None ? Value::error() : Value::ofType(built);
    }

private:
    Sema& sema_;
};

} // namespace

std::unique_ptr<Bodies> makeBodies(Sema& sema) { return std::make_unique<LoweredBodies>(sema); }

} // namespace sx::lower
