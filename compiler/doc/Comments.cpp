#include "doc/Comments.h"

namespace sx::doc {

namespace {

/// The text of a line that holds nothing but a comment; false if it holds something else.
bool commentLine(std::string_view line, std::string& text) {
    size_t at = line.find_first_not_of(" \t");
    if (at == std::string_view::npos || line.substr(at, 2) != "//") return false;
    line.remove_prefix(at + 2);
    if (!line.empty() && line[0] == ' ') line.remove_prefix(1);
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
    text = line;
    return true;
}

bool isHeading(const std::string& text) { return text.compare(0, 4, "----") == 0; }

} // namespace

std::string commentAbove(const SourceManager& sources, SourcePos pos) {
    const Location at = sources.resolve(pos);
    std::string all, line;
    for (uint32_t n = at.line; n-- > 1 && commentLine(sources.lineText(at.file, n), line) && !isHeading(line);)
        all = line + (all.empty() ? "" : "\n") + all;
    return all;
}

std::string commentAtHead(const SourceManager& sources, FileId file, SourcePos firstDeclaration, bool isImport) {
    const uint32_t end = firstDeclaration.isValid() ? sources.resolve(firstDeclaration).line : UINT32_MAX;
    std::string all, line;
    uint32_t n = 1;
    for (; n < end && commentLine(sources.lineText(file, n), line); ++n) all += (n == 1 ? "" : "\n") + line;
    return n == end && !isImport ? "" : all;
}

std::string firstSentence(const std::string& comment) {
    std::string text;
    for (char c : comment.substr(0, comment.find("\n\n"))) text += c == '\n' ? ' ' : c;
    for (size_t at = text.find(". "); at != std::string::npos; at = text.find(". ", at + 1))
        if (at < 2 || text.compare(at - 2, 2, ".g") != 0) return text.substr(0, at + 1); // `e.g. `
    return text;
}

} // namespace sx::doc
