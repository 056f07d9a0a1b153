#include "debugger/terminal/target/SourceTexts.h"

#include "source/Files.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ConvertUTF.h"

namespace sx::terminal {

namespace {

std::vector<std::string> split(llvm::StringRef text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        auto [line, rest] = text.split('\n');
        lines.push_back(line.rtrim('\r').str());
        text = rest;
    }
    return lines;
}

} // namespace

const std::vector<std::string>& SourceTexts::lines(const SourceFile& file) {
    auto found = files_.find(file);
    if (found != files_.end()) return found->second;
    std::vector<std::string> lines;
    if (file.reference > 0) {
        Object source{{"path", file.path}, {"sourceReference", file.reference}};
        Result<Object> answer =
            client_.ask("source", Object{{"source", std::move(source)}, {"sourceReference", file.reference}});
        if (answer) lines = split(textOf(*answer, "content"));
    } else if (!file.path.empty()) {
        Result<std::string> text = readTextFile(file.path);
        if (text) lines = split(*text);
    }
    return files_[file] = std::move(lines);
}

int64_t SourceTexts::columnInBytes(const SourceFile& file, int64_t line, int64_t column) {
    const std::vector<std::string>& all = lines(file);
    if (line < 1 || column < 1 || static_cast<size_t>(line) > all.size()) return column;
    const std::string& text = all[static_cast<size_t>(line - 1)];
    int64_t bytes = 0, units = 1;
    while (units < column && static_cast<size_t>(bytes) < text.size()) {
        unsigned length = llvm::getNumBytesForUTF8(static_cast<llvm::UTF8>(text[static_cast<size_t>(bytes)]));
        units += length == 4 ? 2 : 1;
        bytes += length;
    }
    return bytes + 1;
}

SourceFile sourceFileOf(const Object* source) {
    if (!source) return {};
    return {textOf(*source, "path"), numberOf(*source, "sourceReference")};
}

} // namespace sx::terminal
