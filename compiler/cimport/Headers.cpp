#include "cimport/Headers.h"

#include "cimport/Macros.h"
#include "cimport/Types.h"

#include <memory>

namespace sx::cimport {

namespace {

/// Collects the declarations of one translation unit.
class Collector {
public:
    /// `system`: those of the system's headers as well. `unique`: begins the symbols of functions that are made.
    Collector(bool system, const std::string& unique) : system_(system), unique_(unique) {}

    std::string run(CXCursor unit, const MacroTexts& macros) {
        forEachChild(unit, [&](CXCursor c) {
            if (c.kind == CXCursor_FunctionDecl || c.kind == CXCursor_VarDecl) types_.reserve(spelling(c));
            if (spelling(c) == "Vector") types_.hideVectors();
            return true;
        });
        forEachChild(unit, [&](CXCursor c) {
            if (system_ || !clang_Location_isInSystemHeader(clang_getCursorLocation(c))) declaration(c);
            return true;
        });
        for (const auto& [name, value] : macros.values)
            if (!types_.hasDeclared(name))
                once(name, [&, &name = name, &value = value] { return raw(name) + value + ";"; });
        for (const auto& [name, reason] : macros.reasons)
            once(name, [&, &reason = reason]() -> std::string { throw Unmapped{reason}; });
        return types_.declarations() + text_;
    }

private:
    void declaration(CXCursor c) {
        std::string name = spelling(c);
        switch (c.kind) {
        case CXCursor_FunctionDecl: return once(name, [&] { return function(c, name); });
        case CXCursor_VarDecl: return once(name, [&] { return variable(c, name); });
        case CXCursor_EnumDecl: return constants(c);
        case CXCursor_TypedefDecl:
            if (!types_.hasDeclared(name)) once(name, [&] { return alias(c, name); });
            return;
        case CXCursor_StructDecl:
        case CXCursor_UnionDecl:
            if (clang_isCursorDefinition(c)) static_cast<void>(types_.of(clang_getCursorType(c)));
            return constantsWithin(c);
        default: return;
        }
    }

    /// C may declare a name again; what cannot be mapped is listed.
    void once(const std::string& name, const std::function<std::string()>& make) {
        if (name.empty() || !seen_.insert(name).second) return;
        try {
            if (std::string line = make(); !line.empty()) text_ += line + "\n";
        } catch (const Unmapped& why) {
            text_ += "//- " + name + ": " + why.reason + " has no form in this language\n";
        }
    }

    std::string function(CXCursor c, const std::string& name) {
        bool isInline = clang_Cursor_getStorageClass(c) == CX_SC_Static || clang_Cursor_isFunctionInlined(c);
        CXType type = clang_getCursorType(c);
        std::string params;
        int count = clang_Cursor_getNumArguments(c);
        for (int i = 0; i < count; ++i) {
            CXCursor param = clang_Cursor_getArgument(c, static_cast<unsigned>(i));
            std::string called = spelling(param);
            params += (i > 0 ? ", " : "") + (called.empty() ? "_" : raw(called)) + ": " +
                      types_.ofParameter(clang_getArgType(type, static_cast<unsigned>(i)));
        }
        bool isVariadic = clang_Cursor_isVariadic(c) && type.kind == CXType_FunctionProto;
        if (isVariadic) params += (count > 0 ? ", " : "") + std::string("..`rest: []any");
        std::string written = raw(name) + " :: (" + params + ") -> " + types_.ofValue(clang_getResultType(type));
        if (!isInline) return written + " extern" + symbol(c, name) + ";";
        if (isVariadic) throw Unmapped{"an inline function with variable arguments"};
        std::string made = unique_ + name;
        return written + " extern \"" + made + "\";\n//c " + name + " " + outOfLine(name, type, made);
    }

    /// An inline function has no symbol: this is the C of a function that calls it and has one.
    static std::string outOfLine(const std::string& name, CXType type, const std::string& made) {
        auto spelled = [](CXType t) {
            std::string all = text(clang_getTypeSpelling(t));
            if (all.find(" at ") != std::string::npos) throw Unmapped{"an inline function"}; // a type without a name
            return "__typeof__(" + all + ")";
        };
        CXType result = clang_getResultType(type);
        std::string params, passed;
        for (int i = 0; i < clang_getNumArgTypes(type); ++i) {
            std::string argument = "a" + std::to_string(i);
            params += (i > 0 ? ", " : "") + spelled(clang_getArgType(type, static_cast<unsigned>(i))) + " " + argument;
            passed += (i > 0 ? ", " : "") + argument;
        }
        bool isVoid = clang_getCanonicalType(result).kind == CXType_Void;
        return "__attribute__((weak)) " + spelled(result) + " " + made + "(" + (params.empty() ? "void" : params) +
               ") { " + (isVoid ? "" : "return ") + name + "(" + passed + "); }";
    }

    std::string variable(CXCursor c, const std::string& name) {
        if (clang_getCursorTLSKind(c) != CXTLS_None) throw Unmapped{"a variable of each thread"};
        CXType type = clang_getCursorType(c);
        std::string made = unique_ + name;
        if (type.kind == CXType_IncompleteArray) { // a variable of its own holds the address
            std::string pointer = types_.elements(type);
            return reached(name, pointer, made) + "const volatile void* " + made + " = " + name + ";";
        }
        std::string written = types_.ofValue(type);
        if (clang_Cursor_getStorageClass(c) != CX_SC_Static)
            return raw(name) + " : " + written + " extern" + symbol(c, name) + ";";
        if (std::string value = constantOf(c); !value.empty()) return raw(name) + " : " + written + " : " + value + ";";
        return reached(name, written, made) + "extern __typeof__(" + name + ") " + made + " __attribute__((alias(\"" +
               name + "\")));";
    }

    /// A variable that only code of C can name: what follows is the C that gives the symbol `made` to it.
    static std::string reached(const std::string& name, const std::string& type, const std::string& made) {
        return raw(name) + " : " + type + " extern \"" + made + "\";\n//c " + name + " __attribute__((weak)) ";
    }

    /// `asm("…")` behind a declaration gives it another symbol.
    static std::string symbol(CXCursor c, const std::string& name) {
        std::string linked = text(clang_Cursor_getMangling(c));
        return linked.empty() || linked == name ? "" : " \"" + linked + "\"";
    }

    void constants(CXCursor c) {
        forEachChild(c, [&](CXCursor value) {
            if (value.kind != CXCursor_EnumConstantDecl) return true;
            std::string name = spelling(value);
            once(name, [&] {
                long long number = clang_getEnumConstantDeclValue(value);
                return raw(name) + " :: " + (number == INT64_MIN ? "i64.min" : std::to_string(number)) + ";";
            });
            return true;
        });
    }

    /// The constants of enums that are written between the members of a struct or union: C has no scope for them.
    void constantsWithin(CXCursor record) {
        forEachChild(record, [&](CXCursor c) {
            if (c.kind == CXCursor_EnumDecl) constants(c);
            if (c.kind == CXCursor_StructDecl || c.kind == CXCursor_UnionDecl) constantsWithin(c);
            return true;
        });
    }

    std::string alias(CXCursor c, const std::string& name) {
        std::string type = types_.of(clang_getTypedefDeclUnderlyingType(c));
        if (types_.hasDeclared(name)) return ""; // the struct has this name
        bool isFunction = type[0] == '(';        // `NAME :: (…` would be a function
        return raw(name) + (isFunction ? " : Type : " : " :: ") + type + ";";
    }

    bool system_;
    std::string unique_;
    Types types_;
    std::set<std::string> seen_;
    std::string text_;
};

std::string messages(CXTranslationUnit unit, const std::string& main) {
    std::string all;
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); ++i) {
        std::unique_ptr<void, void (*)(CXDiagnostic)> diagnostic(clang_getDiagnostic(unit, i), clang_disposeDiagnostic);
        if (clang_getDiagnosticSeverity(diagnostic.get()) < CXDiagnostic_Error) continue;
        std::string line = text(
            clang_formatDiagnostic(diagnostic.get(), CXDiagnostic_DisplaySourceLocation | CXDiagnostic_DisplayColumn));
        // The file that includes all others is nobody's.
        if (line.compare(0, main.size(), main) == 0)
            if (size_t at = line.find("error: "); at != std::string::npos) line = line.substr(line.find(' ', at) + 1);
        all += line + "\n";
    }
    return all;
}

/// Headers that are parsed as if one file included them all.
class HeaderUnit {
public:
    HeaderUnit(const std::vector<std::string>& headers, const std::vector<std::string>& options) {
        for (const std::string& header : headers) {
            includes_ += "#include \"" + header + "\"\n";
            hasSystem_ |= header.empty() || header[0] != '/';
        }
        for (const std::string& option : options) arguments_.push_back(option.c_str());
    }
    ~HeaderUnit() { clang_disposeIndex(index_); }
    HeaderUnit(const HeaderUnit&) = delete;

    /// Null if the options are no good.
    CXTranslationUnit parse(const std::string& more, unsigned how) const {
        std::string content = includes_ + more;
        CXUnsavedFile file{Main, content.data(), content.size()};
        CXTranslationUnit unit = nullptr;
        CXErrorCode failed =
            clang_parseTranslationUnit2(index_, Main, arguments_.data(), static_cast<int>(arguments_.size()), &file, 1,
                                        CXTranslationUnit_SkipFunctionBodies | how, &unit);
        return failed == CXError_Success ? unit : nullptr;
    }
    bool hasSystem() const { return hasSystem_; }
    /// What no other set of headers and options has.
    std::string uniquePrefix() const {
        uint64_t hash = 14695981039346656037u; // FNV-1a
        std::string all = includes_;
        for (const char* argument : arguments_) all += std::string(argument) + "\n";
        for (char c : all) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
        return "sx_inline_" + std::to_string(hash) + "_";
    }

    static constexpr const char* Main = "sx-headers.c";

private:
    CXIndex index_ = clang_createIndex(0, 0);
    std::string includes_;
    std::vector<const char*> arguments_{"-x", "c", "-ferror-limit=0"};
    bool hasSystem_ = false;
};

} // namespace

/// The names of the macros that options define.
static std::set<std::string> definedBy(const std::vector<std::string>& options) {
    std::set<std::string> names;
    bool isNext = false; // `-D NAME` may be two words
    for (const std::string& option : options) {
        std::string definition = isNext ? option : option.compare(0, 2, "-D") == 0 ? option.substr(2) : "";
        isNext = option == "-D";
        if (!definition.empty()) names.insert(definition.substr(0, definition.find('=')));
    }
    return names;
}

HeaderText readHeaders(const std::vector<std::string>& headers, const std::vector<std::string>& options) {
    HeaderUnit all(headers, options);
    CXTranslationUnit unit = all.parse("", CXTranslationUnit_DetailedPreprocessingRecord);
    HeaderText result;
    if (!unit) {
        result.text = "the headers cannot be parsed with these flags\n";
        return result;
    }
    result.text = messages(unit, HeaderUnit::Main);
    result.ok = result.text.empty();
    if (result.ok) {
        MacroTexts macros = readMacros(unit, all.hasSystem(), definedBy(options), [&](const std::string& more) {
            return all.parse(more, CXTranslationUnit_None);
        });
        Collector collector(all.hasSystem(), all.uniquePrefix());
        result.text = collector.run(clang_getTranslationUnitCursor(unit), macros);
        if (result.text.find("\n//c ") != std::string::npos) {
            for (const std::string& header : headers) result.text += "//h " + header + "\n";
            for (const std::string& option : options) result.text += "//o " + option + "\n";
        }
    }
    clang_disposeTranslationUnit(unit);
    return result;
}

} // namespace sx::cimport
