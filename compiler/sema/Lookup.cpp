// Name lookup: scopes, then the file, then what it imports (modules-and-comptime 2).
#include "sema/Lookup.h"

#include "sema/Declare.h"
#include "sema/ExternDecls.h"
#include "sema/Sema.h"

namespace sx::sema {

Scope* newScope(Sema& sema, Scope* parent, SourceFile* file) {
    keepScope(parent);
    return sema.make<Scope>(parent, file);
}

void keepScope(Scope* scope) {
    for (; scope && !scope->isKept; scope = scope->parent) scope->isKept = true;
}

Symbol* newSymbol(Sema& sema, Name name, SymbolKind kind, Span span) { return sema.make<Symbol>(name, kind, span); }

Symbol* declare(Sema& sema, Scope& scope, Name name, Symbol* symbol) {
    constexpr size_t IndexFrom = 16;
    scope.entries.push_back({name, sema.scopeCounter++, symbol});
    if (sema.uses) sema.uses->locals.push_back(symbol);
    if (scope.entries.size() == IndexFrom)
        for (uint32_t i = 0; i < scope.entries.size(); ++i) scope.index[scope.entries[i].name].push_back(i);
    else if (scope.entries.size() > IndexFrom)
        scope.index[name].push_back(static_cast<uint32_t>(scope.entries.size() - 1));
    return symbol;
}

namespace {

Symbol* findInScope(const Scope& scope, Name name, uint32_t limit) {
    if (!scope.index.empty()) {
        auto it = scope.index.find(name);
        if (it == scope.index.end()) return nullptr;
        for (auto i = it->second.rbegin(); i != it->second.rend(); ++i)
            if (scope.entries[*i].number < limit) return scope.entries[*i].symbol;
        return nullptr;
    }
    for (auto entry = scope.entries.rbegin(); entry != scope.entries.rend(); ++entry)
        if (entry->name == name && entry->number < limit) return entry->symbol;
    return nullptr;
}

/// The C symbol that an `extern` declaration binds; "" for any other declaration.
std::string externSymbol(const Sema& sema, const Symbol& s) {
    const ast::Decl* d = s.kind == SymbolKind::Function ? s.function->decl : s.decl;
    const auto* f = llvm::dyn_cast_or_null<ast::FunctionDecl>(d);
    const auto* v = llvm::dyn_cast_or_null<ast::VarDecl>(d);
    bool isExtern = f ? f->linkage == ast::Linkage::Extern : v && v->isExtern;
    return isExtern ? cSymbol(sema, *d) : "";
}

} // namespace

/// A declaration that a type position may mean. Aliases are resolved to find out.
static bool canNameType(Sema& sema, Symbol* s) {
    if (!s->decl)
        return s->kind == SymbolKind::Type || s->kind == SymbolKind::GenericStruct ||
               s->kind == SymbolKind::GenericProtocol || s->kind == SymbolKind::Namespace;
    switch (s->decl->kind) {
    case ast::DeclKind::Struct:
    case ast::DeclKind::Enum:
    case ast::DeclKind::Union:
    case ast::DeclKind::ErrorSet:
    case ast::DeclKind::Protocol:
    case ast::DeclKind::Import:
    case ast::DeclKind::ImportC:
    case ast::DeclKind::RuntimeClass: return true;
    case ast::DeclKind::Function: {
        const auto* fn = static_cast<const ast::FunctionDecl*>(s->decl);
        const auto* result = fn->result ? llvm::dyn_cast<ast::NameRef>(fn->result) : nullptr;
        return result && sema.names.text(result->id.name) == "Type";
    }
    case ast::DeclKind::Const: {
        if (s->resolving) return true;
        Symbol* target = resolve(sema, s);
        switch (target->kind) {
        case SymbolKind::Type:
        case SymbolKind::GenericStruct:
        case SymbolKind::GenericProtocol:
        case SymbolKind::Namespace: return true;
        case SymbolKind::Function: return target != s && canNameType(sema, target);
        case SymbolKind::Error: return true; // already reported: no second message about the name
        default: return false;
        }
    }
    default: return false;
    }
}

LookupResult lookup(Sema& sema, Name name, const Scope* scope, uint32_t limit, SourceFile* file, bool typePosition) {
    LookupResult result;
    for (const Scope* s = scope; s; s = s->parent) {
        if (Symbol* found = findInScope(*s, name, limit)) {
            result.symbol = found;
            return result;
        }
        if (s->isFunctionBoundary) result.crossesFunction = true;
        if (s->outerLimit < limit) limit = s->outerLimit;
    }
    result = lookupModule(sema, name, *file, typePosition);
    return result;
}

LookupResult lookupModule(Sema& sema, Name name, SourceFile& file, bool typePosition) {
    LookupResult result;
    auto own = file.names.find(name);
    if (own != file.names.end() && (!typePosition || canNameType(sema, own->second))) {
        result.symbol = own->second;
        result.symbol->isRead = true;
        return result;
    }
    // Two passes over the direct flat imports: declarations first, then the namespace aliases they carry.
    for (bool aliases : {false, true}) {
        for (const ImportEdge& edge : file.flatImports) {
            Symbol* inUnit = nullptr;
            for (SourceFile* other : edge.module->files) {
                auto it = other->names.find(name);
                if (it == other->names.end() || it->second->isNamespaceAlias() != aliases) continue;
                if (it->second->isPrivate) {
                    if (other != &file) result.hiddenPrivate = true;
                    continue;
                }
                if (typePosition && !canNameType(sema, it->second)) continue;
                inUnit = it->second;
                break;
            }
            if (inUnit) edge.used = true;
            if (!inUnit || inUnit == result.symbol) continue;
            if (!result.symbol) {
                result.symbol = inUnit;
                continue;
            }
            Symbol* a = resolve(sema, result.symbol);
            Symbol* c = resolve(sema, inUnit);
            bool same =
                a == c ||
                (a->kind == SymbolKind::Function && c->kind == SymbolKind::Function && a->function == c->function) ||
                (a->kind == SymbolKind::Namespace && c->kind == SymbolKind::Namespace && a->module == c->module) ||
                (a->kind == SymbolKind::Type && c->kind == SymbolKind::Type && a->type == c->type);
            if (!same && a->kind == c->kind) {
                std::string bound = externSymbol(sema, *a);
                same = !bound.empty() && bound == externSymbol(sema, *c);
            }
            if (!same) result.ambiguous = true;
        }
        if (result.symbol) return result;
    }
    // The text of a format may be inserted in a file that gives the library a name of its own.
    if (sema.names.text(name) == "__SxText")
        for (const auto& other : sema.program.files)
            if (other->isLibrary && llvm::StringRef(other->path).ends_with("/std/fmt.sx"))
                if (auto it = other->names.find(name); it != other->names.end()) result.symbol = it->second;
    return result;
}

Symbol* lookupMember(ModuleUnit& unit, Name name, SourceFile& from) {
    for (SourceFile* file : unit.files) {
        auto it = file->names.find(name);
        if (it != file->names.end() && (!it->second->isPrivate || file == &from)) return it->second;
    }
    // Namespace aliases carried to the module by its direct flat imports (one hop).
    for (SourceFile* file : unit.files)
        for (const ImportEdge& edge : file->flatImports)
            for (SourceFile* other : edge.module->files) {
                auto it = other->names.find(name);
                if (it != other->names.end() && !it->second->isPrivate && it->second->isNamespaceAlias())
                    return it->second;
            }
    return nullptr;
}

std::vector<FunctionTemplate*> ufcsCandidates(Sema& sema, Name name, const Scope* scope, uint32_t limit,
                                              SourceFile* file, bool visibleOnly) {
    std::vector<FunctionTemplate*> found;
    auto add = [&](Symbol* s) {
        Symbol* target = resolve(sema, s);
        if (target->kind != SymbolKind::Function) return;
        for (FunctionTemplate* known : found)
            if (known == target->function) return;
        found.push_back(target->function);
    };
    auto isUfcs = [&](const Symbol& s) {
        if (!s.decl) return false;
        if (s.decl->kind == ast::DeclKind::UfcsAlias) return true;
        if (s.decl->kind == ast::DeclKind::Function) return static_cast<const ast::FunctionDecl*>(s.decl)->isUfcs;
        if (s.decl->kind != ast::DeclKind::Const || s.resolving) return false;
        Symbol* target = resolve(sema, const_cast<Symbol*>(&s)); // an alias of a ufcs function is one too
        return target->kind == SymbolKind::Function && target->function->decl->isUfcs;
    };
    for (const Scope* s = scope; s; s = s->parent) {
        if (Symbol* local = findInScope(*s, name, limit); local && isUfcs(*local)) add(local);
        if (s->outerLimit < limit) limit = s->outerLimit;
    }
    auto own = file->names.find(name);
    if (own != file->names.end() && isUfcs(*own->second)) add(own->second);
    for (const ImportEdge& edge : file->flatImports)
        for (SourceFile* other : edge.module->files) {
            auto it = other->names.find(name);
            if (it != other->names.end() && !it->second->isPrivate && isUfcs(*it->second)) add(it->second);
        }
    if (visibleOnly) return found;
    for (auto& other : sema.program.files) {
        auto it = other->names.find(name);
        if (it != other->names.end() && (!it->second->isPrivate || other.get() == file) && isUfcs(*it->second))
            add(it->second);
    }
    return found;
}

} // namespace sx::sema
