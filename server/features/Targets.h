// What a name stands for, beyond the one place where it is declared.
#pragma once

#include "server/program/Workspace.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace sx::server {

/// Where what an alias stands for is declared, through any number of aliases; `target` itself where it is none.
SourcePos throughAliases(View&, SourcePos target);

/// The declaration of the protocol that an implementation names. Null: it is not known.
const Declaration* protocolOf(View&, const sema::ImplInfo&);

/// The declaration of the type that an implementation is for. Null: it is none of the program's own.
const Declaration* targetOf(View&, const sema::ImplInfo&);

/// Visits the implementations that `wanted` is the protocol or the type of, in the program of `view` and in those of
/// all files of the workspace that name it. A place may come more than once, in different programs.
void forEachImpl(Workspace&, View& view, const Declaration& wanted,
                 llvm::function_ref<void(View&, const sema::ImplInfo&)> visit);

/// The name of a method of a protocol and those of all that implement it, if `target` is one of them: they have one
/// name. Else `target` alone. Each is the place of a declaration.
std::vector<SourcePos> familyOf(View&, SourcePos target);

} // namespace sx::server
