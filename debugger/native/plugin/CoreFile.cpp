#include "debugger/native/plugin/CoreFile.h"

#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <sys/procfs.h>
#include <sys/user.h>

namespace sx::debugger::native {

namespace {

/// A note NT_PRSTATUS, as the kernel writes one for each thread.
std::string noteOf(const ParkedStack& stack) {
    elf_prstatus status{};
    status.pr_pid = static_cast<decltype(status.pr_pid)>(stack.thread);
    user_regs_struct registers{};
    unsigned long long* const words[] = {&registers.r15, &registers.r14, &registers.r13, &registers.r12,
                                         &registers.rbx, &registers.rbp, &registers.rsp, &registers.rip};
    for (size_t i = 0; i < stack.registers.size(); ++i) *words[i] = stack.registers[i];
    static_assert(sizeof registers == sizeof status.pr_reg);
    std::memcpy(&status.pr_reg, &registers, sizeof registers);
    Elf64_Nhdr head{5, sizeof status, NT_PRSTATUS};
    std::string note(reinterpret_cast<const char*>(&head), sizeof head);
    note.append("CORE\0\0\0", 8);
    note.append(reinterpret_cast<const char*>(&status), sizeof status);
    note.resize((note.size() + 3) / 4 * 4);
    return note;
}

template <typename T> bool readAt(std::fstream& file, uint64_t at, T& out) {
    file.seekg(static_cast<std::streamoff>(at));
    return static_cast<bool>(file.read(reinterpret_cast<char*>(&out), sizeof out));
}

void writeAt(std::fstream& file, uint64_t at, const void* bytes, size_t size) {
    file.seekp(static_cast<std::streamoff>(at));
    file.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
}

} // namespace

std::string copyCore(const std::string& core, const std::string& to, const std::vector<ParkedStack>& stacks) {
    constexpr uint64_t MostNotes = 64 << 20;
    std::error_code problem;
    std::filesystem::copy_file(core, to, std::filesystem::copy_options::overwrite_existing, problem);
    if (problem) return problem.message();
    uint64_t end = std::filesystem::file_size(to, problem);
    std::fstream file(to, std::ios::in | std::ios::out | std::ios::binary);
    Elf64_Ehdr head{};
    if (!readAt(file, 0, head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_type != ET_CORE ||
        head.e_machine != EM_X86_64 || head.e_phentsize != sizeof(Elf64_Phdr))
        return "it is no core file of this kind of machine";
    for (unsigned i = 0; i < head.e_phnum; ++i) {
        uint64_t at = head.e_phoff + i * sizeof(Elf64_Phdr);
        Elf64_Phdr segment{};
        if (!readAt(file, at, segment)) break;
        if (segment.p_type != PT_NOTE) continue;
        if (segment.p_filesz > MostNotes) break;
        std::string notes(segment.p_filesz, '\0');
        file.seekg(static_cast<std::streamoff>(segment.p_offset));
        if (!file.read(notes.data(), static_cast<std::streamsize>(notes.size()))) break;
        for (const ParkedStack& stack : stacks) notes += noteOf(stack);
        segment.p_offset = (end + 15) / 16 * 16;
        segment.p_filesz = notes.size();
        writeAt(file, segment.p_offset, notes.data(), notes.size());
        writeAt(file, at, &segment, sizeof segment);
        file.close();
        return file ? "" : "it cannot be written";
    }
    return "it has no notes";
}

} // namespace sx::debugger::native
