#include "debugger/native/image/Executable.h"

#include "llvm/Object/ELFObjectFile.h"

#include <filesystem>

namespace sx::debugger::native {

using llvm::DWARFDie;
namespace dw = llvm::dwarf;

std::string normalized(const std::string& path) {
    std::error_code failed;
    std::filesystem::path real = std::filesystem::weakly_canonical(path, failed);
    return failed ? path : real.string();
}

std::vector<AddressRange> rangesOf(const DWARFDie& die) {
    std::vector<AddressRange> out;
    llvm::Expected<llvm::DWARFAddressRangesVector> ranges = die.getAddressRanges();
    if (!ranges) {
        llvm::consumeError(ranges.takeError());
        return out;
    }
    for (const llvm::DWARFAddressRange& range : *ranges)
        if (range.LowPC < range.HighPC) out.push_back({range.LowPC, range.HighPC});
    return out;
}

static void showMarksIn(Executable& file) {
    for (const llvm::object::SectionRef& section : file.object->sections()) {
        llvm::Expected<llvm::StringRef> name = section.getName();
        llvm::Expected<llvm::StringRef> contents = section.getContents();
        bool isLines = name && contents && *name == ".debug_line";
        if (!name) llvm::consumeError(name.takeError());
        if (!contents) llvm::consumeError(contents.takeError());
        if (!isLines) continue;
        auto* begin = reinterpret_cast<uint8_t*>(file.bytes->getBufferStart());
        // Of a damaged table LLVM reads as much as it can.
        (void)ir::showMarks({begin + (contents->data() - file.bytes->getBufferStart()), contents->size()});
    }
}

/// Sections lie in the file, and tables have entries of the size that their readers divide by, as lldb and LLVM take
/// for granted.
static bool isSound(const llvm::object::ObjectFile& object) {
    const auto* elf = llvm::dyn_cast<llvm::object::ELF64LEObjectFile>(&object);
    if (!elf) return true;
    auto sections = elf->getELFFile().sections();
    if (!sections) {
        llvm::consumeError(sections.takeError());
        return false;
    }
    uint64_t size = elf->getMemoryBufferRef().getBufferSize();
    for (const auto& section : *sections) {
        bool hasBytes = section.sh_type != llvm::ELF::SHT_NOBITS && section.sh_type != llvm::ELF::SHT_NULL;
        if (hasBytes && (section.sh_offset > size || section.sh_size > size - section.sh_offset)) return false;
        bool isSymbols = section.sh_type == llvm::ELF::SHT_SYMTAB || section.sh_type == llvm::ELF::SHT_DYNSYM;
        if (isSymbols && section.sh_entsize != sizeof(llvm::object::ELF64LE::Sym)) return false;
        bool isRelocations = section.sh_type == llvm::ELF::SHT_REL || section.sh_type == llvm::ELF::SHT_RELA;
        if (isRelocations && section.sh_entsize == 0) return false;
    }
    return true;
}

static Result<Executable> open(std::unique_ptr<llvm::WritableMemoryBuffer> bytes) {
    llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> object =
        llvm::object::ObjectFile::createObjectFile(bytes->getMemBufferRef());
    if (!object) return Failure{llvm::toString(object.takeError())};
    if (!isSound(**object)) return Failure{"its sections are damaged"};
    Executable file{std::move(bytes), std::move(*object)};
    showMarksIn(file);
    return file;
}

Result<Executable> openExecutable(const std::string& path) {
    llvm::ErrorOr<std::unique_ptr<llvm::WritableMemoryBuffer>> bytes = llvm::WritableMemoryBuffer::getFile(path);
    if (!bytes) return Failure{bytes.getError().message()};
    return open(std::move(*bytes));
}

Result<Executable> openObject(const std::vector<uint8_t>& bytes) {
    std::unique_ptr<llvm::WritableMemoryBuffer> copy = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(bytes.size());
    std::copy(bytes.begin(), bytes.end(), copy->getBufferStart());
    return open(std::move(copy));
}

std::map<std::string, std::string> hashesOf(const llvm::DWARFDebugLine::LineTable& lines) {
    std::map<std::string, std::string> out;
    if (!lines.Prologue.ContentTypes.HasMD5) return out;
    for (size_t i = 0; i < lines.Prologue.FileNames.size(); ++i) {
        std::string path;
        if (lines.getFileNameByIndex(i, "", llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, path))
            out[path] = std::string(lines.Prologue.FileNames[i].Checksum.digest());
    }
    return out;
}

} // namespace sx::debugger::native
