#include "debugger/program/BitFields.h"

#include "sema/Nominal.h"
#include "types/Derived.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/Regex.h"

namespace sx::debugger {

namespace {

uint64_t number(llvm::StringRef digits) {
    uint64_t n = 0;
    return digits.getAsInteger(10, n) ? 0 : n;
}

/// `i32`, `u8`, `bool`; None: another name.
TypeId basicType(llvm::StringRef name) {
    if (name == "bool") return TypeId::Bool;
    bool isSigned = name.consume_front("i");
    if (!isSigned && !name.consume_front("u")) return TypeId::None;
    uint64_t bits = number(name);
    return bits >= 1 && bits <= 64 ? integerType(static_cast<unsigned>(bits), isSigned) : TypeId::None;
}

} // namespace

std::vector<BitField> bitFieldsIn(std::string_view declaration, NameTable& names,
                                  llvm::function_ref<TypeId(std::string_view)> typeOf) {
    // The sign is got by shifts: `((p.* << 24).(i32) >> 27)`; else there is a mask: `((p.* >> 3) & 31)`.
    static const llvm::Regex Getter(
        "([A-Za-z_0-9]+)`? :: \\(self: [^)]*\\) -> ([A-Za-z_0-9`]+) #get \\{ p : \\*u([0-9]+) = xx "
        "\\(self\\.\\(usize\\) \\+ ([0-9]+)\\); return \\(\\(p\\.\\* (<<|>>) ([0-9]+)\\)"
        "( & ([0-9]+)|\\.\\(i[0-9]+\\) >> ([0-9]+))");
    std::vector<BitField> found;
    llvm::SmallVector<llvm::StringRef, 10> part;
    for (llvm::StringRef rest{declaration.data(), declaration.size()}; Getter.match(rest, &part);
         rest = rest.substr(static_cast<size_t>(part[0].end() - rest.begin()))) {
        BitField field;
        uint64_t unit = number(part[3]), first = number(part[6]);
        field.name = names.intern({part[1].data(), part[1].size()});
        field.offset = number(part[4]);
        field.isSigned = part[5] == "<<";
        uint64_t count = field.isSigned ? unit - number(part[9]) : llvm::popcount(number(part[8]));
        if (count == 0 || count > unit || unit > 64 || first + count > unit) continue;
        field.count = static_cast<uint32_t>(count);
        field.shift = static_cast<uint32_t>(field.isSigned ? unit - first - count : first);
        field.type = basicType(part[2]);
        if (field.type == TypeId::None) field.type = typeOf({part[2].data(), part[2].size()});
        if (field.type == TypeId::None) field.type = integerType(static_cast<unsigned>(unit), field.isSigned);
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
        auto typeOf = [&](std::string_view name) {
            auto known = info->file->names.find(sema.names.intern(name));
            bool isType = known != info->file->names.end() && known->second->kind == sema::SymbolKind::Type;
            return isType ? known->second->type : TypeId::None;
        };
        std::string_view text = sema.sources.textOf(info->decl->span);
        sema.types.recordsOfC.bitFields[t] = bitFieldsIn(text, sema.names, typeOf);
    }
}

} // namespace sx::debugger
