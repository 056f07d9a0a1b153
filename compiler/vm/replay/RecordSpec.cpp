#include "vm/replay/RecordSpec.h"

#include "source/Files.h"

#include "llvm/Support/JSON.h"

namespace sx::vm {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {

constexpr int64_t MostArguments = 100, MostResultBytes = int64_t{1} << 30;

/// Anything else than these keys is a mistake that would go unnoticed.
std::string unknownKey(const Object& o, std::initializer_list<llvm::StringRef> known) {
    for (const auto& [key, value] : o)
        if (llvm::find(known, llvm::StringRef(key)) == known.end()) return key.str();
    return "";
}

Result<int64_t> number(const Object& o, llvm::StringRef key, int64_t least, int64_t most) {
    std::optional<int64_t> n = o.getInteger(key);
    if (n && *n >= least && *n <= most) return *n;
    return Failure{code(key.str()) + " has to be a number from " + std::to_string(least) + " to " +
                   std::to_string(most)};
}

/// The size of what is written: a number of bytes, `text`, or an argument.
Result<void> readLength(const Value* length, Written& w) {
    if (!length) return Failure{"what is written needs a `length`"};
    if (std::optional<llvm::StringRef> word = length->getAsString(); word && *word == "text") return {};
    if (std::optional<int64_t> bytes = length->getAsInteger(); bytes && *bytes > 0 && *bytes <= MostResultBytes) {
        w.bytes = static_cast<uint32_t>(*bytes);
        return {};
    }
    const Object* o = length->getAsObject();
    if (!o) return Failure{"a `length` is a positive number of bytes, `text`, or an object with `argument`"};
    if (std::string key = unknownKey(*o, {"argument", "times", "limit"}); !key.empty())
        return Failure{"a `length` has no " + code(key)};
    Result<int64_t> argument = number(*o, "argument", 0, MostArguments);
    if (!argument) return argument.failure();
    w.countArgument = static_cast<int8_t>(*argument);
    w.bytes = 1;
    if (o->get("times")) {
        Result<int64_t> times = number(*o, "times", 1, MostResultBytes);
        if (!times) return times.failure();
        w.bytes = static_cast<uint32_t>(*times);
    }
    if (!o->get("limit")) return {};
    if (o->getString("limit") != llvm::StringRef("result")) return Failure{"a `limit` can only be `result`"};
    w.byResult = true;
    return {};
}

Result<void> readArgument(const Value& value, KnownCall& call) {
    const Object* o = value.getAsObject();
    if (!o) return Failure{"`arguments` is a list of objects"};
    if (std::string key = unknownKey(*o, {"argument", "direction", "length"}); !key.empty())
        return Failure{"an argument has no " + code(key)};
    Result<int64_t> index = number(*o, "argument", 0, MostArguments);
    if (!index) return index.failure();
    llvm::StringRef direction = o->getString("direction").value_or("");
    if (direction != "in" && direction != "out" && direction != "inout")
        return Failure{"`direction` is `in`, `out` or `inout`"};
    if (direction == "in") return {};
    Written w;
    w.argument = static_cast<int8_t>(*index);
    if (Result<void> r = readLength(o->get("length"), w); !r) return r;
    call.writes.push_back(w);
    return {};
}

Result<void> readFunction(const Object& o, KnownCall& call) {
    if (std::string key = unknownKey(o, {"name", "arguments", "result"}); !key.empty())
        return Failure{"a function has no " + code(key)};
    if (const Value* all = o.get("arguments")) {
        if (!all->getAsArray()) return Failure{"`arguments` is a list of objects"};
        for (const Value& argument : *all->getAsArray())
            if (Result<void> r = readArgument(argument, call); !r) return r;
    }
    const Value* result = o.get("result");
    if (!result) return {};
    const Object* described = result->getAsObject();
    if (!described || !unknownKey(*described, {"length"}).empty())
        return Failure{"`result` is an object with the `length` of what it points to"};
    Written w;
    w.argument = Written::ReturnedAddress;
    if (Result<void> r = readLength(described->get("length"), w); !r) return r;
    call.writes.push_back(w);
    return {};
}

} // namespace

Result<void> parseRecordSpec(std::string_view text, KnownCalls& into) {
    llvm::Expected<Value> value = llvm::json::parse({text.data(), text.size()});
    if (!value) return Failure{"it is no JSON: " + llvm::toString(value.takeError())};
    const Object* top = value->getAsObject();
    const Array* functions = top ? top->getArray("functions") : nullptr;
    if (!functions || top->size() != 1) return Failure{"it has to be an object with the list `functions`, and no more"};
    for (const Value& f : *functions) {
        const Object* o = f.getAsObject();
        std::string name = o ? o->getString("name").value_or("").str() : "";
        if (name.empty()) return Failure{"each of `functions` is an object with a `name`"};
        KnownCall call;
        call.kind = KnownCall::Kind::Outside;
        if (Result<void> r = readFunction(*o, call); !r) return Failure{"in " + code(name) + ": " + r.error()};
        into.add(name, std::move(call));
    }
    return {};
}

Result<std::string> readRecordSpec(const std::string& path, KnownCalls& into) {
    Result<std::string> text = readTextFile(path);
    if (!text) return Failure{"cannot read " + code(path) + ": " + text.error()};
    Result<void> parsed = parseRecordSpec(*text, into);
    if (!parsed) return Failure{code(path) + " describes no functions: " + parsed.error()};
    return text;
}

} // namespace sx::vm
