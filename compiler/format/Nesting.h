// How far lines are indented: the brackets that are open, and where the items in them began.
#pragma once

#include "format/Pieces.h"

namespace sx::format {

/// Goes through the pieces line by line. What a bracket holds stands one level deeper than the line that opened it,
/// however many brackets that line opened; the body of a declaration or statement one level deeper than its first
/// line; and the rest of a long item one level deeper than its beginning.
class Nesting {
public:
    explicit Nesting(const Pieces& pieces) : pieces_(pieces) { frames_.push_back({}); }

    /// The blanks before piece `i`, which begins a line. What stands before it has been passed.
    uint32_t indentOf(uint32_t i) const;
    /// Takes note of piece `i`, which stands in a line that is indented by `lineIndent`.
    void pass(uint32_t i, uint32_t lineIndent);

private:
    struct Frame {
        uint32_t closing = 0; ///< indentation of a line that begins with the closing bracket
        uint32_t content = 0; ///< of the items
        uint32_t item = 0;    ///< of the line in which the latest item began
        bool hasItem = false; ///< `item` is that of an item, not of the bracket
    };

    bool startsItem(uint32_t i) const;
    uint32_t commentIndent(uint32_t i) const;
    uint32_t continuation() const;

    const Pieces& pieces_;
    std::vector<Frame> frames_;
};

/// Whether piece `i` begins a `case` or the `else:` of a match.
bool startsArm(const Pieces&, uint32_t i);

} // namespace sx::format
