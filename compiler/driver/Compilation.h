// One compile, start to end: owns everything that the stages share.
#pragma once

#include "codegen/CCode.h"
#include "driver/CommandLine.h"
#include "ir/Ir.h"
#include "sema/Sema.h"
#include "source/Diagnostics.h"
#include "source/Installation.h"
#include "syntax/Parser.h"
#include "vm/Evaluator.h"

#include <memory>
#include <optional>
#include <string>

namespace sx::driver {

class Compilation {
public:
    explicit Compilation(const Invocation&);
    /// A compilation that lives as long as the process: taking its tables apart at the end would only cost time.
    static Compilation& start(const Invocation& in) { return *new Compilation(in); }

    /// Loads the program, checks it, evaluates what has to be known while compiling, and finishes the IR in `module`.
    /// Prints the diagnostics, and returns the exit status on failure.
    std::optional<int> check();

    /// The C sources of the program, once it is loaded.
    codegen::CCode& cCode();
    /// Deletes what they were compiled to, which must not wait for the end of a process that the program may end.
    void discardCCode() { cCode_.reset(); }

    const Invocation& invocation;
    SourceManager sources;
    AstContext ast;
    TypeTable types{ast.names};
    Diagnostics diags;
    ir::Module module{types, sources};
    std::unique_ptr<ir::ComptimeEvaluator> evaluator;
    std::unique_ptr<sema::Sema> analysis; ///< made by check()
    std::unique_ptr<sema::Bodies> bodies; ///< of `analysis`
    double readMillis = 0, parseMillis = 0, semaMillis = 0;
    bool hasRunStatements = false;
    /// What a build step of the program's own asks for (sema::Options). Set before check().
    std::function<Result<std::string>()> emitObject;
    std::function<Result<void>()> linkNoted;
    /// Called before anything is printed. Set before check().
    std::function<void()> beforeOutput = [] {};

private:
    sema::Options semaOptions() const;
    /// What the program's compile-time code may ask of this build.
    void writeBuildNotes();

    std::unique_ptr<codegen::CCode> cCode_;
};

/// The executable that `build` makes unless the program says otherwise: that of `-o`, else the file without its folder
/// and `.sx`.
std::string defaultOutput(const Invocation&);

} // namespace sx::driver
