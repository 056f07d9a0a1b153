#include "debugger/terminal/screen/Completion.h"

#include "debugger/terminal/commands/Commands.h"

#include <algorithm>

namespace sx::terminal {

namespace {

constexpr size_t MostShown = 60;

/// Where the name in front of the cursor begins.
size_t beginningOfName(const std::string& text) {
    size_t at = text.size();
    auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80); };
    while (at > 0 && isPart(text[at - 1])) --at;
    return at;
}

/// What the adapter knows to follow an expression.
std::vector<std::string> expressionsLike(Screen& s, const std::string& expression) {
    std::vector<std::string> found;
    if (s.debuggee.state != State::Stopped) return found;
    int64_t column = 1; // in UTF-16 units
    for (unsigned char c : expression) column += (c & 0xc0) == 0x80 ? 0 : c >= 0xf0 ? 2 : 1;
    Object arguments{{"text", expression}, {"column", column}};
    if (const StackRow* row = currentRow(s.debuggee)) arguments["frameId"] = row->id;
    Result<Object> answer = s.debuggee.client.ask("completions", std::move(arguments));
    if (!answer) return found;
    for (const Object* t : objectsOf(*answer, "targets")) {
        std::string text = textOf(*t, "text");
        found.push_back(text.empty() ? textOf(*t, "label") : text);
    }
    return found;
}

} // namespace

std::string commonBeginning(const std::vector<std::string>& texts) {
    if (texts.empty()) return "";
    std::string common = texts.front();
    for (const std::string& t : texts) {
        size_t same = 0;
        while (same < common.size() && same < t.size() && common[same] == t[same]) ++same;
        while (same > 0 && same < common.size() && (common[same] & 0xc0) == 0x80) --same;
        common.resize(same);
    }
    return common;
}

void complete(Screen& s) {
    std::string text = s.editor.text().substr(0, s.editor.cursor());
    size_t space = text.find(' ');
    bool isCommand = space == std::string::npos;
    size_t from = isCommand ? 0 : beginningOfName(text);
    std::string prefix = text.substr(from);
    std::vector<std::string> found = isCommand ? commandsLike(prefix) : expressionsLike(s, text.substr(space + 1));
    std::erase_if(found, [&](const std::string& f) { return f.compare(0, prefix.size(), prefix) != 0; });
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::string common = commonBeginning(found);
    if (found.size() == 1) s.editor.replace(from, common + (isCommand ? " " : ""));
    else if (common.size() > prefix.size()) s.editor.replace(from, common);
    if (found.size() < 2 || common.size() > prefix.size()) return;
    std::string list;
    for (size_t i = 0; i < found.size() && i < MostShown; ++i) list += (list.empty() ? "" : "  ") + found[i];
    s.output.say(list + (found.size() > MostShown ? "  …" : ""), Style::Dim);
}

} // namespace sx::terminal
