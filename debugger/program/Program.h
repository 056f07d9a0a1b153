// The program that is debugged, as the front end knows it: one compile that stays.
#pragma once

#include "debugger/engine/Engine.h"
#include "debugger/program/FunctionSpans.h"
#include "debugger/program/InitialValues.h"
#include "ir/Comptime.h"
#include "sema/Sema.h"
#include "source/Diagnostics.h"

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sx::debugger {

struct ProgramOptions {
    std::string file{};             ///< the entry, as it was given
    std::string workingDirectory{}; ///< absolute: relative paths begin here
    int optLevel = 0;
    std::optional<bool> checks{}; ///< unset: on at levels 0 and 1, as `sx build` has it
    bool traceValues = false;
    bool traces = true;                      ///< false: interpreted, its errors leave none
    std::vector<std::string> libraryPaths{}; ///< where libraries of C are looked for before the system's folders
    std::vector<std::string> tests{};        ///< what it runs instead of `main`: functions of the entry file
};

class Program {
public:
    explicit Program(const ProgramOptions&);
    ~Program();
    Program(const Program&) = delete;

    /// Reads and checks everything. False: `problem` or the diagnostics say why.
    bool check();
    /// Of a check that goes on in another thread, which owns the program: nobody waits for it any more. What runs while
    /// compiling stays where it comes back to the compiler next, with its thread.
    void abandon() { isAbandoned_ = true; }
    std::string problem; ///< the entry could not be read, or code that ran while compiling ended the compilation

    const ProgramOptions options;
    SourceManager sources;
    AstContext ast;
    TypeTable types{ast.names};
    Diagnostics diags;
    ir::Module module{types, sources};
    std::unique_ptr<ir::ComptimeEvaluator> evaluator;
    std::unique_ptr<sema::Sema> sema; ///< null: the program is known by its debug information alone
    std::unique_ptr<sema::Bodies> bodies;
    /// Files that debug information alone tells of: of a program of the front end's those of its C code.
    std::vector<FileId> foreignFiles;
    std::set<FileId> withoutText; ///< files of whose text nothing but the number of lines is known

    /// It has sources of C, or libraries beside the C library, or loads such itself.
    bool mayHaveCCode() const;
    /// A source of C that it is made of has a function of this name, which may be known to C alone.
    bool hasFunctionOfC(const std::string& name) const;
    /// The absolute path of a file of the program.
    std::string absolutePath(FileId) const;
    /// The files that it is made of; `sources` may hold others.
    std::vector<FileId> files() const;
    /// The file of the program that a client's path means: the same file, by identity, or else the one with the longest
    /// common end of at least one name, if it is the only one.
    std::optional<FileId> findFile(const std::string& path) const;
    const sema::SourceFile* sourceFile(FileId) const;
    /// What a file's `#insert` has made belongs where the file does.
    bool isLibrary(FileId) const;
    bool isLibrary(ir::FuncId) const;

    /// The instance whose body a function is; null for lambdas and what the compiler made.
    sema::FunctionInstance* instanceOf(ir::FuncId) const;
    /// The name of an error by its number; "" where no error has it.
    std::string tagName(uint64_t tag) const;
    const ir::Statement* statement(CodePoint) const; ///< null: there is none
    /// Which variables of a function of the program have a value where; found when it is asked for first.
    InitialValues& initialValues(ir::FuncId);

private:
    std::atomic<bool> isAbandoned_{false};
    std::map<ir::FuncId, std::unique_ptr<InitialValues>> initialValues_;
    const sema::SourceFile* inserterOf(FileId made) const;
    sema::Options semaOptions() const;
};

} // namespace sx::debugger
