// A session with a program that is known by its debug information alone.
#pragma once

#include "debugger/foreign/Expressions.h"
#include "debugger/native/NativeEngine.h"
#include "debugger/session/Session.h"

namespace sx::debugger {

/// The formatters of the installation and of further files, whose own come first. A file that cannot be read is a
/// failure.
Result<std::shared_ptr<const Formatters>> loadFormatters(const std::vector<std::string>& files);

/// What is known of it, and how its values look.
struct ForeignState {
    explicit ForeignState(std::unique_ptr<ForeignProgram> program) : program(std::move(program)) {}
    std::unique_ptr<ForeignProgram> program;
    std::unique_ptr<ForeignValues> values; ///< over the engine's memory
};

/// Reads what an executable's debug information says, instead of its sources. `why`: for the user, who is told once;
/// empty: they are not known.
Result<void> describe(Session&, const std::string& executable, const std::string& why);
/// All that there is of a function is its debug information.
bool isForeign(const Session&, ir::FuncId);
/// The same of the function of a frame; without one: of the program.
bool isForeign(const Session&, const FrameHandle*);

/// From now on values are those of the engine's memory.
void showValuesOver(Session&);

/// The C code that the engine has found in the program has places for breakpoints. The user is told what is missing.
void showCCode(Session&);

/// The values of `evaluate` and of conditions; `frame` null: without its variables.
Result<Datum> evaluateForeign(Session&, const std::string& text, const FrameHandle* frame);
/// What is typed into the debug console: assignments as well.
Result<Datum> evaluateForeignAtPrompt(Session&, const std::string& text, const FrameHandle* frame);
/// Gives a place the value of an expression.
Result<Datum> assignForeign(Session&, Datum place, const std::string& text, const FrameHandle* frame);
/// What is wrong with an expression where a breakpoint is; empty: nothing.
std::string foreignProblem(Session&, const std::string& text, CodePoint at);
/// Whether a condition holds in a frame.
Result<bool> foreignHolds(Session&, const std::string& text, const FrameHandle& frame);
/// Names, and members of what stands before the last dot, that begin as the text ends.
std::vector<std::string> foreignCandidates(Session&, const std::string& before, const FrameHandle* frame, size_t& from);

} // namespace sx::debugger
