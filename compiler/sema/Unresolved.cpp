// What is said about a name that means nothing where it stands: whether it is ambiguous, private, a member of a
// namespace, in a module that the file does not import, or misspelled.
//
// Everything that one missing import leaves unknown is one mistake: it is said at the first name, and later names of
// the file that the same import would give are silent.
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

/// The line that the file lacks, if the name is one that an import would give; "" if it is not.
std::string missingImport(Sema& sema, Name name, Span at, SourceFile& file) {
    std::string spelled = sema.text(name);
    if (isPreludeName(sema, spelled, file)) return PreludeImport;
    std::string_view text = sema.sources.text(file.id);
    size_t next = at.end.raw - sema.sources.start(file.id).raw;
    if (next >= text.size() || text[next] != '.') return {}; // only a module's name is followed by a member
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

/// The names that may be meant: those that are declared, and the language's own.
std::vector<std::string_view> namesInReach(const Sema& sema, const Scope* scope, const SourceFile& file, bool isType) {
    std::vector<std::string_view> names;
    auto add = [&](Name name, const Symbol* symbol) {
        if (!isType || (symbol && mayBeType(*symbol))) names.push_back(sema.names.text(name));
    };
    for (const Scope* s = scope; s; s = s->parent)
        for (const Scope::Entry& e : s->entries) add(e.name, e.symbol);
    for (auto& [n, symbol] : file.names) add(n, symbol);
    for (const ImportEdge& edge : file.flatImports)
        for (const SourceFile* other : edge.module->files)
            for (auto& [n, symbol] : other->names)
                if (!symbol->isPrivate) add(n, symbol);
    for (std::string_view word : builtinTypeNames())
        if (word.size() > 2) names.push_back(word);
    if (isType) return names;
    for (std::string_view word : intrinsicNames()) names.push_back(word);
    for (std::string_view word : longKeywords()) names.push_back(word);
    return names;
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
    Diagnostic& d = sema.diags.error(at, unknown);
    if (!foreign.empty()) {
        d.help(std::string(foreign));
        return;
    }
    if (Span tag = isType ? Span{} : errorTagSpan(sema, name); tag.isValid()) {
        d.note(tag, "there is an error tag of this name").help("a tag is written " + code("error." + spelled));
        return;
    }
    if (std::string type = isType ? std::string() : variantNamed(sema, name, *file); !type.empty()) {
        d.help("a variant is written " + code("." + spelled) +
               (type == "…" ? "" : ", or " + code(type + "." + spelled)));
        return;
    }
    if (std::string owner = isType ? std::string() : ownerOfMethod(sema, name, *file); !owner.empty()) {
        d.help(code(owner) + " has a function of this name: call it on a value, " + code("x." + spelled + "(…)") +
               ", or on the type, " + code(owner + "." + spelled + "(…)"));
        return;
    }
    suggest(d, spelled, namesInReach(sema, scope, *file, isType));
}

} // namespace sx::sema
