// What names in the program were found to stand for while it was checked: for editors, which ask for the table.
//
// A name that scopes alone explain needs no entry. What depends on types has one: members, variants, fields in
// literals, named arguments, methods. A place in a generic body may have several, one an instance.
#pragma once

#include "source/Names.h"
#include "source/Source.h"
#include "types/TypeTable.h"

#include <vector>

namespace sx::ast {
struct Call;
struct FunctionDecl;
} // namespace sx::ast

namespace sx::sema {

struct FunctionInstance;
struct Symbol;

struct Use {
    Span at;                                     ///< the name
    const Symbol* symbol = nullptr;              ///< what it names, or
    const ast::FunctionDecl* function = nullptr; ///< a method or `ufcs` function, or
    Span declared;                               ///< a field, a variant, a parameter
    TypeId owner{};                              ///< of a field or variant: the type that has it
};

/// A named element of a tuple type or of a list of results. Types of one shape are one type, so several may declare it.
struct SlotName {
    TypeId tuple{};
    Name name{};
    Span declared;
};

/// A `.name` or `.{ … }` was lowered where this type is expected, or the name `_`, which stands for one that is not
/// written yet.
struct Expectation {
    SourcePos at;
    TypeId type{};
};

/// A call goes to a function. The same call in generic code has one for each instance.
struct CallUse {
    const ast::Call* call = nullptr;
    const FunctionInstance* caller = nullptr; ///< around the call; null: a value that is evaluated while compiling
    const FunctionInstance* callee = nullptr;
};

struct Uses {
    std::vector<Use> all;
    std::vector<SlotName> slots;
    std::vector<Expectation> expected;
    std::vector<CallUse> calls;
    std::vector<const Symbol*> locals; ///< in the order of declaration
};

} // namespace sx::sema
