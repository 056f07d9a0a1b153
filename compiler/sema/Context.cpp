// The context struct, gathered from all `#context_extend` directives (modules-and-comptime 5), and constant
// default values.
#include "sema/Context.h"

#include "sema/Constants.h"
#include "sema/Declare.h"
#include "sema/Functions.h"
#include "sema/Impls.h"
#include "sema/Lookup.h"
#include "sema/Nominal.h"
#include "sema/NominalParts.h"
#include "sema/TypeResolver.h"
#include "sema/Wording.h"
#include "types/Layout.h"

#include <algorithm>

namespace sx::sema {

using namespace ast;

namespace {

/// One `#context_extend name: T = default;`.
struct Extension {
    const ContextExtendDecl* decl = nullptr;
    SourceFile* file = nullptr;
};

class ContextBuilder {
public:
    explicit ContextBuilder(Sema& sema) : sema_(sema), types_(sema.types) {}

    void run() {
        Symbol* context = findStruct();
        collect();
        checkDirectives();
        if (!context || context->kind != SymbolKind::Type) return;
        sema_.contextType = context->type;
        reserveGlobal();
        declareFields();
        if (!completeDeep(sema_, sema_.contextType, context->nameSpan)) return;
        fillGlobal();
        for (const Extension& e : fields_) sema_.program.contextFields.push_back({e.decl, e.file});
    }

private:
    /// The library's `Context`. A struct of that name elsewhere is an ordinary struct.
    Symbol* findStruct() {
        Name name = sema_.name("Context");
        for (auto& file : sema_.program.files) {
            auto it = file->isLibrary ? file->names.find(name) : file->names.end();
            if (it == file->names.end() || !llvm::isa_and_nonnull<StructDecl>(it->second->decl)) continue;
            return resolve(sema_, it->second);
        }
        return nullptr;
    }

    /// By declaring module's path, then by name.
    void collect() {
        for (auto& file : sema_.program.files)
            for (const Decl* d : file->items)
                if (const auto* e = llvm::dyn_cast<ContextExtendDecl>(d)) fields_.push_back({e, file.get()});
        auto before = [&](const Extension& a, const Extension& b) {
            if (a.file->path != b.file->path) return a.file->path < b.file->path;
            return sema_.names.text(a.decl->name.name) < sema_.names.text(b.decl->name.name);
        };
        std::stable_sort(fields_.begin(), fields_.end(), before);
    }

    /// Missing defaults and duplicate names; what is rejected is no field.
    void checkDirectives() {
        std::vector<Extension> good;
        for (const Extension& e : fields_) {
            std::string name = sema_.text(e.decl->name.name);
            auto first = std::find_if(good.begin(), good.end(),
                                      [&](const Extension& g) { return g.decl->name.name == e.decl->name.name; });
            if (first != good.end()) {
                sema_.diags.error(e.decl->span, "the context has a field " + code(name) + " already")
                    .note(first->decl->span, "it is declared here first");
            } else if (!e.decl->defaultValue) {
                sema_.diags
                    .error(e.decl->span,
                           "the context field " + code(name) + " needs a default: it is in force before any `push`")
                    .help("write " + code("#context_extend " + name + ": T = value;"));
            } else {
                good.push_back(e);
            }
        }
        fields_ = std::move(good);
    }

    void declareFields() {
        NominalInfo& info = *nominal(sema_, sema_.contextType);
        if (types_.structInfo(sema_.contextType).complete) return;
        std::vector<StructField> fields;
        std::vector<Extension> good;
        info.completing = true;
        for (const Extension& e : fields_) {
            TypeContext names;
            names.file = e.file;
            TypeId type = resolveType(sema_, e.decl->type, names);
            if (type == TypeId::None) continue;
            fields.push_back({e.decl->name.name, type, 0, true});
            good.push_back(e);
        }
        info.completing = false;
        fields_ = std::move(good);
        completeContext(sema_, info, std::move(fields));
    }

    /// Code that is evaluated while the context is built mentions it already.
    void reserveGlobal() {
        ir::Global g;
        g.name = "default context";
        g.symbol = uniqueSymbol(sema_, "default_context");
        g.align = 8;
        sema_.module.globals.push_back(std::move(g));
        sema_.defaultContext = static_cast<ir::GlobalId>(sema_.module.globals.size() - 1);
    }

    void fillGlobal() {
        ir::Global& g = sema_.module.global(sema_.defaultContext);
        g.type = sema_.contextType;
        g.size = sizeOf(types_, g.type);
        g.align = static_cast<uint32_t>(alignOf(types_, g.type));
        g.init.bytes.assign(g.size, 0);
    }

    Sema& sema_;
    TypeTable& types_;
    std::vector<Extension> fields_;
};

void notConstant(Sema& sema, const Expr* value, std::string_view rule) {
    sema.diags.error(value->span, "the default of a context field is a constant: " + std::string(rule));
}

void writeDefault(Sema& sema, const Expr* value, SourceFile* file, TypeId type, ir::ConstData& data, uint64_t offset) {
    if (sema.types.kind(type) == TypeKind::Protocol) {
        std::optional<bool> written = writeBorrowedGlobal(sema, value, type, nullptr, UINT32_MAX, file, data, offset);
        if (!written) notConstant(sema, value, "it names the global that it borrows");
        return;
    }
    if (!isConstantExpression(sema, value, nullptr, UINT32_MAX, file, true))
        return notConstant(sema, value, "it is known while compiling");
    std::optional<Value> v = sema.bodies->evaluateConstant(value, type, nullptr, UINT32_MAX, file, false);
    if (!v) return;
    if (!v->isConst() || !writeConstant(sema, v->constant, type, data, offset))
        notConstant(sema, value, "it is known while compiling");
}

/// The declaration that a name or `ns.name` stands for; null if it is no such thing.
Symbol* named(Sema& sema, const Expr* e, Scope* scope, uint32_t limit, SourceFile* file) {
    if (const auto* p = llvm::dyn_cast<Paren>(e)) return named(sema, p->inner, scope, limit, file);
    if (const auto* u = llvm::dyn_cast<Unary>(e); u && u->op == UnaryOp::Xx)
        return named(sema, u->operand, scope, limit, file);
    if (const auto* n = llvm::dyn_cast<NameRef>(e)) {
        LookupResult found = lookup(sema, n->id.name, scope, limit, file);
        return found.symbol && !found.ambiguous ? resolve(sema, found.symbol) : nullptr;
    }
    const auto* m = llvm::dyn_cast<Member>(e);
    Symbol* base = m && !m->isIndex && !m->optional ? named(sema, m->base, scope, limit, file) : nullptr;
    if (!base || base->kind != SymbolKind::Namespace) return nullptr;
    Symbol* found = lookupMember(*base->module, m->name.name, *file);
    return found ? resolve(sema, found) : nullptr;
}

} // namespace

void declareContext(Sema& sema) { ContextBuilder(sema).run(); }

void writeContextDefaults(Sema& sema) {
    if (sema.program.contextFields.empty()) return;
    ir::ConstData data;
    data.bytes.resize(sizeOf(sema.types, sema.contextType));
    for (unsigned i = 0; i < sema.program.contextFields.size(); ++i) {
        auto& [decl, file] = sema.program.contextFields[i];
        writeDefault(sema, decl->defaultValue, file, sema.types.structInfo(sema.contextType).fields[i].type, data,
                     fieldOffset(sema.types, sema.contextType, i));
    }
    sema.module.global(sema.defaultContext).init = std::move(data);
}

std::optional<bool> writeBorrowedGlobal(Sema& sema, const Expr* e, TypeId protocol, Scope* scope, uint32_t limit,
                                        SourceFile* file, ir::ConstData& out, uint64_t offset) {
    Symbol* s = named(sema, e, scope, limit, file);
    if (!s || s->kind == SymbolKind::Error) return s ? std::optional<bool>(false) : std::nullopt;
    if (s->kind != SymbolKind::Global) return std::nullopt;
    if (s->type == protocol) { // another protocol value: its words are copied
        uint64_t size = sizeOf(sema.types, protocol);
        if (out.bytes.size() < offset + size) out.bytes.resize(offset + size);
        return writeConstant(sema, readConstant(sema, sema.module.global(s->global).init, 0, protocol), protocol, out,
                             offset);
    }
    return writeProtocolConstant(sema, protocol, s->type, s->global, e->span, out, offset);
}

std::optional<ir::ConstData> defaultConstant(Sema& sema, TypeId type) {
    if (!completeDeep(sema, type)) return std::nullopt;
    ir::ConstData data;
    NominalInfo* info = nominal(sema, type);
    if (sema.types.kind(type) != TypeKind::Struct || !info) return data;
    const std::vector<StructField>& fields = sema.types.structInfo(type).fields;
    for (unsigned i = 0; i < fields.size() && i < info->fieldDefaults.size(); ++i) {
        const Expr* value = info->fieldDefaults[i];
        NominalInfo* owner = info->fieldOwners[i];
        if (!value || llvm::isa<UndefLit>(value)) continue;
        uint64_t offset = fieldOffset(sema.types, type, i);
        if (sema.types.kind(fields[i].type) == TypeKind::Protocol)
            if (std::optional<bool> written = writeBorrowedGlobal(sema, value, fields[i].type, owner->env,
                                                                  owner->envLimit, owner->file, data, offset)) {
                if (!*written) return std::nullopt;
                continue;
            }
        if (!isConstantExpression(sema, value, owner->env, owner->envLimit, owner->file, true)) return std::nullopt;
        std::optional<Value> v =
            sema.bodies->evaluateConstant(value, fields[i].type, owner->env, owner->envLimit, owner->file, false);
        if (!v || !v->isConst() || !writeConstant(sema, v->constant, fields[i].type, data, offset)) return std::nullopt;
    }
    return data;
}

} // namespace sx::sema
