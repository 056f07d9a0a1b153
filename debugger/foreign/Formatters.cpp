#include "debugger/foreign/Formatters.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

#include <algorithm>

namespace sx::debugger {

using llvm::json::Array;
using llvm::json::Object;

namespace {

constexpr unsigned MostBits = 64;

std::string textOf(const Object& o, llvm::StringRef key) { return o.getString(key).value_or("").str(); }

/// `\d`, `\w` and `\s`, also in brackets, as POSIX writes them.
std::string plain(llvm::StringRef pattern) {
    std::string out;
    bool isInBrackets = false;
    for (size_t i = 0; i < pattern.size(); ++i) {
        char c = pattern[i], next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
        const char* set = c != '\\'     ? nullptr
                          : next == 'd' ? "0-9"
                          : next == 'w' ? "A-Za-z0-9_"
                          : next == 's' ? " \t\n\r\f\v"
                                        : nullptr;
        if (set) {
            out += isInBrackets ? set : "[" + std::string(set) + "]";
            ++i;
            continue;
        }
        out += c;
        if (c == '\\' && !isInBrackets && next != '\0') out += pattern[++i];
        else if (c == '[' && !isInBrackets) {
            isInBrackets = true;
            if (next == '^') out += pattern[++i];
            if (i + 1 < pattern.size() && pattern[i + 1] == ']') out += pattern[++i]; // the first one is a character
        } else if (c == ']') isInBrackets = false;
    }
    return out;
}

Result<Formatter> formatterOf(const Object& o) {
    Formatter made;
    std::string kind = textOf(o, "kind");
    int number = llvm::StringSwitch<int>(kind)
                     .Case("sentinel", static_cast<int>(Formatter::Kind::Sentinel))
                     .Case("object", static_cast<int>(Formatter::Kind::Object))
                     .Case("fat-pointer", static_cast<int>(Formatter::Kind::FatPointer))
                     .Case("result", static_cast<int>(Formatter::Kind::Result))
                     .Default(-1);
    if (number < 0) return Failure{"there is no kind " + code(kind)};
    made.kind = static_cast<Formatter::Kind>(number);
    if (std::string pattern = textOf(o, "type"); !pattern.empty()) {
        made.type = std::make_shared<llvm::Regex>(plain(pattern));
        std::string problem;
        if (!made.type->isValid(problem)) return Failure{"the pattern " + code(pattern) + ": " + problem};
    }
    if (const Array* members = o.getArray("members"))
        for (const llvm::json::Value& m : *members) {
            if (!m.getAsString()) return Failure{"`members` are names"};
            made.members.push_back(m.getAsString()->str());
        }
    if (!made.type && made.members.empty()) return Failure{"a formatter needs a `type` or `members`"};
    size_t needed = made.kind == Formatter::Kind::FatPointer ? 4 : made.kind == Formatter::Kind::Result ? 2 : 0;
    if (made.members.size() < needed)
        return Failure{"the kind " + code(kind) + " needs " + std::to_string(needed) + " names in `members`"};
    return made;
}

Result<HeaderField> fieldOf(const Object& o) {
    HeaderField made;
    made.name = textOf(o, "name");
    int64_t first = o.getInteger("bit").value_or(-1), bits = o.getInteger("bits").value_or(1);
    if (made.name.empty() || first < 0 || bits < 1 || first + bits > MostBits)
        return Failure{"a field of the `header` needs a `name`, a `bit` and `bits` within 64"};
    made.firstBit = static_cast<unsigned>(first);
    made.bits = static_cast<unsigned>(bits);
    made.ifSet = textOf(o, "set");
    made.ifClear = textOf(o, "clear");
    made.isHex = o.getBoolean("hex").value_or(false);
    return made;
}

/// Each object of a list, by a function that makes something of it.
template <typename T, typename Make> Result<std::vector<T>> listOf(const Object& file, llvm::StringRef key, Make make) {
    std::vector<T> out;
    const Array* list = file.getArray(key);
    if (!list && file.get(key)) return Failure{code(key.str()) + " has to be a list"};
    if (!list) return out;
    for (const llvm::json::Value& value : *list) {
        const Object* o = value.getAsObject();
        if (!o) return Failure{code(key.str()) + " has to be a list of objects"};
        Result<T> made = make(*o);
        if (!made) return made.failure();
        out.push_back(std::move(*made));
    }
    return out;
}

Result<SymbolRange> rangeOf(const Object& o) {
    SymbolRange made{textOf(o, "type"), textOf(o, "start"), textOf(o, "end")};
    if (made.type.empty() || made.start.empty() || made.end.empty())
        return Failure{"a region needs a `type`, and symbols `start` and `end`"};
    return made;
}

Result<void> readInto(Formatters& all, const Object& file) {
    if (file.getInteger("version").value_or(1) != 1) return Failure{"`version` is not 1"};
    Result<std::vector<Formatter>> formatters = listOf<Formatter>(file, "formatters", formatterOf);
    if (!formatters) return formatters.failure();
    Result<std::vector<SymbolRange>> regions = listOf<SymbolRange>(file, "regions", rangeOf);
    if (!regions) return regions.failure();
    Result<std::vector<HeaderField>> header = listOf<HeaderField>(file, "header", fieldOf);
    if (!header) return header.failure();
    all.all.insert(all.all.begin(), formatters->begin(), formatters->end());
    all.regions.insert(all.regions.begin(), regions->begin(), regions->end());
    if (!header->empty()) all.header = std::move(*header);
    if (const Object* scopes = file.getObject("scopes")) {
        int64_t width = scopes->getInteger("width").value_or(8);
        if (width != 1 && width != 2 && width != 4 && width != 8)
            return Failure{"the `width` of `scopes` is 1, 2, 4 or 8 bytes"};
        all.scopes = {textOf(*scopes, "table"), textOf(*scopes, "count"), textOf(*scopes, "counter"),
                      static_cast<unsigned>(width)};
    }
    return {};
}

bool hasMembers(const ForeignType& type, const std::vector<std::string>& names) {
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
        return std::any_of(type.members.begin(), type.members.end(), [&](auto& m) { return m.name == name; });
    });
}

/// What a kind can be made of.
bool fitsKind(const ForeignTypes& types, TypeId type, Formatter::Kind kind) {
    const ForeignType& t = types.plain(type);
    bool isStruct = t.kind == ForeignType::Kind::Struct;
    switch (kind) {
    case Formatter::Kind::Sentinel:
        return t.kind == ForeignType::Kind::Signed || t.kind == ForeignType::Kind::Character;
    case Formatter::Kind::Object: {
        if (t.kind == ForeignType::Kind::Pointer) return true;
        return isStruct && !t.members.empty() && types.plain(t.members.front().type).kind == ForeignType::Kind::Pointer;
    }
    case Formatter::Kind::FatPointer:
    case Formatter::Kind::Result: return isStruct;
    }
    return false;
}

} // namespace

Result<void> Formatters::read(llvm::StringRef text, const std::string& name) {
    llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
    if (!parsed) return Failure{code(name) + ": " + llvm::toString(parsed.takeError())};
    const Object* file = parsed->getAsObject();
    if (!file) return Failure{code(name) + " has to hold an object"};
    Result<void> done = readInto(*this, *file);
    return done ? done : Failure{code(name) + ": " + done.error()};
}

const Formatter* Formatters::find(const ForeignTypes& types, TypeId type, unsigned& number) const {
    number = 0;
    for (const Formatter& f : all) {
        if (!fitsKind(types, type, f.kind) || !hasMembers(types.plain(type), f.members)) continue;
        if (!f.type) return &f;
        TypeId named = type;
        for (int most = 64; most > 0; --most) {
            llvm::SmallVector<llvm::StringRef, 4> parts;
            std::string name = types.nameOf(named); // the parts are views of it
            if (f.type->match(name, &parts)) {
                if (parts.size() > 1) (void)parts[1].getAsInteger(10, number);
                return &f;
            }
            if (types.at(named).kind != ForeignType::Kind::Alias) break;
            named = types.at(named).target;
        }
    }
    return nullptr;
}

} // namespace sx::debugger
