// What is loaded of an executable: enough to tell it from another one, also when it was stripped.
#pragma once

#include "symbols/SymbolFile.h"

#include <string_view>

namespace sx::symbols {

/// A PT_LOAD segment.
struct Segment {
    uint64_t address = 0, memorySize = 0;
    uint64_t offset = 0, fileSize = 0; ///< in the file, within which they lie
    uint32_t flags = 0;                ///< 1: executable, 2: writable, 4: readable
};

/// In order of address. Fails where the bytes are no little-endian ELF file of 32 or 64 bits, or are cut.
Result<std::vector<Segment>> loadSegments(std::string_view file);

/// CRC-32 (IEEE 802.3) of the bytes of the segments in order of address, with the fields of the file's header that say
/// where sections are taken as zero: they change when the file is stripped.
Result<uint32_t> executableCrc(std::string_view file);

/// The bytes of the file at an address, at most `most` of them; empty where nothing of the file is there.
std::string_view bytesAt(std::string_view file, const std::vector<Segment>&, uint64_t address, uint64_t most);

/// The segments as regions of memory.
std::vector<Region> regionsOf(const std::vector<Segment>&, const std::string& name);

} // namespace sx::symbols
