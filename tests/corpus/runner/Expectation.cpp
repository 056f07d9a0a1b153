#include "Expectation.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace corpus {

std::optional<std::string> readFile(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return std::nullopt;
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

namespace {

std::vector<std::string> words(const std::string& s) {
    std::istringstream in(s);
    std::vector<std::string> out;
    for (std::string w; in >> w;) out.push_back(w);
    return out;
}

/// `COL: text`, on the line given, or `@LINE:COL: text`.
DiagnosticAt position(std::string rest, int line) {
    DiagnosticAt d;
    d.line = line;
    if (!rest.empty() && rest[0] == '@') {
        size_t colon = rest.find(':');
        d.line = std::atoi(rest.substr(1, colon - 1).c_str());
        rest = rest.substr(colon + 1);
    } else {
        rest = rest.substr(1);
    }
    size_t colon = rest.find(':');
    d.col = std::atoi(rest.substr(0, colon).c_str());
    if (colon != std::string::npos && colon + 2 <= rest.size()) d.text = rest.substr(colon + 2);
    return d;
}

} // namespace

Expectation readExpectation(const std::string& path) {
    Expectation e;
    std::istringstream text(readFile(path).value_or(""));
    int line = 0;
    for (std::string s; std::getline(text, s);) {
        ++line;
        auto after = [&](const std::string& key) -> std::optional<std::string> {
            size_t at = s.find("// " + key);
            if (at == std::string::npos) return std::nullopt;
            return s.substr(at + 3 + key.size());
        };
        auto value = [](const std::string& rest) { return rest.size() > 0 && rest[0] == ' ' ? rest.substr(1) : rest; };
        if (auto r = after("expect:")) e.out = e.out.value_or("") + value(*r) + "\n";
        else if (auto r = after("expect-exit:")) e.exit = std::atoi(r->c_str());
        else if (auto r = after("expect-error")) e.errors.push_back(position(*r, line));
        else if (auto r = after("expect-warning")) e.warnings.push_back(position(*r, line));
        else if (auto r = after("expect-note:")) e.notes.push_back(value(*r));
        else if (auto r = after("expect-help:")) e.helps.push_back(value(*r));
        else if (auto r = after("expect-trace:")) e.trace.push_back(value(*r));
        else if (auto r = after("expect-panic")) e.panic = position(*r, line);
        else if (auto r = after("expect-stderr:")) e.stderrLines.push_back(value(*r));
        else if (auto r = after("args:")) e.args = words(*r);
        else if (auto r = after("options:")) e.options = words(*r);
        else if (auto r = after("machines:")) e.machines = words(*r);
    }
    std::string base = path.substr(0, path.size() - 3);
    if (auto out = readFile(base + ".out")) e.out = out;
    if (auto err = readFile(base + ".err")) e.err = err;
    if (auto exit = readFile(base + ".exit")) e.exit = std::atoi(exit->c_str());
    return e;
}

} // namespace corpus
