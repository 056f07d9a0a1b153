// From text to tokens.
#pragma once

#include "syntax/Token.h"

#include <vector>

namespace sx {

/// Lexes a whole file. The last token is Eof, at the end of the text. Brackets are matched (see Token::value):
/// a closer that fits no open bracket, and an opener that is never closed, have no partner. Linear in the text.
std::vector<Token> lexFile(const SourceManager&, FileId, NameTable&);
/// The same, but the body of a function is one token, DeferredBody, as far as bodies are found (BodyFinder.h).
std::vector<Token> lexOutline(const SourceManager&, FileId, NameTable&);
/// The tokens of such a body, its braces included, and Eof.
std::vector<Token> lexBlock(const SourceManager&, Span block, NameTable&);

} // namespace sx
