// Source text and positions.
//
// Every file's text is owned by one SourceManager. A position is one 32-bit number that names file and
// offset at once: files are laid end to end in one address space, so a SourcePos is cheap to store on
// every token, node and instruction. `resolve` is the only place that turns one into file:line:col;
// diagnostics, DWARF, traces and #caller_location all ask it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sx {

/// Index of a file in its SourceManager, 0-based in order of loading.
enum class FileId : uint32_t {};

/// A byte position in some file. 0 means "no position". Positions of one file are contiguous and ordered.
struct SourcePos {
    uint32_t raw = 0;
    bool isValid() const { return raw != 0; }
    friend bool operator==(SourcePos, SourcePos) = default;
    friend auto operator<=>(SourcePos, SourcePos) = default;
    SourcePos operator+(uint32_t bytes) const { return {raw + bytes}; }
};

/// A half-open range of bytes [begin, end) within one file. A default Span has no position.
struct Span {
    SourcePos begin;
    SourcePos end;
    bool isValid() const { return begin.isValid(); }
    friend bool operator==(Span, Span) = default;
};

/// The last byte of a span: the brace that closes a block, the semicolon of a statement.
inline Span lastByte(Span span) { return {{span.end.raw - 1}, span.end}; }

/// The smallest span that covers both.
inline Span cover(Span a, Span b) {
    if (!a.isValid()) return b;
    if (!b.isValid()) return a;
    return {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

/// A resolved position. `line` and `col` are 1-based, `col` counts bytes.
struct Location {
    FileId file{};
    uint32_t line = 0;
    uint32_t col = 0;
};

/// Owns the text of every file of a compilation.
class SourceManager {
public:
    SourceManager();
    ~SourceManager();
    SourceManager(const SourceManager&) = delete;
    SourceManager& operator=(const SourceManager&) = delete;

    /// Takes over `text`. `path` is the normalised path that diagnostics show (relative to the working
    /// directory when below it); `tracePath` is the stable relative path that trace frames show.
    FileId addFile(std::string path, std::string tracePath, std::string text);

    size_t fileCount() const;
    std::string_view path(FileId) const;
    std::string_view tracePath(FileId) const;
    std::string_view text(FileId) const;
    /// Position of the first byte of the file; `start(f) + n` is byte n (n == size is the end of file).
    SourcePos start(FileId) const;

    FileId fileOf(SourcePos) const;
    /// Resolves a valid position: O(log lines) after the first call for a file.
    Location resolve(SourcePos) const;
    /// After this several threads may resolve positions at the same time.
    void findLines() const;
    /// `FILE:LINE:COL` of a valid position, for messages that have no place of their own.
    std::string placeOf(SourcePos) const;
    /// Text of a 1-based line without its line end (a CR before the LF is dropped too).
    std::string_view lineText(FileId, uint32_t line) const;
    std::string_view textOf(Span) const;

private:
    struct File;
    std::vector<std::unique_ptr<File>> files_;
    const std::vector<uint32_t>& lineStarts(const File&) const;
};

} // namespace sx
