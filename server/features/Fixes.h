// Edits that do what diagnostics propose.
#pragma once

#include "server/program/Workspace.h"

#include <string>
#include <vector>

namespace sx::server {

struct FixEdit {
    std::string path;
    Range range;
    std::string text;
};

struct Fix {
    std::string title;
    std::string kind; ///< those of one kind can be made together
    std::string allTitle{};
    bool repeatable = false;
    Range diagnostic; ///< the range of what it corrects
    std::vector<FixEdit> edits{};
};

/// For the diagnostics of the file that the view is about.
std::vector<Fix> fixesOf(Workspace&, View&);

/// How many errors a text has that does not parse.
size_t syntaxErrors(const std::string& text);

} // namespace sx::server
