#include "driver/CommandTable.h"
#include "driver/Completions.h"
#include "driver/Help.h"

#include <catch2/catch.hpp>

using namespace sx;
using namespace sx::driver;

namespace {

Invocation accepted(const std::vector<std::string>& args) {
    Result<Invocation> in = parseCommandLine(args);
    REQUIRE(in);
    return *in;
}

std::string rejected(const std::vector<std::string>& args) {
    Result<Invocation> in = parseCommandLine(args);
    REQUIRE_FALSE(in);
    return in.error();
}

} // namespace

TEST_CASE("what follows the file of `run` goes to the program") {
    Invocation in = accepted({"run", "-O2", "a.sx", "-O3", "b"});
    CHECK(in.command == Command::Run);
    CHECK(in.file == "a.sx");
    CHECK(in.level() == 3); // options may stand after the file as well
    CHECK(in.programArgs == std::vector<std::string>{"b"});
    CHECK(rejected({"run", "a.sx", "-O9"}).find("unknown optimisation level `-O9`") == 0);
    CHECK(accepted({"run", "a.sx", "x", "-O9"}).programArgs == std::vector<std::string>{"x", "-O9"});
    CHECK(accepted({"run", "a.sx", "--", "-O9"}).programArgs == std::vector<std::string>{"-O9"});
    CHECK(rejected({"build", "a.sx", "b.sx"}) == "more than one file given: `a.sx` and `b.sx`; try `sx help build`");
}

TEST_CASE("an option belongs to some commands") {
    CHECK(accepted({"run", "--vm", "a.sx"}).vm);
    CHECK(rejected({"build", "--vm", "a.sx"}) == "`sx build` has no option `--vm`; try `sx help build`");
    CHECK(accepted({"check", "--all", "a.sx"}).checkAll);
    CHECK(rejected({"run", "--all", "a.sx"}) == "`sx run` has no option `--all`; try `sx help run`");
    for (const char* command : {"run", "build", "check", "ir", "ir-dump", "asm"})
        CHECK(accepted({command, "--max-errors", "3", "a.sx"}).maxErrors == 3);
    CHECK(rejected({"ir-dump", "-O1", "a.sx"}) == "`sx ir-dump` has no option `--opt`; try `sx help ir-dump`");
}

TEST_CASE("values stand beside the option or behind a sign") {
    CHECK(accepted({"build", "-o", "x", "a.sx"}).output == "x");
    CHECK(accepted({"build", "-ox", "a.sx"}).output == "x");
    CHECK(accepted({"build", "--dwarf=4", "a.sx"}).dwarfVersion == 4);
    CHECK(rejected({"build", "a.sx", "-o"}) == "option `-o` needs a value; try `sx help build`");
    CHECK(rejected({"build", "--time=1", "a.sx"}) == "option `--time` takes no value; try `sx help build`");
    CHECK(rejected({"build", "--max-errors", "many", "a.sx"}) ==
          "`--max-errors` needs a number, not `many`; try `sx help build`");
    CHECK(rejected({"build", "--comptime-steps", "0", "a.sx"}) ==
          "`--comptime-steps` needs a positive number, not `0`; try `sx help build`");
}

TEST_CASE("debug information has the options that change the code") {
    CHECK(recordedOptions(accepted({"build", "-o", "x", "a.sx"})) == "-O1");
    CHECK(recordedOptions(accepted({"build", "-O2", "--release-traces", "--checks", "--cpu=native", "a.sx"})) ==
          "-O2 --checks --release-traces --cpu=native");
    CHECK(recordedOptions(accepted({"build", "-O0", "--no-checks", "--trace-values", "a.sx"})) ==
          "-O0 --no-checks --trace-values");
}

TEST_CASE("a slip of the pen is named") {
    CHECK(rejected({"biuld", "a.sx"}) == "unknown command `biuld`, did you mean `build`?; try `sx help`");
    CHECK(rejected({"run", "--chekcs", "a.sx"}) ==
          "unknown option `--chekcs`, did you mean `--checks`?; try `sx help run`");
    CHECK(rejected({}) == "no command given; try `sx help`");
    CHECK(rejected({"run"}) == "no file given; try `sx help run`");
}

TEST_CASE("what is on depends on command and level") {
    CHECK(accepted({"run", "a.sx"}).level() == 0);
    CHECK(accepted({"build", "a.sx"}).level() == 1);
    CHECK(accepted({"build", "a.sx"}).debugInfoOn());
    CHECK_FALSE(accepted({"build", "-O2", "a.sx"}).debugInfoOn());
    CHECK_FALSE(accepted({"asm", "a.sx"}).debugInfoOn());
    CHECK_FALSE(accepted({"run", "-O2", "a.sx"}).checksOn());
    CHECK(accepted({"run", "-O2", "--vm", "a.sx"}).checksOn());
    CHECK(accepted({"run", "-O2", "--checks", "a.sx"}).checksOn());
    CHECK_FALSE(accepted({"run", "-O2", "a.sx"}).tracesOn());
    CHECK(accepted({"run", "-O2", "--release-traces", "a.sx"}).tracesOn());
}

TEST_CASE("every command has a text of help") {
    CHECK_FALSE(helpText("").empty());
    CHECK(helpText("nothing").empty());
    for (const CommandRow& row : commandRows()) {
        INFO(row.name);
        CHECK(helpText(row.name).find("usage: sx " + std::string(row.name)) == 0);
        CHECK(helpText("").find("\n  " + std::string(row.name) + " ") != std::string::npos);
        CHECK(manualPage().find(std::string("\n.SS sx ") + row.name[0]) != std::string::npos);
    }
    for (const char* spelling : {"-h", "--help"}) {
        CHECK(accepted({"run", spelling}).helpTopic == "run");
        CHECK(accepted({"fmt", "--check", spelling}).command == Command::Help);
        CHECK(accepted({"run", "a.sx", "b", spelling}).programArgs == std::vector<std::string>{"b", spelling});
    }
}

TEST_CASE("every option that help shows can be completed") {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const std::string script = completionScript(shell);
        for (const CommandRow& row : commandRows()) CHECK(script.find(row.name) != std::string::npos);
        for (const OptionRow& row : optionRows()) {
            INFO(shell << " " << row.name);
            const std::string name =
                std::string(shell) == "fish" ? std::string(row.name).substr(row.name[1] == '-' ? 2 : 1) : row.name;
            if (row.help) CHECK(script.find(name) != std::string::npos);
        }
    }
    CHECK(completionScript("csh").empty());
}
