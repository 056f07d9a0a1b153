#include "driver/NewCommand.h"

#include "driver/Report.h"
#include "source/Files.h"

#include "llvm/Support/FileSystem.h"

#include <cctype>
#include <cstdio>

namespace sx::driver {

namespace {

struct ProjectFile {
    const char* path;
    const char* text; ///< `NAME` stands for that of the project
};

constexpr ProjectFile Files[] = {
    {"main.sx", R"(#import "modules/std.sx";
#import "greeting.sx";

main :: () -> ! {
    buffer : [16]string = ---;
    args := cli.os_args(buffer[..]);
    name := if args.len > 1 then args[1] else "world";
    text := try greeting(name);
    print("{}\n", text);
}
)"},
    {"greeting.sx", R"(#import "modules/std.sx";

GreetingError :: error { NoName }

// A greeting, as a new text.
greeting :: (name: string) -> (string, !GreetingError) {
    if name.len == 0 raise error.NoName;
    format("Hello, {}!", name)
}
)"},
    {"greeting_test.sx", R"(#import "greeting.sx";
testing :: #import "modules/std/testing.sx";

test_greeting :: () -> ! {
    text := try greeting("sx");
    try testing.expect_equal(text, "Hello, sx!");
}

test_no_name :: () -> ! {
    _, failure := greeting("");
    try testing.expect_error(failure, error.NoName);
}
)"},
    {".gitignore", R"(/NAME
.sx-cache/
.sx-tmp/
)"},
    {".vscode/launch.json", R"({
    "version": "0.2.0",
    "configurations": [
        {
            "type": "sx",
            "request": "launch",
            "name": "NAME",
            "program": "${workspaceFolder}/main.sx",
            "cwd": "${workspaceFolder}",
            "args": []
        }
    ]
}
)"},
    {"README.md", R"(# NAME

`sx run main.sx` runs it, `sx test` tests it, `sx build main.sx -o NAME` makes an executable.
)"},
};

/// A folder whose name can be one of an executable, too.
bool isName(const std::string& name) {
    constexpr size_t Longest = 100;
    if (name.empty() || name.size() > Longest || !(std::isalnum(static_cast<unsigned char>(name[0])) || name[0] == '_'))
        return false;
    for (char c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-' && c != '.') return false;
    return true;
}

std::string named(std::string text, const std::string& name) {
    const std::string mark = "NAME";
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + name.size()))
        text.replace(at, mark.size(), name);
    return text;
}

} // namespace

int makeProject(const Invocation& in) {
    const std::string& name = in.file;
    if (!isName(name)) {
        printError(code(name) +
                   " cannot be the name of a project: letters, digits, `_`, `-` and `.` can, and it begins "
                   "with a letter, a digit or `_`");
        return 2;
    }
    if (llvm::sys::fs::exists(name) || llvm::sys::fs::is_symlink_file(name)) {
        printError(code(name) + " exists already");
        return 2;
    }
    if (std::error_code problem = llvm::sys::fs::create_directories(name + "/.vscode")) {
        printError("cannot make the folder " + code(name) + ": " + problem.message());
        return 1;
    }
    for (const ProjectFile& file : Files) {
        if (Result<void> written = writeFile(name + "/" + file.path, named(file.text, name)); !written) {
            printError(written.error());
            return 1;
        }
    }
    std::fprintf(stderr, "made: %s; `cd %s` and `sx run main.sx`\n", name.c_str(), name.c_str());
    return 0;
}

} // namespace sx::driver
