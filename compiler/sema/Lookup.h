// Finding names, and what is said where there is none.
#pragma once

#include "sema/Sema.h"

namespace sx::sema {

struct LookupResult {
    Symbol* symbol = nullptr;
    bool ambiguous = false;                         ///< two imports declare it
    bool hiddenPrivate = false, notVisible = false; ///< exists, but may not be used here
    bool crossesFunction = false;                   ///< found beyond a function boundary: a capture or an error
};

LookupResult lookup(Sema&, Name, const Scope*, uint32_t limit, SourceFile*, bool typePosition = false);
LookupResult lookupModule(Sema&, Name, SourceFile&, bool typePosition = false);
/// `ns.member` (2.2). Null: no such member.
Symbol* lookupMember(ModuleUnit&, Name, SourceFile& from);
/// All ufcs functions called `name`: visible from `file`, or anywhere in the program.
std::vector<FunctionTemplate*> ufcsCandidates(Sema&, Name, const Scope*, uint32_t limit, SourceFile*, bool visibleOnly);
/// A scope that lives as long as the analysis, and so do those around it.
Scope* newScope(Sema&, Scope* parent, SourceFile*);
/// Something that lives as long as the analysis is declared in this scope, or looks names up in it. Null: nothing
/// happens.
void keepScope(Scope*);
Symbol* declare(Sema&, Scope&, Name, Symbol*);
/// It lives as long as the analysis.
Symbol* newSymbol(Sema&, Name, SymbolKind, Span);

// ---- Unresolved.cpp

/// Reports an unresolved, ambiguous or invisible name at `at`, with the nearest visible name as help.
void reportUnresolved(Sema&, Name, Span at, const LookupResult&, const Scope*, SourceFile*,
                      std::string_view what = "name");

/// The same for a name that is ambiguous or private.
void reportHidden(Sema&, Name, Span at, const LookupResult&, SourceFile&);

/// Notes that a message asked a file to add an import. False if one did so before.
bool asksForImport(Sema&, const SourceFile&, const std::string& import);

} // namespace sx::sema
