// Positions as the client counts them: lines and columns from 0 or 1, columns in UTF-16 units.
#pragma once

#include "debugger/inspect/Utf16.h"
#include "debugger/session/Session.h"

namespace sx::debugger {

/// 1-based to what the client counts, and back.
int64_t lineToClient(const Session&, uint32_t line);
uint32_t lineFromClient(const Session&, int64_t line);
/// UTF-16 units on the line before a position.
int64_t unitsBefore(const Session&, const Location&);
/// A column in bytes, 1-based, of a file of the program.
int64_t columnToClient(const Session&, const Location&);
/// The column in bytes, 1-based, that a client's column of a line is.
uint32_t columnFromClient(const Session&, FileId, uint32_t line, int64_t column);

/// The `source` of a file of the program.
llvm::json::Object sourceOf(const Session&, FileId);
/// The `source` of another file.
llvm::json::Object sourceOf(const std::string& path);

} // namespace sx::debugger
