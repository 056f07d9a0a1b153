#include "cimport/Records.h"

#include "cimport/Types.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sx::cimport {

namespace {

/// Where the next member of a struct goes when the language places it. Sizes and offsets are in bytes.
class Placement {
public:
    long long end() const { return end_; }
    long long align() const { return align_; }
    long long next(long long align) const { return (end_ + align - 1) / align * align; }
    long long size() const { return next(align_); }
    void add(long long size, long long align) {
        end_ = next(align) + size;
        align_ = std::max(align_, align);
    }

private:
    long long end_ = 0, align_ = 1;
};

std::vector<CXCursor> fieldsOf(CXType type) {
    std::vector<CXCursor> fields;
    auto visit = [](CXCursor field, CXClientData data) {
        static_cast<std::vector<CXCursor>*>(data)->push_back(field);
        return CXVisit_Continue;
    };
    clang_Type_visitFields(type, visit, &fields);
    return fields;
}

bool isUnion(CXType type) { return clang_getTypeDeclaration(type).kind == CXCursor_UnionDecl; }

/// `struct { … };` without a name: what is in it belongs to the struct around it.
bool isAnonymous(CXCursor field) {
    std::string name = spelling(field);
    bool isNamed = !name.empty() && name.find_first_of(" (") == std::string::npos;
    return !isNamed && clang_getCanonicalType(clang_getCursorType(field)).kind == CXType_Record;
}

std::string number(long long n) { return std::to_string(n); }

class Reader {
public:
    Reader(const std::string& name, const MemberTypes& types) : self_("self: *" + raw(name)), types_(types) {}

    RecordText read(CXType type) {
        RecordText result;
        if (isUnion(type)) {
            result.kind = "union";
            result.members = unionMembers(type, 0) + unionAligner(type);
            if (!accessors_.empty()) { // a union has no properties, a struct around one has
                result.kind = "struct";
                result.members = " _: union {" + result.members + "}; ";
            }
        } else {
            result.kind = "struct";
            try {
                result.members = structBody(type, 0);
            } catch (const Unmapped&) {
                accessors_.clear();
                result.members = packedBody(type);
            }
        }
        result.members += accessors_;
        result.isExact = isExact_;
        return result;
    }

private:
    /// All of a struct that begins at `base` of the outermost one.
    std::string structBody(CXType type, long long base) {
        Placement at;
        std::string text = " " + structMembers(type, base, 0, at);
        long long size = clang_Type_getSizeOf(type), align = clang_Type_getAlignOf(type);
        if (align > at.align()) text += aligner(align, at);
        text += fill(std::max(at.end(), bitsEnd_ - base), at);
        bitsEnd_ = 0;
        if (at.size() != size || at.align() != align) throw Unmapped{"its size"};
        return text;
    }

    /// The members of a struct that begins `within` bytes after where `at` has begun.
    std::string structMembers(CXType type, long long base, long long within, Placement& at) {
        std::string text;
        for (CXCursor field : fieldsOf(type)) {
            CXType of = clang_getCursorType(field);
            long long bits = clang_Cursor_getOffsetOfField(field);
            if (bits < 0) throw Unmapped{"a member"};
            if (clang_Cursor_isBitField(field)) {
                bitField(field, base + within, bits);
                long long past = bits + clang_getFieldDeclBitWidth(field) + 7;
                bitsEnd_ = std::max(bitsEnd_, base + within + past / 8);
                continue;
            }
            long long offset = within + bits / 8;
            if (isOpen(of)) {
                openArray(field, base + offset);
                continue;
            }
            long long size = clang_Type_getSizeOf(of), align = clang_Type_getAlignOf(of);
            if (size < 0 || align <= 0) throw Unmapped{"a member"};
            text += reach(offset, align, base, at);
            bool isInside = isAnonymous(field);
            if (isInside && !isUnion(of)) {
                text += structMembers(of, base, offset, at);
                text += fill(offset + size, at);
                continue;
            }
            text += isInside ? "_: union {" + unionMembers(of, base + offset) + "}; " : member(field);
            at.add(size, align);
        }
        return text;
    }

    std::string unionMembers(CXType type, long long base) {
        std::string text = " ";
        for (CXCursor field : fieldsOf(type)) {
            CXType of = clang_getCursorType(field);
            if (clang_Cursor_isBitField(field)) {
                bitField(field, base, 0);
                text += "bits_" + number(++filled_) + ": u" + number(clang_Type_getSizeOf(of) * 8) + "; ";
            } else if (isOpen(of)) {
                openArray(field, base);
            } else if (!isAnonymous(field)) {
                text += member(field);
            } else if (isUnion(of)) {
                text += unionMembers(of, base);
            } else {
                long long outer = std::exchange(bitsEnd_, 0);
                text += "struct {" + structBody(of, base) + "}; ";
                bitsEnd_ = outer;
            }
        }
        return text;
    }

    /// A union that an attribute aligns: an arm without bytes, which makes it as large as C does.
    std::string unionAligner(CXType type) {
        Placement members;
        for (CXCursor field : fieldsOf(type)) {
            CXType of = clang_getCursorType(field);
            long long size = isOpen(of) ? 0 : clang_Type_getSizeOf(of);
            members.add(std::max(0LL, size), std::max(1LL, isOpen(of) ? 1 : clang_Type_getAlignOf(of)));
        }
        Placement at;
        long long align = clang_Type_getAlignOf(type);
        return align > members.align() ? aligner(align, at) : "";
    }

    std::string member(CXCursor field) {
        CXType of = clang_getCursorType(field);
        std::string name = spelling(field);
        if (name.empty()) throw Unmapped{"a member"};
        std::string text = raw(name) + ": " + types_.written(of) + "; ";
        isExact_ &= types_.isExact(of);
        return text;
    }

    // ---- members where the language places none

    /// Bytes, with functions for what is in them.
    std::string packedBody(CXType type) {
        long long size = clang_Type_getSizeOf(type), align = clang_Type_getAlignOf(type);
        isExact_ = false;
        packedMembers(type, 0);
        return " bytes: [" + number(size / align) + "]" + types_.aligned(align) + "; ";
    }

    void packedMembers(CXType type, long long base) {
        for (CXCursor field : fieldsOf(type)) {
            CXType of = clang_getCursorType(field), canonical = clang_getCanonicalType(of);
            long long bits = clang_Cursor_getOffsetOfField(field);
            if (bits < 0) throw Unmapped{"a member"};
            long long offset = base + bits / 8;
            if (clang_Cursor_isBitField(field)) bitField(field, base, bits);
            else if (isAnonymous(field)) packedMembers(of, offset);
            else if (canonical.kind == CXType_ConstantArray) openArray(field, offset);
            else packedMember(spelling(field), types_.written(of), canonical.kind == CXType_Record, offset);
        }
    }

    /// A struct is reached through its address.
    void packedMember(const std::string& name, const std::string& type, bool isRecord, long long offset) {
        std::string place = "p : *" + type + " = " + address(offset) + "; ";
        access(name, (isRecord ? "*" : "") + type, place + (isRecord ? "return p; " : "return p.*; "));
        if (!isRecord) accessors_ += raw(name) + " :: (" + self_ + ", v: " + type + ") #set { " + place + "p.* = v; } ";
    }

    // ---- room between members

    /// What stands between here and a member that C places at `offset`.
    std::string reach(long long offset, long long align, long long base, Placement& at) {
        std::string text = fill(std::min(offset, bitsEnd_ - base), at);
        if (at.next(align) != offset) text += fill(offset, at);
        if (at.next(align) != offset) throw Unmapped{"a member"};
        return text;
    }

    /// Bytes that no one looks into, up to `end`.
    std::string fill(long long end, Placement& at) {
        long long count = end - at.end();
        if (count <= 0) return "";
        at.add(count, 1);
        return hidden() + "[" + number(count) + "]u8; ";
    }

    /// Nothing but an alignment: that of the type of a bit-field, or one that an attribute gives.
    std::string aligner(long long align, Placement& at) {
        at.add(0, align);
        isExact_ &= align <= 16; // where the stack is not aligned so, no argument is
        return hidden() + "[0]" + types_.aligned(align) + "; ";
    }

    std::string hidden() { return "bits_" + number(++filled_) + ": "; }

    // ---- what is reached by functions

    static bool isOpen(CXType type) {
        return type.kind == CXType_IncompleteArray ||
               (type.kind == CXType_ConstantArray && clang_getArraySize(type) == 0);
    }

    void access(const std::string& name, const std::string& type, const std::string& body) {
        accessors_ += raw(name) + " :: (" + self_ + ") -> " + type + " #get { " + body + "} ";
    }

    std::string address(long long offset) const { return "xx (self.(usize) + " + number(offset) + ")"; }

    void openArray(CXCursor field, long long offset) {
        CXType element = clang_getArrayElementType(clang_getCursorType(field));
        std::string type = types_.pointer(element);
        access(spelling(field), type, "p : " + type + " = " + address(offset) + "; return p; ");
    }

    /// `bits`: where it begins in its struct, which begins at the byte `base` of the outermost one. A comment of a line
    /// of its own says what the functions do, for debuggers (debugger/program/BitFields.cpp).
    void bitField(CXCursor field, long long base, long long bits) {
        std::string name = spelling(field);
        CXType type = clang_getCanonicalType(clang_getCursorType(field));
        if (type.kind == CXType_Enum) type = clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type));
        long long unit = clang_Type_getSizeOf(type) * 8, width = clang_getFieldDeclBitWidth(field);
        long long shift = bits % unit, byte = base + bits / unit * (unit / 8);
        if (name.empty() || width <= 0 || shift + width > unit) return;
        std::string stored = "u" + number(unit), value = types_.written(clang_getCursorType(field));
        bool isBool = value == "bool", isSigned = value[0] == 'i' && isSignedKind(type.kind);
        std::string word = "p : *" + stored + " = " + address(byte) + "; ";
        std::string got = isSigned ? "((p.* << " + number(unit - shift - width) + ").(i" + number(unit) + ") >> " +
                                         number(unit - width) + ")"
                                   : "((p.* >> " + number(shift) + ") & " + mask(width) + ")";
        accessors_ += "\n//= " + name + " " + number(byte) + " " + number(shift) + " " + number(width) +
                      (isSigned ? " signed " : " unsigned ") + value + "\n";
        access(name, value, word + "return " + got + (isBool ? " != 0; " : isSigned ? "; " : ".(" + value + "); "));
        std::string given = isBool ? "(if v then 1 else 0)" : "v.(" + stored + ")";
        accessors_ += raw(name) + " :: (" + self_ + ", v: " + value + ") #set { " + word + "w : " + stored + " = " +
                      given + "; p.* = (p.* & ~(" + mask(width) + ".(" + stored + ") << " + number(shift) +
                      ")) | ((w & " + mask(width) + ") << " + number(shift) + "); } ";
    }

    static std::string mask(long long width) { return std::to_string(width >= 64 ? ~0ULL : (1ULL << width) - 1); }

    static bool isSignedKind(CXTypeKind kind) {
        return kind == CXType_Char_S || kind == CXType_SChar || kind == CXType_Short || kind == CXType_Int ||
               kind == CXType_Long || kind == CXType_LongLong;
    }

    std::string self_;
    const MemberTypes& types_;
    std::string accessors_;
    bool isExact_ = true;
    long long bitsEnd_ = 0; ///< where the bit-fields so far end, in bytes of the outermost struct
    int filled_ = 0;
};

} // namespace

RecordText readRecord(CXType type, const std::string& name, const MemberTypes& types) {
    return Reader(name, types).read(type);
}

} // namespace sx::cimport
