// `sx-debug`, the debugger in the terminal: a client of the debug adapter.
#include "debugger/terminal/Batch.h"
#include "debugger/terminal/Options.h"
#include "debugger/terminal/client/Client.h"
#include "debugger/terminal/commands/Commands.h"
#ifdef SX_HAS_SCREEN
#include "debugger/terminal/screen/Guard.h"
#include "debugger/terminal/screen/Screen.h"
#endif
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

Result<AdapterEnds> reachAdapter(const TerminalOptions& options, bool quiet) {
    if (!options.connect.empty()) return connectAdapter(options.connect);
    std::vector<std::string> its;
    for (const std::string& file : options.formatters) {
        its.push_back("--formatters");
        its.push_back(file);
    }
    return startAdapter(ownFolder() + "/sx-dap", its, quiet);
}

#ifdef SX_HAS_SCREEN
int runOnScreen(TerminalOptions& options) {
    Script script;
    if (!options.script.empty()) {
        Result<Script> read = options.script == "-"
                                  ? Result<Script>(Failure{"the screen needs standard input; " + code("-x -") +
                                                           " goes with " + code("--batch")})
                                  : readScript(options.script);
        if (!read) return failure(read.error(), 2);
        script = std::move(*read);
    }
    prepare(options.start, script);
    options.start.feedInput = true;
    Result<AdapterEnds> ends = reachAdapter(options, true);
    if (!ends) return failure(ends.error(), 1);
    Client client(*ends);
    Debuggee debuggee(client, options.start);
    if (Result<void> met = meetAdapter(debuggee, options.connect); !met) return failure(met.error(), 1);
    int status = 0;
    {
        Result<std::unique_ptr<Terminal>> terminal = Terminal::open();
        if (!terminal) return failure(terminal.error(), 2);
        status = runScreen(debuggee, **terminal, script.lines);
    }
    if (status == 0) disconnect(debuggee);
    return status;
}
#endif

int runBatch(TerminalOptions& options) {
    Result<Script> script = readScript(options.script.empty() ? "-" : options.script);
    if (!script) return failure(script.error(), 2);
    prepare(options.start, *script);
    Result<AdapterEnds> ends = reachAdapter(options, false);
    if (!ends) return failure(ends.error(), 1);
    Client client(*ends);
    Debuggee debuggee(client, options.start);
    if (Result<void> met = meetAdapter(debuggee, options.connect); !met) return failure(met.error(), 1);
    return runScript(debuggee, *script) ? 0 : 1;
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
    if (options->batch) return runBatch(*options);
#ifdef SX_HAS_SCREEN
    return guarded([&] { return runOnScreen(*options); });
#else
    return failure("this debugger was built without ncurses; " + code("--batch") + " works without", 2);
#endif
}
