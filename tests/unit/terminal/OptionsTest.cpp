#include "debugger/terminal/Options.h"

#include <catch2/catch.hpp>

using namespace sx::terminal;

TEST_CASE("options stand before the file or right after it") {
    auto options = parseOptions({"--engine=vm", "--batch", "a.sx", "-x", "script", "one", "--batch"});
    REQUIRE(options);
    CHECK(options->start.engine == "vm");
    CHECK(options->batch);
    CHECK(options->script == "script");
    CHECK(options->start.program == "a.sx");
    CHECK(options->start.args == std::vector<std::string>{"one", "--batch"});
}

TEST_CASE("files of formatters are kept in their order") {
    auto options = parseOptions({"--formatters", "one.json", "--formatters=two.json", "a.sx"});
    REQUIRE(options);
    CHECK(options->formatters == std::vector<std::string>{"one.json", "two.json"});
}

TEST_CASE("what follows two dashes is the program's") {
    auto options = parseOptions({"a.sx", "--", "-x", "--batch"});
    REQUIRE(options);
    CHECK_FALSE(options->batch);
    CHECK(options->start.args == std::vector<std::string>{"-x", "--batch"});
    options = parseOptions({"--", "-odd.sx", "-x"});
    REQUIRE(options);
    CHECK(options->start.program == "-odd.sx");
    CHECK(options->start.args == std::vector<std::string>{"-x"});
}

TEST_CASE("options that are wrong") {
    for (std::vector<std::string> args : std::vector<std::vector<std::string>>{{},
                                                                               {"--batch"},
                                                                               {"-x"},
                                                                               {"--engine", "jit", "a.sx"},
                                                                               {"--engine=", "a.sx"},
                                                                               {"--batch=1", "a.sx"},
                                                                               {"--heap=some", "a.sx"},
                                                                               {"--what", "a.sx"},
                                                                               {"a.sx", "--connect"},
                                                                               {"a.sx", "--formatters"},
                                                                               {"--formatters=f", "--connect=1", "a"}})
        CHECK_FALSE(parseOptions(args));
    CHECK(parseOptions({"-h"}));
    CHECK(parseOptions({"a.sx", "--what"}));
}
