#include "vm/Signatures.h"

namespace sx::vm {

namespace {
uint64_t keyOf(ScalarKind k) { return uint64_t{static_cast<uint8_t>(k.cls)} << 8 | k.bits; }
} // namespace

uint32_t Signatures::of(llvm::ArrayRef<TypeId> params, TypeId result) {
    Signature s;
    std::vector<uint64_t> key;
    for (TypeId p : params) {
        s.params.push_back(scalarKind(types_, p));
        key.push_back(keyOf(s.params.back()));
    }
    s.result = scalarKind(types_, result);
    s.returnsInMemory = ir::returnsInMemory(types_, result);
    s.memoryResult = s.returnsInMemory ? types_.sizeOf(result) : 0;
    key.insert(key.end(), {keyOf(s.result), s.returnsInMemory, s.memoryResult});
    auto [it, isNew] = index_.try_emplace(std::move(key), static_cast<uint32_t>(signatures_.size()));
    if (isNew) signatures_.push_back(std::move(s));
    return it->second;
}

uint32_t Signatures::indirectSite(TypeId functionType) {
    auto [it, isNew] = siteOf_.try_emplace(functionType, static_cast<uint32_t>(sites_.size()));
    if (isNew) {
        const FunctionInfo& info = types_.functionInfo(functionType);
        sites_.push_back({functionType, of(info.params, info.result), UINT32_MAX});
    }
    return it->second;
}

} // namespace sx::vm
