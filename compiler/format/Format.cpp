#include "format/Format.h"

#include "format/Layout.h"
#include "syntax/Lexer.h"
#include "syntax/Parser.h"

#include <algorithm>

namespace sx::format {
namespace {

/// A text, laid out.
struct Plan {
    std::string_view text;
    Pieces pieces;
    bool parsed = false;

    Plan(const SourceManager& sources, FileId file, Diagnostics& diags) : text(sources.text(file)) {
        AstContext context;
        const ast::File tree = parseFile(sources, file, context, diags);
        parsed = !diags.hasErrors();
        const Marks marks = parsed ? markTokens(tree, text, sources.start(file)) : Marks();
        pieces = makePieces(text, sources.start(file), lexFile(sources, file, context.names), marks);
        if (!parsed) guessItems(pieces);
        layOut(pieces);
    }

    /// The white space before piece `i` of the text.
    TextEdit gap(size_t i) const {
        const uint32_t begin = i > 0 ? pieces[i - 1].end : text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
        return {begin, pieces[i].begin, {}};
    }

    /// The edits of gaps that `wants` lets through.
    template <typename Predicate> std::vector<TextEdit> edits(Predicate wants) const {
        const std::string_view lineEnd = lineEndOf(text);
        std::vector<TextEdit> edits;
        for (size_t i = 0; i < pieces.size(); ++i) {
            TextEdit edit = gap(i);
            if (!wants(edit)) continue;
            edit.text = gapBefore(pieces[i], lineEnd);
            if (edit.text != text.substr(edit.begin, edit.end - edit.begin)) edits.push_back(std::move(edit));
        }
        return edits;
    }
};

/// The text after the edits, to be compared with that before.
struct NewText {
    SourceManager sources;
    FileId file;
    explicit NewText(std::string text) : file(sources.addFile("", "", std::move(text))) {}
};

/// Whether the new text has the same tokens and comments, with nothing but white space between.
bool sameContent(const Plan& before, const NewText& after) {
    NameTable names{knownNames()};
    const std::string_view text = after.sources.text(after.file);
    const std::vector<Token> tokens = lexFile(after.sources, after.file, names);
    size_t at = before.gap(0).begin; // behind a byte order mark
    size_t token = 0;
    for (const Piece& p : before.pieces) {
        at = std::min(text.find_first_not_of(" \r\n", at), text.size());
        const size_t length = p.end - p.begin;
        if (text.compare(at, length, before.text.substr(p.begin, length)) != 0) return false;
        at += length;
        if (p.isComment) {
            if (at < text.size() && text[at] != '\n' && text[at] != '\r') return false;
            continue;
        }
        if (token == tokens.size() || tokens[token].kind != p.kind) return false;
        if (tokens[token++].end.raw - after.sources.start(after.file).raw != at) return false;
    }
    return token == tokens.size() && at == text.size();
}

/// Where a line ends, what follows may mean something else (a block after a call), so the new text has to parse as
/// well.
bool stillParses(const Plan& plan, const NewText& after) {
    if (std::none_of(plan.pieces.begin(), plan.pieces.end(), [](const Piece& p) { return p.broken; })) return true;
    AstContext context;
    Diagnostics diags;
    parseFile(after.sources, after.file, context, diags);
    return !diags.hasErrors();
}

Outcome checked(const Plan& plan, std::vector<TextEdit> edits) {
    if (edits.empty()) return {};
    const NewText after(applyEdits(plan.text, edits));
    if (!sameContent(plan, after) || (plan.parsed && !stillParses(plan, after)))
        return {{}, true, Refusal::WouldChange};
    return {std::move(edits), false, {}};
}

Outcome refusedForErrors() { return {{}, true, Refusal::SyntaxErrors}; }

uint32_t lineBegin(std::string_view text, uint32_t at) {
    const size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    return newline == std::string_view::npos ? 0 : static_cast<uint32_t>(newline + 1);
}

uint32_t lineEndAfter(std::string_view text, uint32_t at) {
    return static_cast<uint32_t>(std::min(text.find('\n', at), text.size()));
}

/// The edits of the lines from that of byte `begin` to that of byte `end` (inclusive).
Outcome linesOf(const Plan& plan, uint32_t begin, uint32_t end) {
    const uint32_t first = lineBegin(plan.text, begin), last = lineEndAfter(plan.text, end);
    return checked(plan, plan.edits([&](const TextEdit& gap) { return gap.end >= first && gap.end <= last; }));
}

/// Of the gap before the first piece of the line of `offset` only the blanks after its last line end.
Outcome indentLine(const Plan& plan, uint32_t offset) {
    const uint32_t begin = lineBegin(plan.text, offset), end = lineEndAfter(plan.text, offset);
    const auto piece =
        std::find_if(plan.pieces.begin(), plan.pieces.end(), [&](const Piece& p) { return p.end > begin; });
    if (piece == plan.pieces.end() || piece->begin < begin || piece->begin > end) return {};
    if (piece->is(TokenKind::Eof) || (piece->newlines == 0 && begin > 0)) return {};
    const std::string blanks(piece->blanks, ' ');
    if (plan.text.substr(begin, piece->begin - begin) == blanks) return {};
    return checked(plan, {{begin, piece->begin, blanks}});
}

/// The blanks that a statement in the empty line of `offset` would have. No edit: the line is not empty.
std::vector<TextEdit> indentEmptyLine(std::string_view text, uint32_t offset) {
    const uint32_t begin = lineBegin(text, offset);
    uint32_t end = begin;
    while (end < text.size() && (text[end] == ' ' || text[end] == '\t')) ++end;
    if (begin == 0 || (end < text.size() && text[end] != '\n' && text[end] != '\r')) return {};
    const NewText filled(std::string(text.substr(0, begin)) + "x;" + std::string(text.substr(end)));
    Diagnostics ignored;
    const Plan plan(filled.sources, filled.file, ignored);
    const auto piece =
        std::find_if(plan.pieces.begin(), plan.pieces.end(), [&](const Piece& p) { return p.begin == begin; });
    if (piece == plan.pieces.end()) return {}; // in a text of several lines
    std::string blanks(piece->blanks, ' ');
    if (blanks == text.substr(begin, end - begin)) return {};
    return {{begin, end, std::move(blanks)}};
}

} // namespace

std::string applyEdits(std::string_view text, const std::vector<TextEdit>& edits) {
    std::string result;
    result.reserve(text.size() + text.size() / 8);
    size_t at = 0;
    for (const TextEdit& e : edits) {
        result.append(text, at, e.begin - at).append(e.text);
        at = e.end;
    }
    return result.append(text, at);
}

Outcome formatFile(const SourceManager& sources, FileId file, Diagnostics& diags) {
    const Plan plan(sources, file, diags);
    if (!plan.parsed) return refusedForErrors();
    return checked(plan, plan.edits([](const TextEdit&) { return true; }));
}

Outcome formatRange(const SourceManager& sources, FileId file, uint32_t begin, uint32_t end, Diagnostics& diags) {
    const Plan plan(sources, file, diags);
    if (!plan.parsed) return refusedForErrors();
    const auto size = static_cast<uint32_t>(plan.text.size());
    begin = std::min(begin, size);
    end = std::min(end, size);
    return linesOf(plan, begin, end > begin ? end - 1 : begin);
}

Outcome formatOnType(const SourceManager& sources, FileId file, uint32_t offset, char typed) {
    if (typed != '\n' && typed != ';' && typed != '}') return {};
    Diagnostics diags;
    const Plan plan(sources, file, diags);
    offset = std::min(offset, static_cast<uint32_t>(plan.text.size()));
    if (typed == '\n')
        if (std::vector<TextEdit> edits = indentEmptyLine(plan.text, offset); !edits.empty())
            return {std::move(edits), false, {}};
    if (typed == '\n' || !plan.parsed) return indentLine(plan, offset);
    if (typed == ';') return linesOf(plan, offset, offset);
    for (const Piece& p : plan.pieces)
        if (p.end == offset && p.is(TokenKind::RBrace) && p.partner != noMatch)
            return linesOf(plan, plan.pieces[p.partner].begin, offset);
    return {};
}

} // namespace sx::format
