// The files of a program: loading, imports, what stands at module scope only.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

bool loadProgram(Sema&, const std::string& entryPath, std::string& readError);
ModuleUnit* import(Sema&, SourceFile& from, const ast::ImportDecl&);
/// Imported modules before the file that imports them.
std::vector<SourceFile*> importOrder(Sema&);
/// The entry file or what it imports flat has a `#run` statement.
bool entryRunsStatements(Sema&);
/// At module scope, for the module (Assembly.cpp).
void collectAssembly(Sema&);
/// UnusedImports.cpp.
void warnOfUnusedImports(Sema&);

} // namespace sx::sema
