#include "cimport/Types.h"

#include "cimport/Records.h"

namespace sx::cimport {

namespace {

/// Types of the standard headers whose meaning is more than the integer behind them; "" for others.
std::string wellKnown(const std::string& name) {
    if (name == "size_t" || name == "uintptr_t") return "usize";
    if (name == "ssize_t" || name == "ptrdiff_t" || name == "intptr_t") return "isize";
    return "";
}

bool isVaList(const std::string& name) { return name == "va_list" || name == "__builtin_va_list"; }

CXType withoutSugar(CXType type) { return type.kind == CXType_Elaborated ? clang_Type_getNamedType(type) : type; }

std::string integer(CXType type, bool isSigned) {
    return (isSigned ? "i" : "u") + std::to_string(clang_Type_getSizeOf(type) * 8);
}

bool isCharacter(CXTypeKind kind) { return kind == CXType_Char_S || kind == CXType_Char_U || kind == CXType_UChar; }

bool isRecord(CXType canonical) { return canonical.kind == CXType_Record; }

} // namespace

std::string Types::of(CXType type) {
    for (CXType step = withoutSugar(type); step.kind == CXType_Typedef;
         step = withoutSugar(clang_getTypedefDeclUnderlyingType(clang_getTypeDeclaration(step)))) {
        std::string name = spelling(clang_getTypeDeclaration(step));
        if (isVaList(name)) throw Unmapped{"a `va_list` by value"};
        if (std::string known = wellKnown(name); !known.empty()) return known;
    }
    CXType canonical = clang_getCanonicalType(type);
    switch (canonical.kind) {
    case CXType_Void: return "void";
    case CXType_Bool: return "bool";
    case CXType_Char_S:
    case CXType_SChar:
    case CXType_Short:
    case CXType_Int:
    case CXType_Long:
    case CXType_LongLong:
    case CXType_WChar: return integer(canonical, true);
    case CXType_Char_U:
    case CXType_UChar:
    case CXType_UShort:
    case CXType_UInt:
    case CXType_ULong:
    case CXType_ULongLong: return integer(canonical, false);
    case CXType_Float: return "f32";
    case CXType_Double: return "f64";
    case CXType_Enum: return integer(canonical, true); // an `int` to those who name its constants
    case CXType_Pointer: return pointer(clang_getPointeeType(canonical));
    case CXType_ConstantArray:
        return "[" + std::to_string(clang_getArraySize(canonical)) + "]" + of(clang_getArrayElementType(canonical));
    case CXType_Record: return raw(record(clang_getTypeDeclaration(canonical)).name);
    case CXType_FunctionProto:
    case CXType_FunctionNoProto: return function(canonical);
    default: throw Unmapped{"the type `" + text(clang_getTypeSpelling(type)) + "`"};
    }
}

std::string Types::ofValue(CXType type) {
    CXType canonical = clang_getCanonicalType(type);
    std::string written = of(type);
    if (isRecord(canonical) && !record(clang_getTypeDeclaration(canonical)).isWhole)
        throw Unmapped{"the type `" + text(clang_getTypeSpelling(type)) + "` by value"};
    return written;
}

std::string Types::ofParameter(CXType type) {
    for (CXType step = withoutSugar(type); step.kind == CXType_Typedef;
         step = withoutSugar(clang_getTypedefDeclUnderlyingType(clang_getTypeDeclaration(step))))
        if (isVaList(spelling(clang_getTypeDeclaration(step)))) return "*void"; // the address of its state
    CXType canonical = clang_getCanonicalType(type);
    bool isArray = canonical.kind == CXType_ConstantArray || canonical.kind == CXType_IncompleteArray ||
                   canonical.kind == CXType_VariableArray;
    if (!isArray) return ofValue(type);
    CXType element = clang_getArrayElementType(type); // with its qualifiers, which the canonical type loses
    return pointer(element.kind == CXType_Invalid ? clang_getArrayElementType(canonical) : element);
}

std::string Types::ofMember(CXType type) {
    CXType element = type;
    while (element.kind == CXType_ConstantArray) element = clang_getArrayElementType(element);
    CXType canonical = clang_getCanonicalType(element);
    std::string written = of(type);
    if (isRecord(canonical) && !record(clang_getTypeDeclaration(canonical)).isSized)
        throw Unmapped{"the type `" + text(clang_getTypeSpelling(type)) + "` by value"};
    return written;
}

/// Behind a pointer: one struct, text, or any number of something else. `isMany`: there are many of them.
std::string Types::pointer(CXType pointee, bool isMany) {
    bool isConst = clang_isConstQualifiedType(pointee);
    CXType canonical = clang_getCanonicalType(pointee);
    if (canonical.kind == CXType_FunctionProto || canonical.kind == CXType_FunctionNoProto) return of(canonical);
    if (canonical.kind == CXType_Void) return "*void";
    if (canonical.kind == CXType_Char_S || canonical.kind == CXType_Char_U) return isConst ? "cstring" : "[*]u8";
    if (isCharacter(canonical.kind)) return "[*]u8";
    if (isRecord(canonical) && spelling(clang_getTypeDeclaration(canonical)) == "__va_list_tag") return "*void";
    try {
        bool isOne = isRecord(canonical) && !isMany;
        return (isOne ? "*" : "[*]") + of(pointee);
    } catch (const Unmapped&) {
        return "*void"; // an address can be handed on, whatever is there
    }
}

std::string Types::function(CXType type) {
    if (clang_isFunctionTypeVariadic(type) && type.kind == CXType_FunctionProto) return "*void";
    std::string params;
    for (int i = 0; i < clang_getNumArgTypes(type); ++i)
        params += (i > 0 ? ", " : "") + ofParameter(clang_getArgType(type, static_cast<unsigned>(i)));
    return "(" + params + ") -> " + ofValue(clang_getResultType(type)) + " abi(.c)";
}

std::string Types::nameOf(CXCursor declaration) {
    std::string name = clang_Cursor_isAnonymous(declaration) ? "" : spelling(declaration);
    // `typedef struct { … } name;`: libclang calls the struct by the name of the alias, or by a text with its place.
    if (name.find_first_of(" (") != std::string::npos) name.clear();
    if (name.empty()) name = "unnamed_" + std::to_string(records_.size());
    while (reserved_.count(name) || names_.count(name)) name = "struct_" + name;
    return name;
}

Types::Record& Types::record(CXCursor declaration) {
    std::string key = text(clang_getCursorUSR(declaration));
    auto [at, isNew] = records_.try_emplace(key);
    Record& made = at->second;
    if (!isNew) return made;
    made.name = nameOf(declaration);
    names_.insert(made.name);
    order_.push_back(key);
    fill(made, clang_getCursorType(declaration));
    return made;
}

std::string Types::aligned(long long align) const {
    if (!canAlign(align)) throw Unmapped{"its alignment"};
    if (align <= LargestWord) return "u" + std::to_string(align * 8);
    return "Vector(" + std::to_string(align) + ", u8)";
}

/// Bytes that no one looks into, of the size and alignment of the C type.
std::string Types::opaque(CXType type) const {
    long long size = clang_Type_getSizeOf(type), align = clang_Type_getAlignOf(type);
    if (size <= 0 || align <= 0 || !canAlign(align)) return " ";
    return " bytes: [" + std::to_string(size / align) + "]" + aligned(align) + "; ";
}

void Types::fill(Record& made, CXType type) {
    RecordText text{"struct", "", false};
    MemberTypes ask;
    ask.written = [this](CXType t) { return ofMember(t); };
    ask.pointer = [this](CXType t) { return pointer(t, true); };
    ask.aligned = [this](long long align) { return aligned(align); };
    ask.isExact = [this](CXType t) {
        while (t.kind == CXType_ConstantArray) t = clang_getArrayElementType(t);
        CXType canonical = clang_getCanonicalType(t);
        return !isRecord(canonical) || clang_Type_getSizeOf(t) == 0 ||
               record(clang_getTypeDeclaration(canonical)).isWhole;
    };
    try {
        if (clang_Type_getSizeOf(type) < 0) throw Unmapped{"nothing but a name"};
        made.isWhole = made.isSized = true; // as seen from pointers in it
        text = readRecord(type, made.name, ask);
    } catch (const Unmapped&) { text.members = opaque(type); }
    made.isWhole = text.isExact && clang_Type_getSizeOf(type) > 0; // GNU C has structs without members: none is passed
    made.isSized = clang_Type_getSizeOf(type) >= 0 && canAlign(clang_Type_getAlignOf(type));
    made.declaration = raw(made.name) + " :: " + text.kind + " {" + text.members + "}";
}

std::string Types::declarations() const {
    std::string all;
    for (const std::string& key : order_) all += records_.at(key).declaration + "\n";
    return all;
}

} // namespace sx::cimport
