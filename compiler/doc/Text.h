// Paragraphs of comments.
#pragma once

#include <string>
#include <vector>

namespace sx::doc {

/// A paragraph, or lines that stay as they are: indented ones, and items of lists.
struct Paragraph {
    std::string text;
    bool isVerbatim = false;
};

std::vector<Paragraph> paragraphs(const std::string& comment);

} // namespace sx::doc
