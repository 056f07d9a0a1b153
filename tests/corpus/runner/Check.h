// Runs one golden program on its machines and compares.
#pragma once

#include <string>
#include <vector>

namespace corpus {

/// Returns what differed, one message a difference; empty: passed.
std::vector<std::string> checkProgram(const std::string& sx, const std::string& program, const std::string& scratch);

} // namespace corpus
