// A macro is only text: whether it is a constant, and of which value, says the C compiler, which is given a variable
// for each one.
#include "cimport/Macros.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>

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

/// " :: VALUE"; "" for what is no constant of the language.
std::string valueOf(CXCursor variable) {
    std::unique_ptr<void, void (*)(CXEvalResult)> result(clang_Cursor_Evaluate(variable), clang_EvalResult_dispose);
    if (!result || clang_isInvalidDeclaration(variable)) return "";
    CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(variable)).kind;
    switch (clang_EvalResult_getKind(result.get())) {
    case CXEval_Int: {
        if (kind == CXType_Pointer) return "";
        if (clang_EvalResult_isUnsignedInt(result.get())) {
            unsigned long long n = clang_EvalResult_getAsUnsigned(result.get());
            return (n > INT64_MAX ? " : u64 : " : " :: ") + std::to_string(n);
        }
        long long n = clang_EvalResult_getAsLongLong(result.get());
        return " :: " + (n == INT64_MIN ? "i64.min" : std::to_string(n));
    }
    case CXEval_Float: {
        double value = clang_EvalResult_getAsDouble(result.get());
        return std::isfinite(value) ? " :: " + real(value) : "";
    }
    case CXEval_StrLiteral: return " : cstring : " + quoted(clang_EvalResult_getAsStr(result.get()));
    default: return "";
    }
}

} // namespace

MacroTexts readMacros(CXTranslationUnit unit, bool system,
                      const std::function<CXTranslationUnit(const std::string& more)>& parse) {
    MacroTexts result;
    std::vector<std::string> names;
    forEachChild(clang_getTranslationUnitCursor(unit), [&](CXCursor c) {
        if (c.kind != CXCursor_MacroDefinition || clang_Cursor_isMacroBuiltin(c)) return true;
        CXSourceLocation at = clang_getCursorLocation(c);
        CXFile file = nullptr;
        clang_getSpellingLocation(at, &file, nullptr, nullptr, nullptr);
        const bool isOfSystem = clang_Location_isInSystemHeader(at);
        std::string name = spelling(c);
        if (!file || (isOfSystem && (!system || name[0] == '_'))) return true; // `_` begins what is not for programs
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
        if (std::string value = valueOf(c); !value.empty()) result.values[names[index]] = value;
        else result.reasons[names[index]] = "a macro that is no constant";
        return true;
    });
    clang_disposeTranslationUnit(asked);
    return result;
}

} // namespace sx::cimport
