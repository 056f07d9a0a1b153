#include "server/features/HelpEdits.h"

#include <cctype>

namespace sx::server {

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
    /// A name, a call, a chain of them: an operator behind it means all of it.
    bool isOperand() const {
        int depth = 0;
        for (char c : marked()) {
            depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
            if (depth == 0 && (c == ' ' || c == '\n' || c == '+' || c == '*')) return false;
        }
        return !marked().empty();
    }
    std::string operand() const { return isOperand() ? marked().str() : "(" + marked().str() + ")"; }
    std::string code(size_t i = 0) const { return i < codes.size() ? codes[i] : ""; }
};

using Edit = std::optional<HelpEdit>;

Edit replace(const Case& c, const std::string& with) { return HelpEdit{"Write `" + with + "`", c.begin, c.end, with}; }

/// An operator behind what is marked.
Edit append(const Case& c, const std::string& op) { return replace(c, c.operand() + op); }

Edit appendFirst(const Case& c) { return append(c, c.code()); }

/// `… != 0.0`: the marked operand in the place of the dots.
Edit fillIn(const Case& c) {
    llvm::StringRef code = c.codes.empty() ? llvm::StringRef() : llvm::StringRef(c.codes.front());
    if (!code.consume_front("…")) return std::nullopt;
    return append(c, code.starts_with(" .") ? code.drop_front().str() : code.str());
}

/// `to_cstring(s)`: the call with what is marked.
Edit callOn(const Case& c) {
    llvm::StringRef code = c.codes.empty() ? llvm::StringRef() : llvm::StringRef(c.codes.front());
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

Edit unwrap(const Case& c) { return c.message.starts_with("cannot use") ? append(c, "!") : std::nullopt; }

Edit plainName(const Case& c) { return HelpEdit{"Write it as a plain name", c.begin, c.begin, "`"}; }

Edit format(const Case& c) {
    if (!c.message.starts_with("the format of ")) return std::nullopt;
    return replace(c, "\"{}\", " + c.marked().str());
}

Edit dropValue(const Case& c) { return HelpEdit{"Drop the value: `_ = …`", c.begin, c.begin, "_ = "}; }

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

struct Rule {
    const char* words; ///< how the help begins
    Edit (*edit)(const Case&);
};

constexpr Rule Rules[] = {
    {"write `print(\"{}\"", format},
    {"unwrap it with `!`", unwrap},
    {"write it as `` ", plainName},
    {"`xx` or `.(", keepBits},
    {"drop the fraction with `xx`", keepBits},
    {"write `.(", appendFirst},
    {"assert its type with `.(", appendFirst},
    {"dereference it with `.*`", appendFirst},
    {"an error leaves with `raise ", raiseInstead},
    {"compare it: `…", fillIn},
    {"test its length: `…", fillIn},
    {"make a terminated copy with `to_cstring(", callOn},
    {"measure it with `from_cstring(", callOn},
    {"declare it: `", declare},
    {"declare it with `:=`", makeVariable},
    {"an error is written `error.", insteadOfMarked},
    {"a tuple type is written `", insteadOfGroup},
    {"a tuple is written `.{", insteadOfGroup},
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

std::optional<HelpEdit> editOf(llvm::StringRef help, llvm::StringRef message, llvm::StringRef text, uint32_t begin,
                               uint32_t end) {
    if (begin > end || end > text.size()) return std::nullopt;
    if (help.contains(": the module is imported under a name"))
        return insteadOfMarked({message, text, begin, end, codeIn(help)});
    if (help.contains("write `_ = ")) return dropValue({message, text, begin, end, {}});
    for (const Rule& rule : Rules)
        if (help.starts_with(rule.words)) return rule.edit({message, text, begin, end, codeIn(help)});
    return std::nullopt;
}

} // namespace sx::server
