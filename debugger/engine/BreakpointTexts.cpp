#include "debugger/engine/BreakpointTexts.h"

namespace sx::debugger {

bool HitCondition::holds(uint64_t hits) const {
    switch (kind) {
    case Kind::Equal: return hits == number;
    case Kind::AtLeast: return hits >= number;
    case Kind::More: return hits > number;
    case Kind::Multiple: return number != 0 && hits % number == 0;
    }
    return true;
}

std::optional<HitCondition> parseHitCondition(llvm::StringRef text) {
    using Kind = HitCondition::Kind;
    text = text.trim();
    Kind kind = Kind::Equal;
    if (text.consume_front(">=")) kind = Kind::AtLeast;
    else if (text.consume_front(">")) kind = Kind::More;
    else if (text.consume_front("%")) kind = Kind::Multiple;
    else text.consume_front("==");
    uint64_t number = 0;
    if (text.trim().getAsInteger(10, number)) return std::nullopt;
    if ((kind == Kind::Multiple || kind == Kind::Equal) && number == 0) return std::nullopt; // would never hold
    return HitCondition{kind, number};
}

namespace {

/// Where a literal of a text or a character ends that begins at `at`; of one that is not closed the quote alone counts.
size_t pastLiteral(llvm::StringRef text, size_t at) {
    for (size_t end = at + 1; end < text.size(); ++end) {
        if (text[end] == '\\') ++end;
        else if (text[end] == text[at]) return end + 1;
    }
    return at + 1;
}

} // namespace

std::vector<LogPiece> parseLogMessage(llvm::StringRef message) {
    std::vector<LogPiece> pieces;
    std::string text;
    while (!message.empty()) {
        if (message.consume_front("{{")) {
            text += '{';
            continue;
        }
        if (!message.starts_with("{")) {
            text += message.front();
            message = message.drop_front(message.starts_with("}}") ? 2 : 1);
            continue;
        }
        // The expression ends at the brace that closes it: it may have braces of its own, also in literals.
        size_t end = 1;
        unsigned depth = 1;
        while (end < message.size() && depth > 0) {
            char c = message[end];
            if (c == '{') ++depth;
            if (c == '}') --depth;
            end = c == '"' || c == '\'' ? pastLiteral(message, end) : end + 1;
        }
        bool isClosed = depth == 0;
        if (!text.empty()) pieces.push_back({false, std::move(text)});
        text.clear();
        pieces.push_back({true, message.slice(1, isClosed ? end - 1 : end).trim().str()});
        message = message.drop_front(end);
    }
    if (!text.empty()) pieces.push_back({false, std::move(text)});
    return pieces;
}

} // namespace sx::debugger
