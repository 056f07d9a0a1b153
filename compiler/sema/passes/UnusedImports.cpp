// Imports that nothing in their file needs (modules-and-comptime 1, 2).
//
// An import through which checking has found a name is used. Of the rest only the text of the file tells, because
// functions that nothing reaches are not looked at: a plain import is used if some word of the file is a name of the
// module, a namespace if its name stands anywhere else. Imports that do something by being there count as used, too.
#include "sema/passes/Passes.h"

#include "sema/Modules.h"
#include "sema/Sema.h"
#include "sema/Warnings.h"
#include "sema/Wording.h"
#include "sema/passes/ImportGraph.h"
#include "syntax/Lexer.h"

#include "llvm/ADT/STLExtras.h"

#include <optional>

namespace sx::sema {

using namespace ast;

namespace {

/// Whether a file does more than declare names.
bool actsByItself(const SourceFile& file) {
    for (const Decl* d : file.items) switch (d->kind) {
        case DeclKind::Impl:
        case DeclKind::RunStmt:
        case DeclKind::Asm:
        case DeclKind::ContextExtend:
        case DeclKind::ImportC:
        case DeclKind::Library:
        case DeclKind::Framework:
        case DeclKind::ErrorDirective:
        case DeclKind::RuntimeClass: return true;
        case DeclKind::Function:
            if (static_cast<const FunctionDecl*>(d)->linkage == Linkage::Export) return true;
            break;
        case DeclKind::Const:
            if (llvm::isa_and_nonnull<Run>(static_cast<const ConstDecl*>(d)->value)) return true;
            break;
        case DeclKind::Var:
        case DeclKind::UfcsAlias:
        case DeclKind::Struct:
        case DeclKind::Enum:
        case DeclKind::Union:
        case DeclKind::ErrorSet:
        case DeclKind::Protocol:
        case DeclKind::Import:
        case DeclKind::InlineIf: break;
        }
    return false;
}

class ImportCheck {
public:
    explicit ImportCheck(Sema& sema) : sema_(sema) {}

    void run() {
        for (const auto& file : sema_.program.files)
            if (sema_.isProgramFile(*file)) check(*file);
    }

private:
    void check(const SourceFile& file) {
        words_.clear();
        isRead_ = false;
        for (const ImportEdge& edge : file.flatImports)
            if (!edge.used && edge.decl && !isNamed(file, *edge.module) && !acts(file, *edge.module, edge.decl))
                report(*edge.decl, {});
        // Whoever imports a file sees its namespaces (2.3), and so does whoever reads a module without `main`.
        bool isProgram = file.isEntry && file.names.count(sema_.name("main"));
        for (const Symbol* s : file.order) {
            const auto* import = llvm::dyn_cast_or_null<ImportDecl>(s->decl);
            if (!import || !s->module || s->isRead || (!isProgram && !s->isPrivate)) continue;
            if (words(file).count(s->name) > 0 && words_[s->name] > 1) continue;
            if (!acts(file, *s->module, import)) report(*import, sema_.text(s->name));
        }
    }

    void report(const ImportDecl& import, const std::string& name) {
        Span at = import.span.isValid() ? import.span : import.directive;
        std::string what = name.empty() ? code(import.path.str()) : code(name);
        warn(sema_, WarningKind::UnusedImport, at, "nothing of " + what + " is used in this file", "drop the import");
    }

    /// How often each word stands in the file. Text that code makes may use any of them.
    const llvm::DenseMap<Name, unsigned>& words(const SourceFile& file) {
        if (isRead_) return words_;
        isRead_ = true;
        for (const Token& t : lexFile(sema_.sources, file.id, sema_.names)) {
            if (t.kind == TokenKind::DirInsert) inserts_ = &file;
            if (isIdentLike(t.kind)) ++words_[t.name()];
        }
        return words_;
    }

    bool isNamed(const SourceFile& file, const ModuleUnit& module) {
        words(file);
        if (inserts_ == &file) return true;
        for (const SourceFile* other : module.files)
            for (const Symbol* s : other->order)
                if (!s->isPrivate && words_.count(s->name) && sema_.names.text(s->name) != "main") return true;
        return false;
    }

    /// The module acts by itself, or another does that only this import brings into the program; or it brings functions
    /// that the file calls with a dot, which needs no name in sight.
    bool acts(const SourceFile& from, const ModuleUnit& module, const ImportDecl* import) {
        for (const SourceFile* file : module.files)
            if (actsByItself(*file) || isDotCalled(from, *file)) return true;
        if (!graph_) graph_.emplace(sema_.program);
        return llvm::any_of(graph_->onlyBy(import),
                            [&](const SourceFile* file) { return actsByItself(*file) || isDotCalled(from, *file); });
    }

    bool isDotCalled(const SourceFile& from, const SourceFile& module) {
        words(from);
        return llvm::any_of(module.order, [&](const Symbol* s) {
            const auto* f = llvm::dyn_cast_or_null<FunctionDecl>(s->decl);
            return ((f && f->isUfcs) || llvm::isa_and_nonnull<UfcsAliasDecl>(s->decl)) && words_.count(s->name);
        });
    }

    Sema& sema_;
    llvm::DenseMap<Name, unsigned> words_; ///< of the file being checked, once asked for
    bool isRead_ = false;
    const SourceFile* inserts_ = nullptr; ///< the file has an `#insert`
    std::optional<ImportGraph> graph_;    ///< once asked for
};

} // namespace

void warnOfUnusedImports(Sema& sema) {
    if (sema.options.warnings) ImportCheck(sema).run();
}

} // namespace sx::sema
