// Functions of the library that the executable contains compiled: `sx run` need not compile them again.
//
// When sx is built, a program that uses much of the library (driver/layout/library.sx) is compiled to an object in
// which only those functions are left whose code is the same in every program: they name no variable, no type and no
// error of the program, and of its functions only such ones. With them stands a table: names, hashes of what they were
// made of, and addresses. A program that is compiled in the process takes such a function where its own would be made
// of the same LLVM code, whatever source that came from: nothing but the code itself is compared. docs/performance.md
// has what it saves.
#pragma once

#include "llvm/IR/Module.h"

namespace sx::codegen {

/// One of the table, which is in order of the names.
struct LibraryFunction {
    const char* symbol; ///< of the function in every module
    uint64_t hash;      ///< FunctionHash.h
    void* address;
};

/// Leaves in a module the functions that are the same in every program, and adds the table. The module is in the form
/// that is given to code generation. Returns how many there are.
size_t keepLibraryCode(llvm::Module&);

/// Makes functions that the executable contains declarations of these. In an executable without a table nothing.
void useLibraryCode(llvm::Module&);

/// The address of such a function; null if there is none of this name.
void* libraryFunction(llvm::StringRef symbol);

} // namespace sx::codegen
