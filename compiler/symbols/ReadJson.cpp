#include "symbols/Json.h"

#include "source/JsonDepth.h"

#include "llvm/Support/JSON.h"

namespace sx::symbols {

namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

/// Reads fields of one object, and remembers the first that is missing or wrong.
class Fields {
public:
    Fields(const Object& object, std::string where, std::string& problem)
        : object_(object), where_(std::move(where)), problem_(problem) {}

    std::string text(const char* name, bool isOptional = false) {
        const Value* v = value(name, isOptional);
        std::optional<llvm::StringRef> s = v ? v->getAsString() : std::nullopt;
        if (v && !s) reject(name, "a text");
        return s ? s->str() : "";
    }
    uint64_t number(const char* name, uint64_t most = UINT64_MAX, bool isOptional = false) {
        const Value* v = value(name, isOptional);
        std::optional<uint64_t> n = v ? v->getAsUINT64() : std::nullopt;
        if (v && (!n || *n > most)) reject(name, "a number in its range");
        return n && *n <= most ? *n : 0;
    }
    uint32_t small(const char* name, bool isOptional = false) {
        return static_cast<uint32_t>(number(name, UINT32_MAX, isOptional));
    }
    bool has(const char* name) const { return object_.get(name) != nullptr; }
    const Array* array(const char* name) {
        const Value* v = value(name, false);
        if (v && !v->getAsArray()) reject(name, "a list");
        return v ? v->getAsArray() : nullptr;
    }
    const Object* object(const char* name) {
        const Value* v = value(name, false);
        if (v && !v->getAsObject()) reject(name, "an object");
        return v ? v->getAsObject() : nullptr;
    }
    void fail(const std::string& why) {
        if (problem_.empty()) problem_ = where_ + why;
    }

private:
    const Value* value(const char* name, bool isOptional) {
        const Value* v = object_.get(name);
        if (!v && !isOptional) fail("there is no " + code(name));
        return v;
    }
    void reject(const char* name, const char* what) { fail(code(name) + " has to be " + what); }

    const Object& object_;
    std::string where_;
    std::string& problem_;
};

void read(Fields& f, FunctionSymbol& out) {
    out = {f.text("name"), f.number("address"), f.number("size"), f.text("file", true), f.small("line", true)};
    if (out.address + out.size < out.address) f.fail("it reaches beyond the last address");
}

void read(Fields& f, VariableSymbol& out) {
    out = {f.text("name"), f.number("address"), f.number("size"), f.text("type"), f.text("scope")};
    if (out.address + out.size < out.address) f.fail("it reaches beyond the last address");
}

void read(Fields& f, InstructionRow& out) {
    out.pc = f.number("pc");
    if (f.has("word")) out.word = f.number("word");
    out.bytes = f.text("bytes", /*isOptional=*/out.word.has_value());
    if (out.bytes.size() % 2 != 0 || out.bytes.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
        f.fail("`bytes` has to be pairs of hexadecimal digits");
    out.mnemonic = f.text("mnemonic");
    out.operands = f.text("operands");
    out.file = f.text("file", true);
    out.line = f.small("line", true);
}

void read(Fields& f, LineRow& out) {
    out = {f.number("pc"), f.text("file"), f.small("line"), f.small("column")};
    if (out.line == 0) f.fail("`line` has to be 1 or more");
}

void read(Fields& f, Region& out) {
    out = {f.text("name"), f.number("start"), f.number("end"), f.text("type"), f.text("permissions")};
    if (out.end < out.start) f.fail("it ends before it starts");
    bool isGood = out.permissions.size() == 3;
    for (size_t i = 0; isGood && i < 3; ++i) isGood = out.permissions[i] == '-' || out.permissions[i] == "rwx"[i];
    if (!isGood) f.fail("`permissions` has to be `rwx`, with `-` for what is not allowed");
}

/// What the addresses of a list do from row to row.
enum class Order : uint8_t { Rise, DoNotFall };

template <typename Row>
void readRows(Fields& in, const char* name, std::vector<Row>& out, uint64_t Row::*address, Order order,
              std::string& problem) {
    const Array* all = in.array(name);
    for (size_t i = 0; all && i < all->size() && problem.empty(); ++i) {
        std::string where = code(name) + ", row " + std::to_string(i + 1) + ": ";
        const Object* row = (*all)[i].getAsObject();
        if (!row) {
            problem = where + "it has to be an object";
            return;
        }
        Fields fields(*row, where, problem);
        read(fields, out.emplace_back());
        if (i == 0) continue;
        uint64_t now = out[i].*address, before = out[i - 1].*address;
        if (order == Order::Rise && now <= before) fields.fail("the addresses do not rise");
        if (order == Order::DoNotFall && now < before) fields.fail("the rows are not in order of address");
    }
}

void readLabels(const Object& all, std::vector<Label>& out, std::string& problem) {
    for (const auto& [key, value] : all) {
        Label label;
        llvm::StringRef digits = key;
        bool isAddress = digits.consume_front("0x") && !digits.getAsInteger(16, label.address);
        std::optional<llvm::StringRef> name = value.getAsString();
        if (!isAddress || !name) {
            problem = "`labels` has to have names by addresses `0x…`";
            return;
        }
        label.name = name->str();
        out.push_back(std::move(label));
    }
}

void readAll(const Object& object, SymbolFile& out, std::string& problem) {
    Fields file(object, "", problem);
    uint64_t version = file.number("version");
    if (problem.empty() && version != Version)
        problem = "it is of version " + std::to_string(version) + "; this sx reads version " + std::to_string(Version);
    out.path = file.text("path");
    out.crc = file.small("crc");
    if (const Object* names = file.object("symbols")) {
        Fields symbols(*names, "", problem);
        readRows(symbols, "functions", out.functions, &FunctionSymbol::address, Order::DoNotFall, problem);
        readRows(symbols, "variables", out.variables, &VariableSymbol::address, Order::DoNotFall, problem);
        if (const Object* labels = symbols.object("labels")) readLabels(*labels, out.labels, problem);
    }
    readRows(file, "instructions", out.instructions, &InstructionRow::pc, Order::Rise, problem);
    readRows(file, "line_map", out.lines, &LineRow::pc, Order::Rise, problem);
    readRows(file, "memory_regions", out.regions, &Region::start, Order::DoNotFall, problem);
}

} // namespace

Result<SymbolFile> readJson(std::string_view text) {
    if (jsonDepth(text) > MaxJsonDepth) return Failure{"it is nested too deeply"};
    llvm::Expected<Value> value = llvm::json::parse({text.data(), text.size()});
    if (!value) return Failure{"it is no JSON: " + llvm::toString(value.takeError())};
    const Object* object = value->getAsObject();
    if (!object) return Failure{"it is no JSON object"};
    SymbolFile out;
    std::string problem;
    readAll(*object, out, problem);
    if (!problem.empty()) return Failure{problem};
    sortByAddress(out);
    return out;
}

} // namespace sx::symbols
