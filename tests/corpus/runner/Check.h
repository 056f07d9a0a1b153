// Runs one golden program on its machines and compares.
#pragma once

#include "../worker/Worker.h"

#include <string>
#include <vector>

namespace corpus {

/// Runs the program on the machines that it names itself, else on `machines`: `run` and `vm` (in process, compiled or
/// interpreted), `O0` to `O3` (native; from 2 on with --release-traces). Returns what differed, one message a
/// difference; empty: passed. `worker` gives the commands that run no program.
std::vector<std::string> checkProgram(const std::string& sx, Worker& worker, const std::string& program,
                                      const std::string& scratch, const std::vector<std::string>& machines);

} // namespace corpus
