#include "debugger/protocol/Body.h"

#include "source/JsonDepth.h"

namespace sx::debugger {

Result<llvm::json::Object> parseBody(std::string_view body) {
    if (jsonDepth(body) > MaxJsonDepth) return Failure{"a message that is nested too deeply"};
    llvm::Expected<llvm::json::Value> value = llvm::json::parse({body.data(), body.size()});
    if (!value) return Failure{"a message that is not JSON: " + llvm::toString(value.takeError())};
    llvm::json::Object* object = value->getAsObject();
    if (!object) return Failure{"a message that is no JSON object"};
    return std::move(*object);
}

std::string outlineOf(std::string_view body) {
    std::string outline;
    unsigned depth = 0;
    bool inString = false;
    for (size_t i = 0; i < body.size(); ++i) {
        char c = body[i];
        bool isEscape = inString && c == '\\' && i + 1 < body.size();
        if (!inString && (c == '{' || c == '[') && depth++ == 1) outline += "null";
        if (depth <= 1) outline.append(body.substr(i, isEscape ? 2 : 1));
        if (!inString && (c == '}' || c == ']') && depth > 0) --depth;
        if (isEscape) ++i;
        else if (c == '"') inString = !inString;
    }
    return outline;
}

} // namespace sx::debugger
