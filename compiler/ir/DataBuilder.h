// Writes the data of one constant global: words, addresses, and strings kept after its fixed part.
#pragma once

#include "ir/Ir.h"

#include "llvm/ADT/StringRef.h"

namespace sx::ir {

/// Little-endian; zero where nothing is put.
class DataBuilder {
public:
    DataBuilder(GlobalId self, uint64_t fixedSize) : self_(self) { data_.bytes.resize(fixedSize); }

    void word(uint64_t at, uint64_t value) {
        for (unsigned k = 0; k < 8; ++k) data_.bytes[at + k] = static_cast<uint8_t>(value >> (8 * k));
    }
    void byte(uint64_t at, uint8_t value) { data_.bytes[at] = value; }
    void address(uint64_t at, GlobalId g) {
        data_.relocs.push_back({Reloc::Kind::Global, at, static_cast<uint32_t>(g), 0});
    }
    void typeHandle(uint64_t at, TypeId t) {
        data_.relocs.push_back({Reloc::Kind::TypeHandle, at, static_cast<uint32_t>(t), 0});
    }
    /// The address of byte `offset` of this same global.
    void ownAddress(uint64_t at, uint64_t offset) {
        data_.relocs.push_back({Reloc::Kind::Global, at, static_cast<uint32_t>(self_), static_cast<int64_t>(offset)});
    }
    /// `{ptr, len}`. The bytes go to the end, with a NUL that is not counted; "" is a null pointer.
    void string(uint64_t at, llvm::StringRef text) {
        if (text.empty()) return;
        ownAddress(at, data_.bytes.size());
        word(at + 8, text.size());
        data_.bytes.insert(data_.bytes.end(), text.begin(), text.end());
        data_.bytes.push_back(0);
    }
    /// Hands the data over to `g`.
    void finish(Global& g) {
        g.size = data_.bytes.size();
        g.init = std::move(data_);
    }

private:
    GlobalId self_;
    ConstData data_;
};

} // namespace sx::ir
