// A command as a list of named steps.
#pragma once

#include "codegen/Codegen.h"
#include "driver/CommandLine.h"
#include "driver/Compilation.h"
#include "driver/Progress.h"
#include "source/TemporaryFiles.h"

#include <llvm/ADT/ArrayRef.h>

namespace sx::driver {

class Job {
public:
    /// A step ends the command with an exit status, or lets the next one follow.
    using Status = std::optional<int>;
    struct Step {
        constexpr Step(const char* name, Status (Job::*step)(), bool isLong = false)
            : name(name), isLong(isLong), step_(step) {}
        /// A whole command that looks at no program of its own.
        constexpr Step(const char* name, int (*command)(const Invocation&)) : name(name), command_(command) {}
        Status run(Job& job) const { return command_ ? command_(job.in_) : (job.*step_)(); }

        const char* name;
        bool isLong = false; ///< that it runs is shown where it takes long

    private:
        Status (Job::*step_)() = nullptr;
        int (*command_)(const Invocation&) = nullptr; ///< null: it is a step
    };

    explicit Job(const Invocation& in) : in_(in) {}

    /// What the command does, in order.
    static llvm::ArrayRef<Step> stepsOf(const Invocation&);
    /// Goes through the steps. Returns the exit status of `sx`.
    int run();
    /// Compiles the program into this process, or makes it ready to be interpreted. False after a report.
    bool load();
    /// The program, once it is loaded.
    const codegen::LoadedProgram& program() const { return program_; }

private:
    struct Steps; ///< the lists

    // ---- texts
    Status printTokens();
    Status printTree();
    Status printIr();
    Status printBytecode();
    Status printLlvm();
    Status describeFile(); ///< where it is no program to be compiled
    Status describeProgram();

    // ---- before the program is looked at
    Status refusePackaging();
    Status chooseOutput();

    // ---- the program
    Status check();
    Status loadLibraries();
    Status loadCCode();
    Status compileCCode();
    Status runBuildStep();
    Status readBuildNotes();
    Status emitAssembly();
    Status emitObject();
    Status keepObject();
    Status link();
    Status loadProgram();
    Status runProgram();

    // ---- at the end
    Status reportCheckTimes();
    Status reportBuildTimes();
    Status reportRunTimes();

    /// Prints an error without a place, and gives the exit status.
    int failure(const std::string& message);
    /// Prints a warning without a place. False: it counts as an error.
    bool warn(const std::string& message);
    codegen::Options codegenOptions();
    codegen::LinkOptions linkOptions() const;
    std::vector<std::string> linkFlags() const;
    bool hasBuildStep() const;
    Result<std::string> emitForStep(); ///< the path of the program's object
    Result<void> linkForStep();
    /// Tells why there is no code: errors with a place if there are any, else the reason.
    int codeFailure(const std::string& reason);
    /// The exit status where the output cannot be written: said before anything is compiled.
    Status refuseOutput();

    const Invocation& in_;
    Progress progress_;
    Compilation* compilation_ = nullptr; ///< made by check()
    Diagnostics codeErrors_;             ///< what only code generation finds wrong with the program
    std::string output_;
    std::vector<codegen::ObjectFile> objects_; ///< of the program; one if it is kept
    std::unique_ptr<ir::ForeignCode> foreign_; ///< the C code of the program, loaded for its run
    codegen::LoadedProgram program_;
    bool stepRuns_ = false; ///< the program's own build step
    std::unique_ptr<TemporaryFolder> stepFolder_;
    codegen::Timings times_;
    int exitCode_ = 0;
};

} // namespace sx::driver
