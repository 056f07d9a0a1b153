// Constant data: between values known while compiling and the bytes they have in memory.
#include "sema/Constants.h"

#include "ir/Folding.h"
#include "sema/Functions.h"
#include "sema/Modules.h"
#include "sema/Sema.h"
#include "types/Layout.h"
#include "types/Predicates.h"

#include <cstring>

namespace sx::sema {

llvm::StringRef Sema::internString(llvm::StringRef s) {
    char* copy = static_cast<char*>(arena.Allocate(s.size() + 1, 1));
    if (!s.empty()) std::memcpy(copy, s.data(), s.size());
    copy[s.size()] = 0;
    return {copy, s.size()};
}

ir::GlobalId stringGlobal(Sema& sema, llvm::StringRef s) {
    auto [it, isNew] = sema.stringPool.try_emplace(s, ir::GlobalId::None);
    if (!isNew) return it->second;
    ir::Global g;
    g.name = "string";
    g.symbol = uniqueSymbol(sema, ".str");
    g.size = s.size() + 1;
    g.init.bytes.assign(s.begin(), s.end());
    g.init.bytes.push_back(0);
    g.isConst = g.mergeable = true;
    sema.module.globals.push_back(std::move(g));
    it->second = static_cast<ir::GlobalId>(sema.module.globals.size() - 1);
    return it->second;
}

ir::GlobalId constGlobal(Sema& sema, TypeId type, const ir::ConstData& data, std::string name, Span declared) {
    ir::Global g;
    g.symbol = uniqueSymbol(sema, name);
    g.name = std::move(name);
    g.type = type;
    g.size = sizeOf(sema.types, type);
    g.align = static_cast<uint32_t>(alignOf(sema.types, type));
    g.init = data;
    g.isConst = true;
    g.span = declared;
    sema.module.globals.push_back(std::move(g));
    return static_cast<ir::GlobalId>(sema.module.globals.size() - 1);
}

void listConstants(Sema& sema) {
    for (SourceFile* file : importOrder(sema))
        for (const Symbol* s : file->order) {
            if (s->kind != SymbolKind::Constant || s->aliasOf || s->type == TypeId::None ||
                !isScalar(sema.types, s->type))
                continue;
            bool isFloat = s->constant().isFloat();
            if (!isFloat && !s->constant().isInt() && s->constant().kind != ConstValue::Kind::Bool) continue;
            uint64_t bits = isFloat ? ir::floatBits(bitsOf(sema.types, s->type), s->constant().f)
                                    : static_cast<uint64_t>(s->constant().i);
            sema.module.constants.push_back({sema.text(s->name), s->type, bits, s->nameSpan});
        }
}

namespace {

/// Bytes after the end of the data are zero, so zeros there need no room.
void putBits(ir::ConstData& out, uint64_t offset, uint64_t bits, uint64_t bytes) {
    if (bits == 0 && offset >= out.bytes.size()) return;
    if (out.bytes.size() < offset + bytes) out.bytes.resize(offset + bytes);
    for (uint64_t i = 0; i < bytes; ++i) out.bytes[offset + i] = static_cast<uint8_t>(i < 8 ? bits >> (8 * i) : 0);
}

uint64_t getBits(const ir::ConstData& data, uint64_t offset, uint64_t bytes) {
    uint64_t bits = 0;
    for (uint64_t i = 0; i < bytes && offset + i < data.bytes.size(); ++i)
        bits |= uint64_t(data.bytes[offset + i]) << (8 * i);
    return bits;
}

const ir::Reloc* relocAt(const ir::ConstData& data, uint64_t offset) {
    for (const ir::Reloc& r : data.relocs)
        if (r.offset == offset) return &r;
    return nullptr;
}

/// Bits of `v` as an integer of this width, as a register holds them.
uint64_t truncated(__int128 v, unsigned bits) {
    uint64_t raw = static_cast<uint64_t>(v);
    return bits >= 64 ? raw : raw & ((uint64_t(1) << bits) - 1);
}

} // namespace

bool writeConstant(Sema& sema, const ConstValue& c, TypeId type, ir::ConstData& out, uint64_t offset) {
    uint64_t size = sizeOf(sema.types, type);
    switch (c.kind) {
    case ConstValue::Kind::None: return false;
    case ConstValue::Kind::Undef:
    case ConstValue::Kind::Null: return true; // absent values are all zero
    case ConstValue::Kind::Bool: putBits(out, offset, c.i != 0, size); return true;
    case ConstValue::Kind::Int: {
        // Odd widths are kept extended to their container.
        bool extend = isInteger(sema.types, type) && sema.types.isSigned(type);
        unsigned bits = isScalar(sema.types, type) ? scalarBits(sema.types, type) : 64;
        uint64_t raw = truncated(c.i, bits);
        if (extend && bits < 64 && (raw >> (bits - 1)) & 1) raw |= ~uint64_t(0) << bits;
        putBits(out, offset, raw, size);
        return true;
    }
    case ConstValue::Kind::Float:
        if (type == TypeId::F32) {
            float f = static_cast<float>(c.f);
            uint32_t bits;
            std::memcpy(&bits, &f, 4);
            putBits(out, offset, bits, 4);
        } else {
            uint64_t bits;
            std::memcpy(&bits, &c.f, 8);
            putBits(out, offset, bits, 8);
        }
        return true;
    case ConstValue::Kind::String:
        out.relocs.push_back({ir::Reloc::Kind::Global, offset, static_cast<uint32_t>(stringGlobal(sema, c.s)), 0});
        if (size >= 16) putBits(out, offset + 8, c.s.size(), 8);
        return true;
    case ConstValue::Kind::Type:
        out.relocs.push_back({ir::Reloc::Kind::TypeHandle, offset, static_cast<uint32_t>(c.t), 0});
        return true;
    case ConstValue::Kind::Data:
        if (uint64_t given = std::min<uint64_t>(c.data->bytes.size(), size)) {
            if (out.bytes.size() < offset + given) out.bytes.resize(offset + given);
            std::memcpy(out.bytes.data() + offset, c.data->bytes.data(), given);
        }
        for (ir::Reloc r : c.data->relocs) {
            r.offset += offset;
            out.relocs.push_back(r);
        }
        return true;
    }
    return false;
}

ConstValue readConstant(Sema& sema, const ir::ConstData& data, uint64_t offset, TypeId type) {
    const ir::Reloc* reloc = relocAt(data, offset);
    if (type == TypeId::Bool) return ConstValue::ofBool(getBits(data, offset, 1) != 0);
    if (isFloat(sema.types, type)) {
        uint64_t raw = getBits(data, offset, sizeOf(sema.types, type));
        if (type == TypeId::F32) {
            float f;
            uint32_t low = static_cast<uint32_t>(raw);
            std::memcpy(&f, &low, 4);
            return ConstValue::ofFloat(f);
        }
        double d;
        std::memcpy(&d, &raw, 8);
        return ConstValue::ofFloat(d);
    }
    if (isInteger(sema.types, type) || isPlainEnum(sema.types, type) || isErrorSet(sema.types, type)) {
        unsigned bits = scalarBits(sema.types, type);
        uint64_t raw = truncated(static_cast<__int128>(getBits(data, offset, sizeOf(sema.types, type))), bits);
        bool isSigned = isInteger(sema.types, type)
                            ? sema.types.isSigned(type)
                            : isPlainEnum(sema.types, type) && sema.types.isSigned(sema.types.enumInfo(type).backing);
        if (isSigned && bits < 64 && (raw >> (bits - 1)) & 1) raw |= ~uint64_t(0) << bits;
        return ConstValue::ofInt(isSigned ? static_cast<__int128>(static_cast<int64_t>(raw))
                                          : static_cast<__int128>(raw));
    }
    if (type == TypeId::Type && reloc && reloc->kind == ir::Reloc::Kind::TypeHandle)
        return ConstValue::ofType(static_cast<TypeId>(reloc->id));
    if (type == TypeId::String) {
        uint64_t length = getBits(data, offset + 8, 8);
        if (length == 0) return ConstValue::ofString("");
        if (reloc && reloc->kind == ir::Reloc::Kind::Global) {
            const ir::ConstData& bytes = sema.module.globals[reloc->id].init;
            uint64_t from = static_cast<uint64_t>(reloc->addend);
            if (from + length <= bytes.bytes.size())
                return ConstValue::ofString(
                    sema.internString({reinterpret_cast<const char*>(bytes.bytes.data()) + from, length}));
        }
    }
    if (isScalar(sema.types, type) && !reloc && getBits(data, offset, 8) == 0) return ConstValue::null();
    // An aggregate, or an address: its bytes with the relocations that lie in them.
    uint64_t size = sizeOf(sema.types, type);
    auto* part = sema.make<ir::ConstData>();
    if (offset < data.bytes.size()) {
        auto from = data.bytes.begin() + static_cast<std::ptrdiff_t>(offset);
        part->bytes.assign(from,
                           from + static_cast<std::ptrdiff_t>(std::min<uint64_t>(size, data.bytes.size() - offset)));
    }
    for (ir::Reloc r : data.relocs)
        if (r.offset >= offset && r.offset < offset + size) {
            r.offset -= offset;
            part->relocs.push_back(r);
        }
    return ConstValue::ofData(part);
}

} // namespace sx::sema
