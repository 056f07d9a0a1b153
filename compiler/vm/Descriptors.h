// Values of type `Type`: addresses of type descriptors.
//
// The descriptors are the module's own (ir/TypeDescriptor.h), made when code that names a type is translated. At
// compile time a type may still be incomplete then: its descriptor is filled in later, at the same address.
#pragma once

#include "ir/TypeDescriptor.h"

#include "llvm/ADT/DenseMap.h"

namespace sx::vm {

class Program;

class Descriptors {
public:
    explicit Descriptors(Program& program) : program_(program) {}

    uint64_t handle(TypeId);
    /// The type whose handle the address is; None if it is none.
    TypeId typeOf(uint64_t handle) const;
    /// Fills in what was incomplete and is complete now.
    void update();

private:
    ir::GlobalId describe(TypeId);
    void referToInfos();

    Program& program_;
    llvm::DenseMap<TypeId, uint64_t> handles_;
    llvm::DenseMap<uint64_t, TypeId> types_;
    std::vector<TypeId> incomplete_;
    bool withInfos_ = false;
};

} // namespace sx::vm
