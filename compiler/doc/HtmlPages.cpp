#include "doc/Comments.h"
#include "doc/Render.h"
#include "doc/Text.h"

#include <algorithm>

namespace sx::doc {

namespace {

constexpr const char* Style = R"(<style>
body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 0 auto; padding: 1em; color: #222; background: #fff; }
pre, code { font-family: monospace; background: #f2f2f0; }
pre { padding: 0.6em; overflow-x: auto; }
a { color: #0b5cad; }
h3 { margin-top: 2em; } section section { margin-left: 1.5em; }
input { font: inherit; width: 100%; box-sizing: border-box; padding: 0.4em; }
dt { font-weight: bold; } dd { margin: 0 0 0.6em 1.5em; }
@media (prefers-color-scheme: dark) {
body { color: #ddd; background: #1b1b1b; } pre, code { background: #2a2a2a; } a { color: #7db7f0; } }
</style>
)";

/// Shows what contains the words that are typed.
constexpr const char* Search = R"(<script>
document.getElementById('search').addEventListener('input', function (event) {
  var words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  document.querySelectorAll('[data-text]').forEach(function (item) {
    var text = item.getAttribute('data-text').toLowerCase();
    item.hidden = !words.every(function (word) { return text.indexOf(word) >= 0; });
  });
});
</script>
)";

std::string escaped(std::string_view text) {
    std::string out;
    for (char c : text) {
        if (c == '&') out += "&amp;";
        else if (c == '<') out += "&lt;";
        else if (c == '>') out += "&gt;";
        else if (c == '"') out += "&quot;";
        else out += c;
    }
    return out;
}

/// Text in which backquotes are around code.
std::string inlined(const std::string& text) {
    std::string out;
    bool isCode = false;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('`', at), text.size());
        out += escaped(std::string_view(text).substr(at, end - at));
        if (end < text.size()) {
            out += isCode ? "</code>" : "<code>";
            isCode = !isCode;
        }
        at = end + 1;
    }
    return isCode ? out + "</code>" : out;
}

std::string page(const std::string& title, const std::string& body) {
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
           escaped(title) + "</title>\n" + Style + "</head>\n<body>\n" + body + "</body>\n</html>\n";
}

std::string commentHtml(const std::string& comment) {
    std::string out;
    for (const Paragraph& p : paragraphs(comment))
        out += p.isVerbatim ? "<pre>" + escaped(p.text) + "</pre>\n" : "<p>" + inlined(p.text) + "</p>\n";
    return out;
}

std::string entryHtml(const Entry& entry, int level) {
    const std::string h = "h" + std::to_string(level);
    std::string out = "<section id=\"" + escaped(entry.name) + "\">\n<" + h + "><a href=\"#" + escaped(entry.name) +
                      "\">" + escaped(entry.name) + "</a></" + h + ">\n<pre>" + escaped(entry.signature) + "</pre>\n" +
                      commentHtml(entry.comment);
    if (!entry.errors.empty() && entry.kind == Kind::Function) {
        out += "<p>Errors:";
        for (const std::string& tag : entry.errors) out += " <code>" + escaped(tag) + "</code>";
        out += "</p>\n";
    }
    for (const Entry& method : entry.members) out += entryHtml(method, level + 1);
    return out + "</section>\n";
}

std::string moduleHtml(const Module& module) {
    std::string body = "<p><a href=\"index.html\">All modules</a></p>\n<h1>" + escaped(module.name) +
                       "</h1>\n<pre>#import \"" + escaped(module.path) + "\";</pre>\n" + commentHtml(module.comment);
    std::string section;
    for (const Entry& entry : module.entries) {
        if (entry.section != section && !entry.section.empty()) body += "<h2>" + escaped(entry.section) + "</h2>\n";
        section = entry.section;
        body += entryHtml(entry, 3);
    }
    return page(module.name, body);
}

/// A line of the search: a name, where it is, and what it is.
std::string found(const Module& module, const Entry& entry) {
    const std::string about = firstSentence(entry.comment);
    std::string out = "<div data-text=\"" + escaped(module.name + " " + entry.name + " " + about) + "\"><a href=\"" +
                      pageFile(module, ".html") + "#" + escaped(entry.name) + "\">" + escaped(entry.name) + "</a> (" +
                      escaped(module.name) + ") " + inlined(about) + "</div>\n";
    for (const Entry& method : entry.members) out += found(module, method);
    return out;
}

} // namespace

std::vector<Page> htmlPages(const std::vector<Module>& modules) {
    std::vector<Page> pages;
    std::string list, names;
    for (const Module& module : modules) {
        list += "<dt><a href=\"" + pageFile(module, ".html") + "\">" + escaped(module.name) + "</a></dt><dd>" +
                inlined(firstSentence(module.comment)) + "</dd>\n";
        for (const Entry& entry : module.entries) names += found(module, entry);
        pages.emplace_back(pageFile(module, ".html"), moduleHtml(module));
    }
    pages.emplace_back("index.html",
                       page("Modules", "<h1>Modules</h1>\n<dl>\n" + list +
                                           "</dl>\n<h2>Names</h2>\n<input id=\"search\" placeholder=\"search\" "
                                           "aria-label=\"search\">\n" +
                                           names + Search));
    return pages;
}

} // namespace sx::doc
