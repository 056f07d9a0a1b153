// What declarations of C functions say to C (modules-and-comptime 8.2).
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// What C sees of a parameter of an `extern` function: of texts and slices only the pointer.
TypeId externType(TypeTable&, TypeId);
/// What C sees of its result: of a text only the pointer.
TypeId externResult(TypeTable&, TypeId);

/// An `extern` declaration inside a function, when it is used: it has to agree with all other declarations of its
/// symbol. `other` is the one of them that was used first, if there is any.
void checkLocalExtern(Sema&, FunctionInstance& declared, FunctionInstance* other);

/// The handle after `extern` is declared somewhere.
void checkExternLibraries(Sema&);
/// All declarations of a C symbol agree.
void checkExternSymbols(Sema&);
/// A file of C that is part of the program; `content` where its path is "".
struct CFile {
    CSource source;
    std::string content;
};
/// The sources of all imports, and for each import a file that gives symbols to those inline functions of its headers
/// which the program mentions.
std::vector<CFile> cFiles(const Sema&);
/// The symbols of all `export` functions of the program, without double ones.
std::vector<std::string> exportedSymbols(const Sema&);
/// The C symbol that an `extern` or `export` function or an `extern` variable binds: the written one, or its name.
std::string cSymbol(const Sema&, const ast::Decl&);
/// `-l` name of a library handle, noted as needed; false (silently) if the program declares no such handle.
bool useLibrary(Sema&, Name handle);

/// Notes the libraries that files of the program declare, whether or not an `extern` names them: headers and C sources
/// may need them. One that a module of the library declares counts where it is used.
void noteOwnLibraries(Sema&);

} // namespace sx::sema
