// Whether a type conforms to a protocol, and the code that implements each of its methods (generics.md 4.2 to 4.4).
#include "sema/Adapters.h"
#include "sema/Functions.h"
#include "sema/Impls.h"
#include "sema/Nominal.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/Layout.h"
#include "types/TypeNames.h"

namespace sx::sema {

using namespace ast;

namespace {

const ProtocolDecl& declOf(Sema& sema, TypeId protocol) {
    return static_cast<const ProtocolDecl&>(*nominal(sema, protocol)->decl);
}

/// Compares one method with what the protocol asks for.
class MethodCheck {
public:
    MethodCheck(Sema& sema, TypeId protocol, unsigned method, TypeId concrete)
        : sema_(sema), info_(sema.types.protocolInfo(protocol).methods[method]),
          decl_(*declOf(sema, protocol).methods[method].fn), concrete_(concrete), name_(code(sema, decl_.name.name)) {
        context_.scope = protocolScope(sema, protocol, concrete);
        context_.file = nominal(sema, protocol)->file;
    }

    bool run(FunctionInstance& inst, Span at, std::string& why) {
        size_t wanted = decl_.params.size(), has = inst.params.size();
        if (!takesReceiver(inst)) {
            if (has == 0) why = name_ + " has no receiver";
            else
                why = "the receiver of " + name_ + " is " + withArticle(sema_.types, inst.params[0].type) +
                      ", and no " + code(sema_.types, concrete_) + " or pointer to one";
            return false;
        }
        if (wanted != has) {
            why = name_ + " takes " + std::to_string(has - 1) + " arguments, and the protocol asks for " +
                  std::to_string(wanted - 1);
            return false;
        }
        for (size_t i = 1; i < wanted; ++i) {
            TypeId expected = param(i);
            if (expected == TypeId::None) return false;
            if (canonical(sema_, inst.params[i].type) == canonical(sema_, expected)) continue;
            why = "the parameter " + code(sema_, inst.params[i].name) + " of " + name_ + " is " +
                  withArticle(sema_.types, inst.params[i].type) + ", and the protocol asks for " +
                  withArticle(sema_.types, expected);
            return false;
        }
        TypeId expected = result(), actual = resultOf(sema_, inst, at);
        if (expected == TypeId::None || actual == TypeId::None) return false;
        if (canonical(sema_, actual) == canonical(sema_, expected)) return true;
        why = name_ + " returns " + withArticle(sema_.types, actual) + ", and the protocol asks for " +
              withArticle(sema_.types, expected);
        return false;
    }

private:
    /// `self: *T` or `self: T`, whatever the protocol spells.
    bool takesReceiver(const FunctionInstance& inst) {
        if (inst.params.empty()) return false;
        TypeId self = inst.params[0].type;
        if (canonical(sema_, self) == concrete_) return true;
        return sema_.types.kind(self) == TypeKind::Pointer && canonical(sema_, sema_.types.elem(self)) == concrete_;
    }
    TypeId param(size_t i) {
        TypeId t = info_.params[i - 1];
        return t != TypeId::None ? t : resolveType(sema_, decl_.params[i].type, context_);
    }
    TypeId result() {
        if (info_.result != TypeId::None) return info_.result;
        return decl_.result ? resolveResultType(sema_, decl_.result, context_) : TypeId::Void;
    }

    Sema& sema_;
    const ProtocolMethodInfo& info_;
    const FunctionDecl& decl_;
    TypeId concrete_;
    std::string name_;
    TypeContext context_;
};

} // namespace

Scope* protocolScope(Sema& sema, TypeId protocol, TypeId concrete) {
    Scope*& scope = sema.impls.scopes[{protocol, concrete}];
    if (!scope) {
        NominalInfo* info = nominal(sema, protocol);
        scope = bindingScope(sema, nullptr, UINT32_MAX, info->file, concrete, info->bindings);
    }
    return scope;
}

FunctionTemplate* defaultMethod(Sema& sema, TypeId protocol, unsigned method, TypeId concrete) {
    FunctionTemplate*& known = sema.impls.defaultMethods[{protocol, method, concrete}];
    if (known) return known;
    const FunctionDecl& fn = *declOf(sema, protocol).methods[method].fn;
    std::string name = writtenName(sema.types, concrete) + "." + sema.text(fn.name.name);
    known =
        newTemplate(sema, fn, *nominal(sema, protocol)->file, protocolScope(sema, protocol, concrete), name, concrete);
    known->isProtocolDefault = true;
    known->protocol = protocol;
    return known;
}

FunctionTemplate* implTemplate(Sema& sema, TypeId protocol, unsigned method, TypeId given) {
    TypeId concrete = canonical(sema, given);
    ImplInfo* impl = findImpl(sema, protocol, concrete);
    if (!impl) return nullptr;
    const FunctionDecl& wanted = *declOf(sema, protocol).methods[method].fn;
    declareImplMethods(sema, *impl);
    if (auto it = impl->methods.find(wanted.name.name); it != impl->methods.end()) return it->second;
    // Adopted: the type owns a method of that name, from its body or from another impl.
    MemberTable& table = members(sema, concrete);
    auto own = table.methods.find(wanted.name.name);
    if (own != table.methods.end() && !own->second->isProtocolDefault) return own->second;
    if (auto getter = table.getters.find(wanted.name.name); getter != table.getters.end()) return getter->second;
    if (wanted.hasBody()) return defaultMethod(sema, protocol, method, concrete);
    return own == table.methods.end() ? nullptr : own->second;
}

FunctionInstance* implMethod(Sema& sema, TypeId protocol, unsigned index, TypeId concrete, Span at, std::string& why) {
    if (!complete(sema, protocol, at)) return nullptr;
    std::string name = code(sema, sema.types.protocolInfo(protocol).methods[index].name);
    if (!findImpl(sema, protocol, concrete)) {
        why = "there is no " +
              code("impl " + writtenName(sema.types, protocol) + " for " + writtenName(sema.types, concrete));
        return nullptr;
    }
    FunctionTemplate* method = implTemplate(sema, protocol, index, concrete);
    if (!method) {
        why = "its impl has no method " + name;
        return nullptr;
    }
    if (method->isGeneric) {
        why = "the method " + name + " has parameters that are known while compiling only";
        return nullptr;
    }
    FunctionInstance* inst = instance(sema, *method, {}, at);
    if (!inst || inst->signatureFailed) return nullptr;
    return MethodCheck(sema, protocol, index, canonical(sema, concrete)).run(*inst, at, why) ? inst : nullptr;
}

/// "method `a`", "methods `a`, `b`": what an impl leaves out; "" if it is complete.
static std::string missingMethods(Sema& sema, TypeId protocol, TypeId concrete) {
    std::string names;
    unsigned count = 0;
    for (unsigned i = 0; i < sema.types.protocolInfo(protocol).methods.size(); ++i) {
        if (implTemplate(sema, protocol, i, concrete)) continue;
        names += (count++ ? ", " : "") + code(sema, sema.types.protocolInfo(protocol).methods[i].name);
    }
    return count == 0 ? names : (count == 1 ? "method " : "methods ") + names;
}

bool conforms(Sema& sema, TypeId protocol, TypeId concrete, std::string& why) {
    if (sema.impls.slots.count({protocol, canonical(sema, concrete)})) return true;
    if (!complete(sema, protocol)) return false;
    if (!findImpl(sema, protocol, concrete)) {
        why = "there is no " +
              code("impl " + writtenName(sema.types, protocol) + " for " + writtenName(sema.types, concrete));
        return false;
    }
    if (std::string missing = missingMethods(sema, protocol, concrete); !missing.empty()) {
        why = "its impl has no " + missing;
        return false;
    }
    for (unsigned i = 0; i < sema.types.protocolInfo(protocol).methods.size(); ++i)
        if (!implMethod(sema, protocol, i, concrete, {}, why)) return false;
    return true;
}

// ------------------------------------------------------------------------------------ dispatch tables

TypeId slotType(Sema& sema, TypeId protocol, unsigned method) {
    const ProtocolMethodInfo& m = sema.types.protocolInfo(protocol).methods[method];
    llvm::SmallVector<TypeId, 8> params;
    if (sema.hasContext()) params.push_back(pointerTo(sema.types, sema.contextType));
    params.push_back(pointerTo(sema.types, TypeId::Void));
    params.append(m.params.begin(), m.params.end());
    return functionTypeOf(sema.types, params, m.result == TypeId::NoReturn ? TypeId::Void : m.result);
}

std::optional<std::vector<ir::FuncId>> slotFunctions(Sema& sema, TypeId protocol, TypeId given, Span at) {
    TypeId concrete = canonical(sema, given);
    if (auto it = sema.impls.slots.find({protocol, concrete}); it != sema.impls.slots.end()) return it->second;
    if (!complete(sema, protocol, at)) return std::nullopt;
    // All methods are checked before any code is asked for: one error, at the first that does not fit.
    const ProtocolInfo& info = sema.types.protocolInfo(protocol);
    llvm::SmallVector<FunctionInstance*, 8> slots;
    size_t errorsBefore = sema.diags.errorCount();
    std::string why = "there is no " +
                      code("impl " + writtenName(sema.types, protocol) + " for " + writtenName(sema.types, concrete));
    bool ok = findImpl(sema, protocol, concrete) != nullptr;
    for (unsigned i = 0; ok && i < info.methods.size(); ++i) {
        FunctionInstance* inst = implMethod(sema, protocol, i, concrete, at, why);
        ok = inst != nullptr;
        if (info.methods[i].dispatchable) slots.push_back(inst);
    }
    if (!ok) {
        if (sema.diags.errorCount() == errorsBefore)
            sema.diags.error(at, code(sema.types, concrete) + " does not conform to " + code(sema.types, protocol) +
                                     ": " + why);
        return std::nullopt;
    }
    std::vector<ir::FuncId> code;
    for (FunctionInstance* inst : slots) code.push_back(slotCode(sema, *inst, concrete));
    sema.impls.slots[{protocol, concrete}] = code;
    return code;
}

ir::GlobalId vtable(Sema& sema, TypeId protocol, TypeId given, Span at) {
    TypeId concrete = canonical(sema, given);
    if (auto it = sema.impls.vtables.find({protocol, concrete});
        it != sema.impls.vtables.end() && it->second != ir::GlobalId::None)
        return it->second;
    std::optional<std::vector<ir::FuncId>> code = slotFunctions(sema, protocol, concrete, at);
    if (!code) return ir::GlobalId::None;
    ir::Global g;
    g.name = writtenName(sema.types, protocol) + " for " + writtenName(sema.types, concrete);
    g.symbol =
        uniqueSymbol(sema, "vtable." + writtenName(sema.types, protocol) + "." + writtenName(sema.types, concrete));
    g.size = std::max<uint64_t>(8, 8 * code->size()); // a marker protocol's table has an address too
    g.align = 8;
    g.isConst = true;
    g.init.bytes.resize(g.size);
    for (size_t i = 0; i < code->size(); ++i)
        g.init.relocs.push_back({ir::Reloc::Kind::Function, 8 * i, static_cast<uint32_t>((*code)[i]), 0});
    sema.module.globals.push_back(std::move(g));
    auto id = static_cast<ir::GlobalId>(sema.module.globals.size() - 1);
    sema.impls.vtables[{protocol, concrete}] = id;
    return id;
}

bool writeProtocolConstant(Sema& sema, TypeId protocol, TypeId concrete, ir::GlobalId object, Span at,
                           ir::ConstData& out, uint64_t offset) {
    ir::GlobalId table = vtable(sema, protocol, concrete, at);
    if (table == ir::GlobalId::None) return false;
    uint64_t size = sizeOf(sema.types, protocol);
    if (out.bytes.size() < offset + size) out.bytes.resize(offset + size);
    out.relocs.push_back({ir::Reloc::Kind::Global, offset, static_cast<uint32_t>(object), 0});
    out.relocs.push_back(
        {ir::Reloc::Kind::TypeHandle, offset + 8, static_cast<uint32_t>(canonical(sema, concrete)), 0});
    if (!sema.types.protocolInfo(protocol).isInline) {
        out.relocs.push_back({ir::Reloc::Kind::Global, offset + 16, static_cast<uint32_t>(table), 0});
        return true;
    }
    for (ir::Reloc r : sema.module.global(table).init.relocs) {
        r.offset += offset + 16;
        out.relocs.push_back(r);
    }
    return true;
}

void noteInlineErasure(Sema& sema, TypeId protocol, TypeId concrete) {
    sema.impls.vtables.try_emplace({protocol, concrete}, ir::GlobalId::None);
}

} // namespace sx::sema
