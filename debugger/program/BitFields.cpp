#include "debugger/program/BitFields.h"

#include "sema/Nominal.h"
#include "sema/TypeResolver.h"
#include "types/Derived.h"

#include <algorithm>
#include <bit>

namespace sx::debugger {

namespace {

uint64_t number(llvm::StringRef digits) {
    uint64_t n = 0;
    return digits.getAsInteger(10, n) ? 0 : n;
}

} // namespace

/// The lines that the import of headers writes of bit fields: `//= NAME OFFSET SHIFT COUNT signed|unsigned TYPE`.
static std::vector<BitField> bitFieldsIn(llvm::StringRef declaration, NameTable& names,
                                         llvm::function_ref<TypeId(Name)> typeOf) {
    std::vector<BitField> found;
    llvm::SmallVector<llvm::StringRef, 16> lines, parts;
    declaration.split(lines, '\n');
    for (llvm::StringRef line : lines) {
        if (!line.consume_front("//= ")) continue;
        parts.clear();
        line.split(parts, ' ', /*MaxSplit=*/5);
        if (parts.size() != 6) continue;
        BitField field;
        field.name = names.intern(parts[0]);
        field.offset = number(parts[1]);
        field.shift = static_cast<uint32_t>(number(parts[2]));
        field.count = static_cast<uint32_t>(number(parts[3]));
        field.isSigned = parts[4] == "signed";
        field.type = typeOf(names.intern(parts[5].trim('`')));
        if (field.type == TypeId::None)
            field.type = integerType(std::max<unsigned>(8, std::bit_ceil(field.count)), field.isSigned);
        found.push_back(field);
    }
    return found;
}

void noteBitFields(sema::Sema& sema) {
    for (uint32_t i = 1; i < sema.types.size(); ++i) {
        auto t = static_cast<TypeId>(i);
        TypeKind kind = sema.types.kind(t);
        if (kind != TypeKind::Struct && kind != TypeKind::Union) continue;
        const sema::NominalInfo* info = sema::nominal(sema, t);
        if (!info || !info->decl || !info->file || !info->file->isForeign) continue;
        auto typeOf = [&](Name name) {
            if (TypeId builtin = sema::builtinType(sema, name); builtin != TypeId::None) return builtin;
            auto known = info->file->names.find(name);
            bool isType = known != info->file->names.end() && known->second->kind == sema::SymbolKind::Type;
            return isType ? known->second->type : TypeId::None;
        };
        std::string_view text = sema.sources.textOf(info->decl->span);
        sema.types.recordsOfC.bitFields[t] = bitFieldsIn(text, sema.names, typeOf);
    }
}

} // namespace sx::debugger
