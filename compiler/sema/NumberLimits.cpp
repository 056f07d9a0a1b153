#include "sema/NumberLimits.h"

#include "sema/Declare.h"
#include "sema/Sema.h"
#include "sema/TypeResolver.h"
#include "types/Predicates.h"

#include <limits>

namespace sx::sema {

using namespace ast;

namespace {

template <typename F> std::optional<double> floatLimit(std::string_view accessor) {
    using limits = std::numeric_limits<F>;
    if (accessor == "max") return static_cast<double>(limits::max());
    if (accessor == "min") return -static_cast<double>(limits::max());
    if (accessor == "epsilon") return static_cast<double>(limits::epsilon());
    if (accessor == "min_positive") return static_cast<double>(limits::min());
    if (accessor == "true_min") return static_cast<double>(limits::denorm_min());
    if (accessor == "inf") return static_cast<double>(limits::infinity());
    if (accessor == "nan") return static_cast<double>(limits::quiet_NaN());
    return std::nullopt;
}

} // namespace

bool isLimitName(std::string_view accessor) { return floatLimit<double>(accessor).has_value(); }

std::optional<Value> numericLimit(const TypeTable& types, TypeId t, std::string_view accessor) {
    if (isFloat(types, t)) {
        std::optional<double> limit = t == TypeId::F32 ? floatLimit<float>(accessor) : floatLimit<double>(accessor);
        return limit ? std::optional(Value::ofConst(t, ConstValue::ofFloat(*limit))) : std::nullopt;
    }
    if (!isInteger(types, t) || (accessor != "min" && accessor != "max")) return std::nullopt;
    bool isSigned = types.isSigned(t);
    __int128 half = static_cast<__int128>(1) << (bitsOf(types, t) - 1);
    __int128 limit = accessor == "max" ? (isSigned ? half - 1 : 2 * half - 1) : (isSigned ? -half : 0);
    return Value::ofConst(t, ConstValue::ofInt(limit));
}

TypeId limitOwner(const Sema& sema, const Member& m) {
    const auto* base = llvm::dyn_cast<NameRef>(withoutParens(m.base));
    bool isBuiltin = base && !base->id.raw && !m.optional && !m.isIndex && isReservedTypeName(sema, base->id.name);
    return isBuiltin && isLimitName(sema.names.text(m.name.name)) ? builtinType(sema, base->id.name) : TypeId::None;
}

} // namespace sx::sema
