// The lexical scopes of bodies that were lowered, by position: where a question about a place in them is read.
#pragma once

#include "sema/model/Symbols.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace sx::sema {

struct BodyScope {
    Span span;
    ir::ScopeId opened = 0; ///< of `code`: what the scope is there
    Scope* scope = nullptr;
    FunctionInstance* instance = nullptr;     ///< whose body it is; null: of a lambda
    const ir::Function* code = nullptr;       ///< what the body is lowered to
    llvm::SmallVector<Symbol*, 2> narrowed{}; ///< optionals that are proven present where it begins
};

/// A position in a body. `scope` says in which copy, where its code is there several times: a round of an `inline for`.
struct CodePlace {
    SourcePos at;
    const ir::Function& code;
    ir::ScopeId scope = 0;
};

class BodyScopes {
public:
    void open(BodyScope scope) { all_.push_back(std::move(scope)); }

    /// The innermost scope around a position, in the body of `instance` (null: of any). Null: there is none.
    const BodyScope* at(SourcePos, const FunctionInstance* instance = nullptr) const;
    /// The same in the body that was lowered to `code`.
    const BodyScope* in(const CodePlace&) const;
    /// One of the scopes of a body is such.
    bool any(const ir::Function& code, llvm::function_ref<bool(const BodyScope&)> is) const;
    /// What a scope of a body is in its code; 0: nothing of its own.
    ir::ScopeId openedFor(const ir::Function& code, const Scope*) const;

private:
    std::vector<BodyScope> all_; ///< in the order in which they were opened
};

} // namespace sx::sema
