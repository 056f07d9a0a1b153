// What is wrong with a file, in the protocol's form.
#pragma once

#include "server/program/Workspace.h"
#include "server/protocol/Json.h"

namespace sx::server {

json::Array diagnosticsOf(View&);

} // namespace sx::server
