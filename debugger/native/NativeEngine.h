// The engine that debugs machine code, through liblldb in a plugin.
#pragma once

#include "debugger/engine/Engine.h"
#include "debugger/foreign/Types.h"
#include "debugger/native/image/ProgramImage.h"
#include "debugger/program/Program.h"

#include <functional>
#include <memory>
#include <string>

namespace sx::debugger {

/// Why the native engine cannot be had, for the user: what to install. Empty: it can. `folder`: where the adapter lies.
std::string nativeEngineProblem(const std::string& folder);

/// A program that the front end does not know, as its debug information has it.
struct ForeignProgram {
    ForeignTypes types;
    std::shared_ptr<native::ProgramImage> image;
    std::vector<std::string> problems; ///< what the user should know of its sources
};
/// What is recorded in a file, and where it is now.
using PathMap = std::function<std::string(const std::string&)>;
/// Fills a program that was not compiled with what an executable's debug information says: files, functions, statements
/// and variables. `here`: where a recorded path is now.
Result<std::unique_ptr<ForeignProgram>> describeExecutable(Program&, const std::string& executable, PathMap here);

/// The same of an executable without debug information, by a symbol file. After describeExecutable.
void describeBySymbols(Program&, ForeignProgram&, const symbols::SymbolFile&, PathMap here);

/// `program` and `foreign` live longer than the engine. `recorded`: what debug information calls a file of this path;
/// `here`: the other way round. `foreign`: what was read of a program that was not compiled; else `start` puts there
/// what the program has of C code with debug information, also into `program`.
Result<std::unique_ptr<Engine>> makeNativeEngine(Program& program, const std::string& folder, PathMap recorded,
                                                 PathMap here, ForeignProgram& foreign);

} // namespace sx::debugger
