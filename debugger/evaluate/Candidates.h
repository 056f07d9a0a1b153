// What could follow a piece of an expression: the names that its place sees, and the members of what stands before a
// dot.
#pragma once

#include "lower/Place.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>
#include <string_view>
#include <vector>

namespace sx::debugger {

struct Candidate {
    std::string name;
    const char* kind; ///< as the protocol names kinds of completions: `variable`, `field`, …
    SourcePos
        declared{}; ///< by the name at this place; not valid: the language has it, or an expression says what it is
    TypeId type{};  ///< of a part of a value; else None
};

struct Candidates {
    std::vector<Candidate> all; ///< the nearest first; a name stands for what comes first
    size_t from = 0;            ///< where the name begins that each of them would replace, in bytes
    TypeId owner{};             ///< the type that has the members, without pointers to it; None: they are no members
    std::string indexed;        ///< elements of this expression are wanted by their index; empty: they are not
};

/// What could follow `before`, which is read at `at`, in a body at `code` (null: outside of bodies): all that has a
/// meaning there, whatever has been typed of the name. `typeOfValue` says the type of an expression that the front end
/// does not know by itself, or None.
Candidates candidatesAfter(sema::Sema&, std::string_view before, SourcePos at, const sema::CodePlace* code,
                           llvm::function_ref<TypeId(const std::string&)> typeOfValue);

} // namespace sx::debugger
