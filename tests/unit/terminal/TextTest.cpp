#include "debugger/terminal/screen/Text.h"
#include "debugger/terminal/screen/Editor.h"

#include <catch2/catch.hpp>

using namespace sx::terminal;

TEST_CASE("text by columns") {
    CHECK(columnsOf("abc") == 3);
    CHECK(columnsOf("漢字") == 4);
    CHECK(columnsOf("e\u0301") == 1);
    CHECK(cut("漢字x", 0, 3) == "漢 ");
    CHECK(cut("漢字x", 1, 3) == " 字");
    CHECK(cut("漢字x", 2, 3) == "字x");
    CHECK(cut("abc", 5, 3).empty());
    CHECK(fit("abc", 5) == "abc  ");
    CHECK(fit("abcdef", 4) == "abc…");
    CHECK(fit("漢字漢字", 4) == "漢 …");
    CHECK(fit("abc", 0).empty());
}

TEST_CASE("a part of a text never takes more columns than it may") {
    const std::string text = "a漢e\u0301🙂\u200bß字";
    for (size_t from = 0; from < 12; ++from)
        for (size_t columns = 0; columns < 12; ++columns) {
            CHECK(columnsOf(cut(text, from, columns)) <= columns);
            CHECK(columnsOf(fit(text, columns)) == columns);
        }
}

TEST_CASE("what would move the cursor becomes printable") {
    CHECK(printable("a\tb") == "a       b");
    CHECK(printable("漢\tb") == "漢      b");
    CHECK(printable("\033[2J\a\x7f") == "^[[2J^G^?");
    CHECK(printable("\xff\xfe") == "\\xff\\xfe");
    CHECK(printable("\u009b31m") == "?31m");
    CHECK(printable(std::string_view("\0", 1)) == "^@");
}

namespace {

Key text(const char* t) {
    Key k;
    k.kind = Key::Kind::Text;
    k.text = t;
    return k;
}

Key key(Key::Kind kind, char letter = 0) {
    Key k;
    k.kind = kind;
    k.letter = letter;
    return k;
}

} // namespace

TEST_CASE("the command line is edited by characters") {
    Editor e;
    for (const char* t : {"p", " ", "漢", "字"}) CHECK(e.take(text(t)));
    CHECK(e.take(key(Key::Kind::Left)));
    CHECK(e.take(key(Key::Kind::Backspace)));
    CHECK(e.text() == "p 字");
    CHECK(e.take(key(Key::Kind::Delete)));
    CHECK(e.take(key(Key::Kind::Delete)));
    CHECK(e.text() == "p ");
    e.insert("one two");
    CHECK(e.take(key(Key::Kind::Control, 'w')));
    CHECK(e.text() == "p one ");
    CHECK(e.take(key(Key::Kind::Control, 'a')));
    CHECK(e.take(key(Key::Kind::Control, 'k')));
    CHECK(e.text().empty());
    CHECK(e.take(key(Key::Kind::Backspace)));
    CHECK_FALSE(e.take(key(Key::Kind::PageUp)));
}

TEST_CASE("lines that were given come back") {
    Editor e;
    for (const char* line : {"first", "second", "second"}) {
        e.insert(line);
        CHECK(e.give() == line);
    }
    e.insert("draft");
    e.take(key(Key::Kind::Up));
    CHECK(e.text() == "second");
    e.take(key(Key::Kind::Up));
    e.take(key(Key::Kind::Up));
    CHECK(e.text() == "first");
    for (int i = 0; i < 3; ++i) e.take(key(Key::Kind::Down));
    CHECK(e.text() == "draft");
}
