// Members of messages with a default where they are missing or of another type:
// what an adapter sends is not checked further.
#pragma once

#include "llvm/Support/JSON.h"

#include <string>

namespace sx::terminal {

using llvm::json::Array;
using llvm::json::Object;

inline std::string textOf(const Object& o, llvm::StringRef name) { return o.getString(name).value_or("").str(); }

inline int64_t numberOf(const Object& o, llvm::StringRef name, int64_t otherwise = 0) {
    return o.getInteger(name).value_or(otherwise);
}

/// The objects of a list; anything else in it is left out.
inline std::vector<const Object*> objectsOf(const Object& o, llvm::StringRef name) {
    std::vector<const Object*> all;
    if (const Array* list = o.getArray(name))
        for (const llvm::json::Value& v : *list)
            if (const Object* element = v.getAsObject()) all.push_back(element);
    return all;
}

} // namespace sx::terminal
