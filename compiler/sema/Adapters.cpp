// Adapters between signatures: a plain function called as a closure, a method called through a dispatch table.
#include "sema/Adapters.h"

#include "ir/BuildCalls.h"
#include "ir/BuildConstants.h"
#include "ir/BuildControl.h"
#include "ir/BuildMemory.h"
#include "sema/Functions.h"
#include "sema/TypeResolver.h"
#include "types/Derived.h"
#include "types/Failable.h"
#include "types/Layout.h"
#include "types/Predicates.h"

namespace sx::sema {

namespace {

TypeId withoutError(const TypeTable& types, TypeId result) {
    // Const: the success type of a failable that exists has been made when its signature was read.
    return successType(const_cast<TypeTable&>(types), result);
}

/// A compiler-made function of this machine signature. It counts as a line of what it calls: steppers pass through
/// functions that have no line, and what they call.
ir::FuncId newShell(Sema& sema, const std::string& name, const std::string& symbol, TypeId machine, bool hasContext,
                    Span target = {}) {
    ir::FuncId id = newFunction(sema, name, symbol);
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
    if (isScalar(types, result)) {
        emitRet(b, call(ir::ValueId::None));
    } else if (result == TypeId::Void) {
        call(ir::ValueId::None);
        emitRet(b);
    } else {
        ir::ValueId place = slotAddr(b, b.newSlot(result));
        call(place);
        emitRet(b, place);
    }
}

ir::ValueId callOrInto(ir::Builder& b, ir::FuncId f, llvm::ArrayRef<ir::ValueId> args, ir::ValueId place) {
    if (place == ir::ValueId::None) return emitCall(b, f, args);
    emitCallInto(b, f, place, args);
    return ir::ValueId::None;
}

/// The closure type that an adapter without a change of the result serves.
TypeId unwidened(Sema& sema, TypeId functionType, TypeId closureType) {
    return closureTypeOf(sema.types, sema.types.functionInfo(closureType).params,
                         sema.types.functionInfo(functionType).result);
}

} // namespace

/// Returns the result of a call that cannot fail as that of one that can: the value, and no error.
void returnWithoutError(ir::Builder& b, TypeId success, TypeId failable,
                        llvm::function_ref<ir::ValueId(ir::ValueId)> call) {
    TypeTable& types = b.module().types;
    TypeId set = errorSetOf(types, failable);
    if (success == TypeId::Void || success == TypeId::NoReturn) {
        call(ir::ValueId::None);
        emitRet(b, constInt(b, set, 0));
        return;
    }
    // The value slots come first, at the same offsets as without the error.
    ir::ValueId place = slotAddr(b, b.newSlot(failable));
    if (isScalar(types, success)) emitStore(b, place, call(ir::ValueId::None));
    else call(place);
    unsigned tag = static_cast<unsigned>(types.tupleFields(failable).size() - 1);
    emitStore(b, emitOffset(b, place, fieldOffset(types, failable, tag), pointerTo(types, set)), constInt(b, set, 0));
    emitRet(b, place);
}

ir::Function& newAdapter(Sema& sema, TypeId to, bool hasEnv, ir::FuncId& id) {
    std::string name = "adapter";
    id = newFunction(sema, name, name);
    ir::Function& fn = sema.module.fn(id);
    const FunctionInfo& info = sema.types.functionInfo(to);
    fn.params = sema.types.functionInfo(machineType(sema, to, hasEnv)).params;
    fn.paramNames.assign(fn.params.size(), Name::None);
    fn.result = info.result;
    fn.conv = info.conv;
    fn.hasContext = fn.params.size() > info.params.size() + (hasEnv ? 1 : 0);
    fn.compilerMade = true;
    return fn;
}

ir::FuncId wideningAdapter(Sema& sema, ir::FuncId target, TypeId from, TypeId to, bool hasEnv) {
    ir::FuncId id = ir::FuncId::None;
    ir::Function& fn = newAdapter(sema, to, hasEnv, id);
    fn.span = sema.module.fn(target).span;
    ir::Builder b(sema.module, fn);
    llvm::SmallVector<ir::ValueId, 8> args;
    for (uint32_t i = 0; i < fn.params.size(); ++i) args.push_back(b.param(i));
    returnWithoutError(b, sema.types.functionInfo(from).result, fn.result, [&](ir::ValueId place) {
        if (place == ir::ValueId::None) return emitCall(b, target, args);
        emitCallInto(b, target, place, args);
        return ir::ValueId::None;
    });
    return id;
}

bool canWiden(const TypeTable& types, TypeId from, TypeId to) {
    const FunctionInfo& source = types.functionInfo(from);
    const FunctionInfo& target = types.functionInfo(to);
    if (source.params != target.params || isFailable(types, source.result)) return false;
    return isFailable(types, target.result) && withoutError(types, target.result) == source.result;
}

ir::FuncId closureAdapter(Sema& sema, ir::FuncId target, TypeId functionType, TypeId closureType) {
    auto [it, isNew] =
        sema.instances.adapters.try_emplace({static_cast<uint32_t>(target), closureType}, ir::FuncId::None);
    if (!isNew) return it->second;
    if (canWiden(sema.types, functionType, closureType)) {
        TypeId plain = unwidened(sema, functionType, closureType);
        return it->second =
                   wideningAdapter(sema, closureAdapter(sema, target, functionType, plain), plain, closureType, true);
    }
    TypeId machine = machineType(sema, closureType, true);
    const std::string name = sema.module.fn(target).name;
    ir::FuncId id = it->second =
        newShell(sema, name, name + ".closure", machine, sema.hasContext(), sema.module.fn(target).span);
    ir::Builder b(sema.module, sema.module.fn(id));
    uint32_t env = sema.hasContext() ? 1 : 0;
    llvm::SmallVector<ir::ValueId, 8> args;
    for (uint32_t i = 0; i < sema.types.functionInfo(machine).params.size(); ++i) {
        bool isHiddenFromTarget = i == env || (i < env && !sema.module.fn(target).hasContext);
        if (!isHiddenFromTarget) args.push_back(b.param(i));
    }
    returnCall(b, sema.types.functionInfo(machine).result,
               [&](ir::ValueId place) { return callOrInto(b, target, args, place); });
    return id;
}

ir::FuncId pointerAdapter(Sema& sema, TypeId functionType, TypeId closureType) {
    constexpr uint32_t NoFunction = UINT32_MAX; // the code is in the environment word; the type tells its signature
    auto [it, isNew] = sema.instances.adapters.try_emplace(
        {NoFunction - static_cast<uint32_t>(functionType), closureType}, ir::FuncId::None);
    if (!isNew) return it->second;
    if (canWiden(sema.types, functionType, closureType)) {
        TypeId plain = unwidened(sema, functionType, closureType);
        return it->second = wideningAdapter(sema, pointerAdapter(sema, functionType, plain), plain, closureType, true);
    }
    TypeId machine = machineType(sema, closureType, true), target = machineType(sema, functionType, false);
    ir::FuncId id = it->second = newShell(sema, "adapter", "adapter", machine, sema.hasContext());
    ir::Builder b(sema.module, sema.module.fn(id));
    uint32_t env = sema.hasContext() ? 1 : 0;
    bool passesContext = sema.hasContext() && sema.types.functionInfo(functionType).conv == CallConv::Sx;
    ir::ValueId code = b.param(env);
    llvm::SmallVector<ir::ValueId, 8> args;
    for (uint32_t i = 0; i < sema.types.functionInfo(machine).params.size(); ++i)
        if (i > env || (i < env && passesContext)) args.push_back(b.param(i));
    returnCall(b, sema.types.functionInfo(machine).result,
               [&](ir::ValueId place) { return emitCallIndirect(b, code, target, args, place); });
    return id;
}

ir::FuncId slotCode(Sema& sema, FunctionInstance& method, TypeId concrete) {
    ir::FuncId target = funcFor(sema, method);
    bool takesValue =
        !method.params.empty() && canonical(sema, method.params.front().type) == canonical(sema, concrete);
    if (!takesValue) return target;
    auto [it, isNew] = sema.instances.adapters.try_emplace({static_cast<uint32_t>(target), concrete}, ir::FuncId::None);
    if (!isNew) return it->second;
    // The word in a slot is the address of the object; an aggregate is passed as such an address anyway.
    llvm::SmallVector<TypeId, 8> params;
    if (sema.hasContext()) params.push_back(pointerTo(sema.types, sema.contextType));
    params.push_back(pointerTo(sema.types, TypeId::Void));
    llvm::ArrayRef<TypeId> own = sema.types.functionInfo(method.type).params;
    params.append(own.begin() + 1, own.end());
    TypeId machine = functionTypeOf(sema.types, params, sema.module.fn(target).result);
    ir::FuncId id = it->second =
        newShell(sema, method.name, method.name + ".slot", machine, sema.hasContext(), sema.module.fn(target).span);
    ir::Builder b(sema.module, sema.module.fn(id));
    uint32_t self = sema.hasContext() ? 1 : 0;
    llvm::SmallVector<ir::ValueId, 8> args;
    for (uint32_t i = 0; i < params.size(); ++i) {
        bool isHiddenFromTarget = i < self && !sema.module.fn(target).hasContext;
        if (isHiddenFromTarget) continue;
        bool loads = i == self && isScalar(sema.types, own.front());
        args.push_back(loads ? emitLoad(b, own.front(), b.param(i)) : b.param(i));
    }
    returnCall(b, sema.types.functionInfo(machine).result,
               [&](ir::ValueId place) { return callOrInto(b, target, args, place); });
    return id;
}

} // namespace sx::sema
