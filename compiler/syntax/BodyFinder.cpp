#include "syntax/BodyFinder.h"

#include "syntax/Brackets.h"

namespace sx {

using K = TokenKind;

/// A token inside brackets of an item. An item may end with its last brace.
void BodyFinder::skipBracket(K kind) {
    if (isOpener(kind)) ++depth_;
    else if (isCloser(kind) && --depth_ == 0 && kind == K::RBrace) seen_ = Seen::Nothing;
}

bool BodyFinder::beginsBody(K kind) {
    if (depth_ > 0) {
        skipBracket(kind);
        return false;
    }
    if (kind == K::Semicolon || kind == K::RBrace) { // of an item, or of what holds members
        seen_ = Seen::Nothing;
        return false;
    }
    const Seen before = seen_;
    switch (before) {
    case Seen::Nothing:
        if (kind == K::KwImpl) seen_ = Seen::Members;
        else if (isIdentLike(kind)) seen_ = Seen::Name;
        else if (kind != K::KwPrivate) seen_ = Seen::Other;
        break;
    case Seen::Name: seen_ = kind == K::ColonColon ? Seen::Declaration : Seen::Other; break;
    case Seen::Declaration:
        if (kind == K::KwStruct || kind == K::KwProtocol) seen_ = Seen::Members;
        else if (kind == K::LParen) seen_ = Seen::Function;
        else if (kind != K::KwUfcs && kind != K::LBrace) seen_ = Seen::Other;
        break;
    case Seen::Function:
        if (kind == K::FatArrow || kind == K::KwStruct || kind == K::KwUnion || kind == K::KwEnum) seen_ = Seen::Other;
        break;
    case Seen::Members:
    case Seen::Other: break;
    }
    if (kind == K::LBrace) {
        const bool isMembers = before == Seen::Members;
        const bool isBody = before == Seen::Function || before == Seen::Declaration;
        if (isMembers || isBody) {
            seen_ = Seen::Nothing;
            return isBody;
        }
    }
    if (isOpener(kind)) ++depth_;
    return false;
}

} // namespace sx
