// Words that messages share.
#include "sema/Wording.h"

namespace sx::sema {

std::string withArticle(const TypeTable& types, TypeId t) {
    std::string name = code(types, t);
    bool vowel = name.size() > 1 && std::string_view("aeioAEIO").find(name[1]) != std::string_view::npos;
    return (vowel ? "an " : "a ") + name;
}

std::string countOf(size_t n, std::string_view what) {
    return std::to_string(n) + " " + std::string(what) + (n == 1 ? "" : "s");
}

std::string argumentRange(size_t least, size_t most, bool isOpen) {
    if (isOpen) return "at least " + countOf(least, "argument");
    return least == most ? countOf(most, "argument")
                         : std::to_string(least) + " to " + std::to_string(most) + " arguments";
}

std::string givenCount(size_t n) { return std::to_string(n) + (n == 1 ? " is given" : " are given"); }

std::string handledHere(bool isPure) {
    return isPure ? "handle the error here with `catch { … }`"
                  : "handle the error here with `catch { … }` or `or value`";
}

} // namespace sx::sema
