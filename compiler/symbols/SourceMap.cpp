#include "symbols/SourceMap.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"

namespace sx::symbols {

namespace {

constexpr size_t SmallestEntry = 14; ///< three numbers of 4 bytes, a length of 2, an empty name

template <typename T> void put(std::string& out, T value) {
    char bytes[sizeof(T)];
    llvm::support::endian::write<T>(bytes, value, llvm::endianness::little);
    out.append(bytes, sizeof bytes);
}

/// Takes a number from the front; the caller has seen that it is there.
template <typename T> T take(std::string_view& in) {
    T value = llvm::support::endian::read<T>(in.data(), llvm::endianness::little);
    in.remove_prefix(sizeof(T));
    return value;
}

} // namespace

Result<std::string> toNgsm(const std::vector<LineRow>& rows) {
    if (rows.size() > UINT32_MAX) return Failure{"there are too many positions for the form `ngsm`"};
    std::string out(NgsmMagic);
    put(out, static_cast<uint32_t>(rows.size()));
    for (const LineRow& row : rows) {
        if (row.pc > UINT32_MAX)
            return Failure{"the code is too large for the form `ngsm`: its addresses have 32 bits"};
        if (row.file.size() > UINT16_MAX) return Failure{"the name of a file is too long for the form `ngsm`"};
        put(out, static_cast<uint32_t>(row.pc));
        put(out, row.line);
        put(out, row.column == 0 ? 0u : row.column - 1);
        put(out, static_cast<uint16_t>(row.file.size()));
        out += row.file;
    }
    return out;
}

Result<std::vector<LineRow>> readNgsm(std::string_view in) {
    if (!in.starts_with(NgsmMagic)) return Failure{"it does not begin with `NGSM`"};
    in.remove_prefix(NgsmMagic.size());
    if (in.size() < sizeof(uint32_t)) return Failure{"it ends before the number of entries"};
    auto count = take<uint32_t>(in);
    if (count > in.size() / SmallestEntry)
        return Failure{"it says that there are " + std::to_string(count) + " entries, for which it is too short"};
    std::vector<LineRow> rows;
    rows.reserve(count);
    for (uint32_t i = 0; i < count; ++i) {
        std::string where = "entry " + std::to_string(i + 1) + ": ";
        if (in.size() < SmallestEntry) return Failure{where + "the file ends in it"};
        LineRow row;
        row.pc = take<uint32_t>(in);
        row.line = take<uint32_t>(in);
        auto column = take<uint32_t>(in);
        auto length = take<uint16_t>(in);
        if (length > in.size()) return Failure{where + "the file ends in its name"};
        row.file = in.substr(0, length);
        in.remove_prefix(length);
        if (i > 0 && row.pc <= rows.back().pc) return Failure{where + "the addresses do not rise"};
        if (row.line == 0) return Failure{where + "there is no line 0"};
        if (column == UINT32_MAX) return Failure{where + "there is no such column"};
        if (!llvm::json::isUTF8(row.file)) return Failure{where + "its name is no UTF-8"};
        row.column = column + 1;
        rows.push_back(std::move(row));
    }
    if (!in.empty()) return Failure{std::to_string(in.size()) + " bytes follow the last entry"};
    return rows;
}

} // namespace sx::symbols
