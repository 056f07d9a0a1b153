// libclang's handles, as values of C++.
#pragma once

#include <clang-c/Index.h>

#include <functional>
#include <string>

namespace sx::cimport {

inline std::string text(CXString owned) {
    const char* content = clang_getCString(owned);
    std::string copy = content ? content : "";
    clang_disposeString(owned);
    return copy;
}

inline std::string spelling(CXCursor c) { return text(clang_getCursorSpelling(c)); }

/// Calls `visit` for each child of `parent`, in the order of the text, as long as it returns true.
inline void forEachChild(CXCursor parent, std::function<bool(CXCursor)> visit) {
    clang_visitChildren(
        parent,
        [](CXCursor child, CXCursor, CXClientData data) {
            return (*static_cast<std::function<bool(CXCursor)>*>(data))(child) ? CXChildVisit_Continue
                                                                               : CXChildVisit_Break;
        },
        &visit);
}

} // namespace sx::cimport
