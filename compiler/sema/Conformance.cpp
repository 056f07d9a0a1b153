// Whether a type conforms to a protocol, and the code behind each of its methods (generics.md 4.2 to 4.4).
#include "sema/Impls.h"
#include "sema/Wording.h"

namespace sx::sema {

using namespace ast;

namespace {

const ProtocolDecl& declOf(Sema& sema, TypeId protocol) {
    return static_cast<const ProtocolDecl&>(*sema.nominal(protocol)->decl);
}

/// Compares one method with what the protocol asks for.
class MethodCheck {
public:
    MethodCheck(Sema& sema, TypeId protocol, unsigned method, TypeId concrete)
        : sema_(sema), info_(sema.types.protocolInfo(protocol).methods[method]),
          decl_(*declOf(sema, protocol).methods[method].fn), concrete_(concrete),
          name_("`" + sema.text(decl_.name.name) + "`") {
        context_.scope = protocolScope(sema, protocol, concrete);
        context_.file = sema.nominal(protocol)->file;
    }

    bool run(FunctionInstance& inst, Span at, std::string& why) {
        size_t wanted = decl_.params.size(), has = inst.params.size();
        if (!takesReceiver(inst)) {
            if (has == 0) why = name_ + " has no receiver";
            else
                why = "the receiver of " + name_ + " is " + withArticle(sema_.types, inst.params[0].type) +
                      ", and no " + quoted(sema_.types, concrete_) + " or pointer to one";
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
            if (sema_.canonical(inst.params[i].type) == sema_.canonical(expected)) continue;
            why = "the parameter `" + sema_.text(inst.params[i].name) + "` of " + name_ + " is " +
                  withArticle(sema_.types, inst.params[i].type) + ", and the protocol asks for " +
                  withArticle(sema_.types, expected);
            return false;
        }
        TypeId expected = result(), actual = sema_.resultOf(inst, at);
        if (expected == TypeId::None || actual == TypeId::None) return false;
        if (sema_.canonical(actual) == sema_.canonical(expected)) return true;
        why = name_ + " returns " + withArticle(sema_.types, actual) + ", and the protocol asks for " +
              withArticle(sema_.types, expected);
        return false;
    }

private:
    /// `self: *T` or `self: T`, whatever the protocol spells.
    bool takesReceiver(const FunctionInstance& inst) {
        if (inst.params.empty()) return false;
        TypeId self = inst.params[0].type;
        if (sema_.canonical(self) == concrete_) return true;
        return sema_.types.kind(self) == TypeKind::Pointer && sema_.canonical(sema_.types.elem(self)) == concrete_;
    }
    TypeId param(size_t i) {
        TypeId t = info_.params[i - 1];
        return t != TypeId::None ? t : sema_.resolveType(decl_.params[i].type, context_);
    }
    TypeId result() {
        if (info_.result != TypeId::None) return info_.result;
        return decl_.result ? sema_.resolveResultType(decl_.result, context_) : TypeId::Void;
    }

    Sema& sema_;
    const ProtocolMethodInfo& info_;
    const FunctionDecl& decl_;
    TypeId concrete_;
    std::string name_;
    Sema::TypeContext context_;
};

} // namespace

Scope* protocolScope(Sema& sema, TypeId protocol, TypeId concrete) {
    Scope*& scope = sema.protocolScopes[{protocol, concrete}];
    if (!scope) {
        NominalInfo* info = sema.nominal(protocol);
        scope = sema.bindingScope(nullptr, UINT32_MAX, info->file, concrete, info->bindings);
    }
    return scope;
}

FunctionTemplate* defaultMethod(Sema& sema, TypeId protocol, unsigned method, TypeId concrete) {
    FunctionTemplate*& known = sema.defaultMethods[{protocol, method, concrete}];
    if (known) return known;
    const FunctionDecl& fn = *declOf(sema, protocol).methods[method].fn;
    std::string name = sema.types.writtenName(concrete) + "." + sema.text(fn.name.name);
    known =
        sema.newTemplate(fn, *sema.nominal(protocol)->file, protocolScope(sema, protocol, concrete), name, concrete);
    known->isProtocolDefault = true;
    known->protocol = protocol;
    return known;
}

FunctionTemplate* implTemplate(Sema& sema, TypeId protocol, unsigned method, TypeId given) {
    TypeId concrete = sema.canonical(given);
    ImplInfo* impl = sema.findImpl(protocol, concrete);
    if (!impl) return nullptr;
    const FunctionDecl& wanted = *declOf(sema, protocol).methods[method].fn;
    declareImplMethods(sema, *impl);
    if (auto it = impl->methods.find(wanted.name.name); it != impl->methods.end()) return it->second;
    // Adopted: the type owns a method of that name, from its body or from another impl.
    MemberTable& table = sema.members(concrete);
    auto own = table.methods.find(wanted.name.name);
    if (own != table.methods.end() && !own->second->isProtocolDefault) return own->second;
    if (auto getter = table.getters.find(wanted.name.name); getter != table.getters.end()) return getter->second;
    if (wanted.body) return defaultMethod(sema, protocol, method, concrete);
    return own == table.methods.end() ? nullptr : own->second;
}

FunctionInstance* Sema::implMethod(TypeId protocol, unsigned index, TypeId concrete, Span at, std::string& why) {
    if (!complete(protocol, at)) return nullptr;
    std::string name = "`" + text(types.protocolInfo(protocol).methods[index].name) + "`";
    if (!findImpl(protocol, concrete)) {
        why = "there is no `impl " + types.writtenName(protocol) + " for " + types.writtenName(concrete) + "`";
        return nullptr;
    }
    FunctionTemplate* method = implTemplate(*this, protocol, index, concrete);
    if (!method) {
        why = "its impl has no method " + name;
        return nullptr;
    }
    if (method->isGeneric) {
        why = "the method " + name + " has parameters that are known while compiling only";
        return nullptr;
    }
    FunctionInstance* inst = instance(*method, {}, at);
    if (!inst || inst->signatureFailed) return nullptr;
    return MethodCheck(*this, protocol, index, canonical(concrete)).run(*inst, at, why) ? inst : nullptr;
}

/// "method `a`", "methods `a`, `b`": what an impl leaves out; "" if it is complete.
static std::string missingMethods(Sema& sema, TypeId protocol, TypeId concrete) {
    std::string names;
    unsigned count = 0;
    for (unsigned i = 0; i < sema.types.protocolInfo(protocol).methods.size(); ++i) {
        if (implTemplate(sema, protocol, i, concrete)) continue;
        names += (count++ ? ", `" : "`") + sema.text(sema.types.protocolInfo(protocol).methods[i].name) + "`";
    }
    return count == 0 ? names : (count == 1 ? "method " : "methods ") + names;
}

bool Sema::conforms(TypeId protocol, TypeId concrete, std::string& why) {
    if (protocolSlots.count({protocol, canonical(concrete)})) return true;
    if (!complete(protocol)) return false;
    if (!findImpl(protocol, concrete)) {
        why = "there is no `impl " + types.writtenName(protocol) + " for " + types.writtenName(concrete) + "`";
        return false;
    }
    if (std::string missing = missingMethods(*this, protocol, concrete); !missing.empty()) {
        why = "its impl has no " + missing;
        return false;
    }
    for (unsigned i = 0; i < types.protocolInfo(protocol).methods.size(); ++i)
        if (!implMethod(protocol, i, concrete, {}, why)) return false;
    return true;
}

// ------------------------------------------------------------------------------------ dispatch tables

TypeId Sema::slotType(TypeId protocol, unsigned method) {
    const ProtocolMethodInfo& m = types.protocolInfo(protocol).methods[method];
    llvm::SmallVector<TypeId, 8> params;
    if (hasContext()) params.push_back(types.pointerTo(contextType));
    params.push_back(types.pointerTo(TypeId::Void));
    params.append(m.params.begin(), m.params.end());
    return types.function(params, m.result == TypeId::NoReturn ? TypeId::Void : m.result);
}

std::optional<std::vector<ir::FuncId>> Sema::slotFunctions(TypeId protocol, TypeId given, Span at) {
    TypeId concrete = canonical(given);
    if (auto it = protocolSlots.find({protocol, concrete}); it != protocolSlots.end()) return it->second;
    if (!complete(protocol, at)) return std::nullopt;
    // All methods are checked before any code is asked for: one error, at the first that does not fit.
    const ProtocolInfo& info = types.protocolInfo(protocol);
    llvm::SmallVector<FunctionInstance*, 8> slots;
    size_t errorsBefore = diags.errorCount();
    std::string why = "there is no `impl " + types.writtenName(protocol) + " for " + types.writtenName(concrete) + "`";
    bool ok = findImpl(protocol, concrete) != nullptr;
    for (unsigned i = 0; ok && i < info.methods.size(); ++i) {
        FunctionInstance* inst = implMethod(protocol, i, concrete, at, why);
        ok = inst != nullptr;
        if (info.methods[i].dispatchable) slots.push_back(inst);
    }
    if (!ok) {
        if (diags.errorCount() == errorsBefore)
            diags.error(at, "`" + types.writtenName(concrete) + "` does not conform to `" +
                                types.writtenName(protocol) + "`: " + why);
        return std::nullopt;
    }
    std::vector<ir::FuncId> code;
    for (FunctionInstance* inst : slots) code.push_back(slotCode(*inst, concrete));
    protocolSlots[{protocol, concrete}] = code;
    return code;
}

ir::GlobalId Sema::vtable(TypeId protocol, TypeId given, Span at) {
    TypeId concrete = canonical(given);
    if (auto it = vtables.find({protocol, concrete}); it != vtables.end() && it->second != ir::GlobalId::None)
        return it->second;
    std::optional<std::vector<ir::FuncId>> code = slotFunctions(protocol, concrete, at);
    if (!code) return ir::GlobalId::None;
    ir::Global g;
    g.name = types.writtenName(protocol) + " for " + types.writtenName(concrete);
    g.symbol = uniqueSymbol("vtable." + types.writtenName(protocol) + "." + types.writtenName(concrete));
    g.size = std::max<uint64_t>(8, 8 * code->size()); // a marker protocol's table has an address too
    g.align = 8;
    g.isConst = true;
    g.init.bytes.resize(g.size);
    for (size_t i = 0; i < code->size(); ++i)
        g.init.relocs.push_back({ir::Reloc::Kind::Function, 8 * i, static_cast<uint32_t>((*code)[i]), 0});
    module.globals.push_back(std::move(g));
    auto id = static_cast<ir::GlobalId>(module.globals.size() - 1);
    vtables[{protocol, concrete}] = id;
    return id;
}

bool Sema::writeProtocolConstant(TypeId protocol, TypeId concrete, ir::GlobalId object, Span at, ir::ConstData& out,
                                 uint64_t offset) {
    ir::GlobalId table = vtable(protocol, concrete, at);
    if (table == ir::GlobalId::None) return false;
    uint64_t size = types.sizeOf(protocol);
    if (out.bytes.size() < offset + size) out.bytes.resize(offset + size);
    out.relocs.push_back({ir::Reloc::Kind::Global, offset, static_cast<uint32_t>(object), 0});
    out.relocs.push_back({ir::Reloc::Kind::TypeHandle, offset + 8, static_cast<uint32_t>(canonical(concrete)), 0});
    if (!types.protocolInfo(protocol).isInline) {
        out.relocs.push_back({ir::Reloc::Kind::Global, offset + 16, static_cast<uint32_t>(table), 0});
        return true;
    }
    for (ir::Reloc r : module.global(table).init.relocs) {
        r.offset += offset + 16;
        out.relocs.push_back(r);
    }
    return true;
}

} // namespace sx::sema
