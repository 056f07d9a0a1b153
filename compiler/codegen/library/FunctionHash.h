// What the machine code of a function is made of, as a number: equal for functions of two modules whose code is the
// same.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

#include <optional>

namespace sx::codegen {

struct FunctionHash {
    uint64_t number = 0;
    /// The functions of the module that it names, each once. The number covers their names and types, not their code.
    llvm::SmallVector<llvm::Function*, 8> functions;
    /// The constants of the module that it reads, each once, with those that they name. The number covers their
    /// content.
    llvm::SmallVector<llvm::GlobalVariable*, 8> constants;
};

/// Hashes functions of one module, for code generation without optimising.
class FunctionHasher {
public:
    /// None for a function with something that is its module's own (a variable, a constant whose address may be
    /// compared) or that no hash is made of (inline assembly, landing pads, debug information).
    std::optional<FunctionHash> hash(llvm::Function&);

private:
    friend class FunctionHashing;
    llvm::DenseMap<llvm::Type*, uint64_t> types_;
    llvm::DenseMap<void*, uint64_t> attributes_; ///< by what a list of them is known by
};

} // namespace sx::codegen
