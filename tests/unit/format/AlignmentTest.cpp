#include "FormatFixture.h"

#include <catch2/catch.hpp>

TEST_CASE("a table of declarations stays one") {
    CHECK(isStable("a     :: 1;\nlong  :: 22;\n// between\nother :: 333;\n"));
    CHECK(formatted("a     ::1;\nlong  ::22;\nlonger:: 3;\n") == "a     :: 1;\nlong  :: 22;\nlonger :: 3;\n");
    CHECK(formatted("a   := f( 1 );\nbcd := g(2);\n\nx   :: 1;\n") == "a   := f(1);\nbcd := g(2);\n\nx :: 1;\n");
}

TEST_CASE("blanks that line nothing up go") { CHECK(formatted("a   ::   1;\nbb :: 2;\n") == "a :: 1;\nbb :: 2;\n"); }

TEST_CASE("comments behind code keep their column, or their distance") {
    CHECK(isStable("f :: () {\n    a();      // one\n    bcd();    // two\n              // and more\n}\n"));
    CHECK(formatted("f :: () {\n  a( 1 );   // one\n  bcd();    // two\n}\n") ==
          "f :: () {\n    a(1);    // one\n    bcd();   // two\n}\n");
    CHECK(formatted("a ::1;     // far\nbb :: 2; // near\nc :: 3;// close\n") ==
          "a :: 1;     // far\nbb :: 2; // near\nc :: 3; // close\n");
}

TEST_CASE("characters count, not bytes") {
    CHECK(
        isStable("a := \"\xC3\xA4\xC3\xB6\"; // one\nb := \"xy\"; // two\ncc  := 1;  // three\nddd := 2;  // four\n"));
}
