#include "driver/DocCommand.h"

#include "doc/Render.h"
#include "driver/DocErrors.h"
#include "driver/Report.h"
#include "source/Files.h"
#include "source/Installation.h"
#include "source/Paths.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cstdio>

namespace sx::driver {

namespace {

int unusable(const std::string& message) {
    printError(message);
    return Unusable;
}

Result<doc::Module> readFile(const std::string& file, const std::string& path) {
    Result<std::string> text = readTextFile(file);
    if (!text) return Failure{"cannot read " + code(file) + ": " + text.error()};
    SourceManager sources;
    AstContext ast;
    Diagnostics diags;
    const FileId id = sources.addFile(file, file, std::move(*text));
    const ast::File tree = parseFile(sources, id, ast, diags);
    doc::Module module = doc::readModule(sources, tree, ast.names, path);
    inferErrors(module, file);
    return module;
}

/// The modules below a folder that holds `modules/`. What is internal to the library is left out, and what has no
/// names of its own.
Result<void> readLibrary(const std::string& root, std::vector<doc::Module>& modules) {
    std::vector<std::string> found;
    std::error_code problem;
    using Iterator = llvm::sys::fs::recursive_directory_iterator;
    for (Iterator at(root + "/modules", problem, false), end; at != end && !problem; at.increment(problem)) {
        if (llvm::sys::path::filename(at->path()) == "internal") at.no_push();
        else if (llvm::StringRef(at->path()).ends_with(".sx")) found.push_back(at->path());
    }
    if (problem) return Failure{"cannot read the library in " + code(root) + ": " + problem.message()};
    std::sort(found.begin(), found.end());
    for (const std::string& file : found) {
        Result<doc::Module> module = readFile(file, relativeIfBelow(file, root));
        if (!module) return module.failure();
        if (!module->entries.empty()) modules.push_back(std::move(*module));
    }
    return {};
}

/// A name in a module.
struct Found {
    const doc::Module* module;
    const doc::Entry* entry;
};

class Documents {
public:
    Documents(const Invocation& in, std::vector<doc::Module> modules) : in_(in), modules_(std::move(modules)) {}

    int show() {
        if (in_.file.empty()) return print(doc::listText(modules_));
        if (const doc::Module* module = moduleOf(in_.file)) return print(doc::moduleText(*module) + alsoNames());
        const std::vector<Found> found = entriesOf(in_.file);
        std::string text;
        for (const Found& f : found) text += (text.empty() ? "" : "\n") + doc::entryText(*f.module, *f.entry);
        if (!text.empty()) return print(text);
        const std::string near = nearest();
        return unusable("no module and no name " + code(in_.file) +
                        (near.empty() ? "" : ", did you mean " + code(near) + "?") + "; try `sx doc`");
    }

    int write(const std::string& folder, const std::vector<doc::Page>& pages) {
        if (std::error_code problem = llvm::sys::fs::create_directories(folder))
            return unusable("cannot make the folder " + code(folder) + ": " + problem.message());
        for (const auto& [name, text] : pages)
            if (Result<void> written = writeFile(folder + "/" + name, text); !written) return unusable(written.error());
        return 0;
    }

    const std::vector<doc::Module>& modules() const { return modules_; }

private:
    static int print(const std::string& text) {
        std::fwrite(text.data(), 1, text.size(), stdout);
        if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return 0;
        printError("cannot write to standard output");
        return 1;
    }

    /// By its name (`std/text`), its last part (`text`) or its path.
    const doc::Module* moduleOf(const std::string& wanted) const {
        for (const doc::Module& module : modules_)
            if (module.name == wanted || module.path == wanted) return &module;
        for (const doc::Module& module : modules_)
            if (llvm::StringRef(module.name).ends_with("/" + wanted)) return &module;
        return nullptr;
    }

    /// `name`, `Type.name`, or either after a module: `text.find`.
    std::vector<Found> entriesOf(const std::string& wanted) const {
        std::vector<Found> found;
        const size_t dot = wanted.find('.');
        const doc::Module* within = dot == std::string::npos ? nullptr : moduleOf(wanted.substr(0, dot));
        for (const doc::Module& module : modules_) {
            for (const doc::Entry& entry : module.entries) {
                auto add = [&](const doc::Entry& e) {
                    const bool isInModule = within == &module && e.name == wanted.substr(dot + 1);
                    if (e.name == wanted || isInModule) found.push_back({&module, &e});
                };
                add(entry);
                for (const doc::Entry& method : entry.members) add(method);
            }
        }
        // What only stands for another name of the same spelling says nothing.
        const bool hasOwn = std::any_of(found.begin(), found.end(), [](auto& f) { return f.entry->aliasOf.empty(); });
        if (hasOwn)
            found.erase(std::remove_if(found.begin(), found.end(), [](auto& f) { return !f.entry->aliasOf.empty(); }),
                        found.end());
        return found;
    }

    std::string alsoNames() const {
        std::string text;
        for (const Found& f : entriesOf(in_.file)) {
            if (&*f.module == moduleOf(in_.file)) continue;
            text += (text.empty() ? "\nThere is also:\n" : "") + std::string("  ") + f.module->name + ": " +
                    f.entry->signature.substr(0, f.entry->signature.find('\n')) + "\n";
        }
        return text;
    }

    std::string nearest() const {
        std::vector<std::string> all;
        for (const doc::Module& module : modules_) {
            all.push_back(module.name);
            all.push_back(module.name.substr(module.name.rfind('/') + 1));
            for (const doc::Entry& entry : module.entries) {
                all.push_back(entry.name);
                for (const doc::Entry& method : entry.members) all.push_back(method.name);
            }
        }
        return std::string(nearestName(in_.file, {all.begin(), all.end()}));
    }

    const Invocation& in_;
    std::vector<doc::Module> modules_;
};

} // namespace

int showDocuments(const Invocation& in) {
    std::vector<doc::Module> modules;
    const bool isFile = llvm::StringRef(in.file).ends_with(".sx") && llvm::sys::fs::exists(in.file);
    if (isFile) {
        Result<doc::Module> module = readFile(in.file, in.file);
        if (!module) return unusable(module.error());
        modules.push_back(std::move(*module));
    } else {
        for (const std::string& root : libraryRoots())
            if (llvm::sys::fs::is_directory(root + "/modules"))
                if (Result<void> read = readLibrary(root, modules); !read) return unusable(read.error());
        if (modules.empty()) return unusable("the library is not found; SX_STDLIB_PATH says where it is");
    }
    doc::linkErrors(modules);
    Documents documents(in, std::move(modules));
    if (!in.markdownFolder.empty())
        if (int status = documents.write(in.markdownFolder, doc::markdownPages(documents.modules()))) return status;
    if (!in.htmlFolder.empty())
        if (int status = documents.write(in.htmlFolder, doc::htmlPages(documents.modules()))) return status;
    if (!in.markdownFolder.empty() || !in.htmlFolder.empty()) return 0;
    return documents.show();
}

} // namespace sx::driver
