// The variants of `OS` and `ARCH`, as the library declares them: known also to programs that do not load it.
#pragma once

#include <string_view>

namespace sx::sema {

inline constexpr std::string_view operatingSystems[] = {"macos", "linux",   "windows", "wasm",
                                                        "ios",   "android", "unknown"};
inline constexpr std::string_view architectures[] = {"aarch64", "x86_64", "wasm32", "wasm64", "unknown"};

} // namespace sx::sema
