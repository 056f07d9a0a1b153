#include "symbols/Annotate.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace sx::symbols {

namespace {

std::string hex(uint64_t n) { return "0x" + llvm::utohexstr(n, /*LowerCase=*/true); }

std::string padded(std::string text, size_t width) {
    if (text.size() < width) text.resize(width, ' ');
    return text;
}

/// What the instruction is made of, as far as it fits into a column.
std::string rawText(const InstructionRow& i) {
    return i.bytes.empty() && i.word ? llvm::utohexstr(*i.word, /*LowerCase=*/true, 16) : i.bytes;
}

std::string instructionText(const InstructionRow& i) {
    constexpr size_t BytesWidth = 18, MnemonicWidth = 8;
    std::string text = "  " + padded(hex(i.pc), 10) + "  " + padded(rawText(i), BytesWidth) + "  ";
    return i.operands.empty() ? text + i.mnemonic : text + padded(i.mnemonic, MnemonicWidth) + " " + i.operands;
}

} // namespace

std::string annotated(const SymbolFile& f,
                      const std::function<std::string(const std::string& file, uint32_t)>& lineText) {
    std::string out, file;
    uint32_t line = 0;
    const FunctionSymbol* in = nullptr;
    for (const InstructionRow& i : f.instructions) {
        const FunctionSymbol* function = functionAt(f, i.pc);
        if (function && function != in) {
            out += (out.empty() ? "" : "\n") + function->name + ":\n";
            file.clear();
        }
        in = function;
        auto label = std::lower_bound(f.labels.begin(), f.labels.end(), i.pc,
                                      [](const Label& l, uint64_t pc) { return l.address < pc; });
        if (label != f.labels.end() && label->address == i.pc) out += " " + label->name + ":\n";
        if (i.line != 0 && (i.line != line || i.file != file)) {
            file = i.file;
            line = i.line;
            std::string text = lineText(file, line);
            out += "; " + file + ":" + std::to_string(line) + (text.empty() ? "" : "  " + text) + "\n";
        }
        out += instructionText(i) + "\n";
    }
    return out;
}

} // namespace sx::symbols
