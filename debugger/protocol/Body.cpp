#include "debugger/protocol/Body.h"

namespace sx::debugger {

namespace {

constexpr unsigned MaxDepth = 200; ///< of nested arrays and objects: the parser recurses

/// How deep a JSON text is nested, whether it is valid or not.
unsigned nesting(std::string_view text) {
    unsigned depth = 0, most = 0;
    bool inString = false;
    for (size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (inString) {
            if (c == '\\') ++i;
            else if (c == '"') inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            most = std::max(most, ++depth);
        } else if ((c == '}' || c == ']') && depth > 0) {
            --depth;
        }
    }
    return most;
}

} // namespace

Result<llvm::json::Object> parseBody(std::string_view body) {
    if (nesting(body) > MaxDepth) return Failure{"a message that is nested too deeply"};
    llvm::Expected<llvm::json::Value> value = llvm::json::parse({body.data(), body.size()});
    if (!value) return Failure{"a message that is not JSON: " + llvm::toString(value.takeError())};
    llvm::json::Object* object = value->getAsObject();
    if (!object) return Failure{"a message that is no JSON object"};
    return std::move(*object);
}

} // namespace sx::debugger
