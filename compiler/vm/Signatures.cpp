#include "vm/Signatures.h"

#include "types/Layout.h"

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
    s.memoryResult = s.returnsInMemory ? sizeOf(types_, result) : 0;
    key.insert(key.end(), {keyOf(s.result), s.returnsInMemory, s.memoryResult});
    auto [it, isNew] = index_.try_emplace(std::move(key), signatures_.size());
    if (isNew) signatures_.add(std::move(s));
    return it->second;
}

uint32_t Signatures::indirectSite(TypeId functionType, llvm::ArrayRef<TypeId> extra) {
    std::vector<TypeId> key{functionType};
    key.insert(key.end(), extra.begin(), extra.end());
    auto [it, isNew] = siteOf_.try_emplace(std::move(key), sites_.size());
    if (isNew) {
        const FunctionInfo& info = types_.functionInfo(functionType);
        std::vector<TypeId> args = info.params;
        args.insert(args.end(), extra.begin(), extra.end());
        sites_.add({functionType, extra.vec(), of(args, info.result), UINT32_MAX});
    }
    return it->second;
}

} // namespace sx::vm
