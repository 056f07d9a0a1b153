#include "format/Pieces.h"

#include <algorithm>

namespace sx::format {
namespace {

using K = TokenKind;

/// Walks the text once and keeps the column. A tab is worth as much as one level of indentation.
class Cutter {
public:
    Cutter(std::string_view text, SourcePos start, const Marks& marks) : text_(text), start_(start), marks_(marks) {}

    Pieces cut(const std::vector<Token>& tokens) {
        pieces_.reserve(tokens.size() + tokens.size() / 8);
        std::vector<uint32_t> pieceOf(tokens.size());
        if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3; // byte order mark
        for (size_t i = 0; i < tokens.size(); ++i) {
            const Token& token = tokens[i];
            const uint32_t begin = token.begin.raw - start_.raw - (token.raw ? 1 : 0); // with its backtick
            gap(begin);
            pieceOf[i] = static_cast<uint32_t>(pieces_.size());
            add(begin, token.end.raw - start_.raw).kind = token.kind;
            if (!marks_.empty()) pieces_.back().marks = marks_[token.begin.raw - start_.raw];
        }
        for (size_t i = 0; i < tokens.size(); ++i) {
            Piece& p = pieces_[pieceOf[i]];
            if ((p.isOpener() || p.isCloser()) && tokens[i].value != noMatch) p.partner = pieceOf[tokens[i].value];
        }
        if (!marks_.empty()) markWords();
        finish();
        return std::move(pieces_);
    }

private:
    /// The white space and comments up to `end`.
    void gap(uint32_t end) {
        while (at_ < end) {
            const char c = text_[at_];
            if (c == '/') {
                comment(end);
                continue;
            }
            if (c == '\n') {
                ++newlines_;
                column_ = 0;
            } else if (c == '\t') column_ += indentStep - column_ % indentStep;
            else if (c == ' ') ++column_;
            ++at_;
        }
    }

    void comment(uint32_t end) {
        const uint32_t lineEnd = static_cast<uint32_t>(std::min<size_t>(text_.find('\n', at_), end));
        uint32_t last = lineEnd;
        while (text_[last - 1] == ' ' || text_[last - 1] == '\t' || text_[last - 1] == '\r') --last;
        add(at_, last).isComment = true;
        at_ = lineEnd;
    }

    Piece& add(uint32_t begin, uint32_t end) {
        Piece& p = pieces_.emplace_back();
        p.begin = begin;
        p.end = end;
        p.column = column_;
        p.newlines = static_cast<uint8_t>(std::min(newlines_, 2U));
        newlines_ = 0;
        for (uint32_t i = begin; i < end; ++i) {
            const auto c = static_cast<unsigned char>(text_[i]);
            if (c == '\n') {
                if (!p.manyLines) p.width = p.lastWidth;
                p.manyLines = true;
                p.lastWidth = 0;
            } else if ((c & 0xC0) != 0x80) ++p.lastWidth; // not within a character of UTF-8
        }
        if (!p.manyLines) p.width = p.lastWidth;
        column_ = p.manyLines ? p.lastWidth : column_ + p.width;
        at_ = end;
        return p;
    }

    /// No empty lines at the beginning and at the end; one line end at the end.
    void finish() {
        pieces_.front().newlines = 0;
        if (pieces_.size() > 1) pieces_.back().newlines = 1;
    }

    /// Words before a declaration that its span does not have: `private`, and what stands for items without one.
    void markWords() {
        for (size_t i = 0; i < pieces_.size(); ++i) {
            Piece& p = pieces_[i];
            if (p.is(K::DirUsing) || (p.kind >= K::DirInclude && p.kind <= K::DirFlags))
                p.marks |= ItemStart | Statement;
            if (!p.is(K::KwPrivate)) continue;
            size_t next = i + 1;
            while (pieces_[next].isComment) ++next;
            if (!pieces_[next].has(Statement)) continue;
            constexpr uint16_t moved = ItemStart | Statement | ArmBody;
            p.marks |= pieces_[next].marks & moved;
            pieces_[next].marks &= static_cast<uint16_t>(~moved);
        }
    }

    const std::string_view text_;
    const SourcePos start_;
    const Marks& marks_;
    Pieces pieces_;
    uint32_t at_ = 0, column_ = 0, newlines_ = 0;
};

} // namespace

Pieces makePieces(std::string_view text, SourcePos start, const std::vector<Token>& tokens, const Marks& marks) {
    return Cutter(text, start, marks).cut(tokens);
}

void guessItems(Pieces& pieces) {
    const Piece* before = nullptr;
    for (size_t i = 0; i < pieces.size(); ++i) {
        Piece& p = pieces[i];
        if (p.isComment) continue;
        if (p.column == 0 && p.newlines > 0 && i + 1 < pieces.size() && pieces[i + 1].is(K::ColonColon))
            p.marks |= ItemStart | ModuleItem;
        if (!before || before->is(K::Semicolon) || before->is(K::Comma) || before->is(K::RBrace) || before->isOpener())
            p.marks |= ItemStart;
        if (p.is(K::KwCase)) p.marks |= ItemStart | Statement;
        before = &p;
    }
}

bool isBlockBrace(const Pieces& pieces, uint32_t i) {
    return pieces[i].is(K::LBrace) && !(i > 0 && pieces[i - 1].is(K::Dot));
}

std::string_view lineEndOf(std::string_view text) {
    const size_t newline = text.find('\n');
    return newline != std::string_view::npos && newline > 0 && text[newline - 1] == '\r' ? "\r\n" : "\n";
}

std::string gapBefore(const Piece& piece, std::string_view lineEnd) {
    std::string gap;
    for (int i = 0; i < piece.newlines; ++i) gap += lineEnd;
    return gap.append(piece.blanks, ' ');
}

} // namespace sx::format
