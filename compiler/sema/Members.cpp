// The members of a type beyond its fields: methods, properties, constants and nested types, from its own body and
// from impls. One table per type; what the type itself declares wins over what an impl adds.
#include "sema/Declare.h"
#include "sema/Functions.h"
#include "sema/Impls.h"
#include "sema/Nominal.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/TypeNames.h"

namespace sx::sema {

using namespace ast;

void declareMembers(Sema& sema, NominalInfo& info) {
    if (info.membersDeclared) return;
    info.membersDeclared = true;
    const auto* body = llvm::dyn_cast_or_null<StructDecl>(info.decl);
    if (!body) return;
    MemberTable& table = sema.nominals.members[info.type];
    std::string prefix = writtenName(sema.types, info.type);
    for (const MemberDecl& m : body->members) {
        if (m.kind != MemberKind::Decl) continue;
        const auto* fn = llvm::dyn_cast<FunctionDecl>(m.decl);
        if (!fn) {
            Symbol* s = symbolFor(sema, *m.decl, *info.file, info.env, prefix);
            if (!table.statics.try_emplace(m.decl->name.name, s).second)
                sema.diags.error(m.decl->name.span,
                                 code(prefix) + " declares " + code(sema, m.decl->name.name) + " twice");
            continue;
        }
        FunctionTemplate* method =
            newTemplate(sema, *fn, *info.file, info.env, prefix + "." + sema.text(fn->name.name), info.type);
        auto& where = fn->isGet ? table.getters : fn->isSet ? table.setters : table.methods;
        if (!where.try_emplace(fn->name.name, method).second)
            sema.diags.error(fn->name.span,
                             code(prefix) + " declares the method " + code(sema, fn->name.name) + " twice");
    }
}

namespace {

/// Puts the methods of an impl, and the default methods that it takes over, into the table of its target.
void attach(Sema& sema, MemberTable& table, ImplInfo& impl) {
    declareImplMethods(sema, impl);
    for (auto& [name, method] : impl.methods) table.methods.try_emplace(name, method);
    NominalInfo* protocol = nominal(sema, impl.protocol);
    const auto& decl = static_cast<const ProtocolDecl&>(*protocol->decl);
    for (unsigned i = 0; i < decl.methods.size(); ++i) {
        const FunctionDecl& method = *decl.methods[i].fn;
        if (method.hasBody() && !table.methods.count(method.name.name) && !table.getters.count(method.name.name))
            table.methods.try_emplace(method.name.name, defaultMethod(sema, impl.protocol, i, impl.target));
    }
}

} // namespace

MemberTable& members(Sema& sema, TypeId given) {
    TypeId t = canonical(sema, given);
    MemberTable& table = sema.nominals.members[t];
    if (NominalInfo* info = nominal(sema, t)) {
        declareMembers(sema, *info);
        instantiateImpls(sema, *info);
    } else if (sema.types.kind(t) == TypeKind::Closure) {
        instantiatePatterns(sema, t);
    }
    auto found = sema.impls.byTarget.find(t);
    if (found == sema.impls.byTarget.end()) return table;
    while (table.implsSeen < found->second.size()) attach(sema, table, *found->second[table.implsSeen++]);
    return table;
}

FunctionTemplate* findMethod(Sema& sema, TypeId type, Name name, const FunctionTemplate* within) {
    TypeId t = canonical(sema, type);
    if (within && within->isProtocolDefault && canonical(sema, within->ownerType) == t) {
        const auto& protocol = static_cast<const ProtocolDecl&>(*nominal(sema, within->protocol)->decl);
        for (unsigned i = 0; i < protocol.methods.size(); ++i)
            if (protocol.methods[i].fn->name.name == name)
                if (FunctionTemplate* method = implTemplate(sema, within->protocol, i, t)) return method;
    }
    MemberTable& table = members(sema, t);
    if (auto it = table.methods.find(name); it != table.methods.end()) return it->second;
    auto getter = table.getters.find(name); // a property may be called like a method
    return getter == table.getters.end() ? nullptr : getter->second;
}

} // namespace sx::sema
