#include "source/Paths.h"

#include <catch2/catch.hpp>

using namespace sx;

TEST_CASE("paths are normalised by their text") {
    CHECK(normalizePath("./a//b/../c/") == "a/c");
    CHECK(normalizePath("../../a") == "../../a");
    CHECK(normalizePath("/../a") == "/a");
    CHECK(normalizePath("") == "");
    CHECK(joinPath("/a/b", "../c") == "/a/c");
    CHECK(joinPath("/a/b", "/c") == "/c");
    CHECK(directoryOf("/a") == "/");
    CHECK(directoryOf("a/b/c") == "a/b");
    CHECK(directoryOf("a") == "");
}

TEST_CASE("paths seen from a folder") {
    CHECK(relativeTo("/a/b/c", "/a/d") == "../b/c");
    CHECK(relativeTo("/a/b", "/a") == "b");
    CHECK(relativeIfBelow("/a/b/c", "/a/b") == "c");
    CHECK(relativeIfBelow("/a/bc", "/a/b") == "/a/bc");
}
