// Where the bodies of a file's functions begin, told from the tokens alone.
#pragma once

#include "syntax/Token.h"

namespace sx {

/// Takes the tokens of a file one by one and finds the braces of functions that are declared at the top level, in types
/// and in `impl` blocks. It knows no grammar: where a file is written unusually (a result type with braces) it finds a
/// brace that begins no body, and the parser, which then meets a body where none can stand, has to read the whole file.
class BodyFinder {
public:
    /// Whether the token is the `{` of a body. The caller leaves out what follows up to the `}`, and that as well.
    bool beginsBody(TokenKind);

private:
    /// What has been seen of an item.
    enum class Seen : uint8_t {
        Nothing,
        Name,
        Declaration, ///< `NAME ::`
        Function,    ///< `NAME :: (`
        Members,     ///< the head of a type, protocol or `impl` block
        Other,       ///< what holds no bodies that are looked for
    };

    void skipBracket(TokenKind);

    Seen seen_ = Seen::Nothing;
    uint32_t depth_ = 0; ///< brackets that are open in the item, but for those around members
};

} // namespace sx
