// Loading: which files make up the program, and what each import reaches (modules-and-comptime 1).
//
// Imports are followed depth first in the order they stand in, each file is read and parsed once, and names
// are declared after everything is loaded, so cycles need no care.
#include "sema/Modules.h"

#include "sema/Declare.h"
#include "sema/Impls.h"
#include "sema/Sema.h"
#include "sema/Wording.h"
#include "source/Files.h"
#include "source/Paths.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace sx::sema {

namespace fs = std::filesystem;

namespace {

double millisSince(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

bool isDirectory(const std::string& path) {
    std::error_code ec;
    return fs::is_directory(path, ec);
}

bool endsInSx(const std::string& path) { return path.size() > 3 && path.compare(path.size() - 3, 3, ".sx") == 0; }

} // namespace

/// A file that lies elsewhere than below the working directory is called by its absolute path, the library's by the
/// path that imports it.
static std::string spelledInMessages(const Sema& sema, const SourceFile& file, const std::string& libraryRoot,
                                     const std::string& tracePath) {
    bool isElsewhere = file.path[0] == '/', isInstalled = llvm::is_contained(sema.options.libraryRoots, libraryRoot);
    return isInstalled && isElsewhere ? tracePath : file.path;
}

/// Parses a file. What the prelude says does not count as mentioned by the program.
static ast::File parse(Sema& sema, const SourceFile& file) {
    auto start = std::chrono::steady_clock::now();
    sema.names.countMentions(&file != sema.program.prelude);
    // Bodies of the library are read when they are wanted, unless all of them are going to be.
    bool isOutline = file.isLibrary && !sema.options.keepScopes && !sema.options.keepUses;
    ast::File tree = (isOutline ? parseOutline : parseFile)(sema.sources, file.id, sema.ast, sema.diags);
    // What a body mentions of a header has to be known before it is read.
    auto isImportC = [](const ast::Decl* d) { return d->kind == ast::DeclKind::ImportC; };
    if (isOutline && llvm::any_of(tree.items, isImportC)) tree = parseFile(sema.sources, file.id, sema.ast, sema.diags);
    sema.names.countMentions(true);
    sema.parseMillis += millisSince(start);
    return tree;
}

/// The folder that holds the library whose file this is; "" if it is none. A whole copy of the library that a program
/// finds before the installed one is its library: a file below `modules/` that both have, with a prelude beside it.
static std::string libraryRootOf(const Sema& sema, const std::string& absolute) {
    std::string found;
    for (const std::string& root : sema.options.libraryRoots)
        if (absolute.compare(0, root.size() + 1, root + "/") == 0) found = root;
    size_t at = absolute.rfind("/modules/");
    if (!found.empty() || at == std::string::npos) return found;
    std::string own = absolute.substr(0, at), part = absolute.substr(at);
    auto has = [&](const std::string& root) { return isFile(root + part) || isDirectory(root + part); };
    return llvm::any_of(sema.options.libraryRoots, has) && isFile(own + "/modules/std.sx") ? own : "";
}

/// Reads, parses and registers one file. `absolute` is its normalised absolute path.
static Result<SourceFile*> loadFile(Sema& sema, const std::string& absolute, const std::string& libraryRoot) {
    auto& known = sema.program.filesByPath[absolute];
    if (known) return known;
    auto readStart = std::chrono::steady_clock::now();
    Result<std::string> text = readTextFile(absolute);
    sema.readMillis += millisSince(readStart);
    if (!text) return text.failure();

    auto owned = std::make_unique<SourceFile>();
    SourceFile* file = owned.get();
    known = file;
    file->path = relativeIfBelow(absolute, sema.options.workingDirectory);
    file->isLibrary = !libraryRoot.empty();
    // A trace shows a library module from `modules/` on, anything else relative to the main file's folder.
    std::string tracePath;
    if (file->isLibrary) tracePath = relativeTo(absolute, libraryRoot);
    else if (sema.program.files.empty()) tracePath = absolute.substr(absolute.rfind('/') + 1);
    else
        tracePath =
            relativeTo(absolute, directoryOf(joinPath(sema.options.workingDirectory, sema.program.files[0].path)));
    sema.program.files.push_back(std::move(owned));
    std::string shown = spelledInMessages(sema, *file, libraryRoot, tracePath);
    file->id = sema.sources.addFile(shown, tracePath, std::move(*text));
    if (file->isLibrary && tracePath == "modules/std.sx" && !sema.program.prelude) sema.program.prelude = file;
    file->tree = parse(sema, *file);

    auto unit = std::make_unique<ModuleUnit>();
    unit->path = shown;
    unit->files.push_back(file);
    file->unit = unit.get();
    sema.program.unitsByPath[absolute] = unit.get();
    sema.program.units.push_back(std::move(unit));
    return file;
}

static Result<ModuleUnit*> loadDirectory(Sema& sema, const std::string& absolute, const std::string& libraryRoot) {
    auto& known = sema.program.unitsByPath[absolute];
    if (known) return known;
    auto owned = std::make_unique<ModuleUnit>();
    ModuleUnit* unit = owned.get();
    known = unit;
    unit->path = relativeIfBelow(absolute, sema.options.workingDirectory);
    if (unit->path == absolute && !libraryRoot.empty()) unit->path = relativeTo(absolute, libraryRoot);
    unit->isDirectory = true;
    sema.program.units.push_back(std::move(owned));

    std::vector<std::string> paths;
    std::error_code ec;
    for (const fs::directory_entry& entry : fs::directory_iterator(absolute, ec))
        if (endsInSx(entry.path().string()) && entry.is_regular_file(ec)) paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    for (const std::string& path : paths) {
        Result<SourceFile*> file = loadFile(sema, path, libraryRoot);
        if (!file) return file.failure();
        unit->files.push_back(*file);
    }
    return unit;
}

namespace {

/// The place that an import path names.
struct Found {
    std::string path;        ///< absolute, normalised; "" if nothing was found
    std::string libraryRoot; ///< set when it was found below a library root
    bool directory = false;
    bool ambiguous = false; ///< both `p/` and `p.sx` exist
};

Found findImport(const Sema& sema, const SourceFile& from, const std::string& path) {
    const std::string& cwd = sema.options.workingDirectory;
    std::string importer = joinPath(cwd, from.path);
    auto probe = [&](const std::string& base, const std::string& root) -> Found {
        Found found;
        std::string candidate = joinPath(base, path);
        if (isFile(candidate)) {
            found.path = candidate;
        } else if (isDirectory(candidate)) {
            found.path = candidate;
            found.directory = true;
            // `p.sx` beside the directory `p` is ambiguous, unless it is the importing file itself.
            std::string sibling = candidate + ".sx";
            found.ambiguous = !endsInSx(path) && isFile(sibling) && sibling != importer;
        }
        if (!found.path.empty()) found.libraryRoot = root;
        return found;
    };
    std::vector<std::pair<std::string, std::string>> bases;
    std::string own = directoryOf(importer);
    if (own != cwd) bases.push_back({own, from.isLibrary ? "library" : ""});
    bases.push_back({cwd, ""});
    for (const std::string& root : sema.options.libraryRoots) bases.push_back({root, "library"});
    for (auto& [base, kind] : bases) {
        Found found = probe(base, "");
        if (found.path.empty()) continue;
        // A library module keeps its `modules/…` spelling however it is reached.
        found.libraryRoot = libraryRootOf(sema, found.path);
        return found;
    }
    return {};
}

Result<ModuleUnit*> loadModule(Sema& sema, const Found& found) {
    if (found.directory) return loadDirectory(sema, found.path, found.libraryRoot);
    Result<SourceFile*> file = loadFile(sema, found.path, found.libraryRoot);
    if (!file) return file.failure();
    return (*file)->unit;
}

} // namespace

/// The module whose path is like one that is not there: spelled nearly so, or of the library and called so.
static std::string nearestModule(const Sema& sema, const SourceFile& from, const std::string& path) {
    std::string folder = directoryOf(path), own = directoryOf(joinPath(sema.options.workingDirectory, from.path));
    std::vector<std::string> bases{own, sema.options.workingDirectory};
    bases.insert(bases.end(), sema.options.libraryRoots.begin(), sema.options.libraryRoots.end());
    std::vector<std::string> names;
    for (const std::string& base : bases) {
        std::error_code ec;
        for (const fs::directory_entry& entry : fs::directory_iterator(joinPath(base, folder), ec))
            if (endsInSx(entry.path().string()) &&
                normalizePath(entry.path().string()) != joinPath(sema.options.workingDirectory, from.path))
                names.push_back((folder.empty() ? "" : folder + "/") + entry.path().filename().string());
    }
    std::string file = path.substr(path.rfind('/') + 1);
    if (!endsInSx(file)) file += ".sx";
    for (const std::string& root : sema.options.libraryRoots)
        for (const char* where : {"modules/", "modules/std/", "modules/math/"})
            if (isFile(root + "/" + where + file)) return where + file;
    std::sort(names.begin(), names.end());
    return std::string(nearestName(path, {names.begin(), names.end()}));
}

ModuleUnit* import(Sema& sema, SourceFile& from, const ast::ImportDecl& decl) {
    std::string path = decl.path.str();
    Found found = findImport(sema, from, path);
    if (found.path.empty()) {
        std::string near = nearestModule(sema, from, path);
        sema.diags.error(decl.span, "cannot find the module " + code(path))
            .help(
                !near.empty()
                    ? "did you mean " + code(near) + "?"
                    : "an import is looked up beside the importing file, in the working directory and in the library");
        return nullptr;
    }
    if (found.ambiguous) {
        sema.diags.error(decl.span, "the import " + code(path) + " is ambiguous: both the folder " + code(path) +
                                        " and the file " + code(path + ".sx") + " exist");
        return nullptr;
    }
    Result<ModuleUnit*> unit = loadModule(sema, found);
    if (unit) return *unit;
    sema.diags.error(decl.span, "cannot read the module " + code(path) + ": " + unit.error());
    return nullptr;
}

// ------------------------------------------------------------------------------------ C

namespace {

/// What one `#import c` says.
class CUnit {
public:
    CUnit(Sema& sema, SourceFile& from, const ast::ImportCDecl& decl) : sema_(sema), decl_(decl) {
        importer_ = joinPath(sema.options.workingDirectory, from.path);
        for (const std::string& base : {directoryOf(importer_), sema.options.workingDirectory})
            if (std::find(bases_.begin(), bases_.end(), base) == bases_.end()) bases_.push_back(base);
    }

    /// Notes the sources, and makes a module of what the headers declare. Null after a report.
    ModuleUnit* load() {
        readOptions();
        bool ok = true;
        for (const ast::ImportCDecl::Entry& entry : decl_.entries)
            if (entry.kind == Kind::Source) ok &= addSource(entry);
        if (!ok) return nullptr;
        HeaderRequest request{{}, options()};
        const ast::ImportCDecl::Entry* first = nullptr;
        for (const ast::ImportCDecl::Entry& entry : decl_.entries) {
            if (entry.kind != Kind::Include) continue;
            if (!first) first = &entry;
            std::string path = find(entry.text.str());
            request.headers.push_back(path.empty() ? entry.text.str() : path);
        }
        return declarations(request, first);
    }

private:
    using Kind = ast::ImportCDecl::Kind;

    /// The place of a file; "" if none of the folders has it.
    std::string find(const std::string& path) const {
        for (const std::string& base : bases_)
            if (std::string candidate = joinPath(base, path); isFile(candidate)) return candidate;
        return {};
    }

    void readOptions() {
        for (const ast::ImportCDecl::Entry& entry : decl_.entries) {
            if (entry.kind == Kind::Define) options_.push_back("-D" + entry.text.str());
            if (entry.kind != Kind::Flags) continue;
            llvm::SmallVector<llvm::StringRef, 4> words;
            entry.text.split(words, ' ', -1, /*KeepEmpty=*/false);
            for (llvm::StringRef word : words) options_.push_back(word.str());
        }
    }

    bool addSource(const ast::ImportCDecl::Entry& entry) {
        std::string path = find(entry.text.str());
        if (path.empty()) {
            sema_.diags.error(entry.span, "cannot find the C source " + code(entry.text.str()))
                .help("it is looked up beside the importing file and in the working directory");
            return false;
        }
        if (!sema_.program.unitsByPath.try_emplace(keyOf({path}), nullptr).second) return true; // of another import
        sema_.program.cSources.push_back({path, relativeIfBelow(path, sema_.options.workingDirectory), options()});
        return true;
    }

    /// What tells one import of C files from another: the files and what the program says of them, but not who imports.
    std::string keyOf(const std::vector<std::string>& files) const {
        std::string key = "#import c";
        for (const auto* list : {&files, &options_})
            for (const std::string& part : *list) key += "\n" + part;
        return key;
    }

    /// For the C compiler.
    std::vector<std::string> options() const {
        std::vector<std::string> all = options_;
        for (const std::string& base : bases_) all.push_back("-I" + base);
        return all;
    }

    /// The module of a unit. Equal units share theirs, and with it the types of their headers.
    ModuleUnit* declarations(const HeaderRequest& request, const ast::ImportCDecl::Entry* first) {
        std::string key = keyOf(request.headers);
        ModuleUnit*& known = sema_.program.unitsByPath[key];
        if (known) return known;
        std::string text;
        if (first) {
            Result<std::string> read = sema_.options.readHeaders ? sema_.options.readHeaders(request)
                                                                 : Failure{"C headers cannot be read here"};
            if (!read) {
                reportUnread(*first, read.error());
                return nullptr;
            }
            text = std::move(*read);
        }
        auto unit = std::make_unique<ModuleUnit>();
        unit->path = first ? first->text.str() : sema_.text(decl_.name.name);
        unit->files.push_back(declare(unit->path, key, std::move(text)));
        known = unit.get();
        sema_.program.units.push_back(std::move(unit));
        return known;
    }

    void reportUnread(const ast::ImportCDecl::Entry& first, llvm::StringRef why) {
        auto [line, rest] = why.trim().split('\n');
        Diagnostic& d = sema_.diags.error(first.span, line.str());
        if (!rest.empty())
            d.help("more errors follow in the headers of this import: " + std::to_string(rest.count('\n') + 1));
    }

    /// The declarations as a file of the program, which exists in memory only.
    SourceFile* declare(const std::string& header, const std::string& key, std::string text) {
        auto owned = std::make_unique<SourceFile>();
        SourceFile* file = owned.get();
        file->path = key;
        file->isForeign = file->isLibrary = true;
        std::string shown = "declarations of " + header;
        file->id = sema_.sources.addFile(shown, shown, std::move(text));
        sema_.names.countMentions(false); // only the program says which inline functions it needs
        file->tree = parseFile(sema_.sources, file->id, sema_.ast, sema_.diags);
        sema_.names.countMentions(true);
        auto own = std::make_unique<ModuleUnit>();
        own->path = header;
        own->files.push_back(file);
        file->unit = own.get();
        sema_.program.units.push_back(std::move(own));
        sema_.program.files.push_back(std::move(owned));
        declareFile(sema_, *file);
        return file;
    }

    Sema& sema_;
    const ast::ImportCDecl& decl_;
    std::string importer_;
    std::vector<std::string> bases_, options_;
};

} // namespace

ModuleUnit* importC(Sema& sema, SourceFile& from, const ast::ImportCDecl& decl) {
    ModuleUnit* unit = CUnit(sema, from, decl).load();
    if (unit && !llvm::is_contained(from.cUnits, unit)) from.cUnits.push_back(unit);
    return unit;
}

std::string whyLeftOut(const Sema& sema, const ModuleUnit& unit, const std::string& name) {
    const std::string mark = "\n//- " + name + ": "; // as the reader of headers writes it
    for (const SourceFile* file : unit.files) {
        if (!file->isForeign) continue;
        std::string text = "\n" + std::string(sema.sources.text(file->id));
        if (size_t at = text.find(mark); at != std::string::npos)
            return text.substr(at + mark.size(), text.find('\n', at + 1) - at - mark.size());
    }
    return {};
}

SourceFile* fileOf(const Sema& sema, FileId id) {
    for (const auto& file : sema.program.files)
        if (file->id == id) return file.get();
    return nullptr;
}

/// Loads what a name of the prelude stands for. False after a report.
static bool load(Sema& sema, const DeferredImport& import) {
    return import.name->module || (import.name->module = sx::sema::import(sema, *import.name->file, *import.decl));
}

/// Loads the namespaces of the prelude that the files so far mention, by their own name or by that of a member.
static void loadMentioned(Sema& sema) {
    auto isMentioned = [&](Name name) { return sema.names.isMentioned(name); };
    for (const DeferredImport& import : sema.program.deferred)
        if (isMentioned(import.name->name) || llvm::any_of(import.aliases, isMentioned)) load(sema, import);
}

/// Declares the files from the number `from` on, and loads what they import: breadth first keeps recursion out of deep
/// import chains.
static void declareFiles(Sema& sema, size_t from) {
    for (size_t i = from; i < sema.program.files.size() && !sema.diags.hasErrors(); ++i) {
        if (!sema.program.files[i].isForeign) declareFile(sema, sema.program.files[i]);
        if (i + 1 == sema.program.files.size()) loadMentioned(sema);
    }
}

Result<void> loadProgram(Sema& sema, const std::string& entryPath) {
    std::string absolute = joinPath(sema.options.workingDirectory, entryPath);
    Result<SourceFile*> entry = loadFile(sema, absolute, libraryRootOf(sema, absolute));
    if (!entry) return entry.failure();
    sema.program.entry = *entry;
    sema.program.entry->isEntry = true;
    declareFiles(sema, 0);
    return {};
}

bool loadDeferred(Sema& sema, Symbol& name) {
    auto is = [&](const DeferredImport& import) { return import.name == &name; };
    auto import = llvm::find_if(sema.program.deferred, is);
    if (import == sema.program.deferred.end()) return false;
    size_t known = sema.program.files.size();
    if (!load(sema, *import)) return false;
    declareFiles(sema, known);
    for (size_t i = known; i < sema.program.files.size(); ++i) declareImplsOf(sema, sema.program.files[i]);
    return true;
}

void loadAllDeferred(Sema& sema) {
    for (const DeferredImport& import : sema.program.deferred) resolve(sema, import.name);
}

// ------------------------------------------------------------------------------------ order

static void postOrder(SourceFile* file, bool flatOnly, llvm::SmallPtrSetImpl<SourceFile*>& seen,
                      std::vector<SourceFile*>& out) {
    if (!seen.insert(file).second) return;
    for (const ImportEdge& edge : file->flatImports)
        for (SourceFile* other : edge.module->files) postOrder(other, flatOnly, seen, out);
    for (ModuleUnit* unit : file->cUnits)
        for (SourceFile* other : unit->files) postOrder(other, flatOnly, seen, out);
    for (Symbol* s : file->order)
        if (!flatOnly && s->module && s->decl && s->decl->kind == ast::DeclKind::Import)
            for (SourceFile* other : s->module->files) postOrder(other, flatOnly, seen, out);
    out.push_back(file);
}

std::vector<SourceFile*> importOrder(Sema& sema) {
    llvm::SmallPtrSet<SourceFile*, 16> seen;
    std::vector<SourceFile*> order;
    postOrder(sema.program.entry, false, seen, order);
    return order;
}

bool entryRunsStatements(Sema& sema) {
    llvm::SmallPtrSet<SourceFile*, 16> seen;
    std::vector<SourceFile*> flat;
    postOrder(sema.program.entry, true, seen, flat);
    for (SourceFile* file : flat)
        for (const ast::Decl* d : file->items)
            if (llvm::isa<ast::RunDecl>(d) && (file->isEntry || !file->isLibrary)) return true;
    return false;
}

void collectAssembly(Sema& sema) {
    for (SourceFile* file : importOrder(sema))
        for (const ast::Decl* d : file->items)
            if (const auto* assembly = llvm::dyn_cast<ast::AsmDecl>(d))
                sema.module.assembly.push_back({assembly->text.str(), assembly->textSpan});
}

} // namespace sx::sema
