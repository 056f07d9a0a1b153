// The files of a program: loading, imports, what stands at module scope only.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

/// Loads the entry file and what it imports. Fails where the entry file cannot be read; everything else is reported.
///
/// The namespaces of the prelude are read only if the program mentions them, or a name of the prelude that is one of
/// their members: most programs use few. Their modules have no effect but by their names (tests/house/prelude.py).
Result<void> loadProgram(Sema&, const std::string& entryPath);
/// Loads a namespace of the prelude that no file mentions, for code that was made while compiling. False: it is none,
/// or was reported.
bool loadDeferred(Sema&, Symbol& name);
/// Loads all namespaces of the prelude, for messages about names that the program might mean.
void loadAllDeferred(Sema&);
ModuleUnit* import(Sema&, SourceFile& from, const ast::ImportDecl&);
/// Reads the headers of a C unit into a module and notes its sources. Null after a report.
ModuleUnit* importC(Sema&, SourceFile& from, const ast::ImportCDecl&);
/// Why the module of a C unit lacks a declaration of its headers; "" if they have none of this name.
std::string whyLeftOut(const Sema&, const ModuleUnit&, const std::string& name);
/// The file of the program that has a text; null: no file has it, as that of an expression which was asked about.
SourceFile* fileOf(const Sema&, FileId);
/// The files of the program, imported ones before those that import them.
std::vector<SourceFile*> importOrder(Sema&);
/// Whether the entry file, or what it imports flat, has a `#run` statement.
bool entryRunsStatements(Sema&);
/// Adds the assembly at module scope to the module.
void collectAssembly(Sema&);

} // namespace sx::sema
