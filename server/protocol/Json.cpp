#include "server/protocol/Json.h"

#include "llvm/Support/raw_ostream.h"

namespace sx::server {

json::Object toJson(Position at) {
    return json::Object{{"line", static_cast<int64_t>(at.line)}, {"character", static_cast<int64_t>(at.character)}};
}

json::Object toJson(Range range) { return json::Object{{"start", toJson(range.start)}, {"end", toJson(range.end)}}; }

json::Object location(const std::string& path, Range range) {
    return json::Object{{"uri", json::fixUTF8(uriOfPath(path))}, {"range", toJson(range)}};
}

std::optional<Position> readPosition(const json::Object* object) {
    if (!object) return std::nullopt;
    std::optional<int64_t> line = object->getInteger("line"), character = object->getInteger("character");
    if (!line || !character || *line < 0 || *character < 0) return std::nullopt;
    auto bounded = [](int64_t n) { return static_cast<uint32_t>(std::min<int64_t>(n, INT32_MAX)); };
    return Position{bounded(*line), bounded(*character)};
}

std::optional<Range> readRange(const json::Object* object) {
    if (!object) return std::nullopt;
    std::optional<Position> start = readPosition(object->getObject("start")),
                            end = readPosition(object->getObject("end"));
    if (!start || !end) return std::nullopt;
    return Range{*start, *end};
}

void respell(json::Value& value, const UriSpelling& spelling) {
    if (json::Array* list = value.getAsArray())
        for (json::Value& v : *list) respell(v, spelling);
    json::Object* object = value.getAsObject();
    if (!object) return;
    for (auto& [key, member] : *object) {
        std::optional<llvm::StringRef> text = member.getAsString();
        if (text && (key == "uri" || key == "target")) member = spelling.respelled(*text);
        else if (!text) respell(member, spelling);
    }
    if (json::Object* changes = object->getObject("changes")) {
        json::Object renamed;
        for (auto& [uri, edits] : *changes) renamed[spelling.respelled(llvm::StringRef(uri))] = std::move(edits);
        *changes = std::move(renamed);
    }
}

std::string documentPath(const json::Object& params) {
    const json::Value* uri = memberAt(params, {"textDocument", "uri"});
    std::optional<llvm::StringRef> text = uri ? uri->getAsString() : std::nullopt;
    return text ? pathOfUri(*text) : "";
}

const json::Value* memberAt(const json::Object& object, std::initializer_list<llvm::StringRef> path) {
    const json::Object* at = &object;
    const json::Value* value = nullptr;
    for (llvm::StringRef name : path) {
        value = at ? at->get(name) : nullptr;
        if (!value) return nullptr;
        at = value->getAsObject();
    }
    return value;
}

bool flagAt(const json::Object& object, std::initializer_list<llvm::StringRef> path) {
    const json::Value* value = memberAt(object, path);
    return value && value->getAsBoolean().value_or(false);
}

json::Object toMessage(json::Value id, Reply reply) {
    json::Object message{{"jsonrpc", "2.0"}, {"id", std::move(id)}};
    if (reply.error)
        message["error"] =
            json::Object{{"code", static_cast<int64_t>(*reply.error)}, {"message", json::fixUTF8(reply.message)}};
    else message["result"] = std::move(reply.result);
    return message;
}

std::string textOf(json::Value message) {
    std::string text;
    llvm::raw_string_ostream(text) << message;
    return text;
}

} // namespace sx::server
