// What a help says, as an edit of the text that its diagnostic marks.
#include "server/features/HelpEdits.h"

#include <catch2/catch.hpp>

using namespace sx::server;

namespace {

/// `text` with the edit done. `@` stands before and behind what is marked.
std::string edited(const std::string& help, std::string text, const std::string& message = "") {
    size_t begin = text.find('@');
    text.erase(begin, 1);
    size_t end = text.find('@');
    text.erase(end, 1);
    std::optional<HelpEdit> e = editOf(help, message, text, static_cast<uint32_t>(begin), static_cast<uint32_t>(end));
    return e ? text.replace(e->from, e->to - e->from, e->text) : "";
}

} // namespace

TEST_CASE("an operator is put behind what is marked, which gets parentheses where it needs them") {
    CHECK(edited("assert its type with `.(i64)`", "x := @v@;") == "x := v.(i64);");
    CHECK(edited("dereference it with `.*`", "f(@a.b(1 + 2)@);") == "f(a.b(1 + 2).*);");
    CHECK(edited("write `.(P)` to make an owned copy, or take a `*P` to borrow", "x := @a + b@;") ==
          "x := (a + b).(P);");
    CHECK(edited("unwrap it with `!`, or test it", "x = @o@;", "cannot use a value of type `?i64` as `i64`") ==
          "x = o!;");
    CHECK(edited("compare it: `… != 0.0`", "if @f@ { }") == "if f != 0.0 { }");
    CHECK(edited("test its length: `… .len > 0`", "if @s@ { }") == "if s.len > 0 { }");
    CHECK(edited("make a terminated copy with `to_cstring(s)`", "c(@name@);") == "c(to_cstring(name));");
}

TEST_CASE("what stands around the mark counts") {
    CHECK(edited("an error leaves with `raise error.A;`", "return @error.A@;") == "raise error.A;");
    CHECK(edited("an error leaves with `raise error.A;`", "x = @error.A@;").empty());
    CHECK(edited("declare it: `n := …;`", "@n = 3;@") == "n := 3;");
    CHECK(edited("declare it: `n := …;`", "a, @n@ = 1, 2;").empty());
    CHECK(edited("declare it with `:=` to make it a variable", "A :: 4;\nf :: () { @A = 5;@ }") ==
          "A := 4;\nf :: () { A = 5; }");
    CHECK(edited("call it directly, `f(x, …)`, pipe into it, …", "@x.f@(1)") == "x |> f(1)");
    CHECK(edited("drop the `!`", "@n@!;") == "n;");
    CHECK(edited("drop the `??` and the default", "x := @n ?? 3@;") == "x := n;");
    CHECK(edited("a body stands in braces: `{ x = 1; }`", "if (c) @x@ = 1;") == "if (c) { x = 1; }");
    CHECK(edited("drop it, or write `_ = a + b;` if it is meant", "@a + b@;") == "_ = a + b;");
    CHECK(edited("drop it, or write `_ = a + b;` if it is meant", "{ @a + b@ }") == "{ _ = a + b; }");
    CHECK(edited("make a terminated copy with `to_cstring(s)`", "c(@a-b@);") == "c(to_cstring(a-b));");
    CHECK(edited("write `.(P)` to make an owned copy", "x := @a-b@;") == "x := (a-b).(P);");
}

TEST_CASE("code that shows how it is written") {
    CHECK(edited("write `size_of(type_of(…))`", "size_of(@n@);") == "size_of(type_of(n));");
    CHECK(edited("write `print(\"n is {}\", n)`", "print(@\"n is \" + n@);") == "print(\"n is {}\", n);");
    CHECK(edited("write `([2]i64).[ … ]`", "b := @i64.[1, 2]@;") == "b := ([2]i64).[1, 2];");
    CHECK(edited("write `p := Pair.{};`", "p := @Pair@;") == "p := Pair.{};");
    CHECK(edited("write `(n: i64) => …`", "f := (@n@) => n;") == "f := (n: i64) => n;");
    CHECK(edited("write `.(…)`", "x := @a?.(i64)@;") == "x := a.(i64);");
    CHECK(edited("write `.c(…)`", "x := @.c@;").empty());
    CHECK(edited("write `(i64, !E)`", "f :: () -> i64 @!@E { }") == "f :: () -> (i64, !E) { }");
    CHECK(edited("a literal is written with a dot: `S.{ … }`", "s := S @{@ };") == "s := S.{ };");
    CHECK(edited("a literal is written with a dot: `x.{ … }`", "for xs (x @{@ }").empty());
    CHECK(edited("leave it out", "() -> (i64, @void@)") == "() -> (i64)");
    CHECK(edited("there is no `--`: write `x -= 1;`", "i--@;@") == "i -= 1;");
}

TEST_CASE("a help that needs more than the text is none") {
    CHECK(edited("bind it to a name first", "f(@x@)").empty());
    CHECK_FALSE(editOf("drop the `;`", "", "abc", 2, 9));
}
