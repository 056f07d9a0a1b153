// The members of C structs and unions as the language writes them, each where C places it.
#pragma once

#include "cimport/Clang.h"

#include <functional>
#include <string>

namespace sx::cimport {

/// What a struct or union of C comes to.
struct RecordText {
    std::string kind;    ///< `struct` or `union`
    std::string members; ///< with the accessors of what has no member of its own: bit-fields, arrays of open length
    bool isExact = true; ///< passing it by value is what C does
};

/// What `readRecord` asks of types. All may throw `Unmapped`.
struct MemberTypes {
    std::function<std::string(CXType)> written;    ///< of a member
    std::function<bool(CXType)> isExact;           ///< false: a struct that cannot be passed by value
    std::function<std::string(CXType)> pointer;    ///< to elements of this type
    std::function<std::string(long long)> aligned; ///< a type of this alignment in bytes, and of no larger size
};

/// The members of the complete struct or union `type`, which the program calls `name`. Throws `Unmapped` where there is
/// no way to place them.
RecordText readRecord(CXType type, const std::string& name, const MemberTypes&);

} // namespace sx::cimport
