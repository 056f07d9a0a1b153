// Loading: which files make up the program, and what each import reaches (modules-and-comptime 1).
//
// Imports are followed depth first in the order they stand in, each file is read and parsed once, and names
// are declared after everything is loaded, so cycles need no care.
#include "sema/Modules.h"

#include "sema/Declare.h"
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

bool isFile(const std::string& path) {
    std::error_code ec;
    return fs::is_regular_file(path, ec);
}

bool isDirectory(const std::string& path) {
    std::error_code ec;
    return fs::is_directory(path, ec);
}

bool endsInSx(const std::string& path) { return path.size() > 3 && path.compare(path.size() - 3, 3, ".sx") == 0; }

} // namespace

/// A file that lies elsewhere than below the working directory is called by its absolute path, the library's by the
/// path that imports it.
static std::string spelledInMessages(const SourceFile& file, const std::string& tracePath) {
    bool isElsewhere = file.path[0] == '/';
    return file.isLibrary && isElsewhere ? tracePath : file.path;
}

/// Reads, parses and registers one file. `absolute` is its normalised absolute path.
static SourceFile* loadFile(Sema& sema, const std::string& absolute, const std::string& libraryRoot,
                            std::string& error) {
    auto& known = sema.program.filesByPath[absolute];
    if (known) return known;
    auto readStart = std::chrono::steady_clock::now();
    Result<std::string> text = readTextFile(absolute);
    sema.readMillis += millisSince(readStart);
    if (!text) {
        error = text.error();
        return nullptr;
    }

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
            relativeTo(absolute, directoryOf(joinPath(sema.options.workingDirectory, sema.program.files[0]->path)));
    sema.program.files.push_back(std::move(owned));
    std::string shown = spelledInMessages(*file, tracePath);
    file->id = sema.sources.addFile(shown, tracePath, std::move(*text));

    auto parseStart = std::chrono::steady_clock::now();
    file->tree = parseFile(sema.sources, file->id, sema.ast, sema.diags);
    sema.parseMillis += millisSince(parseStart);

    auto unit = std::make_unique<ModuleUnit>();
    unit->path = shown;
    unit->files.push_back(file);
    file->unit = unit.get();
    sema.program.unitsByPath[absolute] = unit.get();
    sema.program.units.push_back(std::move(unit));
    return file;
}

static ModuleUnit* loadDirectory(Sema& sema, const std::string& absolute, const std::string& libraryRoot,
                                 std::string& error) {
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
        SourceFile* file = loadFile(sema, path, libraryRoot, error);
        if (!file) return nullptr;
        unit->files.push_back(file);
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
        for (const std::string& root : sema.options.libraryRoots)
            if (found.path.compare(0, root.size() + 1, root + "/") == 0) found.libraryRoot = root;
        return found;
    }
    return {};
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
            if (endsInSx(entry.path().string()))
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
    std::string error;
    ModuleUnit* unit = nullptr;
    if (found.directory) {
        unit = loadDirectory(sema, found.path, found.libraryRoot, error);
    } else if (SourceFile* file = loadFile(sema, found.path, found.libraryRoot, error)) {
        unit = file->unit;
    }
    if (!unit) sema.diags.error(decl.span, "cannot read the module " + code(path) + ": " + error);
    return unit;
}

bool loadProgram(Sema& sema, const std::string& entryPath, std::string& readError) {
    std::string absolute = joinPath(sema.options.workingDirectory, entryPath);
    std::string root;
    for (const std::string& r : sema.options.libraryRoots)
        if (absolute.compare(0, r.size() + 1, r + "/") == 0) root = r;
    sema.program.entry = loadFile(sema, absolute, root, readError);
    if (!sema.program.entry) return false;
    sema.program.entry->isEntry = true;

    // Files are appended while we walk: breadth first over files keeps recursion out of deep import chains.
    for (size_t i = 0; i < sema.program.files.size(); ++i) {
        if (sema.diags.hasErrors()) return true;
        declareFile(sema, *sema.program.files[i]);
    }
    return true;
}

// ------------------------------------------------------------------------------------ order

static void postOrder(SourceFile* file, bool flatOnly, llvm::SmallPtrSetImpl<SourceFile*>& seen,
                      std::vector<SourceFile*>& out) {
    if (!seen.insert(file).second) return;
    for (const ImportEdge& edge : file->flatImports)
        for (SourceFile* other : edge.module->files) postOrder(other, flatOnly, seen, out);
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
