// Names of documents: URIs in the protocol, absolute paths elsewhere.
#pragma once

#include <string>
#include <string_view>

namespace sx::server {

/// The absolute, normalised path of a `file:` URI. For another scheme a path that no file has, which keeps the URI.
std::string pathOfUri(std::string_view uri);
/// The URI of a path. The inverse of `pathOfUri`, up to the spelling of escapes.
std::string uriOfPath(std::string_view path);

} // namespace sx::server
