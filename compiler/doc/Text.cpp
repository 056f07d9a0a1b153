#include "doc/Text.h"

namespace sx::doc {

static bool staysAsIs(const std::string& line) {
    return line[0] == ' ' || line[0] == '\t' || line.compare(0, 2, "* ") == 0 || line.compare(0, 2, "- ") == 0;
}

std::vector<Paragraph> paragraphs(const std::string& comment) {
    std::vector<Paragraph> all;
    bool isNew = true;
    for (size_t at = 0; at < comment.size();) {
        const size_t end = std::min(comment.find('\n', at), comment.size());
        const std::string line = comment.substr(at, end - at);
        at = end + 1;
        if (line.empty()) {
            isNew = true;
            continue;
        }
        const bool isVerbatim = staysAsIs(line);
        if (isNew || all.back().isVerbatim != isVerbatim) all.push_back({line, isVerbatim});
        else all.back().text += (isVerbatim ? "\n" : " ") + line;
        isNew = false;
    }
    return all;
}

} // namespace sx::doc
