// What was agreed with the client.
#pragma once

#include "server/text/Encoding.h"

#include <string>
#include <vector>

namespace sx::server {

struct Settings {
    Encoding encoding = Encoding::Utf16;
    std::vector<std::string> roots; ///< absolute paths of the folders that are open
    bool pullsDiagnostics = false;  ///< the client asks for diagnostics; else they are pushed
    bool refreshesDiagnostics = false, refreshesTokens = false, refreshesHints = false, refreshesLenses = false;
    bool watchesFiles = false;    ///< the client can be asked to tell of files that change
    bool nestsSymbols = false;    ///< document symbols may have children
    bool snippets = false;        ///< completions may have places to fill in
    bool markdown = true;         ///< of hovers and documentation
    bool lenses = false;          ///< the client knows the commands `sx.run` and `sx.debug`
    bool documentChanges = false; ///< edits of several documents carry versions
    bool literalActions = false;  ///< code actions with edits, not commands only
};

} // namespace sx::server
