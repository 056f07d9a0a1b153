#include "source/Diagnostics.h"

#include <catch2/catch.hpp>

using namespace sx;

TEST_CASE("near names are found") {
    const std::vector<std::string_view> names{"count", "append", "print", "length", "xs"};
    CHECK(nearestName("cuont", names) == "count"); // swapped letters are one edit
    CHECK(nearestName("coutn", names) == "count");
    CHECK(nearestName("apend", names) == "append");
    CHECK(nearestName("appendd", names) == "append");
    CHECK(nearestName("lenght", names) == "length");
    CHECK(nearestName("PRINT", names) == "print");
    CHECK(nearestName("sx", names) == "xs");
}

TEST_CASE("far names are not") {
    const std::vector<std::string_view> names{"count", "append", "a", "bc", "count"};
    CHECK(nearestName("banana", names) == "");
    CHECK(nearestName("x", names) == ""); // every letter is one edit away from every other
    CHECK(nearestName("zz", names) == "");
    CHECK(nearestName("", names) == "");
    CHECK(nearestName("count", {"count"}) == ""); // the name itself is no suggestion
    CHECK(nearestName(std::string(200, 'a'), {std::string_view("aaaa")}) == "");
}

TEST_CASE("short names are other words unless letters are swapped, longer ones differ by a third at most") {
    CHECK(nearestName("add", {"and"}) == "");
    CHECK(nearestName("min", {"main"}) == "");
    CHECK(nearestName("max", {"map"}) == "");
    CHECK(nearestName("abs", {"abi"}) == "");
    CHECK(nearestName("nad", {"and"}) == "and");
    CHECK(nearestName("MAX", {"max"}) == "max");
    CHECK(nearestName("using", {"usize"}) == "");
    CHECK(nearestName("function", {"union"}) == "");
    CHECK(nearestName("forr", {"for"}) == "for");
}

TEST_CASE("the nearest wins, the first of equals") {
    CHECK(nearestName("value", {"values", "valued", "val"}) == "values");
    CHECK(nearestName("flor", {"flour", "floor"}) == "flour");
    CHECK(nearestName("printn", {"prints_", "print"}) == "print");
}
