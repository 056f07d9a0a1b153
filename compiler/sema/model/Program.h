// The files of a program and what they import.
#pragma once

#include "sema/model/Symbols.h"

#include <deque>
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

/// The files of a program in the order of loading. What a loop over them does may load more: it visits those that were
/// there when it began.
class FileList {
public:
    class Iterator {
    public:
        Iterator(const FileList& list, size_t at) : list_(list), at_(at) {}
        const std::unique_ptr<SourceFile>& operator*() const { return list_.files_[at_]; }
        Iterator& operator++() { return ++at_, *this; }
        bool operator!=(const Iterator& other) const { return at_ != other.at_; }

    private:
        const FileList& list_;
        size_t at_;
    };

    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }
    size_t size() const { return files_.size(); }
    bool empty() const { return files_.empty(); }
    SourceFile& operator[](size_t i) const { return *files_[i]; }
    void push_back(std::unique_ptr<SourceFile> file) { files_.push_back(std::move(file)); }

private:
    std::deque<std::unique_ptr<SourceFile>> files_;
};

/// A namespace of the prelude: its module is loaded when the program mentions it (Modules.h).
struct DeferredImport {
    Symbol* name = nullptr;
    const ast::ImportDecl* decl = nullptr;
    std::vector<Name> aliases; ///< of its members, in the prelude
};

struct Program {
    FileList files;
    std::vector<std::unique_ptr<ModuleUnit>> units;
    SourceFile* entry = nullptr;
    SourceFile* prelude = nullptr; ///< library/modules/std.sx, if loaded
    std::vector<DeferredImport> deferred;
    std::map<std::string, SourceFile*> filesByPath;
    std::map<std::string, ModuleUnit*> unitsByPath;
    std::vector<std::pair<const ast::ContextExtendDecl*, SourceFile*>> contextFields; ///< in their order
    std::vector<CSource> cSources;                                                    ///< in order of import
};

} // namespace sx::sema
