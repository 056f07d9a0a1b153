#include "source/Source.h"

#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace sx;

namespace {

/// A directory of its own that is gone afterwards.
struct TempDir {
    std::string path;
    TempDir() {
        char name[] = "/tmp/sx-text-XXXXXX";
        path = mkdtemp(name);
    }
    ~TempDir() {
        ::unlink((path + "/file").c_str());
        ::rmdir(path.c_str());
    }
    std::string write(const std::string& text) const {
        std::ofstream(path + "/file", std::ios::binary) << text;
        return path + "/file";
    }
};

std::string reason(const std::string& path) {
    std::string error;
    CHECK_FALSE(readTextFile(path, error).has_value());
    return error;
}

} // namespace

TEST_CASE("a file is read byte for byte") {
    const TempDir dir;
    const std::string text = "a\r\nb\xFF\n" + std::string(100000, 'x');
    std::string error = "untouched";
    const auto read = readTextFile(dir.write(text), error);
    REQUIRE(read.has_value());
    CHECK(*read == text);
    CHECK(error == "untouched");
    CHECK(readTextFile(dir.write(""), error) == std::string());
}

TEST_CASE("why a file cannot be read") {
    const TempDir dir;
    CHECK(reason(dir.path + "/missing") == "no such file");
    CHECK(reason(dir.path) == "is a directory");
    const std::string file = dir.write(std::string("a\0b", 3));
    CHECK(reason(file) == "is not a text file");
    CHECK(reason(file + "/below") == "a part of the path is not a directory");
    if (::geteuid() != 0) { // nothing is forbidden to root
        ::chmod(file.c_str(), 0);
        CHECK(reason(file) == "permission denied");
    }
}
