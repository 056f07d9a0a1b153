// Module-scope declarations: which names a file declares, and what each names once it is asked for.
#include "sema/Declare.h"

#include "sema/ArrayConstants.h"
#include "sema/Constants.h"
#include "sema/Context.h"
#include "sema/Evaluate.h"
#include "sema/ExternDecls.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/Modules.h"
#include "sema/Nominal.h"
#include "sema/Notes.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "syntax/BuiltinTypes.h"
#include "types/Layout.h"

namespace sx::sema {

using namespace ast;

// ------------------------------------------------------------------------------------ reserved names

bool isReservedTypeName(const Sema& sema, Name n) { return sx::isReservedTypeName(sema.names.text(n)); }

void checkReservedName(Sema& sema, const Ident& id, std::string_view what) {
    if (id.raw || !id || !isReservedTypeName(sema, id.name)) return;
    std::string n = sema.text(id.name);
    sema.diags
        .error(id.span, code(n) + " is a type name and cannot name " + (what.starts_with('e') ? "an " : "a ") +
                            std::string(what))
        .help("write it as `` `" + n + " `` to use it as a plain name");
}

// ------------------------------------------------------------------------------------ files

namespace {

/// Folds a module-scope `inline if` condition: OS, ARCH and POINTER_SIZE compared with literals, and/or.
class TargetCondition {
public:
    explicit TargetCondition(Sema& sema) : sema_(sema) {}
    std::optional<bool> fold(const Expr* e) {
        if (const auto* p = llvm::dyn_cast<Paren>(e)) return fold(p->inner);
        if (const auto* l = llvm::dyn_cast<BoolLit>(e)) return l->value;
        const auto* b = llvm::dyn_cast<Binary>(e);
        if (!b) return std::nullopt;
        if (b->op == BinaryOp::And || b->op == BinaryOp::Or) {
            auto l = fold(b->lhs), r = fold(b->rhs);
            if (!l || !r) return std::nullopt;
            return b->op == BinaryOp::And ? *l && *r : *l || *r;
        }
        if (b->op != BinaryOp::Eq && b->op != BinaryOp::Ne) return std::nullopt;
        std::optional<bool> equal = matches(b->lhs, b->rhs);
        if (!equal) return std::nullopt;
        return *equal == (b->op == BinaryOp::Eq);
    }
    /// Does the target constant `subject` equal the pattern?
    std::optional<bool> matches(const Expr* subject, const Expr* pattern) {
        const auto* n = llvm::dyn_cast<NameRef>(subject);
        if (!n) return std::nullopt;
        std::string_view which = sema_.names.text(n->id.name);
        if (which == "POINTER_SIZE") {
            const auto* i = llvm::dyn_cast<IntLit>(pattern);
            if (!i) return std::nullopt;
            return i->value == 8;
        }
        const auto* v = llvm::dyn_cast<EnumLit>(pattern);
        if (!v) return std::nullopt;
        if (which == "OS") return isVariant(*v, which, operatingSystems, "linux");
        if (which == "ARCH") return isVariant(*v, which, architectures, "x86_64");
        return std::nullopt;
    }

private:
    bool isVariant(const EnumLit& written, std::string_view constant, llvm::ArrayRef<std::string_view> variants,
                   std::string_view target) {
        std::string_view name = sema_.names.text(written.name.name);
        if (std::find(variants.begin(), variants.end(), name) != variants.end()) return name == target;
        std::string list;
        for (std::string_view variant : variants) list += (list.empty() ? "" : ", ") + code("." + std::string(variant));
        Diagnostic& d =
            sema_.diags.error(written.span, code(constant) + " has no variant " + code(name) + "; it has " + list);
        suggest(sema_.diags, d, name, variants, ".");
        return false;
    }

    Sema& sema_;
};

void flatten(Sema& sema, llvm::ArrayRef<Decl*> items, std::vector<const Decl*>& out) {
    for (Decl* d : items) {
        const auto* cond = llvm::dyn_cast<InlineIfDecl>(d);
        if (!cond) {
            out.push_back(d);
            continue;
        }
        TargetCondition target(sema);
        if (cond->subject) {
            for (const InlineIfDecl::Arm& arm : cond->arms) {
                std::optional<bool> taken = arm.pattern ? target.matches(cond->subject, arm.pattern) : true;
                if (!taken) {
                    sema.diags.error(
                        arm.pattern->span,
                        "this pattern cannot be decided while compiling: match `OS`, `ARCH` or `POINTER_SIZE`");
                    break;
                }
                if (*taken) {
                    flatten(sema, arm.items, out);
                    break;
                }
            }
            continue;
        }
        std::optional<bool> value = target.fold(cond->cond);
        if (!value) {
            sema.diags.error(cond->cond->span,
                             "a module-scope `inline if` is decided by `OS`, `ARCH` and `POINTER_SIZE` only");
            continue;
        }
        flatten(sema, *value ? cond->then : cond->otherwise, out);
    }
}

} // namespace

/// A name that a C import gives the file makes way for what the file says itself: a binding of the same symbol,
/// anything else that is no function in C.
static bool makesWay(Sema& sema, const Symbol& imported, const Symbol& own) {
    if (!llvm::isa_and_nonnull<FunctionDecl>(imported.decl) || own.file->isForeign) return true;
    const auto* bound = llvm::dyn_cast_or_null<FunctionDecl>(own.decl);
    return bound && bound->linkage == Linkage::Extern &&
           cSymbol(sema, *bound) == cSymbol(sema, static_cast<const FunctionDecl&>(*imported.decl));
}

/// The declarations of a C import without a name are names of the file.
static void declareForeign(Sema& sema, SourceFile& file, const ImportCDecl& import, ModuleUnit& unit) {
    for (SourceFile* foreign : unit.files)
        for (Symbol* s : foreign->order) {
            if (import.isPrivate) { // to this file: others may import the same headers
                Symbol* own = sema.make<Symbol>(*s);
                own->aliasOf = s;
                own->isPrivate = true;
                s = own;
            }
            auto [at, isNew] = file.names.try_emplace(s->name, s);
            if (isNew || makesWay(sema, *s, *at->second)) continue;
            Span own = at->second->nameSpan;
            bool ownIsFirst = own.begin < import.directive.begin;
            sema.diags
                .error(ownIsFirst ? import.directive : own,
                       code(sema, s->name) + " is declared in this file and by the C headers that it imports")
                .note(ownIsFirst ? own : import.directive, "the other declaration is here")
                .help("import the headers under a name, " + code("c :: #import c { … };"));
        }
}

/// Which names of the prelude are members of which of its namespaces.
static void listAliases(Sema& sema, const SourceFile& prelude) {
    for (const Symbol* s : prelude.order) {
        const auto* alias = llvm::dyn_cast<ConstDecl>(s->decl);
        const auto* member = alias ? llvm::dyn_cast<Member>(alias->value) : nullptr;
        const auto* base = member ? llvm::dyn_cast<NameRef>(member->base) : nullptr;
        if (!base) continue;
        for (DeferredImport& import : sema.program.deferred)
            if (import.name->name == base->id.name) import.aliases.push_back(s->name);
    }
}

void declareFile(Sema& sema, SourceFile& file) {
    flatten(sema, file.tree.items, file.items);
    llvm::SmallVector<std::pair<const ImportCDecl*, ModuleUnit*>, 2> unnamed;
    for (const Decl* d : file.items) {
        if (const auto* e = llvm::dyn_cast<ErrorDecl>(d)) {
            sema.diags.error(e->span, e->message.str());
            continue;
        }
        if (llvm::isa<RunDecl>(d)) continue;
        ModuleUnit* unit = nullptr;
        const auto* i = llvm::dyn_cast<ImportDecl>(d);
        bool isDeferred = i && i->name && &file == sema.program.prelude && !file.isEntry;
        if (i && !isDeferred) {
            unit = import(sema, file, *i);
            if (!unit) return; // a missing import stops at the first error
            if (!i->name) {
                file.flatImports.push_back({unit, i});
                continue;
            }
        }
        if (const auto* c = llvm::dyn_cast<ImportCDecl>(d)) {
            unit = importC(sema, file, *c);
            if (!unit) return;
            if (!c->name) unnamed.emplace_back(c, unit);
        }
        if (!d->name || llvm::isa<ContextExtendDecl>(d)) continue; // a context field is no name of the module
        Symbol*& known = file.names[d->name.name];
        if (known) {
            sema.diags.error(d->name.span, code(sema, d->name.name) + " is declared twice in this file")
                .note(known->nameSpan, "the first declaration is here");
            continue;
        }
        known = symbolFor(sema, *d, file, nullptr);
        known->module = unit;
        file.order.push_back(known);
        if (isDeferred) sema.program.deferred.push_back({known, i, {}});
    }
    if (&file == sema.program.prelude) listAliases(sema, file);
    for (auto [import, unit] : unnamed) declareForeign(sema, file, *import, *unit);
}

Symbol* symbolFor(Sema& sema, const Decl& decl, SourceFile& file, Scope* scope, std::string prefix, bool nested) {
    Symbol* s = newSymbol(sema, decl.name.name, SymbolKind::Unresolved, decl.name.span);
    s->decl = &decl;
    s->file = &file;
    s->scope = scope;
    keepScope(scope);
    // A type may mention itself; the initializer of a constant sees the outer binding of its name.
    s->scopeLimit = decl.kind == DeclKind::Const ? sema.scopeCounter : sema.scopeCounter + 1;
    s->isPrivate = decl.isPrivate;
    if (const auto* fn = llvm::dyn_cast<FunctionDecl>(&decl)) {
        std::string own = sema.text(decl.name.name);
        s->function = newTemplate(sema, *fn, file, scope, prefix.empty() ? own : prefix + "." + own, TypeId::None);
        s->function->envLimit = sema.scopeCounter + 1; // it may call itself
        s->function->isNested = nested;
        s->function->symbol = s;
        s->kind = SymbolKind::Function;
    }
    return s;
}

// ------------------------------------------------------------------------------------ resolution

namespace {

class Resolver {
public:
    Resolver(Sema& sema, Symbol& s) : sema_(sema), s_(s) {
        context_.scope = s.scope;
        context_.limit = s.scope ? s.scopeLimit : UINT32_MAX;
        context_.file = s.file;
    }

    void run() {
        const Decl& d = *s_.decl;
        switch (d.kind) {
        case DeclKind::Const: return constant(static_cast<const ConstDecl&>(d));
        case DeclKind::Var: return global(static_cast<const VarDecl&>(d));
        case DeclKind::Struct: return structure(static_cast<const StructDecl&>(d));
        case DeclKind::Protocol: return protocol(static_cast<const ProtocolDecl&>(d));
        case DeclKind::Enum:
        case DeclKind::Union:
        case DeclKind::ErrorSet:
        case DeclKind::RuntimeClass: return nominal();
        case DeclKind::UfcsAlias: return ufcsAlias(static_cast<const UfcsAliasDecl&>(d));
        case DeclKind::Import:
        case DeclKind::ImportC:
            s_.kind = s_.module || loadDeferred(sema_, s_) ? SymbolKind::Namespace : SymbolKind::Error;
            return;
        case DeclKind::Library: s_.kind = SymbolKind::Library; return;
        case DeclKind::Function:
        case DeclKind::Framework:
        case DeclKind::RunStmt:
        case DeclKind::ErrorDirective:
        case DeclKind::ContextExtend:
        case DeclKind::Impl:
        case DeclKind::InlineIf:
        case DeclKind::Asm: return;
        }
    }

private:
    void nominal() {
        // Interned before its parts resolve, so that it may mention itself.
        s_.kind = SymbolKind::Type;
        s_.type = declareNominal(sema_, *s_.decl, *s_.file, s_.scope, context_.limit, sema_.text(s_.name));
        if (s_.type == TypeId::None) s_.kind = SymbolKind::Error;
    }

    void structure(const StructDecl& d) {
        if (d.typeParams.empty()) return nominal();
        s_.kind = SymbolKind::GenericStruct;
        s_.structTemplate = sema_.make<StructTemplate>();
        s_.structTemplate->decl = &d;
        s_.structTemplate->file = s_.file;
        s_.structTemplate->env = s_.scope;
        s_.structTemplate->envLimit = context_.limit;
        s_.structTemplate->name = sema_.text(s_.name);
    }

    void protocol(const ProtocolDecl& d) {
        if (d.typeParams.empty()) return nominal();
        s_.kind = SymbolKind::GenericProtocol;
        s_.protocolTemplate = sema_.make<ProtocolTemplate>();
        s_.protocolTemplate->decl = &d;
        s_.protocolTemplate->file = s_.file;
    }

    void ufcsAlias(const UfcsAliasDecl& d) {
        auto found = lookup(sema_, d.target.name, context_.scope, context_.limit, s_.file);
        if (!found.symbol || found.ambiguous) {
            reportUnresolved(sema_, d.target.name, d.target.span, found, context_.scope, s_.file, "function");
            s_.kind = SymbolKind::Error;
            return;
        }
        Symbol* target = resolve(sema_, found.symbol);
        if (target->kind != SymbolKind::Function) {
            if (target->kind != SymbolKind::Error)
                sema_.diags.error(d.target.span, code(sema_, d.target.name) + " is not a function");
            s_.kind = SymbolKind::Error;
            return;
        }
        s_.kind = SymbolKind::Function;
        s_.function = target->function;
    }

    /// `NAME :: OTHER;` and `NAME :: ns.other;`: the declaration it stands for, or null if it is no plain name.
    Symbol* aliasTarget(const Expr* value) {
        if (const auto* n = llvm::dyn_cast<NameRef>(value)) {
            auto found = lookup(sema_, n->id.name, context_.scope, context_.limit, s_.file);
            return found.ambiguous ? nullptr : found.symbol;
        }
        const auto* m = llvm::dyn_cast<Member>(value);
        if (!m || m->isIndex || m->optional) return nullptr;
        Symbol* base = aliasTarget(m->base);
        if (!base) return nullptr;
        base = resolve(sema_, base);
        if (base->kind != SymbolKind::Namespace) return nullptr;
        return lookupMember(*base->module, m->name.name, *s_.file);
    }

    void constant(const ConstDecl& d) {
        if (d.type) {
            TypeId type = resolveType(sema_, d.type, context_);
            if (type == TypeId::None) {
                s_.kind = SymbolKind::Error;
                return;
            }
            if (type != TypeId::Type || !namesType(sema_, d.value, context_)) return value(d, type);
        }
        if (Symbol* target = aliasTarget(d.value)) {
            if (target->scope || target->decl) {
                Symbol* real = resolve(sema_, target);
                copyFrom(*real);
                return;
            }
        }
        if (d.value->kind != ExprKind::Run && namesType(sema_, d.value, context_)) {
            TypeId type = resolveType(sema_, d.value, context_);
            s_.kind = type == TypeId::None ? SymbolKind::Error : SymbolKind::Type;
            s_.type = type == TypeId::None ? type : namedAlias(sema_, type, d.value, sema_.text(s_.name));
            return;
        }
        value(d, TypeId::None);
    }

    void copyFrom(Symbol& real) {
        if (real.resolving) {
            s_.kind = SymbolKind::Error;
            return;
        } // a cycle, reported
        s_.aliasOf = &real;
        s_.kind = real.kind;
        s_.type = real.type;
    }

    void value(const ConstDecl& d, TypeId type) {
        bool isRun = d.value->kind == ExprKind::Run;
        if (const auto* lit = llvm::dyn_cast<ArrayLit>(withoutParens(d.value))) {
            if (!isConstantArray(sema_, *lit, context_, type)) {
                s_.kind = SymbolKind::Error;
                return;
            }
        }
        if (!checkConstantKind(sema_, d.value, type, context_.scope, context_.limit, s_.file)) {
            s_.kind = SymbolKind::Error;
            return;
        }
        std::optional<Value> v =
            sema_.bodies->evaluateConstant(d.value, type, context_.scope, context_.limit, s_.file, isRun);
        if (!v) {
            s_.kind = SymbolKind::Error;
            return;
        }
        if (v->isConst() && v->constant.kind == ConstValue::Kind::Type) v = Value::ofType(v->constant.t);
        if (v->isTypeName()) {
            s_.kind = SymbolKind::Type;
            s_.type = v->namedType;
            return;
        }
        if (v->kind == Value::Kind::Function) {
            s_.kind = SymbolKind::Function;
            s_.function = v->function;
            return;
        }
        if (!v->isConst()) { // a struct constant that does not fold: evaluated anew at every use
            s_.kind = SymbolKind::RuntimeConst;
            s_.type = v->type;
            return;
        }
        s_.kind = SymbolKind::Constant;
        s_.type = v->type;
        s_.constantValue = sema_.make<ConstValue>(v->constant);
        if (v->constant.kind == ConstValue::Kind::Data)
            s_.global = constGlobal(sema_, s_.type, *v->constant.data, sema_.text(s_.name), s_.nameSpan);
    }

    void notConstant(const VarDecl& d, const std::string& name) {
        sema_.diags
            .error(d.init->span, "the initializer of the global " + code(name) + " is not a compile-time constant")
            .help("evaluate it while compiling with `#run`, or assign it in a function");
    }

    /// `fallback : Allocator = c_allocator;`: an `#identity` value that names another global borrows it
    /// (generics.md 4.8).
    bool borrowed(const VarDecl& d, TypeId type, ir::ConstData& out) {
        if (!d.init || type == TypeId::None || sema_.types.kind(type) != TypeKind::Protocol ||
            !sema_.types.protocolInfo(type).isIdentity)
            return false;
        std::optional<bool> written =
            writeBorrowedGlobal(sema_, d.init, type, context_.scope, context_.limit, s_.file, out, 0);
        if (!written) return false;
        if (!*written) s_.kind = SymbolKind::Error;
        return true;
    }

    /// The bytes of a global from its initializer, which gives a type that is not written. False after a report.
    bool initialized(const VarDecl& d, TypeId& type, ir::Global& g) {
        bool isConstant = isConstantExpression(sema_, d.init, context_.scope, context_.limit, s_.file, true);
        if (!isConstant && type != TypeId::None) {
            notConstant(d, g.name);
            return false;
        }
        std::optional<Value> v =
            sema_.bodies->evaluateConstant(d.init, type, context_.scope, context_.limit, s_.file, false);
        if (v && v->isTypeName()) v = Value::ofConst(TypeId::Type, ConstValue::ofType(v->namedType));
        if (!v || !v->isConst() || !isConstant) {
            if (v) notConstant(d, g.name);
            return false;
        }
        type = v->type;
        if (v->constant.kind == ConstValue::Kind::Data) makeBackingWritable(sema_.module, *v->constant.data);
        return v->constant.kind == ConstValue::Kind::Undef || writeConstant(sema_, v->constant, type, g.init, 0);
    }

    /// The bytes of a global without an initializer. False after a report.
    bool defaulted(const VarDecl& d, TypeId type, ir::Global& g) {
        if (!completeDeep(sema_, type, d.type->span)) return false;
        std::optional<ir::ConstData> zero = defaultConstant(sema_, type);
        if (!zero) {
            sema_.diags.error(s_.nameSpan, "a field default of " + code(sema_.types, type) +
                                               " is not a compile-time constant, so the global " + code(g.name) +
                                               " needs an initializer");
            return false;
        }
        g.init = std::move(*zero);
        return true;
    }

    void global(const VarDecl& d) {
        ir::Global g;
        g.name = sema_.text(s_.name);
        g.span = s_.nameSpan;
        TypeId type = d.type ? resolveType(sema_, d.type, context_) : TypeId::None;
        if (d.type && type == TypeId::None) {
            s_.kind = SymbolKind::Error;
            return;
        }
        if (d.isExtern) {
            g.isExtern = true;
            g.symbol = d.symbol.empty() ? g.name : d.symbol.str();
        } else if (borrowed(d, type, g.init)) {
            if (s_.kind == SymbolKind::Error) return;
        } else if (!(d.init ? initialized(d, type, g) : defaulted(d, type, g))) {
            s_.kind = SymbolKind::Error;
            return;
        }
        if (!completeDeep(sema_, type, s_.nameSpan)) {
            s_.kind = SymbolKind::Error;
            return;
        }
        if (!d.isExtern) g.symbol = uniqueSymbol(sema_, g.name);
        g.type = type;
        g.size = sizeOf(sema_.types, type);
        g.align = static_cast<uint32_t>(alignOf(sema_.types, type));
        sema_.module.globals.push_back(std::move(g));
        s_.global = static_cast<ir::GlobalId>(sema_.module.globals.size() - 1);
        s_.type = type;
        s_.kind = SymbolKind::Global;
    }

    Sema& sema_;
    Symbol& s_;
    TypeContext context_;
};

} // namespace

void reportTooDeep(Sema& sema, Span at) {
    if (!sema.tooDeep)
        sema.diags.error(at, "the declarations that lead here depend on each other in a chain that is too long")
            .help("give some of them written types, or build the values step by step");
    sema.tooDeep = true;
}

Symbol* resolve(Sema& sema, Symbol* s) {
    while (s->aliasOf) s = s->aliasOf;
    if (s->kind != SymbolKind::Unresolved) return s;
    if (s->resolving) {
        // Report once, at the first declaration of the cycle.
        size_t from = sema.resolving.size();
        while (from > 0 && sema.resolving[from - 1] != s) --from;
        if (from > 0) --from;
        Symbol* first = s;
        std::string chain;
        for (size_t i = from; i < sema.resolving.size(); ++i) {
            if (sema.resolving[i]->nameSpan.begin < first->nameSpan.begin) first = sema.resolving[i];
            chain += sema.text(sema.resolving[i]->name) + " -> ";
            sema.resolving[i]->isCyclic = true;
        }
        sema.diags.error(first->nameSpan,
                         code(sema, first->name) + " is defined in terms of itself: " + chain + sema.text(s->name));
        s->kind = SymbolKind::Error;
        return s;
    }
    if (stackIsLow()) {
        reportTooDeep(sema, s->nameSpan);
        s->kind = SymbolKind::Error;
        return s;
    }
    if (sema.journal) sema.journal->resolved.emplace_back(s, *s);
    s->resolving = true;
    sema.resolving.push_back(s);
    Resolver(sema, *s).run();
    sema.resolving.pop_back();
    s->resolving = false;
    if (s->kind == SymbolKind::Unresolved) s->kind = SymbolKind::Error;
    while (s->aliasOf) s = s->aliasOf;
    return s;
}

} // namespace sx::sema
