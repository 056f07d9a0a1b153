#include "debugger/terminal/target/Machine.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"

namespace sx::terminal {

Result<std::vector<CodeRow>> codeAround(Debuggee& d, const std::string& address, int64_t first, int64_t count) {
    Result<Object> answer = d.client.ask("disassemble", Object{{"memoryReference", address},
                                                               {"instructionOffset", first},
                                                               {"instructionCount", count},
                                                               {"resolveSymbols", true}});
    if (!answer) return answer.failure();
    std::vector<CodeRow> rows;
    for (const Object* o : objectsOf(*answer, "instructions")) {
        if (textOf(*o, "presentationHint") == "invalid") continue;
        CodeRow row{textOf(*o, "address"), textOf(*o, "instruction"), textOf(*o, "symbol"),
                    sourceFileOf(o->getObject("location")), numberOf(*o, "line")};
        if (!rows.empty() && rows.back().symbol == row.symbol) row.symbol.clear();
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string lineOf(const CodeRow& row) {
    std::string text = row.address + "  " + row.instruction;
    if (row.line > 0) {
        text.resize(std::max<size_t>(text.size() + 2, 56), ' ');
        text += "; line " + std::to_string(row.line);
    }
    return text;
}

std::vector<ValueRow> registersOf(Debuggee& d) {
    for (const ValueRow& scope : scopesOf(d)) {
        if (scope.name != "Registers") continue;
        Result<std::vector<ValueRow>> rows = childrenOf(d, scope.children, 0, 1000);
        if (rows) return std::move(*rows);
    }
    return {};
}

Result<std::string> addressIn(Debuggee& d, const std::string& text) {
    uint64_t number = 0;
    if (llvm::StringRef(text).starts_with("0x") && !llvm::StringRef(text).drop_front(2).getAsInteger(16, number))
        return text;
    Result<ValueRow> value = evaluate(d, text, "watch");
    if (!value) return value.failure();
    if (value->memory.empty()) return Failure{code(text) + " has no place in memory"};
    return value->memory;
}

Result<std::vector<MemoryRow>> memoryAt(Debuggee& d, const std::string& address, int64_t offset, int64_t count) {
    Result<Object> answer =
        d.client.ask("readMemory", Object{{"memoryReference", address}, {"offset", offset}, {"count", count}});
    if (!answer) return answer.failure();
    std::vector<char> bytes;
    if (llvm::Error e = llvm::decodeBase64(textOf(*answer, "data"), bytes)) llvm::consumeError(std::move(e));
    uint64_t at = 0;
    std::string from = textOf(*answer, "address");
    if (llvm::StringRef(from).starts_with("0x")) (void)llvm::StringRef(from).drop_front(2).getAsInteger(16, at);
    std::vector<MemoryRow> rows;
    for (size_t i = 0; i < bytes.size(); i += 16) {
        size_t end = std::min(bytes.size(), i + 16);
        rows.push_back({at + i, {bytes.begin() + static_cast<long>(i), bytes.begin() + static_cast<long>(end)}, true});
    }
    if (bytes.size() < static_cast<size_t>(count)) rows.push_back({at + bytes.size(), {}, false});
    return rows;
}

namespace {

std::string addressText(uint64_t address) { return "0x" + llvm::utohexstr(address, true, 12) + " "; }

/// Bytes `from` to `from` + 8 go to `text` in hexadecimal and to `shown` as characters.
void addEight(const MemoryRow& row, size_t from, std::string& text, std::string& shown) {
    for (size_t i = from; i < from + 8; ++i) {
        bool isThere = i < row.bytes.size();
        text += isThere ? llvm::toHex(llvm::ArrayRef(row.bytes[i]), true) + " " : "   ";
        if (isThere) shown += row.bytes[i] >= 0x20 && row.bytes[i] < 0x7f ? static_cast<char>(row.bytes[i]) : '.';
    }
}

} // namespace

std::string lineOf(const MemoryRow& row) {
    std::string text = addressText(row.address) + " ", shown;
    if (!row.isReadable) return text + "not readable";
    addEight(row, 0, text, shown);
    text += " ";
    addEight(row, 8, text, shown);
    return text + " " + shown;
}

std::string halfOf(const MemoryRow& row, bool last) {
    if (!row.isReadable) return last ? "" : lineOf(row);
    size_t from = last ? 8 : 0;
    if (row.bytes.size() <= from) return "";
    std::string text = addressText(row.address + from), shown;
    addEight(row, from, text, shown);
    return text + shown;
}

} // namespace sx::terminal
