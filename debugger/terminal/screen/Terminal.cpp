#include "debugger/terminal/screen/Terminal.h"

#define NCURSES_WIDECHAR 1
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <curses.h>
#include <cwchar>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace sx::terminal {

namespace {

constexpr int ShiftF11 = 23;

struct Look {
    chtype plain; ///< without colours
    chtype extra; ///< with colours, beside the colour
    short colour; ///< -1: none
};

constexpr Look lookOf(Style style) {
    switch (style) {
    case Style::Plain: return {A_NORMAL, A_NORMAL, -1};
    case Style::Dim: return {A_DIM, A_DIM, -1};
    case Style::Bold: return {A_BOLD, A_BOLD, -1};
    case Style::Title: return {A_BOLD, A_BOLD, COLOR_CYAN};
    case Style::FocusedTitle: return {A_BOLD | A_REVERSE, A_BOLD | A_REVERSE, COLOR_CYAN};
    case Style::Bar: return {A_REVERSE, A_REVERSE, -1};
    case Style::Current: return {A_REVERSE, A_REVERSE, COLOR_GREEN};
    case Style::Selected: return {A_UNDERLINE | A_BOLD, A_UNDERLINE | A_BOLD, -1};
    case Style::Mark: return {A_BOLD, A_BOLD, COLOR_RED};
    case Style::Error: return {A_BOLD, A_NORMAL, COLOR_RED};
    case Style::Changed: return {A_BOLD, A_BOLD, COLOR_YELLOW};
    }
    return {A_NORMAL, A_NORMAL, -1};
}

chtype attributesOf(Style style, bool hasColours) {
    Look look = lookOf(style);
    if (!hasColours) return look.plain;
    return look.extra | (look.colour < 0 ? 0 : COLOR_PAIR(look.colour));
}

Key special(Key::Kind kind) {
    Key k;
    k.kind = kind;
    return k;
}

Key mouseKey() {
    MEVENT m;
    if (getmouse(&m) != OK) return {};
    Key k = special(Key::Kind::Mouse);
    k.row = m.y;
    k.column = m.x;
    if (m.bstate & BUTTON4_PRESSED) k.wheel = -1;
    else if (m.bstate & BUTTON5_PRESSED) k.wheel = 1;
    else if (!(m.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED))) return {};
    return k;
}

Key functionKey(wint_t code) {
    switch (code) {
    case KEY_UP: return special(Key::Kind::Up);
    case KEY_DOWN: return special(Key::Kind::Down);
    case KEY_LEFT: return special(Key::Kind::Left);
    case KEY_RIGHT: return special(Key::Kind::Right);
    case KEY_HOME: return special(Key::Kind::Home);
    case KEY_END: return special(Key::Kind::End);
    case KEY_PPAGE: return special(Key::Kind::PageUp);
    case KEY_NPAGE: return special(Key::Kind::PageDown);
    case KEY_BACKSPACE: return special(Key::Kind::Backspace);
    case KEY_DC: return special(Key::Kind::Delete);
    case KEY_BTAB: return special(Key::Kind::BackTab);
    case KEY_ENTER: return special(Key::Kind::Enter);
    case KEY_MOUSE: return mouseKey();
    }
    if (code <= KEY_F0 || code > KEY_F(63)) return {};
    Key k = special(Key::Kind::Function);
    k.number = static_cast<int>(code - KEY_F0);
    return k;
}

Key characterKey(wint_t code) {
    switch (code) {
    case '\r':
    case '\n': return special(Key::Kind::Enter);
    case '\t': return special(Key::Kind::Tab);
    case 8:
    case 127: return special(Key::Kind::Backspace);
    case 27: return special(Key::Kind::Escape);
    }
    Key k = special(code < 0x20 ? Key::Kind::Control : Key::Kind::Text);
    if (code < 0x20) {
        k.letter = static_cast<char>(code | 0x60);
        return k;
    }
    char bytes[MB_LEN_MAX];
    mbstate_t state{};
    size_t n = wcrtomb(bytes, static_cast<wchar_t>(code), &state);
    if (n == static_cast<size_t>(-1)) return {};
    k.text.assign(bytes, n);
    return k;
}

} // namespace

Result<std::unique_ptr<Terminal>> Terminal::open() {
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return Failure{"this is no terminal; " + code("--batch") + " needs none"};
    std::setlocale(LC_ALL, "");
    if (std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0) std::setlocale(LC_CTYPE, "C.UTF-8");
    const char* name = std::getenv("TERM");
    bool canDraw = newterm(nullptr, stdout, stdin) != nullptr;
    // A terminal like `dumb` cannot go to a place of its screen.
    auto lacks = [](const char* what) {
        const char* sequence = tigetstr(what);
        return sequence == nullptr || sequence == reinterpret_cast<const char*>(-1);
    };
    if (canDraw && (lacks("cup") || lacks("clear"))) {
        endwin();
        canDraw = false;
    }
    if (!canDraw) {
        return Failure{"nothing can be drawn on a terminal of the kind " + code(name ? name : "") + "; " +
                       code("--batch") + " needs none"};
    }
    const char* none = std::getenv("NO_COLOR");
    bool colours = has_colors() && !(none && *none);
    if (colours) {
        start_color();
        use_default_colors();
        for (short c = 1; c < 8; ++c) init_pair(c, c, -1);
    }
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(50);
    mouseinterval(0);
    mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, nullptr);
    define_key("\033[23;2~", KEY_F(ShiftF11));
    return std::unique_ptr<Terminal>(new Terminal(colours));
}

Terminal::~Terminal() { endwin(); }

int Terminal::rows() const { return LINES; }
int Terminal::columns() const { return COLS; }

void Terminal::resized() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        resizeterm(size.ws_row, size.ws_col);
    clearok(stdscr, TRUE);
}

void Terminal::suspend() {
    endwin();
    kill(0, SIGSTOP);
    resized();
}

void Terminal::clear() { erase(); }

void Terminal::put(int row, int column, const std::string& text, Style style) {
    if (row < 0 || row >= LINES || column < 0 || column >= COLS) return;
    attrset(attributesOf(style, hasColours_));
    mvaddnstr(row, column, text.c_str(), static_cast<int>(text.size()));
    attrset(A_NORMAL);
}

void Terminal::show(int row, int column) {
    move(row, column);
    refresh();
}

void Terminal::repaint() { clearok(stdscr, TRUE); }

Key Terminal::read() {
    wint_t code = 0;
    int kind = get_wch(&code);
    if (kind == ERR) return {};
    return kind == KEY_CODE_YES ? functionKey(code) : characterKey(code);
}

Key Terminal::key() {
    if (held_.empty()) return read();
    Key k = std::move(held_.front());
    held_.pop_front();
    return k;
}

bool Terminal::isInterrupted() {
    for (Key k = read(); k.kind != Key::Kind::None; k = read()) {
        if (k.kind == Key::Kind::Control && k.letter == 'c') return true;
        held_.push_back(std::move(k));
    }
    return false;
}

} // namespace sx::terminal
