#include "FormatFixture.h"

#include "format/Format.h"
#include "source/Files.h"
#include "syntax/Lexer.h"
#include "syntax/Parser.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

using namespace sx;

std::string formatted(const std::string& text) {
    SourceManager sources;
    Diagnostics diags;
    const FileId file = sources.addFile("t.sx", "t.sx", text);
    const format::Outcome outcome = format::formatFile(sources, file, diags);
    if (outcome.refused) return outcome.refusal == format::Refusal::SyntaxErrors ? "syntax errors" : "would change";
    return format::applyEdits(text, outcome.edits);
}

bool isStable(const std::string& text) { return formatted(text) == text; }

std::vector<std::string> contentOf(const std::string& text) {
    SourceManager sources;
    NameTable names{knownNames()};
    const FileId file = sources.addFile("t.sx", "t.sx", text);
    std::vector<std::string> content;
    size_t at = 0;
    for (const Token& token : lexFile(sources, file, names)) {
        const size_t begin = token.begin.raw - sources.start(file).raw;
        std::istringstream between(text.substr(at, begin - at));
        for (std::string line; std::getline(between, line);) {
            const size_t comment = line.find("//");
            if (comment == std::string::npos) continue;
            content.push_back(line.substr(comment, line.find_last_not_of(" \t\r") + 1 - comment));
        }
        at = token.end.raw - sources.start(file).raw;
        content.push_back(text.substr(begin, at - begin));
    }
    return content;
}

std::vector<Program> programsUnder(const std::string& folder) {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(SX_SOURCE_DIR "/" + folder))
        if (entry.path().extension() == ".sx" && entry.is_regular_file()) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<Program> programs;
    for (const std::string& path : paths)
        if (Result<std::string> text = readTextFile(path)) programs.push_back({path, std::move(*text)});
    return programs;
}
