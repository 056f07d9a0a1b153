// The engine that debugs machine code, through liblldb in a plugin.
#pragma once

#include "debugger/engine/Engine.h"
#include "debugger/native/image/ProgramImage.h"
#include "debugger/program/Program.h"

#include <functional>
#include <memory>
#include <string>

namespace sx::debugger {

/// Why the native engine cannot be had, for the user: what to install. Empty: it can. `folder`: where the adapter lies.
std::string nativeEngineProblem(const std::string& folder);

/// `program` may be null (its sources are not known), and lives longer than the engine. `recorded`: what debug
/// information calls a file of this path.
Result<std::unique_ptr<Engine>> makeNativeEngine(Program* program, const std::string& folder,
                                                 std::function<std::string(const std::string&)> recorded);

} // namespace sx::debugger
