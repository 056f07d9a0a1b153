#include "debugger/program/CSources.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace sx::debugger {

namespace {

bool isOfName(char c) { return llvm::isAlnum(c) || c == '_'; }

/// What stands after a text or a character, which begins here.
llvm::StringRef afterQuoted(llvm::StringRef text) {
    size_t at = 1;
    while (at < text.size() && text[at] != text[0] && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
    return text.substr(std::min(at + 1, text.size()));
}

} // namespace

bool mentionsFunction(llvm::StringRef text, llvm::StringRef name) {
    while (!text.empty()) {
        if (text.starts_with("//")) {
            text = text.substr(std::min(text.find('\n'), text.size()));
        } else if (text.starts_with("/*")) {
            size_t end = text.find("*/", 2);
            text = end == llvm::StringRef::npos ? "" : text.substr(end + 2);
        } else if (text[0] == '"' || text[0] == '\'') {
            text = afterQuoted(text);
        } else if (isOfName(text[0])) {
            llvm::StringRef word = text.take_while(isOfName);
            text = text.substr(word.size());
            if (word == name && text.ltrim().starts_with("(")) return true;
        } else {
            text = text.drop_front();
        }
    }
    return false;
}

} // namespace sx::debugger
