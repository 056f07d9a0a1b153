// The command line of `sx-dap`.
#pragma once

#include "source/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sx::debugger {

struct AdapterOptions {
    bool help = false;
    bool listen = false; ///< serve connections instead of stdin and stdout
    std::string host = "127.0.0.1";
    uint16_t port = 0;                   ///< 0: any
    bool allowRemote = false;            ///< addresses other than loopback
    bool webSocket = false;              ///< web pages may connect, with a token
    std::vector<std::string> formatters; ///< files that say how types of other languages are shown
    std::string terminal; ///< `PORT:TOKEN`: be the process in a terminal for the adapter that waits there
    int handover = -1; ///< a descriptor: go on with the session of a process that has crashed (Succession.h); -1: begin
    std::string log;   ///< a file for the adapter's own log; empty: stderr
};

/// Parses the arguments after the program's name.
Result<AdapterOptions> parseOptions(const std::vector<std::string>& args);

/// How the adapter is used.
std::string adapterHelp();

} // namespace sx::debugger
