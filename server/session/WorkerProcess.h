// What a process does that answers requests about one state of the texts.
#pragma once

#include "server/program/Settings.h"
#include "server/text/Documents.h"

namespace sx::server {

/// Answers on a socket until it is closed. Runs in a process of its own.
void answerRequests(int descriptor, const Documents&, const Settings&);

} // namespace sx::server
