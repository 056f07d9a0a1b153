// The members of a type beyond its fields: methods, properties, constants and nested types, from its own body and
// from impls. One table per type; what the type itself declares wins over what an impl adds.
#include "sema/Impls.h"

namespace sx::sema {

using namespace ast;

void Sema::declareMembers(NominalInfo& info) {
    if (info.membersDeclared) return;
    info.membersDeclared = true;
    const auto* body = llvm::dyn_cast_or_null<StructDecl>(info.decl);
    if (!body) return;
    MemberTable& table = memberTables[info.type];
    std::string prefix = types.writtenName(info.type);
    for (const MemberDecl& m : body->members) {
        if (m.kind != MemberKind::Decl) continue;
        const auto* fn = llvm::dyn_cast<FunctionDecl>(m.decl);
        if (!fn) {
            Symbol* s = symbolFor(*m.decl, *info.file, info.env, prefix);
            if (!table.statics.try_emplace(m.decl->name.name, s).second)
                diags.error(m.decl->name.span, "`" + prefix + "` declares `" + text(m.decl->name.name) + "` twice");
            continue;
        }
        FunctionTemplate* method =
            newTemplate(*fn, *info.file, info.env, prefix + "." + text(fn->name.name), info.type);
        auto& where = fn->isGet ? table.getters : fn->isSet ? table.setters : table.methods;
        if (!where.try_emplace(fn->name.name, method).second)
            diags.error(fn->name.span, "`" + prefix + "` declares the method `" + text(fn->name.name) + "` twice");
    }
}

namespace {

/// Puts the methods of an impl, and the default methods that it takes over, into the table of its target.
void attach(Sema& sema, MemberTable& table, ImplInfo& impl) {
    declareImplMethods(sema, impl);
    for (auto& [name, method] : impl.methods) table.methods.try_emplace(name, method);
    NominalInfo* protocol = sema.nominal(impl.protocol);
    const auto& decl = static_cast<const ProtocolDecl&>(*protocol->decl);
    for (unsigned i = 0; i < decl.methods.size(); ++i) {
        const FunctionDecl& method = *decl.methods[i].fn;
        if (method.body && !table.methods.count(method.name.name) && !table.getters.count(method.name.name))
            table.methods.try_emplace(method.name.name, defaultMethod(sema, impl.protocol, i, impl.target));
    }
}

} // namespace

MemberTable& Sema::members(TypeId given) {
    TypeId t = canonical(given);
    MemberTable& table = memberTables[t];
    if (NominalInfo* info = nominal(t)) {
        declareMembers(*info);
        instantiateImpls(*this, *info);
    } else if (types.kind(t) == TypeKind::Closure) {
        instantiatePatterns(*this, t);
    }
    auto found = implsByTarget.find(t);
    if (found == implsByTarget.end()) return table;
    while (table.implsSeen < found->second.size()) attach(*this, table, *found->second[table.implsSeen++]);
    return table;
}

FunctionTemplate* Sema::findMethod(TypeId type, Name name, const FunctionTemplate* within) {
    TypeId t = canonical(type);
    if (within && within->isProtocolDefault && canonical(within->ownerType) == t) {
        const auto& protocol = static_cast<const ProtocolDecl&>(*nominal(within->protocol)->decl);
        for (unsigned i = 0; i < protocol.methods.size(); ++i)
            if (protocol.methods[i].fn->name.name == name)
                if (FunctionTemplate* method = implTemplate(*this, within->protocol, i, t)) return method;
    }
    MemberTable& table = members(t);
    if (auto it = table.methods.find(name); it != table.methods.end()) return it->second;
    auto getter = table.getters.find(name); // a property may be called like a method
    return getter == table.getters.end() ? nullptr : getter->second;
}

} // namespace sx::sema
