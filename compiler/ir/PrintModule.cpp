// The text form of a whole module: its globals with their data, then its functions.
#include "ir/Passes.h"
#include "types/TypeNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace sx::ir {

namespace {

class GlobalPrinter {
public:
    GlobalPrinter(const Module& m, llvm::raw_ostream& os) : m_(m), os_(os) {}

    void print(const Global& g) {
        printHead(g);
        if (g.isExtern) os_ << '\n';
        else if (isText(g.init)) printText(g.init);
        else if (g.init.bytes.empty() && g.init.relocs.empty()) os_ << " = zero\n";
        else printWords(g.init);
    }

private:
    void printHead(const Global& g) {
        os_ << (g.isExtern ? "extern global @" : "global @") << g.symbol << ": ";
        if (g.type != TypeId::None) os_ << runtimeName(m_.types, g.type) << ", ";
        os_ << g.size << " bytes align " << g.align;
        if (g.isConst) os_ << " const";
        if (g.mergeable) os_ << " mergeable";
        if (!g.name.empty() && g.name != g.symbol) os_ << " (" << g.name << ')';
    }

    static bool isText(const ConstData& d) {
        if (!d.relocs.empty() || d.bytes.empty()) return false;
        return llvm::all_of(llvm::ArrayRef(d.bytes).drop_back(),
                            [](uint8_t c) { return c >= 0x20 || c == '\n' || c == '\t'; });
    }

    void printText(const ConstData& d) {
        os_ << " = \"";
        llvm::printEscapedString({reinterpret_cast<const char*>(d.bytes.data()), d.bytes.size()}, os_);
        os_ << "\"\n";
    }

    /// Words of 8 bytes that are not zero, in order with the addresses among them.
    void printWords(const ConstData& d) {
        os_ << " = {\n";
        std::vector<Reloc> relocs = d.relocs;
        llvm::stable_sort(relocs, [](const Reloc& a, const Reloc& b) { return a.offset < b.offset; });
        auto next = relocs.begin();
        for (uint64_t at = 0; at < d.bytes.size() || next != relocs.end(); at += 8) {
            if (uint64_t w = word(d, at)) os_ << "  " << at << ": 0x" << llvm::utohexstr(w) << '\n';
            for (; next != relocs.end() && (next->offset < at + 8 || at >= d.bytes.size()); ++next) printReloc(*next);
        }
        os_ << "}\n";
    }

    static uint64_t word(const ConstData& d, uint64_t at) {
        uint64_t value = 0;
        for (uint64_t k = 0; k < 8 && at + k < d.bytes.size(); ++k) value |= uint64_t{d.bytes[at + k]} << (8 * k);
        return value;
    }

    void printReloc(const Reloc& r) {
        os_ << "  " << r.offset << ": ";
        switch (r.kind) {
        case Reloc::Kind::Function:
            os_ << '@' << (r.id < m_.functions.size() ? m_.functions[r.id]->symbol : "?");
            break;
        case Reloc::Kind::Global: os_ << '@' << (r.id < m_.globals.size() ? m_.globals[r.id].symbol : "?"); break;
        case Reloc::Kind::TypeHandle:
            os_ << "type " << (r.id < m_.types.size() ? runtimeName(m_.types, static_cast<TypeId>(r.id)) : "?");
            break;
        }
        if (r.addend != 0) os_ << " + " << r.addend;
        os_ << '\n';
    }

    const Module& m_;
    llvm::raw_ostream& os_;
};

} // namespace

std::string print(const Module& m, PrintOptions options) {
    std::string out;
    llvm::raw_string_ostream os(out);
    for (const std::string& library : m.libraries) os << "library " << library << '\n';
    for (const AsmText& a : m.assembly) {
        os << "assembly \"";
        llvm::printEscapedString(a.text, os);
        os << "\"\n";
    }
    for (const Global& g : m.globals) GlobalPrinter(m, os).print(g);
    llvm::StringRef gap = m.globals.empty() && m.libraries.empty() && m.assembly.empty() ? "" : "\n";
    for (const auto& fn : m.functions) {
        os << gap << print(m, *fn, options);
        gap = "\n";
    }
    return out;
}

} // namespace sx::ir
