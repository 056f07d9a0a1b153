// Text that JSON can carry.
#pragma once

#include "llvm/Support/JSON.h"

#include <string>

namespace sx::symbols {

/// Bytes that are not UTF-8 are replaced.
inline llvm::json::Value jsonText(const std::string& s) {
    return llvm::json::isUTF8(s) ? llvm::json::Value(s) : llvm::json::Value(llvm::json::fixUTF8(s));
}

} // namespace sx::symbols
