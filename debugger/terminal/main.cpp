// `sx-debug`, the debugger in the terminal: a client of the debug adapter.
#include "debugger/terminal/Batch.h"
#include "debugger/terminal/Options.h"
#include "debugger/terminal/client/Client.h"
#include "debugger/terminal/commands/Commands.h"
#include "source/Installation.h"

#include <csignal>
#include <cstdio>

using namespace sx;
using namespace sx::terminal;

namespace {

int failure(const std::string& message, int status) {
    std::fprintf(stderr, "error: %s\n", message.c_str());
    return status;
}

/// What the commands of a script need of the program from its beginning on.
void prepare(Start& start, const Script& script) {
    for (const std::string& line : script.lines) {
        if (goesBack(line) && start.engine == "vm") start.record = true;
        if (asksForObjects(line)) start.trackHeap = true;
    }
}

int runBatch(TerminalOptions& options) {
    Result<Script> script = readScript(options.script.empty() ? "-" : options.script);
    if (!script) return failure(script.error(), 2);
    prepare(options.start, *script);
    Result<AdapterEnds> ends =
        options.connect.empty() ? startAdapter(ownFolder() + "/sx-dap", false) : connectAdapter(options.connect);
    if (!ends) return failure(ends.error(), 1);
    Client client(*ends);
    Debuggee debuggee(client, options.start);
    bool isWell = runScript(debuggee, *script);
    disconnect(debuggee);
    return isWell ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    Result<TerminalOptions> options = parseOptions({argv + 1, argv + argc});
    if (!options) return failure(options.error(), 2);
    if (options->help) {
        std::fputs(terminalHelp().c_str(), stdout);
        return 0;
    }
    signal(SIGPIPE, SIG_IGN);
    return runBatch(*options);
}
