// Reading the debug information of an executable.
#include "debugger/native/image/ProgramImage.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace sx::debugger::native {

namespace {

using llvm::DWARFDie;
namespace dw = llvm::dwarf;

std::string text(const char* chars) { return chars ? chars : ""; }

/// The same file has the same name here, whichever way it was written.
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

/// A file in memory, with the marks of statements where LLVM sees them.
struct Executable {
    std::unique_ptr<llvm::WritableMemoryBuffer> bytes;
    std::unique_ptr<llvm::object::ObjectFile> object;
};

void showMarksIn(Executable& file) {
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

Result<Executable> openExecutable(const std::string& path) {
    llvm::ErrorOr<std::unique_ptr<llvm::WritableMemoryBuffer>> bytes = llvm::WritableMemoryBuffer::getFile(path);
    if (!bytes) return Failure{bytes.getError().message()};
    llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> object =
        llvm::object::ObjectFile::createObjectFile((*bytes)->getMemBufferRef());
    if (!object) return Failure{llvm::toString(object.takeError())};
    Executable file{std::move(*bytes), std::move(*object)};
    showMarksIn(file);
    return file;
}

/// Of the files that have a hash: those of DWARF 5.
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

} // namespace

struct ProgramImage::Reader {
    ProgramImage& image;
    const ir::Module& module;
    std::unique_ptr<llvm::DWARFContext> dwarf;
    std::map<std::string, FileId> files{};
    std::multimap<std::string, ir::FuncId> byName{};

    void readSymbols(const llvm::object::ObjectFile&);
    void readUnits();
    void readLines(const llvm::DWARFDebugLine::LineTable&);
    void readFunction(const DWARFDie&);
    void readBlocks(const DWARFDie&, uint32_t copy, uint32_t block);
    void addBlock(const DWARFDie&, uint32_t copy, uint32_t parent);
    ir::FuncId functionOf(const DWARFDie&, uint64_t entry) const;
    std::optional<FileId> fileOf(const std::string& path);
};

void ProgramImage::Reader::readSymbols(const llvm::object::ObjectFile& object) {
    for (const llvm::object::SymbolRef& symbol : object.symbols()) {
        llvm::Expected<llvm::StringRef> name = symbol.getName();
        llvm::Expected<uint64_t> address = symbol.getAddress();
        if (name && address && !name->empty() && *address != 0) {
            image.symbols_.emplace(name->str(), *address);
            image.symbolNames_.emplace(*address, name->str());
        }
        if (!name) llvm::consumeError(name.takeError());
        if (!address) llvm::consumeError(address.takeError());
    }
}

/// Files of the program by their full paths, each resolved once.
std::optional<FileId> ProgramImage::Reader::fileOf(const std::string& path) {
    if (files.empty())
        for (size_t i = 0; i < module.sources.fileCount(); ++i)
            files.emplace(normalized(image.pathOf_(FileId(i))), FileId(i));
    auto known = files.find(path);
    if (known == files.end()) known = files.find(normalized(path));
    return known == files.end() ? std::nullopt : std::optional(known->second);
}

/// Of several functions of one name on one line the symbol tells which it is.
ir::FuncId ProgramImage::Reader::functionOf(const DWARFDie& die, uint64_t entry) const {
    std::string name = text(die.getName(llvm::DINameKind::ShortName)), symbol = image.symbolAt(entry);
    uint64_t line = die.getDeclLine();
    ir::FuncId found = ir::FuncId::None;
    auto [first, last] = byName.equal_range(name);
    for (auto at = first; at != last; ++at) {
        const ir::Function& fn = module.fn(at->second);
        bool sameLine = !fn.span.isValid() || module.sources.resolve(fn.span.begin).line == line;
        if (!sameLine) continue;
        if (found == ir::FuncId::None || fn.symbol == symbol) found = at->second;
    }
    return found;
}

void ProgramImage::Reader::addBlock(const DWARFDie& die, uint32_t copy, uint32_t parent) {
    uint32_t block = image.copies_[copy].blocks.size();
    image.copies_[copy].blocks.push_back({rangesOf(die), parent, {}, 0});
    readBlocks(die, copy, block);
}

void ProgramImage::Reader::readBlocks(const DWARFDie& die, uint32_t copy, uint32_t block) {
    for (const DWARFDie& child : die.children()) {
        switch (child.getTag()) {
        case dw::DW_TAG_variable: {
            ImageBlock& in = image.copies_[copy].blocks[block];
            in.variable = text(child.getName(llvm::DINameKind::ShortName));
            in.line = child.getDeclLine();
            break;
        }
        case dw::DW_TAG_lexical_block: addBlock(child, copy, block); break;
        case dw::DW_TAG_inlined_subroutine: {
            std::vector<AddressRange> ranges = rangesOf(child);
            if (ranges.empty()) break;
            uint32_t inner = image.copies_.size();
            CodeCopy made;
            made.func = functionOf(child, 0);
            made.ranges = std::move(ranges);
            made.parent = copy;
            made.depth = image.copies_[copy].depth + 1;
            made.entry = dw::toAddress(child.find(dw::DW_AT_entry_pc), made.ranges.front().begin);
            image.copies_.push_back(std::move(made));
            image.inlinedIn_[copy].push_back(inner);
            addBlock(child, inner, UINT32_MAX);
            break;
        }
        default: break;
        }
    }
}

void ProgramImage::Reader::readFunction(const DWARFDie& die) {
    std::vector<AddressRange> ranges = rangesOf(die);
    if (ranges.empty()) return; // a declaration, or inlined everywhere
    uint32_t copy = image.copies_.size();
    CodeCopy made;
    made.entry = ranges.front().begin;
    made.func = functionOf(die, made.entry);
    made.ranges = std::move(ranges);
    for (const AddressRange& range : made.ranges) image.functions_.emplace(range.begin, copy);
    image.copies_.push_back(std::move(made));
    addBlock(die, copy, UINT32_MAX);
}

void ProgramImage::Reader::readLines(const llvm::DWARFDebugLine::LineTable& table) {
    std::map<uint64_t, std::optional<FileId>> known;
    for (const llvm::DWARFDebugLine::Row& row : table.Rows) {
        ImageRow made;
        made.address = row.Address.Address;
        made.line = row.Line;
        made.column = row.Column;
        made.ends = row.EndSequence;
        if (!row.EndSequence && row.Discriminator != 0) made.marks = row.Discriminator - 1;
        auto [file, isNew] = known.try_emplace(row.File);
        std::string path;
        if (isNew &&
            table.getFileNameByIndex(row.File, "", llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, path))
            file->second = fileOf(path);
        made.hasFile = file->second.has_value();
        if (made.hasFile) made.file = *file->second;
        image.rows_.push_back(made);
    }
}

void ProgramImage::Reader::readUnits() {
    for (const std::unique_ptr<llvm::DWARFUnit>& unit : dwarf->compile_units()) {
        DWARFDie die = unit->getUnitDIE(/*ExtractUnitDIEOnly=*/false);
        if (!text(dw::toString(die.find(dw::DW_AT_producer), "")).starts_with("sx ")) continue;
        for (const DWARFDie& child : die.children())
            if (child.getTag() == dw::DW_TAG_subprogram) readFunction(child);
        if (const llvm::DWARFDebugLine::LineTable* table = dwarf->getLineTableForUnit(unit.get())) readLines(*table);
    }
}

ProgramImage::ProgramImage(const ir::Module& module, std::function<std::string(FileId)> pathOf)
    : module_(module), pathOf_(std::move(pathOf)) {}
ProgramImage::~ProgramImage() = default;

Result<void> ProgramImage::read(const std::string& executable) {
    Result<Executable> file = openExecutable(executable);
    if (!file) return file.failure();
    Reader reader{*this, module_, llvm::DWARFContext::create(*file->object)};
    // The C `main` is a part of the program's.
    for (size_t i = 0; i < module_.functions.size(); ++i)
        if (!module_.functions[i]->isExtern && ir::FuncId(i) != module_.entry)
            reader.byName.emplace(module_.functions[i]->name, ir::FuncId(i));
    reader.readSymbols(*file->object);
    reader.readUnits();
    std::stable_sort(rows_.begin(), rows_.end(), [](const ImageRow& a, const ImageRow& b) {
        return a.address != b.address ? a.address < b.address : a.ends > b.ends;
    });
    collectMarks();
    return {};
}

Result<EntrySource> entrySourceOf(const std::string& executable) {
    Result<Executable> file = openExecutable(executable);
    if (!file) return Failure{code(executable) + " is no executable: " + file.error()};
    std::unique_ptr<llvm::DWARFContext> dwarf = llvm::DWARFContext::create(*file->object);
    for (const std::unique_ptr<llvm::DWARFUnit>& unit : dwarf->compile_units()) {
        DWARFDie die = unit->getUnitDIE();
        llvm::SmallVector<llvm::StringRef, 8> words;
        llvm::StringRef(dw::toString(die.find(dw::DW_AT_producer), "")).split(words, ' ');
        if (words.size() < 2 || words[0] != "sx") continue;
        EntrySource source;
        source.file = text(die.getName(llvm::DINameKind::ShortName));
        source.folder = text(unit->getCompilationDir());
        source.version = words[1].str();
        for (llvm::StringRef option : llvm::drop_begin(words, 2)) source.options.push_back(option.str());
        if (const llvm::DWARFDebugLine::LineTable* lines = dwarf->getLineTableForUnit(unit.get()))
            source.files = hashesOf(*lines);
        return source;
    }
    return Failure{code(executable) + " has no debug information of an sx program: build it with `-g`"};
}

} // namespace sx::debugger::native
