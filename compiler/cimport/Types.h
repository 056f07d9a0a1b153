// C types as types of the language (docs/c-interface.md has the table).
#pragma once

#include "cimport/Clang.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace sx::cimport {

/// Why something of C has no form in the language.
struct Unmapped {
    std::string reason;
};

class Types {
public:
    /// The type as a program writes it; where it has no form throws Unmapped. Structs and unions that it mentions are
    /// declared with the rest.
    std::string of(CXType);
    /// The type of a value that is passed or returned: structs and unions have to be known in full.
    std::string ofValue(CXType);
    /// The type of a parameter: arrays and lists of variable arguments are pointers there.
    std::string ofParameter(CXType);
    /// How the elements of an array are reached whose length is not known.
    std::string elements(CXType array) { return pointer(clang_getArrayElementType(array), true); }
    /// Names of functions and variables: a struct of the same name gets another one.
    void reserve(const std::string& name) { reserved_.insert(name); }
    /// A header declares the name by which the language's vectors go.
    void hideVectors() { hasVectors_ = false; }
    /// The declarations of all structs and unions that were mentioned, one a line.
    std::string declarations() const;
    bool hasDeclared(const std::string& name) const { return names_.count(name) != 0; }

private:
    /// How a struct or union came out.
    struct Record {
        std::string name;
        std::string declaration;
        bool isWhole = false; ///< its members are known, so it can be passed by value
        bool isSized = false; ///< it takes the room that C gives it
    };

    std::string ofMember(CXType);
    std::string pointer(CXType pointee, bool isMany = false);
    std::string function(CXType);
    Record& record(CXCursor declaration);
    void fill(Record&, CXType);
    /// A type of this alignment in bytes and of no larger size. More than integers have only vectors.
    std::string aligned(long long align) const;
    bool canAlign(long long align) const { return align <= LargestWord || (align <= CacheLine && hasVectors_); }
    std::string opaque(CXType) const;
    /// The name that stands for a struct or union. No ordinary declaration of C has it.
    std::string nameOf(CXCursor declaration);

    std::map<std::string, Record> records_; ///< by what libclang calls the declaration
    std::vector<std::string> order_;        ///< of `records_`
    std::set<std::string> reserved_, names_;
    bool hasVectors_ = true;
    static constexpr long long LargestWord = 8, CacheLine = 64;
};

/// An identifier that is no keyword and no builtin type, whatever its spelling.
inline std::string raw(const std::string& name) { return "`" + name; }

} // namespace sx::cimport
