// How deeply a JSON text is nested: asked before it is parsed, because parsers recurse.
#pragma once

#include <string_view>

namespace sx {

/// No text that this project writes is nested as deeply.
constexpr unsigned MaxJsonDepth = 200;

/// The number of arrays and objects around the innermost value, whether the text is valid or not.
unsigned jsonDepth(std::string_view text);

} // namespace sx
