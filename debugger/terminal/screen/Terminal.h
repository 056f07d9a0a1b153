// The terminal under ncurses: the only place that knows it. Whoever makes a
// Terminal has the screen until its end.
#pragma once

#include "source/Result.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace sx::terminal {

/// How text looks. Without colours it is told by bold, dim, underlined and
/// reversed.
enum class Style : uint8_t { Plain, Dim, Bold, Title, FocusedTitle, Bar, Current, Selected, Mark, Error, Changed };

struct Key {
    enum class Kind : uint8_t {
        Text,     ///< a character
        Control,  ///< with the control key: `letter`
        Function, ///< F1 to F63: `number`; with shift 12 more
        Enter,
        Escape,
        Tab,
        BackTab,
        Backspace,
        Delete,
        Up,
        Down,
        Left,
        Right,
        Home,
        End,
        PageUp,
        PageDown,
        Mouse, ///< at `row`, `column`; `wheel` -1 up, 1 down, 0: pressed
        None,
    };
    Kind kind = Kind::None;
    std::string text;
    char letter = 0;
    int number = 0;
    int row = 0, column = 0, wheel = 0;
};

class Terminal {
public:
    /// Takes the screen. Fails where this is no terminal, or one that cannot be
    /// drawn on.
    static Result<std::unique_ptr<Terminal>> open();
    ~Terminal();
    Terminal(const Terminal&) = delete;

    int rows() const;
    int columns() const;
    /// The size may have changed.
    void resized();
    /// Gives the terminal back and stops, as the user wants with ^Z; goes on when
    /// the shell says so.
    void suspend();

    void clear();
    /// Puts printable text at a place. It has to fit.
    void put(int row, int column, const std::string& text, Style style);
    /// Shows what was put, with the cursor at a place.
    void show(int row, int column);
    /// Draws all of it again.
    void repaint();

    /// A key that was pressed; None: there is none.
    Key key();
    /// Whether the user presses ^C; other keys are kept.
    bool isInterrupted();

private:
    explicit Terminal(bool hasColours) : hasColours_(hasColours) {}
    Key read();
    bool hasColours_;
    std::deque<Key> held_;
};

} // namespace sx::terminal
