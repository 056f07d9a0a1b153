#include "server/text/Uri.h"

#include "source/Paths.h"

namespace sx::server {

namespace {

constexpr std::string_view Elsewhere = "/.uri/"; ///< in front of what is no file

int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::string unescaped(std::string_view text) {
    std::string plain;
    for (size_t i = 0; i < text.size(); ++i) {
        int high = text[i] == '%' && i + 2 < text.size() ? hexDigit(text[i + 1]) : -1;
        int low = high >= 0 ? hexDigit(text[i + 2]) : -1;
        if (low >= 0) {
            plain += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

std::string escaped(std::string_view path) {
    static const char digits[] = "0123456789ABCDEF";
    std::string text;
    for (char c : path) {
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     std::string_view("/-._~").find(c) != std::string_view::npos;
        if (plain) text += c;
        else text += {'%', digits[static_cast<unsigned char>(c) >> 4], digits[static_cast<unsigned char>(c) & 15]};
    }
    return text;
}

} // namespace

std::string pathOfUri(std::string_view uri) {
    constexpr std::string_view file = "file://";
    if (uri.substr(0, file.size()) != file) return std::string(Elsewhere) + escaped(uri);
    uri.remove_prefix(file.size());
    size_t path = uri.find('/'); // after a host, which is empty or this one
    if (path == std::string_view::npos) return "/";
    uri.remove_prefix(path);
    std::string plain = unescaped(uri.substr(0, uri.find_first_of("?#")));
    std::string normal = normalizePath(plain);
    return normal.empty() ? "/" : normal;
}

std::string uriOfPath(std::string_view path) {
    if (path.substr(0, Elsewhere.size()) == Elsewhere) return unescaped(path.substr(Elsewhere.size()));
    return "file://" + escaped(path);
}

void UriSpelling::learn(std::string_view uri) {
    constexpr size_t scheme = std::string_view("file://").size();
    while (uri.size() > scheme && uri.back() == '/') uri.remove_suffix(1);
    std::string usual = uriOfPath(pathOfUri(uri));
    // The folders around it are spelled so as well.
    while (usual != uri && usual.size() > scheme) {
        known_.try_emplace(usual, uri);
        size_t end = usual.rfind('/'), ownEnd = uri.rfind('/');
        if (end == std::string::npos || ownEnd == std::string_view::npos || ownEnd < scheme) return;
        usual.resize(end);
        uri = uri.substr(0, ownEnd);
    }
}

std::string UriSpelling::respelled(std::string_view uri) const {
    for (size_t end = uri.size(); end != std::string_view::npos && end > 0; end = uri.rfind('/', end - 1)) {
        auto found = known_.find(uri.substr(0, end));
        if (found != known_.end()) return found->second + std::string(uri.substr(end));
    }
    return std::string(uri);
}

} // namespace sx::server
