// C code that is part of a program, loaded into this process. The driver supplies the implementation.
#pragma once

#include "source/Result.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sx::ir {

/// What was loaded stays for the rest of the process: threads and exit handlers may lie in it.
class ForeignCode {
public:
    virtual ~ForeignCode() = default;
    /// The address of what the C code itself defines; null if it does not define `symbol`.
    virtual void* find(const std::string& symbol) = 0;
    /// The functions of the program that C code may call (`export`), by their symbols.
    virtual const std::vector<std::string>& exports() const = 0;
    /// Says where the function `exports()[index]` is. C code must not call it before.
    virtual void provide(size_t index, void* address) = 0;
};

/// Compiles and loads the C code of a program, a new copy at each call. Null where it has none.
using ForeignLoader = std::function<Result<std::unique_ptr<ForeignCode>>()>;

} // namespace sx::ir
