#include "server/features/HelpEdits.h"

#include <cctype>

namespace sx::server {

std::string inBackticks(llvm::StringRef code) {
    return code.contains('`') ? "`` " + code.str() + " ``" : "`" + code.str() + "`";
}

std::vector<std::string> codeIn(llvm::StringRef message) {
    std::vector<std::string> found;
    for (size_t open = message.find('`'); open != llvm::StringRef::npos; open = message.find('`', open)) {
        size_t close = message.find('`', open + 1);
        if (close == llvm::StringRef::npos) break;
        found.push_back(message.slice(open + 1, close).str());
        open = close + 1;
    }
    return found;
}

namespace {

/// What a rule knows.
struct Case {
    llvm::StringRef message, text;
    uint32_t begin, end;
    std::vector<std::string> codes; ///< of the help

    llvm::StringRef marked() const { return text.slice(begin, end); }
    /// A name, a literal, a call, a chain of them: an operator behind it means all of it.
    bool isOperand() const {
        int depth = 0;
        char quote = 0;
        for (char c : marked()) {
            if (quote) {
                quote = c == quote ? 0 : quote;
                continue;
            }
            if (c == '"' || c == '\'') quote = c;
            depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
            bool isInside = depth > 0 || quote || llvm::StringRef(")]}.!?`_").contains(c) || (c & 0x80);
            if (!isInside && !std::isalnum(static_cast<unsigned char>(c))) return false;
        }
        return !marked().empty();
    }
    llvm::StringRef before() const { return text.take_front(begin); }
    llvm::StringRef after() const { return text.drop_front(end); }
    std::string operand() const { return isOperand() ? marked().str() : "(" + marked().str() + ")"; }
    llvm::StringRef first() const { return codes.empty() ? llvm::StringRef() : llvm::StringRef(codes.front()); }
    std::string code(size_t i = 0) const { return i < codes.size() ? codes[i] : ""; }
};

using Edit = std::optional<HelpEdit>;

Edit replace(const Case& c, const std::string& with) { return HelpEdit{"Write `" + with + "`", c.begin, c.end, with}; }

/// An operator behind what is marked.
Edit append(const Case& c, const std::string& op) { return replace(c, c.operand() + op); }

Edit appendFirst(const Case& c) {
    std::string op = c.code();
    return op.empty() || op.find("…") != std::string::npos ? std::nullopt : append(c, op);
}

/// `… != 0.0`: the marked operand in the place of the dots.
Edit fillIn(const Case& c) {
    llvm::StringRef code = c.first();
    if (!code.consume_front("…")) return std::nullopt;
    return append(c, code.starts_with(" .") ? code.drop_front().str() : code.str());
}

/// `to_cstring(s)`: the call with what is marked.
Edit callOn(const Case& c) {
    llvm::StringRef code = c.first();
    size_t open = code.find('(');
    if (open == llvm::StringRef::npos || c.marked().empty()) return std::nullopt;
    return replace(c, code.take_front(open + 1).str() + c.marked().str() + ")");
}

Edit insteadOfMarked(const Case& c) { return c.code().empty() ? std::nullopt : replace(c, c.code()); }

/// The same where what is marked has brackets of its own.
Edit insteadOfGroup(const Case& c) {
    bool isGroup = c.marked().starts_with("(") && c.marked().ends_with(")");
    return isGroup ? insteadOfMarked(c) : std::nullopt;
}

Edit keepBits(const Case& c) { return HelpEdit{"Write `xx`", c.begin, c.begin, "xx "}; }

Edit unwrap(const Case& c) {
    bool isNullable = c.message.contains("cannot use") || c.message.contains("needs the payload");
    return isNullable ? append(c, "!") : std::nullopt;
}

Edit plainName(const Case& c) { return HelpEdit{"Write it as a plain name", c.begin, c.begin, "`"}; }

Edit format(const Case& c) {
    if (!c.message.starts_with("the format of ")) return std::nullopt;
    return replace(c, "\"{}\", " + c.marked().str());
}

Edit dropValue(const Case& c) {
    bool isStatement = c.marked().ends_with(";") || c.after().ltrim().starts_with(";");
    std::string with = "_ = " + c.marked().str() + (isStatement ? "" : ";");
    return HelpEdit{"Drop the value: `_ = …`", c.begin, c.end, with};
}

/// `return error.A;`, which is to raise.
Edit raiseInstead(const Case& c) {
    llvm::StringRef before = c.text.take_front(c.begin).rtrim();
    if (!before.consume_back("return")) return std::nullopt;
    return HelpEdit{"Write `raise`", static_cast<uint32_t>(before.size()), c.begin, "raise "};
}

/// The name that what is marked begins with.
llvm::StringRef nameIn(llvm::StringRef marked) {
    return marked.take_while(
        [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80); });
}

/// `name = value;`, where there is no variable of that name.
Edit declare(const Case& c) {
    llvm::StringRef name = nameIn(c.marked()), behind = c.marked().drop_front(name.size()).ltrim();
    if (name.empty() || !behind.starts_with("=") || behind.starts_with("==")) return std::nullopt;
    uint32_t at = c.end - static_cast<uint32_t>(behind.size());
    return HelpEdit{"Declare `" + name.str() + "`", at, at, ":"};
}

/// `x.f(…)`, where `f` is no method.
Edit pipe(const Case& c) {
    size_t dot = c.marked().rfind('.');
    if (dot == llvm::StringRef::npos) return std::nullopt;
    uint32_t at = c.begin + static_cast<uint32_t>(dot);
    return HelpEdit{"Pipe into it: `|>`", at, at + 1, " |> "};
}

Edit dropUnwrapping(const Case& c) {
    bool isInside = c.marked().ends_with("!");
    if (!isInside && !c.text.drop_front(c.end).starts_with("!")) return std::nullopt;
    uint32_t at = isInside ? c.end - 1 : c.end;
    return HelpEdit{"Drop the `!`", at, at + 1};
}

Edit dropDefault(const Case& c) {
    size_t op = c.marked().find("??");
    if (op == llvm::StringRef::npos) return std::nullopt;
    auto kept = static_cast<uint32_t>(c.marked().take_front(op).rtrim().size());
    return HelpEdit{"Drop the `??`", c.begin + kept, c.end};
}

Edit dropMarked(const Case& c) {
    return c.marked() == ";" ? Edit(HelpEdit{"Drop the `;`", c.begin, c.end}) : std::nullopt;
}

Edit dropQuotes(const Case& c) {
    llvm::StringRef inner = c.marked();
    if (!inner.consume_front("\"") || !inner.consume_back("\"")) return std::nullopt;
    return replace(c, inner.str());
}

/// `{ x = 1; }`, where the statement stands without its braces.
Edit putInBraces(const Case& c) {
    std::string whole = c.code();
    llvm::StringRef inner(whole);
    if (!inner.consume_front("{ ") || !inner.consume_back(" }")) return std::nullopt;
    if (!c.text.drop_front(c.begin).starts_with(inner)) return std::nullopt;
    return HelpEdit{"Put it in braces", c.begin, c.begin + static_cast<uint32_t>(inner.size()), whole};
}

/// A constant that is assigned, if it is clear where it is declared.
Edit makeVariable(const Case& c) {
    std::string name = nameIn(c.marked()).str(), declared = name + " ::";
    size_t at = c.text.find(declared), other = c.text.find(declared, at == llvm::StringRef::npos ? at : at + 1);
    if (name.empty() || at == llvm::StringRef::npos || other != llvm::StringRef::npos) return std::nullopt;
    if (at > 0 && !nameIn(c.text.substr(at - 1, 1)).empty()) return std::nullopt; // the end of another name
    auto colons = static_cast<uint32_t>(at + declared.size() - 2);
    return HelpEdit{"Make `" + name + "` a variable", colons, colons + 2, ":="};
}

/// Where the name ends that stands in front of a place, behind nothing else.
uint32_t nameBefore(llvm::StringRef text, uint32_t at) {
    while (at > 0 && !nameIn(text.substr(at - 1, 1)).empty()) --at;
    return at;
}

/// `i++` and `i--`: the second sign, or what stands behind it, is marked.
Edit addOne(const Case& c) {
    std::string op = c.code();
    uint32_t end = c.marked() == op.substr(1) ? c.end : c.begin;
    if (op.size() != 2 || !c.text.take_front(end).ends_with(op)) return std::nullopt;
    uint32_t at = end - 2, from = nameBefore(c.text, at);
    if (from == at) return std::nullopt;
    std::string with = c.text.slice(from, at).str() + " " + op[0] + "= 1";
    return HelpEdit{"Write `" + with + "`", from, end, with};
}

/// `&&` and `||`, of which the second sign is marked.
Edit logical(const Case& c) {
    bool isAnd = c.marked() == "&", isOr = c.marked() == "|";
    if (!(isAnd || isOr) || !c.before().ends_with(c.marked())) return std::nullopt;
    return HelpEdit{isAnd ? "Write `and`" : "Write `or`", c.begin - 1, c.end, isAnd ? "and" : "or"};
}

Edit negate(const Case& c) {
    if (!c.before().ends_with("not ")) return std::nullopt;
    return HelpEdit{"Write `!`", c.begin - 4, c.begin, "!"};
}

template <const char* Old, const char* New> Edit swap(const Case& c) {
    return c.marked() == Old ? replace(c, New) : std::nullopt;
}
constexpr char Ampersand[] = "&", Star[] = "*", Arrow[] = "->", Dot[] = ".", Declares[] = ":=", Assigns[] = "=";

/// `x: 1` in a literal.
Edit setField(const Case& c) {
    return c.marked() == ":" ? Edit(HelpEdit{"Write `=`", c.begin, c.end, " ="}) : std::nullopt;
}

/// A bracket that is open where something is marked, and the one that closes it. None: there is none.
std::optional<std::pair<uint32_t, uint32_t>> group(const Case& c, char open, char close) {
    int depth = 0;
    for (uint32_t from = c.begin; from-- > 0;) {
        depth += c.text[from] == close ? 1 : c.text[from] == open ? -1 : 0;
        if (depth >= 0) continue;
        depth = 0;
        for (uint32_t to = from; to < c.text.size(); ++to) {
            depth += c.text[to] == open ? 1 : c.text[to] == close ? -1 : 0;
            if (depth == 0) return std::pair(from, to);
        }
        return std::nullopt;
    }
    return std::nullopt;
}

Edit tuple(const Case& c) {
    if (c.marked().starts_with("(")) return insteadOfGroup(c);
    auto found = group(c, '(', ')');
    std::string with = c.code();
    if (!found || with.find("…") != std::string::npos) return std::nullopt;
    return HelpEdit{"Write `" + with + "`", found->first, found->second + 1, with};
}

Edit arrayLiteral(const Case& c) {
    auto found = group(c, '[', ']');
    return found ? Edit(HelpEdit{"Write `.[ … ]`", found->first, found->first, "."}) : std::nullopt;
}

Edit dropColon(const Case& c) {
    return c.marked() == ":" ? Edit(HelpEdit{"Drop the `:`", c.begin, c.end}) : std::nullopt;
}

/// `S{ … }`, for types as everybody writes them.
Edit dottedLiteral(const Case& c) {
    uint32_t at = static_cast<uint32_t>(c.before().rtrim().size());
    uint32_t name = nameBefore(c.text, at);
    if (c.marked() != "{" || name == at || !std::isupper(static_cast<unsigned char>(c.text[name]))) return std::nullopt;
    return HelpEdit{"Write `.{`", at, c.begin, "."};
}

Edit dropCall(const Case& c) {
    if (!c.after().starts_with("()")) return std::nullopt;
    return HelpEdit{"Drop the `()`", c.end, c.end + 2};
}

Edit dropTry(const Case& c) {
    if (!c.marked().starts_with("try ")) return std::nullopt;
    return HelpEdit{"Drop the `try`", c.begin, c.begin + 4};
}

/// `n : i64 = null`
Edit makeOptional(const Case& c) {
    llvm::StringRef type = c.first(), before = c.before().rtrim();
    if (!type.consume_front("?") || !before.consume_back("=")) return std::nullopt;
    before = before.rtrim();
    if (!before.consume_back(type) || !before.rtrim().ends_with(":")) return std::nullopt;
    auto at = static_cast<uint32_t>(before.size());
    return HelpEdit{"Make it optional: `?" + type.str() + "`", at, at, "?"};
}

/// `xx s` where a protocol value is wanted.
Edit ownedCopy(const Case& c) {
    if (!c.before().ends_with("xx ") || !c.isOperand()) return std::nullopt;
    std::string with = c.operand() + c.code();
    return HelpEdit{"Write `" + with + "`", c.begin - 3, c.end, with};
}

Edit castPayload(const Case& c) {
    size_t at = c.marked().rfind(".(");
    if (at == llvm::StringRef::npos) return std::nullopt;
    uint32_t from = c.begin + static_cast<uint32_t>(at);
    return HelpEdit{"Write `?.(`", from, from, "?"};
}

Edit runIt(const Case& c) {
    if (!c.marked().ends_with(")")) return std::nullopt;
    return HelpEdit{"Evaluate it with `#run`", c.begin, c.begin, "#run "};
}

/// `void` in a list of results.
Edit leaveOut(const Case& c) {
    if (c.marked() != "void") return std::nullopt;
    llvm::StringRef after = c.after();
    size_t space = after.starts_with(",") ? after.drop_front().find_first_not_of(' ') + 1 : 0;
    if (space) return HelpEdit{"Leave it out", c.begin, c.end + static_cast<uint32_t>(space)};
    llvm::StringRef before = c.before().rtrim();
    if (!before.consume_back(",")) return std::nullopt;
    return HelpEdit{"Leave it out", static_cast<uint32_t>(before.size()), c.end};
}

/// `T !E` behind an arrow, for `(T, !E)`.
Edit resultList(const Case& c) {
    llvm::StringRef code = c.first();
    size_t arrow = c.before().rfind("->");
    if (!code.starts_with("(") || !code.contains(", !") || code.contains("…") || arrow == llvm::StringRef::npos)
        return std::nullopt;
    size_t bang = c.text.find('!', arrow);
    if (bang == llvm::StringRef::npos || c.text.slice(arrow, bang).find_first_of("{;\n") != llvm::StringRef::npos)
        return std::nullopt;
    auto from = static_cast<uint32_t>(arrow + 2);
    while (c.text[from] == ' ') ++from;
    auto to = static_cast<uint32_t>(bang + 1 + nameIn(c.text.drop_front(bang + 1)).size());
    return HelpEdit{"Write `" + code.str() + "`", from, to, code.str()};
}

/// "write `CODE`": the code shows how something is written that is marked, or stands around it.
Edit writtenSo(const Case& c) {
    llvm::StringRef code = c.first(), marked = c.marked();
    if (marked.empty()) return std::nullopt;
    if (code.ends_with("(type_of(…))")) return replace(c, "type_of(" + marked.str() + ")");
    if (code == "asm volatile { … }" && marked.starts_with("asm {"))
        return HelpEdit{"Write `asm volatile`", c.begin + 3, c.begin + 3, " volatile"};
    if (code == "." || code == ".(…)") { // instead of `?.`
        size_t at = marked.rfind("?.");
        if (at == llvm::StringRef::npos) return std::nullopt;
        uint32_t from = c.begin + static_cast<uint32_t>(at);
        return HelpEdit{"Drop the `?`", from, from + 1};
    }
    if (llvm::StringRef type = code; type.consume_back(".[ … ]") && marked.contains(".[")) {
        auto to = c.begin + static_cast<uint32_t>(marked.find(".["));
        return HelpEdit{"Write " + inBackticks(type), c.begin, to, type.str()};
    }
    if (code.ends_with(" := " + marked.str() + ".{};")) return append(c, ".{}");
    if (llvm::StringRef typed = code; typed.consume_front("(" + marked.str() + ": ")) // a parameter of a lambda
        return replace(c, marked.str() + ": " + typed.take_until([](char x) { return x == ')'; }).str());
    size_t open = code.find('(');
    bool isCall = open != llvm::StringRef::npos && code.ends_with(")") && !code.contains("…") &&
                  c.before().ends_with(code.take_front(open + 1)) && c.after().starts_with(")");
    return isCall ? replace(c, code.slice(open + 1, code.size() - 1).str()) : std::nullopt;
}

struct Rule {
    const char* words; ///< how the help begins
    Edit (*edit)(const Case&);
    bool isOfValue = false;
};

constexpr Rule Rules[] = {
    {"write `print(\"{}\"", format},
    {"unwrap it with `!`", unwrap, true},
    {"write it as `` ", plainName},
    {"`xx` or `.(", keepBits, true},
    {"drop the fraction with `xx`", keepBits, true},
    {"write `.(", appendFirst, true},
    {"assert its type with `.(", appendFirst, true},
    {"dereference it with `.*`", appendFirst, true},
    {"an error leaves with `raise ", raiseInstead},
    {"compare it: `…", fillIn, true},
    {"test its length: `…", fillIn, true},
    {"make a terminated copy with `to_cstring(", callOn, true},
    {"measure it with `from_cstring(", callOn, true},
    {"declare it: `", declare},
    {"declare it with `:=`", makeVariable},
    {"an error is written `error.", insteadOfMarked},
    {"a tuple type is written `", insteadOfGroup},
    {"a tuple is written `.{", tuple},
    {"an array literal is written `.[", arrayLiteral},
    {"a literal is written with a dot", dottedLiteral},
    {"there is no `", addOne},
    {"the logical operators are `and` and `or`", logical},
    {"the logical negation is written `!x`", negate},
    {"the address of `x` is written `*x`", swap<Ampersand, Star>},
    {"a member is reached with `.`", swap<Arrow, Dot>},
    {"`=` assigns to what exists", swap<Declares, Assigns>},
    {"a field is set with `=`", setField},
    {"write `for ", dropColon},
    {"`len` is a field: drop the `()`", dropCall},
    {"drop the `try`", dropTry},
    {"make it optional: `?", makeOptional},
    {"make a copy that the protocol value owns: `.(", ownedCopy},
    {"cast its payload with `?.(", castPayload},
    {"evaluate it while compiling with `#run`", runIt},
    {"leave it out", leaveOut},
    {"write `(", resultList},
    {"write `", writtenSo},
    {"the bound parameter is written `", insteadOfMarked},
    {"call it directly, `", pipe},
    {"a body stands in braces: `", putInBraces},
    {"drop the `!`", dropUnwrapping},
    {"drop the `??` and the default", dropDefault},
    {"drop the `;`", dropMarked},
    {"remove this `;`", dropMarked},
    {"drop the quotes", dropQuotes},
};

} // namespace

bool isOfValue(llvm::StringRef help) {
    for (const Rule& rule : Rules)
        if (help.starts_with(rule.words)) return rule.isOfValue;
    return false;
}

std::optional<HelpEdit> editOf(llvm::StringRef help, llvm::StringRef message, llvm::StringRef text, uint32_t begin,
                               uint32_t end) {
    if (begin > end || end > text.size()) return std::nullopt;
    if (help.contains(": the module is imported under a name"))
        return insteadOfMarked({message, text, begin, end, codeIn(help)});
    if (help.contains("write `_ = ")) return dropValue({message, text, begin, end, {}});
    for (const Rule& rule : Rules)
        if (help.starts_with(rule.words))
            if (Edit made = rule.edit({message, text, begin, end, codeIn(help)})) return made;
    return std::nullopt;
}

} // namespace sx::server
