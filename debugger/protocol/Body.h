// The body of any message: a JSON object.
#pragma once

#include "source/Result.h"

#include "llvm/Support/JSON.h"

#include <string>
#include <string_view>

namespace sx::debugger {

/// Reads a body. Fails where it is no JSON object, or one that is nested too deeply to be read safely.
Result<llvm::json::Object> parseBody(std::string_view body);

/// The text of an object with null in the place of the lists and objects in it, which may be nested as deeply as they
/// like.
std::string outlineOf(std::string_view body);

} // namespace sx::debugger
