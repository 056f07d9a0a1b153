#include "cimport/Types.h"

#include <algorithm>

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
        if (isVaList(name)) throw Unmapped{"a `va_list`"};
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

/// Behind a pointer: one struct, text, or any number of something else.
std::string Types::pointer(CXType pointee) {
    bool isConst = clang_isConstQualifiedType(pointee);
    CXType canonical = clang_getCanonicalType(pointee);
    if (canonical.kind == CXType_FunctionProto || canonical.kind == CXType_FunctionNoProto) return of(canonical);
    if (canonical.kind == CXType_Void) return "*void";
    if (canonical.kind == CXType_Char_S || canonical.kind == CXType_Char_U) return isConst ? "cstring" : "[*]u8";
    if (isCharacter(canonical.kind)) return "[*]u8";
    try {
        bool isOne = isRecord(canonical) || canonical.kind == CXType_ConstantArray;
        return (isOne ? "*" : "[*]") + of(pointee);
    } catch (const Unmapped&) {
        return "*void"; // an address can be handed on, whatever is there
    }
}

std::string Types::function(CXType type) {
    if (clang_isFunctionTypeVariadic(type) && type.kind == CXType_FunctionProto) return "*void";
    std::string params;
    for (int i = 0; i < clang_getNumArgTypes(type); ++i)
        params += (i > 0 ? ", " : "") + ofValue(clang_getArgType(type, static_cast<unsigned>(i)));
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

namespace {

/// Follows the members of a struct or union as the language will place them.
class Placement {
public:
    explicit Placement(bool isUnion) : isUnion_(isUnion) {}

    /// Where a member of this type goes, in bytes.
    long long add(long long size, long long align) {
        if (isUnion_) {
            end_ = std::max(end_, size);
            align_ = std::max(align_, align);
            return 0;
        }
        long long at = (end_ + align - 1) / align * align;
        end_ = at + size;
        align_ = std::max(align_, align);
        return at;
    }
    long long size() const { return (end_ + align_ - 1) / align_ * align_; }

private:
    bool isUnion_;
    long long end_ = 0, align_ = 1;
};

/// Bytes that no one looks into, of the size and alignment of the C type.
std::string opaque(CXType type) {
    long long size = clang_Type_getSizeOf(type), align = clang_Type_getAlignOf(type);
    if (size <= 0 || align <= 0 || align > 8) return " ";
    return " bytes: [" + std::to_string(size / align) + "]u" + std::to_string(align * 8) + "; ";
}

struct Member {
    std::string name;
    CXCursor cursor;
};

std::vector<Member> membersOf(CXType type) {
    std::vector<Member> members;
    auto visit = [](CXCursor field, CXClientData data) {
        static_cast<std::vector<Member>*>(data)->push_back({spelling(field), field});
        return CXVisit_Continue;
    };
    clang_Type_visitFields(type, visit, &members);
    return members;
}

} // namespace

/// Throws where the language would place a member elsewhere than C does, or has no such member.
std::string Types::members(CXType type) {
    bool isUnion = clang_getTypeDeclaration(type).kind == CXCursor_UnionDecl;
    Placement placement(isUnion);
    std::string written = " ";
    for (const Member& member : membersOf(type)) {
        CXType of = clang_getCursorType(member.cursor);
        if (of.kind == CXType_IncompleteArray) continue; // it begins where the struct ends
        long long size = clang_Type_getSizeOf(of), align = clang_Type_getAlignOf(of);
        bool fits = !clang_Cursor_isBitField(member.cursor) && !member.name.empty() && size > 0 && align > 0 &&
                    placement.add(size, align) * 8 == clang_Cursor_getOffsetOfField(member.cursor);
        if (!fits) throw Unmapped{"a member"};
        written += raw(member.name) + ": " + ofValue(of) + "; ";
    }
    if (placement.size() != clang_Type_getSizeOf(type)) throw Unmapped{"its size"};
    return written;
}

void Types::fill(Record& made, CXType type) {
    const char* kind = clang_getTypeDeclaration(type).kind == CXCursor_UnionDecl ? " :: union {" : " :: struct {";
    std::string content;
    try {
        if (clang_Type_getSizeOf(type) <= 0) throw Unmapped{"nothing but a name"};
        made.isWhole = true; // as seen from pointers in it
        content = members(type);
    } catch (const Unmapped&) {
        made.isWhole = false;
        kind = " :: struct {";
        content = opaque(type);
    }
    made.declaration = raw(made.name) + kind + content + "}";
}

std::string Types::declarations() const {
    std::string all;
    for (const std::string& key : order_) all += records_.at(key).declaration + "\n";
    return all;
}

} // namespace sx::cimport
