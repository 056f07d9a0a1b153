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

} // namespace sx::debugger
