// What a name stands for, beyond the one place where it is declared.
#pragma once

#include "server/program/View.h"

#include <vector>

namespace sx::server {

/// Where what an alias stands for is declared, through any number of aliases; `target` itself where it is none.
SourcePos throughAliases(View&, SourcePos target);

/// The declaration of the protocol that an implementation names. Null: it is not known.
const Declaration* protocolOf(View&, const sema::ImplInfo&);

/// The name of a method of a protocol and those of all that implement it, if `target` is one of them: they have one
/// name. Else `target` alone. Each is the place of a declaration.
std::vector<SourcePos> familyOf(View&, SourcePos target);

} // namespace sx::server
