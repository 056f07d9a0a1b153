// Signatures as machines see them: the register form of each parameter and of the result. Function types that differ in
// nothing a register shows have equal signatures.
#pragma once

#include "vm/code/Scalar.h"
#include "vm/memory/StableList.h"

#include <map>

namespace sx::vm {

struct Signature {
    std::vector<ScalarKind> params; ///< class None: an aggregate, by address
    ScalarKind result;              ///< class None: void, or in memory
    uint64_t memoryResult = 0;      ///< bytes of a result in memory; 0: it has none (or an empty one)
    bool returnsInMemory = false;
};

/// What indirect calls of one function type need.
struct IndirectSite {
    TypeId type{};
    std::vector<TypeId> extra; ///< of C varargs
    uint32_t signature = 0;
    uint32_t foreignSite = UINT32_MAX; ///< prepared when a foreign address is first called
};

class Signatures {
public:
    explicit Signatures(const TypeTable& types) : types_(types) {}

    uint32_t of(llvm::ArrayRef<TypeId> params, TypeId result);
    const Signature& get(uint32_t index) const { return signatures_[index]; }
    /// `extra`: types of the arguments beyond the parameters, of a function with C varargs.
    uint32_t indirectSite(TypeId functionType, llvm::ArrayRef<TypeId> extra = {});
    IndirectSite& site(uint32_t index) { return sites_[index]; }

private:
    const TypeTable& types_;
    StableList<Signature> signatures_;
    std::map<std::vector<uint64_t>, uint32_t> index_;
    StableList<IndirectSite> sites_;
    std::map<std::vector<TypeId>, uint32_t> siteOf_; ///< by function type and extra arguments
};

} // namespace sx::vm
