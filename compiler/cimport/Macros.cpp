// A macro is only text: whether it is a constant, and of which value, says the C compiler, which is given a variable
// for each one.
#include "cimport/Macros.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>

namespace sx::cimport {

namespace {

constexpr const char* Prefix = "sx_macro_";

/// Text that can stand behind `=`: whatever it is, the declarations behind it are read as well.
bool mayBeValue(CXTranslationUnit unit, CXCursor macro) {
    CXToken* tokens = nullptr;
    unsigned count = 0;
    clang_tokenize(unit, clang_getCursorExtent(macro), &tokens, &count);
    int depth = 0;
    bool ok = count > 1;
    for (unsigned i = 1; ok && i < count; ++i) {
        std::string word = text(clang_getTokenSpelling(unit, tokens[i]));
        switch (clang_getTokenKind(tokens[i])) {
        case CXToken_Punctuation:
            if (word == "(") ++depth;
            if (word == ")") --depth;
            ok = depth >= 0 && word.find_first_of("{};#=@") == std::string::npos;
            ok |= depth >= 0 && (word == "==" || word == "!=" || word == "<=" || word == ">=");
            break;
        case CXToken_Comment: ok = false; break;
        case CXToken_Keyword:
        case CXToken_Identifier:
        case CXToken_Literal: break;
        }
    }
    clang_disposeTokens(unit, tokens, count);
    return ok && depth == 0;
}

std::string quoted(const std::string& content) {
    std::string all = "\"";
    for (char c : content) {
        if (c == '"' || c == '\\') all += '\\';
        if (c == '\n') all += "\\n";
        else if (c == '\t') all += "\\t";
        else if (c == '\r') all += "\\r";
        else all += c;
    }
    return all + "\"";
}

std::string real(double value) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.17g", value);
    std::string written = buffer;
    return written.find_first_of(".e") == std::string::npos ? written + ".0" : written;
}

/// A constant as the language writes it.
struct Constant {
    std::string type, value; ///< `type`: "" where the value says it; `value`: "" for what is no constant
};

Constant constantIn(CXCursor variable) {
    std::unique_ptr<void, void (*)(CXEvalResult)> result(clang_Cursor_Evaluate(variable), clang_EvalResult_dispose);
    if (!result || clang_isInvalidDeclaration(variable)) return {};
    CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(variable)).kind;
    switch (clang_EvalResult_getKind(result.get())) {
    case CXEval_Int: {
        if (kind == CXType_Pointer) return {};
        if (clang_EvalResult_isUnsignedInt(result.get())) {
            unsigned long long n = clang_EvalResult_getAsUnsigned(result.get());
            return {n > INT64_MAX ? "u64" : "", std::to_string(n)};
        }
        long long n = clang_EvalResult_getAsLongLong(result.get());
        return {"", n == INT64_MIN ? "i64.min" : std::to_string(n)};
    }
    case CXEval_Float: {
        double value = clang_EvalResult_getAsDouble(result.get());
        return {"", std::isfinite(value) ? real(value) : ""};
    }
    case CXEval_StrLiteral: return {"cstring", quoted(clang_EvalResult_getAsStr(result.get()))};
    default: return {};
    }
}

/// Those of `names` for which a header of `unit` has a line `#define NAME`, whether or not that was read.
std::set<std::string> definedInHeaders(CXTranslationUnit unit, const std::set<std::string>& names) {
    struct Search {
        CXTranslationUnit unit;
        const std::set<std::string>& names;
        std::set<std::string> found;
    } search{unit, names, {}};
    auto visit = [](CXFile file, CXSourceLocation*, unsigned, CXClientData data) {
        auto& search = *static_cast<Search*>(data);
        size_t size = 0;
        const char* content = clang_getFileContents(search.unit, file, &size);
        std::string_view rest(content ? content : "", content ? size : 0);
        constexpr std::string_view Blank = " \t", Word = "define";
        for (size_t at; (at = rest.find('#')) != std::string_view::npos;) {
            rest.remove_prefix(std::min(rest.find_first_not_of(Blank, at + 1), rest.size()));
            if (rest.substr(0, Word.size()) != Word) continue;
            rest.remove_prefix(std::min(rest.find_first_not_of(Blank, Word.size()), rest.size()));
            std::string name(rest.substr(0, rest.find_first_of(" \t\r\n(\\/")));
            if (search.names.count(name) != 0) search.found.insert(std::move(name));
        }
    };
    if (!names.empty()) clang_getInclusions(unit, visit, &search);
    return search.found;
}

} // namespace

std::string constantOf(CXCursor variable) {
    CXType type = clang_getCursorType(variable), canonical = clang_getCanonicalType(type);
    if (!clang_isConstQualifiedType(canonical) || clang_isVolatileQualifiedType(canonical)) return "";
    const CXTypeKind kind = canonical.kind;
    bool isNumber = (kind >= CXType_Bool && kind <= CXType_Double) || kind == CXType_Enum;
    bool isText = kind == CXType_Pointer && clang_getPointeeType(canonical).kind == CXType_Char_S;
    if (!isNumber && !isText) return "";
    std::string value = constantIn(variable).value;
    if (kind == CXType_Bool && !value.empty()) return value == "0" ? "false" : "true";
    return value;
}

MacroTexts readMacros(CXTranslationUnit unit, bool system, const std::set<std::string>& given,
                      const std::function<CXTranslationUnit(const std::string& more)>& parse) {
    MacroTexts result;
    std::vector<std::string> names;
    const std::set<std::string> ours = definedInHeaders(unit, given);
    forEachChild(clang_getTranslationUnitCursor(unit), [&](CXCursor c) {
        if (c.kind != CXCursor_MacroDefinition || clang_Cursor_isMacroBuiltin(c)) return true;
        CXSourceLocation at = clang_getCursorLocation(c);
        CXFile file = nullptr;
        clang_getSpellingLocation(at, &file, nullptr, nullptr, nullptr);
        const bool isOfSystem = clang_Location_isInSystemHeader(at);
        std::string name = spelling(c);
        bool isBound = file ? !isOfSystem || (system && name[0] != '_') : ours.count(name) != 0;
        if (!isBound) return true; // `_` begins what is not for programs
        if (clang_Cursor_isMacroFunctionLike(c)) result.reasons[name] = "a macro with parameters";
        else if (mayBeValue(unit, c)) names.push_back(name);
        return true;
    });
    if (names.empty()) return result;
    std::string more;
    for (size_t i = 0; i < names.size(); ++i)
        more += "__auto_type " + (Prefix + std::to_string(i)) + " = " + names[i] + ";\n";
    CXTranslationUnit asked = parse(more);
    if (!asked) return result;
    forEachChild(clang_getTranslationUnitCursor(asked), [&](CXCursor c) {
        std::string variable = c.kind == CXCursor_VarDecl ? spelling(c) : "";
        if (variable.compare(0, std::char_traits<char>::length(Prefix), Prefix) != 0) return true;
        size_t index = std::stoul(variable.substr(std::char_traits<char>::length(Prefix)));
        if (index >= names.size()) return true;
        Constant found = constantIn(c);
        if (!found.value.empty())
            result.values[names[index]] = (found.type.empty() ? " :: " : " : " + found.type + " : ") + found.value;
        else result.reasons[names[index]] = "a macro that is no constant";
        return true;
    });
    clang_disposeTranslationUnit(asked);
    return result;
}

} // namespace sx::cimport
