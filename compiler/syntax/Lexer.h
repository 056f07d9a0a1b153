// From text to tokens.
#pragma once

#include "syntax/Token.h"

#include <vector>

namespace sx {

/// Lexes a whole file. The last token is Eof, at the end of the text. Brackets are matched (see Token::value):
/// a closer that fits no open bracket, and an opener that is never closed, have no partner. Linear in the text.
std::vector<Token> lexFile(const SourceManager&, FileId, NameTable&);

} // namespace sx
