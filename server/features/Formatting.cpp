// The one style, for documents, ranges, and while typing.
#include "format/Format.h"
#include "server/features/Features.h"
#include "server/features/Syntax.h"

namespace sx::server {

namespace {

json::Array toEdits(const Syntax& s, const format::Outcome& outcome) {
    json::Array edits;
    if (outcome.refused) return edits;
    for (const format::TextEdit& e : outcome.edits)
        edits.push_back(
            json::Object{{"range", toJson(s.lines->range(e.begin, e.end))}, {"newText", json::fixUTF8(e.text)}});
    return edits;
}

} // namespace

Reply formatDocument(Workspace& workspace, const json::Object& params) {
    std::unique_ptr<Syntax> s = readSyntax(workspace, documentPath(params));
    if (!s) return {};
    Diagnostics ignored;
    return {toEdits(*s, format::formatFile(s->sources, s->file, ignored))};
}

Reply formatLines(Workspace& workspace, const json::Object& params) {
    std::unique_ptr<Syntax> s = readSyntax(workspace, documentPath(params));
    std::optional<Range> range = readRange(params.getObject("range"));
    if (!s || !range) return {};
    uint32_t begin = s->lines->offset(range->start), end = s->lines->offset(range->end);
    Diagnostics ignored;
    return {toEdits(*s, format::formatRange(s->sources, s->file, std::min(begin, end), std::max(begin, end), ignored))};
}

Reply formatTyped(Workspace& workspace, const json::Object& params) {
    std::unique_ptr<Syntax> s = readSyntax(workspace, documentPath(params));
    std::optional<Position> at = readPosition(params.getObject("position"));
    llvm::StringRef typed = params.getString("ch").value_or("");
    if (!s || !at || typed.empty()) return {};
    return {toEdits(*s, format::formatOnType(s->sources, s->file, s->lines->offset(*at), typed.front()))};
}

} // namespace sx::server
