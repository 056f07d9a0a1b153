#include "source/Source.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace sx {

struct SourceManager::File {
    std::string path;
    std::string tracePath;
    std::string text;
    uint32_t start = 0; ///< raw position of byte 0
    /// Offsets of the first byte of every line; filled by the first question about this file.
    mutable std::vector<uint32_t> lineStarts;
};

namespace {

std::vector<uint32_t> findLineStarts(std::string_view text) {
    std::vector<uint32_t> starts{0};
    const char* const base = text.data();
    const char* const end = base + text.size();
    const char* at = base;
    while (at < end) {
        const void* newline = std::memchr(at, '\n', static_cast<size_t>(end - at));
        if (!newline) break;
        at = static_cast<const char*>(newline) + 1;
        starts.push_back(static_cast<uint32_t>(at - base));
    }
    return starts;
}

} // namespace

SourceManager::SourceManager() = default;
SourceManager::~SourceManager() = default;

FileId SourceManager::addFile(std::string path, std::string tracePath, std::string text) {
    // Raw position 0 means "none", and every file keeps one position of its own for its end.
    uint64_t start = 1;
    if (!files_.empty()) start = uint64_t{files_.back()->start} + files_.back()->text.size() + 1;
    assert(start + text.size() < UINT32_MAX && "the files of one compilation exceed 4 GiB");

    auto file = std::make_unique<File>();
    file->path = std::move(path);
    file->tracePath = std::move(tracePath);
    file->text = std::move(text);
    file->start = static_cast<uint32_t>(start);
    files_.push_back(std::move(file));
    return static_cast<FileId>(files_.size() - 1);
}

size_t SourceManager::fileCount() const { return files_.size(); }

std::string_view SourceManager::path(FileId id) const { return files_[static_cast<size_t>(id)]->path; }

std::string_view SourceManager::tracePath(FileId id) const { return files_[static_cast<size_t>(id)]->tracePath; }

std::string_view SourceManager::text(FileId id) const { return files_[static_cast<size_t>(id)]->text; }

SourcePos SourceManager::start(FileId id) const { return {files_[static_cast<size_t>(id)]->start}; }

FileId SourceManager::fileOf(SourcePos pos) const {
    assert(pos.isValid() && !files_.empty());
    auto after = std::upper_bound(files_.begin(), files_.end(), pos.raw,
                                  [](uint32_t raw, const std::unique_ptr<File>& file) { return raw < file->start; });
    assert(after != files_.begin());
    return static_cast<FileId>(after - files_.begin() - 1);
}

const std::vector<uint32_t>& SourceManager::lineStarts(const File& file) const {
    if (file.lineStarts.empty()) file.lineStarts = findLineStarts(file.text);
    return file.lineStarts;
}

void SourceManager::findLines() const {
    for (const std::unique_ptr<File>& file : files_) lineStarts(*file);
}

Location SourceManager::resolve(SourcePos pos) const {
    const FileId id = fileOf(pos);
    const File& file = *files_[static_cast<size_t>(id)];
    const std::vector<uint32_t>& starts = lineStarts(file);
    const uint32_t offset = std::min(pos.raw - file.start, static_cast<uint32_t>(file.text.size()));
    auto after = std::upper_bound(starts.begin(), starts.end(), offset);
    return {id, static_cast<uint32_t>(after - starts.begin()), offset - *(after - 1) + 1};
}

std::string SourceManager::placeOf(SourcePos pos) const {
    Location at = resolve(pos);
    return std::string(path(at.file)) + ":" + std::to_string(at.line) + ":" + std::to_string(at.col);
}

std::string_view SourceManager::lineText(FileId id, uint32_t line) const {
    const File& file = *files_[static_cast<size_t>(id)];
    const std::vector<uint32_t>& starts = lineStarts(file);
    if (line == 0 || line > starts.size()) return {};
    const uint32_t begin = starts[line - 1];
    uint32_t end = line < starts.size() ? starts[line] - 1 : static_cast<uint32_t>(file.text.size());
    if (end > begin && file.text[end - 1] == '\r') --end;
    return std::string_view(file.text).substr(begin, end - begin);
}

std::string_view SourceManager::textOf(Span span) const {
    if (!span.isValid()) return {};
    const File& file = *files_[static_cast<size_t>(fileOf(span.begin))];
    const size_t begin = span.begin.raw - file.start;
    const size_t end = std::min<size_t>(span.end.raw - file.start, file.text.size());
    if (span.end < span.begin || begin > end) return {};
    return std::string_view(file.text).substr(begin, end - begin);
}

} // namespace sx
