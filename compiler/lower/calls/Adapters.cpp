// Small functions between signatures: plain functions behind closures, and methods behind dispatch tables.
#include "lower/body/Body.h"
#include "lower/body/Traces.h"
#include "lower/calls/FunctionValues.h"

namespace sx::sema {

using namespace lower;

namespace {

/// A compiler-made function of this machine signature. It counts as a line of what it calls: steppers pass through
/// functions that have no line, and what they call.
ir::FuncId newShell(Sema& sema, const std::string& name, const std::string& symbol, TypeId machine, bool hasContext,
                    Span target = {}) {
    ir::FuncId id = sema.newFunction(name, symbol);
    ir::Function& fn = sema.module.fn(id);
    const FunctionInfo& info = sema.types.functionInfo(machine);
    fn.params = info.params;
    fn.paramNames.assign(info.params.size(), Name::None);
    fn.result = info.result;
    fn.conv = info.conv;
    fn.hasContext = hasContext;
    fn.compilerMade = true;
    fn.span = target;
    return id;
}

/// Returns what `call` yields; it gets the place for a result that lives in memory.
void returnCall(ir::Builder& b, TypeId result, llvm::function_ref<ir::ValueId(ir::ValueId)> call) {
    TypeTable& types = b.module().types;
    if (types.isScalar(result)) {
        b.ret(call(ir::ValueId::None));
    } else if (result == TypeId::Void) {
        call(ir::ValueId::None);
        b.ret();
    } else {
        ir::ValueId place = b.slotAddr(b.newSlot(result));
        call(place);
        b.ret(place);
    }
}

ir::ValueId callOrInto(ir::Builder& b, ir::FuncId f, llvm::ArrayRef<ir::ValueId> args, ir::ValueId place) {
    if (place == ir::ValueId::None) return b.call(f, args);
    b.callInto(f, place, args);
    return ir::ValueId::None;
}

/// The closure type that an adapter without a change of the result serves.
TypeId unwidened(Sema& sema, TypeId functionType, TypeId closureType) {
    return sema.types.closure(sema.types.functionInfo(closureType).params,
                              sema.types.functionInfo(functionType).result);
}

} // namespace

ir::FuncId Sema::closureAdapter(ir::FuncId target, TypeId functionType, TypeId closureType) {
    auto [it, isNew] = adapters.try_emplace({static_cast<uint32_t>(target), closureType}, ir::FuncId::None);
    if (!isNew) return it->second;
    if (canWiden(types, functionType, closureType)) {
        TypeId plain = unwidened(*this, functionType, closureType);
        return it->second =
                   wideningAdapter(*this, closureAdapter(target, functionType, plain), plain, closureType, true);
    }
    TypeId machine = machineType(closureType, true);
    const std::string name = module.fn(target).name;
    ir::FuncId id = it->second =
        newShell(*this, name, name + ".closure", machine, hasContext(), module.fn(target).span);
    ir::Builder b(module, module.fn(id));
    uint32_t env = hasContext() ? 1 : 0;
    llvm::SmallVector<ir::ValueId, 8> args;
    for (uint32_t i = 0; i < types.functionInfo(machine).params.size(); ++i) {
        bool isHiddenFromTarget = i == env || (i < env && !module.fn(target).hasContext);
        if (!isHiddenFromTarget) args.push_back(b.param(i));
    }
    returnCall(b, types.functionInfo(machine).result,
               [&](ir::ValueId place) { return callOrInto(b, target, args, place); });
    return id;
}

ir::FuncId Sema::pointerAdapter(TypeId functionType, TypeId closureType) {
    constexpr uint32_t NoFunction = UINT32_MAX; // the code is in the environment word; the type tells its signature
    auto [it, isNew] =
        adapters.try_emplace({NoFunction - static_cast<uint32_t>(functionType), closureType}, ir::FuncId::None);
    if (!isNew) return it->second;
    if (canWiden(types, functionType, closureType)) {
        TypeId plain = unwidened(*this, functionType, closureType);
        return it->second = wideningAdapter(*this, pointerAdapter(functionType, plain), plain, closureType, true);
    }
    TypeId machine = machineType(closureType, true), target = machineType(functionType, false);
    ir::FuncId id = it->second = newShell(*this, "adapter", "adapter", machine, hasContext());
    ir::Builder b(module, module.fn(id));
    uint32_t env = hasContext() ? 1 : 0;
    bool passesContext = hasContext() && types.functionInfo(functionType).conv == CallConv::Sx;
    ir::ValueId code = b.param(env);
    llvm::SmallVector<ir::ValueId, 8> args;
    for (uint32_t i = 0; i < types.functionInfo(machine).params.size(); ++i)
        if (i > env || (i < env && passesContext)) args.push_back(b.param(i));
    returnCall(b, types.functionInfo(machine).result,
               [&](ir::ValueId place) { return b.callIndirect(code, target, args, place); });
    return id;
}

ir::FuncId Sema::slotCode(FunctionInstance& method, TypeId concrete) {
    ir::FuncId target = funcFor(method);
    bool takesValue = !method.params.empty() && canonical(method.params.front().type) == canonical(concrete);
    if (!takesValue) return target;
    auto [it, isNew] = adapters.try_emplace({static_cast<uint32_t>(target), concrete}, ir::FuncId::None);
    if (!isNew) return it->second;
    // The word in a slot is the address of the object; an aggregate is passed as such an address anyway.
    llvm::SmallVector<TypeId, 8> params;
    if (hasContext()) params.push_back(types.pointerTo(contextType));
    params.push_back(types.pointerTo(TypeId::Void));
    llvm::ArrayRef<TypeId> own = types.functionInfo(method.type).params;
    params.append(own.begin() + 1, own.end());
    TypeId machine = types.function(params, module.fn(target).result);
    ir::FuncId id = it->second =
        newShell(*this, method.name, method.name + ".slot", machine, hasContext(), module.fn(target).span);
    ir::Builder b(module, module.fn(id));
    uint32_t self = hasContext() ? 1 : 0;
    llvm::SmallVector<ir::ValueId, 8> args;
    for (uint32_t i = 0; i < params.size(); ++i) {
        bool isHiddenFromTarget = i < self && !module.fn(target).hasContext;
        if (isHiddenFromTarget) continue;
        bool loads = i == self && types.isScalar(own.front());
        args.push_back(loads ? b.load(own.front(), b.param(i)) : b.param(i));
    }
    returnCall(b, types.functionInfo(machine).result,
               [&](ir::ValueId place) { return callOrInto(b, target, args, place); });
    return id;
}

} // namespace sx::sema
