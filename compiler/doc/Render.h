// Modules as text for a terminal, as pages of Markdown, and as pages of HTML.
#pragma once

#include "doc/Module.h"

#include <utility>

namespace sx::doc {

/// The modules, each with its first sentence.
std::string listText(const std::vector<Module>&);
/// A module with the first sentence of each of its names.
std::string moduleText(const Module&);
/// A name, or a method, with all that is said of it.
std::string entryText(const Module&, const Entry&);

/// A file of a folder, by its name.
using Page = std::pair<std::string, std::string>;
/// A page for each module, and one that lists them: `README.md`.
std::vector<Page> markdownPages(const std::vector<Module>&);
/// The same in HTML without anything from elsewhere: `index.html`.
std::vector<Page> htmlPages(const std::vector<Module>&);

} // namespace sx::doc
