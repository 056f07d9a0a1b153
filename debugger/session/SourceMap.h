// Where the sources of a program lie here, if it was built elsewhere: `sourceMap` of `launch` and `attach`.
#pragma once

#include "debugger/session/Session.h"

namespace sx::debugger {

/// A path as it is recorded in the program, as a path of this machine: the longest name in `sourceMap` that it begins
/// with, as whole folders, is replaced. Others stay as they are.
std::string pathHere(const Session&, const std::string& recorded);
/// The opposite.
std::string pathRecorded(const Session&, const std::string& here);
/// A path of a file of the program, recorded or of this machine, as the client knows it.
std::string pathForClient(const Session&, const std::string& path);
/// The file of the program that a path of the client's means.
std::optional<FileId> fileOfClient(const Session&, const std::string& path);
/// What is wrong with the `sourceMap` of a request; empty: nothing.
std::string sourceMapProblem(const llvm::json::Object& arguments);

} // namespace sx::debugger
