#include "server/program/Workspace.h"

#include "source/Paths.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace sx::server {

namespace fs = std::filesystem;

namespace {

constexpr size_t MostFiles = 5000;
constexpr size_t MostEntries = 200'000; ///< of folders that are looked through

bool isBelow(const std::string& path, const std::string& folder) {
    return folder == "/" ||
           (path.size() > folder.size() && path.compare(0, folder.size(), folder) == 0 && path[folder.size()] == '/');
}

} // namespace

Workspace::Workspace(const Settings& settings, const EditorTexts::Map& texts) : settings_(settings), texts_(texts) {}

Workspace::~Workspace() = default;

std::string Workspace::rootOf(const std::string& path) const {
    std::string best;
    for (const std::string& root : settings_.roots)
        if (isBelow(path, root) && root.size() > best.size()) best = root;
    if (!best.empty()) return best;
    std::string own = directoryOf(path);
    return own.empty() ? "/" : own;
}

View* Workspace::view(const std::string& path) {
    auto known = views_.find(path);
    if (known != views_.end()) return known->second.get();
    std::unique_ptr<View> made;
    if (text(path)) made = std::make_unique<View>(path, rootOf(path), settings_.encoding);
    return (views_[path] = std::move(made)).get();
}

const std::string* Workspace::text(const std::string& path) {
    auto open = texts_.find(path);
    if (open != texts_.end()) return &open->second;
    auto known = read_.find(path);
    if (known != read_.end()) return &known->second;
    Result<std::string> read = readTextFile(path);
    if (!read) return nullptr;
    return &(read_[path] = std::move(*read));
}

const std::vector<std::string>& Workspace::files() {
    if (listed_) return files_;
    listed_ = true;
    std::set<std::string> found;
    for (const auto& [path, text] : texts_) found.insert(path);
    size_t looked = 0;
    for (const std::string& root : settings_.roots) {
        std::error_code problem;
        fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, problem), end;
        for (; !problem && at != end && found.size() < MostFiles && ++looked < MostEntries; at.increment(problem)) {
            std::string name = at->path().filename().string();
            std::error_code ignored;
            if (at->is_directory(ignored) && (name[0] == '.' || name == "node_modules")) at.disable_recursion_pending();
            else if (at->path().extension() == ".sx" && at->is_regular_file(ignored))
                found.insert(normalizePath(at->path().string()));
        }
    }
    files_.assign(found.begin(), found.end());
    return files_;
}

const std::map<std::string, std::set<std::string>>& Workspace::importers() {
    if (hasImporters_) return importers_;
    hasImporters_ = true;
    constexpr std::string_view Import = "#import";
    for (const std::string& path : files()) {
        const std::string* found = text(path);
        std::string_view all = found ? std::string_view(*found) : std::string_view();
        for (size_t at = all.find(Import); at != std::string_view::npos; at = all.find(Import, at + 1)) {
            size_t from = all.find_first_not_of(" \t", at + Import.size());
            size_t end = from == std::string_view::npos || all[from] != '"' ? from : all.find('"', from + 1);
            if (end == std::string_view::npos || all[from] != '"') continue;
            std::string name(all.substr(from + 1, end - from - 1));
            for (const std::string& base : {directoryOf(path), rootOf(path)})
                importers_[normalizePath(joinPath(base, name))].insert(path);
        }
    }
    return importers_;
}

std::set<std::string> Workspace::importersOf(const std::string& path) {
    std::set<std::string> found{path};
    std::vector<std::string> work{path};
    while (!work.empty()) {
        std::string imported = std::move(work.back());
        work.pop_back();
        for (const std::string& name : {imported, directoryOf(imported)}) // a folder's files are one module
            if (auto known = importers().find(name); known != importers().end())
                for (const std::string& importer : known->second)
                    if (found.insert(importer).second) work.push_back(importer);
    }
    return found;
}

std::vector<std::string> Workspace::entriesOf(const std::string& path) {
    std::vector<std::string> entries;
    std::set<std::string> all = importersOf(path);
    for (const std::string& one : all)
        if (importersOf(one).size() == 1) entries.push_back(one);
    if (entries.empty()) entries.assign(all.begin(), all.end()); // they import each other
    return entries;
}

std::vector<std::string> Workspace::filesUsed() const {
    std::set<std::string> used;
    for (const auto& [path, view] : views_) {
        used.insert(path);
        if (view) view->addFiles(used);
    }
    for (const auto& [path, text] : read_) used.insert(path);
    return {used.begin(), used.end()};
}

} // namespace sx::server
