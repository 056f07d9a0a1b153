#include "codegen/ExecutableSymbols.h"

#include "codegen/Codegen.h"
#include "codegen/Machine.h"
#include "source/CrashGuard.h"
#include "symbols/Elf.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFExpression.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"

#include <algorithm>
#include <map>
#include <set>

namespace sx::codegen {

namespace {

namespace dw = llvm::dwarf;
using llvm::DWARFDie;
using symbols::SymbolFile;
using PathKind = llvm::DILineInfoSpecifier::FileLineInfoKind;

std::string text(const char* chars) { return chars ? chars : ""; }

// ---- names

/// The functions and variables of the symbol table, by address.
struct Table {
    std::map<uint64_t, symbols::FunctionSymbol> functions;
    std::map<uint64_t, symbols::VariableSymbol> variables;
    std::vector<symbols::Label> labels;
};

void addSymbol(const llvm::object::ELFSymbolRef& symbol, Table& out) {
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    llvm::Expected<uint64_t> address = symbol.getAddress();
    bool isUsable = name && address && !name->empty() && *address != 0;
    if (!name) llvm::consumeError(name.takeError());
    if (!address) llvm::consumeError(address.takeError());
    uint32_t undefined = llvm::object::SymbolRef::SF_Undefined, absolute = llvm::object::SymbolRef::SF_Absolute;
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!flags) llvm::consumeError(flags.takeError());
    else isUsable &= (*flags & (undefined | absolute)) == 0;
    if (!isUsable) return;
    uint64_t size = *address + symbol.getSize() < *address ? 0 : symbol.getSize();
    switch (symbol.getELFType()) {
    case llvm::ELF::STT_FUNC: out.functions.insert({*address, {name->str(), *address, size, "", 0}}); break;
    case llvm::ELF::STT_OBJECT: out.variables.insert({*address, {name->str(), *address, size, "", "global"}}); break;
    case llvm::ELF::STT_NOTYPE: out.labels.push_back({*address, name->str()}); break;
    default: break;
    }
}

// ---- types

/// Where there is no name for it, the one that the language writes: of pointers, arrays, and functions. Of `[*]T` debug
/// information knows no more than of `*T`.
std::string typeName(const DWARFDie& die, unsigned depth = 0) {
    constexpr unsigned MostDepth = 32; // what is damaged may go round
    if (!die || depth > MostDepth) return "void";
    auto element = [&] { return typeName(die.getAttributeValueAsReferencedDie(dw::DW_AT_type), depth + 1); };
    if (std::string name = text(die.getShortName()); !name.empty()) return name;
    switch (die.getTag()) {
    case dw::DW_TAG_pointer_type: {
        DWARFDie target = die.getAttributeValueAsReferencedDie(dw::DW_AT_type);
        return target && target.getTag() == dw::DW_TAG_subroutine_type ? typeName(target, depth + 1) : "*" + element();
    }
    case dw::DW_TAG_array_type: {
        std::string counts;
        for (const DWARFDie& range : die.children())
            if (range.getTag() == dw::DW_TAG_subrange_type)
                counts += "[" + std::to_string(dw::toUnsigned(range.find(dw::DW_AT_count), 0)) + "]";
        if (!die.find(dw::DW_AT_GNU_vector)) return counts + element();
        return "Vector(" + llvm::StringRef(counts).trim("[]").str() + "," + element() + ")";
    }
    case dw::DW_TAG_subroutine_type: {
        std::string parameters;
        for (const DWARFDie& parameter : die.children())
            if (parameter.getTag() == dw::DW_TAG_formal_parameter)
                parameters += (parameters.empty() ? "" : ", ") +
                              typeName(parameter.getAttributeValueAsReferencedDie(dw::DW_AT_type), depth + 1);
        return "(" + parameters + ")" + (die.find(dw::DW_AT_type) ? " -> " + element() : "");
    }
    default: return die.find(dw::DW_AT_type) ? element() : "";
    }
}

std::string typeNameIn(const DWARFDie& unit, const DWARFDie& type) {
    if (llvm::StringRef(dw::toString(unit.find(dw::DW_AT_producer), "")).starts_with("sx ")) return typeName(type);
    std::string name;
    llvm::raw_string_ostream out(name);
    llvm::dumpTypeQualifiedName(type, out);
    return name;
}

// ---- debug information

class DebugReader {
public:
    DebugReader(llvm::DWARFContext& dwarf, Table& table) : dwarf_(dwarf), table_(table) {}

    void read(SymbolFile& out) {
        for (const std::unique_ptr<llvm::DWARFUnit>& unit : dwarf_.compile_units()) {
            for (const DWARFDie& die : unit->getUnitDIE(/*ExtractUnitDIEOnly=*/false).children()) {
                if (die.getTag() == dw::DW_TAG_subprogram) addFunction(die);
                if (die.getTag() == dw::DW_TAG_variable) addVariable(die);
            }
            if (const llvm::DWARFDebugLine::LineTable* lines = dwarf_.getLineTableForUnit(unit.get()))
                addLines(*lines, out);
        }
    }

private:
    void addFunction(const DWARFDie& die) {
        uint64_t low = 0, high = 0, section = 0;
        if (!die.getLowAndHighPC(low, high, section) || low == 0 || high < low) return;
        symbols::FunctionSymbol& f = table_.functions[low];
        if (std::string name = text(die.getName(llvm::DINameKind::ShortName)); !name.empty()) f.name = name;
        f.address = low;
        f.size = high - low;
        f.file = die.getDeclFile(PathKind::AbsoluteFilePath);
        f.line = static_cast<uint32_t>(die.getDeclLine());
    }

    void addVariable(const DWARFDie& die) {
        std::optional<llvm::DWARFFormValue> location = die.find(dw::DW_AT_location);
        std::optional<llvm::ArrayRef<uint8_t>> code = location ? location->getAsBlock() : std::nullopt;
        if (!code) return;
        llvm::DataExtractor data(*code, /*IsLittleEndian=*/true, 8);
        llvm::DWARFExpression expression(data, 8, die.getDwarfUnit()->getFormat());
        auto first = expression.begin();
        if (first == expression.end() || first->isError()) return;
        std::optional<uint64_t> address;
        if (first->getCode() == dw::DW_OP_addr) address = first->getRawOperand(0);
        if (first->getCode() == dw::DW_OP_addrx)
            if (auto entry =
                    die.getDwarfUnit()->getAddrOffsetSectionItem(static_cast<uint32_t>(first->getRawOperand(0))))
                address = entry->Address;
        if (!address || *address == 0) return;
        symbols::VariableSymbol& v = table_.variables[*address];
        v.name = text(die.getName(llvm::DINameKind::ShortName));
        v.address = *address;
        v.scope = "global";
        DWARFDie type = die.getAttributeValueAsReferencedDie(dw::DW_AT_type);
        if (!type) return;
        v.type = typeNameIn(die.getDwarfUnit()->getUnitDIE(), type);
        v.size = type.getTypeSize(8).value_or(v.size);
    }

    void addLines(const llvm::DWARFDebugLine::LineTable& table, SymbolFile& out) {
        std::map<uint64_t, std::string> files;
        for (const llvm::DWARFDebugLine::Row& row : table.Rows) {
            if (row.EndSequence || row.Line == 0 || row.Address.Address == 0) continue;
            auto [file, isNew] = files.try_emplace(row.File);
            if (isNew) table.getFileNameByIndex(row.File, "", PathKind::AbsoluteFilePath, file->second);
            // Of code that is of a line alone, as what begins a function, the line begins where it does.
            out.lines.push_back({row.Address.Address, file->second, row.Line, std::max<uint32_t>(row.Column, 1)});
        }
    }

    llvm::DWARFContext& dwarf_;
    Table& table_;
};

// ---- code

/// Turns bytes into instructions.
class Disassembler {
public:
    static Result<std::unique_ptr<Disassembler>> make() {
        LLVMInitializeX86TargetInfo();
        LLVMInitializeX86TargetMC();
        LLVMInitializeX86Disassembler();
        std::string problem;
        const llvm::Target* target = llvm::TargetRegistry::lookupTarget(TargetTriple, problem);
        if (!target) return Failure{problem};
        return std::unique_ptr<Disassembler>(new Disassembler(*target));
    }

    /// The instruction at the front of `bytes`; what is none is a row of one byte.
    symbols::InstructionRow decode(llvm::ArrayRef<uint8_t> bytes, uint64_t address, std::optional<uint64_t>& jumpsTo) {
        llvm::MCInst instruction;
        uint64_t size = 0;
        auto status = disassembler_->getInstruction(instruction, size, bytes, address, llvm::nulls());
        symbols::InstructionRow row;
        row.pc = address;
        if (status != llvm::MCDisassembler::Success || size == 0) {
            row.bytes = llvm::toHex(bytes.take_front(1), /*LowerCase=*/true);
            row.mnemonic = "(bad)";
            return row;
        }
        row.bytes = llvm::toHex(bytes.take_front(size), /*LowerCase=*/true);
        std::string printed; // distances count from the end
        llvm::raw_string_ostream out(printed);
        printer_->printInst(&instruction, address + size, "", *subtarget_, out);
        auto [mnemonic, operands] = llvm::StringRef(printed).trim().split('\t');
        row.mnemonic = mnemonic.str();
        row.operands = operands.trim().str();
        uint64_t goal = 0;
        if (analysis_->isBranch(instruction) && analysis_->evaluateBranch(instruction, address, size, goal))
            jumpsTo = goal;
        return row;
    }

private:
    explicit Disassembler(const llvm::Target& target)
        : registers_(target.createMCRegInfo(TargetTriple)),
          assembler_(target.createMCAsmInfo(*registers_, TargetTriple, llvm::MCTargetOptions())),
          subtarget_(target.createMCSubtargetInfo(TargetTriple, "", "")), instructions_(target.createMCInstrInfo()),
          analysis_(target.createMCInstrAnalysis(instructions_.get())),
          context_(llvm::Triple(TargetTriple), assembler_.get(), registers_.get(), subtarget_.get()),
          disassembler_(target.createMCDisassembler(*subtarget_, context_)),
          printer_(target.createMCInstPrinter(llvm::Triple(TargetTriple), assembler_->getAssemblerDialect(),
                                              *assembler_, *instructions_, *registers_)) {
        printer_->setPrintImmHex(true);
        printer_->setPrintBranchImmAsAddress(true);
    }

    std::unique_ptr<llvm::MCRegisterInfo> registers_;
    std::unique_ptr<llvm::MCAsmInfo> assembler_;
    std::unique_ptr<llvm::MCSubtargetInfo> subtarget_;
    std::unique_ptr<llvm::MCInstrInfo> instructions_;
    std::unique_ptr<llvm::MCInstrAnalysis> analysis_;
    llvm::MCContext context_;
    std::unique_ptr<llvm::MCDisassembler> disassembler_;
    std::unique_ptr<llvm::MCInstPrinter> printer_;
};

/// The instructions of a function, with its lines. Places that it jumps to get names.
void addCode(const symbols::FunctionSymbol& f, llvm::ArrayRef<uint8_t> bytes, Disassembler& disassembler,
             SymbolFile& out) {
    std::set<uint64_t> goals;
    for (uint64_t at = 0; at < bytes.size();) {
        std::optional<uint64_t> goal;
        symbols::InstructionRow row = disassembler.decode(bytes.drop_front(at), f.address + at, goal);
        if (goal && *goal > f.address && *goal - f.address < f.size) goals.insert(*goal);
        if (const symbols::LineRow* line = symbols::lineIn(out, f, row.pc)) {
            row.file = line->file;
            row.line = line->line;
        }
        at += row.bytes.size() / 2;
        out.instructions.push_back(std::move(row));
    }
    symbols::addLabels(out, f.name, goals);
}

Result<void> addInstructions(std::string_view file, const std::vector<symbols::Segment>& segments, SymbolFile& out) {
    Result<std::unique_ptr<Disassembler>> disassembler = Disassembler::make();
    if (!disassembler) return disassembler.failure();
    uint64_t end = 0;
    for (const symbols::FunctionSymbol& f : out.functions) {
        bool hasLines = f.size != 0 && symbols::lineIn(out, f, f.address + f.size - 1);
        if (!hasLines || f.address < end) continue; // or an alias
        std::string_view bytes = symbols::bytesAt(file, segments, f.address, f.size);
        end = f.address + bytes.size();
        addCode(f, llvm::ArrayRef(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()), **disassembler, out);
    }
    return {};
}

} // namespace

Result<SymbolFile> executableSymbols(const std::string& path, const SymbolFile* known) {
    startLlvm();
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> bytes =
        llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!bytes) return Failure{bytes.getError().message()};
    std::string_view file = (*bytes)->getBuffer();
    Result<std::vector<symbols::Segment>> segments = symbols::loadSegments(file);
    if (!segments) return segments.failure();
    llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> object =
        llvm::object::ObjectFile::createELFObjectFile((*bytes)->getMemBufferRef());
    if (!object) return Failure{llvm::toString(object.takeError())};
    if ((*object)->getArch() != llvm::Triple::x86_64) return Failure{"it is code of another kind of machine"};
    SymbolFile out;
    out.path = path;
    out.crc = *symbols::executableCrc(file);
    out.regions = symbols::regionsOf(*segments, path);
    Table table;
    for (const llvm::object::ELFSymbolRef symbol : llvm::cast<llvm::object::ELFObjectFileBase>(**object).symbols())
        addSymbol(symbol, table);
    std::unique_ptr<llvm::DWARFContext> dwarf = llvm::DWARFContext::create(
        **object, llvm::DWARFContext::ProcessDebugRelocations::Process, nullptr, "",
        [](llvm::Error e) { llvm::consumeError(std::move(e)); },
        [](llvm::Error e) { llvm::consumeError(std::move(e)); });
    if (!survives([&] { DebugReader(*dwarf, table).read(out); })) {
        (void)dwarf.release();
        return Failure{"its debug information is damaged"};
    }
    if (known) {
        out.functions = known->functions;
        out.variables = known->variables;
        out.lines = known->lines;
    } else {
        for (auto& [address, f] : table.functions) out.functions.push_back(std::move(f));
        for (auto& [address, v] : table.variables) out.variables.push_back(std::move(v));
        out.labels = std::move(table.labels);
    }
    symbols::sortByAddress(out);
    if (Result<void> added = addInstructions(file, *segments, out); !added) return added.failure();
    symbols::sortByAddress(out);
    return out;
}

} // namespace sx::codegen
