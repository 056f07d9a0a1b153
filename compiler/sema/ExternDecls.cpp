// What all `extern` and `export` declarations of the program have to agree on (modules-and-comptime 8.1).
#include "sema/Sema.h"

#include <algorithm>

namespace sx::sema {

using namespace ast;

namespace {

/// The `#library` or named `#import c` of the program that a handle stands for; null if there is none.
const Decl* libraryNamed(const Sema& sema, Name handle) {
    for (const auto& file : sema.files)
        for (const Symbol* s : file->order)
            if (s->name == handle && s->decl && (s->decl->kind == DeclKind::ImportC || s->decl->kind == DeclKind::Library)) return s->decl;
    return nullptr;
}

void forEachLinked(const SourceFile& file, llvm::function_ref<void(const FunctionDecl&, Symbol&)> visit) {
    for (Symbol* s : file.order)
        if (const auto* fn = llvm::dyn_cast_or_null<FunctionDecl>(s->decl); fn && fn->linkage != Linkage::Normal) visit(*fn, *s);
}

} // namespace

std::string Sema::cSymbol(const FunctionDecl& d) const { return d.symbol.empty() ? text(d.name.name) : d.symbol.str(); }

bool Sema::useLibrary(Name handle) {
    const Decl* declared = libraryNamed(*this, handle);
    if (const auto* library = llvm::dyn_cast_or_null<LibraryDecl>(declared)) {
        std::string name = library->library.str();
        if (std::find(module.libraries.begin(), module.libraries.end(), name) == module.libraries.end()) module.libraries.push_back(name);
    }
    return declared;
}

void Sema::checkExternLibraries() {
    for (auto& file : files)
        forEachLinked(*file, [&](const FunctionDecl& d, Symbol&) {
            if (d.linkage != Linkage::Extern || !d.library || libraryNamed(*this, d.library.name)) return;
            diags.error(d.span, "no module of this program declares the library `" + text(d.library.name) + "`")
                .help("declare it with `" + text(d.library.name) + " :: #library \"…\";`");
        });
}

void Sema::checkExternSymbols() {
    struct First { const FunctionInstance* instance; const FunctionDecl* decl; };
    llvm::StringMap<First> known;
    for (SourceFile* file : importOrder())
        forEachLinked(*file, [&](const FunctionDecl& d, Symbol& s) {
            Symbol* function = resolve(&s);
            if (function->kind != SymbolKind::Function || function->function->isGeneric) return;
            FunctionInstance* i = instance(*function->function);
            if (!i || i->signatureFailed) return;
            std::string symbol = cSymbol(d);
            if (d.linkage == Linkage::Export) exported.try_emplace(symbol, function->function);
            auto [first, isNew] = known.try_emplace(symbol, First{i, &d});
            if (isNew || first->second.instance->type == i->type) return;
            Span end{d.span.end + uint32_t(-1), d.span.end};
            std::string before = types.writtenName(first->second.instance->type);
            diags.error(end, "the C symbol `" + symbol + "` is declared as `" + types.writtenName(i->type) + "` here, and as `" + before + "` before")
                .note(first->second.decl->span, "the first declaration is here");
        });
}

} // namespace sx::sema
