// Values of the protocol as JSON.
#pragma once

#include "server/text/Encoding.h"
#include "server/text/Uri.h"

#include "llvm/Support/JSON.h"

#include <optional>
#include <string>

namespace sx::server {

namespace json = llvm::json;

json::Object toJson(Position);
json::Object toJson(Range);
/// `{uri, range}`
json::Object location(const std::string& path, Range);

/// What is missing or of another type is nullopt, 0 or empty: nobody is served by an error about it.
std::optional<Position> readPosition(const json::Object*);
std::optional<Range> readRange(const json::Object*);
/// Spells the URIs in a result as the client does: members called `uri` or `target`, and the keys of `changes`.
void respell(json::Value&, const UriSpelling&);
/// The path in `textDocument.uri`; "" if there is none.
std::string documentPath(const json::Object& params);
/// A member of a member …; null if there is none.
const json::Value* memberAt(const json::Object&, std::initializer_list<llvm::StringRef> path);
bool flagAt(const json::Object&, std::initializer_list<llvm::StringRef> path);

/// Codes of JSON-RPC and of the protocol.
enum class ErrorCode : int {
    ParseError = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    InternalError = -32603,
    ServerNotInitialized = -32002,
    RequestFailed = -32803,
    RequestCancelled = -32800,
};

/// What answers a request: a result, or why there is none.
struct Reply {
    json::Value result = nullptr;
    std::optional<ErrorCode> error{};
    std::string message{};

    static Reply failure(ErrorCode code, std::string message) { return {nullptr, code, std::move(message)}; }
};

/// The message that carries a reply.
json::Object toMessage(json::Value id, Reply);
/// The text of a message; bytes that are no UTF-8 have become replacement characters.
std::string textOf(json::Value message);

} // namespace sx::server
