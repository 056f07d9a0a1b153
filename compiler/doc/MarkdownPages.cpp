#include "doc/Comments.h"
#include "doc/Render.h"
#include "doc/Text.h"

#include <algorithm>

namespace sx::doc {

namespace {

/// In a table, where `|` parts cells.
std::string cell(const std::string& text) {
    std::string out;
    for (char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out;
}

std::string commentMarkdown(const std::string& comment) {
    std::string out;
    for (const Paragraph& p : paragraphs(comment)) {
        const bool isCode = p.isVerbatim && p.text[0] == ' ';
        if (isCode) out += "```\n" + p.text + "\n```\n\n";
        else out += p.text + "\n\n";
    }
    return out;
}

std::string entryMarkdown(const Entry& entry, const char* level) {
    std::string out = std::string(level) + " `" + entry.name + "`\n\n```sx\n" + entry.signature + "\n```\n\n";
    out += commentMarkdown(entry.comment);
    if (!entry.errors.empty() && entry.kind == Kind::Function) {
        out += "Errors:";
        for (const std::string& tag : entry.errors) out += " `" + tag + "`";
        out += "\n\n";
    }
    for (const Entry& method : entry.members) out += entryMarkdown(method, "####");
    return out;
}

std::string moduleMarkdown(const Module& module) {
    std::string out = "# " + module.name + "\n\n```sx\n#import \"" + module.path + "\";\n```\n\n";
    out += commentMarkdown(module.comment);
    std::string section;
    for (const Entry& entry : module.entries) {
        if (entry.section != section && !entry.section.empty()) out += "## " + entry.section + "\n\n";
        section = entry.section;
        out += entryMarkdown(entry, "###");
    }
    while (out.size() > 1 && out[out.size() - 2] == '\n') out.pop_back();
    return out;
}

} // namespace

std::vector<Page> markdownPages(const std::vector<Module>& modules) {
    std::vector<Page> pages;
    std::string list = "# Modules\n\nMade by `sx doc --markdown`.\n\n| module | |\n|---|---|\n";
    for (const Module& module : modules) {
        list += "| [" + module.name + "](" + pageFile(module, ".md") + ") | " + cell(firstSentence(module.comment)) +
                " |\n";
        pages.emplace_back(pageFile(module, ".md"), moduleMarkdown(module));
    }
    pages.emplace_back("README.md", list);
    return pages;
}

} // namespace sx::doc
