// A program from its text, checked, for tests that look at what is known of it then.
#pragma once

#include "lower/Lower.h"
#include "sema/passes/Analyze.h"
#include "vm/Evaluator.h"

#include <fstream>
#include <stdlib.h>
#include <string>
#include <unistd.h>

namespace sx::test {

/// A text with the library, in a file of its own while it lives.
struct ProgramText {
    std::string path;
    explicit ProgramText(const std::string& text) {
        char name[] = "/tmp/sx-test-XXXXXX.sx";
        int file = mkstemps(name, 3);
        close(file);
        path = name;
        std::ofstream(path) << "#import \"modules/std.sx\";\n" << text;
    }
    ~ProgramText() { unlink(path.c_str()); }
    ProgramText(const ProgramText&) = delete;
};

struct CheckedProgram {
    SourceManager sources;
    AstContext ast;
    TypeTable types{ast.names};
    Diagnostics diags;
    ir::Module module{types, sources};
    vm::Evaluator evaluator;
    sema::Sema sema;
    std::unique_ptr<sema::Bodies> bodies;
    bool ok = false;

    explicit CheckedProgram(const std::string& path)
        : sema(sources, ast, types, diags, module, evaluator, options()), bodies(lower::makeBodies(sema)) {
        sema.bodies = bodies.get();
        withLargeStack([&] {
            if (Result<bool> checked = analyze(sema, path)) ok = *checked;
        });
    }

    static sema::Options options() {
        sema::Options options;
        options.libraryRoots = {SX_SOURCE_DIR "/library"};
        options.workingDirectory = SX_SOURCE_DIR;
        options.keepScopes = true;
        return options;
    }
};

} // namespace sx::test
