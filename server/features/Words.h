// Which keywords may stand at a place, by the tokens before it: the text need not parse.
#pragma once

#include "server/features/Syntax.h"

#include <string_view>
#include <vector>

namespace sx::server {

/// What may be written at a place.
struct Words {
    std::vector<std::string_view> keywords; ///< and directives; the likeliest first
    bool keywordsFirst = false;             ///< they are likelier than any name
    bool names = true;                      ///< something that is declared may be named
    bool isType = false;                    ///< what is named is a type
    bool isText = false;                    ///< the place is in a comment or a string: nothing may stand there
};

/// `offset` is where the word begins that is typed.
Words wordsAt(const Syntax&, uint32_t offset);

} // namespace sx::server
