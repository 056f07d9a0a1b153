// The command line: text with a cursor, and the lines that were given before.
#pragma once

#include "debugger/terminal/screen/Terminal.h"

#include <vector>

namespace sx::terminal {

class Editor {
public:
    const std::string& text() const { return text_; }
    /// Byte index of the cursor.
    size_t cursor() const { return cursor_; }
    /// Takes a key that edits. False: it is not for the command line.
    bool take(const Key&);
    /// The line is given: empties the command line and remembers it.
    std::string give();
    void insert(const std::string& text);
    /// Replaces bytes in front of the cursor.
    void replace(size_t from, const std::string& text);
    void clear();

private:
    bool takeControl(char letter);
    void recall(long step);
    std::string text_;
    size_t cursor_ = 0;
    std::vector<std::string> history_;
    size_t at_ = 0;     ///< in the history; its size: the line that is being written
    std::string draft_; ///< that line, while the history is looked through
};

} // namespace sx::terminal
