// The types that generated programs use, and how they are spelled.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace fuzz {

enum class Kind { Int, Float, Bool, String, Enum, Flags, Union, Struct, Array, Slice, Optional, Tuple, Closure, Error };

struct Type;
using TypeRef = const Type*;

/// A field, a variant (no type: no payload), an element of a tuple, a parameter of a closure.
struct Field {
    std::string name;
    TypeRef type = nullptr;
    std::string value; ///< its default; empty: none
};

struct Type {
    explicit Type(Kind k, std::string spelled) : kind(k), name(std::move(spelled)) {}

    Kind kind;
    std::string name; ///< as a program spells it
    int width = 0;    ///< Int, Float: bits
    bool isSigned = false;
    std::vector<Field> fields;
    TypeRef element = nullptr; ///< Array, Slice, Optional; result of a Closure
    int count = 0;             ///< Array: its length
    unsigned tags = 0;         ///< Error: the tags, as bits

    bool is(Kind k) const { return kind == k; }
    bool integer() const { return kind == Kind::Int; }
    bool number() const { return kind == Kind::Int || kind == Kind::Float; }
    /// The largest value of an integer type, at most 2^62.
    long long max() const;
    /// The smallest value of an integer type, at least -2^62.
    long long min() const;
};

/// Whether `==` is defined (and means the value, not an address).
bool comparable(TypeRef t);
/// How many scalars a value of the type holds: a measure of the code that handles one.
int weight(TypeRef t);

/// Owns types; structural ones are made once.
class Types {
public:
    TypeRef integer(int width, bool isSigned);
    TypeRef floating(int width);
    TypeRef boolean();
    TypeRef text();
    TypeRef array(int count, TypeRef element);
    TypeRef slice(TypeRef element);
    TypeRef optional(TypeRef element);
    TypeRef tuple(const std::vector<TypeRef>& elements);
    TypeRef closure(const std::vector<TypeRef>& parameters, TypeRef result);
    /// A type that the program declares.
    TypeRef declared(Type t) { return intern(std::move(t)); }

private:
    TypeRef intern(Type t);
    std::vector<std::unique_ptr<Type>> types_;
};

} // namespace fuzz
