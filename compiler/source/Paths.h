// Lexical path arithmetic: no file system access.
#pragma once

#include <string>
#include <string_view>

namespace sx {

/// Drops `./`, collapses `a/../b`, and strips a trailing `/`. "" stays "".
std::string normalizePath(std::string_view path);
/// `base/path`, or `path` itself when it is absolute; normalised.
std::string joinPath(std::string_view base, std::string_view path);
/// The folder part; "" for a bare file name.
std::string directoryOf(std::string_view path);
/// `path` as seen from the folder `from`; both absolute and normalised. May begin with `../`.
std::string relativeTo(std::string_view path, std::string_view from);
/// `path` relative to `directory` if it lies below it, else unchanged. Both absolute and normalised.
std::string relativeIfBelow(std::string_view path, std::string_view directory);

} // namespace sx
