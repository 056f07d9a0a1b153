#include "symbols/Elf.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CRC.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <elf.h>
#include <random>

using namespace sx;
using namespace sx::symbols;

namespace {

/// A file with a header, two segments that stand in the file against their order, and "sections".
std::string sampleElf(uint64_t sections = 200, uint16_t count = 5) {
    std::string file(240, '\0');
    for (size_t i = 0; i < file.size(); ++i) file[i] = static_cast<char>(i);
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = 2;
    header.e_shoff = sections;
    header.e_shnum = header.e_shstrndx = count;
    Elf64_Phdr segments[2]{};
    segments[0] = {PT_LOAD, PF_R | PF_W, 180, 0x3000, 0, 20, 100, 16};
    segments[1] = {PT_LOAD, PF_R | PF_X, 0, 0x1000, 0, 70, 70, 16};
    std::memcpy(file.data(), &header, sizeof header);
    std::memcpy(file.data() + sizeof header, segments, sizeof segments);
    return file;
}

std::string problemOfElf(const std::string& file) {
    Result<std::vector<Segment>> segments = loadSegments(file);
    return segments ? "" : segments.error();
}

} // namespace

TEST_CASE("the crc is of what is loaded, in order of address, without the places of sections") {
    std::string file = sampleElf(), cleared = sampleElf(0, 0);
    std::string loaded = cleared.substr(0, 70) + file.substr(180, 20);
    uint32_t wanted = llvm::crc32(llvm::ArrayRef(reinterpret_cast<const uint8_t*>(loaded.data()), loaded.size()));
    REQUIRE(executableCrc(file));
    CHECK(*executableCrc(file) == wanted);
    CHECK(*executableCrc(sampleElf(7, 9)) == wanted);
    CHECK(*executableCrc(file.substr(0, 200)) == wanted); // what is not loaded does not count
    file[190] ^= 1;
    CHECK(*executableCrc(file) != wanted);
}

TEST_CASE("segments are found, and their bytes") {
    std::string file = sampleElf();
    std::vector<Segment> segments = *loadSegments(file);
    REQUIRE(segments.size() == 2);
    CHECK(segments[0].address == 0x1000);
    CHECK(bytesAt(file, segments, 0x3005, 4) == file.substr(185, 4));
    CHECK(bytesAt(file, segments, 0x3005, 1000) == file.substr(185, 15));
    CHECK(bytesAt(file, segments, 0x3014, 1).empty()); // in memory, not in the file
    CHECK(bytesAt(file, segments, 0xfff, 1).empty());
    std::vector<Region> regions = regionsOf(segments, "p");
    CHECK(regions[0].type == "text");
    CHECK(regions[0].permissions == "r-x");
    CHECK(regions[1].end == 0x3064);
    CHECK(regions[1].permissions == "rw-");
}

TEST_CASE("what is no executable is refused") {
    std::string file = sampleElf();
    CHECK(problemOfElf("") == "it is no ELF file");
    CHECK(problemOfElf("#!/bin/sh\nexit 0\n") == "it is no ELF file");
    for (size_t n = 0; n < 200; ++n) CHECK_FALSE(problemOfElf(file.substr(0, n)).empty());
    std::mt19937 random(3);
    for (int i = 0; i < 20'000; ++i) {
        std::string in = file;
        for (unsigned n = 1 + random() % 4; n > 0; --n) in[random() % 180] = static_cast<char>(random());
        if (executableCrc(in))
            for (const Segment& s : *loadSegments(in)) (void)bytesAt(in, *loadSegments(in), s.address, UINT64_MAX);
    }
}
