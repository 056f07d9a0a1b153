// Programs that the front end does not know: functions, variables and lines as debug information has them.
//
// A statement is a line: compilers of C have one row for each part of an expression. The first of its code in a
// function is where a breakpoint goes, and where execution comes back to the line later, as to the head of a loop,
// steps stop.
#include "debugger/native/image/ArrayLengths.h"
#include "debugger/native/image/Executable.h"
#include "debugger/native/image/ReadTypes.h"
#include "ir/Entries.h"
#include "source/CrashGuard.h"
#include "source/Paths.h"
#include "types/TypeTable.h"

#include "llvm/DebugInfo/DWARF/DWARFExpression.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MD5.h"

#include <algorithm>
#include <limits>
#include <sys/stat.h>

namespace sx::debugger::native {

using llvm::DWARFDie;
namespace dw = llvm::dwarf;

namespace {

constexpr uint32_t MostLines = 1 << 20; ///< of a file whose text is not known

std::string shortName(const DWARFDie& die) { return text(die.getName(llvm::DINameKind::ShortName)); }

/// The entry that says what a function is: of a copy, what it is one of.
DWARFDie originOf(DWARFDie die) {
    for (int most = 16; most > 0; --most) {
        DWARFDie next = die.getAttributeValueAsReferencedDie(dw::DW_AT_abstract_origin);
        if (!next) break;
        die = next;
    }
    return die;
}

/// `geometry::area`: with what it is declared in.
std::string qualifiedName(const DWARFDie& die) {
    DWARFDie declared = die.getAttributeValueAsReferencedDie(dw::DW_AT_specification);
    std::string name = shortName(die);
    for (DWARFDie at = (declared ? declared : die).getParent(); at; at = at.getParent()) {
        bool isAround = at.getTag() == dw::DW_TAG_namespace || at.getTag() == dw::DW_TAG_structure_type ||
                        at.getTag() == dw::DW_TAG_class_type;
        if (!isAround) break;
        std::string around = shortName(at);
        if (!around.empty()) name = around + "::" + name;
    }
    return name;
}

/// It was compiled from this language.
bool isOwn(llvm::DWARFUnit& unit) {
    DWARFDie die = unit.getUnitDIE(/*ExtractUnitDIEOnly=*/false);
    return llvm::StringRef(dw::toString(die.find(dw::DW_AT_producer), "")).starts_with("sx ");
}

/// The position of a 1-based line and column; column 0: its first letter. None where there is no such line.
SourcePos positionOf(const SourceManager& sources, FileId file, uint64_t line, uint64_t column = 0) {
    if (line == 0 || line > MostLines) return {};
    std::string_view all = sources.text(file), there = sources.lineText(file, static_cast<uint32_t>(line));
    if (there.data() < all.data() || there.data() > all.data() + all.size()) return {};
    size_t first = column > 0 ? column - 1 : there.find_first_not_of(" \t");
    first = std::min(first, there.size());
    return sources.start(file) + static_cast<uint32_t>(there.data() - all.data() + first);
}

bool isOfEachThread(const DWARFDie& die) {
    std::optional<llvm::ArrayRef<uint8_t>> block = expressionBytes(die, dw::DW_AT_location);
    return block && (block->back() == dw::DW_OP_form_tls_address || block->back() == dw::DW_OP_GNU_push_tls_address);
}

/// Of a variable that has one place for ever.
std::optional<uint64_t> fixedAddress(const DWARFDie& die) {
    std::optional<llvm::ArrayRef<uint8_t>> block = expressionBytes(die, dw::DW_AT_location);
    if (!block) return std::nullopt;
    llvm::DWARFUnit* unit = die.getDwarfUnit();
    llvm::DataExtractor data(*block, /*IsLittleEndian=*/true, unit->getAddressByteSize());
    llvm::DWARFExpression expression(data, unit->getAddressByteSize(), unit->getFormParams().Format);
    auto first = expression.begin();
    if (first == expression.end() || first->isError()) return std::nullopt;
    if (first->getCode() == dw::DW_OP_addr) return first->getRawOperand(0);
    if (first->getCode() == dw::DW_OP_addrx)
        if (auto address = unit->getAddrOffsetSectionItem(static_cast<uint32_t>(first->getRawOperand(0))))
            return address->Address;
    return std::nullopt;
}

} // namespace

struct ProgramImage::ForeignReader {
    ProgramImage& image;
    const ForeignModule& into;
    std::unique_ptr<llvm::DWARFContext> dwarf;
    time_t built;
    uint64_t offset = 0; ///< is added to addresses of the file
    CCode wanted{};
    TypeReader types{into.types};
    std::map<std::string, FileId> files{};
    std::map<std::string, uint32_t> lastLines{}; ///< by path
    std::map<std::string, std::string> hashes{}; ///< by path
    std::map<uint64_t, ir::FuncId> functions{};  ///< by the offset of what says what they are
    std::set<ir::FuncId> ours{};                 ///< all of them
    std::set<ir::FuncId> described{};            ///< whose variables are known
    std::vector<DWARFDie> withoutCode{};         ///< functions of which nothing says where they are
    std::set<uint32_t> optimized{};              ///< copies whose parameters are nowhere but in registers at first

    void readAll();
    bool isWanted(llvm::DWARFUnit&) const;
    std::vector<AddressRange> ranges(const DWARFDie&) const;
    ir::FuncId addFunction(std::unique_ptr<ir::Function>);
    void readPaths(llvm::DWARFUnit&, const llvm::DWARFDebugLine::LineTable&);
    void readRows(llvm::DWARFUnit&, const llvm::DWARFDebugLine::LineTable&);
    void readScope(const DWARFDie&);
    void readFunction(const DWARFDie&);
    void addFolded();
    void addSymbol(const symbols::FunctionSymbol&);
    void readGlobal(const DWARFDie&);
    uint32_t addCopy(const DWARFDie&, std::vector<AddressRange> code, uint32_t parent);
    void addBlock(const DWARFDie&, uint32_t copy, uint32_t parent, ir::ScopeId scope, bool describes);
    void readInside(const DWARFDie&, uint32_t copy, uint32_t block, ir::ScopeId scope, bool describes);
    void addVariable(const DWARFDie&, ir::FuncId, ir::ScopeId scope);
    ir::FuncId functionOf(const DWARFDie&);
    FileId fileOf(const std::string& path);
    std::string textOf(const std::string& path, FileId file);
    std::string declaringFile(const DWARFDie&);
    Span declaredAt(const DWARFDie&, bool wholeLine = false);

    /// A line of the source in one copy of a function.
    struct CodeLine {
        uint32_t copy = UINT32_MAX;
        FileId file{};
        uint32_t line = 0;
        auto operator<=>(const CodeLine&) const = default;
    };
    struct LineRow {
        ImageRow row;
        CodeLine at;            ///< in the innermost copy
        uint32_t outermost = 0; ///< the copy that is not inlined
        bool isBegin = false;   ///< code does not go on here from the one before
    };
    struct LineFacts;
    std::vector<ImageRow> rowsWithEntries() const;
    std::vector<LineRow> lineRows() const;
    void addStatements();
    void addEntries(const std::set<uint32_t>& entered);
    uint64_t bodyOf(uint32_t copy) const;
    void addSpans();
};

// ---- files

namespace {

std::string pathIn(llvm::DWARFUnit& unit, const llvm::DWARFDebugLine::LineTable& table, uint64_t file) {
    std::string path;
    const char* folder = unit.getCompilationDir();
    using Kind = llvm::DILineInfoSpecifier::FileLineInfoKind;
    if (!table.getFileNameByIndex(file, folder ? folder : "", Kind::AbsoluteFilePath, path)) return "";
    return normalizePath(path);
}

} // namespace

void ProgramImage::ForeignReader::readPaths(llvm::DWARFUnit& unit, const llvm::DWARFDebugLine::LineTable& table) {
    std::map<uint16_t, std::string> paths;
    for (const llvm::DWARFDebugLine::Row& row : table.Rows) {
        auto [known, isNew] = paths.try_emplace(row.File);
        if (isNew) known->second = pathIn(unit, table, row.File);
        uint32_t& last = lastLines[known->second];
        last = std::max(last, row.Line);
    }
    for (auto& [path, hash] : hashesOf(table)) hashes[normalizePath(path)] = hash;
}

/// The text of a file as it was when the program was built, else lines without one.
std::string ProgramImage::ForeignReader::textOf(const std::string& path, FileId file) {
    std::string here = into.here(path), problem = "is not here";
    struct stat about {};
    auto bytes = llvm::MemoryBuffer::getFile(here);
    if (bytes && stat(here.c_str(), &about) == 0) {
        auto hash = hashes.find(path);
        llvm::MD5 own;
        own.update((*bytes)->getBuffer());
        bool isSame =
            hash != hashes.end() ? std::string(own.final().digest()) == hash->second : about.st_mtime <= built;
        if (isSame) return (*bytes)->getBuffer().str();
        problem = "has changed since";
    }
    into.withoutText.insert(file);
    // Headers and what belongs to the system say nothing to the user.
    if (lastLines.count(path) != 0) into.problems.push_back(code(here) + " " + problem);
    uint32_t lines = std::min(lastLines[path] + 2000, MostLines);
    return std::string(lines, '\n');
}

FileId ProgramImage::ForeignReader::fileOf(const std::string& path) {
    auto known = files.find(path);
    if (known != files.end()) return known->second;
    for (FileId other : into.files)
        if (into.sources.path(other) == path) return files[path] = other;
    auto next = static_cast<FileId>(into.sources.fileCount());
    FileId added = into.sources.addFile(path, path, textOf(path, next));
    into.files.push_back(added);
    return files[path] = added;
}

void ProgramImage::ForeignReader::readRows(llvm::DWARFUnit& unit, const llvm::DWARFDebugLine::LineTable& table) {
    std::map<uint16_t, std::string> paths;
    const bool hasMarks = isOwn(unit);
    for (const llvm::DWARFDebugLine::Row& row : table.Rows) {
        ImageRow made;
        made.address = row.Address.Address + offset;
        made.line = row.Line;
        made.column = row.Column;
        made.ends = row.EndSequence;
        made.isStatement = row.IsStmt;
        if (hasMarks && !row.EndSequence && row.Discriminator != 0) made.marks = row.Discriminator - 1;
        auto [path, isNew] = paths.try_emplace(row.File);
        if (isNew) path->second = pathIn(unit, table, row.File);
        made.hasFile = !path->second.empty();
        if (made.hasFile) made.file = fileOf(path->second);
        image.rows_.push_back(made);
    }
}

// ---- functions and variables

/// LLVM's own getDeclFile knows no file whose number stands with the form of the entry.
std::string ProgramImage::ForeignReader::declaringFile(const DWARFDie& die) {
    std::optional<uint64_t> number = dw::toUnsigned(die.findRecursively(dw::DW_AT_decl_file));
    llvm::DWARFUnit* unit = originOf(die).getDwarfUnit();
    const llvm::DWARFDebugLine::LineTable* lines = number ? dwarf->getLineTableForUnit(unit) : nullptr;
    return lines ? pathIn(*unit, *lines, *number) : "";
}

/// The name, or all of the line from its first letter on.
Span ProgramImage::ForeignReader::declaredAt(const DWARFDie& die, bool wholeLine) {
    std::string path = declaringFile(die);
    uint64_t line = die.getDeclLine();
    if (path.empty()) return {};
    std::optional<llvm::DWARFFormValue> column = wholeLine ? std::nullopt : die.findRecursively(dw::DW_AT_decl_column);
    uint64_t number = column ? column->getAsUnsignedConstant().value_or(0) : 0;
    SourcePos begin = positionOf(into.sources, fileOf(path), line, number);
    if (!begin.isValid()) return {};
    return {begin, begin + 1};
}

ir::FuncId ProgramImage::ForeignReader::functionOf(const DWARFDie& die) {
    DWARFDie origin = originOf(die);
    auto [known, isNew] = functions.try_emplace(origin.getOffset(), ir::FuncId::None);
    if (!isNew) return known->second;
    auto fn = std::make_unique<ir::Function>();
    fn->name = qualifiedName(origin);
    if (fn->name.empty()) fn->name = "function";
    fn->symbol = fn->name + "@" + std::to_string(origin.getOffset());
    fn->conv = CallConv::C;
    fn->span = declaredAt(origin, /*wholeLine=*/true);
    fn->result = types.typeOf(origin);
    fn->scopes.emplace_back();
    if (fn->result == into.types.voidType) fn->result = TypeId::Void;
    return known->second = addFunction(std::move(fn));
}

ir::FuncId ProgramImage::ForeignReader::addFunction(std::unique_ptr<ir::Function> fn) {
    auto id = static_cast<ir::FuncId>(into.module.functions.size());
    into.module.functions.push_back(std::move(fn));
    ours.insert(id);
    if (!image.isForeign_) image.foreign_.insert(id);
    return id;
}

/// What the linker has left out is at the address 0.
std::vector<AddressRange> ProgramImage::ForeignReader::ranges(const DWARFDie& die) const {
    std::vector<AddressRange> all = rangesOf(die);
    std::erase_if(all, [](const AddressRange& r) { return r.begin == 0; });
    for (AddressRange& r : all) r = {r.begin + offset, r.end + offset};
    return all;
}

void ProgramImage::ForeignReader::addVariable(const DWARFDie& die, ir::FuncId func, ir::ScopeId scope) {
    ir::Function& fn = into.module.fn(func);
    ir::Slot slot;
    std::string name = shortName(die);
    if (name.empty()) return;
    slot.name = into.module.types.names().intern(name);
    slot.type = types.typeOf(die);
    slot.size = into.types.sizeOf(slot.type);
    slot.span = declaredAt(die);
    slot.scope = scope;
    slot.isVariable = true;
    if (die.getTag() == dw::DW_TAG_formal_parameter) {
        slot.paramIndex = static_cast<int32_t>(fn.params.size());
        fn.params.push_back(slot.type);
    }
    if (std::optional<uint64_t> at = fixedAddress(die))
        image.staticAddresses_[{func, static_cast<ir::SlotId>(fn.slots.size())}] = *at + offset;
    if (std::vector<ArrayLength> lengths = dimensionsOf(die); !lengths.empty())
        image.lengths_[{func, static_cast<ir::SlotId>(fn.slots.size())}] = std::move(lengths);
    fn.slots.push_back(slot);
}

/// Parameters of a function that is not optimized are in its frame, and have their values once its prologue has run.
/// Else they are where the call has them, as long as they are needed.
static bool isOptimizedCode(const DWARFDie& function) {
    llvm::StringRef options = dw::toString(function.getDwarfUnit()->getUnitDIE().find(dw::DW_AT_producer), "");
    bool isNamed = options.contains(" -O") && !options.contains(" -O0");
    for (const DWARFDie& child : function.children()) {
        if (child.getTag() != dw::DW_TAG_formal_parameter) continue;
        std::optional<llvm::ArrayRef<uint8_t>> at = expressionBytes(child, dw::DW_AT_location);
        return isNamed || !at || at->empty() || at->front() != dw::DW_OP_fbreg;
    }
    return isNamed;
}

uint32_t ProgramImage::ForeignReader::addCopy(const DWARFDie& die, std::vector<AddressRange> code, uint32_t parent) {
    auto copy = static_cast<uint32_t>(image.copies_.size());
    CodeCopy made;
    made.func = functionOf(die);
    made.ranges = std::move(code);
    made.parent = parent;
    made.depth = parent == UINT32_MAX ? 0 : image.copies_[parent].depth + 1;
    made.changesCalls = changesCalls(die);
    made.entry = dw::toAddress(die.find(dw::DW_AT_low_pc), made.ranges.front().begin - offset) + offset;
    if (parent == UINT32_MAX)
        for (const AddressRange& range : made.ranges) image.functions_.emplace(range.begin, copy);
    else image.inlinedIn_[parent].push_back(copy);
    image.copies_.push_back(std::move(made));
    if (parent == UINT32_MAX && isOptimizedCode(die)) optimized.insert(copy);
    bool describes = described.insert(image.copies_[copy].func).second;
    addBlock(die, copy, UINT32_MAX, 0, describes);
    return copy;
}

void ProgramImage::ForeignReader::addBlock(const DWARFDie& die, uint32_t copy, uint32_t parent, ir::ScopeId scope,
                                           bool describes) {
    auto block = static_cast<uint32_t>(image.copies_[copy].blocks.size());
    image.copies_[copy].blocks.push_back({ranges(die), parent, {}, 0});
    readInside(die, copy, block, scope, describes);
}

void ProgramImage::ForeignReader::readInside(const DWARFDie& die, uint32_t copy, uint32_t block, ir::ScopeId scope,
                                             bool describes) {
    ir::FuncId func = image.copies_[copy].func;
    for (const DWARFDie& child : die.children()) {
        switch (child.getTag()) {
        case dw::DW_TAG_formal_parameter:
        case dw::DW_TAG_variable: {
            ImageBlock& in = image.copies_[copy].blocks[block];
            in.variable = shortName(child);
            in.line = static_cast<uint32_t>(child.getDeclLine());
            addGaps(child, offset, image.copies_[copy].gaps);
            if (describes) addVariable(child, func, scope);
            break;
        }
        case dw::DW_TAG_lexical_block: {
            ir::ScopeId inner = scope;
            if (describes) {
                ir::Function& fn = into.module.fn(func);
                inner = static_cast<ir::ScopeId>(fn.scopes.size());
                fn.scopes.emplace_back().parent = scope;
            }
            addBlock(child, copy, block, inner, describes);
            break;
        }
        case dw::DW_TAG_inlined_subroutine:
            if (std::vector<AddressRange> code = ranges(child); !code.empty()) addCopy(child, std::move(code), copy);
            break;
        default: break;
        }
    }
}

void ProgramImage::ForeignReader::readFunction(const DWARFDie& die) {
    if (std::vector<AddressRange> code = ranges(die); !code.empty()) addCopy(die, std::move(code), UINT32_MAX);
    else if (!die.find(dw::DW_AT_declaration) && !die.find(dw::DW_AT_inline)) withoutCode.push_back(die);
}

/// Of functions with the same body gcc compiles one. The others may still have code of their own, and rows for it, but
/// nothing but their symbols says where that is.
void ProgramImage::ForeignReader::addFolded() {
    const llvm::object::ObjectFile* file = withoutCode.empty() ? nullptr : dwarf->getDWARFObj().getFile();
    if (!file) return;
    std::multimap<std::string, AddressRange> symbols; // of the file
    for (const llvm::object::SymbolRef& symbol : file->symbols()) {
        llvm::Expected<llvm::StringRef> name = symbol.getName();
        llvm::Expected<uint64_t> address = symbol.getAddress();
        uint64_t size = llvm::object::ELFSymbolRef(symbol).getSize();
        if (name && address && *address != 0 && size != 0)
            symbols.emplace(name->str(), AddressRange{*address, *address + size});
        if (!name) llvm::consumeError(name.takeError());
        if (!address) llvm::consumeError(address.takeError());
    }
    for (const DWARFDie& die : withoutCode) {
        std::vector<AddressRange> unit = rangesOf(die.getDwarfUnit()->getUnitDIE());
        auto [first, end] = symbols.equal_range(text(die.getName(llvm::DINameKind::LinkageName)));
        for (; first != end; ++first) {
            auto [begin, behind] = first->second;
            bool isOfUnit = llvm::any_of(unit, [at = begin](const AddressRange& r) { return r.contains(at); });
            if (!isOfUnit || !image.copiesAt(begin + offset).empty()) continue;
            addCopy(die, {{begin + offset, behind + offset}}, UINT32_MAX);
            break;
        }
    }
}

/// The symbol is of our own making: several files may have a variable of one name.
void ProgramImage::ForeignReader::readGlobal(const DWARFDie& die) {
    std::optional<uint64_t> at = fixedAddress(die);
    DWARFDie declared = die.getAttributeValueAsReferencedDie(dw::DW_AT_specification);
    std::string name = qualifiedName(declared ? declared : die);
    bool isOfThread = !at && isOfEachThread(die);
    if ((!at && !isOfThread) || name.empty()) return;
    ir::Global made;
    made.name = name;
    made.symbol = name + "@" + (at ? std::to_string(*at + offset) : "thread");
    made.type = types.typeOf(die);
    made.size = into.types.sizeOf(made.type);
    made.span = declaredAt(die);
    if (at) image.symbols_.emplace(made.symbol, *at + offset);
    else image.threadLocals_.insert(static_cast<ir::GlobalId>(into.module.globals.size()));
    into.module.globals.push_back(std::move(made));
}

void ProgramImage::ForeignReader::readScope(const DWARFDie& die) {
    for (const DWARFDie& child : die.children()) {
        switch (child.getTag()) {
        case dw::DW_TAG_subprogram: readFunction(child); break;
        case dw::DW_TAG_variable: readGlobal(child); break;
        case dw::DW_TAG_namespace: readScope(child); break;
        default: break;
        }
    }
}

// ---- statements

/// Where the body of a function begins: debug information has a second row there. The optimizer mixes it with the
/// prologue.
uint64_t ProgramImage::ForeignReader::bodyOf(uint32_t copy) const {
    const CodeCopy& code = image.copies_[copy];
    if (optimized.count(copy) != 0) return code.entry;
    auto [first, last] = std::equal_range(image.rows_.begin(), image.rows_.end(), ImageRow{.address = code.entry},
                                          [](const ImageRow& a, const ImageRow& b) { return a.address < b.address; });
    // Without a prologue several lines begin at once.
    if (last - first > 1 && first->line != std::prev(last)->line) return code.entry;
    auto row = std::upper_bound(image.rows_.begin(), image.rows_.end(), code.entry,
                                [](uint64_t a, const ImageRow& r) { return a < r.address; });
    for (; row != image.rows_.end() && !row->ends && code.contains(row->address); ++row)
        if (row->isStatement && row->line != 0) return row->address;
    return code.entry;
}

/// The rows, and where the code of an inlined function begins in the midst of one: there is none of its own where a row
/// before it has the same place.
std::vector<ImageRow> ProgramImage::ForeignReader::rowsWithEntries() const {
    std::set<uint64_t> known, begins;
    for (const ImageRow& row : image.rows_) known.insert(row.address);
    for (const CodeCopy& copy : image.copies_)
        if (copy.depth > 0 && ours.count(copy.func) != 0)
            for (const AddressRange& range : copy.ranges)
                if (known.count(range.begin) == 0) begins.insert(range.begin);
    if (begins.empty()) return image.rows_;
    std::set<std::tuple<ir::FuncId, FileId, uint32_t>> lines; ///< that functions have
    for (const ImageRow& row : image.rows_)
        if (std::vector<uint32_t> copies = image.copiesAt(row.address); !copies.empty() && row.hasFile)
            lines.emplace(image.copies_[copies.front()].func, row.file, row.line);
    std::vector<ImageRow> all;
    for (const ImageRow& row : image.rows_) {
        for (; !begins.empty() && *begins.begin() < row.address; begins.erase(begins.begin())) {
            if (all.empty() || all.back().ends) continue;
            ImageRow made = all.back();
            made.address = *begins.begin();
            made.marks = 0;
            ir::FuncId func = image.copies_[image.copiesAt(made.address).front()].func;
            if (lines.count({func, made.file, made.line}) != 0) all.push_back(made); // else it is filled up there
        }
        all.push_back(row);
    }
    return all;
}

/// Of the rows at one address the last one counts.
std::vector<ProgramImage::ForeignReader::LineRow> ProgramImage::ForeignReader::lineRows() const {
    std::vector<LineRow> found;
    const std::vector<ImageRow> rows = rowsWithEntries();
    bool mayStop = false, isBegin = true;
    for (size_t i = 0; i < rows.size(); ++i) {
        const ImageRow& row = rows[i];
        bool isSame = i > 0 && rows[i - 1].address == row.address && rows[i - 1].line == row.line;
        mayStop = row.isStatement || row.marks != 0 || (isSame && mayStop);
        isBegin |= row.ends;
        bool isLast = i + 1 == rows.size() || rows[i + 1].address != row.address;
        if (row.ends || !isLast || !mayStop || row.line == 0 || !row.hasFile) continue;
        std::vector<uint32_t> copies = image.copiesAt(row.address);
        if (copies.empty() || ours.count(image.copies_[copies.front()].func) == 0) continue;
        found.push_back({row, {copies.front(), row.file, row.line}, copies.back(), std::exchange(isBegin, false)});
    }
    return found;
}

/// What its lines say of a function, or of one copy of it.
struct ProgramImage::ForeignReader::LineFacts {
    /// Of each line of a function the mark of its first statement. Code that the optimizer has made of that several
    /// times has it each time.
    std::map<std::tuple<ir::FuncId, FileId, uint32_t>, uint32_t> marks;
    std::map<uint32_t, uint32_t> first; ///< the first line of each inlined copy, in the order of the source

    LineFacts(const ProgramImage& image, const std::vector<LineRow>& rows) {
        for (const LineRow& r : rows) {
            auto [line, isNewLine] = first.try_emplace(r.at.copy, r.at.line);
            if (!isNewLine) line->second = std::min(line->second, r.at.line);
            if (r.row.marks == 0) continue;
            auto [mark, isNew] = marks.try_emplace({image.copies_[r.at.copy].func, r.at.file, r.at.line}, r.row.marks);
            if (!isNew) mark->second = std::min(mark->second, r.row.marks);
        }
    }
    bool isFirstStatement(ir::FuncId func, const LineRow& r) const {
        auto mark = marks.find({func, r.at.file, r.at.line});
        return mark != marks.end() && mark->second == r.row.marks;
    }
};

void ProgramImage::ForeignReader::addStatements() {
    const std::vector<LineRow> rows = lineRows();
    const LineFacts facts(image, rows);
    CodeLine before;
    std::map<uint32_t, uint64_t> bodies;
    std::map<std::tuple<ir::FuncId, FileId, uint32_t, bool, bool>, uint32_t> statements;
    std::map<CodeLine, bool> begun; ///< whether by their first statements
    std::set<uint32_t> entered;
    for (const LineRow& r : rows) {
        const auto& [row, at, outermost, isBegin] = r;
        if (isBegin) before = {};
        auto [body, isNew] = bodies.try_emplace(outermost, 0);
        if (isNew) body->second = bodyOf(outermost);
        bool isInlined = at.copy != outermost;
        bool isBody = row.address == body->second && !isInlined;
        if (row.address < body->second && image.copies_[outermost].entry <= row.address) continue;
        ir::FuncId func = image.copies_[at.copy].func;
        bool isFirstStatement = facts.isFirstStatement(func, r);
        auto begin = begun.find(at);
        bool isAgain = isFirstStatement && row.isStatement && begin != begun.end() && begin->second;
        if (at == before && !isBody && !isAgain) continue;
        before = at;
        bool isFirst = begun.try_emplace(at, isFirstStatement).second || isAgain;
        bool mayBeEntry = isBody || (isInlined && facts.first.at(at.copy) == at.line);
        bool isEntry = mayBeEntry && entered.insert(at.copy).second;
        ir::Function& fn = into.module.fn(func);
        auto [known, isUnknown] =
            statements.try_emplace({func, at.file, at.line, isFirst, isEntry}, fn.statements.size());
        if (isUnknown) {
            ir::Statement made;
            made.first = static_cast<ir::ValueId>(fn.statements.size());
            made.begin = positionOf(into.sources, at.file, at.line);
            made.breakable = isFirst && made.begin.isValid();
            if (isEntry && made.begin.isValid()) made.first = ir::EntryOfCall;
            fn.statements.push_back(made);
        }
        image.addStart(row.address, known->second, at.copy);
    }
    addEntries(entered);
}

/// The first code of a function may be that of none of its lines: then it is that of its declaration.
void ProgramImage::ForeignReader::addEntries(const std::set<uint32_t>& entered) {
    for (uint32_t copy : optimized) {
        const CodeCopy& code = image.copies_[copy];
        ir::Function& fn = into.module.fn(code.func);
        if (entered.count(copy) != 0 || image.startAt(code.entry) || !fn.span.begin.isValid()) continue;
        ir::Statement made;
        made.first = ir::EntryOfCall;
        made.begin = fn.span.begin;
        image.addStart(code.entry, static_cast<uint32_t>(fn.statements.size()), copy);
        fn.statements.push_back(made);
        llvm::sort(image.starts_[code.func], [](auto& a, auto& b) { return a.address < b.address; });
    }
}

/// A function reaches from its declaration to the end of the last line that it has code for.
void ProgramImage::ForeignReader::addSpans() {
    for (ir::FuncId id : ours) {
        ir::Function& fn = into.module.fn(id);
        SourcePos first = fn.span.begin, last = fn.span.end;
        for (const ir::Statement& s : fn.statements) {
            if (!s.begin.isValid() || (first.isValid() && into.sources.fileOf(s.begin) != into.sources.fileOf(first)))
                continue;
            if (!first.isValid() || s.begin < first) first = s.begin;
            Location at = into.sources.resolve(s.begin);
            auto rest = static_cast<uint32_t>(into.sources.lineText(at.file, at.line).size()) + 1 - at.col;
            last = std::max(last, s.begin + rest + 1);
        }
        fn.span = {first, last};
        fn.bodyStart = first;
    }
}

static int64_t timeOf(const std::string& file) {
    struct stat about {};
    (void)stat(file.c_str(), &about);
    return about.st_mtime;
}

Result<void> ProgramImage::readForeign(const std::string& executable, const ForeignModule& into) {
    Result<Executable> file = openExecutable(executable);
    if (!file) return Failure{code(executable) + " is no executable: " + file.error()};
    isForeign_ = true;
    readSymbols(*file->object);
    bool isWhole = survives([&] { readForeignFrom(*file->object, timeOf(executable), into, 0, CCode::OfLibrary); });
    if (!isWhole) return Failure{code(executable) + " has debug information that is damaged"};
    return {};
}

Result<void> ProgramImage::readC(const CodeFile& file, uint64_t offset, CCode wanted, const ForeignModule& into) {
    constexpr int64_t Now = std::numeric_limits<time_t>::max();
    const bool isMade = file.path.empty();
    const std::string name = isMade ? "code that the program has announced" : code(file.path);
    Result<Executable> opened = isMade ? openObject(file.object) : openExecutable(file.path);
    if (!opened) return Failure{name + " cannot be read: " + opened.error()};
    const int64_t built = isMade ? Now : timeOf(file.path);
    bool isWhole = survives([&] { readForeignFrom(*opened->object, built, into, offset, wanted); });
    if (!isWhole) return Failure{name + " has debug information that is damaged"};
    return {};
}

void ProgramImage::readForeignFrom(const llvm::object::ObjectFile& object, int64_t built, const ForeignModule& into,
                                   uint64_t offset, CCode wanted) {
    ForeignReader reader{*this, into, llvm::DWARFContext::create(object), built, offset, wanted};
    reader.readAll();
}

/// Not sx's own code, which the front end knows, nor that of its runtime.
bool ProgramImage::ForeignReader::isWanted(llvm::DWARFUnit& unit) const {
    if (image.isForeign_) return true;
    DWARFDie die = unit.getUnitDIE(/*ExtractUnitDIEOnly=*/false);
    if (isOwn(unit)) return wanted == CCode::OfLibrary;
    if (!llvm::StringRef(dw::toString(die.find(dw::DW_AT_name), "")).contains("runtime/")) return true;
    for (const DWARFDie& child : die.children())
        if (child.getTag() == dw::DW_TAG_subprogram && child.find(dw::DW_AT_low_pc) &&
            llvm::StringRef(shortName(child)).starts_with("sx_"))
            return false;
    return true;
}

void ProgramImage::ForeignReader::readAll() {
    std::vector<llvm::DWARFUnit*> units;
    for (const std::unique_ptr<llvm::DWARFUnit>& unit : dwarf->compile_units())
        if (isWanted(*unit)) units.push_back(unit.get());
    for (llvm::DWARFUnit* unit : units)
        if (const llvm::DWARFDebugLine::LineTable* lines = dwarf->getLineTableForUnit(unit)) readPaths(*unit, *lines);
    for (llvm::DWARFUnit* unit : units) {
        readScope(unit->getUnitDIE(/*ExtractUnitDIEOnly=*/false));
        if (const llvm::DWARFDebugLine::LineTable* lines = dwarf->getLineTableForUnit(unit)) readRows(*unit, *lines);
    }
    if (units.empty()) return;
    addFolded();
    types.complete();
    image.sortRows();
    addStatements();
    addSpans();
}

// ---- symbol files

namespace {

/// A number, by its name; 0: it is none.
uint64_t sizeOfNumber(llvm::StringRef name) {
    unsigned bits = 0;
    if (name == "bool") return 1;
    if (name == "usize" || name == "isize") return sizeof(uint64_t);
    bool isNumber = !name.empty() && llvm::StringRef("iuf").contains(name[0]);
    if (!isNumber || name.drop_front().getAsInteger(10, bits) || bits % 8 != 0 || bits > 64) return 0;
    return bits / 8;
}

/// Of the types that a symbol file names those that the names tell all of: numbers, pointers and rows of them. Others
/// are bytes.
TypeId typeNamed(ForeignTypes& types, const std::string& name, uint64_t size) {
    using Kind = ForeignType::Kind;
    auto other = [&](llvm::StringRef target, uint64_t bytes) { return typeNamed(types, target.str(), bytes); };
    llvm::StringRef rest = name;
    uint64_t count = 0;
    ForeignType made;
    made.name = name.empty() ? "data" : name;
    made.size = size;
    unsigned bits = 0;
    bool isWord = name == "usize" || name == "isize";
    bool isSized = name.size() > 1 && !llvm::StringRef(name).drop_front(1).getAsInteger(10, bits) && bits == 8 * size;
    if (name == "bool" && size == 1) made.kind = Kind::Bool;
    else if (isSized && name[0] == 'f') made.kind = Kind::Float;
    else if ((isSized || isWord) && size <= 8 && (name[0] == 'i' || name[0] == 'u'))
        made.kind = name[0] == 'i' ? Kind::Signed : Kind::Unsigned;
    else if (size == sizeof(uint64_t) && (rest.consume_front("*") || rest.consume_front("[*]"))) {
        made.kind = Kind::Pointer;
        made.target = other(rest, sizeOfNumber(rest));
    } else if (size == 2 * sizeof(uint64_t) && (name == "string" || rest.consume_front("[]"))) {
        llvm::StringRef element = name == "string" ? "u8" : rest;
        made.kind = Kind::Struct;
        made.members = {{"ptr", other(("*" + element).str(), sizeof(uint64_t)), 0},
                        {"len", other("i64", sizeof(uint64_t)), sizeof(uint64_t)}};
    } else if (rest.consume_front("[") && !rest.consumeInteger(10, count) && rest.consume_front("]") && count > 0 &&
               size % count == 0) {
        made.kind = Kind::Array;
        made.count = count;
        made.target = other(rest, size / count);
    }
    return types.add(std::move(made));
}

} // namespace

void ProgramImage::ForeignReader::addSymbol(const symbols::FunctionSymbol& symbol) {
    image.symbols_.emplace(symbol.name, symbol.address);
    if (symbol.file.empty() || symbol.line == 0 || symbol.size == 0) return;
    auto fn = std::make_unique<ir::Function>();
    fn->name = symbol.name;
    fn->symbol = symbol.name + "@" + std::to_string(symbol.address);
    fn->conv = CallConv::C;
    fn->scopes.emplace_back();
    SourcePos begin = positionOf(into.sources, fileOf(normalizePath(symbol.file)), symbol.line);
    if (begin.isValid()) fn->span = {begin, begin + 1};
    CodeCopy copy;
    copy.func = addFunction(std::move(fn));
    copy.entry = symbol.address;
    copy.ranges = {{symbol.address, symbol.address + symbol.size}};
    copy.blocks.push_back({copy.ranges, UINT32_MAX, {}, 0});
    image.functions_.emplace(copy.entry, static_cast<uint32_t>(image.copies_.size()));
    image.copies_.push_back(std::move(copy));
    ImageRow end;
    end.address = symbol.address + symbol.size;
    end.ends = true;
    image.rows_.push_back(end);
}

void ProgramImage::addSymbols(const symbols::SymbolFile& known, const ForeignModule& into) {
    ForeignReader reader{*this, into, nullptr, std::numeric_limits<time_t>::max()};
    for (const symbols::LineRow& row : known.lines) {
        uint32_t& last = reader.lastLines[normalizePath(row.file)];
        last = std::max(last, row.line);
    }
    for (const symbols::FunctionSymbol& symbol : known.functions) reader.addSymbol(symbol);
    for (const symbols::LineRow& row : known.lines) {
        ImageRow made;
        made.address = row.pc;
        made.line = row.line;
        made.column = row.column;
        made.isStatement = true;
        made.hasFile = !row.file.empty();
        if (made.hasFile) made.file = reader.fileOf(normalizePath(row.file));
        rows_.push_back(made);
    }
    for (const symbols::VariableSymbol& variable : known.variables) {
        if (variable.type.empty()) continue; // the runtime's
        ir::Global made;
        made.name = variable.name;
        made.symbol = variable.name + "@" + std::to_string(variable.address);
        made.type = typeNamed(into.types, variable.type, variable.size);
        made.size = variable.size;
        symbols_.emplace(made.symbol, variable.address);
        into.module.globals.push_back(std::move(made));
    }
    sortRows();
    reader.addStatements();
    reader.addSpans();
}

llvm::ArrayRef<ArrayLength> ProgramImage::lengthsOf(ir::FuncId func, ir::SlotId slot) const {
    auto found = lengths_.find({func, slot});
    if (found == lengths_.end()) return {};
    return found->second;
}

uint64_t ProgramImage::staticAddress(ir::FuncId func, ir::SlotId slot) const {
    auto found = staticAddresses_.find({func, slot});
    return found == staticAddresses_.end() ? 0 : found->second;
}

} // namespace sx::debugger::native
