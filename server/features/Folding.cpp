// What can be folded, and what surrounds a place: from brackets and comments, so that it works in texts that do not
// parse.
#include "server/features/Features.h"
#include "server/features/Nodes.h"
#include "server/features/Syntax.h"
#include "syntax/Brackets.h"

#include <algorithm>

namespace sx::server {

namespace {

class Folds {
public:
    explicit Folds(const Syntax& s) : s_(s) {}

    json::Array run() {
        brackets();
        texts();
        comments();
        imports();
        return std::move(out_);
    }

private:
    uint32_t lineOf(SourcePos p) const { return s_.lines->position(s_.offset(p)).line; }

    void add(uint32_t first, uint32_t last, const char* kind) {
        if (last <= first) return;
        json::Object fold{{"startLine", static_cast<int64_t>(first)}, {"endLine", static_cast<int64_t>(last)}};
        if (kind) fold["kind"] = kind;
        out_.push_back(std::move(fold));
    }

    void brackets() {
        for (const Token& t : s_.tokens) {
            if (!isOpener(t.kind) || t.value == noMatch || t.value >= s_.tokens.size()) continue;
            uint32_t last = lineOf(s_.tokens[t.value].begin);
            if (last > 0) add(lineOf(t.begin), last - 1, nullptr); // the closing line stays
        }
    }

    /// Strings of several lines.
    void texts() {
        for (const Token& t : s_.tokens)
            if (t.kind == TokenKind::String || t.kind == TokenKind::Heredoc)
                add(lineOf(t.begin), lineOf(t.end), nullptr);
    }

    void comments() {
        uint32_t first = 0;
        bool inside = false;
        for (uint32_t n = 0; n <= s_.lines->lineCount(); ++n) {
            bool isComment = n < s_.lines->lineCount() && llvm::StringRef(s_.lines->line(n)).ltrim().starts_with("//");
            if (isComment && !inside) first = n;
            if (!isComment && inside) add(first, n - 1, "comment");
            inside = isComment;
        }
    }

    void imports() {
        std::optional<uint32_t> first;
        uint32_t last = 0;
        for (const ast::Decl* d : s_.tree.items) {
            if (!d || !llvm::isa<ast::ImportDecl>(d) || !d->span.isValid()) continue;
            if (!first) first = lineOf(d->span.begin);
            last = lineOf(d->span.begin);
        }
        if (first) add(*first, last, "imports");
    }

    const Syntax& s_;
    json::Array out_;
};

/// From the token at an offset outwards: expressions, contents of brackets, statements, declarations, the text.
std::vector<Range> around(const Syntax& s, uint32_t offset) {
    std::vector<std::pair<uint32_t, uint32_t>> found;
    auto begin = [&](const Token& t) { return s.offset(t.begin); };
    auto end = [&](const Token& t) { return s.offset(t.end); };
    for (const Token& t : s.tokens)
        if (begin(t) <= offset && offset <= end(t) && end(t) > begin(t)) found.emplace_back(begin(t), end(t));
    for (size_t i = 0; i < s.tokens.size(); ++i) {
        const Token& t = s.tokens[i];
        if (!isOpener(t.kind) || t.value == noMatch || t.value >= s.tokens.size()) continue;
        const Token& closer = s.tokens[t.value];
        if (begin(t) > offset || offset > end(closer)) continue;
        found.emplace_back(begin(t), end(closer));
        if (end(t) <= offset && offset <= begin(closer)) found.emplace_back(end(t), begin(closer));
        // The statement or item that the brackets belong to.
        size_t from = i;
        while (from > 0 && s.tokens[from - 1].kind != TokenKind::Semicolon &&
               s.tokens[from - 1].kind != TokenKind::LBrace && s.tokens[from - 1].kind != TokenKind::RBrace)
            --from;
        found.emplace_back(begin(s.tokens[from]), end(closer));
    }
    forEachNode(s.tree, [&](Span node) {
        uint32_t from = s.offset(node.begin), to = s.offset(node.end);
        if (from <= offset && offset <= to && to <= s.text().size()) found.emplace_back(from, to);
    });
    Position at = s.lines->position(offset);
    uint32_t line = s.lines->lineStart(at.line);
    found.emplace_back(line, line + static_cast<uint32_t>(s.lines->line(at.line).size()));
    found.emplace_back(0, static_cast<uint32_t>(s.text().size()));
    std::sort(found.begin(), found.end(), [](auto a, auto b) { return a.second - a.first < b.second - b.first; });
    std::vector<Range> nested;
    std::pair<uint32_t, uint32_t> inner{offset, offset};
    for (auto [from, to] : found) {
        if (from > inner.first || to < inner.second || (!nested.empty() && inner == std::pair(from, to))) continue;
        inner = {from, to};
        nested.push_back(s.lines->range(from, to));
    }
    return nested;
}

} // namespace

Reply foldingRanges(Workspace& workspace, const json::Object& params) {
    std::unique_ptr<Syntax> s = readSyntax(workspace, documentPath(params));
    return {s ? json::Value(Folds(*s).run()) : json::Value(nullptr)};
}

Reply selectionRanges(Workspace& workspace, const json::Object& params) {
    std::unique_ptr<Syntax> s = readSyntax(workspace, documentPath(params));
    const json::Array* positions = params.getArray("positions");
    if (!s || !positions) return {};
    json::Array all;
    for (const json::Value& v : *positions) {
        Position at = readPosition(v.getAsObject()).value_or(Position{});
        std::vector<Range> nested = around(*s, s->lines->offset(at));
        json::Value outer = nullptr;
        for (auto range = nested.rbegin(); range != nested.rend(); ++range) {
            json::Object made{{"range", toJson(*range)}};
            if (outer.kind() != json::Value::Null) made["parent"] = std::move(outer);
            outer = std::move(made);
        }
        all.push_back(std::move(outer));
    }
    return {std::move(all)};
}

} // namespace sx::server
