#include "source/Files.h"
#include "source/TemporaryFiles.h"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
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
    Result<std::string> text = readTextFile(path);
    REQUIRE_FALSE(text);
    return text.error();
}

} // namespace

TEST_CASE("a file is read byte for byte") {
    const TempDir dir;
    const std::string text = "a\r\nb\xFF\n" + std::string(100000, 'x');
    Result<std::string> read = readTextFile(dir.write(text));
    REQUIRE(read);
    CHECK(*read == text);
    Result<std::string> nothing = readTextFile(dir.write(""));
    REQUIRE(nothing);
    CHECK(nothing->empty());
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

TEST_CASE("a file is written whole or not at all") {
    const TempDir dir;
    const std::string file = dir.write("before");
    REQUIRE(writeFile(file, "after\n"));
    CHECK(*readTextFile(file) == "after\n");

    Result<void> failed = replaceFile(file, [](const std::string& temporary) -> Result<void> {
        std::ofstream(temporary) << "half";
        return Failure{"interrupted"};
    });
    REQUIRE_FALSE(failed);
    CHECK(failed.error() == "interrupted");
    CHECK(*readTextFile(file) == "after\n");
    CHECK(::rmdir(dir.path.c_str()) != 0);
    ::unlink(file.c_str());
    CHECK(::rmdir(dir.path.c_str()) == 0); // nothing else was left in it
    ::mkdir(dir.path.c_str(), 0700);

    failed = writeFile(dir.path + "/none/file", "");
    REQUIRE_FALSE(failed);
    CHECK(failed.error() == "cannot write `" + dir.path + "/none/file`: No such file or directory");
}

TEST_CASE("what is no regular file is written to") {
    const TempDir dir;
    const std::string file = dir.write("before"), link = dir.path + "/link";
    REQUIRE(::symlink(file.c_str(), link.c_str()) == 0);
    REQUIRE(writeFile(link, "after\n"));
    CHECK(*readTextFile(file) == "after\n");
    ::unlink(link.c_str());
    CHECK(writeFile("/dev/null", "gone"));
}

TEST_CASE("a signal takes temporary files along") {
    const TempDir dir;
    const std::string file = dir.path + "/file", note = dir.path + "/note";
    for (int signal : {SIGHUP, SIGINT, SIGTERM}) {
        const pid_t child = fork();
        if (child == 0) {
            std::signal(signal, SIG_DFL);
            const TemporaryFolder folder;
            std::ofstream(note) << folder.path();
            static_cast<void>(folder.write(folder.path() + "/input", "text"));
            static_cast<void>(writeFile(file + "2", "kept"));
            static_cast<void>(replaceFile(file, [&](const std::string& temporary) -> Result<void> {
                std::ofstream(temporary) << "half";
                std::raise(signal);
                return {};
            }));
            _exit(0);
        }
        int status = 0;
        REQUIRE(waitpid(child, &status, 0) == child);
        CHECK(WTERMSIG(status) == signal);
        CHECK(::access(readTextFile(note)->c_str(), F_OK) != 0);
        ::unlink(note.c_str());
        CHECK(*readTextFile(file + "2") == "kept");
        ::unlink((file + "2").c_str());
        CHECK(::rmdir(dir.path.c_str()) == 0); // nothing else was left in it
        ::mkdir(dir.path.c_str(), 0700);
    }
}
