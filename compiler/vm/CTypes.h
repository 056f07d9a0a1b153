// The C form of types, as libffi wants it.
#pragma once

#include "types/TypeTable.h"

#include <deque>
#include <ffi.h>

namespace sx::vm {

class CTypes {
public:
    explicit CTypes(const TypeTable& types) : types_(types) {}

    /// Null if the type cannot be passed to C by value; `ffi_type_void` if nothing is passed for it, as for an empty
    /// struct.
    ffi_type* get(TypeId);

private:
    ffi_type* scalar(TypeId);
    ffi_type* aggregate(TypeId);
    ffi_type* alignedLike(const ffi_type& scalar, uint64_t align);
    ffi_type* structOf(std::vector<ffi_type*> parts);

    struct Struct {
        ffi_type type{};
        std::vector<ffi_type*> parts;
    };
    const TypeTable& types_;
    llvm::DenseMap<TypeId, ffi_type*> known_;
    std::deque<Struct> structs_;
};

} // namespace sx::vm
