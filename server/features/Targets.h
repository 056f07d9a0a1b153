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

/// The declarations that have one name with `target`, itself included: a method of a protocol and those that implement
/// it, the accessors of a property, elements of tuples of one shape. Each is a place.
std::vector<SourcePos> familyOf(View&, SourcePos target);

} // namespace sx::server
