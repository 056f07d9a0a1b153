// The language server as a command.
#pragma once

#include <cstdint>
#include <optional>

namespace sx::server {

/// Serves a client on standard input and output, or clients that connect to a port of this computer (0: any; it is
/// printed as `listening on 127.0.0.1:PORT`). Returns the exit status.
int serveLanguage(std::optional<uint16_t> port);

} // namespace sx::server
