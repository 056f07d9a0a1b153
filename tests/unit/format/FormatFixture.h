// What the tests of the formatter share.
#pragma once

#include <string>
#include <vector>

/// The text after formatting; "syntax errors" or "would change" where it is refused.
std::string formatted(const std::string& text);

/// Whether a text is formatted already: what the tests of single rules say most often.
bool isStable(const std::string& text);

/// The texts of the tokens and comments, independent of the formatter's own comparison.
std::vector<std::string> contentOf(const std::string& text);

/// All `.sx` files under a folder of the project, as texts, in the order of their paths.
struct Program {
    std::string path, text;
};
std::vector<Program> programsUnder(const std::string& folder);
