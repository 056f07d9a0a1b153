#include "debugger/program/Program.h"

#include "cimport/ReadHeaders.h"
#include "debugger/program/BitFields.h"
#include "debugger/program/CCode.h"
#include "debugger/program/CSources.h"
#include "lower/Lower.h"
#include "sema/ExternDecls.h"
#include "sema/Modules.h"
#include "sema/passes/Analyze.h"
#include "source/Installation.h"
#include "source/Paths.h"
#include "source/StackDepth.h"
#include "source/SystemLibraries.h"
#include "vm/Evaluator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <sys/stat.h>
#include <unistd.h>

namespace sx::debugger {

namespace {

/// Of a program whose check may be abandoned. The thread then stays for ever where compile-time code is not under way:
/// the front end is left alone to whoever checks another program meanwhile.
class AbandonedEvaluator final : public vm::Evaluator {
public:
    AbandonedEvaluator(vm::Limits limits, const std::atomic<bool>& isAbandoned)
        : Evaluator(std::move(limits)), isAbandoned_(isAbandoned) {}

    ir::ComptimeResult evaluate(ir::Module& module, ir::FuncId f, const std::function<bool(ir::FuncId)>& materialize,
                                std::string* output) override {
        stayIfAbandoned();
        ir::ComptimeResult result = Evaluator::evaluate(
            module, f, [&](ir::FuncId wanted) { return stayIfAbandoned(), materialize(wanted); }, output);
        stayIfAbandoned();
        return result;
    }

private:
    void stayIfAbandoned() const {
        while (isAbandoned_) pause();
    }

    const std::atomic<bool>& isAbandoned_;
};

} // namespace

Program::Program(const ProgramOptions& options) : options(options) {
    module.recordsTraces = options.traces;
    vm::Limits limits;
    limits.foreign = [this] { return loadCCode(*sema, this->options.libraryPaths); };
    evaluator = std::make_unique<AbandonedEvaluator>(std::move(limits), isAbandoned_);
}

Program::~Program() = default;

sema::Options Program::semaOptions() const {
    sema::Options o;
    o.checks = options.checks.value_or(options.optLevel < 2);
    o.traceValues = options.traceValues;
    o.tests = options.tests;
    o.warnings = false;
    o.requireMain = true;
    o.keepScopes = true;
    o.libraryRoots = libraryRoots();
    o.workingDirectory = options.workingDirectory;
    o.readHeaders = [](const sema::HeaderRequest& wanted) {
        return cimport::readHeaders(wanted.headers, wanted.options);
    };
    return o;
}

bool Program::check() {
    sema = std::make_unique<sema::Sema>(sources, ast, types, diags, module, *evaluator, semaOptions());
    bodies = lower::makeBodies(*sema);
    sema->bodies = bodies.get();
    Result<bool> ok = false;
    withLargeStack([&] { ok = sema::analyze(*sema, options.file); });
    if (!ok) problem = "cannot read " + code(options.file) + ": " + ok.error();
    else if (sema->comptime.exit) problem = "code that runs while compiling ended the compilation";
    if (problem.empty() && *ok) noteBitFields(*sema);
    return problem.empty() && *ok;
}

bool Program::mayHaveCCode() const {
    if (!sema) return false;
    bool loads = llvm::any_of(module.functions, [](const auto& fn) {
        return fn->isExtern && !fn->dead && (fn->symbol == "dlopen" || fn->symbol == "dlmopen");
    });
    return loads || !llvm::all_of(module.libraries, isPartOfLibc) || !sema::cFiles(*sema).empty();
}

bool Program::hasFunctionOfC(const std::string& name) const {
    if (!sema) return false;
    return llvm::any_of(sema::cFiles(*sema), [&](const sema::CFile& file) {
        if (file.source.path.empty()) return mentionsFunction(file.content, name);
        auto text = llvm::MemoryBuffer::getFile(file.source.path);
        return text && mentionsFunction((*text)->getBuffer(), name);
    });
}

/// Messages call a file of the library as imports do: the front end knows where it lies.
std::string Program::absolutePath(FileId file) const {
    const sema::SourceFile* known = sourceFile(file);
    return joinPath(options.workingDirectory, known ? std::string_view(known->path) : sources.path(file));
}

std::vector<FileId> Program::files() const {
    std::vector<FileId> all;
    if (sema)
        for (const auto& f : sema->program.files) all.push_back(f->id);
    if (sema) all.insert(all.end(), foreignFiles.begin(), foreignFiles.end());
    else
        for (size_t i = 0; i < sources.fileCount(); ++i) all.push_back(FileId(i));
    return all;
}

namespace {

/// How many names two paths have in common at their ends.
size_t commonEnd(std::string_view a, std::string_view b) {
    size_t names = 0;
    while (!a.empty() && !b.empty()) {
        size_t i = a.rfind('/') + 1, j = b.rfind('/') + 1; // npos + 1 is 0
        if (a.substr(i) != b.substr(j)) break;
        ++names;
        a = a.substr(0, i == 0 ? 0 : i - 1);
        b = b.substr(0, j == 0 ? 0 : j - 1);
    }
    return names;
}

} // namespace

std::optional<FileId> Program::findFile(const std::string& path) const {
    std::string wanted = joinPath(options.workingDirectory, path);
    struct stat theirs, ours;
    bool exists = stat(wanted.c_str(), &theirs) == 0;
    std::optional<FileId> best;
    size_t most = 0;
    bool several = false;
    for (FileId file : files()) {
        std::string absolute = absolutePath(file);
        if (absolute == wanted) return file;
        bool isThere = stat(absolute.c_str(), &ours) == 0;
        if (exists && isThere) {
            if (ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino) return file;
            continue; // both are here, and they are two files
        }
        size_t names = commonEnd(absolute, wanted);
        if (names == 0 || names < most) continue;
        several = names == most;
        most = names;
        best = file;
    }
    return several ? std::nullopt : best;
}

const sema::SourceFile* Program::sourceFile(FileId file) const { return sema ? sema::fileOf(*sema, file) : nullptr; }

/// The file whose `#insert` has made a text: `FILE:LINE (inserted)`, maybe in one that was made in the same way.
const sema::SourceFile* Program::inserterOf(FileId made) const {
    llvm::StringRef path = sources.path(made);
    bool isMade = false;
    while (path.consume_back(" (inserted)")) path = path.rsplit(':').first, isMade = true;
    for (const auto& f : sema->program.files)
        if (isMade && llvm::StringRef(sources.path(f->id)) == path) return f.get();
    return nullptr;
}

bool Program::isLibrary(FileId file) const {
    if (!sema) {
        std::string path = absolutePath(file);
        for (const std::string& root : libraryRoots())
            if (path.starts_with(root + "/modules/")) return true;
        return false;
    }
    if (llvm::is_contained(foreignFiles, file)) return true;
    const sema::SourceFile* f = sourceFile(file);
    if (!f) f = inserterOf(file);
    return f && !sema->isProgramFile(*f);
}

bool Program::isLibrary(ir::FuncId f) const {
    Span span = module.fn(f).span;
    return !span.isValid() || isLibrary(sources.fileOf(span.begin));
}

sema::FunctionInstance* Program::instanceOf(ir::FuncId f) const {
    auto index = static_cast<size_t>(f);
    if (!sema) return nullptr;
    const auto& all = sema->instances.byFunc;
    return index < all.size() ? all[index] : nullptr;
}

std::string Program::tagName(uint64_t tag) const {
    return tag == 0 || tag > types.tags().size() ? "" : std::string(types.names().text(types.tags()[tag - 1]));
}

const ir::Statement* Program::statement(CodePoint at) const {
    if (static_cast<size_t>(at.func) >= module.functions.size()) return nullptr;
    const auto& all = module.fn(at.func).statements;
    return at.statement < all.size() ? &all[at.statement] : nullptr;
}

InitialValues& Program::initialValues(ir::FuncId func) {
    std::unique_ptr<InitialValues>& known = initialValues_[func];
    if (!known) known = std::make_unique<InitialValues>(module.fn(func));
    return *known;
}

} // namespace sx::debugger
