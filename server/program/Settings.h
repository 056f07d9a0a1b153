// What was agreed with the client.
#pragma once

#include "server/text/Encoding.h"
#include "server/text/Uri.h"

#include <string>
#include <vector>

namespace sx::server {

struct Settings {
    Encoding encoding = Encoding::Utf16;
    std::vector<std::string> roots; ///< absolute paths of the folders that are open
    UriSpelling spelling;           ///< of the URIs of folders
    bool pullsDiagnostics = false;  ///< the client asks for diagnostics; else they are pushed
    bool refreshesDiagnostics = false, refreshesTokens = false, refreshesHints = false;
    bool watchesFiles = false; ///< the client can be asked to tell of files that change
    bool nestsSymbols = false; ///< document symbols may have children
    bool markdown = true;      ///< of hovers and documentation
    bool lenses = false;       ///< the client knows the commands `sx.run` and `sx.debug`
};

} // namespace sx::server
