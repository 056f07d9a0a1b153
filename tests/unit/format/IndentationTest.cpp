#include "FormatFixture.h"

#include <catch2/catch.hpp>

TEST_CASE("blocks, and brackets opened in one line, indent once") {
    CHECK(formatted("f :: () {\ng(.{\na = 1,\n}, (x) {\nh();\n});\n\tif a {\nb();\n}\nelse {\nc();\n}\n}\n") ==
          "f :: () {\n    g(.{\n        a = 1,\n    }, (x) {\n        h();\n    });\n    if a {\n        b();\n    }\n"
          "    else {\n        c();\n    }\n}\n");
}

TEST_CASE("the rest of a statement stands one level deeper, its block does not") {
    CHECK(formatted("f :: () {\nx := a +\nb *\nc;\nif a and\nb {\nc();\n}\ny := g(a,\nb +\nc);\n}\n") ==
          "f :: () {\n    x := a +\n        b *\n        c;\n    if a and\n        b {\n        c();\n    }\n"
          "    y := g(a,\n        b +\n            c);\n}\n");
    CHECK(formatted("f :: (a: i64,\nb: i64)\n-> i64\n{\na\n}\n") ==
          "f :: (a: i64,\n    b: i64)\n    -> i64\n{\n    a\n}\n");
    CHECK(formatted("f :: () {\nx := a\n.b(1)\n.c((y) {\nd();\n});\n}\n") ==
          "f :: () {\n    x := a\n        .b(1)\n        .c((y) {\n            d();\n        });\n}\n");
}

TEST_CASE("arms and their comments") {
    const std::string text = "f :: () {\n    if x == {\n        // of a\n        case .a:\n            g();\n"
                             "            // still a\n        // of b\n        case .b: h();\n        case .c: {\n"
                             "            i();\n        }\n        else:\n            j(1,\n                2);\n"
                             "            // still else\n    }\n}\n";
    CHECK(isStable(text));
    CHECK(formatted("inline if OS == {\ncase .a:\nA :: 1;\nelse:\nB :: 2;\n}\n") ==
          "inline if OS == {\n    case .a:\n        A :: 1;\n    else:\n        B :: 2;\n}\n");
}

TEST_CASE("comments stand where the next token would") {
    CHECK(formatted("// top\nf :: () {\n// first\na();\n// last\n}\n\n// between\n\n// end\n") ==
          "// top\nf :: () {\n    // first\n    a();\n    // last\n}\n\n// between\n\n// end\n");
    CHECK(formatted("f :: (a: i64, // one\nb: i64 // two\n) { }\n") ==
          "f :: (a: i64, // one\n    b: i64 // two\n) { }\n");
}

TEST_CASE("words before a declaration belong to it") {
    const std::string text = "S :: struct {\n    #using Base;\n    x: i64;\n}\nprivate a :: 1;\nprivate b :: () {\n"
                             "    c();\n}\nlib :: #import c {\n    #include \"a.h\";\n    #define \"B\";\n};\n";
    CHECK(isStable(text));
}
