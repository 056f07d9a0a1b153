// Reading the debug information of an executable.
#include "debugger/native/image/Executable.h"
#include "source/CrashGuard.h"

#include "llvm/Support/LEB128.h"

#include <algorithm>
#include <optional>

namespace sx::debugger::native {

using llvm::DWARFDie;
namespace dw = llvm::dwarf;

namespace {

/// The bytes of an attribute that is an expression.
llvm::ArrayRef<uint8_t> expressionOf(const DWARFDie& die, dw::Attribute attribute) {
    std::optional<llvm::DWARFFormValue> value = die.find(attribute);
    std::optional<llvm::ArrayRef<uint8_t>> block = value ? value->getAsBlock() : std::nullopt;
    return block ? *block : llvm::ArrayRef<uint8_t>();
}

/// Of a variable that is at one place of its frame, from the frame's base on.
std::optional<int64_t> frameOffsetOf(const DWARFDie& die) {
    llvm::ArrayRef<uint8_t> code = expressionOf(die, dw::DW_AT_location);
    if (code.empty() || code[0] != dw::DW_OP_fbreg) return std::nullopt;
    unsigned length = 0;
    const char* error = nullptr;
    int64_t offset = llvm::decodeSLEB128(code.data() + 1, &length, code.end(), &error);
    return error || length + 1 != code.size() ? std::nullopt : std::optional(offset);
}

} // namespace

struct ProgramImage::Reader {
    ProgramImage& image;
    const ir::Module& module;
    std::unique_ptr<llvm::DWARFContext> dwarf;
    std::map<std::string, FileId> files{};
    std::multimap<std::string, ir::FuncId> byName{};
    bool hasFramePointer = false; ///< the function that is read

    void readUnits();
    void readLines(const llvm::DWARFDebugLine::LineTable&);
    void readFunction(const DWARFDie&);
    void readBlocks(const DWARFDie&, uint32_t copy, uint32_t block);
    void readVariable(const DWARFDie&, CodeCopy& copy, uint32_t block) const;
    void readParameter(const DWARFDie&, CodeCopy&) const;
    void addBlock(const DWARFDie&, uint32_t copy, uint32_t parent);
    ir::FuncId functionOf(const DWARFDie&, uint64_t entry) const;
    std::optional<FileId> fileOf(const std::string& path);
};

void ProgramImage::readSymbols(const llvm::object::ObjectFile& object) {
    for (const llvm::object::SymbolRef& symbol : object.symbols()) {
        llvm::Expected<llvm::StringRef> name = symbol.getName();
        llvm::Expected<uint64_t> address = symbol.getAddress();
        if (name && address && !name->empty() && *address != 0) {
            symbols_.emplace(name->str(), *address);
            symbolNames_.emplace(*address, name->str());
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

/// One without a name is a trace, and its line says which.
void ProgramImage::Reader::readVariable(const DWARFDie& die, CodeCopy& copy, uint32_t block) const {
    std::string name = text(die.getName(llvm::DINameKind::ShortName));
    std::optional<int64_t> offset = hasFramePointer ? frameOffsetOf(die) : std::nullopt;
    if (name.empty()) {
        if (offset && die.getDeclLine() != 0) copy.traces.emplace(die.getDeclLine() - 1, *offset);
        return;
    }
    ImageBlock& in = copy.blocks[block];
    in.variable = std::move(name);
    in.line = die.getDeclLine();
    in.frameOffset = offset;
}

void ProgramImage::Reader::readParameter(const DWARFDie& die, CodeCopy& copy) const {
    std::optional<int64_t> offset = hasFramePointer ? frameOffsetOf(die) : std::nullopt;
    copy.parameters.push_back(
        {text(die.getName(llvm::DINameKind::ShortName)), static_cast<uint32_t>(die.getDeclLine()), offset});
}

void ProgramImage::Reader::readBlocks(const DWARFDie& die, uint32_t copy, uint32_t block) {
    for (const DWARFDie& child : die.children()) {
        switch (child.getTag()) {
        case dw::DW_TAG_formal_parameter:
            readParameter(child, image.copies_[copy]);
            addGaps(child, 0, image.copies_[copy].gaps);
            break;
        case dw::DW_TAG_variable:
            readVariable(child, image.copies_[copy], block);
            addGaps(child, 0, image.copies_[copy].gaps);
            break;
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
    made.changesCalls = changesCalls(die);
    made.func = functionOf(die, made.entry);
    made.ranges = std::move(ranges);
    for (const AddressRange& range : made.ranges) image.functions_.emplace(range.begin, copy);
    image.copies_.push_back(std::move(made));
    llvm::ArrayRef<uint8_t> base = expressionOf(die, dw::DW_AT_frame_base);
    hasFramePointer = base.size() == 1 && base[0] == dw::DW_OP_reg6; // rbp
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
        made.isStatement = row.IsStmt;
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
        std::string producer = text(dw::toString(die.find(dw::DW_AT_producer), ""));
        if (!producer.starts_with("sx ")) continue;
        image.isOptimized_ |= producer.find(" -O") != std::string::npos && producer.find(" -O0") == std::string::npos;
        for (const DWARFDie& child : die.children())
            if (child.getTag() == dw::DW_TAG_subprogram) readFunction(child);
        if (const llvm::DWARFDebugLine::LineTable* table = dwarf->getLineTableForUnit(unit.get())) readLines(*table);
    }
}

ProgramImage::ProgramImage(const ir::Module& module, std::function<std::string(FileId)> pathOf)
    : module_(module), pathOf_(std::move(pathOf)) {}
ProgramImage::~ProgramImage() = default;

static constexpr const char* Damaged = " has debug information that is damaged";

Result<void> ProgramImage::read(const std::string& executable) {
    Result<Executable> file = openExecutable(executable);
    if (!file) return file.failure();
    if (!survives([&] { readFrom(*file->object); })) return Failure{code(executable) + Damaged};
    return {};
}

Result<void> ProgramImage::readObject(const std::vector<uint8_t>& bytes) {
    Result<Executable> file = openObject(bytes);
    if (!file) return file.failure();
    readFrom(*file->object);
    return {};
}

void ProgramImage::readFrom(const llvm::object::ObjectFile& object) {
    Reader reader{*this, module_, llvm::DWARFContext::create(object)};
    // The C `main` is a part of the program's.
    for (size_t i = 0; i < module_.functions.size(); ++i)
        if (!module_.functions[i]->isExtern && ir::FuncId(i) != module_.entry)
            reader.byName.emplace(module_.functions[i]->name, ir::FuncId(i));
    readSymbols(object);
    reader.readUnits();
    sortRows();
    collectMarks();
}

void ProgramImage::sortRows() {
    std::stable_sort(rows_.begin(), rows_.end(), [](const ImageRow& a, const ImageRow& b) {
        return a.address != b.address ? a.address < b.address : a.ends > b.ends;
    });
}

static std::optional<EntrySource> entrySourceIn(const llvm::object::ObjectFile&);

Result<EntrySource> entrySourceOf(const std::string& executable) {
    Result<Executable> file = openExecutable(executable);
    if (!file) return Failure{code(executable) + " is no executable: " + file.error()};
    std::optional<EntrySource> found;
    if (!survives([&] { found = entrySourceIn(*file->object); })) return Failure{code(executable) + Damaged};
    if (found) return std::move(*found);
    return Failure{code(executable) + " has no debug information of an sx program: build it with `-g`"};
}

static std::optional<EntrySource> entrySourceIn(const llvm::object::ObjectFile& object) {
    std::unique_ptr<llvm::DWARFContext> dwarf = llvm::DWARFContext::create(object);
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
    return std::nullopt;
}

} // namespace sx::debugger::native
