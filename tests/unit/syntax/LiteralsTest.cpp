#include "syntax/Literals.h"
#include "source/Names.h"

#include <catch2/catch.hpp>

using namespace sx;

TEST_CASE("integers") {
    const auto value = [](std::string_view text) {
        uint64_t out = 1;
        CHECK(decodeInt(text, out) == IntStatus::Ok);
        return out;
    };
    CHECK(value("0") == 0);
    CHECK(value("0755") == 755); // no octal by a leading zero
    CHECK(value("1__0_") == 10);
    CHECK(value("0xFf_") == 255);
    CHECK(value("0x_F") == 15);
    CHECK(value("0o17") == 15);
    CHECK(value("0B1010") == 10);
    CHECK(value("18446744073709551615") == UINT64_MAX);
    CHECK(value("0xFFFFFFFFFFFFFFFF") == UINT64_MAX);
    uint64_t out = 0;
    CHECK(decodeInt("18446744073709551616", out) == IntStatus::TooLarge);
    CHECK(decodeInt("99999999999999999999999", out) == IntStatus::TooLarge);
    CHECK(decodeInt("0x10000000000000000", out) == IntStatus::TooLarge);
    CHECK(decodeInt("0x", out) == IntStatus::NoDigits);
    CHECK(decodeInt("0b_", out) == IntStatus::NoDigits);
}

TEST_CASE("floats") {
    CHECK(decodeFloat("3.5") == 3.5);
    CHECK(decodeFloat("1_0.2_5") == 10.25);
    CHECK(decodeFloat("0.1") == 0.1);
    CHECK(decodeFloat("1e20") == 1e20);
    CHECK(decodeFloat("1_.5_E-1_0") == 1.5e-10);
    CHECK(decodeFloat("1e-400") == 0.0);
    CHECK_FALSE(decodeFloat("1e309").has_value());
    CHECK(decodeFloat32("1.000000059604644775390626") == 1.00000011920928955f);
    CHECK_FALSE(decodeFloat32("3.5e38").has_value());
    CHECK(decodeFloat("0." + std::string(400, '0') + "1") == 0.0);
    CHECK_FALSE(decodeFloat(std::string(400, '9') + ".0").has_value());
}

TEST_CASE("strings") {
    llvm::BumpPtrAllocator arena;
    CHECK(decodeString("\"plain\"", arena) == "plain");
    CHECK(decodeString("\"\"", arena) == "");
    CHECK(decodeString(R"("a\n\t\r\\\"z")", arena) == "a\n\t\r\\\"z");
    CHECK(decodeString(R"("\q\x41")", arena) == "qx41"); // any other character stands for itself
    CHECK(decodeString(R"("a\0b")", arena) == llvm::StringRef("a\0b", 3));
    CHECK(decodeString("\"a\\\nb\"", arena) == "a\nb");
}

TEST_CASE("heredocs keep their last line end") {
    CHECK(decodeHeredoc("#string EOT junk\na\\n\nEOT") == "a\\n\n");
    CHECK(decodeHeredoc("#string E\nE") == "");
    CHECK(decodeHeredoc("#string E\n\nE") == "\n");
}

TEST_CASE("equal texts have equal names") {
    NameTable names;
    const Name a = names.intern("alpha");
    CHECK(names.intern(std::string("al") + "pha") == a);
    CHECK(names.intern("beta") != a);
    CHECK(names.text(a) == "alpha");
    CHECK(names.text(a).data()[5] == '\0');
    CHECK(names.intern("") == Name::None);
    CHECK(names.text(Name::None) == "");
    for (int i = 0; i < 10000; ++i) names.intern("n" + std::to_string(i));
    CHECK(names.text(a) == "alpha");
    CHECK(names.intern("alpha") == a);
}
