#include "Types.h"

#include "Program.h"

#include <algorithm>

namespace fuzz {

long long Type::max() const {
    int bits = isSigned ? width - 1 : width;
    return bits > 62 ? 1ll << 62 : (1ll << bits) - 1;
}

long long Type::min() const { return isSigned ? std::max(-(1ll << 62), -max() - 1) : 0; }

bool comparable(TypeRef t) {
    switch (t->kind) {
    case Kind::Array:
    case Kind::Slice:
    case Kind::Closure: return false;
    case Kind::Optional: return comparable(t->element);
    case Kind::Struct:
    case Kind::Tuple:
        return std::all_of(t->fields.begin(), t->fields.end(), [](const Field& f) { return comparable(f.type); });
    default: return true;
    }
}

int weight(TypeRef t) {
    int sum = 1;
    if (t->is(Kind::Array)) return t->count * weight(t->element);
    if (t->element) sum += weight(t->element);
    for (const Field& f : t->fields) sum += f.type ? weight(f.type) : 0;
    return sum;
}

TypeRef Types::intern(Type t) {
    for (const auto& known : types_)
        if (known->name == t.name) return known.get();
    types_.push_back(std::make_unique<Type>(std::move(t)));
    return types_.back().get();
}

TypeRef Types::integer(int width, bool isSigned) {
    Type t{Kind::Int, cat(isSigned ? "i" : "u", width)};
    t.width = width;
    t.isSigned = isSigned;
    return intern(std::move(t));
}

TypeRef Types::floating(int width) {
    Type t{Kind::Float, cat("f", width)};
    t.width = width;
    return intern(std::move(t));
}

TypeRef Types::boolean() { return intern(Type(Kind::Bool, "bool")); }
TypeRef Types::text() { return intern(Type(Kind::String, "string")); }

TypeRef Types::array(int count, TypeRef element) {
    Type t{Kind::Array, cat("[", count, "]", element->name)};
    t.element = element;
    t.count = count;
    return intern(std::move(t));
}

TypeRef Types::slice(TypeRef element) {
    Type t{Kind::Slice, cat("[]", element->name)};
    t.element = element;
    return intern(std::move(t));
}

TypeRef Types::optional(TypeRef element) {
    Type t{Kind::Optional, element->is(Kind::Optional) ? cat("?(", element->name, ")") : cat("?", element->name)};
    t.element = element;
    return intern(std::move(t));
}

TypeRef Types::tuple(const std::vector<TypeRef>& elements) {
    Type t{Kind::Tuple, "Tuple("};
    for (size_t i = 0; i < elements.size(); ++i) {
        t.name += (i ? ", " : "") + elements[i]->name;
        t.fields.push_back({std::to_string(i), elements[i], ""});
    }
    t.name += ")";
    return intern(std::move(t));
}

TypeRef Types::closure(const std::vector<TypeRef>& parameters, TypeRef result) {
    Type t{Kind::Closure, "Closure("};
    for (size_t i = 0; i < parameters.size(); ++i) {
        t.name += (i ? ", " : "") + parameters[i]->name;
        t.fields.push_back({std::to_string(i), parameters[i], ""});
    }
    t.name += ") -> " + result->name;
    t.element = result;
    return intern(std::move(t));
}

} // namespace fuzz
