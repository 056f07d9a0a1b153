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
        // Questions ask for scopes and variables when everything is lowered.
        bool areAsked = sema_.options.keepScopes || sema_.options.keepUses || sema_.journal;
        auto locals = areAsked ? nullptr : std::make_unique<Locals>();
        bool isRight = false;
        {
            Body body(sema_, fn, *inst.tmpl->file, inst.paramScope, &inst, locals.get());
            isRight = lowerFunction(body);
        }
        if (locals && locals->areKept()) kept_.push_back(std::move(locals));
        return isRight;
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
    std::vector<std::unique_ptr<Locals>> kept_; ///< that what lives as long as the analysis refers to
};

} // namespace

std::unique_ptr<Bodies> makeBodies(Sema& sema) { return std::make_unique<LoweredBodies>(sema); }

} // namespace sx::lower
