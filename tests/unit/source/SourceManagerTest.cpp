#include "source/Source.h"

#include <catch2/catch.hpp>

using namespace sx;

namespace {

std::string at(const SourceManager& sources, SourcePos pos) {
    const Location where = sources.resolve(pos);
    return std::to_string(static_cast<uint32_t>(where.file)) + ":" + std::to_string(where.line) + ":" +
           std::to_string(where.col);
}

} // namespace

TEST_CASE("positions resolve to 1-based lines and byte columns") {
    SourceManager sources;
    const FileId file = sources.addFile("a.sx", "a.sx", "one\ntwo\n\n\xC3\xA9x");
    const SourcePos start = sources.start(file);
    CHECK(at(sources, start) == "0:1:1");
    CHECK(at(sources, start + 3) == "0:1:4"); // the line end belongs to its line
    CHECK(at(sources, start + 4) == "0:2:1");
    CHECK(at(sources, start + 8) == "0:3:1");
    CHECK(at(sources, start + 9) == "0:4:1");
    CHECK(at(sources, start + 11) == "0:4:3"); // columns count bytes
    CHECK(at(sources, start + 12) == "0:4:4"); // the end of the file
}

TEST_CASE("a position names its file") {
    SourceManager sources;
    const FileId a = sources.addFile("a.sx", "ta", "ab");
    const FileId empty = sources.addFile("empty.sx", "te", "");
    const FileId b = sources.addFile("b.sx", "tb", "x\ny");
    CHECK(sources.fileCount() == 3);
    CHECK(sources.fileOf(sources.start(a) + 2) == a);
    CHECK(sources.fileOf(sources.start(empty)) == empty);
    CHECK(sources.fileOf(sources.start(b)) == b);
    CHECK(at(sources, sources.start(empty)) == "1:1:1");
    CHECK(at(sources, sources.start(b) + 2) == "2:2:1");
    CHECK(sources.path(b) == "b.sx");
    CHECK(sources.tracePath(b) == "tb");
    CHECK(sources.text(a) == "ab");
    CHECK_FALSE(SourcePos().isValid());
    CHECK(sources.start(a).isValid());
}

TEST_CASE("a line's text has no line end") {
    SourceManager sources;
    const FileId file = sources.addFile("a.sx", "a.sx", "dos\r\n\r\nlast\r");
    CHECK(sources.lineText(file, 1) == "dos");
    CHECK(sources.lineText(file, 2) == "");
    CHECK(sources.lineText(file, 3) == "last");
    CHECK(sources.lineText(file, 4) == "");
    CHECK(sources.lineText(file, 0) == "");
}

TEST_CASE("text of a span, and the cover of two") {
    SourceManager sources;
    const FileId file = sources.addFile("a.sx", "a.sx", "alpha beta");
    const SourcePos start = sources.start(file);
    const Span alpha{start, start + 5}, beta{start + 6, start + 10};
    CHECK(sources.textOf(beta) == "beta");
    CHECK(sources.textOf(cover(beta, alpha)) == "alpha beta");
    CHECK(cover(Span{}, beta) == beta);
    CHECK(cover(beta, Span{}) == beta);
    CHECK(sources.textOf({}) == "");
    CHECK(sources.textOf({start + 6, start + 100}) == "beta");
}
