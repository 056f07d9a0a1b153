#include "debugger/agent/HeapSummary.h"

#include "debugger/objects/GraphFile.h"
#include "driver/Report.h"
#include "source/Installation.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace sx::debugger {

namespace {

using namespace objects;
using driver::inOneLine;
using driver::printError;

constexpr size_t MostRows = 20;

std::unique_ptr<HeapGraph> readHeap(const std::string& path, int& status) {
    auto file = llvm::MemoryBuffer::getFileOrSTDIN(path);
    if (!file) {
        printError("cannot read " + code(path) + ": " + file.getError().message());
        status = 2;
        return nullptr;
    }
    Result<std::unique_ptr<HeapGraph>> heap = readJson((*file)->getBuffer());
    if (heap) return std::move(*heap);
    printError(path + ": " + heap.error());
    status = 1;
    return nullptr;
}

/// The status of a command that has printed all it had to.
int finishOutput() {
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return 0;
    printError(std::string("cannot write to standard output: ") + std::strerror(errno));
    return 1;
}

/// `1 object`, `2 objects`.
std::string several(size_t n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

std::string padded(int64_t number, bool isChange) {
    std::string text = (isChange && number > 0 ? "+" : "") + std::to_string(number);
    return std::string(12 - std::min<size_t>(11, text.size()), ' ') + text;
}

/// The first of `all` rows.
void printRows(const char* title, const std::vector<GroupRow>& rows, size_t all, bool isChange) {
    std::printf("\n%s\n       count     shallow    retained\n", title);
    size_t shown = std::min(rows.size(), MostRows);
    for (size_t i = 0; i < shown; ++i) {
        const GroupRow& r = rows[i];
        std::string kept = r.keptBy.empty() ? "" : ", kept by " + r.keptBy;
        std::printf("%s%s%s  %s\n", padded(r.count, isChange).c_str(), padded(r.shallow, isChange).c_str(),
                    r.isUnreached ? " unavailable" : padded(r.retained, isChange).c_str(),
                    inOneLine(r.group + kept).c_str());
    }
    if (all > shown) std::printf("%12s  and %s\n", "…", several(all - shown, "more row").c_str());
}

void printGroups(const char* title, const std::vector<GroupRow>& rows, bool isChange) {
    printRows(title, rows, rows.size(), isChange);
}

void printSummary(const HeapGraph& h) {
    uint64_t bytes = 0, lost = 0, lostBytes = 0;
    for (uint32_t i = 0; i < h.nodes.size(); ++i) {
        bytes += h.nodes[i].shallow;
        if (!h.dominators().reachable[i]) ++lost, lostBytes += h.nodes[i].shallow;
    }
    std::printf("%s, %s, %s, %s\n", several(h.nodes.size(), "object").c_str(), several(bytes, "byte").c_str(),
                several(h.graph.edges().size(), "reference").c_str(), several(h.roots.size(), "root").c_str());
    if (lost > 0)
        std::printf("%s of %s that no root leads to\n", several(lost, "object").c_str(),
                    several(lostBytes, "byte").c_str());
    if (!h.approximation.empty()) std::printf("approximate: %s\n", inOneLine(h.approximation).c_str());
    if (h.nodes.empty()) return;
    printGroups("by type", groups(h, GroupBy::Type), false);
    printGroups("by site", groups(h, GroupBy::Site), false);
    printRows("objects", objectsBySize(h, 0, MostRows), h.nodes.size(), false);
}

/// A part of the page, which is installed; an error is told.
std::optional<std::string> pagePart(const char* name) {
    std::string path = editorsFolder() + "/graph/" + name;
    auto file = llvm::MemoryBuffer::getFile(path);
    if (file) return (*file)->getBuffer().str();
    printError("a part of sx is not installed: " + path);
    return std::nullopt;
}

/// One file that needs nothing else.
int writePage(const HeapGraph& h, const std::string& path) {
    std::optional<std::string> page = pagePart("page.html");
    const std::pair<const char*, const char*> parts[] = {
        {"@CYTOSCAPE@", "cytoscape.min.js"}, {"@ROUTES@", "routes.js"}, {"@PAGE@", "page.js"}};
    for (auto [mark, name] : parts) {
        std::optional<std::string> text = page ? pagePart(name) : std::nullopt;
        if (!text) return 1;
        if (size_t at = page->find(mark); at != std::string::npos) page->replace(at, std::strlen(mark), *text);
    }
    auto [before, after] = llvm::StringRef(*page).split("@HEAP@");
    std::error_code error;
    llvm::raw_fd_ostream out(path, error);
    if (!error) {
        out << before;
        writePageData(h, out);
        out << after;
        out.close(), error = out.error();
    }
    out.clear_error();
    if (!error) return 0;
    printError("cannot write " + code(path) + ": " + error.message());
    return 1;
}

} // namespace

int showHeaps(const driver::Invocation& in) {
    int status = 0;
    if (in.files.size() > 2) {
        printError("more than two files given; try `sx help graph`");
        return 2;
    }
    std::unique_ptr<HeapGraph> first = readHeap(in.files.front(), status);
    std::unique_ptr<HeapGraph> second = first && in.files.size() == 2 ? readHeap(in.files.back(), status) : nullptr;
    if (status != 0) return status;
    if (!in.page.empty()) return writePage(second ? *second : *first, in.page);
    if (!second) {
        printSummary(*first);
        return finishOutput();
    }
    std::vector<GroupRow> byType = difference(*first, *second, GroupBy::Type);
    if (byType.empty()) std::printf("no difference\n");
    else printGroups("by type", byType, true), printGroups("by site", difference(*first, *second, GroupBy::Site), true);
    return finishOutput();
}

} // namespace sx::debugger
