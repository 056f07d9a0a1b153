// What the texts of the library's modules tell of those that the program has not loaded.
#pragma once

#include "sema/Sema.h"

#include <string>
#include <string_view>

namespace sx::sema {

/// A function of a module of the library.
struct LibraryFunction {
    std::string module; ///< its name, of `modules/std/`; "": there is none
    bool isUfcs = false;
};

/// The first of the modules whose text declares something called `name` at its top level.
LibraryFunction libraryFunction(const Sema&, llvm::ArrayRef<const char*> modules, std::string_view name);

} // namespace sx::sema
