// The scopes and the variables of one function while it is lowered.
#pragma once

#include "sema/Sema.h"

#include "llvm/Support/Allocator.h"

#include <vector>

namespace sx::lower {

/// Frees them with itself. Those of the lambdas in a function belong to it.
class Locals {
public:
    Locals() = default;
    ~Locals();
    Locals(const Locals&) = delete;

    sema::Scope* newScope(sema::Scope* parent, sema::SourceFile*);
    sema::Symbol* newSymbol(Name, sema::SymbolKind, Span);
    /// Something that outlives the function may look a name up in one of them (Scope::isKept).
    bool areKept() const { return !scopes_.empty() && scopes_.front()->isKept; }

private:
    static constexpr size_t SlabBytes = 1024;
    llvm::BumpPtrAllocatorImpl<llvm::MallocAllocator, SlabBytes, SlabBytes> arena_;
    std::vector<sema::Scope*> scopes_; ///< the first one is around all others
};

} // namespace sx::lower
