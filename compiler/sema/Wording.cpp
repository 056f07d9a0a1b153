// Words that messages share.
#include "sema/Wording.h"

namespace sx::sema {

std::string withArticle(const TypeTable& types, TypeId t) {
    std::string name = quoted(types, t);
    bool vowel = name.size() > 1 && std::string_view("aeioAEIO").find(name[1]) != std::string_view::npos;
    return (vowel ? "an " : "a ") + name;
}

std::string countOf(size_t n, std::string_view what) {
    return std::to_string(n) + " " + std::string(what) + (n == 1 ? "" : "s");
}

std::string handledHere(bool isPure) {
    return isPure ? "handle the error here with `catch { … }`"
                  : "handle the error here with `catch { … }` or `or value`";
}

} // namespace sx::sema
