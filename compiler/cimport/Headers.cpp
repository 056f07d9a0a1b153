#include "cimport/Headers.h"

#include "cimport/Types.h"

#include <memory>

namespace sx::cimport {

namespace {

/// Collects the declarations of one translation unit.
class Collector {
public:
    /// `system`: those of the system's headers as well.
    explicit Collector(bool system) : system_(system) {}

    std::string run(CXCursor unit) {
        forEachChild(unit, [&](CXCursor c) {
            if (c.kind == CXCursor_FunctionDecl || c.kind == CXCursor_VarDecl) types_.reserve(spelling(c));
            return true;
        });
        forEachChild(unit, [&](CXCursor c) {
            if (system_ || !clang_Location_isInSystemHeader(clang_getCursorLocation(c))) declaration(c);
            return true;
        });
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
            return;
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
        if (clang_Cursor_getStorageClass(c) == CX_SC_Static || clang_Cursor_isFunctionInlined(c))
            throw Unmapped{"an inline function"};
        CXType type = clang_getCursorType(c);
        std::string params;
        int count = clang_Cursor_getNumArguments(c);
        for (int i = 0; i < count; ++i) {
            CXCursor param = clang_Cursor_getArgument(c, static_cast<unsigned>(i));
            std::string called = spelling(param);
            params += (i > 0 ? ", " : "") + (called.empty() ? "_" : raw(called)) + ": " +
                      types_.ofValue(clang_getArgType(type, static_cast<unsigned>(i))); // arrays are pointers there
        }
        if (clang_Cursor_isVariadic(c) && type.kind == CXType_FunctionProto)
            params += (count > 0 ? ", " : "") + std::string("..`rest: []any");
        return raw(name) + " :: (" + params + ") -> " + types_.ofValue(clang_getResultType(type)) + " extern" +
               symbol(c, name) + ";";
    }

    std::string variable(CXCursor c, const std::string& name) {
        if (clang_getCursorTLSKind(c) != CXTLS_None) throw Unmapped{"a variable of each thread"};
        if (clang_Cursor_getStorageClass(c) == CX_SC_Static) throw Unmapped{"a static variable"};
        CXType type = clang_getCursorType(c);
        if (type.kind == CXType_IncompleteArray) throw Unmapped{"an array of unknown length"};
        return raw(name) + " : " + types_.ofValue(type) + " extern" + symbol(c, name) + ";";
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

    std::string alias(CXCursor c, const std::string& name) {
        std::string type = types_.of(clang_getTypedefDeclUnderlyingType(c));
        if (types_.hasDeclared(name)) return ""; // the struct has this name
        bool isFunction = type[0] == '(';        // `NAME :: (…` would be a function
        return raw(name) + (isFunction ? " : Type : " : " :: ") + type + ";";
    }

    bool system_;
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

} // namespace

HeaderText readHeaders(const std::vector<std::string>& headers, const std::vector<std::string>& options) {
    const std::string main = "sx-headers.c";
    std::string includes;
    bool system = false;
    for (const std::string& header : headers) {
        includes += "#include \"" + header + "\"\n";
        system |= header.empty() || header[0] != '/';
    }
    std::vector<const char*> arguments{"-x", "c"};
    for (const std::string& option : options) arguments.push_back(option.c_str());
    CXUnsavedFile file{main.c_str(), includes.data(), includes.size()};
    CXIndex index = clang_createIndex(0, 0);
    CXTranslationUnit unit = nullptr;
    CXErrorCode failed =
        clang_parseTranslationUnit2(index, main.c_str(), arguments.data(), static_cast<int>(arguments.size()), &file, 1,
                                    CXTranslationUnit_SkipFunctionBodies, &unit);
    HeaderText result;
    if (failed != CXError_Success) result.text = "the headers cannot be parsed with these flags\n";
    else result.text = messages(unit, main);
    result.ok = result.text.empty();
    if (result.ok) result.text = Collector(system).run(clang_getTranslationUnitCursor(unit));
    if (unit) clang_disposeTranslationUnit(unit);
    clang_disposeIndex(index);
    return result;
}

} // namespace sx::cimport
