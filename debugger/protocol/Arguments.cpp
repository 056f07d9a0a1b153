#include "debugger/protocol/Arguments.h"

#include "source/Wording.h"

namespace sx::debugger {

std::optional<uint64_t> parseAddress(llvm::StringRef text) {
    uint64_t value = 0;
    bool hex = text.consume_front("0x") || text.consume_front("0X");
    if (text.empty() || text.getAsInteger(hex ? 16 : 10, value)) return std::nullopt;
    return value;
}

const llvm::json::Value* Arguments::present(llvm::StringRef name) const {
    const llvm::json::Value* v = object_.get(name);
    return v && v->kind() != llvm::json::Value::Null ? v : nullptr;
}

void Arguments::wrong(llvm::StringRef name, const char* what) {
    reject(code(where_ + name.str()) + " has to be " + what);
}

std::optional<std::string> Arguments::optionalText(llvm::StringRef name) {
    const llvm::json::Value* v = present(name);
    if (!v) return std::nullopt;
    if (std::optional<llvm::StringRef> s = v->getAsString()) return s->str();
    wrong(name, "a text");
    return std::nullopt;
}

std::optional<int64_t> Arguments::optionalInteger(llvm::StringRef name) {
    const llvm::json::Value* v = present(name);
    if (!v) return std::nullopt;
    if (std::optional<int64_t> n = v->getAsInteger()) return n;
    wrong(name, "a whole number");
    return std::nullopt;
}

std::optional<uint32_t> Arguments::optionalIndex(llvm::StringRef name) {
    std::optional<int64_t> n = optionalInteger(name);
    if (!n) return std::nullopt;
    if (*n >= 0 && *n <= INT32_MAX) return static_cast<uint32_t>(*n);
    wrong(name, "a number from 0 to 2147483647");
    return std::nullopt;
}

uint32_t Arguments::size(llvm::StringRef name) {
    std::optional<int64_t> n = optionalOffset(name);
    if (n && *n >= 0 && *n <= INT32_MAX) return static_cast<uint32_t>(*n);
    wrong(name, n ? "a number from 0 to 2147483647" : "given: a whole number");
    return 0;
}

std::optional<int64_t> Arguments::optionalOffset(llvm::StringRef name) {
    const llvm::json::Value* v = present(name);
    std::optional<llvm::StringRef> text = v ? v->getAsString() : std::nullopt;
    if (std::optional<uint64_t> n = text ? parseAddress(*text) : std::nullopt) return static_cast<int64_t>(*n);
    return optionalInteger(name);
}

std::string Arguments::text(llvm::StringRef name) {
    if (!present(name)) wrong(name, "given: a text");
    return optionalText(name).value_or("");
}

int64_t Arguments::integer(llvm::StringRef name) {
    if (!present(name)) wrong(name, "given: a whole number");
    return optionalInteger(name).value_or(0);
}

uint32_t Arguments::index(llvm::StringRef name) {
    if (!present(name)) wrong(name, "given: a whole number");
    return optionalIndex(name).value_or(0);
}

std::optional<bool> Arguments::optionalFlag(llvm::StringRef name) {
    const llvm::json::Value* v = present(name);
    if (!v) return std::nullopt;
    if (std::optional<bool> b = v->getAsBoolean()) return b;
    wrong(name, "true or false");
    return std::nullopt;
}

bool Arguments::flag(llvm::StringRef name, bool otherwise) { return optionalFlag(name).value_or(otherwise); }

const llvm::json::Array* Arguments::array(llvm::StringRef name) {
    const llvm::json::Value* v = present(name);
    if (!v) return nullptr;
    if (!v->getAsArray()) wrong(name, "a list");
    return v->getAsArray();
}

const llvm::json::Object* Arguments::object(llvm::StringRef name) {
    const llvm::json::Value* v = present(name);
    if (!v) return nullptr;
    if (!v->getAsObject()) wrong(name, "an object");
    return v->getAsObject();
}

std::vector<std::string> Arguments::texts(llvm::StringRef name) {
    std::vector<std::string> all;
    if (const llvm::json::Array* list = array(name)) {
        for (const llvm::json::Value& v : *list) {
            if (std::optional<llvm::StringRef> s = v.getAsString()) all.push_back(s->str());
            else wrong(name, "a list of texts");
        }
    }
    return all;
}

std::vector<const llvm::json::Object*> Arguments::objects(llvm::StringRef name) {
    std::vector<const llvm::json::Object*> all;
    if (const llvm::json::Array* list = array(name)) {
        for (const llvm::json::Value& v : *list) {
            if (const llvm::json::Object* o = v.getAsObject()) all.push_back(o);
            else wrong(name, "a list of objects");
        }
    }
    return all;
}

std::optional<uint64_t> Arguments::optionalAddress(llvm::StringRef name) {
    const llvm::json::Value* v = present(name);
    if (!v) return std::nullopt;
    if (std::optional<uint64_t> n = v->getAsUINT64()) return n;
    if (std::optional<llvm::StringRef> s = v->getAsString())
        if (std::optional<uint64_t> n = parseAddress(*s)) return n;
    wrong(name, "an address: a number or `0x…`");
    return std::nullopt;
}

} // namespace sx::debugger
