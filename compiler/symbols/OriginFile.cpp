#include "symbols/OriginFile.h"

#include "symbols/JsonText.h"

#include "llvm/Support/raw_ostream.h"

namespace sx::symbols {

namespace {

using llvm::json::Value;

Value textOrNull(const std::string& s) { return s.empty() ? Value(nullptr) : jsonText(s); }
Value numberOrNull(uint32_t n) { return n == 0 ? Value(nullptr) : Value(n); }

Value json(const OriginRow& r) {
    return llvm::json::Object{{"function", jsonText(r.function)},
                              {"ir", textOrNull(r.ir)},
                              {"llvm", textOrNull(r.llvm)},
                              {"pc", r.pc},
                              {"bytes", r.bytes},
                              {"file", textOrNull(r.file)},
                              {"line", numberOrNull(r.line)},
                              {"column", numberOrNull(r.column)}};
}

} // namespace

std::string toJson(const OriginFile& file) {
    std::string text;
    llvm::raw_string_ostream out(text);
    out << "{\"version\":1,\n\"source_file\":" << jsonText(file.source) << ",\n\"rows\":[";
    for (size_t i = 0; i < file.rows.size(); ++i) out << (i == 0 ? "\n" : ",\n") << json(file.rows[i]);
    out << "]}\n";
    return text;
}

} // namespace sx::symbols
