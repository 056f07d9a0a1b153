#include "symbols/Json.h"
#include "symbols/JsonText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace sx::symbols {

namespace {

using llvm::json::Object;
using llvm::json::Value;

void addPlace(Object& o, const std::string& file, uint32_t line) {
    if (!file.empty()) o["file"] = jsonText(file);
    if (line != 0) o["line"] = line;
}

Object json(const FunctionSymbol& f) {
    Object o{{"name", jsonText(f.name)}, {"address", f.address}, {"size", f.size}};
    addPlace(o, f.file, f.line);
    return o;
}

Object json(const VariableSymbol& v) {
    return Object{{"name", jsonText(v.name)},
                  {"address", v.address},
                  {"size", v.size},
                  {"type", jsonText(v.type)},
                  {"scope", jsonText(v.scope)}};
}

Object json(const InstructionRow& i) {
    Object o{{"pc", i.pc}, {"mnemonic", jsonText(i.mnemonic)}, {"operands", jsonText(i.operands)}};
    if (i.word) o["word"] = *i.word;
    if (!i.bytes.empty()) o["bytes"] = i.bytes;
    addPlace(o, i.file, i.line);
    return o;
}

Object json(const LineRow& l) {
    return Object{{"pc", l.pc}, {"file", jsonText(l.file)}, {"line", l.line}, {"column", l.column}};
}

Object json(const Region& r) {
    return Object{{"name", jsonText(r.name)},
                  {"start", r.start},
                  {"end", r.end},
                  {"type", jsonText(r.type)},
                  {"permissions", jsonText(r.permissions)}};
}

template <typename Row> void putRows(llvm::raw_ostream& out, const char* name, const std::vector<Row>& rows) {
    out << '"' << name << "\":[";
    for (size_t i = 0; i < rows.size(); ++i) out << (i == 0 ? "\n" : ",\n") << Value(json(rows[i]));
    out << ']';
}

/// By address; of several at one the first.
void putLabels(llvm::raw_ostream& out, const std::vector<Label>& labels) {
    out << "\"labels\":{";
    for (size_t i = 0; i < labels.size(); ++i) {
        if (i > 0 && labels[i - 1].address == labels[i].address) continue;
        out << (i == 0 ? "\n" : ",\n") << "\"0x" << llvm::utohexstr(labels[i].address, /*LowerCase=*/true)
            << "\":" << jsonText(labels[i].name);
    }
    out << '}';
}

} // namespace

std::string toJson(const SymbolFile& f) {
    std::string result;
    llvm::raw_string_ostream out(result);
    out << "{\"version\":" << Version << ",\n\"path\":" << jsonText(f.path) << ",\n\"crc\":" << f.crc
        << ",\n\"symbols\":{\n";
    putRows(out, "functions", f.functions);
    out << ",\n";
    putRows(out, "variables", f.variables);
    out << ",\n";
    putLabels(out, f.labels);
    out << "},\n";
    putRows(out, "instructions", f.instructions);
    out << ",\n";
    putRows(out, "line_map", f.lines);
    out << ",\n";
    putRows(out, "memory_regions", f.regions);
    out << "}\n";
    return result;
}

} // namespace sx::symbols
