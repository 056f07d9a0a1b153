#include "codegen/CodeOrigins.h"

#include "codegen/ExecutableSymbols.h"
#include "codegen/Pipeline.h"
#include "ir/Passes.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <map>

namespace sx::codegen {

namespace {

namespace object = llvm::object;

/// An instruction of LLVM, and the one of the IR that it was made of, by their numbers from 1; 0: of none.
struct Numbered {
    std::string text;
    uint32_t function = 0, value = 0;
};

/// Gives each instruction its place in the list, from 1, as its line.
std::vector<Numbered> numberInstructions(llvm::Module& module) {
    std::vector<Numbered> all;
    llvm::ModuleSlotTracker names(&module);
    for (llvm::Function& f : module) {
        llvm::DISubprogram* subprogram = f.getSubprogram();
        if (f.isDeclaration() || !subprogram) continue;
        names.incorporateFunction(f);
        for (llvm::BasicBlock& block : f)
            for (llvm::Instruction& i : block) {
                Numbered& n = all.emplace_back();
                if (const llvm::DebugLoc& at = i.getDebugLoc()) {
                    n.function = at->getScope()->getSubprogram()->getLine();
                    n.value = at.getLine();
                }
                i.setDebugLoc({});
                llvm::raw_string_ostream out(n.text);
                i.print(out, names);
                n.text = llvm::StringRef(n.text).trim().str();
                auto number = static_cast<unsigned>(all.size());
                i.setDebugLoc(llvm::DILocation::get(module.getContext(), number, 0, subprogram));
            }
    }
    return all;
}

/// From an offset in a function on: the code of an instruction of LLVM, by its number; 0: of none.
struct Origin {
    uint64_t offset;
    uint32_t number;
};

struct FunctionOrigins {
    uint64_t size = 0;
    std::vector<Origin> rows; ///< in order of offset
};

/// Calls `use` with the name, the section, the address and the size of each function.
template <typename Use> void forEachFunction(const object::ObjectFile& file, Use use) {
    for (const object::ELFSymbolRef symbol : llvm::cast<object::ELFObjectFileBase>(file).symbols()) {
        llvm::Expected<llvm::StringRef> name = symbol.getName();
        llvm::Expected<uint64_t> address = symbol.getAddress();
        llvm::Expected<object::section_iterator> section = symbol.getSection();
        bool isKnown = name && address && section && *section != file.section_end();
        if (!name) llvm::consumeError(name.takeError());
        if (!address) llvm::consumeError(address.takeError());
        if (!section) llvm::consumeError(section.takeError());
        if (isKnown && symbol.getELFType() == llvm::ELF::STT_FUNC)
            use(*name, (*section)->getIndex(), *address, symbol.getSize());
    }
}

/// By symbol.
std::map<std::string, FunctionOrigins> readOrigins(const object::ObjectFile& file) {
    std::unique_ptr<llvm::DWARFContext> dwarf = llvm::DWARFContext::create(file);
    std::map<uint64_t, std::vector<Origin>> bySection;
    for (const std::unique_ptr<llvm::DWARFUnit>& unit : dwarf->compile_units())
        if (const llvm::DWARFDebugLine::LineTable* table = dwarf->getLineTableForUnit(unit.get()))
            for (const llvm::DWARFDebugLine::Row& row : table->Rows)
                bySection[row.Address.SectionIndex].push_back({row.Address.Address, row.EndSequence ? 0 : row.Line});
    for (auto& [section, rows] : bySection)
        std::stable_sort(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.offset < b.offset; });
    std::map<std::string, FunctionOrigins> found;
    forEachFunction(file, [&](llvm::StringRef name, uint64_t section, uint64_t address, uint64_t size) {
        FunctionOrigins& f = found[name.str()];
        f.size = size;
        const std::vector<Origin>& rows = bySection[section];
        auto row = std::partition_point(rows.begin(), rows.end(), [&](auto& r) { return r.offset < address; });
        for (; row != rows.end() && row->offset < address + size; ++row)
            f.rows.push_back({row->offset - address, row->number});
    });
    return found;
}

class Joiner {
public:
    Joiner(const ir::Module& ir, std::vector<Numbered> instructions, std::map<std::string, FunctionOrigins> origins)
        : ir_(ir), instructions_(std::move(instructions)), origins_(std::move(origins)) {}

    void readExecutable(const object::ObjectFile& file) {
        forEachFunction(file, [&](llvm::StringRef name, uint64_t, uint64_t address, uint64_t size) {
            auto known = origins_.find(name.str());
            if (known != origins_.end() && known->second.size == size) byAddress_[address] = &known->second;
        });
    }

    symbols::OriginRow row(const symbols::SymbolFile& file, const symbols::InstructionRow& from) const {
        symbols::OriginRow row;
        row.pc = from.pc;
        row.bytes = from.bytes;
        const symbols::FunctionSymbol* function = symbols::functionAt(file, from.pc);
        if (function) row.function = function->name;
        if (const symbols::LineRow* line = function ? symbols::lineIn(file, *function, from.pc) : nullptr) {
            row.file = line->file;
            row.line = line->line;
            row.column = line->column;
        }
        const Numbered* made = instructionAt(from.pc);
        if (!made) return row;
        row.llvm = made->text;
        if (made->function == 0 || made->function > ir_.functions.size() || made->value == 0) return row;
        const ir::Function& fn = *ir_.functions[made->function - 1];
        if (made->value <= fn.instrs.size()) row.ir = ir::print(ir_, fn, static_cast<ir::ValueId>(made->value - 1));
        return row;
    }

private:
    const Numbered* instructionAt(uint64_t pc) const {
        auto function = byAddress_.upper_bound(pc);
        if (function == byAddress_.begin()) return nullptr;
        --function;
        const FunctionOrigins& f = *function->second;
        if (pc - function->first >= f.size) return nullptr;
        auto after = std::upper_bound(f.rows.begin(), f.rows.end(), pc - function->first,
                                      [](uint64_t offset, const Origin& o) { return offset < o.offset; });
        if (after == f.rows.begin()) return nullptr;
        uint32_t number = std::prev(after)->number;
        return number == 0 || number > instructions_.size() ? nullptr : &instructions_[number - 1];
    }

    const ir::Module& ir_;
    std::vector<Numbered> instructions_;
    std::map<std::string, FunctionOrigins> origins_;       ///< by symbol
    std::map<uint64_t, const FunctionOrigins*> byAddress_; ///< in the executable
};

Result<std::unique_ptr<object::ObjectFile>> readObject(llvm::MemoryBufferRef bytes) {
    llvm::Expected<std::unique_ptr<object::ObjectFile>> file = object::ObjectFile::createELFObjectFile(bytes);
    if (!file) return Failure{llvm::toString(file.takeError())};
    return std::move(*file);
}

} // namespace

Result<std::vector<symbols::OriginRow>> codeOrigins(const ir::Module& ir, const Options& options,
                                                    const std::string& executable) {
    Options marked = options;
    marked.debugInfo = marked.originMarks = true;
    marked.statementMarks = false;
    Result<Lowered> lowered = lower(ir, marked, CodeUse::Executable, /*keepNames=*/true);
    if (!lowered) return lowered.failure();
    std::vector<Numbered> instructions = numberInstructions(*lowered->module);
    ObjectBytes bytes;
    llvm::raw_svector_ostream out(bytes);
    Result<void> written = writeCode(*lowered, marked, llvm::CodeGenFileType::ObjectFile, out);
    if (!written) return written.failure();
    Result<std::unique_ptr<object::ObjectFile>> twin =
        readObject({llvm::StringRef(bytes.data(), bytes.size()), "twin"});
    if (!twin) return twin.failure();
    Joiner joiner(ir, std::move(instructions), readOrigins(**twin));

    auto file = llvm::MemoryBuffer::getFile(executable, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!file) return Failure{file.getError().message()};
    Result<std::unique_ptr<object::ObjectFile>> linked = readObject((*file)->getMemBufferRef());
    if (!linked) return linked.failure();
    joiner.readExecutable(**linked);
    Result<symbols::SymbolFile> known = executableSymbols(executable);
    if (!known) return known.failure();
    std::vector<symbols::OriginRow> rows;
    for (const symbols::InstructionRow& i : known->instructions) rows.push_back(joiner.row(*known, i));
    return rows;
}

} // namespace sx::codegen
