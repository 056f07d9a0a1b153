// The one style, for documents, ranges, and while typing.
#include "format/Format.h"
#include "server/features/Features.h"
#include "server/features/Syntax.h"
#include "server/program/Repair.h"

#include <algorithm>

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

/// The lines that bytes `begin` to `end` touch.
std::string_view linesAround(std::string_view text, uint32_t begin, uint32_t end) {
    size_t newline = begin == 0 ? std::string_view::npos : text.rfind('\n', begin - 1);
    size_t from = newline == std::string_view::npos ? 0 : newline + 1;
    size_t to = std::min(text.find('\n', end > begin ? end - 1 : end), text.size());
    return text.substr(from, to - from);
}

/// Formats lines of a text that does not parse, as if what is wrong elsewhere were not there. Refused where the lines
/// themselves are wrong.
format::Outcome formatBesideErrors(const Syntax& s, uint32_t begin, uint32_t end) {
    std::vector<uint32_t> errors;
    for (const Diagnostic& d : s.diags.all())
        if (d.severity == Severity::Error && d.span.isValid()) errors.push_back(s.offset(d.span.begin));
    for (RepairLevel level : {RepairLevel::Statements, RepairLevel::Items, RepairLevel::Unbalanced}) {
        std::string text = repaired(s.text(), errors, level);
        if (linesAround(text, begin, end) != linesAround(s.text(), begin, end)) continue;
        SourceManager sources;
        FileId file = sources.addFile("text", "text", text);
        Diagnostics ignored;
        format::Outcome outcome = format::formatRange(sources, file, begin, end, ignored);
        if (outcome.refused) continue;
        // What was taken out is no white space.
        std::erase_if(outcome.edits, [&](const format::TextEdit& e) {
            return s.text().substr(e.begin, e.end - e.begin) != std::string_view(text).substr(e.begin, e.end - e.begin);
        });
        return outcome;
    }
    return {{}, true, format::Refusal::SyntaxErrors};
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
    if (end < begin) std::swap(begin, end);
    if (s->diags.hasErrors()) return {toEdits(*s, formatBesideErrors(*s, begin, end))};
    Diagnostics ignored;
    return {toEdits(*s, format::formatRange(s->sources, s->file, begin, end, ignored))};
}

Reply formatTyped(Workspace& workspace, const json::Object& params) {
    std::unique_ptr<Syntax> s = readSyntax(workspace, documentPath(params));
    std::optional<Position> at = readPosition(params.getObject("position"));
    llvm::StringRef typed = params.getString("ch").value_or("");
    if (!s || !at || typed.empty()) return {};
    uint32_t offset = s->lines->offset(*at);
    if (typed.front() == ';' && s->diags.hasErrors())
        if (format::Outcome line = formatBesideErrors(*s, offset, offset); !line.refused) return {toEdits(*s, line)};
    return {toEdits(*s, format::formatOnType(s->sources, s->file, offset, typed.front()))};
}

} // namespace sx::server
