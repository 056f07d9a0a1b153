// The files of a program and what they import.
#pragma once

#include "sema/model/Symbols.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sx::sema {

struct ImportEdge {
    ModuleUnit* module = nullptr;
    const ast::ImportDecl* decl = nullptr;
    mutable bool used = false; ///< a name was found through it
};

/// A file of the program. Its own names, in one table.
struct SourceFile {
    FileId id{};
    std::string path; ///< normalised: identity, and where it lies
    ast::File tree;
    std::vector<const ast::Decl*> items; ///< after module-scope `inline if`, in order
    llvm::DenseMap<Name, Symbol*> names; ///< own declarations incl. namespace aliases
    std::vector<Symbol*> order;          ///< the same in order of declaration
    std::vector<ImportEdge> flatImports;
    std::vector<ModuleUnit*> cUnits;         ///< of its `#import c` declarations: what their headers declare
    bool isForeign = false;                  ///< made of C headers (importC)
    bool isEntry = false, isLibrary = false; ///< library: found under a library root
    ModuleUnit* unit = nullptr;              ///< the single-file module of this file
};

/// What an import reaches: one file, or the files of a directory.
struct ModuleUnit {
    std::string path;               ///< as diagnostics spell it
    std::vector<SourceFile*> files; ///< byte-wise alphabetical for a directory
    bool isDirectory = false;
};

/// A file of C that is part of the program.
struct CSource {
    std::string path;                 ///< absolute, normalised
    std::string shown;                ///< as messages spell it
    std::vector<std::string> options; ///< for the C compiler, in order
};

struct Program {
    std::vector<std::unique_ptr<SourceFile>> files;
    std::vector<std::unique_ptr<ModuleUnit>> units;
    SourceFile* entry = nullptr;
    SourceFile* prelude = nullptr; ///< library/modules/std.sx, if loaded
    std::map<std::string, SourceFile*> filesByPath;
    std::map<std::string, ModuleUnit*> unitsByPath;
    /// Files that a message asked to add an import, with the import.
    std::vector<std::pair<const SourceFile*, std::string>> importsAskedFor;
    std::vector<std::pair<const ast::ContextExtendDecl*, SourceFile*>> contextFields; ///< in their order
    std::vector<CSource> cSources;                                                    ///< in order of import
};

} // namespace sx::sema
