// What a program can be compiled for (modules-and-comptime 4.1): the variants of the types of `OS` and `ARCH`.
#pragma once

namespace sx::sema {

inline constexpr const char* OperatingSystems[] = {"macos", "linux", "windows", "wasm", "ios", "android", "unknown"};
inline constexpr const char* Architectures[] = {"aarch64", "x86_64", "wasm32", "wasm64", "unknown"};

} // namespace sx::sema
