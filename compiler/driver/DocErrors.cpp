#include "driver/DocErrors.h"

#include "cimport/ReadHeaders.h"
#include "lower/Lower.h"
#include "sema/passes/Analyze.h"
#include "source/Installation.h"
#include "source/Paths.h"
#include "source/StackDepth.h"
#include "vm/Evaluator.h"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <map>
#include <unistd.h>

namespace sx::driver {

namespace {

/// While it lives nothing is written to standard output: code that runs while compiling may print.
class Silence {
public:
    Silence() : saved_(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) {
        std::fflush(stdout);
        int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (saved_ >= 0 && null >= 0) dup2(null, STDOUT_FILENO);
        if (null >= 0) close(null);
    }
    ~Silence() {
        std::fflush(stdout);
        if (saved_ < 0) return;
        dup2(saved_, STDOUT_FILENO);
        close(saved_);
    }
    Silence(const Silence&) = delete;

private:
    int saved_;
};

sema::Options optionsOfCheck() {
    sema::Options options;
    options.checkAll = true;
    options.requireMain = false;
    options.warnings = false;
    options.libraryRoots = libraryRoots();
    options.workingDirectory = workingDirectory();
    options.readHeaders = [](const sema::HeaderRequest& wanted) {
        return cimport::readHeaders(wanted.headers, wanted.options);
    };
    return options;
}

using Tags = std::map<uint32_t, std::vector<std::string>>;

/// The tags of the functions of a file, by the byte offsets of their names.
Tags inferredTags(const std::string& file) {
    Tags found;
    SourceManager sources;
    AstContext ast;
    TypeTable types(ast.names);
    Diagnostics diags;
    ir::Module module(types, sources);
    vm::Evaluator evaluator{vm::Limits{}};
    sema::Sema sema(sources, ast, types, diags, module, evaluator, optionsOfCheck());
    std::unique_ptr<sema::Bodies> bodies = lower::makeBodies(sema);
    sema.bodies = bodies.get();
    Silence silence;
    Result<bool> accepted = false;
    withLargeStack([&] { accepted = sema::analyze(sema, file); });
    if (!accepted || !*accepted || !sema.program.entry) return found;
    SourcePos start = sources.start(sema.program.entry->id);
    for (const sema::FunctionInstance* i : sema.instances.byFunc) {
        if (!i || !i->tmpl || !i->tmpl->decl || !i->errors || i->tmpl->file != sema.program.entry) continue;
        std::vector<std::string>& tags = found[i->tmpl->decl->name.span.begin.raw - start.raw];
        for (uint32_t id : i->errors->tags)
            if (id > 0 && id <= types.tags().size()) tags.emplace_back(ast.names.text(types.tags()[id - 1]));
        std::sort(tags.begin(), tags.end());
        tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
    }
    return found;
}

bool infers(const doc::Entry& entry) {
    return entry.inferredAt || std::any_of(entry.members.begin(), entry.members.end(), infers);
}

void fillIn(doc::Entry& entry, const Tags& tags) {
    for (doc::Entry& member : entry.members) fillIn(member, tags);
    auto known = entry.inferredAt ? tags.find(*entry.inferredAt) : tags.end();
    if (known != tags.end()) entry.errors = known->second;
}

} // namespace

void inferErrors(doc::Module& module, const std::string& file) {
    if (std::none_of(module.entries.begin(), module.entries.end(), infers)) return;
    const Tags tags = inferredTags(file);
    for (doc::Entry& entry : module.entries) fillIn(entry, tags);
}

} // namespace sx::driver
