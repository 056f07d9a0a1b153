// A text as the formatter sees it: tokens and comments in order, and what stands between them.
#pragma once

#include "format/Marks.h"
#include "syntax/Token.h"

#include <string>
#include <string_view>
#include <vector>

namespace sx::format {

/// Columns that a line may have, and blanks of one level.
constexpr uint32_t maxColumns = 120;
constexpr uint32_t indentStep = 4;

/// A token, or a comment without the blanks at its end. `begin` and `end` are bytes of the text. The last piece is the
/// end of the file.
struct Piece {
    uint32_t begin = 0;
    uint32_t end = 0;
    uint32_t partner = noMatch; ///< of a bracket: the index of the other piece
    uint32_t column = 0;        ///< where it began in the text, 0-based, in columns
    uint32_t width = 0;         ///< columns of its first line
    uint32_t lastWidth = 0;     ///< columns of its last line: a string may have several
    TokenKind kind = TokenKind::Invalid;
    bool isComment = false;
    bool manyLines = false;
    bool broken = false;  ///< the formatter has begun a line with it, so that one is not too long
    uint16_t marks = 0;   ///< of Mark
    uint8_t newlines = 0; ///< line ends before it: 0, 1, or 2 where a line is empty
    uint32_t blanks = 0;  ///< before it, after these line ends

    /// The column behind it in the text.
    uint32_t endColumn() const { return manyLines ? lastWidth : column + width; }
    bool is(TokenKind k) const { return kind == k && !isComment; }
    bool has(unsigned mark) const { return (marks & mark) != 0; }
    bool isOpener() const { return is(TokenKind::LParen) || is(TokenKind::LBracket) || is(TokenKind::LBrace); }
    bool isCloser() const { return is(TokenKind::RParen) || is(TokenKind::RBracket) || is(TokenKind::RBrace); }
};

using Pieces = std::vector<Piece>;

/// Cuts a text up. `start` is the position of its first byte, `tokens` and `marks` are its own; `marks` may be empty.
Pieces makePieces(std::string_view text, SourcePos start, const std::vector<Token>& tokens, const Marks& marks);

/// Marks where items may begin in a text that has no tree: behind separators and opening brackets. What is declared in
/// the first column is an item of the module, whatever brackets are open before.
void guessItems(Pieces&);

/// Whether `{` at `i` opens a block or a body, and no literal `.{`.
bool isBlockBrace(const Pieces&, uint32_t i);

/// How lines of the text end: as its first one does, "\n" or "\r\n".
std::string_view lineEndOf(std::string_view text);

/// The white space before a piece, as formatted.
std::string gapBefore(const Piece&, std::string_view lineEnd);

} // namespace sx::format
