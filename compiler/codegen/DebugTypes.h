// The language's types as debuggers see them.
//
// Names are those that programs write (`[]i64`, `?Point`, `List(string)`); what has no counterpart in C is a
// structure whose members are named as below, which the formatters in editors/ know:
//   string, slice    ptr, len           optional      value, present (a pointer-like one is a typedef of its payload)
//   closure          code, env          failable      value (or the names of the slots, or _0, _1), error
//   any              data, type         protocol      ctx, type, vtable (or the slots)
//   tuple            its names, or _0, _1               tagged enum   tag, and an unnamed union of the payloads
//   (`payload` if one is called tag)
// A number is a typedef of its base type. A set of errors is an enumeration in which 0 is `no error`.
#pragma once

#include "ir/Ir.h"
#include "types/Layout.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DIBuilder.h"

namespace sx::codegen {

class DebugTypes {
public:
    DebugTypes(const ir::Module& ir, llvm::DIBuilder& builder) : types_(ir.types), builder_(builder) {}

    /// Null for `void`, as DWARF has it.
    llvm::DIType* type(TypeId);
    /// What the environment of a closure points at: a structure named after the code's symbol, with `.captures` after
    /// it.
    llvm::DIType* captures(const ir::Function& closure);

private:
    struct Member {
        std::string name;
        llvm::DIType* type;
        uint64_t offset;
    };

    llvm::DIType* make(TypeId);
    llvm::DIType* basic(TypeId, unsigned encoding);
    llvm::DIType* base(TypeId number);
    llvm::DIType* number(TypeId);
    llvm::DIType* pointer(TypeId);
    llvm::DIType* codePointer(TypeId);
    llvm::DIType* array(TypeId);
    llvm::DIType* optional(TypeId);
    llvm::DIType* plainEnum(TypeId);
    llvm::DIType* errorSet(TypeId);
    llvm::DIType* structure(TypeId);
    llvm::DIType* unionType(TypeId);
    llvm::DIType* taggedEnum(TypeId);
    llvm::DICompositeType* declare(TypeId, unsigned tag);
    void define(llvm::DICompositeType*&, llvm::ArrayRef<Member>);
    std::vector<Member> membersOf(TypeId);
    std::vector<Member> tupleMembers(TypeId);
    std::vector<Member> protocolMembers(TypeId);
    llvm::DIType* tagType(TypeId taggedEnum);
    llvm::DIType* pointerTo(llvm::DIType*);
    llvm::DIType* character();
    llvm::DIType* word();
    llvm::DIType* untypedPointer();
    llvm::DIType* typeHandle();
    llvm::DINodeArray enumerators(TypeId);
    std::string text(Name n) const { return std::string(types_.names().text(n)); }
    uint64_t bits(TypeId t) const { return sizeOf(types_, t) * 8; }

    TypeTable& types_;
    llvm::DIBuilder& builder_;
    llvm::DenseMap<TypeId, llvm::TrackingMDNodeRef> made_;
    llvm::DenseMap<TypeId, llvm::TrackingMDNodeRef> bases_;
    llvm::DIType *character_ = nullptr, *untypedPointer_ = nullptr, *typeHandle_ = nullptr;
};

} // namespace sx::codegen
