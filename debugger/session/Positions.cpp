#include "debugger/session/Positions.h"
#include "debugger/session/SourceMap.h"

#include <unistd.h>

namespace sx::debugger {

int64_t lineToClient(const Session& s, uint32_t line) { return int64_t{line} - (s.client.linesStartAt1 ? 0 : 1); }

uint32_t lineFromClient(const Session& s, int64_t line) {
    int64_t n = line + (s.client.linesStartAt1 ? 0 : 1);
    return n < 1 ? 0 : n > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(n);
}

int64_t unitsBefore(const Session& s, const Location& at) {
    std::string_view line = s.program->sources.lineText(at.file, at.line);
    return utf16Length(line.substr(0, at.col > 0 ? at.col - 1 : 0));
}

int64_t columnToClient(const Session& s, const Location& at) {
    return unitsBefore(s, at) + (s.client.columnsStartAt1 ? 1 : 0);
}

uint32_t columnFromClient(const Session& s, FileId file, uint32_t line, int64_t column) {
    int64_t units = column - (s.client.columnsStartAt1 ? 1 : 0);
    return static_cast<uint32_t>(bytesOfUnits(s.program->sources.lineText(file, line), units) + 1);
}

llvm::json::Object sourceOf(const std::string& path) {
    size_t slash = path.rfind('/');
    return llvm::json::Object{{"name", asUtf8(slash == std::string::npos ? path : path.substr(slash + 1))},
                              {"path", asUtf8(path)}};
}

llvm::json::Object sourceOf(const Session& s, FileId file) {
    std::string path = pathForClient(s, s.program->absolutePath(file));
    llvm::json::Object source = sourceOf(path);
    bool library = s.program->isLibrary(file);
    if (library) {
        source["origin"] = "library";
        source["presentationHint"] = "deemphasize";
    }
    // A file that is not here (it lies inside the compiler, say) is served by the request `source`.
    bool hasText = s.program->withoutText.count(file) == 0;
    if (access(path.c_str(), R_OK) != 0 && hasText) source["sourceReference"] = static_cast<int64_t>(file) + 1;
    return source;
}

} // namespace sx::debugger
