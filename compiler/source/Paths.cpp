#include "source/Paths.h"

#include <vector>

namespace sx {

namespace {

std::vector<std::string_view> split(std::string_view path) {
    std::vector<std::string_view> parts;
    size_t at = 0;
    while (at <= path.size()) {
        size_t slash = path.find('/', at);
        if (slash == std::string_view::npos) slash = path.size();
        std::string_view part = path.substr(at, slash - at);
        if (!part.empty() && part != ".") {
            if (part == ".." && !parts.empty() && parts.back() != "..") parts.pop_back();
            else parts.push_back(part);
        }
        at = slash + 1;
    }
    return parts;
}

std::string join(const std::vector<std::string_view>& parts, size_t from, bool absolute) {
    std::string out = absolute ? "/" : "";
    for (size_t i = from; i < parts.size(); ++i) {
        if (i > from) out += '/';
        out += parts[i];
    }
    return out;
}

/// Whether no part has to go; false as well where a part begins with a dot.
bool isNormal(std::string_view path) {
    if (path.empty() || path[0] == '.') return false;
    for (size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1))
        if (slash + 1 == path.size() || path[slash + 1] == '/' || path[slash + 1] == '.') return false;
    return true;
}

bool isAbsolute(std::string_view path) { return !path.empty() && path[0] == '/'; }

} // namespace

std::string normalizePath(std::string_view path) {
    if (isNormal(path)) return std::string(path);
    std::vector<std::string_view> parts = split(path);
    if (isAbsolute(path))
        while (!parts.empty() && parts.front() == "..") parts.erase(parts.begin());
    return join(parts, 0, isAbsolute(path));
}

std::string joinPath(std::string_view base, std::string_view path) {
    if (isAbsolute(path) || base.empty()) return normalizePath(path);
    return normalizePath(std::string(base) + "/" + std::string(path));
}

std::string directoryOf(std::string_view path) {
    size_t slash = path.rfind('/');
    if (slash == std::string_view::npos) return "";
    return std::string(slash == 0 ? "/" : path.substr(0, slash));
}

std::string relativeTo(std::string_view path, std::string_view from) {
    std::vector<std::string_view> to = split(path), base = split(from);
    size_t common = 0;
    while (common < to.size() && common < base.size() && to[common] == base[common]) ++common;
    std::string out;
    for (size_t i = common; i < base.size(); ++i) out += "../";
    return out + join(to, common, false);
}

std::string relativeIfBelow(std::string_view path, std::string_view directory) {
    std::string prefix(directory);
    if (prefix.empty() || prefix.back() != '/') prefix += '/';
    if (path.substr(0, prefix.size()) == prefix) return std::string(path.substr(prefix.size()));
    return std::string(path);
}

} // namespace sx
