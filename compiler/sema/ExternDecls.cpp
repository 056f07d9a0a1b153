// What all `extern` and `export` declarations of the program have to agree on (modules-and-comptime 8.1).
#include "sema/ExternDecls.h"

#include "sema/Declare.h"
#include "sema/Functions.h"
#include "sema/Modules.h"
#include "sema/Nominal.h"
#include "sema/Wording.h"
#include "types/Derived.h"
#include "types/MachineForm.h"

#include "llvm/ADT/DenseSet.h"

#include <algorithm>
#include <optional>

namespace sx::sema {

using namespace ast;

namespace {

/// The `#library` or named `#import c` of the program that a handle stands for; null if there is none.
const Decl* libraryNamed(const Sema& sema, Name handle) {
    for (const auto& file : sema.program.files)
        for (const Symbol* s : file->order)
            if (s->name == handle && s->decl &&
                (s->decl->kind == DeclKind::ImportC || s->decl->kind == DeclKind::Library))
                return s->decl;
    return nullptr;
}

void forEachLinked(const SourceFile& file, llvm::function_ref<void(const FunctionDecl&, Symbol&)> visit) {
    for (Symbol* s : file.order)
        if (const auto* fn = llvm::dyn_cast_or_null<FunctionDecl>(s->decl); fn && fn->linkage != Linkage::Normal)
            visit(*fn, *s);
}

} // namespace

/// The C symbol that a declaration binds: the written one, or its name.
static llvm::StringRef boundSymbol(const Sema& sema, const Decl& d) {
    const auto* fn = llvm::dyn_cast<FunctionDecl>(&d);
    llvm::StringRef written = fn ? fn->symbol : llvm::cast<VarDecl>(d).symbol;
    return written.empty() ? llvm::StringRef(sema.names.text(d.name.name)) : written;
}

std::string cSymbol(const Sema& sema, const Decl& d) { return boundSymbol(sema, d).str(); }

namespace {

/// The C that gives symbols to the inline functions of headers, as their reader writes it: lines `//c NAME CODE`,
/// `//h HEADER`, `//o OPTION`. Those that the program does not mention are left out; nullopt: all are.
std::optional<CFile> inlineFunctions(const Sema& sema, const SourceFile& header) {
    CFile made{{"", "the inline functions of " + std::string(sema.sources.path(header.id)), {}}, ""};
    std::string includes;
    llvm::SmallVector<llvm::StringRef, 0> lines;
    llvm::StringRef(sema.sources.text(header.id)).split(lines, '\n');
    sema.names.countMentions(false);
    for (llvm::StringRef line : lines) {
        if (line.consume_front("//h ")) includes += "#include \"" + line.str() + "\"\n";
        if (line.consume_front("//o ")) made.source.options.push_back(line.str());
        if (!line.consume_front("//c ")) continue;
        auto [name, code] = line.split(' ');
        if (sema.names.isMentioned(sema.names.intern(name))) made.content += code.str() + "\n";
    }
    sema.names.countMentions(true);
    if (made.content.empty()) return std::nullopt;
    made.content = includes + made.content;
    return made;
}

} // namespace

std::vector<CFile> cFiles(const Sema& sema) {
    std::vector<CFile> files;
    for (const CSource& source : sema.program.cSources) files.push_back({source, ""});
    for (const auto& file : sema.program.files)
        if (file->isForeign)
            if (std::optional<CFile> made = inlineFunctions(sema, *file)) files.push_back(std::move(*made));
    return files;
}

std::vector<std::string> exportedSymbols(const Sema& sema) {
    std::vector<std::string> symbols;
    for (const auto& file : sema.program.files)
        forEachLinked(*file, [&](const FunctionDecl& d, Symbol&) {
            std::string symbol = cSymbol(sema, d);
            if (d.linkage == Linkage::Export && !llvm::is_contained(symbols, symbol))
                symbols.push_back(std::move(symbol));
        });
    return symbols;
}

static void noteLibrary(Sema& sema, const Decl* declared) {
    const auto* library = llvm::dyn_cast_or_null<LibraryDecl>(declared);
    if (!library) return;
    std::string name = library->library.str();
    if (!llvm::is_contained(sema.module.libraries, name)) sema.module.libraries.push_back(name);
}

bool useLibrary(Sema& sema, Name handle) {
    const Decl* declared = libraryNamed(sema, handle);
    noteLibrary(sema, declared);
    return declared;
}

void noteOwnLibraries(Sema& sema) {
    for (const auto& file : sema.program.files)
        if (sema.isProgramFile(*file))
            for (const Symbol* s : file->order) noteLibrary(sema, s->decl);
}

void checkExternLibraries(Sema& sema) {
    llvm::DenseSet<Name> known; // most functions name the same few
    for (auto& file : sema.program.files)
        forEachLinked(*file, [&](const FunctionDecl& d, Symbol&) {
            if (d.linkage != Linkage::Extern || !d.library || known.contains(d.library.name)) return;
            if (libraryNamed(sema, d.library.name)) {
                known.insert(d.library.name);
                return;
            }
            sema.diags.error(d.span, "no module of this program declares the library " + code(sema, d.library.name))
                .help("declare it with " + code(sema.text(d.library.name) + " :: #library \"…\";"));
        });
}

TypeId externType(TypeTable& types, TypeId t) {
    TypeId plain = types.kind(t) == TypeKind::Optional ? types.elem(t) : t;
    if (plain == TypeId::String) return manyPointerTo(types, TypeId::U8);
    if (types.kind(plain) == TypeKind::Slice) return manyPointerTo(types, types.elem(plain));
    return t;
}

TypeId externResult(TypeTable& types, TypeId result) {
    TypeId plain = types.kind(result) == TypeKind::Optional ? types.elem(result) : result;
    return plain == TypeId::String ? externType(types, result) : result;
}

namespace {

/// Collects what the program binds to C symbols, and compares it.
class ExternSymbols {
public:
    explicit ExternSymbols(Sema& sema) : sema_(sema), types_(sema.types) {}

    void run() {
        countDeclarations();
        each([&](const Decl& d, Symbol& s, const SourceFile& file) {
            // What the library alone declares, and once, agrees with all others: most of what it has of libc.
            if (!reports_ || sema_.isProgramFile(file) || declarations_.lookup(boundSymbol(sema_, d)) > 1) look(d, s);
        });
    }

    /// Compares a declaration inside a function with those of the program, and with `other`, a declaration inside a
    /// function.
    void runLocal(FunctionInstance& i, FunctionInstance* other) {
        reports_ = false;
        run();
        reports_ = true;
        const FunctionDecl& d = *i.tmpl->decl;
        if (other) known_.try_emplace(cSymbol(sema_, d), Declaration{other->type, other->tmpl->decl, true, false});
        compare(cSymbol(sema_, d), {i.type, &d, true, false});
    }

private:
    struct Declaration {
        TypeId type;
        const Decl* decl;
        bool isFunction, isExport;
    };

    /// Calls `visit(declaration, its symbol, its file)` for what the files bind to C symbols.
    template <class Visit> void each(Visit visit) {
        for (SourceFile* file : importOrder(sema_))
            for (Symbol* s : file->order) {
                const auto* fn = llvm::dyn_cast_or_null<FunctionDecl>(s->decl);
                const auto* var = llvm::dyn_cast_or_null<VarDecl>(s->decl);
                if ((fn && fn->linkage != Linkage::Normal) || (var && var->isExtern)) visit(*s->decl, *s, *file);
            }
    }

    void countDeclarations() {
        each([&](const Decl& d, Symbol&, const SourceFile&) { ++declarations_[boundSymbol(sema_, d)]; });
    }

    void look(const Decl& d, Symbol& s) {
        if (const auto* fn = llvm::dyn_cast<FunctionDecl>(&d)) function(*fn, s);
        else variable(llvm::cast<VarDecl>(d), s);
    }

    void function(const FunctionDecl& d, Symbol& s) {
        Symbol* function = resolve(sema_, &s);
        if (function->kind != SymbolKind::Function || function->function->isGeneric) return;
        FunctionInstance* i = instance(sema_, *function->function);
        if (!i || i->signatureFailed) return;
        std::string symbol = cSymbol(sema_, d);
        bool isExport = d.linkage == Linkage::Export;
        if (isExport) sema_.instances.exported.try_emplace(symbol, function->function);
        compare(symbol, {i->type, &d, true, isExport});
    }

    void variable(const VarDecl& d, Symbol& s) {
        Symbol* variable = resolve(sema_, &s);
        if (variable->kind != SymbolKind::Global) return;
        compare(boundSymbol(sema_, d).str(), {variable->type, &d, false, false});
    }

    void compare(const std::string& symbol, const Declaration& now) {
        auto [it, isNew] = known_.try_emplace(symbol, now);
        const Declaration& first = it->second;
        if (isNew || !reports_ || mayDiffer(first, now) || agree(first, now)) return;
        sema_.diags
            .error(lastByte(now.decl->span), "the C symbol " + code(symbol) + " is declared as " +
                                                 code(types_, now.type) + " here, and as " + code(types_, first.type) +
                                                 " before")
            .note(first.decl->span, "the first declaration is here");
    }

    /// What headers say is C's business, and the library may know a function of C by another type (`memset` without its
    /// result): each call is made as its own declaration says.
    bool mayDiffer(const Declaration& a, const Declaration& b) const {
        auto fileOfDecl = [&](const Declaration& d) { return fileOf(sema_, sema_.sources.fileOf(d.decl->span.begin)); };
        const SourceFile* files[2] = {fileOfDecl(a), fileOfDecl(b)};
        bool isForeign = (files[0] && files[0]->isForeign) || (files[1] && files[1]->isForeign);
        return isForeign && llvm::all_of(files, [](const SourceFile* file) { return file && file->isLibrary; });
    }

    bool agree(const Declaration& a, const Declaration& b) {
        if (a.isFunction != b.isFunction) return false;
        if (a.type == b.type && a.isExport == b.isExport) return true;
        if (!a.isFunction)
            return completeDeep(sema_, a.type) && completeDeep(sema_, b.type) && haveSameLayout(types_, a.type, b.type);
        const FunctionInfo &x = types_.functionInfo(a.type), &y = types_.functionInfo(b.type);
        if (x.params.size() != y.params.size() || x.cVariadic != y.cVariadic || !sameForm(result(x, a), result(y, b)))
            return false;
        for (size_t i = 0; i < x.params.size(); ++i)
            if (!sameForm(param(x, i, a), param(y, i, b))) return false;
        return true;
    }

    bool sameForm(TypeId a, TypeId b) {
        return a == b || (completeDeep(sema_, a) && completeDeep(sema_, b) && haveSameForm(types_, a, b));
    }
    TypeId param(const FunctionInfo& f, size_t i, const Declaration& d) {
        return d.isExport ? f.params[i] : externType(types_, f.params[i]);
    }
    TypeId result(const FunctionInfo& f, const Declaration& d) {
        return d.isExport ? f.result : externResult(types_, f.result);
    }

    Sema& sema_;
    TypeTable& types_;
    llvm::StringMap<Declaration> known_;
    llvm::StringMap<unsigned> declarations_; ///< how many there are, by C symbol
    bool reports_ = true;
};

} // namespace

void checkLocalExtern(Sema& sema, FunctionInstance& declared, FunctionInstance* other) {
    if (!declared.signatureFailed) ExternSymbols(sema).runLocal(declared, other);
}

void checkExternSymbols(Sema& sema) { ExternSymbols(sema).run(); }

} // namespace sx::sema
