// Names of documents: URIs in the protocol, absolute paths elsewhere.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace sx::server {

/// The absolute, normalised path of a `file:` URI. For another scheme a path that no file has, which keeps the URI.
std::string pathOfUri(std::string_view uri);
/// The URI of a path. The inverse of `pathOfUri`, up to the spelling of escapes.
std::string uriOfPath(std::string_view path);

/// How a client spells URIs, where `uriOfPath` would do it otherwise: which bytes are escaped is everyone's choice, and
/// there are clients that compare texts.
class UriSpelling {
public:
    /// Takes note of the URI of a document or folder, as the client writes it.
    void learn(std::string_view uri);
    /// Nothing is spelled otherwise.
    bool isUsual() const { return known_.empty(); }
    /// What the client calls a URI made by `uriOfPath`. Below a folder that is known the folder's part is replaced.
    std::string respelled(std::string_view uri) const;

private:
    std::map<std::string, std::string, std::less<>> known_; ///< by the URI as `uriOfPath` writes it
};

} // namespace sx::server
