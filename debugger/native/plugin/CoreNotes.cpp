#include "debugger/native/plugin/CoreNotes.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <string_view>

namespace sx::debugger::native {

namespace {

constexpr uint64_t MostNotes = 64 << 20;

bool readAt(std::ifstream& file, uint64_t at, void* to, size_t size) {
    file.seekg(static_cast<std::streamoff>(at));
    return static_cast<bool>(file.read(static_cast<char*>(to), static_cast<std::streamsize>(size)));
}

/// The first segment of notes; "" where there is none.
std::string notesOf(const std::string& core) {
    std::ifstream file(core, std::ios::binary);
    Elf64_Ehdr head{};
    if (!readAt(file, 0, &head, sizeof head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_type != ET_CORE || head.e_phentsize != sizeof(Elf64_Phdr))
        return "";
    for (unsigned i = 0; i < head.e_phnum; ++i) {
        Elf64_Phdr segment{};
        if (!readAt(file, head.e_phoff + i * sizeof segment, &segment, sizeof segment)) break;
        if (segment.p_type != PT_NOTE || segment.p_filesz > MostNotes) continue;
        std::string notes(segment.p_filesz, '\0');
        return readAt(file, segment.p_offset, notes.data(), notes.size()) ? notes : "";
    }
    return "";
}

/// The content of a note of the kernel; "" where there is none.
std::string_view find(std::string_view notes, uint32_t type) {
    auto aligned = [](uint64_t size) { return (size + 3) / 4 * 4; };
    while (notes.size() >= sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr head;
        std::memcpy(&head, notes.data(), sizeof head);
        notes.remove_prefix(sizeof head);
        if (notes.size() < aligned(head.n_namesz)) break;
        std::string_view name = notes.substr(0, head.n_namesz);
        notes.remove_prefix(aligned(head.n_namesz));
        if (notes.size() < head.n_descsz) break;
        if (head.n_type == type && name.substr(0, 4) == "CORE") return notes.substr(0, head.n_descsz);
        notes.remove_prefix(std::min<uint64_t>(notes.size(), aligned(head.n_descsz)));
    }
    return {};
}

uint64_t wordAt(std::string_view bytes, size_t index) {
    uint64_t word = 0;
    if ((index + 1) * sizeof word <= bytes.size()) std::memcpy(&word, bytes.data() + index * sizeof word, sizeof word);
    return word;
}

/// How many there are, the size of a page; beginning, end and place in its file of each; then their names.
void nameFiles(std::string_view note, std::vector<MemoryRegion>& regions) {
    uint64_t count = wordAt(note, 0);
    if (note.size() < 16 || count > (note.size() - 16) / 24) return;
    std::string_view names = note.substr(16 + count * 24);
    for (uint64_t i = 0; i < count; ++i) {
        std::string_view name = names.substr(0, names.find('\0'));
        names.remove_prefix(std::min(names.size(), name.size() + 1));
        uint64_t start = wordAt(note, 2 + 3 * i), end = wordAt(note, 3 + 3 * i);
        for (MemoryRegion& r : regions)
            if (r.start >= start && r.start < end) r.name = std::string(name);
    }
}

void nameAround(uint64_t address, const char* name, std::vector<MemoryRegion>& regions) {
    for (MemoryRegion& r : regions)
        if (address >= r.start && address < r.end) r.name = name;
}

} // namespace

bool isSoundCore(const std::string& core) {
    constexpr uint64_t MostMemory = uint64_t{1} << 47; // that a program of x86-64 has
    std::ifstream file(core, std::ios::binary);
    Elf64_Ehdr head{};
    if (!readAt(file, 0, &head, sizeof head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return false;
    if (head.e_type != ET_CORE || head.e_phentsize != sizeof(Elf64_Phdr)) return false;
    for (unsigned i = 0; i < head.e_phnum && head.e_phnum != PN_XNUM; ++i) {
        Elf64_Phdr segment{};
        if (!readAt(file, head.e_phoff + i * sizeof segment, &segment, sizeof segment)) return false;
        if (segment.p_memsz > MostMemory || segment.p_filesz > MostMemory) return false;
    }
    return !notesOf(core).empty();
}

std::optional<uint64_t> headersInCore(const std::string& core) {
    const std::string notes = notesOf(core);
    std::string_view values = find(notes, NT_AUXV);
    for (size_t i = 0; (i + 1) * 8 < values.size(); i += 2)
        if (wordAt(values, i) == AT_PHDR) return wordAt(values, i + 1);
    return std::nullopt;
}

std::string headersOf(const std::string& program) {
    std::ifstream file(program, std::ios::binary);
    Elf64_Ehdr head{};
    if (!readAt(file, 0, &head, sizeof head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_phentsize != sizeof(Elf64_Phdr))
        return "";
    std::string headers(head.e_phnum * sizeof(Elf64_Phdr), '\0');
    return readAt(file, head.e_phoff, headers.data(), headers.size()) ? headers : "";
}

std::optional<siginfo_t> signalInCore(const std::string& core) {
    const std::string notes = notesOf(core);
    std::string_view note = find(notes, NT_SIGINFO);
    siginfo_t info{};
    if (note.size() != sizeof info) return std::nullopt;
    std::memcpy(&info, note.data(), sizeof info);
    return info;
}

void nameRegions(const std::string& core, std::vector<MemoryRegion>& regions) {
    const std::string notes = notesOf(core);
    nameFiles(find(notes, NT_FILE), regions);
    constexpr uint64_t Vsyscall = 0xffff'ffff'ff60'0000; // where x86-64 has it in each process
    nameAround(Vsyscall, "[vsyscall]", regions);
    std::string_view values = find(notes, NT_AUXV);
    for (size_t i = 0; (i + 1) * 8 < values.size(); i += 2) {
        // What the kernel gives each program lies on its first stack.
        if (wordAt(values, i) == AT_RANDOM) nameAround(wordAt(values, i + 1), "[stack]", regions);
        if (wordAt(values, i) == AT_SYSINFO_EHDR) nameAround(wordAt(values, i + 1), "[vdso]", regions);
    }
}

} // namespace sx::debugger::native
