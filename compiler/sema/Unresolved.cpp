// What is said about a name that means nothing where it stands: whether it is ambiguous, private, a member of a
// namespace, in a module that the file does not import, or misspelled.
//
// Everything that one missing import leaves unknown is one mistake: it is said at the first name, and later names of
// the file that the same import would give are silent.
#include "sema/Declare.h"
#include "sema/Functions.h"
#include "sema/Lookup.h"
#include "sema/Modules.h"
#include "sema/Notes.h"
#include "sema/Wording.h"
#include "source/Files.h"
#include "source/Paths.h"
#include "syntax/BuiltinTypes.h"
#include "syntax/KnownNames.h"

namespace sx::sema {

namespace {

constexpr const char* PreludeImport = "#import \"modules/std.sx\";";

/// The name as `a.name`, where the file imports a module as `a` that declares it; "" if there is none.
std::string qualifiedName(Sema& sema, Name name, SourceFile& file) {
    for (const Symbol* s : file.order)
        if (s->module && s->isNamespaceAlias() && lookupMember(*s->module, name, file))
            return sema.text(s->name) + "." + sema.text(name);
    return {};
}

/// The prelude declares a name, which the file does not import. Its text tells: a declaration begins a line.
bool isPreludeName(const Sema& sema, const std::string& name, const SourceFile& file) {
    for (const ImportEdge& edge : file.flatImports)
        for (const SourceFile* other : edge.module->files)
            if (other == sema.program.prelude) return false;
    for (const std::string& root : sema.options.libraryRoots) {
        Result<std::string> text = readTextFile(root + "/modules/std.sx");
        if (text && text->find("\n" + name + " ::") != std::string::npos) return true;
    }
    return false;
}

/// The path by which a module is imported that would be called `name`: of the library, or beside the file.
std::string moduleNamed(const Sema& sema, const std::string& name, const SourceFile& file) {
    for (const std::string& root : sema.options.libraryRoots)
        for (const char* folder : {"modules/std/", "modules/", "modules/math/"})
            if (std::string path = folder + name + ".sx"; isFile(root + "/" + path)) return path;
    std::string own = directoryOf(joinPath(sema.options.workingDirectory, file.path));
    return isFile(own + "/" + name + ".sx") ? name + ".sx" : std::string();
}

/// `name.…`: the module that the other files of the program call so.
std::string moduleOfOtherFile(const Sema& sema, Name name, const SourceFile& file) {
    for (const auto& other : sema.program.files) {
        auto it = other->names.find(name);
        if (other.get() == &file || it == other->names.end() || !it->second->isNamespaceAlias() || !it->second->module)
            continue;
        const ModuleUnit& unit = *it->second->module;
        if (unit.isDirectory || unit.files.empty()) return unit.path;
        return std::string(sema.sources.tracePath(unit.files.front()->id));
    }
    return {};
}

/// The text of the file behind a place.
std::string_view textBehind(const Sema& sema, const SourceFile& file, Span at) {
    std::string_view text = sema.sources.text(file.id);
    return text.substr(std::min<size_t>(at.end.raw - sema.sources.start(file.id).raw, text.size()));
}

/// The line that the file lacks, if the name is one that an import would give; "" if it is not.
std::string missingImport(Sema& sema, Name name, Span at, SourceFile& file) {
    std::string spelled = sema.text(name);
    if (isPreludeName(sema, spelled, file)) return PreludeImport;
    if (!textBehind(sema, file, at).starts_with('.')) return {}; // only a module's name is followed by a member
    std::string path = moduleNamed(sema, spelled, file);
    if (path.empty()) path = moduleOfOtherFile(sema, name, file);
    return path.empty() ? path : spelled + " :: #import \"" + path + "\";";
}

/// Where an error set of the program's own files declares a tag.
Span errorTagSpan(const Sema& sema, Name name) {
    for (const auto& file : sema.program.files)
        for (const ast::Decl* d : file->items)
            if (const auto* set = llvm::dyn_cast<ast::ErrorSetDecl>(d))
                for (const ast::Ident& tag : set->tags)
                    if (tag.name == name) return tag.span;
    return {};
}

/// `E.cellar`, where exactly one enum that the file sees has a variant of this name.
std::string variantNamed(Sema& sema, Name name, SourceFile& file) {
    std::string found;
    auto in = [&](const SourceFile& other) {
        for (const ast::Decl* d : other.items) {
            const auto* e = llvm::dyn_cast<ast::EnumDecl>(d);
            if (!e || (d->isPrivate && &other != &file)) continue;
            for (const ast::VariantDecl& v : e->variants)
                if (v.name.name == name) found = found.empty() ? sema.text(d->name.name) : "…";
        }
    };
    in(file);
    for (const ImportEdge& edge : file.flatImports)
        for (const SourceFile* other : edge.module->files)
            if (!other->isLibrary) in(*other);
    return found;
}

/// `greet(p)`, where a struct of the file has a method of this name; "": none has.
std::string ownerOfMethod(Sema& sema, Name name, const SourceFile& file) {
    for (const ast::Decl* d : file.items) {
        const auto* s = llvm::dyn_cast<ast::StructDecl>(d);
        if (!s) continue;
        for (const ast::MemberDecl& m : s->members)
            if (m.kind == ast::MemberKind::Decl && llvm::isa<ast::FunctionDecl>(m.decl) && m.decl->name.name == name)
                return sema.text(d->name.name);
    }
    return {};
}

/// A member that a type declares for itself, which a bare name in it does not mean.
struct OwnMember {
    const ast::MemberDecl* member = nullptr;
    const ast::FunctionDecl* method = nullptr; ///< in which the name stands
    std::string owner;                         ///< `Outer.Inner`
    bool isGeneric = false;
};

/// The member called `name` of the innermost struct around `at` that has one.
OwnMember ownMember(Sema& sema, llvm::ArrayRef<const ast::Decl*> decls, Name name, Span at, const std::string& outer) {
    auto holds = [&](Span whole) { return whole.begin <= at.begin && at.end <= whole.end; };
    for (const ast::Decl* d : decls) {
        const auto* s = llvm::dyn_cast_or_null<ast::StructDecl>(d);
        if (!s || !holds(s->span)) continue;
        OwnMember found;
        found.owner = outer + sema.text(s->name.name);
        found.isGeneric = !s->typeParams.empty();
        llvm::SmallVector<const ast::Decl*, 8> inner;
        for (const ast::MemberDecl& m : s->members) {
            bool isField = m.kind == ast::MemberKind::Field;
            if (m.kind == ast::MemberKind::Decl) inner.push_back(m.decl);
            if ((isField ? m.field.name.name : m.decl ? m.decl->name.name : Name::None) == name) found.member = &m;
            const auto* fn = m.kind == ast::MemberKind::Decl ? llvm::dyn_cast<ast::FunctionDecl>(m.decl) : nullptr;
            if (fn && holds(fn->span)) found.method = fn;
        }
        OwnMember nested = ownMember(sema, inner, name, at, found.owner + ".");
        return nested.member ? nested : found;
    }
    return {};
}

/// Says how a member of the type around a place is reached. False: there is none of that name.
bool helpWithOwnMember(Sema& sema, Diagnostic& d, Name name, Span at, const SourceFile& file, bool isType) {
    OwnMember own = ownMember(sema, file.items, name, at, "");
    if (!own.member) return false;
    std::string spelled = sema.text(name);
    if (own.member->kind == ast::MemberKind::Field) {
        if (isType) return false;
        const auto* receiver = own.method && !own.method->params.empty() ? &own.method->params.front().name : nullptr;
        bool hasSelf = receiver && sema.text(receiver->name) == "self";
        if (hasSelf) d.help("it is a field of the receiver: write " + code("self." + spelled));
        else
            d.help("it is a field of " + code(own.owner) + ", and a value has it: a method takes one as `self: *" +
                   own.owner + "`");
        return true;
    }
    if (llvm::isa<ast::FunctionDecl>(own.member->decl)) return false;
    if (own.isGeneric) d.help("it is declared in " + code(own.owner) + ", which is generic: declare it outside");
    else d.help("it is declared in " + code(own.owner) + ": write " + code(own.owner + "." + spelled));
    return true;
}

/// What a declaration may give where something is called.
bool mayBeCalled(const Sema& sema, const Symbol& s) {
    switch (s.kind) {
    case SymbolKind::Namespace:
    case SymbolKind::Library:
    case SymbolKind::Pack: return false;
    case SymbolKind::Unresolved: return !llvm::isa_and_nonnull<ast::VarDecl>(s.decl) && !s.module;
    case SymbolKind::Local:
    case SymbolKind::Global:
    case SymbolKind::Constant: {
        TypeKind kind = s.type == TypeId::None ? TypeKind::Function : sema.types.kind(s.type);
        return kind == TypeKind::Function || kind == TypeKind::Closure || kind == TypeKind::Optional;
    }
    default: return true;
    }
}

/// How the name is used, which tells what can be meant by it.
enum class Wanted : uint8_t { Value, Type, Call };

/// What a declaration may give where a type is wanted.
bool mayBeType(const Symbol& s) {
    switch (s.kind) {
    case SymbolKind::Unresolved: return !llvm::isa_and_nonnull<ast::FunctionDecl, ast::VarDecl>(s.decl) && !s.module;
    case SymbolKind::Type:
    case SymbolKind::GenericStruct:
    case SymbolKind::GenericProtocol: return true;
    default: return false;
    }
}

/// Suggests what may be meant where a name is used: one that is declared, or one of the language's own.
class NearMiss {
public:
    NearMiss(Sema& sema, const Scope* scope, const SourceFile& file, Wanted wanted) : sema_(sema), wanted_(wanted) {
        if (wanted == Wanted::Value)
            for (std::string_view word : {"true", "false", "null"}) add(word, nullptr);
        for (const Scope* s = scope; s; s = s->parent)
            for (const Scope::Entry& e : s->entries) add(text(e.name), e.symbol);
        for (auto& [n, symbol] : file.names) add(text(n), symbol);
        for (const ImportEdge& edge : file.flatImports)
            for (const SourceFile* other : edge.module->files)
                for (auto& [n, symbol] : other->names)
                    if (!symbol->isPrivate) add(text(n), symbol);
        for (std::string_view word : builtinTypeNames()) names_.push_back(word);
        if (wanted == Wanted::Type) return;
        for (std::string_view word : intrinsicNames()) names_.push_back(word);
        for (std::string_view word : keywords()) names_.push_back(word);
    }

    void addTo(Diagnostic& d, const std::string& name) {
        for (int tries = 0; tries < 4; ++tries) {
            std::string_view near = name.size() > 2 ? nearestName(name, names_) : std::string_view();
            if (near.empty()) return;
            const auto first = static_cast<size_t>(std::find(names_.begin(), names_.end(), near) - names_.begin());
            if (first >= symbols_.size() || !symbols_[first] || fits(*symbols_[first])) {
                d.help("did you mean " + code(near) + "?");
                return;
            }
            std::replace(names_.begin(), names_.end(), near, std::string_view());
        }
    }

private:
    std::string_view text(Name name) const { return sema_.names.text(name); }
    void add(std::string_view name, Symbol* symbol) {
        names_.push_back(name);
        symbols_.push_back(symbol);
    }
    /// An alias is what it names.
    bool fits(Symbol& symbol) {
        if (wanted_ == Wanted::Value) return true;
        Symbol* s = &symbol;
        if (s->kind == SymbolKind::Unresolved && llvm::isa_and_nonnull<ast::ConstDecl>(s->decl)) {
            DiagnosticScope apart(sema_.diags);
            s = resolve(sema_, s);
        }
        return wanted_ == Wanted::Type ? mayBeType(*s) : mayBeCalled(sema_, *s);
    }

    Sema& sema_;
    Wanted wanted_;
    std::vector<std::string_view> names_;
    std::vector<Symbol*> symbols_; ///< parallel to the first of them; null: a word of the language
};

/// How much there is to look through for what may be meant by a name.
size_t sizeOfSearch(const Sema& sema, const Scope* scope, const SourceFile& file) {
    size_t size = namesInSight(scope, file);
    for (const ImportEdge& edge : file.flatImports)
        for (const SourceFile* other : edge.module->files) size += other->names.size();
    for (const auto& any : sema.program.files) size += any->items.size();
    return size;
}

/// What may be meant by a name that nothing declares. `foreign`: what another language's name of it is here.
void helpWithUnknown(Sema& sema, Diagnostic& d, Name name, Span at, const Scope* scope, SourceFile& file, bool isType,
                     std::string_view foreign) {
    std::string spelled = sema.text(name);
    if (!foreign.empty()) {
        d.help(std::string(foreign));
        return;
    }
    if (!isSearchedFor(sema.diags, sizeOfSearch(sema, scope, file))) return;
    if (Span tag = isType ? Span{} : errorTagSpan(sema, name); tag.isValid()) {
        d.note(tag, "there is an error tag of this name").help("a tag is written " + code("error." + spelled));
        return;
    }
    if (std::string type = isType ? std::string() : variantNamed(sema, name, file); !type.empty()) {
        d.help("a variant is written " + code("." + spelled) +
               (type == "…" ? "" : ", or " + code(type + "." + spelled)));
        return;
    }
    if (std::string owner = isType ? std::string() : ownerOfMethod(sema, name, file); !owner.empty()) {
        d.help(code(owner) + " has a function of this name: call it on a value, " + code("x." + spelled + "(…)") +
               ", or on the type, " + code(owner + "." + spelled + "(…)"));
        return;
    }
    if (helpWithOwnMember(sema, d, name, at, file, isType)) return;
    Wanted wanted = textBehind(sema, file, at).starts_with("(") ? Wanted::Call : Wanted::Value;
    NearMiss(sema, scope, file, isType ? Wanted::Type : wanted).addTo(d, spelled);
}

} // namespace

bool asksForImport(Sema& sema, const SourceFile& file, const std::string& import) {
    return sema.diags.isFirstAdvice(file.id, import);
}

void reportHidden(Sema& sema, Name name, Span at, const LookupResult& result, SourceFile& file) {
    std::string spelled = sema.text(name);
    auto noteEach = [&](Diagnostic& d, bool isPrivate, const char* what) {
        for (const ImportEdge& edge : file.flatImports)
            for (SourceFile* other : edge.module->files)
                if (auto it = other->names.find(name); it != other->names.end() && it->second->isPrivate == isPrivate)
                    d.note(it->second->nameSpan, what);
    };
    if (result.ambiguous) {
        Diagnostic& d =
            sema.diags.error(at, code(spelled) + " is ambiguous: more than one imported module declares it");
        noteEach(d, false, "declared here");
        d.help("import one of them under a name, `m :: #import \"…\";`, and write " + code("m." + spelled));
    } else {
        noteEach(sema.diags.error(at, code(spelled) + " is private to the file that declares it"), true,
                 "it is declared here");
    }
}

void reportUnresolved(Sema& sema, Name name, Span at, const LookupResult& result, const Scope* scope, SourceFile* file,
                      std::string_view what) {
    if (result.ambiguous || result.hiddenPrivate) return reportHidden(sema, name, at, result, *file);
    loadAllDeferred(sema);
    std::string spelled = sema.text(name);
    std::string unknown = "unknown " + std::string(what) + " " + code(spelled);
    if (std::string qualified = qualifiedName(sema, name, *file); !qualified.empty()) {
        sema.diags.error(at, unknown).help("write " + code(qualified) + ": the module is imported under a name");
        return;
    }
    if (std::string import = missingImport(sema, name, at, *file); !import.empty()) {
        if (!asksForImport(sema, *file, import)) return;
        sema.diags.error(at, unknown)
            .help((import == PreludeImport ? "the standard library declares it: add " : "add ") + code(import));
        return;
    }
    for (const ModuleUnit* unit : file->cUnits)
        if (std::string why = whyLeftOut(sema, *unit, spelled); !why.empty()) {
            sema.diags.error(at, code(spelled) + " of the C headers cannot be used: " + why);
            return;
        }
    bool isType = what == "type";
    std::string_view foreign = isType ? foreignType(spelled) : foreignValue(spelled);
    if (foreign.empty() && !isType && textBehind(sema, *file, at).starts_with(" *")) // `char *s = …`
        foreign = foreignType(spelled);
    // Somewhere in the program, but not visible here?
    for (auto& other : sema.program.files) {
        if (!foreign.empty() && !sema.isProgramFile(*other)) continue;
        if (auto it = other->names.find(name); other.get() != file && it != other->names.end() &&
                                               !it->second->isPrivate && !it->second->isNamespaceAlias()) {
            sema.diags
                .error(at, code(spelled) + " is not visible here: " + code(sema.sources.path(other->id)) +
                               " declares it, but this file does not import that module directly")
                .help("add " + code("#import \"" + std::string(sema.sources.tracePath(other->id)) + "\";"));
            return;
        }
    }
    if (isType && (spelled == "Vector" || spelled == "Array")) {
        sema.diags.error(at, code(spelled) + " is generic: its arguments are missing")
            .help("write " + code(spelled + "(LENGTH, TYPE)"));
        return;
    }
    helpWithUnknown(sema, sema.diags.error(at, unknown), name, at, scope, *file, isType, foreign);
}

} // namespace sx::sema
