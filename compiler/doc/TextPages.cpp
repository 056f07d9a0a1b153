#include "doc/Comments.h"
#include "doc/Render.h"
#include "doc/Text.h"

#include <algorithm>

namespace sx::doc {

namespace {

constexpr size_t Columns = 100;

/// Columns that UTF-8 text takes, for letters of common width.
size_t width(std::string_view text) {
    return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string wrapped(const std::string& text, size_t indent) {
    std::string out, line(indent, ' ');
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        at = end + 1;
        const bool isFirst = line.size() == indent;
        if (!isFirst && width(line) + 1 + width(word) > Columns) {
            out += line + "\n";
            line = std::string(indent, ' ') + word;
        } else {
            line += (isFirst ? "" : " ") + word;
        }
    }
    return line.size() > indent ? out + line + "\n" : out;
}

std::string indentedLines(const std::string& text, size_t indent) {
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        out += std::string(indent, ' ') + text.substr(at, end - at) + "\n";
        at = end + 1;
    }
    return out;
}

std::string commentText(const std::string& comment, size_t indent) {
    std::string out;
    for (const Paragraph& p : paragraphs(comment)) {
        if (!out.empty()) out += "\n";
        out += p.isVerbatim ? indentedLines(p.text, indent) : wrapped(p.text, indent);
    }
    return out;
}

std::string errorsText(const Entry& entry, size_t indent) {
    std::string errors = "errors:";
    for (const std::string& tag : entry.errors) errors += " " + tag;
    return wrapped(errors, indent);
}

/// With the errors that its signature does not name.
std::string brief(const Entry& entry, size_t indent) {
    std::string out = indentedLines(entry.signature, indent);
    out += wrapped(firstSentence(entry.comment), indent + 4);
    return entry.inferredAt && !entry.errors.empty() ? out + errorsText(entry, indent + 4) : out;
}

} // namespace

std::string listText(const std::vector<Module>& modules) {
    size_t longest = 0;
    for (const Module& module : modules) longest = std::max(longest, module.name.size());
    std::string out;
    for (const Module& module : modules) {
        const std::string about = wrapped(firstSentence(module.comment), longest + 4);
        out += "  " + module.name;
        out += about.empty() ? "\n" : std::string(longest - module.name.size() + 2, ' ') + about.substr(longest + 4);
    }
    return out + "\n`sx doc MODULE` shows what is in one, `sx doc NAME` all about a name.\n";
}

std::string moduleText(const Module& module) {
    std::string out = module.name + "    #import \"" + module.path + "\";\n\n" + commentText(module.comment, 2);
    std::string section;
    for (const Entry& entry : module.entries) {
        if (entry.section != section) out += "\n" + entry.section + "\n";
        section = entry.section;
        out += "\n" + brief(entry, 2);
        for (const Entry& method : entry.members) out += brief(method, 6);
    }
    return out;
}

std::string entryText(const Module& module, const Entry& entry) {
    std::string out = entry.name + "    #import \"" + module.path + "\";\n\n" + indentedLines(entry.signature, 2);
    if (!entry.comment.empty()) out += "\n" + commentText(entry.comment, 2);
    if (!entry.errors.empty() && entry.kind == Kind::Function) out += "\n" + errorsText(entry, 2);
    for (const Entry& method : entry.members) {
        out += "\n" + indentedLines(method.signature, 2) + commentText(method.comment, 6);
    }
    return out;
}

} // namespace sx::doc
