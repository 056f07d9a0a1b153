// The call that a place in a text stands in, by its tokens: the text need not parse.
#pragma once

#include "server/features/Syntax.h"

#include <optional>
#include <set>
#include <string>

namespace sx::server {

struct CallAround {
    size_t name = 0;                ///< the token with the name of what is called
    size_t open = 0;                ///< the parenthesis
    unsigned argument = 0;          ///< commas before the place
    std::string named{};            ///< `name =` of the argument that the place is in
    std::set<std::string> before{}; ///< the names of all arguments that have one
};

/// Null: there is no call around `offset`, or none of a name.
std::optional<CallAround> callAround(const Syntax&, uint32_t offset);

/// What a call names: a function, a type, a variant, a variable. Where the code around could not be checked, one of
/// that name, a function before others. Null: there is none.
const Declaration* calledFunction(View&, const Syntax&, const CallAround&);

/// Whether the first parameter of `d` is what stands before the dot of a call.
bool takesReceiver(View&, const Syntax&, const CallAround&, const Declaration& d);

} // namespace sx::server
