// `sx-agent`, which `sx` becomes for what needs the debugger: `sx run --vm --debug-listen`, which waits for one, and
// `sx graph`, which reads what one has exported. Its arguments are those of `sx`.
#include "debugger/agent/HeapSummary.h"
#include "debugger/vm/Remote.h"
#include "driver/Report.h"
#include "source/Installation.h"

#include "heap.h"

#include <cstdlib>

using namespace sx;
using namespace sx::debugger;

namespace {

int failure(const std::string& message) {
    driver::printError(message);
    return 1;
}

/// Waits for a debug adapter, which runs the program then; with the compile that it looks into.
int runForDebugger(const driver::Invocation& in) {
    if (!in.vm) return failure("`--debug-listen` is for programs that are interpreted: give `--vm` as well");
    if (in.trackHeap) static_cast<void>(sx_heap_decide(/*force=*/true));
    ProgramOptions options;
    options.file = in.file;
    options.workingDirectory = workingDirectory();
    options.checks = in.checksOn();
    options.tests = in.tests;
    options.libraryPaths = in.libraryPaths;
    auto* program = new Program(options);
    bool ok = program->check();
    driver::printDiagnostics(program->sources, program->diags, in);
    if (!program->problem.empty()) return failure(program->problem);
    if (!ok) return 1;
    StartRequest start;
    start.program = in.file;
    start.args = in.programArgs;
    size_t colon = in.debugConnect.find(':');
    Result<void> ran = colon == std::string::npos
                           ? runForRemote(*program, start, in.debugPort.value_or(0))
                           : runForAdapter(*program, start, static_cast<uint16_t>(std::atoi(in.debugConnect.c_str())),
                                           in.debugConnect.substr(colon + 1));
    return failure(ran.error());
}

} // namespace

int main(int argc, char** argv) {
    Result<driver::Invocation> in = driver::parseCommandLine({argv + 1, argv + argc});
    if (!in) {
        driver::printError(in.error());
        return 2;
    }
    return in->command == driver::Command::Graph ? showHeaps(*in) : runForDebugger(*in);
}
