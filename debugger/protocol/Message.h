// Requests as they come in, and what is sent back.
#pragma once

#include "source/Result.h"

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sx::debugger {

struct Request {
    int64_t seq = 0;
    std::string command;
    llvm::json::Object arguments; ///< empty where there are none
};

/// A body that can be answered, although it may be no valid request: then `problem` says why. Or the client's answer to
/// a request of ours: then it is known by `answers`.
struct ParsedRequest {
    Request request;
    std::string problem;
    std::optional<int64_t> answers; ///< the seq of our request
    bool succeeded = false;         ///< of an answer
    std::string message;            ///< of an answer that says no
};

/// Reads a body. Fails where it is no JSON object, so that nobody can be answered.
Result<ParsedRequest> parseRequest(std::string_view body);

/// The text of a body. Bytes that are no UTF-8 have become replacement characters.
std::string toText(llvm::json::Object message);

/// Bytes as text that the protocol can carry: what is no UTF-8 becomes `\xNN`.
std::string asUtf8(std::string_view bytes);

} // namespace sx::debugger
