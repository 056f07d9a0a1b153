// One check of one program, kept with all its tables.
#pragma once

#include "ir/Comptime.h"
#include "sema/Sema.h"
#include "source/Diagnostics.h"
#include "source/Files.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace sx::server {

class Analysis {
public:
    /// Checks the program of the file `entry`, as `sx check --all` does, with what `EditorTexts` says. Relative paths
    /// begin at `workingDirectory`. To be called on a large stack.
    Analysis(const std::string& entry, const std::string& workingDirectory);
    ~Analysis();
    Analysis(const Analysis&) = delete;

    /// Bodies were looked at: no error stopped the check before.
    bool reachedBodies() const { return sema->impls.declared; }
    /// The absolute path of a file.
    std::string pathOf(FileId) const;
    std::optional<FileId> fileOf(const std::string& path) const;
    const sema::SourceFile* sourceFile(FileId) const;

    const std::string entry, workingDirectory;
    SourceManager sources;
    AstContext ast;
    TypeTable types{ast.names};
    Diagnostics diags;
    ir::Module module{types, sources};
    std::unique_ptr<ir::ComptimeEvaluator> evaluator;
    std::unique_ptr<sema::Sema> sema;
    std::unique_ptr<sema::Bodies> bodies;
    std::string readError; ///< the entry could not be read

private:
    sema::Options options() const;
    std::map<std::string, FileId> files_;
};

} // namespace sx::server
