#include "driver/Job.h"

#include <catch2/catch.hpp>

using namespace sx::driver;

namespace {

/// The steps of a command line, joined by `, `.
std::string steps(const std::vector<std::string>& args) {
    sx::Result<Invocation> in = parseCommandLine(args);
    REQUIRE(in);
    std::string text;
    for (const Job::Step& step : Job::stepsOf(*in)) text += (text.empty() ? "" : ", ") + std::string(step.name);
    return text;
}

} // namespace

TEST_CASE("a command is a list of steps") {
    CHECK(steps({"run", "a.sx"}) == "check, load libraries, load C code, run program, report times");
    CHECK(steps({"build", "a.sx"}) == "refuse packaging, choose output, check, read build notes, compile C, run build "
                                      "step, emit object, keep object, "
                                      "link, report times");
    CHECK(steps({"asm", "a.sx"}) == "choose output, check, emit assembly");
    CHECK(steps({"check", "a.sx"}) == "check, report times");
    CHECK(steps({"ir", "a.sx"}) == "check, print LLVM");
    CHECK(steps({"help"}) == "print help");
    CHECK(steps({"version"}) == "print version");
}

TEST_CASE("a dump takes the place of the command") {
    CHECK(steps({"run", "--dump=tokens", "a.sx"}) == "print tokens");
    CHECK(steps({"build", "--dump=ast", "a.sx"}) == "print tree");
    CHECK(steps({"check", "--dump=ir", "a.sx"}) == steps({"ir-dump", "a.sx"}));
    CHECK(steps({"ir-dump", "--dump=bytecode", "a.sx"}) == "check, print bytecode");
    CHECK(steps({"run", "--dump=llvm", "a.sx"}) == steps({"ir", "a.sx"}));
}

TEST_CASE("an executable is called like its source") {
    auto output = [](const std::vector<std::string>& args) { return defaultOutput(*parseCommandLine(args)); };
    CHECK(output({"build", "folder/program.sx"}) == "program");
    CHECK(output({"build", "program"}) == "program");
    CHECK(output({"build", ".sx"}) == ".sx");
    CHECK(output({"build", "-o", "x/y", "program.sx"}) == "x/y");
}
