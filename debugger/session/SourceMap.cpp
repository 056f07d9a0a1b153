#include "debugger/session/SourceMap.h"

namespace sx::debugger {

namespace {

/// `path` with `to` in place of `from`, with which it begins; nothing where it does not.
std::optional<std::string> moved(llvm::StringRef path, llvm::StringRef from, llvm::StringRef to) {
    from = from.rtrim('/');
    if (!path.consume_front(from) || (!path.empty() && path.front() != '/')) return std::nullopt;
    return to.rtrim('/').str() + path.str();
}

std::string mapped(const Session& s, const std::string& path, bool isToHere) {
    const llvm::json::Object* map = s.launchArguments.getObject("sourceMap");
    std::string best = path;
    std::pair<size_t, size_t> longest{0, 0}; // of what is replaced, and of folders that lead to the same one
    if (!map) return best;
    for (const auto& [recorded, value] : *map) {
        llvm::StringRef from = recorded, to = value.getAsString().value_or("");
        if (!isToHere) std::swap(from, to);
        std::pair<size_t, size_t> length{from.size(), to.size()};
        if (from.empty() || length < longest) continue;
        std::optional<std::string> made = moved(path, from, to);
        if (!made || (!isToHere && mapped(s, *made, true) != path)) continue; // it was not there
        best = *made;
        longest = length;
    }
    return best;
}

} // namespace

std::string pathHere(const Session& s, const std::string& recorded) { return mapped(s, recorded, true); }

std::string pathRecorded(const Session& s, const std::string& here) { return mapped(s, here, false); }

/// What was compiled from where it lies now has its path from here.
std::string pathForClient(const Session& s, const std::string& path) { return pathHere(s, pathRecorded(s, path)); }

std::optional<FileId> fileOfClient(const Session& s, const std::string& path) {
    if (!s.program) return std::nullopt;
    std::string recorded = pathRecorded(s, path);
    if (recorded == path) return s.program->findFile(path);
    for (FileId file : s.program->files())
        if (std::string own = s.program->absolutePath(file); own == path || own == recorded) return file;
    std::optional<FileId> file = s.program->findFile(recorded);
    return file ? file : s.program->findFile(path);
}

std::string sourceMapProblem(const llvm::json::Object& arguments) {
    const llvm::json::Value* map = arguments.get("sourceMap");
    if (!map || map->kind() == llvm::json::Value::Null) return "";
    const llvm::json::Object* object = map->getAsObject();
    if (!object) return "`sourceMap` has to be an object of paths";
    for (const auto& [from, to] : *object)
        if (!to.getAsString() || from.str().empty()) return "the names and values of `sourceMap` are paths";
    return "";
}

} // namespace sx::debugger
