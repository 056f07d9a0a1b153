#include "symbols/Elf.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"

#include <algorithm>

namespace sx::symbols {

namespace {

/// Where fields are in the headers of ELF files (System V gABI, chapters 4 and 5), for both widths.
struct Layout {
    unsigned word; ///< bytes of an address
    size_t headerSize, programHeaders, sectionHeaders, entrySize, entryCount, sectionCount, sectionNames;
    size_t segmentSize, flags, offset, address, fileSize, memorySize;
};
constexpr Layout Elf64{8, 64, 32, 40, 54, 56, 60, 62, 56, 4, 8, 16, 32, 40};
constexpr Layout Elf32{4, 52, 28, 32, 42, 44, 48, 50, 32, 24, 4, 8, 16, 20};
constexpr uint32_t Load = 1;

uint64_t number(std::string_view bytes, size_t at, unsigned size) {
    using namespace llvm::support::endian;
    switch (size) {
    case 2: return read16le(bytes.data() + at);
    case 4: return read32le(bytes.data() + at);
    default: return read64le(bytes.data() + at);
    }
}

Result<const Layout*> layoutOf(std::string_view file) {
    constexpr size_t Identity = 16;
    if (file.size() < Identity || !file.starts_with("\x7f"
                                                    "ELF"))
        return Failure{"it is no ELF file"};
    const Layout* layout = file[4] == 2 ? &Elf64 : file[4] == 1 ? &Elf32 : nullptr;
    if (!layout || file[5] != 1) return Failure{"it is an ELF file of another kind of machine"};
    if (file.size() < layout->headerSize) return Failure{"it ends in its header"};
    return layout;
}

} // namespace

Result<std::vector<Segment>> loadSegments(std::string_view file) {
    Result<const Layout*> known = layoutOf(file);
    if (!known) return known.failure();
    const Layout& l = **known;
    uint64_t table = number(file, l.programHeaders, l.word), count = number(file, l.entryCount, 2),
             size = number(file, l.entrySize, 2);
    if (count > 0 && (size < l.segmentSize || table > file.size() || count > (file.size() - table) / size))
        return Failure{"its program headers lie beyond its end"};
    std::vector<Segment> out;
    for (uint64_t i = 0; i < count; ++i) {
        std::string_view row = file.substr(table + i * size, l.segmentSize);
        if (number(row, 0, 4) != Load) continue;
        Segment s{number(row, l.address, l.word), number(row, l.memorySize, l.word), number(row, l.offset, l.word),
                  number(row, l.fileSize, l.word), static_cast<uint32_t>(number(row, l.flags, 4))};
        if (s.offset > file.size() || s.fileSize > file.size() - s.offset)
            return Failure{"a segment lies beyond its end"};
        if (s.fileSize > s.memorySize || s.address + s.memorySize < s.address)
            return Failure{"a segment has a size that it cannot have"};
        out.push_back(s);
    }
    std::stable_sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.address < b.address; });
    return out;
}

Result<uint32_t> executableCrc(std::string_view file) {
    Result<std::vector<Segment>> segments = loadSegments(file);
    if (!segments) return segments.failure();
    const Layout& l = **layoutOf(file);
    std::string header(file.substr(0, l.headerSize));
    for (auto [at, size] : {std::pair{l.sectionHeaders, size_t{l.word}}, {l.sectionCount, 2}, {l.sectionNames, 2}})
        std::fill_n(header.begin() + static_cast<ptrdiff_t>(at), size, '\0');
    uint32_t crc = 0;
    auto add = [&](std::string_view bytes) {
        crc = llvm::crc32(crc, llvm::ArrayRef(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()));
    };
    for (const Segment& s : *segments) {
        std::string_view bytes = file.substr(s.offset, s.fileSize);
        if (s.offset < header.size()) {
            std::string_view changed = std::string_view(header).substr(s.offset, s.fileSize);
            add(changed);
            bytes.remove_prefix(changed.size());
        }
        add(bytes);
    }
    return crc;
}

std::string_view bytesAt(std::string_view file, const std::vector<Segment>& segments, uint64_t address, uint64_t most) {
    for (const Segment& s : segments)
        if (address >= s.address && address - s.address < s.fileSize)
            return file.substr(s.offset + (address - s.address), std::min(most, s.fileSize - (address - s.address)));
    return {};
}

std::vector<Region> regionsOf(const std::vector<Segment>& segments, const std::string& name) {
    std::vector<Region> out;
    for (const Segment& s : segments) {
        std::string permissions;
        for (auto [bit, letter] : {std::pair{4, 'r'}, {2, 'w'}, {1, 'x'}})
            permissions += s.flags & static_cast<uint32_t>(bit) ? letter : '-';
        out.push_back({name, s.address, s.address + s.memorySize, s.flags & 1 ? "text" : "data", permissions});
    }
    return out;
}

} // namespace sx::symbols
