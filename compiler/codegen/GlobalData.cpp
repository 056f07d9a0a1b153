// Constant data with addresses in it, as LLVM initialisers.
//
// Data without addresses is one array of bytes. Addresses split it: a packed struct of byte arrays and
// pointers, in the order of their offsets.
#include "codegen/ModuleEmitter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"

namespace sx::codegen {

namespace {

constexpr uint64_t AddressSize = 8;

std::vector<ir::Reloc> inOrder(const ir::Global& global) {
    std::vector<ir::Reloc> relocs = global.init.relocs;
    llvm::sort(relocs, [](const ir::Reloc& a, const ir::Reloc& b) { return a.offset < b.offset; });
    return relocs;
}

/// A run of zeros that is worth a part of its own.
constexpr uint64_t LongZeros = 4096;

bool endsInLongZeros(const ir::Global& global) {
    return global.init.bytes.size() + LongZeros < global.size && !global.init.bytes.empty();
}

/// Calls `bytes(from, to)` and `address(reloc)` for the parts of a global, in order.
template <class Bytes, class Address> void forEachPart(const ir::Global& global, Bytes bytes, Address address) {
    uint64_t at = 0, given = global.init.bytes.size();
    auto upTo = [&](uint64_t to) {
        bool split = at < given && given + LongZeros < to;
        if (split) bytes(at, given);
        if (at < to) bytes(split ? given : at, to);
    };
    for (const ir::Reloc& reloc : inOrder(global)) {
        upTo(reloc.offset);
        address(reloc);
        at = reloc.offset + AddressSize;
    }
    upTo(global.size);
}

} // namespace

llvm::Type* ModuleEmitter::dataType(const ir::Global& global) const {
    if (global.init.relocs.empty() && !endsInLongZeros(global)) return types_.bytes(global.size);
    llvm::SmallVector<llvm::Type*, 16> parts;
    forEachPart(
        global, [&](uint64_t from, uint64_t to) { parts.push_back(types_.bytes(to - from)); },
        [&](const ir::Reloc&) { parts.push_back(llvm::PointerType::get(context(), 0)); });
    return llvm::StructType::get(context(), parts, /*isPacked=*/true);
}

/// Bytes [from, to) of a global's data; what lies beyond the bytes given is zero.
llvm::Constant* ModuleEmitter::dataBytes(const ir::Global& global, uint64_t from, uint64_t to) const {
    llvm::ArrayRef<uint8_t> given = global.init.bytes;
    llvm::ArrayRef<uint8_t> part = given.slice(std::min<uint64_t>(from, given.size()));
    part = part.take_front(to - from);
    if (llvm::all_of(part, [](uint8_t byte) { return byte == 0; }))
        return llvm::ConstantAggregateZero::get(types_.bytes(to - from));
    if (part.size() == to - from) return llvm::ConstantDataArray::get(context(), part);
    std::vector<uint8_t> padded = part.vec();
    padded.resize(to - from);
    return llvm::ConstantDataArray::get(context(), padded);
}

llvm::Constant* ModuleEmitter::dataAddress(const ir::Reloc& reloc) {
    llvm::Constant* target = nullptr;
    switch (reloc.kind) {
    case ir::Reloc::Kind::Function: target = function(ir::FuncId(reloc.id)); break;
    case ir::Reloc::Kind::Global: target = global(ir::GlobalId(reloc.id)); break;
    case ir::Reloc::Kind::TypeHandle: target = typeHandle(TypeId(reloc.id)); break;
    }
    if (reloc.addend == 0) return target;
    llvm::Type *i8 = llvm::Type::getInt8Ty(context()), *i64 = llvm::Type::getInt64Ty(context());
    return llvm::ConstantExpr::getGetElementPtr(i8, target, llvm::ConstantInt::getSigned(i64, reloc.addend));
}

void ModuleEmitter::defineGlobal(llvm::GlobalVariable& variable, const ir::Global& global) {
    if (global.init.relocs.empty() && !endsInLongZeros(global))
        return variable.setInitializer(dataBytes(global, 0, global.size));
    llvm::SmallVector<llvm::Constant*, 16> parts;
    forEachPart(
        global, [&](uint64_t from, uint64_t to) { parts.push_back(dataBytes(global, from, to)); },
        [&](const ir::Reloc& reloc) { parts.push_back(dataAddress(reloc)); });
    variable.setInitializer(llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(variable.getValueType()), parts));
}

} // namespace sx::codegen
