// The stack of the thread that is looked at, and how places are written.
#include "debugger/terminal/target/Debuggee.h"
#include "source/Installation.h"
#include "source/Paths.h"

#include "llvm/ADT/StringRef.h"

#include <sys/stat.h>

namespace sx::terminal {

namespace {

StackRow rowOf(Debuggee& d, const Object& frame) {
    StackRow row;
    row.id = numberOf(frame, "id");
    row.name = textOf(frame, "name");
    row.file = sourceFileOf(frame.getObject("source"));
    row.line = numberOf(frame, "line");
    row.column = d.sources.columnInBytes(row.file, row.line, numberOf(frame, "column"));
    row.address = textOf(frame, "instructionPointerReference");
    std::string hint = textOf(frame, "presentationHint");
    row.isLabel = hint == "label";
    row.isSubtle = hint == "subtle";
    return row;
}

/// `/a/b/` of `/a/b/c.sx`
llvm::StringRef folderOf(llvm::StringRef path) { return path.take_front(path.rfind('/') + 1); }

bool exists(const std::string& path) {
    struct stat st;
    return stat(path.c_str(), &st) == 0;
}

} // namespace

const std::vector<StackRow>& stackOf(Debuggee& d, size_t count) {
    if (d.state != State::Stopped || d.client.isClosed()) return d.stack;
    while (!d.isStackWhole && d.stack.size() < count) {
        size_t wanted = count - d.stack.size();
        Result<Object> answer = d.client.ask("stackTrace", Object{{"threadId", d.thread},
                                                                  {"startFrame", static_cast<int64_t>(d.stack.size())},
                                                                  {"levels", static_cast<int64_t>(wanted)}});
        if (!answer) {
            d.isStackWhole = true;
            break;
        }
        std::vector<const Object*> frames = objectsOf(*answer, "stackFrames");
        bool isTrace = !d.stack.empty() && d.stack.back().isTrace;
        for (const Object* f : frames) {
            StackRow row = rowOf(d, *f);
            row.isTrace = isTrace = isTrace || row.isLabel;
            d.stack.push_back(std::move(row));
        }
        if (frames.size() < wanted) d.isStackWhole = true;
    }
    return d.stack;
}

const StackRow* currentRow(Debuggee& d) {
    stackOf(d, d.frame + 1);
    return d.frame < d.stack.size() ? &d.stack[d.frame] : nullptr;
}

std::string shownPath(const Debuggee& d, const std::string& path) {
    std::string whole = joinPath(workingDirectory(), d.start.program);
    if (path == whole) return d.start.program;
    llvm::StringRef folder = folderOf(whole), rest = path;
    if (folder.size() > 1 && rest.consume_front(folder)) return (folderOf(d.start.program) + rest).str();
    return path;
}

std::string meantPath(const Debuggee& d, const std::string& typed) {
    std::string here = joinPath(workingDirectory(), typed);
    if (typed.empty() || typed[0] == '/' || exists(here)) return here;
    std::string whole = joinPath(workingDirectory(), d.start.program);
    std::string beside = joinPath(folderOf(whole).str(), typed);
    return exists(beside) ? beside : here;
}

std::string placeOf(Debuggee& d, const StackRow& row) {
    if (row.line == 0 || row.file.path.empty()) return row.name;
    std::string text = row.name + " at " + shownPath(d, row.file.path) + ":" + std::to_string(row.line);
    return row.column > 0 ? text + ":" + std::to_string(row.column) : text;
}

} // namespace sx::terminal
