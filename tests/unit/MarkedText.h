// Programs with marks at places that tests ask about.
#pragma once

#include "CheckedProgram.h"

#include <map>

namespace sx::test {

/// A text without its marks, and where they stood. `@name@` marks a place and is no part of the program.
struct MarkedText {
    std::string text;
    std::map<std::string, uint32_t> marks;

    explicit MarkedText(std::string_view all) {
        for (size_t from = 0; from < all.size();) {
            size_t open = all.find('@', from);
            text += all.substr(from, open - from);
            if (open == std::string_view::npos) break;
            size_t close = all.find('@', open + 1);
            marks[std::string(all.substr(open + 1, close - open - 1))] = static_cast<uint32_t>(text.size());
            from = close + 1;
        }
    }

    /// Where a mark stands in a program that was made of the text.
    SourcePos position(CheckedProgram& program, const std::string& mark) const {
        FileId file = program.sema.program.entry->id;
        auto start = static_cast<uint32_t>(program.sources.text(file).size() - text.size());
        return program.sources.start(file) + (start + marks.at(mark));
    }
};

} // namespace sx::test
