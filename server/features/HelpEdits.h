// Edits that a `help:` means which has no place and no replacement of its own: what its words say, done to the text
// that the diagnostic marks.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sx::server {

struct HelpEdit {
    std::string title;
    uint32_t from = 0, to = 0; ///< byte offsets of what is replaced
    std::string text{};
};

/// Code in a message: between backticks, which are two where it has one of its own.
std::string inBackticks(llvm::StringRef code);

/// The pieces of a message between backticks.
std::vector<std::string> codeIn(llvm::StringRef message);

/// What `help` says is about the value that a diagnostic found wrong, not about all that it marks.
bool isOfValue(llvm::StringRef help);

/// What `help` says, done to `text`, of which the diagnostic `message` marks the bytes `begin` to `end`. None: it says
/// nothing that can be done without knowing more.
std::optional<HelpEdit> editOf(llvm::StringRef help, llvm::StringRef message, llvm::StringRef text, uint32_t begin,
                               uint32_t end);

} // namespace sx::server
