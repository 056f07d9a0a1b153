#include "server/program/Analysis.h"

#include "cimport/ReadHeaders.h"
#include "lower/Lower.h"
#include "sema/Modules.h"
#include "sema/passes/Analyze.h"
#include "source/Installation.h"
#include "source/Paths.h"
#include "vm/Evaluator.h"

namespace sx::server {

sema::Options Analysis::options() const {
    sema::Options o;
    o.checkAll = true;
    o.requireMain = false;
    o.keepScopes = true;
    o.keepUses = true;
    o.libraryRoots = libraryRoots();
    o.workingDirectory = workingDirectory;
    o.readHeaders = [](const sema::HeaderRequest& wanted) {
        return cimport::readHeaders(wanted.headers, wanted.options);
    };
    return o;
}

Analysis::Analysis(const std::string& entry, const std::string& workingDirectory)
    : entry(entry), workingDirectory(workingDirectory), evaluator(std::make_unique<vm::Evaluator>(vm::Limits{})) {
    sema = std::make_unique<sema::Sema>(sources, ast, types, diags, module, *evaluator, options());
    bodies = lower::makeBodies(*sema);
    sema->bodies = bodies.get();
    if (Result<bool> checked = sema::analyze(*sema, entry); !checked) readError = checked.error();
    for (const auto& file : sema->program.files)
        if (!file->isForeign) files_[pathOf(file->id)] = file->id;
}

Analysis::~Analysis() = default;

const sema::SourceFile* Analysis::sourceFile(FileId id) const { return sema::fileOf(*sema, id); }

std::string Analysis::pathOf(FileId id) const {
    const sema::SourceFile* file = sourceFile(id);
    return file ? joinPath(workingDirectory, file->path) : "";
}

std::optional<FileId> Analysis::fileOf(const std::string& path) const {
    auto found = files_.find(path);
    return found == files_.end() ? std::nullopt : std::optional(found->second);
}

} // namespace sx::server
